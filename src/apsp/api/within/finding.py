"""All pairs of vertices within a cutoff."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import Literal, Unpack

from apsp._types import ArrayLike, GraphLike, VerticesLike
from apsp.api.within.job import Parts, within_job
from apsp.errors import RequestError
from apsp.facts.keywords import NearKeywords
from apsp.facts.request import Request
from apsp.graph.labels.placed import PlacedLabels
from apsp.graph.model import Graph
from apsp.graph.places import Places
from apsp.graph.table_file import check_arrow_labels
from apsp.graph.turns.turn_graph import TurnGraph
from apsp.result.near_pairs import NearPairs
from apsp.running.public import public
from apsp.running.run import run_job

__all__ = ["within"]


@public
def within(
    graph: GraphLike | TurnGraph,
    cutoff: float,
    *,
    sources: VerticesLike | Places | None = None,
    targets: VerticesLike | Places | None = None,
    next_hop: bool = False,
    along: Sequence[str] | Mapping[str, ArrayLike | Graph] | None = None,
    k: int | None = None,
    sort: Literal["distance", "target"] | str = "distance",  # noqa: PYI051 - completed by editors
    **keywords: Unpack[NearKeywords],
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
    along : sequence of str, or mapping of str to (m,) numbers or Graph, optional
        Other costs of the arcs, at most 15, whose sums along the shortest path of each pair are kept, 8 bytes per pair
        and cost: as for `apsp.skim`, names of costs of the graph, arrays by name, or graphs with the same arcs.
    k : int, optional
        At most so many pairs per source: the nearest targets, of equally near ones the first in the graph.
    sort : {'distance', 'target'}
        Order of the pairs of a source: nearest first, and equally near targets in the order of the graph; or all
        targets in the order of the graph.
    {near_options}

    Returns
    -------
    NearPairs
        The pairs, as arrays, a sparse array of SciPy, and tables; with `store` these are `StoredNearPairs`, which read
        the pairs of a source, or of a block of sources, when they are requested.

    Raises
    ------
    GraphError, DtypeRangeError
        If the input is invalid, the dtype does not hold the distances, or float64 not the sums of integers.
    RequestError
        If the request is invalid, names a GPU together with `along`, or a length is negative; if the store is of
        another graph or request.
    DeviceError
        If the device does not exist.
    MemoryLimitError
        If the pairs (with a store, those of some sources) do not fit into memory: before the work, from a few sources,
        or when there are too many.
    ExecutorError
        If an engine (`executor`) or one of its workers fails.
    OutputError
        If a store cannot be written; what is there stays.

    See Also
    --------
    stream_within : The same pairs by blocks of sources, in memory or into a file.
    k_nearest : The k nearest vertices of every source, as matrices.
    accessibility : Sums over what is within cutoffs.

    Notes
    -----
    A source is one of its own targets, at distance 0, as in the rows of `apsp.solve`.

    A search of Dijkstra from every source as far as the cutoff, label correcting from many sources at once, or the
    sweeps of elimination: what some sources reach decides, and the distances are the same. A source takes the time of
    what is near. Pairs take 4 bytes, those of a distance, and 4 for the next hop; twice that while they are joined.

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

    With the sums of another cost, in a store, which the same call completes after an interruption:

    >>> import pyarrow, zarr
    >>> kept = apsp.within(streets, 4, along={"stairs": [0, 0, 12, 12, 0, 0]}, store="near.zarr")
    >>> kept
    StoredNearPairs(4 sources, 10 pairs within 4, uint16, 'near.zarr')
    >>> kept["b"].targets.tolist(), kept["b"].along["stairs"].tolist()
    (['b', 'c', 'a'], [0, 12, 0])
    """
    options = Request.of(**keywords)
    job = within_job(
        graph, cutoff, sources, targets, next_hop=next_hop, along=along, k=k, sort=sort, options=options
    )  # fmt: skip
    found: Parts = {}
    if options.store is None:
        job.check_memory()
        run_job(job, found)
        return job.result(found)
    if isinstance(job.graph.labels, PlacedLabels) and job.graph.labels.parts:
        raise RequestError(
            "a store of pairs keeps vertices, not places: leave out store=; apsp.stream_within(...).write(path) writes "
            "pairs of places to a file"
        )
    check_arrow_labels(job.graph.labels, "a store of pairs")
    started = time.perf_counter()
    done = run_job(job, found).store
    assert done is not None
    from apsp.api.stored.stored_near_pairs import StoredNearPairs  # with the first store: `import apsp` stays quick

    stored = StoredNearPairs(done.storage, done.header, done.problem)
    stored.info |= {"seconds": time.perf_counter() - started, "rows_computed": done.computed}
    return stored
