"""Pairs of sources and targets with their distances, a row of different length per source."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from apsp._types import NumPyArray, Vertex, VertexLike, csr_array
from apsp.errors import PathsNotKeptError, RequestError, shown
from apsp.figures.html import card, columns_html, rows_words
from apsp.graph.labels import Labels
from apsp.graph.long_table import LongTable
from apsp.graph.tabular import ROWS_SHOWN, Tabular
from apsp.graph.to_numpy import HasDistances
from apsp.result.paths import IntArray
from apsp.system.cached import cached_property
from apsp.system.lack_of_memory import memory_errors
from apsp.system.numbers import counted, number_words

__all__ = ["NearPairs", "NearRow"]


class NearRow(NamedTuple):
    """The pairs of one source.

    Attributes
    ----------
    targets : (k,) array
        Labels.
    distances : (k,) array
    next_hops : (k,) array or None
        Labels of the vertex after the source on a shortest path, -1 (None among objects) for the source itself; None
        if they were not kept.
    along : dict of str to (k,) array
        The sums of other costs.
    """

    targets: NumPyArray
    distances: NumPyArray
    next_hops: NumPyArray | None
    along: dict[str, NumPyArray]


@dataclass(frozen=True, eq=False, repr=False)
class NearPairs(HasDistances, Tabular):
    """Pairs of sources and targets within a cutoff: a mapping of the sources to their rows; `apsp.within` finds them.

    Parameters
    ----------
    labels : Labels
        Of all vertices.
    cutoff : int or float
        The longest distance, itself included.
    source_positions : (S,) int32
        The sources, by position.
    target_positions : (T,) int32 or None
        The targets that were requested, by position, each once; None if all vertices are targets.
    indptr : (S + 1,) int64
        Row i has the pairs from indptr[i] to indptr[i + 1].
    positions : (P,) int32
        The target of each pair, by position.
    distances : (P,) array
        Of the distances' dtype.
    next_positions : (P,) int32, optional
        The vertex after the source on a shortest path, by position; -1 where the source is the target.
    along : dict of str to (P,) int64 or float64
        The sums of other costs along the shortest path of each pair, by name.

    Examples
    --------
    >>> import apsp
    >>> streets = apsp.from_edges([0, 1, 2], [1, 2, 3], [4, 3, 2], directed=False, labels=["a", "b", "c", "d"])
    >>> found = apsp.within(streets, 5)
    >>> found
    NearPairs(4 sources, 12 pairs within 5, uint16)
    >>> found["c"].targets.tolist(), found["c"].distances.tolist()
    (['c', 'd', 'b'], [0, 2, 3])
    """

    labels: Labels
    cutoff: int | float
    source_positions: IntArray
    target_positions: IntArray | None
    indptr: npt.NDArray[np.int64]
    positions: IntArray
    distances: NumPyArray
    next_positions: IntArray | None = None
    along: Mapping[str, NumPyArray] = field(default_factory=dict)

    @property
    def pairs(self) -> int:
        """The number of pairs."""
        return len(self.positions)

    @property
    def _dtype(self) -> np.dtype[Any]:
        """Of the distances."""
        return self.distances.dtype

    @property
    def sources(self) -> NumPyArray:
        """(S,) labels of the sources."""
        return self.labels.take(self.source_positions)

    @property
    def targets(self) -> NumPyArray:
        """(P,) labels of the target of each pair."""
        return self.labels.take(self.positions)

    @property
    def next_hops(self) -> NumPyArray:
        """(P,) labels of the vertex after the source; -1 (None among objects) where the source is the target.

        Raises
        ------
        PathsNotKeptError
            If they were not kept.
        """
        if self.next_positions is None:
            raise PathsNotKeptError("next hops were not kept: within(..., next_hop=True) keeps them")
        return self.labels.take_or_none(self.next_positions)

    def __len__(self) -> int:
        return len(self.source_positions)

    def __iter__(self) -> Iterator[Vertex]:
        return iter(self.sources.tolist())

    def __contains__(self, source: object) -> bool:
        return source in self.labels and self._places[self.labels.index(source)] >= 0

    def __getitem__(self, source: VertexLike) -> NearRow:
        """The pairs of a source; of one that was given several times the first row.

        Raises
        ------
        GraphError, RequestError
            If it is not a vertex, or not one of the sources.
        """
        place = self._row_of(source)
        row = slice(int(self.indptr[place]), int(self.indptr[place + 1]))
        hops = None if self.next_positions is None else self.labels.take_or_none(self.next_positions[row])
        along = {name: sums[row] for name, sums in self.along.items()}
        return NearRow(self.labels.take(self.positions[row]), self.distances[row], hops, along)

    def _row_of(self, source: VertexLike) -> int:
        """The first row of a source."""
        place = int(self._places[self.labels.index(source)])
        if place < 0:
            raise RequestError(f"{shown(source)} is not one of the sources of these pairs")
        return place

    @cached_property
    def _places(self) -> IntArray:
        """(n,) the row of each vertex, -1 for none."""
        places = np.full(len(self.labels), -1, dtype=np.int32)
        places[self.source_positions[::-1]] = np.arange(len(self.source_positions), dtype=np.int32)[::-1]
        return places

    @memory_errors
    def to_scipy(self, dtype: npt.DTypeLike = "float64") -> csr_array:
        """Return the distances as a sparse array of SciPy; distances of zero are entries.

        Parameters
        ----------
        dtype : numpy dtype
            Any integer or float dtype that holds all distances: sums in that of `distances`, which is the narrowest,
            may wrap.

        Returns
        -------
        (S, n) or (S, T) scipy.sparse.csr_array
            A row per source and a column per vertex, or per target if targets were given, in their order. Pairs that
            are not within the cutoff have no entry. Rows are in the order of these pairs: `sort_indices` sorts them.

        Raises
        ------
        RequestError
            If the dtype does not hold a distance.

        Examples
        --------
        >>> import apsp, scipy
        >>> streets = apsp.from_edges([0, 1, 2], [1, 2, 3], [4, 3, 2])
        >>> near = apsp.within(streets, 5, sort="target").to_scipy()
        >>> near.shape, near.indices.tolist(), near.data.tolist()
        ((4, 4), [0, 1, 1, 2, 3, 2, 3, 3], [0.0, 4.0, 0.0, 3.0, 5.0, 0.0, 2.0, 0.0])
        """
        from scipy.sparse import csr_array as scipy_array

        columns, width = self.positions, len(self.labels)
        if self.target_positions is not None:
            width = len(self.target_positions)
            places = np.zeros(len(self.labels), dtype=np.int32)
            places[self.target_positions] = np.arange(width, dtype=np.int32)
            columns = places[columns]
        return scipy_array((self.to_numpy(dtype), columns, self.indptr), shape=(len(self), width))

    @memory_errors
    def to_long(self) -> dict[str, NumPyArray]:
        """Return columns source, target and distance, next_hop if it was kept, and other costs, with a row per pair.

        Returns
        -------
        dict of str to (P,) array
            Labels and distances.

        Examples
        --------
        >>> import apsp
        >>> streets = apsp.from_edges([0, 1], [1, 2], [4, 1], labels=["a", "b", "c"])
        >>> columns = apsp.within(streets, 5, sources="a", next_hop=True).to_long()
        >>> {name: column.tolist() for name, column in columns.items()}
        {'source': ['a', 'a', 'a'], 'target': ['a', 'b', 'c'], 'distance': [0, 4, 5], 'next_hop': [None, 'b', 'b']}
        """
        return self._table().to_dict()

    def _table(self) -> LongTable:
        return self._table_of(np.repeat(self.source_positions, np.diff(self.indptr)), slice(None))

    def _head(self, rows: int) -> tuple[LongTable, int]:
        every = np.arange(min(rows, len(self.positions)))
        sources = self.source_positions[np.searchsorted(self.indptr, every, side="right") - 1]
        return self._table_of(sources, slice(rows)), len(self.positions)

    def _table_of(self, sources: IntArray, rows: slice) -> LongTable:
        columns: dict[str, Any] = {
            "source": sources,
            "target": self.positions[rows],
            "distance": self.distances[rows],
        }
        if self.next_positions is not None:
            columns["next_hop"] = self.next_positions[rows]
        among = {"source": self.source_positions, "target": self.target_positions}
        numbers = ("distance", *self.along)
        complete = ("source", "target", *numbers)
        along = {name: sums[rows] for name, sums in self.along.items()}
        return LongTable(self.labels, columns | along, among=among, numbers=numbers, complete=complete)

    def _repr_html_(self) -> str:
        counts = np.diff(self.indptr)
        rows: list[tuple[str, object]] = [
            ("sources", f"{len(self):,}"),
            ("cutoff", number_words(self.cutoff)),
            ("pairs", f"{self.pairs:,}"),
            ("distances", str(self._dtype)),
        ]
        if len(self):
            rows += [
                ("pairs per source", f"{self.pairs / len(self):,.4g}"),
                ("most of a source", f"{int(counts.max()):,}"),
            ]
        return card("Pairs within a cutoff", rows, below=self._first_html())

    def _first_html(self) -> str:
        """The first rows of the table."""
        table, count = self._head(ROWS_SHOWN)
        return columns_html(list(table.to_text().items())) + rows_words(min(count, ROWS_SHOWN), count)

    def __repr__(self) -> str:
        pairs = f"{counted(self.pairs, 'pair')} within {number_words(self.cutoff)}"
        return f"NearPairs({counted(len(self), 'source')}, {pairs}, {self._dtype})"
