"""Sums and extremes of all distances."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np
import numpy.typing as npt

from apsp import _cpu
from apsp.errors import RequestError, shown
from apsp.graph.labels import Labels
from apsp.measures.blocks import Feed, RowBlock
from apsp.measures.columns import ColumnSums
from apsp.measures.histogram import Bins, Histogram
from apsp.measures.overflow import overflow_told
from apsp.measures.row_sums import RowSums, total_dtype
from apsp.semiring import NO_VERTEX
from apsp.system.arguments import flag, one_of
from apsp.system.machine import threads_from
from apsp.system.place import is_on_gpu

__all__ = ["Direction", "Extreme", "Summary", "summarize"]

Direction = Literal["out", "in"]
"""Distances from the vertex ('out': its row), or to it ('in': its column; NetworkX's closeness and harmonic)."""


@dataclass(frozen=True)
class Extreme:
    """A distance and the pair of vertices that it lies between, as the graph labels them.

    Parameters
    ----------
    distance : int or float
        The distance.
    source, target : hashable
        The vertices, as the graph labels them.

    Examples
    --------
    >>> import apsp
    >>> graph = apsp.from_edges([0, 1, 2], [1, 2, 0], [4, 1, 2])
    >>> found = apsp.diameter(graph)
    >>> found.distance, found.source, found.target
    (6, 2, 1)
    """

    distance: int | float
    source: Any
    target: Any

    def __repr__(self) -> str:
        pair = f"source={shown(self.source)}, target={shown(self.target)}"
        return f"Extreme(distance={self.distance}, {pair})"


def summarize(blocks: Iterable[RowBlock | RowSums], n: int, **options: Any) -> Summary:
    """Feed all blocks (or the sums over their rows) to a new `Summary(n, **options)`."""
    summary = Summary(n, **options)
    for block in blocks:
        if isinstance(block, RowSums):
            summary.add_sums(block)
        else:
            summary.add(block)
    return summary


class Summary:
    """Eccentricity, diameter, closeness, mean distance, histogram, ...: everything that sums or extremes give.

    Parameters
    ----------
    n : int
        Vertices.
    directed : bool
        False halves the Wiener index: each unordered pair counts once.
    columns : bool
        Keep sums of the columns too, for closeness and harmonic centrality of incoming distances in a directed graph.
    bins : int
        Bins of the histogram at most; 0 keeps none. The width is a power of two that is found on the way: 1 for
        integer distances below `bins`.
    edges : (B + 1,) increasing numbers, optional
        Bins of the histogram instead; distances outside are not counted.
    threads : int, optional
        APSP_NUM_THREADS or all cores by default.
    labels : Labels, optional
        What the vertices are called in the answers (`graph.labels`); by default their positions.

    Raises
    ------
    RequestError
        If an option, or a block added later, is invalid.

    Examples
    --------
    >>> import apsp
    >>> graph = apsp.from_edges([0, 1, 2], [1, 2, 3], [4, 1, 2], directed=False)
    >>> found = apsp.Summary(graph.n, directed=False)
    >>> for block in apsp.stream(graph, rows=2):
    ...     found.add(block)
    >>> found.diameter.distance, found.wiener_index()
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
        threads: int | None = None,
        labels: Labels | None = None,
    ) -> None:
        self.n = n
        self.directed = directed
        self.threads = threads_from(threads)
        self._feed = Feed(n, labels)
        self._reached = np.zeros(n, dtype=np.int64)
        self._reciprocals = np.zeros(n)
        self._farthest = np.full(n, NO_VERTEX, dtype=np.int32)
        # Integers until a block of floats comes first.
        self._total: npt.NDArray[Any] = np.zeros(n, dtype=np.int64)
        self._largest: npt.NDArray[Any] = np.zeros(n, dtype=np.int64)
        self._columns = ColumnSums(n) if flag(columns, "columns") else None
        self._bins = Bins(bins, edges)

    def add(self, block: RowBlock) -> None:
        """Add the rows of a block; O(S n) operations on all threads. Nothing of the block is kept.

        Parameters
        ----------
        block : Block
            Rows of distances to all vertices, as `apsp.stream` gives them.

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
        sources, dist = self._feed.take(block, on_gpu=True)
        self._sum_in(total_dtype(dist.dtype))
        if is_on_gpu(dist):
            self._add_on_gpu(sources, dist)
            return
        found = RowSums.empty(sources, dist.dtype)
        counts, exponent = self._bins.start(dist.dtype)
        with overflow_told():
            self._bins.exponent = _cpu.reduce_rows(
                dist, found.reached, found.total, found.reciprocals, found.largest, found.farthest, counts, exponent,
                self.threads,
            )  # fmt: skip
            if self._columns is not None:
                self._columns.add(dist, self.threads)
        self._bins.count(dist, self.threads)
        self._keep(found)

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
        >>> found.diameter
        Extreme(distance=7, source=0, target=2)
        """
        self._feed.mark(sums.sources, sums.largest.dtype)
        self._sum_in(sums.total.dtype)
        self._keep(sums)

    def _sum_in(self, dtype: npt.DTypeLike) -> None:
        """Before the first sums: of integers, or of floats."""
        if self._total.dtype != dtype:
            self._total, self._largest = np.zeros(self.n, dtype=dtype), np.zeros(self.n, dtype=dtype)

    def _keep(self, sums: RowSums) -> None:
        sources = sums.sources
        self._reached[sources], self._total[sources] = sums.reached - 1, sums.total
        self._reciprocals[sources] = sums.reciprocals
        self._largest[sources], self._farthest[sources] = sums.largest, sums.farthest

    def _add_on_gpu(self, sources: npt.NDArray[np.int32], dist: Any) -> None:
        """The same where the block lies; only what is said about rows comes to the host."""
        from apsp.measures.kernels.reduce import reduce_rows

        if not dist.size:
            return
        self._bins.start(dist.dtype)
        with overflow_told():
            numbers = reduce_rows(dist)
            if self._columns is not None:
                self._columns.add(dist, self.threads)
        self._bins.count_on_gpu(dist, numbers.least.min().item(), numbers.largest.max().item())
        self._keep(
            RowSums(sources, numbers.reached, numbers.total, numbers.reciprocals, numbers.largest, numbers.farthest)
        )

    # -- of each source -----------------------------------------------------------------------------------------------

    @property
    def sources(self) -> npt.NDArray[Any]:
        """The vertices whose rows were added, in the order of the graph's labels."""
        return self.labels.take(self.source_positions)

    @property
    def source_positions(self) -> npt.NDArray[np.int32]:
        """Their positions, ascending."""
        return self._feed.source_positions

    @property
    def labels(self) -> Labels:
        """Of the vertices."""
        return self._feed.labels

    @property
    def reachable(self) -> npt.NDArray[np.int64]:
        """How many other vertices each source reaches."""
        return self._reached[self.source_positions]

    @property
    def eccentricity(self) -> npt.NDArray[Any]:
        """Distance from each source to the farthest vertex that it reaches (itself at 0); int64 or float64."""
        return self._largest[self.source_positions]

    @property
    def farthest(self) -> npt.NDArray[Any]:
        """That farthest vertex; of several the first."""
        return self.labels.take(self._farthest[self.source_positions])

    def closeness(self, direction: Direction = "out", *, improved: bool = True) -> npt.NDArray[np.float64]:
        """Return the closeness centrality: reached vertices over the sum of their distances.

        It is 0 where the sum is not positive.

        Parameters
        ----------
        direction : 'out' or 'in'
            Distances from the vertex, or to it. NetworkX's `closeness_centrality` is 'in'; on an undirected graph they
            are the same. 'in' needs `columns=True` and all n rows (or feed the rows of `graph.reversed()` instead).
        improved : bool
            Times the share of the other vertices that is reached (Wasserman and Faust 1994, formula 5.22), so that
            vertices of small components do not look central. NetworkX's `wf_improved`.

        Returns
        -------
        (S,) float64
            Centralities in the order of `sources`.

        Raises
        ------
        RequestError
            If `direction` is another word, or incoming distances were not kept or are not of all rows.

        Examples
        --------
        >>> import apsp
        >>> graph = apsp.from_edges([0, 1, 2], [1, 2, 3], [4, 1, 2], directed=False)
        >>> apsp.summary(graph).closeness().round(3)
        array([0.188, 0.375, 0.375, 0.25 ])
        """
        reached, total, _ = self._sums(direction)
        sums = total.astype(np.float64)
        result = np.divide(reached, sums, out=np.zeros(len(sums)), where=sums > 0)
        return result * (reached / max(self.n - 1, 1)) if improved else result

    def harmonic(self, direction: Direction = "out") -> npt.NDArray[np.float64]:
        """Return the harmonic centrality: the sum of 1 / distance.

        A pair without a path and a distance of 0 add nothing.

        Parameters
        ----------
        direction : {'out', 'in'}
            Distances from the vertex, or to it. NetworkX's `harmonic_centrality` is 'in'; see `closeness` for
            what 'in' needs.

        Returns
        -------
        (S,) float64
            Centralities in the order of `sources`.

        Raises
        ------
        RequestError
            If `direction` is another word, or incoming distances were not kept or are not of all rows.

        Examples
        --------
        >>> import apsp
        >>> graph = apsp.from_edges([0, 1, 2], [1, 2, 3], [4, 1, 2], directed=False)
        >>> apsp.summary(graph).harmonic().round(3)
        array([0.593, 1.583, 1.7  , 0.976])
        """
        return self._sums(direction)[2]

    # -- of the graph: over the fed rows ------------------------------------------------------------------------------

    @property
    def pairs(self) -> int:
        """Ordered pairs of two vertices with a path."""
        return int(self.reachable.sum())

    @property
    def unreachable_pairs(self) -> int:
        """Ordered pairs of two vertices without a path; 0 in a (strongly) connected graph."""
        return len(self.source_positions) * max(self.n - 1, 0) - self.pairs

    @property
    def diameter(self) -> Extreme | None:
        """The largest distance over pairs with a path, with its pair (of several the first); None without rows."""
        sources = self.source_positions
        if not len(sources):
            return None
        source = int(sources[np.argmax(self._largest[sources])])
        return Extreme(
            self._largest[source].item(), self.labels[source], self.labels[int(self._farthest[source])]
        )  # fmt: skip

    @property
    def radius(self) -> int | float | None:
        """The smallest eccentricity of those vertices that reach the most others; None without rows.

        (So a dead end, which reaches nothing at eccentricity 0, is not the centre of a road network.)
        """
        widest = self._reaching_most()
        return self._largest[widest].min().item() if len(widest) else None

    @property
    def centre(self) -> list[Any]:
        """The vertices whose eccentricity is the radius, of those that reach the most others."""
        widest = self._reaching_most()
        middle: list[Any] = self.labels.take(widest[self._largest[widest] == self.radius]).tolist()
        return middle

    @property
    def total_distance(self) -> int | float:
        """The sum over ordered pairs with a path: an exact int for integers, good to a few roundings for floats."""
        values = self._total[self.source_positions].tolist()
        return math.fsum(values) if self._total.dtype.kind == "f" else sum(values)

    @property
    def mean_distance(self) -> float:
        """The mean over ordered pairs of two vertices with a path; not-a-number where there are none."""
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
        self._feed.require_all("the Wiener index")
        if self.unreachable_pairs:
            return math.inf
        total = self.total_distance
        if self.directed:
            return total
        return total // 2 if isinstance(total, int) and total % 2 == 0 else total / 2

    def global_efficiency(self) -> float:
        """Return the mean of 1 / distance over all ordered pairs of two vertices.

        A pair without a path and a distance of 0 add nothing. `networkx.global_efficiency` counts hops; here the
        distances are those that were added.

        Returns
        -------
        float
            The efficiency.

        Raises
        ------
        RequestError
            If not all n rows were added.

        Examples
        --------
        >>> import apsp
        >>> graph = apsp.from_edges([0, 1, 2], [1, 2, 3], [4, 1, 2], directed=False)
        >>> round(apsp.summary(graph).global_efficiency(), 3)
        0.404
        """
        self._feed.require_all("the global efficiency")
        return math.fsum(self._reciprocals) / (self.n * (self.n - 1)) if self.n > 1 else 0.0

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
        return self._bins.result(len(self.source_positions))

    def __repr__(self) -> str:
        longest = self.diameter
        found = "" if longest is None else f", diameter={longest.distance}"
        rows = len(self.source_positions)
        return f"Summary(n={self.n}, {rows} source{'s' if rows != 1 else ''}, {self._total.dtype}{found})"

    # -- private ------------------------------------------------------------------------------------------------------

    def _sums(self, direction: Direction) -> tuple[npt.NDArray[np.int64], npt.NDArray[Any], npt.NDArray[np.float64]]:
        one_of(direction, "direction", get_args(Direction))
        if direction == "out" or not self.directed:
            return self.reachable, self._total[self.source_positions], self._reciprocals[self.source_positions]
        if self._columns is None:
            raise RequestError("incoming distances were not kept: Summary(..., columns=True)")
        self._feed.require_all("a sum of incoming distances")
        return self._columns.sums()

    def _reaching_most(self) -> npt.NDArray[np.int32]:
        sources = self.source_positions
        reached = self._reached[sources]
        return sources[reached == reached.max()] if len(sources) else sources
