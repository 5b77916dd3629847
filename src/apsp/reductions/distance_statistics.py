"""Means, extremes, quantiles and histograms of the distances between sets of vertices."""

from __future__ import annotations

import math
from collections.abc import Hashable
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from apsp._types import NumPyArray
from apsp.errors import RequestError, shown
from apsp.graph.labels import Labels
from apsp.graph.labels.making import labels_of
from apsp.graph.long_table import LongTable
from apsp.graph.tabular import Tabular
from apsp.reductions.float_sum import float_sum
from apsp.reductions.histogram import Histogram
from apsp.system.numbers import number_name

__all__ = ["DistanceStatistics"]


@dataclass(frozen=True, eq=False, repr=False)
class DistanceStatistics(Tabular):
    """Statistics of the distances from groups, or from single sources, to groups of vertices.

    Every array has an axis of rows (groups, or sources with per='source'), then one of groups, which are those of the
    targets. Pairs are ordered pairs of two different vertices; those without a path are counted, and otherwise left
    out. Where no pair has a path, the mean is not-a-number and the others are `apsp.unreachable` of their dtype.

    Parameters
    ----------
    names : tuple
        The G groups.
    per : {'group', 'source'}
        What the rows are.
    source_positions : (S,) int32 or None
        The sources of the rows, by position; None if the rows are groups.
    labels : Labels
        Of all vertices.
    pairs, pairs_without_path : (R, G) int64
        Numbers of pairs with a path, and without one.
    total : (R, G) int64, float64 or object
        Sums of the distances, exact for integers: Python integers if one does not fit int64.
    mean : (R, G) float64
        Means of the distances.
    smallest, largest : (R, G) int64 or float64
        Extremes of the distances.
    shares : tuple of float
        The Q shares of the quantiles, in the order in which they were given.
    quantiles : (R, G, Q) int64 or float64
        For each share the smallest distance that at least this share of the pairs do not exceed.
    edges : (B + 1,) int64 or float64, or None
        Edges of the histograms, if there are any.
    counts : (R, G, B) int64, or None
        Pairs per bin.

    Examples
    --------
    >>> import apsp
    >>> graph = apsp.from_edges([0, 1, 2], [1, 2, 3], [4, 1, 2], directed=False, labels=["a", "b", "c", "d"])
    >>> found = apsp.distance_statistics(graph, {"a": "west", "b": "west", "c": "east", "d": "east"})
    >>> found.names, found.mean.tolist()
    (('east', 'west'), [[2.0, 4.0], [4.0, 4.0]])
    >>> found.within, found.between
    (3.0, 4.0)
    """

    names: tuple[Hashable, ...]
    per: str
    source_positions: npt.NDArray[np.int32] | None
    labels: Labels
    pairs: npt.NDArray[np.int64]
    pairs_without_path: npt.NDArray[np.int64]
    total: NumPyArray
    mean: npt.NDArray[np.float64]
    smallest: NumPyArray
    largest: NumPyArray
    shares: tuple[float, ...]
    quantiles: NumPyArray
    edges: NumPyArray | None
    counts: npt.NDArray[np.int64] | None

    @property
    def sources(self) -> NumPyArray:
        """(S,) labels of the sources, if the rows are sources; otherwise empty."""
        chosen = self.source_positions
        return self.labels.take(np.empty(0, dtype=np.int32) if chosen is None else chosen)

    @property
    def within(self) -> float:
        """The mean distance over the pairs of two vertices of the same group; not-a-number if none has a path."""
        return self._mean_of(np.eye(len(self.names), dtype=bool))

    @property
    def between(self) -> float:
        """The mean distance over the pairs of vertices of two groups; not-a-number if none has a path."""
        return self._mean_of(~np.eye(len(self.names), dtype=bool))

    def _mean_of(self, chosen: npt.NDArray[np.bool_]) -> float:
        if self.per != "group":
            raise RequestError("means within and between groups need rows that are groups: per='group'")
        pairs = int(self.pairs[chosen].sum())
        totals = self.total[chosen].tolist()
        if not pairs:
            return math.nan
        return (float_sum(totals) if self.total.dtype.kind == "f" else sum(totals)) / pairs

    def histogram(self, row: Hashable, group: Hashable | None = None) -> Histogram:
        """Return the histogram of the distances from a group or source to a group.

        Parameters
        ----------
        row : hashable
            A group, or a source if the rows are sources.
        group : hashable, optional
            The group of the targets; it can be left out if there is only one.

        Returns
        -------
        Histogram
            Edges, which are those of all pairs of sets, and counts.

        Raises
        ------
        RequestError
            If no histograms were kept, or there is no such group or source.

        Examples
        --------
        >>> import apsp
        >>> graph = apsp.from_edges([0, 1, 2], [1, 2, 3], [4, 1, 2], directed=False)
        >>> found = apsp.distance_statistics(graph, ["w", "w", "e", "e"], edges=[0, 4, 8])
        >>> found.histogram("w", "e").counts
        array([2, 2])
        """
        if self.edges is None or self.counts is None:
            raise RequestError("no histograms were kept: give bins or edges")
        if group is None and len(self.names) > 1:
            raise RequestError("name the group of the targets, too")
        column = 0 if group is None else self._group(group)
        return Histogram(self.edges.copy(), self.counts[self._row(row), column].copy())

    def _group(self, name: Hashable) -> int:
        try:
            return self.names.index(name)
        except ValueError:
            some = ", ".join(map(shown, self.names[:10]))
            raise RequestError(f"there is no group {shown(name)}; there are: {some}") from None

    def _row(self, name: Hashable) -> int:
        if self.source_positions is None:
            return self._group(name)
        places = np.flatnonzero(self.source_positions == self.labels.index(name))
        if not len(places):
            raise RequestError(f"{shown(name)} is not one of the sources")
        return int(places[0])

    def to_dict(self) -> dict[str, NumPyArray]:
        """Return columns with an entry per row and group.

        Returns
        -------
        dict of str to array
            'from' (a group, or the label of a source), 'to' (unless there is only one group), 'pairs',
            'pairs_without_path', 'mean', 'smallest', 'largest', and 'q0.5' for the quantile of the share 0.5. Columns
            of distances are float64 with not-a-number if some pair of sets has no path.

        Examples
        --------
        >>> import apsp
        >>> graph = apsp.from_edges([0, 1, 2], [1, 2, 3], [4, 1, 2], directed=False)
        >>> found = apsp.distance_statistics(graph, per="source", quantiles=0.5)
        >>> {name: column.tolist() for name, column in found.to_dict().items() if name in ("from", "mean", "q0.5")}
        {'from': [0, 1, 2, 3], 'mean': [5.333333333333333, 2.6666666666666665, 2.6666666666666665, 4.0], 'q0.5': [5, 3, 2, 3]}
        """  # noqa: E501
        return self._table().to_dict()

    def _head(self, rows: int) -> tuple[LongTable, int]:
        few = slice(rows)  # at least one table row each
        arrays = {
            name: getattr(self, name)[few]
            for name in ("pairs", "pairs_without_path", "mean", "smallest", "largest", "quantiles")
        }
        sources = None if self.source_positions is None else self.source_positions[few]
        table = replace(self, source_positions=sources, **arrays)._table()
        cut = replace(
            table, columns={name: column[:rows] for name, column in table.columns.items()},
            unreached=None if table.unreached is None else table.unreached[:rows], among=None,
        )  # fmt: skip
        return cut, self.pairs.size

    def _table(self) -> LongTable:
        rows, groups = self.pairs.shape
        names = labels_of(self.names)
        numbers = {"pairs": self.pairs, "pairs_without_path": self.pairs_without_path, "mean": self.mean}
        numbers |= {"smallest": self.smallest, "largest": self.largest}
        numbers |= {f"q{number_name(share)}": self.quantiles[:, :, q] for q, share in enumerate(self.shares)}
        missing = self.pairs.ravel() == 0
        columns: dict[str, NumPyArray] = {}
        others = {"to": names}
        if self.source_positions is None:
            columns["from"] = np.repeat(np.arange(rows, dtype=np.int32), groups)
            others["from"] = names
        else:
            columns["from"] = np.repeat(self.source_positions, groups)
        if groups > 1 or self.source_positions is None:
            columns["to"] = np.tile(np.arange(groups, dtype=np.int32), rows)
        whole = ("pairs", "pairs_without_path")
        for name, values in numbers.items():
            some_missing = name not in whole and missing.any()
            columns[name] = np.where(missing, np.nan, values.ravel()) if some_missing else values.ravel()
        return LongTable(self.labels, columns, missing, tuple(numbers), whole, others)

    def __repr__(self) -> str:
        rows = len(self.pairs)
        word = "source" if self.per == "source" else "group"
        ends = "" if self.per == "group" else f" to {len(self.names)} group{'s' if len(self.names) != 1 else ''}"
        return f"DistanceStatistics({rows} {word}{'s' if rows != 1 else ''}{ends}, {self.largest.dtype})"
