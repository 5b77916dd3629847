"""Means, quantiles and histograms of the distances between groups of vertices, or per source."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, Unpack

import numpy.typing as npt

from apsp._types import GraphLike, VerticesLike
from apsp.errors import NegativeCycleError, RequestError
from apsp.facts.keywords import RunKeywords
from apsp.facts.request import Request
from apsp.graph.accept import as_graph
from apsp.graph.model import Graph
from apsp.measures.groups import GroupsLike
from apsp.measures.set_arrays import SetArrays
from apsp.measures.set_statistics import SetsRequest, SetStatistics, numbers_to_send
from apsp.reductions.distance_statistics import DistanceStatistics
from apsp.reductions.set_distances import SetDistances
from apsp.running.arguments import positions_of
from apsp.running.public import public
from apsp.running.run import run
from apsp.system.arguments import one_of

__all__ = ["distance_statistics"]


@public
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
    **keywords: Unpack[RunKeywords],
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

    See Also
    --------
    distance_histogram : All pairs in one histogram.
    accessibility : What is within reach of every vertex.

    Notes
    -----
    Pairs are ordered pairs of two different vertices; pairs without a path are left out, and
    `DistanceStatistics.pairs_without_path` counts them. In an undirected graph the numbers from a group to another are
    those of the way back.

    All numbers are exact for integer distances, and quantiles and extremes for floats, too. The floats of a row are
    added up to a few roundings, and these sums exactly, with one rounding at the end: totals depend on the distances
    alone, not on blocks, threads or workers.

    All distances are computed once. Quantiles between groups count the distances in up to 65,536 bins per pair of
    groups (fewer if there are many groups), and if several distances share the bin of a quantile, all distances are
    computed once more to count inside it: typically once if distances reach beyond 65,536, and up to three times for
    float64.

    With `executor`, a task returns the numbers of the groups that its sources belong to: with quantiles, the counts
    above zero. If that may be more than 8 MiB, sources are computed group by group, so that a task has few of them.
    Each further pass sends the tasks the bins in which to count. The numbers are those without an executor, to the
    last bit if the distances are (floats of another method may be rounded in another way).

    With `store`, a source has a row in each array with per='source', and a block of sources has one otherwise, in which
    the sums of floats are kept exactly: a call that was interrupted goes on with the same numbers, to the last bit.
    Quantiles between groups, which may take several passes, are refused.

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
    options = Request.of(**keywords)
    request = SetsRequest(graph, groups, per, quantiles, bins, edges, given)
    turned = graph.reversed() if direction == "in" and graph.directed else graph
    try:
        sets = _reduced(turned, request, options)
    except NegativeCycleError as error:
        if turned is graph:
            raise
        raise NegativeCycleError(error.positions[::-1], error.length, graph.labels) from None
    return request.result(sets)


def _reduced(graph: Graph, request: SetsRequest, options: Request) -> SetDistances:
    """What the rows of the graph add up to."""
    sets = request.reducer(options.threads)
    reduction = SetStatistics(SetArrays(numbers_to_send(sets)))
    if len(request.groups) or options.store is None:
        run(reduction, sets, graph, request.once, options)
    return sets
