"""Arrivals at all times of departure between two."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from apsp._types import ArrayLike, NumPyArray, VertexLike
from apsp.errors import RequestError
from apsp.graph.arrays import finite_numbers
from apsp.graph.labels import Labels
from apsp.graph.long_table import LongTable
from apsp.graph.tabular import Tabular
from apsp.system.lack_of_memory import memory_errors
from apsp.system.machine import refuse_unless_fits

__all__ = ["ArrivalProfiles"]

Floats = npt.NDArray[np.float64]


class ArrivalProfiles(Tabular):
    """Earliest arrivals by the time of departure; `apsp.arrival_profiles` computes them.

    Parameters
    ----------
    labels : Labels
        Of the vertices.
    source_positions, target_positions : (S,) and (T,) int32
        Of the rows and of the columns.
    between : (float, float)
        The first and the last departure.
    offsets : (S * T + 1,) int64
        The points of row i and column j are those from offsets[i * T + j] on; none if there is no path.
    departures, arrivals : (points,) float64
        Of each point. Arrivals lie on straight lines between the points.

    Examples
    --------
    >>> import apsp
    >>> roads = apsp.from_edges([0, 1, 0], [1, 2, 2], [4, 5, 14])
    >>> day = roads.with_periods({"night": [4, 14, 5], "morning": [24, 16, 15]})
    >>> found = apsp.arrival_profiles(day, (0, 60), times=[0, 60], sources=0)
    >>> found
    ArrivalProfiles(0 to 60, 1 x 3, 7 points)
    >>> found.shortest()[0].round(3).tolist()
    [[0.0, 4.0, 9.667]]
    """

    def __init__(
        self, labels: Labels, source_positions: npt.NDArray[np.int32], target_positions: npt.NDArray[np.int32],
        between: tuple[float, float], offsets: npt.NDArray[np.int64], departures: Floats, arrivals: Floats,
    ) -> None:  # fmt: skip
        self._labels = labels
        self.source_positions, self.target_positions = source_positions, target_positions
        self.between = between
        self.offsets, self.departures, self.arrivals = offsets, departures, arrivals

    @property
    def sources(self) -> NumPyArray:
        """(S,) labels of the rows."""
        return self._labels.take(self.source_positions)

    @property
    def targets(self) -> NumPyArray:
        """(T,) labels of the columns."""
        return self._labels.take(self.target_positions)

    def points(self, source: VertexLike, target: VertexLike) -> tuple[Floats, Floats]:
        """Return the points between which the arrivals of a pair lie on straight lines.

        Parameters
        ----------
        source, target : vertex
            Of the rows and of the columns.

        Returns
        -------
        departures : (k,) float64
            Ascending, from the first to the last one; nothing if there is no path.
        arrivals : (k,) float64
            Those of these departures.

        Raises
        ------
        GraphError
            If a vertex does not exist.
        RequestError
            If it is none of the sources or targets.

        Examples
        --------
        >>> import apsp
        >>> day = apsp.from_edges([0], [1], [4]).with_periods([[4], [24]])
        >>> found = apsp.arrival_profiles(day, (-10, 70), times=[0, 60])
        >>> [array.tolist() for array in found.points(0, 1)]
        [[-10.0, 0.0, 60.0, 70.0], [-6.0, 4.0, 84.0, 94.0]]
        """
        row = self._place(source, self.source_positions, "sources")
        column = self._place(target, self.target_positions, "targets")
        return self._points(row * len(self.target_positions) + column)

    @memory_errors
    def at(self, departures: ArrayLike) -> Floats:
        """Return the arrivals at some departures.

        Parameters
        ----------
        departures : number or (D,) array
            Not outside of `between`.

        Returns
        -------
        (D, S, T) float64
            Infinite where there is no path.

        Raises
        ------
        RequestError
            If a departure is not finite, or outside of `between`.
        MemoryLimitError
            If the arrivals do not fit into memory.

        Examples
        --------
        >>> import apsp
        >>> day = apsp.from_edges([0], [1], [4]).with_periods([[4], [24]])
        >>> found = apsp.arrival_profiles(day, (-10, 70), times=[0, 60], sources=0, targets=1)
        >>> found.at([0, 30])[:, 0, 0].tolist()
        [4.0, 44.0]
        """
        leaving = finite_numbers(departures, "departures").reshape(-1)
        first, last = self.between
        outside = leaving[(leaving < first) | (leaving > last)]
        if len(outside):
            raise RequestError(f"departures: {outside[0]:g} is outside of the profiles, from {first:g} to {last:g}")
        shape = len(leaving), len(self.source_positions), len(self.target_positions)
        refuse_unless_fits(8 * len(leaving) * (len(self.offsets) - 1), "the arrivals", "fewer departures at a time")
        found = np.full((len(leaving), len(self.offsets) - 1), np.inf)
        for pair in np.flatnonzero(np.diff(self.offsets)).tolist():
            found[:, pair] = np.interp(leaving, *self._points(pair))
        return found.reshape(shape)

    def shortest(self) -> tuple[Floats, Floats]:
        """Return how long the paths take at least, and when they begin then.

        Returns
        -------
        durations : (S, T) float64
            The shortest ones, infinite where there is no path.
        departures : (S, T) float64
            The first ones with these durations, NaN where there is no path.

        Examples
        --------
        >>> import apsp
        >>> day = apsp.from_edges([0], [1], [4]).with_periods([[24], [4], [24]])
        >>> durations, departures = apsp.arrival_profiles(day, (0, 120), times=[0, 60, 120]).shortest()
        >>> durations[0, 1].item(), departures[0, 1].item()
        (4.0, 60.0)
        """
        count = len(self.offsets) - 1
        durations, departures = np.full(count, np.inf), np.full(count, np.nan)
        lasting = self.arrivals - self.departures
        pairs = np.flatnonzero(np.diff(self.offsets))
        if len(pairs):
            starts = self.offsets[pairs]
            durations[pairs] = np.minimum.reduceat(lasting, starts)
            is_least = lasting == np.repeat(durations[pairs], np.diff(self.offsets)[pairs])
            places = np.flatnonzero(is_least)
            first = places[np.searchsorted(places, starts)]
            departures[pairs] = self.departures[first]
        shape = len(self.source_positions), len(self.target_positions)
        return durations.reshape(shape), departures.reshape(shape)

    @memory_errors
    def to_long(self) -> dict[str, NumPyArray]:
        """Return columns source, target, departure, arrival and duration, with a row per point.

        Returns
        -------
        dict of str to array
            Labels and numbers.

        Examples
        --------
        >>> import apsp
        >>> day = apsp.from_edges([0], [1], [4]).with_periods([[4], [24]])
        >>> found = apsp.arrival_profiles(day, (0, 60), times=[0, 60], sources=0, targets=1)
        >>> {name: column.tolist() for name, column in found.to_long().items()}
        {'source': [0, 0], 'target': [1, 1], 'departure': [0.0, 60.0], 'arrival': [4.0, 84.0], 'duration': [4.0, 24.0]}
        """
        return self._table().to_dict()

    def _place(self, vertex: VertexLike, among: npt.NDArray[np.int32], word: str) -> int:
        position = self._labels.index(vertex)
        found = np.flatnonzero(among == position)
        if not len(found):
            raise RequestError(f"{self._labels.word(position)} is none of the {word} of these profiles")
        return int(found[0])

    def _points(self, pair: int) -> tuple[Floats, Floats]:
        part = slice(*self.offsets[pair : pair + 2].tolist())
        return self.departures[part], self.arrivals[part]

    def _table(self) -> LongTable:
        return self._first(len(self.departures))

    def _head(self, rows: int) -> tuple[LongTable, int]:
        return self._first(rows), len(self.departures)

    def _first(self, rows: int) -> LongTable:
        pairs = np.repeat(np.arange(len(self.offsets) - 1), np.diff(self.offsets))[:rows]
        row, column = np.divmod(pairs, max(len(self.target_positions), 1))
        departures, arrivals = self.departures[:rows], self.arrivals[:rows]
        columns: dict[str, NumPyArray] = {
            "source": self.source_positions[row],
            "target": self.target_positions[column],
            "departure": departures,
            "arrival": arrivals,
            "duration": arrivals - departures,
        }
        among = {"source": self.source_positions, "target": self.target_positions}
        return LongTable(self._labels, columns, numbers=("departure", "arrival", "duration"), among=among)

    def __repr__(self) -> str:
        first, last = self.between
        shape = f"{len(self.source_positions):,} x {len(self.target_positions):,}"
        return f"ArrivalProfiles({first:g} to {last:g}, {shape}, {len(self.departures):,} points)"
