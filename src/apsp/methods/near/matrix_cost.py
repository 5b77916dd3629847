"""The cost of rows that are filled with the pairs within a cutoff.

How much is near is known only after searches from some vertices: `probe` makes them, if they take little of the time
of the other methods. The seconds to find the pairs are those of cost.py; rows are written as fast as memory takes them.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from apsp.facts.facts import Facts
from apsp.facts.result_bytes import block_rows
from apsp.facts.statistics import GraphStatistics, Nearness
from apsp.facts.work import Work
from apsp.graph.model import Graph
from apsp.methods.cost import Accepts, CostModel, SoFar, Values
from apsp.methods.near.cost import COSTS as KINDS
from apsp.methods.near.cost import NearWork
from apsp.methods.near.estimate import sampled
from apsp.methods.searches.near import near_searches
from apsp.methods.source_cost import SourceChoice, cheapest

__all__ = ["COSTS", "MOST_PAIRS", "NAME", "choice_for"]

NAME = "near-pairs"

MOST_PAIRS = 1 << 23
"""Pairs that are in memory before they are written into rows."""

_SMALLEST = 1 << 12
"""Vertices from which on the rest of a row costs more than what is near."""

_NEAR = 1 / 3
"""Share of the vertices up to which anything can be saved."""

_PROBE_ARC, _SHARE = 3e-8, 0.05
"""Seconds per arc and vertex of the first searches; their part of the seconds of the other methods, at most."""

_BYTE, _ARC = 1.4e-10, 4e-9
"""Seconds of one core: per byte of a row; per arc of what is near, for predecessors."""

_PRED_BYTES = 4


def choice_for(
    graph: Graph,
    dtype: np.dtype[np.generic],
    cutoff: float | None,
    rows: int,
    at_once: int,
    threads: int,
    by: str | None = None,
) -> tuple[SourceChoice, float] | None:
    """Return how the pairs are found, and the mean number of vertices within the cutoff; None if these are too many to
    be counted.

    Parameters
    ----------
    rows, at_once : int
        Sources in all, and of a call.
    by : str, optional
        The method for near pairs, if it is fixed.
    """
    everywhere = np.arange(graph.n, dtype=np.int32)
    found = sampled(near_searches(graph, dtype, 1), everywhere, cutoff, threads, most=int(8 * _NEAR * graph.n) + 8)
    if found is None and by is None:
        return None
    reached = graph.n if found is None else found.reached
    longest = np.inf if cutoff is None else cutoff
    work = NearWork(graph, dtype, rows, longest, reached, reached, hops=False, sums=False, at_once=at_once)
    kinds = [kind for kind in KINDS.values() if by in (None, kind.name)]
    choice = cheapest(kinds, work, threads, limited=by is None)
    assert choice is not None
    return choice, reached


class _NearPairs(CostModel):
    in_lanes = True
    probes = True

    # -- whether ------------------------------------------------------------------------------------------------------

    def unneeded(self, facts: Facts, device: str, accepts: Accepts) -> str | None:
        del device, accepts
        if facts.request.cutoff is None:
            return "there is no cutoff"
        if facts.statistics.near is None:
            return "too little is beyond the cutoff, or the run is too short to look at that"
        return None

    def probe(self, graph: Graph, facts: Facts, so_far: SoFar | None) -> GraphStatistics:
        statistics, request = facts.statistics, facts.request
        cutoff = request.semiring.bound(request.cutoff, np.dtype(facts.dtype))
        if (
            cutoff is None or cutoff < 0 or so_far is None or statistics.lies_on_gpu or statistics.has_negative_arc
            or statistics.n < _SMALLEST or request.share < 1 or request.method not in ("auto", self.name)
            or request.semiring.join != "add" or request.pages_file is not None
            or _PROBE_ARC * (statistics.n + statistics.m) > _SHARE * so_far.seconds
        ):  # fmt: skip
            return statistics
        block = block_rows(statistics, facts.machine, request, facts.dtype, facts.threads)
        dtype, threads = np.dtype(facts.dtype), min(facts.threads, facts.machine.cores)
        found = choice_for(graph, dtype, cutoff, facts.rows, min(block or facts.rows, facts.rows), threads)
        if found is None:
            return statistics
        choice, reached = found
        size = 48 * statistics.m + 144 * statistics.n * facts.threads
        if choice.tree is not None:
            size += choice.tree.entries * dtype.itemsize * 3 // 2 + 512 * statistics.n * facts.threads
        return replace(statistics, near=Nearness(reached, choice.seconds_once, choice.seconds_row, size))

    def words(self, facts: Facts) -> list[str]:
        near = facts.statistics.near
        return [] if near is None else [f"About {near.reached:,.4g} vertices are within the cutoff of each source."]

    # -- on the CPU ---------------------------------------------------------------------------------------------------

    def seconds(self, values: Values, statistics: GraphStatistics, work: Work) -> float:
        del values
        near = statistics.near or Nearness(statistics.n, 0.0, 1e-7 * (statistics.n + statistics.m), 0)
        row = near.seconds_row + _BYTE * statistics.n * np.dtype(work.dtype).itemsize
        if work.paths:
            degree = statistics.m / max(statistics.n, 1)
            row += _BYTE * statistics.n * _PRED_BYTES + _ARC * near.reached * degree
        return near.seconds_once + row * work.rows / work.cores

    def work_bytes(self, facts: Facts) -> int:
        statistics, pair = facts.statistics, 4 + np.dtype(facts.dtype).itemsize
        size = 48 * statistics.m + 144 * statistics.n * facts.threads
        if statistics.near is not None:
            size = statistics.near.bytes_work
        return size + 2 * pair * min(max(MOST_PAIRS, statistics.n), facts.rows * statistics.n)


COSTS: dict[str, CostModel] = {NAME: _NearPairs(NAME)}
