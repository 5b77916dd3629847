"""Which method computes skims: elimination or searches, and on which device.

Input: a graph, the shape of the matrices, the device. Output: `SkimChoice`. Cost: the order of elimination, unless its
cost alone excludes it.

The idea: the choice depends on seconds of one core, not on the number of threads. So processes with any number of
threads choose alike, and floats are rounded alike.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from apsp.errors import MemoryLimitError
from apsp.facts.one_gpu import LOOK_FROM, OneGpu, one_gpu
from apsp.graph.model import Graph
from apsp.methods.elimination.tree import EliminationTree, elimination_tree
from apsp.system.machine import Machine, usable

__all__ = ["SkimChoice", "chosen"]

# Seconds on one core of an EPYC (Zen 5), for the choice; of two numbers the second one times the number of costs.
_SEARCH_ARC, _SEARCH_VERTEX = 2e-9, 6e-9  # per cost; times log2 n
_TREE_ARC, _FACTOR_ENTRY, _FACTOR_PAIR = 4e-7, (1.5e-8, 1.8e-9), (2e-10, 5e-11)
_ROW_PAIR, _ROW_COST = 4e-10, 4e-9  # the latter per cost and target


@dataclass(frozen=True)
class SkimChoice:
    """How skims are computed.

    Attributes
    ----------
    tree : EliminationTree or None
        None for searches.
    gpu : OneGpu or None
        None for the CPU.
    seconds_once, seconds_row : float
        Estimated time of one core: for the order and the factor, and per source.
    """

    tree: EliminationTree | None
    gpu: OneGpu | None
    seconds_once: float
    seconds_row: float

    @property
    def method(self) -> str:
        """'elimination' or 'searches'."""
        return "searches" if self.tree is None else "elimination"

    @property
    def device(self) -> str:
        """'cpu', 'cuda' or 'emulated'."""
        return "cpu" if self.gpu is None else "emulated" if self.gpu.is_emulated else "cuda"

    def on_cpu(self) -> SkimChoice:
        """Return the same without a GPU."""
        return replace(self, gpu=None)


def chosen(
    graph: Graph, shape: tuple[int, int, int], *, by: str | None = None, device: str = "cpu", threads: int = 1
) -> SkimChoice:
    """Choose for matrices of a shape (K, S, T).

    Parameters
    ----------
    by : {'elimination', 'searches'}, optional
        By default what is expected to be faster.
    device : str
        'auto', 'cpu', 'cuda', 'cuda:1' or 'emulated'; GPUs compute skims by elimination.
    threads : int
        That compute the order of elimination; with more of them, a GPU is looked for later.

    Raises
    ------
    RequestError, DeviceError
        If the device cannot be used.
    MemoryLimitError
        If the factor does not fit into memory.
    """
    gpu = None if isinstance(device, str) and device in ("cpu", "auto") else one_gpu(device, "skims")
    size, sources, targets = shape
    per_search = _SEARCH_ARC * size * graph.m + _SEARCH_VERTEX * graph.n * math.log2(graph.n + 2)
    tree = None
    if math.prod(shape) > 0 and by != "searches":
        if gpu is not None:
            tree = _needed(graph, size, threads, "device='cpu'")
        elif by is not None:  # a store or the caller of workers has fixed it
            tree = _needed(graph, size, threads, "a store that is begun on this machine")
        else:
            tree = _faster(graph, shape, sources * per_search, threads)
    if tree is None:
        return SkimChoice(None, None, 0.0, per_search)
    once, row = _TREE_ARC * graph.m + _factor_seconds(tree, size), _row_seconds(tree, size, targets)
    if device == "auto" and sources * row > LOOK_FROM * threads:
        gpu = one_gpu(device, "skims")
    return SkimChoice(tree, gpu, once, row)


def _needed(graph: Graph, size: int, threads: int, remedy: str) -> EliminationTree:
    free = usable(Machine.detect())
    most = free // (8 * size)
    tree = elimination_tree(graph, most=most, threads=threads)
    if tree is None:
        raise MemoryLimitError("the factor of the elimination", 8 * size * most, free, [remedy])
    return tree


def _faster(graph: Graph, shape: tuple[int, int, int], searches: float, threads: int) -> EliminationTree | None:
    """The tree if elimination is expected to be faster than searches, which take so many seconds."""
    size, sources, targets = shape
    if _TREE_ARC * graph.m > searches / 2:
        return None
    widest = max(int((searches / _per_cost(_FACTOR_PAIR, size)) ** (1 / 3)), 64)
    tree = elimination_tree(graph, most=usable(Machine.detect()) // (8 * size), widest=widest, threads=threads)
    if tree is None:
        return None
    seconds = _factor_seconds(tree, size) + sources * _row_seconds(tree, size, targets)
    return tree if seconds < searches else None


def _per_cost(seconds: tuple[float, float], size: int) -> float:
    return seconds[0] + seconds[1] * size


def _factor_seconds(tree: EliminationTree, size: int) -> float:
    return _per_cost(_FACTOR_ENTRY, size) * tree.entries + _per_cost(_FACTOR_PAIR, size) * tree.factor_pairs


def _row_seconds(tree: EliminationTree, size: int, targets: int) -> float:
    return _ROW_PAIR * tree.row_pairs + _ROW_COST * size * targets
