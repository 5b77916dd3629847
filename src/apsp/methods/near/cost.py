"""The costs of near pairs by searches one after another, by searches in lanes, and by elimination.

The models depend on seconds of one core, not on the number of threads, and on how much some sources reach.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from apsp.errors import MemoryLimitError
from apsp.facts.dtypes import SUM_LIMITS
from apsp.facts.statistics import statistics_of
from apsp.graph.model import Graph
from apsp.methods.elimination.tree import EliminationTree, elimination_tree
from apsp.methods.source_cost import SourceChoice, SourceCost, SourceModel
from apsp.system.machine import Machine, usable

__all__ = ["COSTS", "NearWork"]

# Seconds on one core of an EPYC (Zen 4) with 2 MiB of second-level cache.
_ARC_ONCE, _VERTEX, _HOP, _WALK = 8e-8, 1.1e-7, 1e-8, 8e-8  # searches: per vertex that is reached
_LANES_ONCE, _RELAX = 2.5e-7, 3.5e-8  # lanes: per arc that a line of lanes relaxes
_READ_OFF, _PAIR = 7e-9, 1.4e-8  # of a vertex that a batch reaches, per source; of a pair
_TREE_ARC, _FACTOR_ENTRY, _FACTOR_PAIR, _ROW_PAIR, _ROW_LINE = 1.2e-6, 1e-9, 1e-10, 6e-11, 2e-9

_ON_GPU, _UPLOAD = 4e-9, 1e-7
"""Seconds of an H200 per pair, most of them for its way to the host; and once, per vertex and arc."""

_IN_TABLES = 6_000
"""Mean number of vertices within the cutoff up to which most searches on a GPU have room in shared memory."""

_LINE_BYTES = 128
_LABELS = ((2, 2**16), (4, 2**31), (8, 2**63))
_VISITS, _ROUNDS = 3.0, 200.0
"""Visits of a vertex by label correcting: these, and one more for so many vertices in the radius of what is near."""

_SCRATCH = 144
"""Bytes per vertex and thread of the labels in lanes."""

_SWEPT = 2.0
"""What is left of a sweep if only a small part of the graph is within a cutoff, as a multiple of that part."""


class NearWork(NamedTuple):
    """Pairs of some sources.

    Attributes
    ----------
    graph : Graph
    dtype : numpy dtype
    sources : int
    cutoff : int or float
    reached, settled : float
        Vertices within the cutoff of a source, and those that a search settles until it has the k nearest targets.
    hops, sums : bool
    at_once : int or None
        Sources of a call; None if all are known at once.
    """

    graph: Graph
    dtype: np.dtype[Any]
    sources: int
    cutoff: float
    reached: float
    settled: float
    hops: bool
    sums: bool
    at_once: int | None = None

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to find."""
        return self.sources == 0

    @property
    def degree(self) -> float:
        """Arcs of a vertex."""
        return self.graph.m / max(self.graph.n, 1)

    def of_batch(self, lanes: int) -> float:
        """Vertices that some of so many neighbouring sources reach, if these lie in a plane."""
        apart = math.sqrt(lanes * self.graph.n / max(self.at_once or self.sources, 1))
        return min((math.sqrt(self.reached) + apart) ** 2, lanes * self.reached, self.graph.n)


class _NearModel(SourceModel[NearWork]):
    rows_at_once = 1

    def refuses_gpus(self, work: NearWork) -> str | None:
        return "the sums of other costs along the paths are computed on the CPU" if work.sums else None

    def cost(self, work: NearWork, choice: SourceChoice, threads: int) -> SourceCost:
        each = choice.seconds_row / (threads if choice.gpu is None else 1)
        return SourceCost(
            choice.method, choice.device, self.rows_at_once, choice.seconds_once, self.rows_at_once * each, each,
            work.sources * each, preparation=choice.preparation,
        )  # fmt: skip


class _Searches(_NearModel):
    def offer(self, work: NearWork, threads: int, limit: float | None) -> SourceChoice:  # noqa: ARG002
        vertex = _VERTEX + (_HOP if work.hops else 0.0) + (_WALK if work.sums else 0.0)
        return SourceChoice(self.name, _ARC_ONCE * work.graph.m, vertex * work.settled)


class _Lanes(_NearModel):
    rows_at_once = 64

    def offer(self, work: NearWork, threads: int, limit: float | None) -> SourceChoice | None:
        once = _LANES_ONCE * work.graph.m
        too_large = _SCRATCH * work.graph.n * threads > usable(Machine.detect()) // 4
        if work.is_empty or (limit is not None and (once > limit or too_large)):
            return None
        label = _label_bytes(work)
        lanes = _LINE_BYTES // (label or work.dtype.itemsize)
        met = work.of_batch(lanes)
        arcs = met * work.degree * (_VISITS + math.sqrt(met) / _ROUNDS)
        line, row = arcs * _RELAX, met * _READ_OFF + work.reached * _PAIR
        if work.sums or (work.hops and not label):
            row += _WALK * work.reached
        elif work.hops:
            row += met * _READ_OFF
        row += line / min(lanes, work.sources)
        return SourceChoice(self.name, once, row)

    def on_gpu(
        self, work: NearWork, threads: int, best: SourceChoice, *, named: bool
    ) -> SourceChoice | None:  # fmt: skip
        del threads
        row = _ON_GPU * work.reached
        if not named and (work.reached > _IN_TABLES or row > best.seconds_row):
            return None
        return SourceChoice(self.name, _UPLOAD * (work.graph.n + work.graph.m), row)


def _label_bytes(work: NearWork) -> int:
    """Bytes of a label with the number of an arc in its lowest bits; 0 without one."""
    if not work.hops or work.sums or work.dtype.kind == "f":
        return 0
    most = (work.cutoff + 1) * 2 ** work.graph.max_out_degree.bit_length()
    return next((size for size, limit in _LABELS if size >= work.dtype.itemsize and most < limit), 0)


class _Elimination(_NearModel):
    rows_at_once = 128

    def offer(self, work: NearWork, threads: int, limit: float | None) -> SourceChoice | None:
        if work.is_empty or work.dtype.name not in ("uint16", "int32"):
            return None
        if limit is None:  # a store or the caller of workers has fixed it
            return self._of(work, _needed(work, threads))
        statistics = statistics_of(work.graph)
        if not (statistics.has_integer_weights and statistics.bound.high < SUM_LIMITS[work.dtype.name]):
            return None  # the factor has distances beyond the cutoff
        walks = _WALK * work.reached if work.hops or work.sums else 0.0
        if _TREE_ARC * work.graph.m + work.sources * (walks + (_READ_OFF + _PAIR) * work.reached) > limit / 2:
            return None
        widest = max(int((limit / _FACTOR_PAIR) ** (1 / 3)), 64)
        tree = elimination_tree(
            work.graph, most=usable(Machine.detect()) // (2 * work.dtype.itemsize), widest=widest, threads=threads
        )
        return None if tree is None else self._of(work, tree)

    def _of(self, work: NearWork, tree: EliminationTree) -> SourceChoice:
        lanes = 2 * _LINE_BYTES // work.dtype.itemsize
        met = work.of_batch(lanes)
        once = _TREE_ARC * work.graph.m + _FACTOR_ENTRY * tree.entries + _FACTOR_PAIR * tree.factor_pairs
        pairs = tree.row_pairs * min(_SWEPT * met / max(work.graph.n, 1), 1.0) * work.dtype.itemsize / 2
        row = _ROW_PAIR * pairs + met * (_READ_OFF + _ROW_LINE) + work.reached * _PAIR
        if work.hops or work.sums:
            row += _WALK * work.reached
        return SourceChoice(self.name, once, row, tree)


def _needed(work: NearWork, threads: int) -> EliminationTree:
    free = usable(Machine.detect())
    most = free // work.dtype.itemsize
    tree = elimination_tree(work.graph, most=most, threads=threads)
    if tree is None:
        remedy = "a store that is begun on this machine"
        raise MemoryLimitError("the factor of the elimination", work.dtype.itemsize * most, free, [remedy])
    return tree


COSTS: dict[str, SourceModel[NearWork]] = {
    "searches": _Searches("searches"),
    "label-correcting": _Lanes("label-correcting"),
    "elimination": _Elimination("elimination"),
}
