"""Sums and extremes of all distances."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import Any, Literal, get_args

import numpy as np
import numpy.typing as npt

from apsp._types import NumPyArray, Vertex
from apsp.errors import RequestError, shown
from apsp.graph.labels import Labels
from apsp.measures.blocks import RowBlock
from apsp.measures.central import closeness
from apsp.measures.columns import Sums
from apsp.measures.extreme import Extreme
from apsp.measures.histogram import Histogram
from apsp.measures.row_sums import RowSums
from apsp.measures.totals import Totals
from apsp.system.arguments import flag, one_of
from apsp.system.machine import threads_named

__all__ = ["Direction", "Summary", "summarize"]

Direction = Literal["in", "out"]
"""Distances to the vertex ('in': its column), or from it ('out': its row)."""


def summarize(
    blocks: Iterable[RowBlock | RowSums],
    n: int,
    *,
    directed: bool = True,
    columns: bool = False,
    bins: int = 0,
    edges: npt.ArrayLike | None = None,
    reciprocals: bool = True,
    threads: int | None = None,
    labels: Labels | None = None,
) -> Summary:
    """Add all blocks (or the sums over their rows) to a new `Summary`, which takes the other parameters."""
    summary = Summary(
        n, directed=directed, columns=columns, bins=bins, edges=edges, reciprocals=reciprocals, threads=threads,
        labels=labels,
    )  # fmt: skip
    for block in blocks:
        if isinstance(block, RowSums):
            summary.add_sums(block)
        else:
            summary.add(block)
    return summary


class Summary:
    """Eccentricity, diameter, closeness centrality, histogram, ...: all that follows from sums and extremes.

    Parameters
    ----------
    n : int
        Vertices.
    directed : bool
        False means that each unordered pair counts once in the Wiener index, and that distances to a vertex are those
        from it.
    columns : bool
        Keep sums of the columns too, which direction='in' needs in a directed graph.
    bins : int
        Maximum number of bins of the histogram; 0 means no histogram. The width is a power of two, chosen from the
        distances: 1 for integer distances below `bins`.
    edges : (B + 1,) increasing numbers, optional
        Bins of the histogram instead; distances outside are not counted.
    reciprocals : bool
        Keep sums of 1 / distance, which harmonic centrality and global efficiency need. On a CPU these divisions take
        as long as all other sums.
    threads : int, optional
        APSP_NUM_THREADS or all cores by default.
    labels : Labels, optional
        Labels of the vertices in the results (`graph.labels`); by default their positions.

    Raises
    ------
    RequestError
        If an option, or a block added later, is invalid.

    Notes
    -----
    Names and values are NetworkX's. If NetworkX raises an error because pairs have no path, these pairs are left out
    here; `unreachable_pairs` counts them.

    Examples
    --------
    >>> import apsp
    >>> graph = apsp.from_edges([0, 1, 2], [1, 2, 3], [4, 1, 2], directed=False)
    >>> found = apsp.Summary(graph.n, directed=False)
    >>> for block in apsp.stream(graph, rows=2):
    ...     found.add(block)
    >>> found.diameter, found.wiener_index()
    (7, 22)
    """

    def __init__(
        self,
        n: int,
        *,
        directed: bool = True,
        columns: bool = False,
        bins: int = 0,
        edges: npt.ArrayLike | None = None,
        reciprocals: bool = True,
        threads: int | None = None,
        labels: Labels | None = None,
    ) -> None:
        self.n = n
        self.directed = directed
        self._totals = Totals(
            n, labels, columns=flag(columns, "columns"), bins=bins, edges=edges,
            reciprocals=flag(reciprocals, "reciprocals"), threads=threads_named(threads),
        )  # fmt: skip

    def add(self, block: RowBlock) -> None:
        """Add the rows of a block; O(S n) operations on all threads. Nothing of the block is kept.

        Parameters
        ----------
        block : Block
            Rows of distances to all vertices, as returned by `apsp.stream`.

        Raises
        ------
        RequestError
            If the block has the wrong shape or dtype, a source was added before, or a sum does not fit int64.

        Examples
        --------
        >>> import apsp
        >>> graph = apsp.from_edges([0, 1, 2], [1, 2, 3], [4, 1, 2], directed=False)
        >>> found = apsp.Summary(graph.n)
        >>> found.add(next(apsp.stream(graph)))
        >>> found.pairs
        12
        """
        self._totals.add(block)

    def add_sums(self, sums: RowSums) -> None:
        """Add sums over rows, without the rows; no sums of columns and no histogram.

        Parameters
        ----------
        sums : RowSums
            Sums and extremes of some rows (`apsp.measures.row_sums`).

        Raises
        ------
        RequestError
            If a source was added before, or distances of another dtype.

        Examples
        --------
        >>> import apsp, numpy
        >>> from apsp.measures.row_sums import RowSums
        >>> sums = RowSums.empty(numpy.array([0], dtype=numpy.int32), numpy.dtype("int32"))
        >>> sums.reached[:], sums.total[:], sums.largest[:], sums.farthest[:] = 3, 10, 7, 2
        >>> found = apsp.Summary(3)
        >>> found.add_sums(sums)
        >>> found.farthest_pair
        Extreme(distance=7, source=0, target=2)
        """
        self._totals.add_sums(sums)

    # -- of each source -----------------------------------------------------------------------------------------------

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

    # -- of the graph: over the rows that were added ------------------------------------------------------------------

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
        return math.fsum(values.tolist()) if values.dtype.kind == "f" else sum(values.tolist())

    @property
    def average_shortest_path_length(self) -> float:
        """The mean distance over ordered pairs of two vertices with a path; not-a-number where there are none.

        It is 0 in a graph of one vertex.
        """
        if self.n == 1:
            return 0.0
        return self.total_distance / self.pairs if self.pairs else math.nan

    def wiener_index(self) -> int | float:
        """Return the sum of all distances; in an undirected graph each unordered pair counts once.

        Returns
        -------
        int or float
            The sum; infinite if a pair has no path.

        Raises
        ------
        RequestError
            If not all n rows were added.

        Examples
        --------
        >>> import apsp
        >>> graph = apsp.from_edges([0, 1, 2], [1, 2, 3], [4, 1, 2], directed=False)
        >>> apsp.summary(graph).wiener_index()
        22
        """
        self._totals.feed.require_all("the Wiener index")
        if self.unreachable_pairs:
            return math.inf
        total = self.total_distance
        if self.directed:
            return total
        return total // 2 if isinstance(total, int) and total % 2 == 0 else total / 2

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
        return math.fsum(self._reciprocals()) / (self.n * (self.n - 1)) if self.n > 1 else 0.0

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

    def _repr_html_(self) -> str:
        from apsp.figures.html import card
        from apsp.system.numbers import number_words

        longest, middle = self.farthest_pair, self.center
        rows: list[tuple[str, object]] = [
            ("vertices", f"{self.n:,}"),
            ("sources added", f"{self._totals.feed.count:,}"),
            ("pairs with a path", f"{self.pairs:,}"),
            ("pairs without", f"{self.unreachable_pairs:,}"),
        ]
        if longest is not None:
            ends = f"{shown(longest.source)} to {shown(longest.target)}"
            some = f"{', '.join(map(shown, middle[:3]))}{', ...' if len(middle) > 3 else ''}"
            rows += [
                ("diameter", f"{number_words(longest.distance)}, from {ends}"),
                ("radius", number_words(self.radius)),
                ("center", f"{some} ({len(middle):,})" if len(middle) > 1 else some),
                ("average distance", number_words(self.average_shortest_path_length)),
            ]
        return card("Summary", rows)

    def __repr__(self) -> str:
        diameter = self.diameter
        found = "" if diameter is None else f", diameter={diameter}"
        rows = self._totals.feed.count
        return f"Summary(n={self.n}, {rows} source{'s' if rows != 1 else ''}, {self._totals.total.dtype}{found})"
