"""Cost of the searches: Dijkstra with a heap or buckets, breadth-first search, Johnson.

Constants are seconds on one core: call (a call of the method), arc (relaxing an arc, per source; of breadth-first
search per batch of sources), vertex (visiting a vertex, per source), heap (a vertex times log2 n, per source), pred (an
entry of the predecessors), potential (an arc times log2 n, if some are negative).
"""

from __future__ import annotations

import math

import numpy as np

from apsp.facts.facts import Facts
from apsp.facts.request import Request
from apsp.facts.statistics import GraphStatistics
from apsp.facts.work import Work
from apsp.methods.cost import Accepts, CostModel, Values
from apsp.methods.experiment import SPARSE, Experiment

__all__ = ["COSTS", "johnson_bytes", "potentials_seconds"]

_BATCH = 64
"""Sources that breadth-first search works on at once."""

_DENSE, _DENSITY = 0.3, 0.25
"""Factor on the time of an arc of breadth-first search from this density on: neighbours lie in a row, and a few of them
often lead to all sources of a batch.
"""

_FEW_BUCKETS = 0.4
"""Factor on the time with buckets if few vertices are queued at a time, or all are in one bucket."""


class _Dijkstra(CostModel):
    def experiments(self) -> tuple[Experiment, ...]:
        return (Experiment("dijkstra", ("arc", "heap"), "int32", SPARSE),)

    def seconds(self, values: Values, statistics: GraphStatistics, work: Work) -> float:
        row = values["arc"] * statistics.reached_arcs
        row += values["heap"] * statistics.reached_vertices * _log2(statistics.n)
        return values["call"] + (row * work.share + _pred(values, statistics, work)) * _rounds(work)


class _Buckets(CostModel):
    def experiments(self) -> tuple[Experiment, ...]:
        return (Experiment("dijkstra-buckets", ("arc", "vertex"), "int32", SPARSE),)

    def seconds(self, values: Values, statistics: GraphStatistics, work: Work) -> float:
        row = values["vertex"] * statistics.reached_vertices * _misses(statistics.n)
        row += values["arc"] * statistics.reached_arcs
        row *= _FEW_BUCKETS if statistics.has_equal_weights or statistics.is_chain else 1.0
        return values["call"] + (row * work.share + _pred(values, statistics, work)) * _rounds(work)


class _Bfs(CostModel):
    def experiments(self) -> tuple[Experiment, ...]:
        return (Experiment("bfs", ("arc", "vertex"), "uint16", ((4000, 4), (4000, 100))),)

    def seconds(self, values: Values, statistics: GraphStatistics, work: Work) -> float:
        batches = -(-work.rows // _BATCH)
        rounds = -(-batches // work.threads)
        row = values["vertex"] * statistics.reached_vertices * _misses(statistics.n)
        row = row * (0.5 if statistics.has_hubs else 1.0) + _pred(values, statistics, work)
        arcs = statistics.reached_arcs * (1 - (1 - _DENSE) * min(statistics.density / _DENSITY, 1.0))
        batches_of_one = row * min(work.rows, rounds * _BATCH) + values["arc"] * arcs * rounds
        return values["call"] + batches_of_one * work.slower

    def work_bytes(self, facts: Facts) -> int:
        return facts.statistics.n * (40 * facts.threads + np.dtype(facts.dtype).itemsize)


class _Johnson(CostModel):
    """Potentials, then buckets for integers and a heap for floats."""

    def experiments(self) -> tuple[Experiment, ...]:
        return (
            Experiment("johnson", ("arc", "heap"), "float32", SPARSE),
            Experiment("johnson", ("arc", "vertex"), "int32", SPARSE),
        )

    def seconds(self, values: Values, statistics: GraphStatistics, work: Work) -> float:
        rows = COSTS["dijkstra" if work.dtype.startswith("float") else "dijkstra-buckets"]
        return potentials_seconds(values, statistics) + rows.seconds(values, statistics, work)

    def work_bytes(self, facts: Facts) -> int:
        return johnson_bytes(facts)

    def unneeded(self, facts: Facts, device: str, accepts: Accepts) -> str | None:
        del device, accepts
        return None if facts.statistics.has_negative_arc else "the graph has no negative arcs"

    def does_small(self, statistics: GraphStatistics, request: Request, dtype: str, device: str) -> bool:
        del request, device
        return statistics.has_negative_arc and dtype.startswith("float")


COSTS: dict[str, CostModel] = {
    "dijkstra": _Dijkstra("dijkstra"),
    "dijkstra-buckets": _Buckets("dijkstra-buckets"),
    "bfs": _Bfs("bfs"),
    "johnson": _Johnson("johnson"),
}


def potentials_seconds(values: Values, statistics: GraphStatistics) -> float:
    """Return the seconds of Johnson's potentials, if some arcs are negative."""
    return values["potential"] * statistics.m * _log2(statistics.n) if statistics.has_negative_arc else 0.0


def johnson_bytes(facts: Facts) -> int:
    """Return the bytes without the graph and the result."""
    n, m = facts.statistics.n, facts.statistics.m
    return 40 * n + (24 + np.dtype(facts.dtype).itemsize) * m + 30 * n * facts.threads


def _pred(values: Values, statistics: GraphStatistics, work: Work) -> float:
    return values["pred"] * statistics.reached_vertices if work.paths else 0.0


def _misses(n: int) -> float:
    """Return the factor on the time of a vertex when the arrays of a source exceed the inner caches."""
    return 1 + max(0.0, math.log2(max(n, 1) / 8192)) / 8


def _log2(n: int) -> float:
    return math.log2(max(n, 2))


def _rounds(work: Work) -> float:
    """Return the number of sources of the busiest thread, times its slowdown from sharing a core."""
    return -(-work.rows // work.threads) * work.slower
