"""The search for small separators, which make elimination fast: limited to a small share of the expected work."""

from __future__ import annotations

import math
from dataclasses import replace

from apsp import _cpu
from apsp.facts.facts import Facts
from apsp.facts.request import Request
from apsp.facts.statistics import Fill, GraphStatistics
from apsp.graph.csr import arc_arrays
from apsp.graph.device import DeviceGraph
from apsp.graph.model import Graph
from apsp.methods.cost import SoFar
from apsp.methods.elimination.tree import EliminationTree, elimination_tree, order_for
from apsp.system.machine import usable

__all__ = ["LAYOUT", "TREE_APART", "may_have_separators", "pays_to_seek", "with_fill", "with_separators"]

TREE_APART = 0.6
"""Share of the search for separators that threads divide."""

LAYOUT = 0.014
"""Seconds for the lists that kernels need: the minimum time on a GPU."""

_SECONDS_AN_ARC = 3.8e-7
"""Seconds of ordering and symbolic elimination, on one core."""

_SHARE, _SHARE_BESIDE_SLOW, _SHARE_WITH_HUBS, _SHARE_WHERE_LIKELY = 0.02, 0.1, 0.15, 0.6
"""Shares of the expected seconds that the search may take: if it will most likely fail; if the other methods have no
lanes; if many vertices around hubs may have small degrees.

If small separators are likely.
"""

_LOCAL, _LOCAL_ARC = 4.0, 0.1
"""Arcs per vertex of a deep graph from which on the others join neighbours of neighbours; their time, relative to an
arc.
"""

_DEEP = 3.0
"""Multiple of log2 n of the depth from which the graph is not an expander."""

_SMALL = 1 << 12
"""Vertices and arcs up to which the search takes a millisecond or two, whatever it finds."""

_PAIRS_A_SECOND = 6e10
"""(add, min) pairs per second and core, to know when a separator is too wide."""


def pays_to_seek(statistics: GraphStatistics, request: Request, seconds: float, *, in_lanes: bool = True) -> bool:
    """Whether to search for separators if the work without elimination takes this many seconds.

    Parameters
    ----------
    in_lanes : bool
        By a method that works on many sources at once.
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
    share, arcs = _SHARE if in_lanes else _SHARE_BESIDE_SLOW, float(statistics.m)
    if _are_likely(statistics):
        share, local = _SHARE_WHERE_LIKELY, _LOCAL * statistics.n
        arcs = min(arcs, local + _LOCAL_ARC * max(arcs - local, 0.0))
    elif statistics.has_hubs:
        share = _SHARE_WITH_HUBS
    apart = 1 - TREE_APART + TREE_APART / (request.threads or 1)
    return statistics.n > 2 and _SECONDS_AN_ARC * apart * arcs < share * seconds


def with_separators(graph: Graph, facts: Facts, so_far: SoFar | None) -> GraphStatistics:
    """Return the statistics, completed if the search can save more time than it takes: see
    `apsp.methods.cost.CostModel.probe`.
    """
    statistics, machine = facts.statistics, facts.machine
    if so_far is None:
        return statistics
    threads = min(facts.threads, machine.cores)  # more would not make the search faster
    # What elimination could not save: the start of a GPU, and what it takes there at least.
    seconds = so_far.seconds if so_far.started is None else so_far.seconds - so_far.started - LAYOUT
    seeking = replace(facts.request, threads=threads)
    if not pays_to_seek(statistics, seeking, seconds, in_lanes=so_far.in_lanes):
        return statistics
    entries = usable(machine) // so_far.itemsize
    return with_fill(statistics, graph, facts.request, so_far.seconds, threads, entries)


def may_have_separators(graph: Graph) -> bool:
    """Whether to search a graph for separators without a plan: it is small, or deep; two searches tell the latter."""
    if isinstance(graph, DeviceGraph):
        return False
    if graph.n + graph.m <= _SMALL:
        return True
    depth, _ = _cpu.depth(arc_arrays(graph))
    return bool(depth > _DEEP * math.log2(max(graph.n, 2)))


def _are_likely(statistics: GraphStatistics) -> bool:
    """Whether the graph has the depth of a road network or a grid, or is nearly a tree."""
    return statistics.is_chain or statistics.likely_depth > _DEEP * math.log2(max(statistics.n, 2))


def with_fill(
    statistics: GraphStatistics,
    graph: Graph,
    request: Request,
    seconds: float,
    threads: int,
    entries: int | None = None,
) -> GraphStatistics:
    """Return the statistics, completed by the factor that elimination would compute.

    Parameters
    ----------
    seconds : float
        What the work takes without elimination: a separator that takes longer alone is not worth more search.
    entries : int, optional
        That fit into memory.
    """
    widest = None
    if request.method == "auto":
        widest = max(int((seconds * threads * _PAIRS_A_SECOND) ** (1 / 3)), 64)
    tree = None
    if not isinstance(graph, DeviceGraph):
        rows = graph.n if request.sources is None else request.sources
        order = order_for(rows, on_gpu=request.device == "cuda")
        tree = elimination_tree(graph, most=entries, widest=widest, order=order, threads=threads)
    return replace(statistics, fill=None if tree is None else _fill(tree), separators_sought=True)


def _fill(tree: EliminationTree) -> Fill:
    return Fill(tree.entries, len(tree.parent), tree.factor_pairs, tree.row_pairs, tree.climb_pairs)
