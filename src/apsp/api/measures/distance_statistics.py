"""Means, quantiles and histograms of the distances between groups of vertices, or per source."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from apsp._types import BytesLike, DeviceLike, DTypeLike, GraphLike, MethodName, PathLike, VerticesLike
from apsp.api.arguments import positions_of
from apsp.api.measures.groups import GroupsLike, groups_of
from apsp.api.measures.options import Options, described
from apsp.api.streaming import stream
from apsp.errors import MemoryLimitError, NegativeCycleError, RequestError, shown
from apsp.graph.accept import as_graph
from apsp.graph.model import Graph
from apsp.measures.distance_statistics import DistanceStatistics
from apsp.measures.groups import Groups
from apsp.measures.histogram import Bins
from apsp.measures.set_distances import SetDistances
from apsp.methods.problem import IntArray
from apsp.semiring import unreachable
from apsp.system.arguments import number, one_of, whole_number
from apsp.system.lack_of_memory import memory_errors
from apsp.system.limits import allowed_cores
from apsp.system.machine import Machine, threads_named, usable
from apsp.system.progress import Progress
from apsp.system.thread_limit import threads_by_default

__all__ = ["SetsWanted", "distance_statistics", "shares_of"]


@memory_errors
@described
def distance_statistics(
    graph: GraphLike,
    groups: GroupsLike | None = None,
    *,
    per: Literal["group", "source"] | str = "group",  # noqa: PYI051
    quantiles: float | Iterable[float] = (),
    bins: int = 0,
    edges: npt.ArrayLike | None = None,
    sources: VerticesLike | None = None,
    direction: Literal["out", "in"] | str = "out",  # noqa: PYI051
    cutoff: float | None = None,
    dtype: DTypeLike = "auto",
    method: MethodName = "auto",
    device: DeviceLike = "auto",
    gpu_memory: BytesLike | None = None,
    pages_file: PathLike | None = None,
    threads: int | None = None,
    rows: int | None = None,
    progress: Progress = False,
) -> DistanceStatistics:
    """Mean, extremes, quantiles and histogram of the distances within and between groups, or of each source.

    Parameters
    ----------
    {graph}
    groups : (n,) sequence, mapping, Series or sets of vertices, optional
        A group (any hashable name) per vertex, in the order of `graph.labels`; a mapping of vertices to groups, or a
        pandas Series whose index holds vertices; or disjoint sets of vertices, such as the communities of NetworkX,
        which are numbered from 0. Vertices that are left out, or whose group is None, are in no group: paths may
        lead through them, but do not start or end there. By default all vertices are one group, 'all'.
    per : {'group', 'source'}
        Rows of the result: groups of sources, or single sources.
    quantiles : number or sequence of numbers, optional
        Shares from 0 to 1. The quantile is the smallest distance that at least this share of the pairs do not
        exceed, as that of `numpy.quantile` with method='inverted_cdf'; 0.5 gives the median.
    bins : int
        Maximum number of bins of the histograms; 0 means no histograms. All have the same bins, whose width is a power
        of two that is chosen from the distances.
    edges : (B + 1,) increasing numbers, optional
        Bins of the histograms instead; distances outside are not counted.
    {sources}
    direction : {'out', 'in'}
        Distances from the sources to the groups, or to the sources from the groups; only with per='source'.
    {options}

    Returns
    -------
    DistanceStatistics
        Arrays per row and group, and tables.

    Raises
    ------
    {errors}

    See Also
    --------
    distance_histogram : All pairs in one histogram.
    accessibility : What is within reach of every vertex.

    Notes
    -----
    Pairs are ordered pairs of two different vertices; pairs without a path are left out, and
    `DistanceStatistics.pairs_without_path` counts them. In an undirected graph the numbers from a group to another are
    those of the way back.

    All numbers are exact for integer distances, and sums of floats are good to a few roundings. All distances are
    computed once. Quantiles between groups count the distances in up to 65,536 bins per pair of groups (fewer if there
    are many groups), and if several distances share the bin of a quantile, all distances are computed once more to
    count inside it: typically once if distances reach beyond 65,536, and up to three times for float64.

    Rows that a GPU computes are copied to the host, which reduces them.

    Examples
    --------
    >>> import apsp
    >>> graph = apsp.from_edges([0, 1, 2, 3, 4], [1, 2, 3, 4, 5], [4, 1, 9, 2, 5], directed=False)
    >>> found = apsp.distance_statistics(graph, [{0, 1, 2}, {3, 4, 5}], quantiles=[0.5, 0.9])
    >>> found.mean.round(2).tolist()
    [[3.33, 14.0], [14.0, 4.67]]
    >>> found.quantiles[0, 1].tolist()
    [14, 21]
    >>> apsp.distance_statistics(graph, per="source").mean[:, 0].tolist()
    [12.0, 8.8, 8.4, 8.4, 9.2, 13.2]
    """
    graph = as_graph(graph)
    one_of(per, "per", ("group", "source"))
    one_of(direction, "direction", ("out", "in"))
    if per == "group" and direction == "in":
        raise RequestError(
            "direction='in' is for per='source': the numbers to a group are those of its column, [:, group]"
        )
    given = positions_of(graph, sources, "sources")
    threads = threads_named(threads)
    options = Options(
        cutoff=cutoff, dtype=dtype, method=method, device=device, gpu_memory=gpu_memory, pages_file=pages_file,
        threads=threads, rows=rows, progress=progress,
    )  # fmt: skip
    wanted = SetsWanted(graph, groups, per, quantiles, bins, edges, given)
    sets = wanted.reducer(threads)
    turned = graph.reversed() if direction == "in" and graph.directed else graph
    chosen = None if wanted.once is None else graph.labels.take(wanted.once)
    try:
        while True:
            for block in stream(turned, sources=chosen, reuse=True, **options):
                sets.add(block)
            if not sets.end_pass():
                break
    except NegativeCycleError as error:
        if turned is graph:
            raise
        raise NegativeCycleError(error.positions[::-1], error.length, graph.labels) from None
    return wanted.result(sets)


class SetsWanted:
    """The checked request for statistics of sets, for the rows of some sources.

    Attributes
    ----------
    once : (S,) int32 or None
        Positions of the sources that are in a group, or all with per='source', ascending; None means all vertices.
    """

    def __init__(
        self,
        graph: Graph,
        groups: Any,
        per: str,
        quantiles: float | Iterable[float],
        bins: int,
        edges: npt.ArrayLike | None,
        given: IntArray | None,
    ) -> None:
        self.graph = graph
        self.groups = Groups.whole(graph.n) if groups is None else groups_of(graph, groups)
        self.per = per
        self.shares = shares_of(quantiles)
        self.bins, self.edges = whole_number(bins, "bins", least=0), edges
        self.given = given
        self.once = None if given is None else np.unique(given).astype(np.int32)
        if per == "group" and (self.groups.of < 0).any():  # the rows of other vertices belong to no group
            inside = np.flatnonzero(self.groups.of >= 0).astype(np.int32)
            self.once = inside if self.once is None else np.intersect1d(inside, self.once)

    @property
    def _sources(self) -> IntArray:
        return np.arange(self.graph.n, dtype=np.int32) if self.once is None else self.once

    def reducer(self, threads: int | None) -> SetDistances:
        """The reducer for one computation.

        Raises
        ------
        RequestError
            If bins or edges are invalid.
        MemoryLimitError
            If the numbers do not fit.
        """
        sources = self._sources
        if self.per == "group":
            cells, rows = self.groups.of.copy(), len(self.groups)
            chosen = np.zeros(self.graph.n, dtype=bool)
            chosen[sources] = True
            cells[~chosen] = -1
        else:
            cells, rows = np.full(self.graph.n, -1, dtype=np.int32), len(sources)
            cells[sources] = np.arange(rows, dtype=np.int32)
        self._check_memory(rows)
        return SetDistances(
            self.groups, cells, rows, each=self.per == "source", shares=np.sort(np.array(self.shares, dtype=float)),
            bins=self.bins, edges=self.edges, threads=threads or threads_by_default(allowed_cores()),
        )  # fmt: skip

    def _check_memory(self, rows: int) -> None:
        bins = len(Bins(self.bins, self.edges).counts)
        numbers = 10 + 2 * len(self.shares) + 2 * bins
        needed, machine = 8 * rows * len(self.groups) * numbers, Machine.detect()
        if needed > usable(machine):
            what = f"statistics of {rows:,} {self.per}s and {len(self.groups):,} groups"
            raise MemoryLimitError(what, needed, machine.memory_available, ["fewer groups, bins or sources"])

    def result(self, sets: SetDistances) -> DistanceStatistics:
        """What the reducer found, in the order in which sources and quantiles were given."""
        sums, pairs = sets.sums, sets.sums.pairs
        whole, total = _as_many(self, sets), sums.totals()
        none = unreachable(sums.least.dtype)
        some = pairs > 0
        quantiles = np.empty((*pairs.shape, 0), dtype=sums.least.dtype)
        if sets.quantiles is not None:
            order = np.searchsorted(sets.shares, np.array(self.shares, dtype=float))
            quantiles = np.where(some[..., None], sets.quantiles.result()[:, :, order], none).astype(sums.least.dtype)
        edges, counts = (None, None) if sets.counts is None else sets.counts.result()
        is_each = self.per == "source"
        picked: Any = slice(None)
        if is_each and self.given is not None and self.once is not None:
            picked = np.searchsorted(self.once, self.given)
        positions = None if not is_each else self._sources if self.given is None else self.given.astype(np.int32)
        return DistanceStatistics(
            self.groups.names, self.per, positions, self.graph.labels, pairs[picked], (whole - pairs)[picked],
            total[picked], sums.means()[picked], np.where(some, sums.least, none)[picked],
            np.where(some, sums.largest, none)[picked], self.shares, quantiles[picked], edges,
            None if counts is None else counts[picked],
        )  # fmt: skip


def _as_many(wanted: SetsWanted, sets: SetDistances) -> npt.NDArray[np.int64]:
    """The numbers of ordered pairs of two different vertices, (R, G)."""
    groups, cells = wanted.groups, sets.cells
    sources = np.flatnonzero(cells >= 0)
    found = np.bincount(cells[sources], minlength=len(sets.sums.pairs))[:, None] * groups.sizes[None, :]
    inside = sources[groups.of[sources] >= 0]
    np.subtract.at(found, (cells[inside], groups.of[inside]), 1)
    return found


def shares_of(quantiles: Any) -> tuple[float, ...]:
    """Shares from 0 to 1, from one or several.

    Raises
    ------
    RequestError
        If one is not a number from 0 to 1.
    """
    several = isinstance(quantiles, Iterable) and not isinstance(quantiles, (str, bytes))
    several = several and not (isinstance(quantiles, np.ndarray) and quantiles.ndim == 0)
    try:
        given = list(quantiles) if several else [quantiles[()] if isinstance(quantiles, np.ndarray) else quantiles]
    except Exception as error:  # of an odd sequence
        raise RequestError(f"quantiles must be numbers from 0 to 1, not {shown(quantiles)}") from error
    found = tuple(float(number(share, "quantiles")) for share in given)
    for share in found:
        if not 0 <= share <= 1:
            raise RequestError(f"quantiles must be numbers from 0 to 1, not {share:g}")
    return found
