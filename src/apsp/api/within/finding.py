"""All pairs of vertices within a cutoff."""

from __future__ import annotations

from typing import Literal, Unpack

from apsp._types import GraphLike, VerticesLike
from apsp.api.within.job import Parts, within_job
from apsp.api.within.near_pairs import NearPairs
from apsp.facts.keywords import SearchKeywords
from apsp.facts.request import Request
from apsp.graph.places import Places
from apsp.running.public import public
from apsp.running.run import run_job

__all__ = ["within"]


@public
def within(
    graph: GraphLike,
    cutoff: float,
    *,
    sources: VerticesLike | Places | None = None,
    targets: VerticesLike | Places | None = None,
    next_hop: bool = False,
    k: int | None = None,
    sort: Literal["distance", "target"] | str = "distance",  # noqa: PYI051 - completed by editors
    **keywords: Unpack[SearchKeywords],
) -> NearPairs:
    """Find all pairs of vertices within a cutoff of each other: a row per source, with what is near and no more.

    Parameters
    ----------
    {graph}
    cutoff : int or float
        The longest distance, itself included, at least 0. Infinity includes every pair with a path.
    sources : vertex or sequence of vertices, or Places, optional
        The rows, in this order, also repeated; all vertices by default.
    targets : vertex or sequence of vertices, or Places, optional
        Only pairs with these targets; one that is given twice counts once.
    next_hop : bool
        Keep the vertex after the source on a shortest path: 4 bytes per pair.
    k : int, optional
        At most so many pairs per source: the nearest targets, of equally near ones the first in the graph.
    sort : {'distance', 'target'}
        Order of the pairs of a source: nearest first, and equally near targets in the order of the graph; or all
        targets in the order of the graph.
    {search_options}

    Returns
    -------
    NearPairs
        The pairs, as arrays, a sparse array of SciPy, and tables.

    Raises
    ------
    GraphError, DtypeRangeError
        If the input is invalid, or the dtype does not hold the distances.
    RequestError
        If the request is invalid, names a GPU, or a length is negative.
    MemoryLimitError
        If the pairs do not fit into memory: before the work, from a few sources, or when there are too many.
    ExecutorError
        If an engine (`executor`) or one of its workers fails.

    See Also
    --------
    stream_within : The same pairs by blocks of sources, in memory or into a file.
    k_nearest : The k nearest vertices of every source, as matrices.
    accessibility : Sums over what is within cutoffs.

    Notes
    -----
    A source is one of its own targets, at distance 0, as in the rows of `apsp.solve`.

    Dijkstra's method searches from every source up to the cutoff, and resets only what it has written: a source takes
    the time of what is near. Pairs take 4 bytes, those of a distance, and 4 for the next hop; twice that while they
    are joined.

    Examples
    --------
    >>> import apsp
    >>> streets = apsp.from_edges([0, 1, 2], [1, 2, 3], [4, 3, 2], directed=False, labels=["a", "b", "c", "d"])
    >>> found = apsp.within(streets, 4)
    >>> {source: found[source].targets.tolist() for source in found}
    {'a': ['a', 'b'], 'b': ['b', 'c', 'a'], 'c': ['c', 'd', 'b'], 'd': ['d', 'c']}
    >>> found = apsp.within(streets, 9, sources="a", targets=["c", "d"], next_hop=True)
    >>> found.distances.tolist(), found.next_hops.tolist()
    ([7, 9], ['b', 'b'])
    """
    options = Request.of(**keywords)
    job = within_job(graph, cutoff, sources, targets, next_hop=next_hop, k=k, sort=sort, options=options)
    job.check_memory()
    found: Parts = {}
    run_job(job, found)
    return job.result(found)
