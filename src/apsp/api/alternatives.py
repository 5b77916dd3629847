"""Few paths of a pair that differ much, as navigation systems offer them."""

from __future__ import annotations

import numpy as np

from apsp._types import USUAL, GraphLike, VerticesLike, WeightLike
from apsp.api.oracle.requests import paired
from apsp.api.planning import plan
from apsp.api.solving import solve
from apsp.graph.accept import as_graph
from apsp.graph.links import kept_links
from apsp.graph.model import Graph
from apsp.methods.alternatives.via_paths import Limits, Trees, ViaPaths, share
from apsp.methods.problem import IntArray
from apsp.result.many_paths import ManyPaths
from apsp.result.path_links import as_links
from apsp.running.public import public
from apsp.system.arguments import flag, number, whole_number
from apsp.system.machine import threads_from
from apsp.system.progress import Progress, offset, reporting

__all__ = ["alternatives"]


@public
def alternatives(
    graph: GraphLike,
    sources: VerticesLike,
    targets: VerticesLike,
    k: int = 3,
    *,
    stretch: float = 1.25,
    sharing: float = 0.8,
    local_optimality: float = 0.25,
    weight: WeightLike = USUAL,
    links: bool = False,
    threads: int | None = None,
    progress: Progress = False,
) -> ManyPaths:
    """Find a shortest path of one pair or of many, and alternatives that differ much and have no needless detours.

    Every alternative leads by way of some vertex: it is a shortest path to this vertex, followed by a shortest path
    from it, and visits no vertex twice. With d, the distance of the pair, it satisfies three limits:

    - it is at most `stretch` * d long;
    - the arcs that it shares with the paths before it (of this pair) have a length of at most `sharing` * d;
    - it is locally optimal: every part of it that, without its last arc, is shorter than `local_optimality` * d is a
      shortest path.

    Parameters
    ----------
    {graph}
        Its weights are not negative.
    {pairs}
    k : int
        Paths per pair, the shortest one included, at least 1. There are fewer if fewer satisfy the limits.
    stretch : float
        At least 1.
    sharing : float
        From 0 to 1.
    local_optimality : float
        From 0, no limit, to 1.
    {weight}
    links : bool
        The numbers of the links of the paths, positions in `Graph.links`, in place of their vertices.
    {threads}
    {progress}

    Returns
    -------
    ManyPaths
        The paths of the first pair, then those of the second, and so on; `of_pair(i)` are those of pair i: a shortest
        path, then alternatives in the order in which they are chosen, and nothing if there is no path.

    Raises
    ------
    GraphError
        If the graph is invalid or a vertex does not exist.
    RequestError
        If there are not as many sources as targets, a limit is out of range, a weight is negative, the graph keeps no
        links, or it has turns.
    DtypeRangeError, MemoryLimitError
        If no dtype holds the distances, or they do not fit into memory.

    See Also
    --------
    shortest_simple_paths : The k shortest paths, which may differ little.

    Notes
    -----
    The limits are those of Abraham, Delling, Goldberg and Werneck (2013). The vertices of a plateau, a part that the
    shortest path trees from the source and to the target have in common, have the same path. Of the paths that satisfy
    the limits, the one with the least 2 * length + (length shared with the shortest path) - (length of the plateau) is
    chosen, then the next one that satisfies the limit of sharing with those chosen before. The paper tests local
    optimality by one part around the vertex, and so refuses some paths that are locally optimal; here all parts count.
    Of several shortest paths to or from a vertex, only the one in the tree is looked at. Lengths of floats are compared
    up to rounding.

    A pair costs two searches of the graph, two passes over its vertices, and short searches for better parts, which
    the distances of the first two guide. Pairs are computed on all threads.

    Examples
    --------
    >>> import apsp
    >>> roads = [("a", "b", 4), ("b", "d", 4), ("a", "c", 5), ("c", "d", 4), ("a", "e", 1), ("e", "b", 4)]
    >>> paths = apsp.alternatives(apsp.from_edges(roads, directed=False), "a", "d")
    >>> list(paths), paths.distances.tolist()
    ([['a', 'b', 'd'], ['a', 'c', 'd']], [8, 9])
    """
    graph = as_graph(graph, weight=weight)
    starts, ends = paired(graph, sources, targets)
    k = min(whole_number(k, "k", least=1), graph.n + 1)
    shares = share(sharing, "sharing"), share(local_optimality, "local_optimality")
    search = ViaPaths(graph, Limits(float(number(stretch, "stretch", least=1)), *shares), k)
    if flag(links, "links"):
        kept_links(graph)
    count = threads_from(threads)
    backward = graph.reversed() if graph.directed else graph
    height = search.block(len(starts), count)
    parts = []
    with reporting(progress) as report:
        for first in range(0, len(starts), height):
            roots = starts[first : first + height], ends[first : first + height]
            trees = _trees(graph, roots[0], count), _trees(backward, roots[1], count)
            advance = offset(report, "alternatives", first, len(starts))
            parts.append(search.find(*roots, trees, threads=count, progress=advance))
    paths = search.joined(parts)
    return as_links(graph, paths) if links else paths


def _trees(graph: Graph, roots: IntArray, threads: int) -> Trees:
    """Of several shortest paths, those that one root alone would have, whatever the number of roots and threads."""
    method = plan(graph, sources=[graph.labels[int(roots[0])]], paths=True, device="cpu").method
    distinct, of_pairs = np.unique(roots, return_inverse=True)
    labels = [graph.labels[root] for root in distinct.tolist()]
    result = solve(graph, sources=labels, paths=True, device="cpu", method=method, threads=threads)
    return Trees.of(result.distances, result.predecessors, of_pairs)
