"""Sums and extremes of all distances."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

from apsp.errors import RequestError, shown
from apsp.graph.labels import Labels
from apsp.reductions.blocks import RowBlock
from apsp.reductions.component_block import columns_of
from apsp.reductions.distance_statistics import DistanceStatistics
from apsp.reductions.moments import Moments
from apsp.reductions.row_sums import RowSums
from apsp.reductions.totals import Totals
from apsp.reductions.vertex_measures import Direction
from apsp.reductions.wiener_indices import WienerIndices
from apsp.system.arguments import flag
from apsp.system.array_device import to_host
from apsp.system.limits import allowed_cores
from apsp.system.machine import threads_named
from apsp.system.thread_limit import threads_by_default

__all__ = ["MEASURES", "Direction", "Summary", "summarize"]

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


class Summary(WienerIndices):
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
