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
from apsp.reductions.blocks import RowBlock
from apsp.reductions.central import closeness
from apsp.reductions.columns import Sums
from apsp.reductions.component_block import columns_of
from apsp.reductions.distance_statistics import DistanceStatistics
from apsp.reductions.extreme import Extreme
from apsp.reductions.float_sum import float_sum
from apsp.reductions.histogram import Histogram
from apsp.reductions.moments import Moments
from apsp.reductions.row_sums import RowSums
from apsp.reductions.totals import Totals
from apsp.system.arguments import flag, one_of
from apsp.system.array_device import to_host
from apsp.system.limits import allowed_cores
from apsp.system.machine import threads_named
from apsp.system.thread_limit import threads_by_default

__all__ = ["MEASURES", "Direction", "Summary", "summarize"]

Direction = Literal["in", "out"]
"""Distances to the vertex ('in': its column), or from it ('out': its row)."""

MEASURES = (
    "average_shortest_path_length", "barycenter", "center", "closeness_centrality", "diameter", "distance_histogram",
    "distance_statistics", "eccentricity", "farness", "global_efficiency", "gutman_index", "harmonic_centrality",
    "hyper_wiener_index", "periphery", "radius", "schultz_index", "wiener_index",
)  # fmt: skip
"""The measures that a summary can have, as their functions are called."""


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
    squares : bool
        Keep the sum of the squared distances, which the hyper-Wiener index needs.
    degrees : (n,) integers, optional
        Degrees of the vertices, which the indices of Schultz and Gutman need.
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
        squares: bool = False,
        degrees: npt.ArrayLike | None = None,
        threads: int | None = None,
        labels: Labels | None = None,
    ) -> None:
        self.n = n
        self.directed = directed
        self._totals = Totals(
            n, labels, columns=flag(columns, "columns"), bins=bins, edges=edges,
            reciprocals=flag(reciprocals, "reciprocals"), threads=threads_named(threads),
        )  # fmt: skip
        factors = None if degrees is None else _degrees(degrees, n)
        self._moments = Moments(squares=flag(squares, "squares"), degrees=factors)
        self._statistics: DistanceStatistics | None = None

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
        if self._moments.wanted:
            sources = np.ascontiguousarray(block.source_positions, dtype=np.int32)
            dist: npt.NDArray[Any] = to_host(block.distances)
            threads = self._totals.threads or threads_by_default(allowed_cores())
            contiguous = dist if dist.flags.c_contiguous else dist.copy(order="C")
            self._moments.add(sources, contiguous, threads, columns_of(block))

    def add_sums(self, sums: RowSums) -> None:
        """Add sums over rows, without the rows; no sums of columns, no squares and no histogram.

        Parameters
        ----------
        sums : RowSums
            Sums and extremes of some rows (`apsp.reductions.row_sums`).

        Raises
        ------
        RequestError
            If a source was added before, or distances of another dtype.

        Examples
        --------
        >>> import apsp, numpy
        >>> from apsp.reductions.row_sums import RowSums
        >>> sums = RowSums.empty(numpy.array([0], dtype=numpy.int32), numpy.dtype("int32"))
        >>> sums.reached[:], sums.total[:], sums.largest[:], sums.farthest[:] = 3, 10, 7, 2
        >>> found = apsp.Summary(3)
        >>> found.add_sums(sums)
        >>> found.farthest_pair
        Extreme(distance=7, source=0, target=2)
        """
        if self._moments.wanted:
            raise RequestError("squares and sums times degrees need the distances: add blocks of rows")
        self._totals.add_sums(sums)

    def _row_sums(self) -> RowSums:
        """The sums over the rows that were added, by position."""
        return self._totals.row_sums()

    def merge(self, other: Summary) -> None:
        """Add the rows that another summary holds, which was made with the same arguments.

        Parameters
        ----------
        other : Summary
            Of other sources of the same graph, for example from another process: summaries can be pickled. Statistics
            of groups are not merged.

        Raises
        ------
        RequestError
            If a source is in both, the dtypes of the distances differ, or the summaries keep different numbers.

        Examples
        --------
        >>> import apsp
        >>> graph = apsp.from_edges([0, 1, 2], [1, 2, 3], [4, 1, 2], directed=False)
        >>> found = apsp.summary(graph, sources=[0, 1])
        >>> found.merge(apsp.summary(graph, sources=[2, 3]))
        >>> found.diameter, found.wiener_index()
        (7, 22)
        """
        if not isinstance(other, Summary):
            raise RequestError(f"a summary is merged with a Summary, not with {shown(other)}")
        if self.n != other.n or self._moments.kinds != other._moments.kinds:
            raise RequestError("summaries can be merged if they are of the same graph and keep the same numbers")
        self._totals.merge(other._totals)
        self._moments.merge(other._moments)

    # -- of each vertex ------------------------------------------------------------------------------------------------

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

    # -- of the whole graph --------------------------------------------------------------------------------------------

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
        return self.total_distance if self.directed else _half(self.total_distance)

    def hyper_wiener_index(self) -> int | float:
        """Return the sum of all distances and their squares, each unordered pair counted once.

        Returns
        -------
        int or float
            The sum, exact for integers; infinite if a pair has no path.

        Raises
        ------
        RequestError
            If the graph is directed, squares were not kept, or not all n rows were added.

        Examples
        --------
        >>> import apsp
        >>> graph = apsp.from_edges([0, 1, 2], [1, 2, 3], directed=False)
        >>> apsp.summary(graph, measures="hyper_wiener_index").hyper_wiener_index()
        30
        """
        self._require_edges("hyper-Wiener")
        squares = self._moments.squares
        if squares is None:
            raise RequestError("sums of squares were not kept: pass measures='hyper_wiener_index' to the summary")
        return math.inf if self.unreachable_pairs else _half(self.total_distance + squares)

    def schultz_index(self) -> int | float:
        """Return the sum of each distance times the sum of the degrees of its ends, each unordered pair counted once.

        Returns
        -------
        int or float
            The sum, exact for integers; infinite if a pair has no path.

        Raises
        ------
        RequestError
            If the graph is directed, degrees were not given, or not all n rows were added.

        Examples
        --------
        >>> import apsp
        >>> graph = apsp.from_edges([0, 1, 2], [1, 2, 3], directed=False)
        >>> apsp.summary(graph, measures="schultz_index").schultz_index()
        28
        """
        self._require_edges("Schultz")
        degrees = self._moments.degrees
        if degrees is None:
            raise RequestError("degrees were not given: pass measures='schultz_index' to the summary")
        if self.unreachable_pairs:
            return math.inf
        terms = [factor * total for factor, total in zip(degrees.tolist(), self.farness().tolist(), strict=True)]
        return float_sum(terms) if any(isinstance(term, float) for term in terms) else sum(terms)

    def gutman_index(self) -> int | float:
        """Return the sum of each distance times both degrees of its ends, each unordered pair counted once.

        Returns
        -------
        int or float
            The sum, exact for integers; infinite if a pair has no path.

        Raises
        ------
        RequestError
            If the graph is directed, degrees were not given, or not all n rows were added.

        Examples
        --------
        >>> import apsp
        >>> graph = apsp.from_edges([0, 1, 2], [1, 2, 3], directed=False)
        >>> apsp.summary(graph, measures="gutman_index").gutman_index()
        19
        """
        self._require_edges("Gutman")
        products = self._moments.products
        if products is None:
            raise RequestError("degrees were not given: pass measures='gutman_index' to the summary")
        return math.inf if self.unreachable_pairs else _half(products)

    def _require_edges(self, name: str) -> None:
        if self.directed:
            raise RequestError(f"the {name} index is of undirected graphs")
        self._totals.feed.require_all(f"the {name} index")

    def distance_statistics(self) -> DistanceStatistics:
        """Return statistics of the distances within and between groups, as `apsp.distance_statistics`.

        Returns
        -------
        DistanceStatistics
            Arrays per pair of groups, and tables.

        Raises
        ------
        RequestError
            If the summary was made without groups.

        Examples
        --------
        >>> import apsp
        >>> graph = apsp.from_edges([0, 1, 2], [1, 2, 3], [4, 1, 2], directed=False)
        >>> apsp.summary(graph, groups=["w", "w", "e", "e"]).distance_statistics().mean.tolist()
        [[2.0, 4.0], [4.0, 4.0]]
        """
        if self._statistics is None:
            raise RequestError("statistics of groups were not kept: pass groups to apsp.summary")
        return self._statistics

    def __getitem__(self, measure: str) -> Any:
        """The value of a measure by the name of its function, such as summary["wiener_index"]."""
        if not isinstance(measure, str) or measure not in MEASURES:
            raise RequestError(f"a summary has no measure {shown(measure)}; it may have: {', '.join(MEASURES)}")
        if measure in ("closeness_centrality", "harmonic_centrality"):
            return getattr(self, measure)("in")
        found = self.histogram if measure == "distance_histogram" else getattr(self, measure)
        return found() if callable(found) else found

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


def _degrees(given: npt.ArrayLike, n: int) -> npt.NDArray[np.int64]:
    try:
        array = np.asarray(given)
    except Exception as error:  # of an odd sequence
        raise RequestError(f"degrees must be n = {n} whole numbers, not {shown(given)}") from error
    if array.shape != (n,) or array.dtype.kind not in "iu" or (array < 0).any() or (array >= 2**31).any():
        raise RequestError(f"degrees must be n = {n} whole numbers from 0 to 2^31 - 1, not {shown(given)}")
    return np.ascontiguousarray(array, dtype=np.int64)


def _half(total: float) -> int | float:
    """Half of a sum over ordered pairs: an integer if it is one."""
    return total // 2 if isinstance(total, int) and total % 2 == 0 else total / 2
