"""The vertices with the largest closeness or harmonic centrality, or the smallest sum of distances.

By cut searches in hops, by bounds on sums with weights, or from all rows.

Bounds on sums: rows are computed in waves by the method of all rows, one preparation for all. Those of a wave bound the
sums of the others, and vertices whose bound excludes them are not computed. On roads and grids few rows are left; where
many are, they are computed at once after a small part.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Literal, get_args

import numpy as np
import numpy.typing as npt

from apsp._types import Vertex
from apsp.bounds.bounded_search import LIMITS, SearchLimits
from apsp.bounds.few_searches import needs_all_rows
from apsp.facts.request import Request
from apsp.graph.model import Graph
from apsp.graph.weak_parts import is_exact_forest, weak_parts
from apsp.measures.summary import of_vertices
from apsp.methods.problem import IntArray
from apsp.methods.searches.cut_searches import CutSearches
from apsp.methods.searches.few_sources import FewSources
from apsp.reductions import Direction
from apsp.reductions.central import MostCentral, closeness, largest_first
from apsp.reductions.strong_parts import StrongParts
from apsp.reductions.sum_bounds import SumBounds
from apsp.reductions.summary import Summary
from apsp.running.planned_rows import planned_rows
from apsp.semiring import unreachable
from apsp.system.arguments import one_of
from apsp.system.machine import threads_from
from apsp.system.progress import ProgressReport, offset, reporting

__all__ = ["RANKING_LIMITS", "Centrality", "RankingLimits", "centralities", "most_central", "with_least_sum"]

Centrality = Literal["closeness", "closeness_improved", "harmonic"]


@dataclass(frozen=True)
class RankingLimits:
    """From where on searches one after another, or rows in waves, are better than all rows.

    Attributes
    ----------
    searches : SearchLimits
        For which graphs there are searches one after another.
    largest_share : float
        Largest k, as a share of the vertices: k of the searches go to the end, and each of these costs up to about 5
        rows of all.
    first : int
        Searches that begin, beside 2 k: they give the k-th largest centrality a value that excludes others.
    sample : int
        Searches whose cost stands for that of all that bounds leave.
    arcs : float
        Largest number of arcs to scan, as a share of those of n whole searches: searches of many sources at once scan
        arcs about 5 times as fast, so that what was scanned in vain costs at most a tenth of all rows.
    smallest : int
        Vertices from which on two waves and another preparation take less than a tenth of all rows.
    wave : int
        Rows that are computed at once.
    closed : int
        Vertices that each row of a wave has to exclude after the first: few rows at once take up to ten times as long
        per row as all rows.
    """

    searches: SearchLimits = LIMITS
    largest_share: float = 1 / 50
    first: int = 16
    sample: int = 32
    arcs: float = 1 / 50
    smallest: int = 1 << 14
    wave: int = 32
    closed: int = 6


RANKING_LIMITS = RankingLimits()


@dataclass
class Ranking:
    """The centralities that are known, with or without those that are equal to the last of the largest."""

    graph: Graph
    kind: Centrality
    top: int
    direction: Direction
    options: Request
    limits: RankingLimits
    with_ties: bool = False
    positions: IntArray = field(default_factory=lambda: np.empty(0, np.int32))
    values: npt.NDArray[np.float64] = field(default_factory=lambda: np.empty(0))
    searches: int = 0

    def add(self, positions: IntArray, values: npt.NDArray[np.float64]) -> None:
        """Add centralities of vertices."""
        positions, values = np.concatenate([self.positions, positions]), np.concatenate([self.values, values])
        best = largest_first(values, positions, self.top)
        if self.with_ties and len(best):
            best = np.flatnonzero(values >= values[best[-1]])
        self.positions, self.values = positions[best], values[best]

    def add_rows(self, positions: IntArray) -> None:
        """Add the centralities of vertices, from whole rows."""
        if not len(positions):
            return
        chosen = None if len(positions) == self.graph.n else positions
        self.searches += len(positions)
        self.add(positions, centralities(self.graph, self.kind, self.direction, chosen, self.options)[1])

    def result(self) -> MostCentral:
        """The largest of those that were added."""
        return MostCentral(self.graph.labels.take(self.positions), self.values, self.searches)


def centralities(
    graph: Graph, kind: Centrality, direction: Direction, given: IntArray | None, options: Request
) -> tuple[Summary, npt.NDArray[np.float64]]:
    """The sums of the distances of some vertices, from their rows, and their centralities."""
    harmonic = kind == "harmonic"
    found, own_direction = of_vertices(graph, direction, given, options, reciprocals=harmonic)
    if harmonic:
        return found, found.harmonic_centrality(own_direction)
    return found, found.closeness_centrality(own_direction, wf_improved=kind == "closeness_improved")


def most_central(
    graph: Graph, kind: Centrality, top: int, direction: Direction, given: IntArray | None, options: Request,
    limits: RankingLimits = RANKING_LIMITS,
) -> MostCentral:  # fmt: skip
    """The most central vertices of a graph, or of some positions.

    Parameters
    ----------
    kind : {'closeness', 'closeness_improved', 'harmonic'}
    top : int
        How many, at least 1.
    direction : {'in', 'out'}
    given : array of int, optional
        Positions of the vertices to compare; all by default.
    options : Request
        Those of the measure.
    """
    one_of(direction, "direction", get_args(Direction))
    positions = np.arange(graph.n, dtype=np.int32) if given is None else np.unique(given)
    ranking = Ranking(graph, kind, top, direction, options, limits)
    all_rows = needs_all_rows(graph, options, limits.searches) or top > limits.largest_share * graph.n
    if all_rows or (kind != "harmonic" and len(positions) == graph.n and is_exact_forest(graph)):
        ranking.add_rows(positions)
    elif graph.is_weighted:
        rank_by_sum_bounds(ranking, positions)
    else:
        _by_cut_searches(ranking, positions)
    return ranking.result()


def with_least_sum(
    graph: Graph, options: Request, *, connected: bool = False, limits: RankingLimits = RANKING_LIMITS
) -> list[Vertex] | None:
    """The vertices with the smallest sum of distances, of those that reach the most; None if that takes all rows.

    Of graphs whose components are strong: there, these vertices have the largest closeness centrality. None also
    if they are to be `connected`, and a vertex does not reach all others, and for forests, which take two passes.
    """
    least, _ = graph.weight_range or (1, 1)
    if needs_all_rows(graph, options, limits.searches):
        return None
    if (graph.is_weighted and not (has_sum_bounds(graph, limits) and least > 0)) or is_exact_forest(graph):
        return None
    threads = threads_from(options.threads)
    parts = StrongParts(graph, np.dtype(np.int32))
    if not parts.is_one or (connected and parts.count > 1):
        return None
    reach = parts.sizes[parts.part]
    ranking = Ranking(graph, "closeness", 1, "out", options, limits, with_ties=True)
    positions = np.flatnonzero(reach == reach.max()).astype(np.int32)
    if graph.is_weighted:
        rank_by_sum_bounds(ranking, positions)
    else:
        cut = CutSearches(graph, reach, reach, harmonic=False, improved=False, threads=threads)
        _rank(ranking, cut, positions)
    return list(graph.labels.take(np.sort(ranking.positions)).tolist())


def _by_cut_searches(ranking: Ranking, positions: IntArray) -> None:
    graph = ranking.graph
    out = graph if ranking.direction == "out" or not graph.directed else graph.reversed()
    threads = threads_from(ranking.options.threads)
    fewest, most = _reach(out, threads)
    cut = CutSearches(
        out, fewest, most, harmonic=ranking.kind == "harmonic", improved=ranking.kind == "closeness_improved",
        threads=threads,
    )  # fmt: skip
    _rank(ranking, cut, positions)


def _rank(ranking: Ranking, cut: CutSearches, positions: IntArray) -> None:
    """Find the largest centralities of some vertices."""
    graph = ranking.graph
    positions = positions[np.argsort(-cut.bounds[positions], kind="stable")]
    with reporting(ranking.options.progress) as report:
        left = _search(ranking, cut, positions, int(ranking.limits.arcs * graph.n * graph.m), report)
    ranking.add_rows(np.sort(left))


def _search(
    ranking: Ranking, cut: CutSearches, positions: IntArray, arcs: int, report: ProgressReport | None
) -> IntArray:
    """Search from vertices, those of the largest bounds first, and return those that whole rows are better for."""
    total, done, limits = len(positions), 0, ranking.limits

    def search(sources: IntArray) -> tuple[IntArray, int]:
        nonlocal done
        found = cut.search(sources, ranking.values, ranking.top, arcs, offset(report, "searches", done, total))
        done += len(sources)
        ended = found.reached >= 0
        others, sums = found.reached[ended] - 1, found.total[ended]
        values = (
            found.reciprocals[ended]
            if ranking.kind == "harmonic"
            else closeness(others, sums, ranking.graph.n, wf_improved=ranking.kind == "closeness_improved")
        )
        ranking.searches += found.searches
        ranking.add(sources[ended], values)
        return sources[found.reached == found.LEFT], found.arcs

    first = 2 * ranking.top + limits.first
    left, scanned = search(positions[:first])
    rest = positions[first:]
    if len(ranking.values) >= ranking.top:
        rest = rest[cut.bounds[rest] >= ranking.values.min() * (1 - 1e-9)]
    done, total = first, first + len(rest)
    if len(rest) > 4 * limits.sample:
        sample = np.zeros(len(rest), dtype=bool)
        sample[np.linspace(0, len(rest) - 1, limits.sample).astype(np.int64)] = True
        again, cost = search(rest[sample])
        left, rest = np.concatenate([left, again]), rest[~sample]
        if scanned + cost / limits.sample * len(rest) > arcs:
            return np.concatenate([left, rest])
    again, _ = search(rest)
    if report is not None:
        report("searches", total, total)
    return np.concatenate([left, again])


def _reach(graph: Graph, threads: int) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Bounds on the number of vertices that each vertex reaches, itself included."""
    dtype = np.dtype(np.int32)
    parts = StrongParts(graph, dtype)
    if not parts.is_one:
        searches = FewSources(graph, dtype, threads)
        vertex = np.flatnonzero(parts.part == parts.largest)[:1].astype(np.int32)
        none = np.iinfo(dtype).max
        parts.bound_reach(searches.distances_from(vertex)[0] != none, searches.distances_to(vertex)[0] != none)
    most = np.minimum(parts.reach, graph.n).astype(np.int64)
    fewest = np.where(parts.reach_known, most, parts.sizes)
    return fewest[parts.part], most[parts.part]


_TERMS = 16
"""Rows whose bounds are added up term by term, which takes longer."""

_EVERY = 2
"""Of the rows of a wave, which are near each other, one of so many bounds others."""

_ROUNDING = 1e-9
"""Relative: more than all roundings of a bound."""


def has_sum_bounds(graph: Graph, limits: RankingLimits) -> bool:
    """Whether the graph is large enough, sums of distances are exact, and distances at least 0."""
    return graph.n >= limits.smallest and graph.has_integer_weights and not graph.has_negative_arc


def rank_by_sum_bounds(ranking: Ranking, positions: IntArray) -> None:
    """Find the largest centralities of some vertices, from all their rows if there are no bounds."""
    graph = ranking.graph
    parts = None
    if ranking.kind != "harmonic" and has_sum_bounds(graph, ranking.limits):
        parts = StrongParts(graph, np.dtype(np.int64))
    if parts is None or not parts.is_one or not len(positions) or weak_parts(graph) is not None:
        ranking.add_rows(positions)
        return
    out = graph.reversed() if ranking.direction == "in" and graph.directed else graph
    search = _Waves(ranking, out, parts.sizes[parts.part])
    left = search.run(positions)
    ranking.add_rows(left)
    with reporting(ranking.options.progress) as report:
        if report is not None and not len(left):
            report("searches", ranking.searches, ranking.searches)


class _Waves:
    """Waves of rows, and what they leave. reached (n,): the number of vertices that each vertex reaches."""

    def __init__(self, ranking: Ranking, out: Graph, reached: npt.NDArray[np.int64]) -> None:
        self.ranking = ranking
        self.reached = reached
        self.bounds = SumBounds(out.n, directed=out.directed)
        self.planned = planned_rows(out, None, None, replace(ranking.options.of_rows(None), rows=None, progress=False))
        self.terms = _TERMS

    def run(self, positions: IntArray) -> IntArray:
        """Rank some vertices, and return those whose rows are to be computed at once."""
        ranking, height, waves = self.ranking, self.ranking.limits.wave, 0
        open_, wave = positions, positions[np.linspace(0, len(positions) - 1, height).astype(np.int64)]
        while True:
            wave = np.unique(wave)
            self._compute(wave)
            waves += 1
            before = len(open_)
            open_ = self._left(open_[~np.isin(open_, wave)])
            closed = before - len(wave) - len(open_)
            if not len(open_) or (waves > 1 and closed < ranking.limits.closed * len(wave)):
                return open_
            if len(ranking.values) < ranking.top:
                wave = open_[:height]
                continue
            likely = open_[np.argsort(-self._largest(open_), kind="stable")[: height // 2]]
            wave = np.concatenate([likely, open_[np.linspace(0, len(open_) - 1, height // 2).astype(np.int64)]])

    def _compute(self, wave: IntArray) -> None:
        """Rank the vertices of a wave, and bound the others."""
        totals = np.empty(len(wave))
        done = 0
        for block in replace(self.planned, sources=wave).blocks(reuse=True, progress=False, where_computed=False):
            for row in np.asarray(block.distances):
                reached = int(self.reached[wave[done]])
                within = row if reached == len(row) else row[row != unreachable(row.dtype)]
                totals[done] = within.sum(dtype=np.int64)
                if self.terms > 0:
                    self.bounds.add_terms(row, reached)
                    self.terms -= 1
                if done % _EVERY == 0:
                    self.bounds.add(row, totals[done], reached)
                done += 1
        self.ranking.searches += len(wave)
        self.ranking.add(wave, self._closeness(wave, totals))

    def _left(self, positions: IntArray) -> IntArray:
        """Those of some vertices that may be among the most central."""
        ranking = self.ranking
        if len(ranking.values) < ranking.top:
            return positions
        left: IntArray = positions[self._largest(positions) >= ranking.values.min() * (1 - _ROUNDING)]
        return left

    def _largest(self, positions: IntArray) -> npt.NDArray[np.float64]:
        """Upper bounds on centralities."""
        lower = self.bounds.lower[positions]
        found = self._closeness(positions, np.maximum(lower, 1))
        return np.where(lower > 0, found, np.inf)

    def _closeness(self, positions: IntArray, totals: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        improved = self.ranking.kind == "closeness_improved"
        return closeness(self.reached[positions] - 1, totals, self.ranking.graph.n, wf_improved=improved)
