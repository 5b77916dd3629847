"""The k shortest paths of pairs that visit no vertex twice."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from apsp._types import USUAL, GraphLike, VerticesLike, WeightLike
from apsp.api.oracle.paths import as_links
from apsp.api.oracle.requests import paired
from apsp.facts.request import Request
from apsp.graph.accept import as_graph
from apsp.graph.links import kept_links
from apsp.graph.model import Graph
from apsp.methods.problem import IntArray
from apsp.methods.simple_paths.simple_paths import FoundPaths, SimplePathSearch, joined
from apsp.result.many_paths import ManyPaths
from apsp.running.planned_rows import planned_rows
from apsp.running.public import public
from apsp.system.arguments import flag, whole_number
from apsp.system.array_device import to_host
from apsp.system.machine import threads_from
from apsp.system.progress import Progress, offset, reporting

__all__ = ["find_simple_paths", "shortest_simple_paths"]

_MOST = 2**62
"""No pair has more paths that fit into a memory."""


@public
def shortest_simple_paths(
    graph: GraphLike,
    sources: VerticesLike,
    targets: VerticesLike,
    k: int,
    *,
    weight: WeightLike = USUAL,
    links: bool = False,
    threads: int | None = None,
    progress: Progress = False,
) -> ManyPaths:
    """Find the k shortest simple paths of one pair or of many: paths that visit no vertex twice.

    Parameters
    ----------
    {graph}
    {pairs}
    k : int
        Paths per pair, at least 1. A pair that has fewer has all of them, and none if there is no path.
    {weight}
    links : bool
        The numbers of the links of the paths, positions in `Graph.links`, in place of their vertices.
    {threads}
    {progress}

    Returns
    -------
    ManyPaths
        The paths of the first pair by length, then those of the second, and so on; `of_pair(i)` are those of pair i.
        Paths of a pair with the same length (of floats: the same sum) are ordered by the positions of their vertices,
        lexicographically. If more paths have the length of the k-th than there is room for, which of them are found is
        not specified, but the same in every call. The lengths are int64; with float weights floats of their width.

    Raises
    ------
    GraphError
        If the graph is invalid or a vertex does not exist.
    RequestError
        If there are not as many sources as targets, k is not a whole number of at least 1, the graph keeps no links, it
        has turns, or float weights are negative.
    NegativeCycleError
        If a source reaches a cycle of negative length.
    DtypeRangeError
        If a path may be longer than 2^61.
    MemoryLimitError
        If the paths do not fit into memory.

    See Also
    --------
    alternatives : Few paths that differ much.
    shortest_path : One path.

    Notes
    -----
    Two paths differ if their vertices do: of parallel links, each path takes the best. Arcs may have length zero. Paths
    do not pass through zones, but for their ends. From a vertex to itself there is one path, of length 0. Lengths of
    floats are summed up from the source, in float64, and then rounded to float32 if this is what the weights are.

    The distances of all vertices to each target are computed first, by what the planner chooses. They bound each search
    for a path that leaves another one (Yen 1971, with the partition of Lawler 1972), so that most searches are short,
    and bounds replace most searches (Kurz and Mutzel 2016). Pairs with the same target share a row. The time and the
    memory per path are proportional to its vertices.

    Examples
    --------
    >>> import apsp
    >>> roads = [("a", "b", 2), ("a", "c", 3), ("b", "c", 2), ("b", "d", 5), ("c", "d", 3)]
    >>> paths = apsp.shortest_simple_paths(apsp.from_edges(roads, directed=False), "a", "d", k=3)
    >>> list(paths), paths.distances.tolist()
    ([['a', 'c', 'd'], ['a', 'b', 'c', 'd'], ['a', 'b', 'd']], [6, 7, 7])
    """
    graph = as_graph(graph, weight=weight)
    starts, ends = paired(graph, sources, targets)
    k = min(whole_number(k, "k", least=1), _MOST)
    if flag(links, "links"):
        kept_links(graph)
    found = find_simple_paths(graph, starts, ends, k, threads=threads, progress=progress)
    lengths = found.lengths
    if not graph.has_integer_weights and graph.weights is not None:
        with np.errstate(over="ignore"):
            lengths = lengths.astype(graph.weights.dtype)
    pairs = np.concatenate([[0], np.cumsum(found.counts)])
    paths = ManyPaths(found.offsets, found.vertices, lengths, graph.labels, graph=graph, pair_offsets=pairs)
    return as_links(graph, paths) if links else paths


def find_simple_paths(
    graph: Graph, starts: IntArray, ends: IntArray, k: int, *, threads: int | None = None, progress: Progress = False
) -> FoundPaths:
    """Find the k shortest simple paths of pairs of positions, in the order of the pairs."""
    search = SimplePathSearch(graph, starts)
    order: npt.NDArray[np.int64] = np.argsort(ends, kind="stable")
    distinct, rows_of = np.unique(ends[order], return_inverse=True)
    starts, ends = starts[order], ends[order]
    if not len(distinct):
        return search.find(
            np.empty((0, graph.n), dtype=search.dtype), starts, starts, ends, k, threads=1, progress=None
        )
    parts = []
    request = Request.of(dtype=search.dtype.name, device="cpu", threads=threads).of_rows(distinct, None)
    rows = planned_rows(search.to_targets, distinct.astype(np.int32), None, request)
    first = row = 0
    with reporting(progress) as report:
        for block in rows.blocks(reuse=True, progress=False, where_computed=False):
            dist = to_host(block.distances)
            last = int(np.searchsorted(rows_of, row + len(dist)))
            part = slice(first, last)
            parts.append(search.find(
                dist, (rows_of[part] - row).astype(np.int32), starts[part], ends[part], k,
                threads=threads_from(threads), progress=offset(report, "simple paths", first, len(starts)),
            ))  # fmt: skip
            first, row = last, row + len(dist)
    return joined(parts, order)
