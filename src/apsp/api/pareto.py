"""All paths of pairs that no other path beats in two costs."""

from __future__ import annotations

from apsp._types import GraphLike, VerticesLike
from apsp.api.oracle.requests import paired
from apsp.graph.accept import as_graph
from apsp.methods.pareto.pareto import MOST_LABELS, ParetoSearch
from apsp.result.pareto_paths import ParetoPaths
from apsp.running.public import public
from apsp.system.arguments import whole_number
from apsp.system.machine import threads_from
from apsp.system.progress import Progress, offset, reporting

__all__ = ["pareto"]


@public
def pareto(
    graph: GraphLike,
    cost: str,
    sources: VerticesLike,
    targets: VerticesLike,
    *,
    most: int = 10_000_000,
    threads: int | None = None,
    progress: Progress = False,
) -> ParetoPaths:
    """Find all compromises between the length and another cost, for one pair or many: the paths that no path beats.

    A path beats another one of its pair if none of its two costs is larger, and one is smaller.

    Parameters
    ----------
    {graph}
        Its weights are one cost, and have costs beside them (`Graph.costs`). None is negative.
    cost : str
        The name of the other cost.
    {pairs}
    most : int
        Labels of a pair, at least 1. A label is a path from the source to some vertex that the search keeps; there may
        be exponentially many. If a pair needs more, this is an error, and no path is returned.
    {threads}
    {progress}

    Returns
    -------
    ParetoPaths
        The paths of the first pair, then those of the second, and so on; `of_pair(i)` are those of pair i, ascending by
        the weights, descending by the other cost: one path for each pair of costs that no path beats, nothing if there
        is no path. Sums are int64; of floats they have their width.

    Raises
    ------
    GraphError
        If the graph is invalid or a vertex does not exist.
    RequestError
        If the graph has no such cost, a weight or a cost is negative, there are not as many sources as targets, the
        graph has turns, or a pair has more than `most` labels.
    DtypeRangeError
        If a path may cost more than 2^61.
    MemoryLimitError
        If the labels and the paths do not fit into memory.

    See Also
    --------
    alternatives : Few paths that differ much.
    skim : The sums of other costs along shortest paths.

    Notes
    -----
    Of parallel links (`Graph.links`) each one is an arc of its own. Paths do not pass through zones. Which of several
    paths with equal costs is found is not specified, but the same in every call. Floats are summed from the source in
    float64, compared, and then rounded to float32 if this is what they are.

    The search is that of Hernández Ulloa et al. (2020), with lower bounds of both costs by two searches from the
    target.

    Examples
    --------
    >>> import apsp
    >>> roads = apsp.from_edges([0, 0, 1, 1], [1, 2, 2, 2], [2, 7, 2, 3], costs={"toll": [1, 0, 5, 3]}, links=True)
    >>> found = apsp.pareto(roads, "toll", 0, 2)
    >>> list(found), found.distances.tolist(), found.costs.tolist()
    ([[0, 1, 2], [0, 1, 2], [0, 2]], [4, 5, 7], [6, 4, 0])
    >>> list(found.links)
    [[0, 2], [0, 3], [1]]
    """
    graph = as_graph(graph)
    starts, ends = paired(graph, sources, targets)
    most = whole_number(most, "most", least=1, most=MOST_LABELS)
    search = ParetoSearch(graph, cost)
    with reporting(progress) as report:
        advance = offset(report, "pareto", 0, len(starts))
        return search.find(starts, ends, most, threads=threads_from(threads), progress=advance)
