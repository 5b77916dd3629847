"""Matrices of several costs along shortest paths: the faster of elimination and of searches, over tuples.

Source: tuples of costs that are added by component and compared in the order of the costs are an ordered (min,+)
algebra (Carré 1971, "An algebra for network routing problems"), so every method for distances applies to them. Input: a
graph, (m, K) costs. Output: (K, S, T) float64. Cost: elimination: `EliminationTree.factor_pairs` tuples, then per
source the panels between the targets and the roots; searches: O(m log n) tuples per source.

The idea: among the paths of least first cost, the one with the least second cost is chosen, and so on, so that all
costs belong to one path, and no path is walked.
"""

from __future__ import annotations

import math
from contextlib import nullcontext

import numpy as np
import numpy.typing as npt

from apsp import _cpu
from apsp.errors import DeviceError, MemoryLimitError
from apsp.facts.one_gpu import OneGpu, one_gpu
from apsp.gpu.emulated.run import entered
from apsp.graph.csr import csr_arguments
from apsp.graph.model import Graph
from apsp.methods.elimination.tree import EliminationTree, elimination_tree
from apsp.methods.problem import IntArray, KernelProgress
from apsp.system.machine import Machine, usable

__all__ = ["MOST_COSTS", "fill_skims"]

FloatArray = npt.NDArray[np.float64]

_SIZES = (2, 4, 8, 16)
"""Numbers of costs that searches take."""

MOST_COSTS = _SIZES[-1]

# Seconds on one core of an EPYC (Zen 5), for the choice; of two numbers the second one times the number of costs.
_SEARCH_ARC, _SEARCH_VERTEX = 2e-9, 6e-9  # per cost; times log2 n
_TREE_ARC, _FACTOR_ENTRY, _FACTOR_PAIR = 4e-7, (1.5e-8, 1.8e-9), (2e-10, 5e-11)
_ROW_PAIR, _ROW_COST = 4e-10, 4e-9  # the latter per cost and target

_LOOK_FROM = 3.0
"""Seconds on the CPU from which on GPUs are detected, which takes about one second."""


def fill_skims(
    graph: Graph,
    costs: FloatArray,
    sources: IntArray,
    targets: IntArray,
    out: FloatArray,
    *,
    by: str | None = None,
    device: str = "cpu",
    threads: int = 1,
    progress: KernelProgress | None = None,
) -> tuple[str, str]:
    """Write the costs of the least paths, infinite where there is no path.

    Parameters
    ----------
    costs : (m, K) float64
        First costs are not negative; no cycle is below zero. At most MOST_COSTS.
    out : (K, S, T) float64
    by : {'elimination', 'searches'}, optional
        By default what is expected to be faster.
    device : str
        'auto', 'cpu', 'cuda', 'cuda:1' or 'emulated'; GPUs compute skims by elimination.

    Returns
    -------
    method, device : str
        'elimination' or 'searches'; 'cpu', 'cuda' or 'emulated'.

    Raises
    ------
    RequestError, DeviceError
        If the device cannot be used.
    MemoryLimitError
        If the factor does not fit into memory.
    """
    chosen = None if isinstance(device, str) and device in ("cpu", "auto") else one_gpu(device, "skims")
    if out.size == 0:
        return "searches", "cpu"
    size = costs.shape[1]
    is_needed = by == "elimination" or chosen is not None
    tree = None if by == "searches" else _tree(graph, out.shape, threads, is_needed=is_needed)
    shared = {
        **csr_arguments(graph), "sources": sources, "targets": targets, "out": out, "threads": threads,
        "progress": progress,
    }  # fmt: skip
    if tree is None:
        padded = np.zeros((graph.m, next(each for each in _SIZES if each >= size)))
        padded[:, :size] = costs
        _cpu.skims_by_searches(costs=padded, **shared)
        return "searches", "cpu"
    costs = np.ascontiguousarray(costs)
    if device == "auto" and _sweep_seconds(tree, out.shape) > _LOOK_FROM * threads:
        chosen = one_gpu(device, "skims")
    first, others = factorise(graph, costs, tree, threads=threads)
    if chosen is not None:
        try:
            _on_gpu(graph, costs, tree, (first, others), sources, targets, out, chosen, threads, progress)
        except (DeviceError, MemoryLimitError):
            if chosen.is_named:
                raise
        else:
            return "elimination", "emulated" if chosen.is_emulated else "cuda"
    _cpu.skims_by_elimination(tree=tree, costs=costs, first=first, others=others, **shared)
    return "elimination", "cpu"


def _on_gpu(
    graph: Graph, costs: FloatArray, tree: EliminationTree, factor: tuple[FloatArray, FloatArray], sources: IntArray,
    targets: IntArray, out: FloatArray, chosen: OneGpu, threads: int, progress: KernelProgress | None,
) -> None:  # fmt: skip
    from apsp.methods.skims.on_gpu import fill_on_gpu  # with the first GPU: `import apsp` stays quick

    inside = entered(chosen.gpu + 1, chosen.memory, threads) if chosen.is_emulated else nullcontext()
    with inside:
        fill_on_gpu(
            graph, costs, tree, factor, sources, targets, out, gpu=chosen.gpu, gpu_memory=chosen.memory,
            threads=threads, progress=progress,
        )  # fmt: skip


def factorise(
    graph: Graph, costs: FloatArray, tree: EliminationTree, *, threads: int = 1
) -> tuple[FloatArray, FloatArray]:
    """Return the factor over tuples: first costs (entries,), infinite without a path, and the others (entries, K - 1).

    Parameters
    ----------
    costs : (m, K) float64, contiguous
    """
    first, others = np.empty(tree.entries), np.empty((tree.entries, costs.shape[1] - 1))
    _cpu.skims_factor(tree=tree, **csr_arguments(graph), costs=costs, first=first, others=others, threads=threads)
    return first, others


def _tree(graph: Graph, shape: tuple[int, ...], threads: int, *, is_needed: bool) -> EliminationTree | None:
    """The tree if elimination is expected to be faster than searches."""
    size, free = shape[0], usable(Machine.detect())
    most = free // (8 * size)
    if is_needed:
        tree = elimination_tree(graph, most=most, threads=threads)
        if tree is None:
            raise MemoryLimitError("the factor of the elimination", 8 * size * most, free, ["device='cpu'"])
        return tree
    per_search = _SEARCH_ARC * size * graph.m + _SEARCH_VERTEX * graph.n * math.log2(graph.n + 2)
    searches = shape[1] * per_search
    if _TREE_ARC * graph.m * threads > searches / 2:
        return None
    factor_entry, factor_pair = (some[0] + some[1] * size for some in (_FACTOR_ENTRY, _FACTOR_PAIR))
    widest = max(int((searches / factor_pair) ** (1 / 3)), 64)
    tree = elimination_tree(graph, most=most, widest=widest, threads=threads)
    if tree is None:
        return None
    factor = factor_entry * tree.entries + factor_pair * tree.factor_pairs
    return tree if factor + _sweep_seconds(tree, shape) < searches else None


def _sweep_seconds(tree: EliminationTree, shape: tuple[int, ...]) -> float:
    """Seconds of one core for matrices of this shape."""
    kinds, sources, targets = shape
    return sources * (_ROW_PAIR * tree.row_pairs + _ROW_COST * kinds * targets)
