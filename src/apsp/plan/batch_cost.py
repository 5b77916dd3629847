"""Seconds of the methods that work on many sources at once: they share arcs as far as their searches run side by side.

How far that is depends on the depth of the graph, which is sounded (depth.py). The sources of a batch are neighbours;
the fewer of all vertices are asked for, the farther they lie apart. Shapes are fitted to one processor, and were found
within a factor of 1.5 on nearly all of the benchmark set (benchmarks/planner.py); the constants make up for others.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from apsp.plan.statistics import Fill, GraphStatistics
from apsp.plan.work import Work

__all__ = [
    "TREE_APART",
    "bit_bfs_seconds",
    "elimination_seconds",
    "label_correcting_seconds",
    "label_lanes",
    "potentials_seconds",
    "tree_seconds",
]

Values = Mapping[str, float]

_LABELS_16, _LABELS_32 = 2**16 - 1, 2**31 - 1
_LINE_BYTES = 128
_CACHE_BYTES = 1 << 20
"""Of one core, about."""

_BITS = 512
_ELIMINATION_LANES = 16
"""Sources that elimination works on at least."""

_SWEEPS_FROM, _MISSED, _DETOURS, _LEAST_SWEEPS = 4.0, 1.8, 8.0, 5.0
_MISSED_WITH_HUBS = 0.4
_WINDOWS, _APART, _APART_MISSED = 13.5, 1.8, 8.3
_HOPS, _FIRST_BATCH = 0.45, 2.0
_HUBS, _DEPTH_WITH_HUBS = 100.0, 6
"""Label correcting, in units of relaxing an arc of a batch once. Sweeps take the depth and a few more, each slower once
labels outgrow the cache, but less where a few hubs have most arcs; where lengths differ, shortest paths have more arcs
than the depth. Windows of distances take so many for a batch whose sources are neighbours, and so many more for each
source that lies apart. Equal lengths change labels less often. Around hubs nearly everything is done after a few
levels."""

_LEVEL_ARCS, _LEVEL_MISSES = 0.24, 1.2
"""Breadth-first search, in units of looking at a vertex in a level: an arc that is followed; how much slower everything
gets each time that n doubles beyond 2,048."""

_RAGGED = 1.9
"""Times that a pair of elimination takes around hubs, where supernodes are small."""

TREE_APART = 0.6
"""Of the search for separators, what threads share."""

_TREE_ARC, _TREE_NODE, _PEELED = 0.17, 22.0, 0.5
"""Of the constant that is for an arc of a graph of which no more is known: with few separators, and a supernode; less
around hubs, where most of them are peeled off."""


def label_correcting_seconds(values: Values, statistics: GraphStatistics, work: Work) -> float:
    """Batches after Johnson's potentials, where some arcs are negative."""
    n, m = statistics.n, statistics.m
    lanes = label_lanes(statistics, work.dtype)
    used = min(lanes, max(work.at_a_time // work.threads, 1))
    sweeps, windows = _passes(statistics, used, work.at_a_time)
    arcs = values["arc"] * statistics.reached_arcs * (_HOPS if statistics.has_equal_weights else 1.0)
    row = values["vertex"] * n + (values["pred"] * (n + m) if work.paths else 0.0)
    batch = arcs * min(sweeps, windows) + row * used
    first = arcs * min(sweeps, _FIRST_BATCH * windows) + row * used  # it is swept, to see how long that takes
    rounds = math.ceil(math.ceil(work.rows / used) / work.threads)
    once = values["call"] + values["build"] * (n + m) + potentials_seconds(values, statistics)
    return once + max(first, batch * rounds + (first - batch) / work.threads) * work.slower


def _passes(statistics: GraphStatistics, used: int, rows: int) -> tuple[float, float]:
    """Relaxations of every arc for a batch: in sweeps, and in windows of distances."""
    doubled = max(0.0, math.log2(max(statistics.n, 1) * _LINE_BYTES / _CACHE_BYTES))
    skew, depth = statistics.out_degree_skew, statistics.likely_depth
    depth = depth if skew < _HUBS else min(depth, _DEPTH_WITH_HUBS)
    missed = 1 + (_MISSED_WITH_HUBS if statistics.has_hubs else _MISSED) * min(doubled, 1.0)
    sweeps = depth + _SWEEPS_FROM
    if not statistics.has_hubs and not statistics.has_equal_weights:
        sweeps = max(depth + _DETOURS * (1 - min(statistics.density, 1.0)) ** 2, _LEAST_SWEEPS)
    apart = used * _reach(statistics, used / rows)
    return sweeps * missed, _WINDOWS + apart * (_APART + _APART_MISSED * doubled)


def _reach(statistics: GraphStatistics, share: float) -> float:
    """Of the depth, how far it is across so large a share of all vertices that lie together."""
    depth, n = max(statistics.likely_depth, 2.0), max(statistics.n, 2)
    return float(min(share, 1.0) ** min(math.log(depth) / math.log(n), 1.0))


def label_lanes(statistics: GraphStatistics, dtype: str) -> int:
    """Sources that label correcting works on at once: as many as labels fit 128 bytes, in the narrowest type."""
    if dtype.startswith("float"):
        return 32 if dtype == "float32" else 16
    size = statistics.bound.high - min(statistics.bound.low, 0) + statistics.largest_weight
    return 64 if size < _LABELS_16 else 32 if size < _LABELS_32 else 16


def potentials_seconds(values: Values, statistics: GraphStatistics) -> float:
    """Of Johnson's potentials, where some arcs are negative."""
    return values["potential"] * statistics.m * math.log2(max(statistics.n, 2)) if statistics.has_negative_arc else 0.0


def bit_bfs_seconds(values: Values, statistics: GraphStatistics, work: Work) -> float:
    """Every level looks at all vertices; an arc is followed while the sources of a batch arrive, one after another."""
    n, m = statistics.n, statistics.m
    lanes = min(_BITS, max(-(-work.at_a_time // (64 * work.threads)), 1) * 64)
    depth = statistics.likely_depth
    depth = depth if statistics.out_degree_skew < _HUBS else min(depth, _DEPTH_WITH_HUBS)
    slower = 1 + _LEVEL_MISSES * max(0.0, math.log2(max(n, 1) / 2048))
    levels = n * depth + _LEVEL_ARCS * statistics.reached_arcs * depth * _reach(statistics, lanes / work.at_a_time)
    row = values["vertex"] * n + (values["pred"] * (n + m) if work.paths else 0.0)
    batch = values["arc"] * slower * levels + row * min(lanes, work.at_a_time)
    rounds = math.ceil(math.ceil(work.rows / lanes) / work.threads)
    return values["call"] + values["build"] * (n + m) + batch * rounds * work.slower


def elimination_seconds(values: Values, statistics: GraphStatistics, work: Work) -> float:
    """The tree, the factor, and rows: down the tree and up, and into the order of the vertices."""
    n, m = statistics.n, statistics.m
    fill = statistics.fill or Fill(60 * n, n // 4, 4e3 * n, 25.0 * n, 0.0)
    pair = values[f"pair.{work.dtype}"] * (_RAGGED if statistics.has_hubs else 1.0)
    out_of_cache = 1 + max(0.0, math.log2(max(n, 1) / 16384))
    line = values["vertex"] * n * int(np.dtype(work.dtype).itemsize) / 4 * out_of_cache
    row = pair * (fill.row_pairs + fill.climb_pairs) + line + values["node"] * fill.nodes
    row += values["arc"] * m if work.paths else 0.0
    rows = max(work.rows, _ELIMINATION_LANES * work.threads)  # half a batch takes as long as a whole one
    factor = pair * fill.factor_pairs + values["entry"] * fill.entries
    once = values["call"] + tree_seconds(values, statistics) * work.partly(TREE_APART) + factor / work.cores
    return once + row * rows / work.cores


def tree_seconds(values: Values, statistics: GraphStatistics) -> float:
    """Of ordering and symbolic elimination: what can be peeled off costs little."""
    fill, m = statistics.fill, statistics.m
    if fill is None:
        return values["tree"] * m
    dissected = min(1.0, fill.row_pairs / max(statistics.n, 1) / 8) * (_PEELED if statistics.has_hubs else 1.0)
    return values["tree"] * (_TREE_ARC * m + _TREE_NODE * dissected * fill.nodes)
