"""Cost of label correcting.

Constants of the CPU are seconds on one core: call; build (a vertex or an arc, per call); arc (relaxing an arc, per
batch of sources); vertex (visiting a vertex, per source); pred (a vertex or an arc, per source); potential (an arc
times log2 n, if some are negative). Of emulated GPUs: launch; source (of a search); arc.
"""

from __future__ import annotations

import math

import numpy as np

from apsp.facts.facts import Facts
from apsp.facts.gpu_rates import GpuRates
from apsp.facts.placement import Placement
from apsp.facts.request import Request
from apsp.facts.statistics import GraphStatistics
from apsp.facts.work import Work
from apsp.methods.cost import Accepts, Values
from apsp.methods.experiment import Experiment
from apsp.methods.label_correcting.kernels.labels import RECORD, scratch_bytes
from apsp.methods.rows.cost import RowsCost, bytes_of_arcs, zero_bytes, zero_seconds
from apsp.methods.rows.reach import depth_of_batches, reach
from apsp.methods.searches.cost import johnson_bytes, potentials_seconds

__all__ = ["COSTS"]

_LABELS_8, _LABELS_16, _LABELS_32 = 2**8 - 1, 2**16 - 1, 2**31 - 1
_LANES_8, _WORTH_MEASURING, _BYTES_TO = 128, 4, 2048
"""Sources at once with labels of one byte; the batches per thread above which the kernel tries them; the vertices up to
which they were measured to take half of the time (the labels of a batch then fit in a second-level cache).
"""

_LINE_BYTES = 128
_CACHE_BYTES = 1 << 20
"""Approximate cache of one core, in bytes."""

_SWEEPS_FROM, _MISSED, _DETOURS, _LEAST_SWEEPS = 4.0, 1.8, 8.0, 5.0
_MISSED_WITH_HUBS = 0.4
_WINDOWS, _APART, _APART_MISSED = 13.5, 1.8, 8.3
_HOPS, _FIRST_BATCH = 0.45, 2.0
"""In units of relaxing an arc of a batch once. The number of sweeps is the depth and a few more; each is slower when
labels exceed the cache, but less so if a few hubs have most arcs; if lengths differ, shortest paths have more arcs than
the depth. Windows of distances take a constant for a batch whose sources are neighbours, and a constant per source that
is far from the others. With equal lengths, labels change less often."""

_NARROW, _HUBS_ALONE = 5.0, 0.3
"""The mean weight up to which a window of integers is one unit wide; the share of the rows of a tree that are searched
if some of its vertices have most of the edges: those of their neighbours follow."""

_SEARCHES = 264
"""Approximate number of concurrent searches on the GPU that was measured."""

_ROUNDS, _ROUNDS_OF_HOPS = 0.8, 0.2
"""Rounds on a GPU per arc of the path with the most arcs; and if all arcs have the same length."""

_CHAINS = 0.0025
"""Seconds on a GPU for finding chains."""

_IN_TABLE, _MORE_OFTEN = 8_000, 10.0
"""Number of vertices within a cutoff up to which most searches on a GPU have a table of them in shared memory, and how
much longer an arc takes there."""

_IN_SHARED, _SLOWER = 50_000, 4.0
_ONE_IN_SHARED, _SLOWER_WITH_HUBS = 110_000, 7.0
"""Number of vertices up to which two searches fit in the shared memory of a multiprocessor; the maximum slowdown for
larger graphs. The same around hubs, where one search per multiprocessor is as fast as two. A search uses one
multiprocessor: few rows take as long as one for each."""


class _LabelCorrecting(RowsCost):
    in_lanes = True

    def unneeded(self, facts: Facts, device: str, accepts: Accepts) -> str | None:
        del device, accepts
        negative_floats = facts.statistics.has_negative_arc and facts.dtype.startswith("float")
        return "negative floats are computed by johnson" if negative_floats else None

    def does_small(self, statistics: GraphStatistics, request: Request, dtype: str, device: str) -> bool:
        del request
        return device == "cpu" and not (statistics.has_negative_arc and dtype.startswith("float"))

    def experiments(self) -> tuple[Experiment, ...]:
        return (Experiment(self.name, ("arc", "vertex"), "int32", ((4000, 4), (4000, 32))),)

    def seconds(self, values: Values, statistics: GraphStatistics, work: Work) -> float:
        """Return seconds of Johnson's potentials, if some arcs are negative, and of the batches."""
        n, m = statistics.n, statistics.m
        lanes = _lanes(statistics, work)
        used = min(lanes, max(work.at_a_time // work.threads, 1))
        sweeps, windows = _passes(statistics, used, work.at_a_time)
        arcs = values["arc"] * statistics.reached_arcs * (_HOPS if statistics.has_equal_weights else 1.0)
        row = values["vertex"] * n
        if work.paths:
            row += values["pred"] * (n + m) + zero_seconds(values["vertex"], statistics)
        batch = arcs * min(sweeps, windows) + row * used
        first = arcs * min(sweeps, _FIRST_BATCH * windows) + row * used  # a sweep is made to measure the time
        rounds = math.ceil(math.ceil(work.rows * _searched(statistics, work) / used) / work.threads)
        once = values["call"] + values["build"] * (n + m) + potentials_seconds(values, statistics)
        return once + max(first, batch * rounds + (first - batch) / work.threads) * work.slower

    def work_bytes(self, facts: Facts) -> int:
        """Return bytes of the labels and queues of each thread, of the arcs by tail and by head, for each type of
        labels that is tried, and of the rows that follow from others.
        """
        statistics, dtype = facts.statistics, np.dtype(facts.dtype)
        if statistics.has_negative_arc and dtype.kind == "f":
            return johnson_bytes(facts)
        tried = {"u2": 2, "i4": 3, "i8": 4, "f4": 1, "f8": 1}[dtype.str[1:]]
        wide = 16 if dtype.itemsize == 8 else 0
        signed = 16 if statistics.has_negative_arc else 0
        arcs = (16 * tried + 16 + wide + dtype.itemsize + signed) * statistics.m
        arcs += zero_bytes(statistics, facts.request, facts.threads, 64)
        return 150 * statistics.n * facts.threads + (130 + 16 * tried + signed) * statistics.n + arcs

    def search_bytes(
        self, statistics: GraphStatistics, request: Request, dtype: str, usable: int, *, stays: bool
    ) -> int:  # fmt: skip
        del request, usable, stays
        n, m, itemsize = statistics.n, statistics.m, np.dtype(dtype).itemsize
        size = 16 if itemsize == 8 else 8
        arcs = bytes_of_arcs(n, m, itemsize)
        return arcs + size * (RECORD * n + n + m) + _SEARCHES * scratch_bytes(n, max(itemsize, 4))

    def search_seconds(self, facts: Facts, work: Work, rates: GpuRates, *, to_host: bool) -> float:
        del to_host
        statistics, n = facts.statistics, facts.statistics.n
        if work.share < 1 and work.share * n <= _IN_TABLE and not statistics.has_negative_arc:
            return work.rows * work.share * (n + statistics.m) * _MORE_OFTEN / rates.relaxed
        if statistics.has_integer_weights and statistics.is_chain:  # rows are assembled from a small matrix
            seconds = work.rows * n / rates.relaxed + _CHAINS
        else:
            slower, at_once = _spread(statistics), _SEARCHES if n <= _IN_SHARED else _SEARCHES // 2
            rows = max(work.rows, at_once) if work.rows else 0
            rounds = statistics.likely_depth * (_ROUNDS_OF_HOPS if statistics.has_equal_weights else _ROUNDS)
            seconds = slower * rows * ((n + statistics.reached_arcs) / rates.relaxed + rounds * rates.round / at_once)
        return seconds * (4.0 if statistics.has_negative_arc else 1.0)

    def emulated(self, values: Values, statistics: GraphStatistics, work: Work, placement: Placement | None) -> float:
        """One launch whose first block takes all sources."""
        del placement
        arcs = float(statistics.n + statistics.reached_arcs) * (2 if work.paths else 1)
        return values["launch"] + work.rows * (values["source"] + values["arc"] * arcs)


COSTS = {"label-correcting": _LabelCorrecting("label-correcting")}


def _passes(statistics: GraphStatistics, used: int, rows: int) -> tuple[float, float]:
    """Relaxations of every arc for a batch: in sweeps, and in windows of distances."""
    doubled = max(0.0, math.log2(max(statistics.n, 1) * _LINE_BYTES / _CACHE_BYTES))
    depth = depth_of_batches(statistics)
    missed = 1 + (_MISSED_WITH_HUBS if statistics.has_hubs else _MISSED) * min(doubled, 1.0)
    sweeps = depth + _SWEEPS_FROM
    if not statistics.has_hubs and not statistics.has_equal_weights:
        sweeps = max(depth + _DETOURS * (1 - min(statistics.density, 1.0)) ** 2, _LEAST_SWEEPS)
    apart = used * reach(statistics, used / rows)
    windows = _WINDOWS + apart * (_APART + _APART_MISSED * doubled)
    if statistics.is_chain and statistics.has_integer_weights and statistics.mean_weight <= _NARROW:
        # The sources of a batch, which lie in a row, arrive in one window after another.
        windows += depth * reach(statistics, used / rows) / (_HOPS if statistics.has_equal_weights else 1.0)
    return sweeps * missed, windows


def _searched(statistics: GraphStatistics, work: Work) -> float:
    """Return the share of the rows that are searched; the constants include that of most graphs."""
    whole = work.rows == statistics.n and work.block is None and not work.paths
    return _HUBS_ALONE if whole and statistics.is_chain and statistics.has_hubs else 1.0


def _lanes(statistics: GraphStatistics, work: Work) -> int:
    """Number of sources at once: the labels, in the narrowest type, that fit in 128 bytes."""
    if work.dtype.startswith("float"):
        return 32 if work.dtype == "float32" else 16
    size = statistics.bound.high - min(statistics.bound.low, 0) + statistics.largest_weight
    lanes = 64 if size < _LABELS_16 else 32 if size < _LABELS_32 else 16
    return _LANES_8 if _in_bytes(statistics, work, lanes) else lanes


def _in_bytes(statistics: GraphStatistics, work: Work, lanes: int) -> bool:
    """Whether labels are likely to fit in a byte; the kernel finds it out from the first batches of wider ones."""
    if work.paths or statistics.has_negative_arc or statistics.depth is None or statistics.n > _BYTES_TO:
        return False
    small = (statistics.depth + 1) * statistics.largest_weight < _LABELS_8
    return small and work.at_a_time > _WORTH_MEASURING * lanes * work.threads


def _spread(statistics: GraphStatistics) -> float:
    """Return the factor on times if a multiprocessor has room for one search, or labels are outside."""
    fitting, slower = (_ONE_IN_SHARED, _SLOWER_WITH_HUBS) if statistics.has_hubs else (_IN_SHARED, _SLOWER)
    return float(min(max(statistics.n / fitting, 1.0) ** 1.2, slower))
