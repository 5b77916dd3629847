"""The costs of flows by searches and by elimination, on the CPU and on a GPU.

Sums are rounded otherwise by the other method. So the models depend on seconds of one core, and the blocks on the graph
and the number of sources only: the result has the same bits for any number of processes and threads.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from apsp import _cpu
from apsp.graph.csr import arc_arrays
from apsp.graph.model import Graph
from apsp.graph.weak_parts import share_within
from apsp.methods.elimination.tree import EliminationTree, elimination_tree
from apsp.methods.source_cost import SourceChoice, SourceCost, SourceModel
from apsp.system.machine import Machine, usable

__all__ = ["COSTS", "FlowWork", "bytes_of_searches", "bytes_of_sums"]

LANES = 64  # as in cpp/flows/kernels.hpp

_EXACT = 2**53
"""Integers below it are exact in float64."""

_LANE_BYTES = 5 * 8 * 16
"""Per vertex and thread, of a batch of sources."""

_MOST_PAIRS = 2e10
"""Pairs of the factor, which the CPU computes for a GPU that is named: about a minute."""

_WIDEST = 2500
"""Vertices of its largest separator."""

_ENTRY_BYTES = 32
"""Per entry of the factor: a distance and a number of paths, and those of the fronts."""

_FIRST_ENTRY_BYTES, _FIRST_ROW_BYTES = 8, 512 << 20
"""Of one path per pair: per entry of the factor; of a block of rows, and beyond: lines of elimination."""

# Seconds on one core of an EPYC (Zen 5), fitted to grids of 2^8 to 2^16 vertices, cities and the roads of New York.
_SEARCH_ARC, _SEARCH_VERTEX = (5e-9, 12e-9), (4e-8, 1.4e-7)  # of searches whose arrays stay in the cache, and others
_CACHED, _BEYOND = 13, 16  # log2 of the vertices of such graphs
_TREE_ARC, _FACTOR_PAIR, _SWEEP_VERTEX = 4e-7, 5e-9, 6e-9
_HOP_STEP = 3.5e-9  # per source and vertex or arc in hops, with AVX-512
_FIRST_VERTEX, _ROW_PAIR, _WALK_VERTEX = 1e-6, 1e-10, 1e-8  # once per vertex; of a row; of the paths of a source

# Seconds on an H200: of a level of a batch in hops, there and back; of sweeps from a source.
_LEVEL_ON_GPU, _VERTEX_ON_GPU, _ENTRY_ON_GPU = 8e-5, 4e-11, 3e-12

_ITEMS = 1 << 20
"""Vertices times words of such a batch: as in on_gpu.py."""

_LONG = 1.0
"""Seconds of levels from which on the tree is computed."""

_SECONDS = 2.0
"""Shortest planned time of a block on one core."""

_BYTES_PER_SECOND = 4e6
"""Most bytes of sums per second of one core, which are sent or written."""

_OF_A_BLOCK, _TIMES_FACTOR = 0.3, 4.0
"""Share of the time of the factor that each block takes again, as flows go back through the factor; the shortest time
of a block, in units of that."""

_MOST_BLOCKS = 256


class FlowWork(NamedTuple):
    """Flows from so many sources.

    Attributes
    ----------
    graph : Graph
    sources : int
    cutoff : int, float or None
    split : bool
        Divide among all shortest paths; False: one path per pair.
    """

    graph: Graph
    sources: int
    cutoff: float | None
    split: bool

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to compute."""
        below = self.cutoff is not None and self.cutoff < 0 and not self.graph.has_negative_arc
        return self.sources == 0 or self.graph.m == 0 or below

    @property
    def by_hops(self) -> bool:
        """Whether levels of 64 sources at once compute it."""
        return self.split and not self.graph.is_weighted


class FlowModel(SourceModel[FlowWork]):
    """The costs of one method of flows.

    Parameters
    ----------
    name : str
    words : str
        A sentence for the explanation of a plan.
    """

    def __init__(self, name: str, words: str) -> None:
        super().__init__(name)
        self.words = words

    def cost(self, work: FlowWork, choice: SourceChoice, threads: int) -> SourceCost:
        """Return the cost in blocks, which do not depend on the threads."""
        graph, count, tree = work.graph, work.sources, choice.tree
        once, each = choice.seconds_once, choice.seconds_row
        again = _OF_A_BLOCK * once if work.split else 0.0
        rows = _rows_of_block(graph, count, again, each)
        blocks, each = -(-count // max(rows, 1)), each / threads
        if tree is None:
            size = bytes_of_searches(graph, rows, along=True, threads=threads, by_rows=True)
        else:
            size, once = _tree_bytes(graph, tree, threads), _TREE_ARC * graph.m + once
        return SourceCost(
            choice.method, choice.device, rows, once, again + min(rows, count) * each, each,
            blocks * again + count * each, size, choice.preparation,
        )  # fmt: skip


class _Searches(FlowModel):
    beyond_gpus = (
        "on a GPU flows with weights are computed by elimination, and the separators of this graph are too large"
    )

    def offer(self, work: FlowWork, threads: int, limit: float | None) -> SourceChoice:  # noqa: ARG002
        graph = work.graph
        if work.by_hops:
            return SourceChoice(self.name, 0.0, (graph.n + graph.m) * _HOP_STEP * share_within(graph))
        return SourceChoice(self.name, 0.0, _search_seconds(graph))

    def refuses_gpus(self, work: FlowWork) -> str | None:
        if not work.split:
            return "on a GPU ties are split"
        if not work.graph.is_weighted or _applies(work.graph):
            return None
        if work.graph.has_zones:
            return "on a GPU flows with weights are computed by elimination, which takes no zones"
        return (
            "on a GPU flows are computed in hops, or by elimination with integer weights above zero (whose sums are"
            " below 2^53)"
        )

    def on_gpu(self, work: FlowWork, threads: int, best: SourceChoice, *, named: bool) -> SourceChoice | None:  # noqa: ARG002
        return best if work.by_hops else None


class _Elimination(FlowModel):
    def offer(self, work: FlowWork, threads: int, limit: float | None) -> SourceChoice | None:
        graph = work.graph
        if not _applies(graph):
            return None
        if limit is None:
            return self._of(work, elimination_tree(graph, threads=threads))
        if work.cutoff is not None or work.by_hops:  # searches that end early, or take 64 sources at a time
            return None
        sums = (2 * threads + 4) * 8 * (2 * graph.n + graph.m)
        beside, entry = _FIRST_ROW_BYTES + threads * graph.n * 300 + sums, _FIRST_ENTRY_BYTES
        if work.split:
            beside, entry = _bytes_beside(graph, threads), _ENTRY_BYTES
        return self._of(work, _tree_within(graph, limit, beside, entry, threads))

    def on_gpu(self, work: FlowWork, threads: int, best: SourceChoice, *, named: bool) -> SourceChoice | None:
        if best.tree is not None:
            return best
        return self._of(work, _tree_for_gpu(work.graph, threads)) if named and not work.by_hops else None

    def faster_on_gpu(self, work: FlowWork, threads: int, choice: SourceChoice) -> SourceChoice:
        if choice.tree is not None:
            return choice
        return self._of(work, _tree_instead_of_hops(work.graph, work.sources, threads)) or choice

    def _of(self, work: FlowWork, tree: EliminationTree | None) -> SourceChoice | None:
        if tree is None:
            return None
        graph = work.graph
        if work.split:
            row = (_SWEEP_VERTEX * graph.n + _FACTOR_PAIR / 16 * tree.climb_pairs) * share_within(graph)
            return SourceChoice(self.name, _FACTOR_PAIR * tree.factor_pairs, float(row), tree)
        row = _ROW_PAIR * (tree.row_pairs + tree.climb_pairs) + _WALK_VERTEX * graph.n
        return SourceChoice(self.name, _ROW_PAIR * tree.factor_pairs + _FIRST_VERTEX * graph.n, row, tree)


COSTS: dict[str, FlowModel] = {
    "searches": _Searches(
        "searches", "Method: searches, which add up the flows of all targets of a source in one pass."
    ),
    "elimination": _Elimination(
        "elimination", "Method: elimination, whose sweeps carry numbers of paths along the tree, and flows back."
    ),
}


def bytes_of_sums(graph: Graph) -> int:
    """Return the bytes of the sums of a block: of vertices, twice, and of arcs."""
    return 8 * (2 * graph.n + graph.m)


def _rows_of_block(graph: Graph, count: int, once: float, each: float) -> int:
    """The sources of a block: more if its sums are large, if what each block computes beside its sources would take
    more than a fifth of the time, or if there were too many blocks.

    Parameters
    ----------
    once, each : float
        Seconds per block and per source.
    """
    seconds = max(_SECONDS, bytes_of_sums(graph) / _BYTES_PER_SECOND, _TIMES_FACTOR * once)
    rows = max(math.ceil(seconds / max(each, 1e-12)), math.ceil(count / _MOST_BLOCKS))
    return max(min(rows + -rows % LANES, count), 1)


def bytes_of_searches(graph: Graph, sources: int, *, along: bool, threads: int, by_rows: bool) -> int:
    """Return the bytes of the arrays of all threads.

    Parameters
    ----------
    by_rows : bool
        The demand differs between the sources.
    """
    n, m = graph.n, graph.m
    if graph.is_weighted:
        each, shared = 72 * n + 16 * m, 16 * m
    else:
        each, shared = (3 if by_rows else 2) * LANES * 8 * n + 64 * n, 24 * m
    sums = 8 * (2 * n + (m if along else 0))
    threads = min(threads, max(sources, 1))
    return threads * each + shared + (2 * threads + 4) * sums


def _bytes_beside(graph: Graph, threads: int) -> int:
    """Return the bytes of the sweeps, and of the sums of all threads."""
    return threads * _LANE_BYTES * graph.n + (2 * threads + 4) * 16 * (graph.n + 2 * graph.m)


def _tree_bytes(graph: Graph, tree: EliminationTree, threads: int) -> int:
    return _bytes_beside(graph, threads) + _ENTRY_BYTES * tree.entries


def _tree_within(graph: Graph, searches: float, beside: int, entry_bytes: int, threads: int) -> EliminationTree | None:
    """Return the tree if it fits into memory, and is found in a small part of the time of searches.

    Parameters
    ----------
    searches : float
        Seconds of searches on one core.
    beside, entry_bytes : int
        Bytes of all but the factor, and of an entry of the factor.
    """
    if _TREE_ARC * graph.m > searches / 3:
        return None
    most = (usable(Machine.detect()) - beside) // entry_bytes
    if most <= 0:
        return None
    widest = max(int((searches / _FACTOR_PAIR) ** (1 / 3)), 64)
    return elimination_tree(graph, most=most, widest=widest, threads=threads)


def _search_seconds(graph: Graph) -> float:
    """Seconds of a search on one core."""
    share = share_within(graph)  # it reaches so many of the vertices and arcs
    beyond = min(max((math.log2(graph.n * share + 1) - _CACHED) / (_BEYOND - _CACHED), 0.0), 1.0)
    arc, vertex = (near + beyond * (far - near) for near, far in (_SEARCH_ARC, _SEARCH_VERTEX))
    return (arc * graph.m + vertex * graph.n) * share


def _tree_for_gpu(graph: Graph, threads: int) -> EliminationTree | None:
    """Return the tree for sweeps on a GPU that is named, if elimination applies and the separators are small."""
    if not _applies(graph):
        return None
    most = usable(Machine.detect()) // _ENTRY_BYTES
    tree = elimination_tree(graph, most=most, widest=_WIDEST, threads=threads)
    return tree if tree is not None and tree.factor_pairs <= _MOST_PAIRS else None


def _tree_instead_of_hops(graph: Graph, sources: int, threads: int) -> EliminationTree | None:
    """Return the tree if, in hops, sweeps on a GPU are expected to be much faster than its levels: on long graphs."""
    if not _applies(graph):
        return None
    words = 1 << max((_ITEMS // max(graph.n, 1)).bit_length() - 1, 0)
    batches = -(-sources // (32 * words))
    levels = batches * _LEVEL_ON_GPU * _cpu.depth(arc_arrays(graph))[0]
    if levels < _LONG:
        return None
    most = usable(Machine.detect()) // _ENTRY_BYTES
    widest = max(int((levels / 4 / _FACTOR_PAIR) ** (1 / 3)), 64)
    tree = elimination_tree(graph, most=most, widest=widest, threads=threads)
    if tree is None:
        return None
    sweeps = sources * (_VERTEX_ON_GPU * graph.n + _ENTRY_ON_GPU * tree.entries)
    return tree if _FACTOR_PAIR * tree.factor_pairs + sweeps < levels / 2 else None


def _applies(graph: Graph) -> bool:
    """Whether elimination computes flows: hops, or integer weights above zero whose sums are exact; no zones."""
    if graph.has_zones:
        return False
    if not graph.is_weighted:
        return True
    if not graph.has_integer_weights:
        return False
    weights = graph.arc_weights(np.int64)
    return int(weights.min(initial=1)) > 0 and int(weights.max(initial=0)) * max(graph.n - 1, 1) < _EXACT
