"""When vertices are reached from others, by the time of departure."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from apsp._types import NumPyArray, Vertex, VertexLike
from apsp.errors import NoPathError
from apsp.graph.arrays import finite_numbers
from apsp.graph.first_rows import first_where
from apsp.graph.long_table import LongTable
from apsp.graph.periods import Periods
from apsp.graph.tabular import Tabular
from apsp.methods.departures.timetable import Timetable
from apsp.result.paths import walk
from apsp.system.lack_of_memory import memory_errors

__all__ = ["Arrivals"]


class Arrivals(Tabular):
    """Earliest arrivals from some vertices at some times; `apsp.earliest_arrivals` computes them.

    Parameters
    ----------
    timetable : Timetable
        The weights by time.
    departures : (D,) float64
        When the paths begin.
    source_positions, target_positions : (S,) and (T,) int32
        Of the rows and of the columns.
    arrivals : (D, S, T) float64
        When the targets are reached, infinite where there is no path.

    Examples
    --------
    >>> import apsp
    >>> roads = apsp.from_edges([0, 1, 0], [1, 2, 2], [4, 5, 14])
    >>> day = roads.with_periods({"night": [4, 14, 5], "morning": [24, 16, 15]})
    >>> found = apsp.earliest_arrivals(day, [0, 30, 60], times=[0, 60], sources=0)
    >>> found
    Arrivals(3 departures x 1 x 3)
    >>> found.durations[:, 0, 2].tolist()
    [9.666666666666668, 15.0, 16.0]
    >>> found.path(0, 2, departure=0), found.path(0, 2, departure=60)
    ([0, 1, 2], [0, 2])
    """

    def __init__(
        self, timetable: Timetable, departures: npt.NDArray[np.float64], source_positions: npt.NDArray[np.int32],
        target_positions: npt.NDArray[np.int32], arrivals: npt.NDArray[np.float64],
    ) -> None:  # fmt: skip
        self._timetable = timetable
        self._graph = timetable.periods.base
        self.departures = departures
        self.source_positions = source_positions
        self.target_positions = target_positions
        self.arrivals = arrivals

    @property
    def periods(self) -> Periods:
        """The graphs of the periods."""
        return self._timetable.periods

    @property
    def sources(self) -> NumPyArray:
        """(S,) labels of the rows."""
        return self._graph.labels.take(self.source_positions)

    @property
    def targets(self) -> NumPyArray:
        """(T,) labels of the columns."""
        return self._graph.labels.take(self.target_positions)

    @property
    def durations(self) -> npt.NDArray[np.float64]:
        """(D, S, T) how long the paths take, infinite where there is none."""
        found: npt.NDArray[np.float64] = self.arrivals - self.departures[:, None, None]
        return found

    def path(self, source: VertexLike, target: VertexLike, *, departure: float) -> list[Vertex]:
        """Return a path that reaches a vertex first, if it begins at some time.

        Parameters
        ----------
        source, target : vertex
            Any vertices of the graph.
        departure : float
            When it begins; any time.

        Returns
        -------
        list
            The vertices, both ends included.

        Raises
        ------
        GraphError
            If a vertex does not exist.
        NoPathError
            If there is no path.
        RequestError
            If the departure is not a finite number.

        Notes
        -----
        This runs a search from the source.

        Examples
        --------
        >>> import apsp
        >>> day = apsp.from_edges([0, 1, 0], [1, 2, 2], [4, 5, 14]).with_periods([[4, 14, 5], [24, 16, 15]])
        >>> found = apsp.earliest_arrivals(day, 0, times=[0, 60], sources=0, targets=2)
        >>> found.path(0, 2, departure=5), found.path(0, 2, departure=55)
        ([0, 1, 2], [0, 2])
        """
        graph = self._graph
        start, end = graph.labels.index(source), graph.labels.index(target)
        leaving = finite_numbers([departure], "departure")
        found, pred = np.empty((1, graph.n)), np.empty((1, graph.n), dtype=np.int32)
        self._timetable.arrivals(np.array([start], dtype=np.int32), leaving, None, found, pred)
        try:
            return [graph.labels[vertex] for vertex in walk(pred[0], start, end)]
        except NoPathError:
            raise NoPathError(source, target) from None

    @memory_errors
    def to_long(self) -> dict[str, NumPyArray]:
        """Return columns departure, source, target, arrival and duration, with a row per path.

        Returns
        -------
        dict of str to array
            Labels and numbers.

        Examples
        --------
        >>> import apsp
        >>> day = apsp.from_edges([0, 1], [1, 2], [4, 5]).with_periods([[4, 5], [24, 15]])
        >>> found = apsp.earliest_arrivals(day, [0, 60], times=[0, 60], sources=0, targets=1)
        >>> {name: column.tolist() for name, column in found.to_long().items()}
        {'departure': [0.0, 60.0], 'source': [0, 0], 'target': [1, 1], 'arrival': [4.0, 84.0], 'duration': [4.0, 24.0]}
        """
        return self._table().to_dict()

    def _table(self) -> LongTable:
        return self._table_of(*np.nonzero(np.isfinite(self.arrivals)))

    def _head(self, rows: int) -> tuple[LongTable, int]:
        places, count = first_where(self.arrivals, np.isfinite, rows)
        return self._table_of(*places), count

    def _table_of(
        self, departure: npt.NDArray[np.intp], row: npt.NDArray[np.intp], column: npt.NDArray[np.intp]
    ) -> LongTable:
        arrival = self.arrivals[departure, row, column]
        columns: dict[str, Any] = {
            "departure": self.departures[departure],
            "source": self.source_positions[row],
            "target": self.target_positions[column],
            "arrival": arrival,
            "duration": arrival - self.departures[departure],
        }
        among = {"source": self.source_positions, "target": self.target_positions}
        return LongTable(self._graph.labels, columns, numbers=("departure", "arrival", "duration"), among=among)

    def __repr__(self) -> str:
        counts = " x ".join(f"{size:,}" for size in self.arrivals.shape[1:])
        return f"Arrivals({len(self.departures):,} departures x {counts})"
