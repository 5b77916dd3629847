"""Measures of the whole graph from sums and extremes of its distances."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from apsp._types import Vertex
from apsp.reductions.extreme import Extreme
from apsp.reductions.float_sum import float_sum
from apsp.reductions.histogram import Histogram
from apsp.reductions.vertex_measures import VertexMeasures

__all__ = ["GraphMeasures"]


class GraphMeasures(VertexMeasures):
    """Numbers over the rows that were added, for `Summary`."""

    @property
    def pairs(self) -> int:
        """Ordered pairs of two vertices with a path."""
        return int(self.reachable.sum())

    @property
    def unreachable_pairs(self) -> int:
        """Ordered pairs of two vertices without a path; 0 in a (strongly) connected graph."""
        return self._totals.feed.count * max(self.n - 1, 0) - self.pairs

    @property
    def diameter(self) -> int | float | None:
        """The largest distance over pairs with a path; None without rows."""
        pair = self.farthest_pair
        return None if pair is None else pair.distance

    @property
    def farthest_pair(self) -> Extreme | None:
        """The diameter with the pair of vertices that has it, of several the first; None without rows."""
        totals = self._totals
        if totals.feed.is_complete:
            source = int(totals.largest.argmax())
        elif len(sources := self.source_positions):
            source = int(sources[totals.largest[sources].argmax()])
        else:
            return None
        return Extreme(
            totals.largest[source].item(), self.labels[source], self.labels[int(totals.farthest[source])]
        )  # fmt: skip

    @property
    def periphery(self) -> list[Vertex]:
        """The vertices whose eccentricity is the diameter."""
        return self._those(self.source_positions, self._totals.largest, np.max)

    @property
    def radius(self) -> int | float | None:
        """The smallest eccentricity of those vertices that reach the most others; None without rows.

        (So a dead end, which reaches nothing at eccentricity 0, is not the center of a road network.)
        """
        widest = self._reaching_most()
        return self._totals.largest[widest].min().item() if len(widest) else None

    @property
    def center(self) -> list[Vertex]:
        """The vertices whose eccentricity is the radius, of those that reach the most others."""
        return self._those(self._reaching_most(), self._totals.largest, np.min)

    @property
    def barycenter(self) -> list[Vertex]:
        """The vertices with the smallest farness, of those that reach the most others."""
        return self._those(self._reaching_most(), self._totals.total, np.min)

    def _reaching_most(self) -> npt.NDArray[np.int32]:
        sources = self.source_positions
        reached = self._totals.reached[sources]
        return sources[reached == reached.max()] if len(sources) else sources

    def _those(
        self, vertices: npt.NDArray[np.int32], values: npt.NDArray[Any], extreme: Callable[[npt.NDArray[Any]], Any]
    ) -> list[Any]:
        """The labels of those of some vertices that have the extreme value."""
        if not len(vertices):
            return []
        values = values[vertices]
        chosen: list[Any] = self.labels.take(vertices[values == extreme(values)]).tolist()
        return chosen

    @property
    def total_distance(self) -> int | float:
        """The sum over ordered pairs with a path: an exact int for integers, good to a few roundings for floats."""
        values = self._totals.feed.of_sources(self._totals.total)
        return float_sum(values.tolist()) if values.dtype.kind == "f" else sum(values.tolist())

    @property
    def average_shortest_path_length(self) -> float:
        """The mean distance over ordered pairs of two vertices with a path; not-a-number where there are none.

        It is 0 in a graph of one vertex.
        """
        if self.n == 1:
            return 0.0
        return self.total_distance / self.pairs if self.pairs else math.nan

    def global_efficiency(self) -> float:
        """Return the mean of 1 / distance over all ordered pairs of two vertices.

        A pair without a path and a distance of 0 add nothing.

        Returns
        -------
        float
            The efficiency.

        Raises
        ------
        RequestError
            If sums of 1 / distance were not kept, or not all n rows were added.

        Examples
        --------
        >>> import apsp
        >>> graph = apsp.from_edges([0, 1, 2], [1, 2, 3], [4, 1, 2], directed=False)
        >>> round(apsp.summary(graph).global_efficiency(), 3)
        0.404
        """
        self._totals.feed.require_all("the global efficiency")
        return float_sum(self._reciprocals().tolist()) / (self.n * (self.n - 1)) if self.n > 1 else 0.0

    def histogram(self) -> Histogram:
        """Return the histogram of the rows that were added; with automatic bins only the range that is used.

        Returns
        -------
        Histogram
            Edges and counts.

        Raises
        ------
        RequestError
            If neither `bins` nor `edges` was given.

        Examples
        --------
        >>> import apsp
        >>> graph = apsp.from_edges([0, 1, 2], [1, 2, 3], [4, 1, 2], directed=False)
        >>> apsp.summary(graph, edges=[0, 4, 8]).histogram().counts
        array([6, 6])
        """
        return self._totals.bins.result(self._totals.feed.count)
