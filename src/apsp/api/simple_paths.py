"""The k shortest paths of pairs that visit no vertex twice, and the k shortest walks."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from apsp._types import USUAL, GraphLike, VerticesLike, WeightLike
from apsp.api.oracle.requests import paired
from apsp.facts.request import Request
from apsp.graph.accept import as_graph, graph_with_turns
from apsp.graph.model import Graph
from apsp.graph.path_length import link_count
from apsp.graph.places import Places
from apsp.graph.places.placed import placed
from apsp.graph.turns.entered import streets_of
from apsp.graph.turns.turn_graph import TurnGraph
from apsp.methods.problem import IntArray
from apsp.methods.simple_paths.simple_paths import FoundPaths, SimplePathSearch, joined
from apsp.methods.walks.walks import WalkSearch
from apsp.result.many_paths import ManyPaths
from apsp.result.path_links import finished
from apsp.running.planned_rows import planned_rows
from apsp.running.public import public
from apsp.system.arguments import flag, whole_number
from apsp.system.array_device import to_host
from apsp.system.machine import threads_from
from apsp.system.progress import Progress, offset, reporting

__all__ = ["find_simple_paths", "shortest_simple_paths", "shortest_walks"]

_MOST = 2**62
"""No pair has more paths that fit into a memory."""


@public
def shortest_simple_paths(
    graph: GraphLike, sources: VerticesLike | Places, targets: VerticesLike | Places, k: int, *,
    weight: WeightLike = USUAL, links: bool = False, threads: int | None = None, progress: Progress = False,
) -> ManyPaths:  # fmt: skip
    """Find the k shortest simple paths of one pair or of many: paths that visit no vertex twice.

    Parameters
    ----------
    {graph}
    sources, targets : sequences of k vertices, one vertex, or Places
        The i-th pair is that of the i-th source and the i-th target. One vertex is paired with each of the others. A
        path of places begins and ends with their labels, as in `shortest_path`.
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
    shortest_walks : Paths that may visit vertices several times, also of graphs with turns.
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
    return _paths(SimplePathSearch, as_graph(graph, weight=weight), sources, targets, k, links, threads, progress)


@public
def shortest_walks(
    graph: GraphLike | TurnGraph, sources: VerticesLike | Places, targets: VerticesLike | Places, k: int, *,
    weight: WeightLike = USUAL, links: bool = False, threads: int | None = None, progress: Progress = False,
) -> ManyPaths:  # fmt: skip
    """Find the k shortest walks of one pair or of many: paths that may visit vertices and arcs several times.

    Parameters
    ----------
    {graph}
        With turns, too, which are forbidden or cost what `with_turns` says.
    sources, targets : sequences of k vertices, one vertex, or Places
        As for `shortest_simple_paths`.
    k : int
        Walks per pair, at least 1.
    {weight}
    links : bool
        The numbers of the links in place of the vertices.
    {threads}
    {progress}

    Returns
    -------
    ManyPaths
        As of `shortest_simple_paths`, in the same order. From a vertex to itself the first walk has length 0.

    Raises
    ------
    GraphError, RequestError, NegativeCycleError, DtypeRangeError, MemoryLimitError
        As `shortest_simple_paths`.

    Notes
    -----
    Walks that pass their target and come back count. Cycles of length zero are walked as often as it takes to find k
    walks. Two walks differ if their vertices do: of parallel links, each takes the best; in a graph with turns, the
    best of those after which the same turns are possible.

    Walks are found one by one, each as a deviation from another one (Eppstein 1998), with distances to the target as
    bounds. A walk costs the vertices after its last deviation.

    Examples
    --------
    >>> import apsp
    >>> roads = [("a", "b", 2), ("a", "c", 3), ("b", "c", 2), ("b", "d", 5), ("c", "d", 3)]
    >>> walks = apsp.shortest_walks(apsp.from_edges(roads, directed=False), "a", "d", k=5)
    >>> list(walks)[3:], walks.distances.tolist()
    ([['a', 'b', 'a', 'c', 'd'], ['a', 'c', 'b', 'c', 'd']], [6, 7, 7, 10, 10])
    """
    searched = graph_with_turns(graph, weight=weight)
    return _paths(WalkSearch, searched, sources, targets, k, links, threads, progress)


def _paths(
    kind: type[SimplePathSearch], graph: Graph, sources: VerticesLike | Places, targets: VerticesLike | Places, k: int,
    links: bool, threads: int | None, progress: Progress,
) -> ManyPaths:  # fmt: skip
    streets = placed(streets_of(graph), leaving=(sources,), entering=(targets,), rows=sources)
    graph = streets if graph._turned is None else placed(graph, leaving=(sources,), entering=(targets,), rows=sources)
    starts, ends = paired(graph, sources, targets)
    k = min(whole_number(k, "k", least=1), _MOST)
    if flag(links, "links"):
        link_count(graph)
    found = find_simple_paths(graph, starts, ends, k, kind, threads=threads, progress=progress)
    return finished(graph, found.of(graph), links, streets)


def find_simple_paths(
    graph: Graph, starts: IntArray, ends: IntArray, k: int, kind: type[SimplePathSearch] = SimplePathSearch, *,
    threads: int | None = None, progress: Progress = False,
) -> FoundPaths:  # fmt: skip
    """Find the k shortest simple paths of pairs of positions, or walks, in the order of the pairs."""
    search = kind(graph, starts)
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
                threads=threads_from(threads), progress=offset(report, search.stage, first, len(starts)),
            ))  # fmt: skip
            first, row = last, row + len(dist)
    return joined(parts, order)
