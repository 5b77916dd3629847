"""Looking for small separators, which is what elimination lives on: as long as that is cheap beside the work itself."""

from __future__ import annotations

from dataclasses import replace

from apsp.graph.device import DeviceGraph
from apsp.graph.model import Graph
from apsp.plan.gpu_elimination import seconds_of_ordering
from apsp.plan.request import Request
from apsp.plan.statistics import Fill, GraphStatistics
from apsp.solvers.sparse.elimination_tree import EliminationTree, elimination_tree

__all__ = ["pays_to_seek", "with_fill"]

_SECONDS_AN_ARC = 7e-7
"""Of ordering and symbolic elimination, on one core."""

_SHARE = 0.2
"""Of the expected seconds that the search may take."""

_PAIRS_A_SECOND = 6e10
"""(add, min) pairs a second and core, to know when a separator is too wide."""


def pays_to_seek(statistics: GraphStatistics, request: Request, seconds: float, threads: int = 1) -> bool:
    """Whether to look for separators where the work without elimination takes so many seconds.

    Parameters
    ----------
    threads : int
        Of the CPU, which matter where the work itself is a GPU's.
    """
    if statistics.separators_sought or statistics.lies_on_gpu:
        return False
    if (
        request.semiring.join != "add"
        or request.pages_file is not None
        or request.method not in ("auto", "elimination")
    ):
        return False
    if request.method == "elimination":
        return True
    workers = threads if request.device == "cuda" else 1
    return statistics.n > 2 and seconds_of_ordering(statistics.m, workers, _SECONDS_AN_ARC) < _SHARE * seconds


def with_fill(
    statistics: GraphStatistics, graph: Graph, request: Request, seconds: float, threads: int, entries: int
) -> GraphStatistics:
    """The statistics, completed by what elimination would make of the graph.

    Parameters
    ----------
    seconds : float
        What the work takes without elimination: a separator that takes longer alone is not worth more search.
    entries : int
        That fit into memory.
    """
    widest = None
    if request.method == "auto":
        widest = max(int((seconds * threads * _PAIRS_A_SECOND) ** (1 / 3)), 64)
    tree = None
    if not isinstance(graph, DeviceGraph):
        tree = elimination_tree(graph, most=entries, widest=widest, threads=threads)
    return replace(statistics, fill=None if tree is None else _fill(tree), separators_sought=True)


def _fill(tree: EliminationTree) -> Fill:
    return Fill(tree.entries, len(tree.parent), tree.factor_pairs, tree.row_pairs, tree.climb_pairs)
