"""The vertices with the largest closeness centrality of a graph with weights, from the rows that bounds leave.

Rows are computed in waves by the method of all rows, one preparation for all. Those of a wave bound the sums of the
others, and vertices whose bound excludes them are not computed. On roads and grids few rows are left; where many are,
they are computed at once after a small part.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import numpy.typing as npt

from apsp.graph.model import Graph
from apsp.graph.weak_parts import weak_parts
from apsp.measures.ranking import Ranking
from apsp.methods.problem import IntArray
from apsp.reductions.central import closeness
from apsp.reductions.strong_parts import StrongParts
from apsp.reductions.sum_bounds import SumBounds
from apsp.running.planned_rows import rows_of
from apsp.semiring import unreachable
from apsp.system.progress import reporting

__all__ = ["has_sum_bounds", "rank_by_sum_bounds"]

_WAVE = 32
"""Rows that are computed at once."""

SMALLEST = 1 << 14
"""Vertices from which on two waves and another preparation take less than a tenth of all rows."""

_CLOSED = 6
"""Vertices that each row of a wave has to exclude after the first: few rows at once take up to ten times as long per
row as all rows."""

_TERMS = 16
"""Rows whose bounds are added up term by term, which takes longer."""

_EVERY = 2
"""Of the rows of a wave, which are near each other, one of so many bounds others."""

_ROUNDING = 1e-9
"""Relative: more than all roundings of a bound."""


def has_sum_bounds(graph: Graph) -> bool:
    """Whether the graph is large enough, sums of distances are exact, and distances at least 0."""
    return graph.n >= SMALLEST and graph.has_integer_weights and not graph.has_negative_arc


def rank_by_sum_bounds(ranking: Ranking, positions: IntArray) -> None:
    """Find the largest centralities of some vertices, from all their rows if there are no bounds."""
    graph = ranking.graph
    parts = None
    if ranking.kind != "harmonic" and has_sum_bounds(graph):
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
        self.planned = rows_of(out, None, None, replace(ranking.options, rows=None, progress=False))
        self.terms = _TERMS

    def run(self, positions: IntArray) -> IntArray:
        """Rank some vertices, and return those whose rows are to be computed at once."""
        ranking = self.ranking
        waves = 0
        open_, wave = positions, positions[np.linspace(0, len(positions) - 1, _WAVE).astype(np.int64)]
        while True:
            wave = np.unique(wave)
            self._compute(wave)
            waves += 1
            before = len(open_)
            open_ = self._left(open_[~np.isin(open_, wave)])
            closed = before - len(wave) - len(open_)
            if not len(open_) or (waves > 1 and closed < _CLOSED * len(wave)):
                return open_
            if len(ranking.values) < ranking.top:
                wave = open_[:_WAVE]
                continue
            likely = open_[np.argsort(-self._largest(open_), kind="stable")[: _WAVE // 2]]
            wave = np.concatenate([likely, open_[np.linspace(0, len(open_) - 1, _WAVE // 2).astype(np.int64)]])

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
