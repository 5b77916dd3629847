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

import numpy as np
import numpy.typing as npt

from apsp import _cpu
from apsp.graph.csr import csr_arguments
from apsp.graph.model import Graph
from apsp.methods.elimination.tree import EliminationTree, elimination_tree
from apsp.methods.problem import IntArray, KernelProgress
from apsp.system.machine import Machine, usable

__all__ = ["MOST_COSTS", "fill_skims"]

FloatArray = npt.NDArray[np.float64]

_SIZES = (2, 4, 8, 16)
"""Numbers of costs that the kernels take."""

MOST_COSTS = _SIZES[-1]

# Seconds on one core of an EPYC (Zen 5), for the choice.
_SEARCH_ARC, _SEARCH_VERTEX = 15e-9, 20e-9  # the latter times log2 n
_TREE_ARC, _FACTOR_PAIR, _ROW_PAIR = 4e-7, 2.5e-9, 4e-10


def fill_skims(
    graph: Graph,
    costs: FloatArray,
    sources: IntArray,
    targets: IntArray,
    out: FloatArray,
    *,
    by: str | None = None,
    threads: int = 1,
    progress: KernelProgress | None = None,
) -> None:
    """Write the costs of the least paths, infinite where there is no path.

    Parameters
    ----------
    costs : (m, K) float64
        First costs are not negative; no cycle is below zero. At most MOST_COSTS.
    out : (K, S, T) float64
    by : {'elimination', 'searches'}, optional
        By default what is expected to be faster.
    """
    if out.size == 0:
        return
    size = next(size for size in _SIZES if size >= costs.shape[1])
    padded = np.zeros((graph.m, size))
    padded[:, : costs.shape[1]] = costs
    shared = {
        **csr_arguments(graph), "costs": padded, "sources": sources, "targets": targets, "out": out,
        "threads": threads, "progress": progress,
    }  # fmt: skip
    tree = None if by == "searches" else _tree(graph, size, len(sources), threads, is_needed=by == "elimination")
    if tree is None:
        _cpu.skims_by_searches(**shared)
    else:
        _cpu.skims_by_elimination(tree=tree, **shared)


def _tree(graph: Graph, size: int, sources: int, threads: int, *, is_needed: bool) -> EliminationTree | None:
    """The tree if elimination is expected to be faster than searches."""
    if is_needed:
        return elimination_tree(graph, threads=threads)
    per_search = _SEARCH_ARC * size * graph.m + _SEARCH_VERTEX * graph.n * math.log2(graph.n + 2)
    searches = sources * per_search / threads
    if _TREE_ARC * graph.m > searches / 2:
        return None
    most = usable(Machine.detect()) // (8 * (size + 1))
    widest = max(int((searches / _FACTOR_PAIR) ** (1 / 3)), 64)
    tree = elimination_tree(graph, most=most, widest=widest, threads=threads)
    if tree is None:
        return None
    pairs = _FACTOR_PAIR * tree.factor_pairs + sources * _ROW_PAIR * size * tree.row_pairs / threads
    return tree if pairs < searches else None
