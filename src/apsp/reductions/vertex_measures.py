"""Measures of each vertex from sums and extremes of its distances."""

from __future__ import annotations

from typing import Any, Literal, get_args

import numpy as np
import numpy.typing as npt

from apsp._types import NumPyArray
from apsp.errors import RequestError
from apsp.graph.labels import Labels
from apsp.reductions.central import closeness
from apsp.reductions.columns import Sums
from apsp.reductions.totals import Totals
from apsp.system.arguments import flag, one_of

__all__ = ["Direction", "VertexMeasures"]

Direction = Literal["in", "out"]
"""Distances to the vertex ('in': its column), or from it ('out': its row)."""


class VertexMeasures:
    """Arrays with an entry per source, for `Summary`."""

    n: int
    directed: bool
    _totals: Totals

    @property
    def sources(self) -> NumPyArray:
        """The vertices whose rows were added, in the order of the graph's labels."""
        return self.labels.take(self.source_positions)

    @property
    def source_positions(self) -> npt.NDArray[np.int32]:
        """Their positions, ascending."""
        return self._totals.feed.source_positions

    @property
    def labels(self) -> Labels:
        """Labels of the vertices."""
        return self._totals.feed.labels

    @property
    def reachable(self) -> npt.NDArray[np.int64]:
        """The number of other vertices that each source reaches."""
        return self._totals.feed.of_sources(self._totals.reached)

    @property
    def eccentricity(self) -> NumPyArray:
        """Distance from each source to the farthest vertex that it reaches (itself at 0); int64 or float64."""
        return self._totals.feed.of_sources(self._totals.largest)

    @property
    def farthest(self) -> NumPyArray:
        """The farthest vertex of each source; of several the first."""
        return self.labels.take(self._totals.farthest[self.source_positions])

    def farness(self, direction: Direction = "out") -> NumPyArray:
        """Return the sum of the distances of each vertex.

        Parameters
        ----------
        direction : {'out', 'in'}
            Distances from the vertex to those that it reaches, or to it from those that reach it. In a directed graph
            'in' needs `columns=True` and all n rows.

        Returns
        -------
        (S,) int64 or float64
            Sums in the order of `sources`: exact for integers, good to a few roundings for floats.

        Raises
        ------
        RequestError
            If `direction` is invalid, or incoming distances were not kept or not all rows were added.

        Examples
        --------
        >>> import apsp
        >>> graph = apsp.from_edges([0, 1, 2], [1, 2, 3], [4, 1, 2], directed=False)
        >>> apsp.summary(graph).farness()
        array([16,  8,  8, 12])
        """
        return self._sums(direction)[1]

    def closeness_centrality(self, direction: Direction = "in", *, wf_improved: bool = True) -> npt.NDArray[np.float64]:
        """Return the closeness centrality: the number of vertices with a path over the sum of their distances.

        It is 0 where the sum is not positive.

        Parameters
        ----------
        direction : {'in', 'out'}
            Distances to the vertex, as in NetworkX, or from it. In a directed graph 'in' needs `columns=True` and all n
            rows.
        wf_improved : bool
            Multiply by the share of the other vertices that have a path, so that vertices of small components do not
            look central (Wasserman and Faust 1994, formula 5.22).

        Returns
        -------
        (S,) float64
            Centralities in the order of `sources`.

        Raises
        ------
        RequestError
            If `direction` is invalid, or incoming distances were not kept or not all rows were added.

        Examples
        --------
        >>> import apsp
        >>> graph = apsp.from_edges([0, 1, 2], [1, 2, 3], [4, 1, 2], directed=False)
        >>> apsp.summary(graph).closeness_centrality().round(3)
        array([0.188, 0.375, 0.375, 0.25 ])
        """
        wf_improved = flag(wf_improved, "wf_improved")
        reached, total = self._sums(direction)
        return closeness(reached, total, self.n, wf_improved=wf_improved)

    def harmonic_centrality(self, direction: Direction = "in") -> npt.NDArray[np.float64]:
        """Return the harmonic centrality: the sum of 1 / distance.

        A pair without a path and a distance of 0 add nothing.

        Parameters
        ----------
        direction : {'in', 'out'}
            As for `closeness_centrality`.

        Returns
        -------
        (S,) float64
            Centralities in the order of `sources`.

        Raises
        ------
        RequestError
            If `direction` is invalid, sums of 1 / distance or incoming distances were not kept, or not all rows were
            added.

        Examples
        --------
        >>> import apsp
        >>> graph = apsp.from_edges([0, 1, 2], [1, 2, 3], [4, 1, 2], directed=False)
        >>> apsp.summary(graph).harmonic_centrality().round(3)
        array([0.593, 1.583, 1.7  , 0.976])
        """
        reciprocals = self._reciprocals()
        columns = self._columns(direction)
        return self._totals.feed.of_sources(reciprocals) if columns is None else columns[2]

    def _reciprocals(self) -> npt.NDArray[np.float64]:
        if self._totals.reciprocals is None:
            raise RequestError("sums of 1 / distance were not kept: pass reciprocals=True to the summary")
        return self._totals.reciprocals

    def _sums(self, direction: Direction) -> tuple[npt.NDArray[np.int64], npt.NDArray[Any]]:
        """Return, for each vertex, the number of others with a path and the sum of their distances."""
        columns = self._columns(direction)
        return (self.reachable, self._totals.feed.of_sources(self._totals.total)) if columns is None else columns[:2]

    def _columns(self, direction: Direction) -> Sums | None:
        """Sums of the columns; None if the direction is that of the rows."""
        one_of(direction, "direction", get_args(Direction))
        if direction == "out" or not self.directed:
            return None
        totals = self._totals
        if totals.columns is None:
            raise RequestError("incoming distances were not kept: pass columns=True to the summary, or direction='out'")
        totals.feed.require_all("a sum of incoming distances")
        return totals.columns.sums()
