"""The nearest facilities of every vertex."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from apsp._types import NumPyArray, Vertex, VertexLike
from apsp.errors import NoPathError, PathsNotKeptError
from apsp.graph.labels import Labels
from apsp.graph.long_table import LongTable
from apsp.graph.tabular import Tabular
from apsp.graph.to_numpy import HasDistances
from apsp.measures.blocks import RowBlock
from apsp.semiring import NO_VERTEX, unreachable
from apsp.system.array_device import to_host
from apsp.system.lack_of_memory import memory_errors

__all__ = ["NearestFacilities", "merged"]


@dataclass(frozen=True, eq=False, repr=False)
class NearestFacilities(HasDistances, Tabular):
    """The k nearest facilities of every vertex, nearest first; of equally near ones the first in the graph.

    Parameters
    ----------
    positions : (n, k) int32
        The facilities, by position; -1 where fewer than k have a path.
    distances : (n, k) array
        Of the distances' dtype; `apsp.unreachable(dtype)` where fewer than k have a path.
    labels : Labels
        Of all vertices.
    next_positions : (n,) int32, optional
        With `paths=True`: the next vertex on the way to the facility (with direction='from': the one before, on the way
        from it), by position; -1 at facilities and where there is no path.
    from_facility : bool
        Whether paths lead from the facilities.

    Examples
    --------
    >>> import apsp
    >>> graph = apsp.from_edges([0, 1, 2], [1, 2, 3], [4, 3, 2], directed=False, labels=["a", "b", "c", "d"])
    >>> found = apsp.nearest(graph, ["a", "d"])
    >>> found.facilities.ravel().tolist(), found.distances.ravel().tolist()
    (['a', 'a', 'd', 'd'], [0, 4, 2, 0])
    """

    positions: npt.NDArray[np.int32]
    distances: NumPyArray
    labels: Labels
    next_positions: npt.NDArray[np.int32] | None = None
    from_facility: bool = False

    @property
    def k(self) -> int:
        """The number of facilities per vertex."""
        return int(self.positions.shape[1])

    @property
    def facilities(self) -> NumPyArray:
        """(n, k) labels of the facilities; -1 (None among objects) where fewer than k have a path."""
        return self.labels.take_or_none(self.positions)

    @memory_errors
    def path(self, vertex: VertexLike) -> list[Vertex]:
        """Return the vertices of a shortest path between a vertex and its nearest facility.

        Parameters
        ----------
        vertex : hashable
            As the graph labels it.

        Returns
        -------
        list
            The vertices, from the vertex to the facility, or with direction='from' from the facility to the vertex.

        Raises
        ------
        GraphError
            If the vertex does not exist.
        NoPathError
            If there is no path (within the cutoff).
        PathsNotKeptError
            If paths were not kept: `paths=True` keeps them.

        Examples
        --------
        >>> import apsp
        >>> graph = apsp.from_edges([0, 1, 2], [1, 2, 3], [4, 3, 2], directed=False, labels=["a", "b", "c", "d"])
        >>> apsp.nearest(graph, ["d"], paths=True).path("b")
        ['b', 'c', 'd']
        """
        at = self.labels.index(vertex)
        if self.next_positions is None:
            raise PathsNotKeptError("paths were not kept: nearest(..., paths=True) keeps them")
        facility = int(self.positions[at, 0])
        if facility == NO_VERTEX:
            raise NoPathError("any facility", vertex) if self.from_facility else NoPathError(vertex, "any facility")
        found = [at]
        while found[-1] != facility:  # which may be in the cell of another one
            found.append(int(self.next_positions[found[-1]]))
        if self.from_facility:
            found.reverse()
        return [self.labels[position] for position in found]

    @memory_errors
    def to_long(self) -> dict[str, NumPyArray]:
        """Return columns vertex, facility and distance, with a row per vertex and facility that has a path.

        Returns
        -------
        dict of str to array
            The columns; at most k rows per vertex, nearest first.

        Examples
        --------
        >>> import apsp
        >>> graph = apsp.from_edges([0, 1], [1, 2], [4, 1], labels=["a", "b", "c"])
        >>> {name: column.tolist() for name, column in apsp.nearest(graph, "b").to_long().items()}
        {'vertex': ['a', 'b'], 'facility': ['b', 'b'], 'distance': [4, 0]}
        """
        return self._table().to_dict()

    def _table(self) -> LongTable:
        row, place = np.nonzero(self.positions != NO_VERTEX)
        columns = {
            "vertex": row.astype(np.int32),
            "facility": self.positions[row, place],
            "distance": self.distances[row, place],
        }
        return LongTable(self.labels, columns)

    def __repr__(self) -> str:
        return f"NearestFacilities(k={self.k}, {len(self.positions)} vertices, {self.distances.dtype})"


def merged(
    best: tuple[npt.NDArray[np.int32], npt.NDArray[Any]] | None, block: RowBlock, k: int
) -> tuple[npt.NDArray[np.int32], npt.NDArray[Any]]:
    """The k nearest sources of every column, (n, k) positions and distances, after a further block of rows.

    Blocks come in ascending order of their sources, so that of equally near ones the first stays.
    """
    dist = to_host(block.distances)
    none = unreachable(dist.dtype)
    positions = np.repeat(block.source_positions[None, :], dist.shape[1], axis=0)
    distances = dist.T
    if best is not None:
        positions, distances = np.hstack([best[0], positions]), np.hstack([best[1], distances])
    order = np.argsort(distances, axis=1, kind="stable")[:, :k]
    kept_positions = np.take_along_axis(positions, order, axis=1)
    kept = np.take_along_axis(distances, order, axis=1)
    kept_positions[kept == none] = NO_VERTEX
    return kept_positions.astype(np.int32, copy=False), kept
