"""Cost of the breadth-first search from many sources at once.

Constants of the CPU are seconds on one core: call; build (a vertex or an arc, per call); arc (examining a vertex in a
level); vertex (visiting a vertex, per source); pred (a vertex or an arc, per source). Of emulated GPUs: launch; arc (an
arc or a vertex, per level and batch); entry (of a row that is written).
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
from apsp.methods.bit_bfs.kernels.bit_bfs import BATCH, state_bytes
from apsp.methods.cost import Values
from apsp.methods.experiment import Experiment
from apsp.methods.rows.cost import RowsCost, bytes_of_arcs
from apsp.methods.rows.reach import depth_of_batches, reach

__all__ = ["COSTS"]

_BITS = 512
"""Number of sources at once on the CPU."""

_LEVEL_ARCS, _LEVEL_MISSES = 0.24, 1.2
"""In units of examining a vertex in a level: following an arc; the slowdown each time that n doubles beyond 2,048."""

_TRIED, _COVERED = 16.0, 5.0
"""Arcs into a vertex that are tried together for predecessors; and those until each of 64 sources has one, in units of
vertices per neighbour.
"""

_LEVEL = 7
"""Time of a level of all blocks of a GPU, in rounds of one search."""


class _BitBfs(RowsCost):
    in_lanes = True
    by_head = True

    def experiments(self) -> tuple[Experiment, ...]:
        return (Experiment(self.name, ("arc", "vertex"), "int32", ((4096, 0), (8000, 4)), whole=True),)

    def seconds(self, values: Values, statistics: GraphStatistics, work: Work) -> float:
        """Return seconds: every level examines all vertices; arcs are followed while sources of a batch arrive."""
        n, m = statistics.n, statistics.m
        lanes = min(_BITS, max(-(-work.at_a_time // (64 * work.threads)), 1) * 64)
        depth = depth_of_batches(statistics)
        slower = 1 + _LEVEL_MISSES * max(0.0, math.log2(max(n, 1) / 2048))
        levels = n * depth + _LEVEL_ARCS * statistics.reached_arcs * depth * reach(statistics, lanes / work.at_a_time)
        tried = min(m, n * (_TRIED + _COVERED / max(statistics.density, 1 / max(n, 1))))
        row = values["vertex"] * n + (values["pred"] * (n + tried) if work.paths else 0.0)
        batch = values["arc"] * slower * levels + row * min(lanes, work.at_a_time)
        rounds = math.ceil(math.ceil(work.rows / lanes) / work.threads)
        return values["call"] + values["build"] * (n + m) + batch * rounds * work.slower

    def work_bytes(self, facts: Facts) -> int:
        """Return bytes: bits of 512 sources (seen, new and next), and the binary digits of the level."""
        statistics = facts.statistics
        digits = max(int(statistics.bound.high), 1).bit_length()
        lines = 64 * (3 + min(digits, 16)) + 11 + (132 if facts.request.paths else 0)
        return lines * statistics.n * facts.threads + 60 * statistics.n + 18 * statistics.m

    def search_bytes(
        self, statistics: GraphStatistics, request: Request, dtype: str, usable: int, *, stays: bool
    ) -> int:  # fmt: skip
        del usable, stays
        arcs = bytes_of_arcs(statistics.n, statistics.m, np.dtype(dtype).itemsize)
        return arcs + state_bytes(statistics.n, request.cutoff) if statistics.n else arcs

    def search_seconds(self, facts: Facts, work: Work, rates: GpuRates, *, to_host: bool) -> float:
        """Return seconds: most levels find few vertices, and take little longer than the synchronization of all
        blocks.
        """
        del to_host
        statistics = facts.statistics
        size, depth = statistics.n + statistics.m, statistics.likely_depth
        batches = -(-work.rows // BATCH)
        return batches * (depth * _LEVEL * rates.round + min(depth, 8) * BATCH * size / rates.pulled)

    def emulated(self, values: Values, statistics: GraphStatistics, work: Work, placement: Placement | None) -> float:
        """Return seconds of the levels of each batch of sources, and of the rows that are written."""
        del placement
        looked = float(-(-work.rows // BATCH)) * statistics.likely_depth * (statistics.n + statistics.m)
        return values["launch"] + values["arc"] * looked + values["entry"] * work.rows * statistics.n


COSTS = {"bit-bfs": _BitBfs("bit-bfs")}
