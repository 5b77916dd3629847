"""Few paths of a pair that differ much, as navigation systems offer them."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from apsp._types import USUAL, GraphLike, VerticesLike, WeightLike
from apsp.api.oracle.paths import as_links
from apsp.api.oracle.requests import paired
from apsp.api.pair_answers import pair_answers
from apsp.api.solving import solve
from apsp.errors import RequestError
from apsp.graph.accept import as_graph
from apsp.graph.links import kept_links
from apsp.graph.model import Graph
from apsp.graph.path_length import length
from apsp.methods.alternatives.via_paths import Limits, Tree, ViaPaths
from apsp.methods.problem import IntArray
from apsp.result.many_paths import ManyPaths
from apsp.running.public import public
from apsp.semiring import is_unreachable
from apsp.system.arguments import flag, number, whole_number
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

    A pair costs two searches of the graph, some passes over its vertices, and the distances of parts: a graph with
    small separators, as a road network, keeps an oracle for these (see `distance`).

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
    k = whole_number(k, "k", least=1)
    limits = Limits(
        float(number(stretch, "stretch", least=1)),
        _share(sharing, "sharing"),
        _share(local_optimality, "local_optimality"),
    )
    if graph.has_negative_arc:
        raise RequestError("alternatives are compared by shares of a length, and the graph has negative weights")
    if flag(links, "links"):
        kept_links(graph)
    backward = graph.reversed() if graph.directed else graph
    found: list[list[IntArray]] = []
    with reporting(progress) as report:
        advance = offset(report, "alternatives", 0, len(starts))
        for source, target in zip(starts.tolist(), ends.tolist(), strict=True):
            found.append(_paths(graph, backward, (source, target), k, limits))
            if advance is not None:
                advance(len(found))
    every = [path for paths in found for path in paths]
    nothing = np.zeros(0, dtype=np.int32)
    offsets = np.concatenate([[0], np.cumsum([len(path) for path in every], dtype=np.int64)])
    pairs = np.concatenate([[0], np.cumsum([len(paths) for paths in found], dtype=np.int64)])
    lengths = np.array([length(graph, path.tolist()) for path in every], dtype=_dtype(graph))
    vertices = np.concatenate([nothing, *every])
    paths = ManyPaths(offsets, vertices, lengths, graph.labels, graph=graph, pair_offsets=pairs)
    return as_links(graph, paths) if links else paths


def _dtype(graph: Graph) -> np.dtype[Any]:
    """int64, or the floats of the weights."""
    return np.dtype(np.int64) if graph.weights is None or graph.has_integer_weights else graph.weights.dtype


def _share(value: float, word: str) -> float:
    share = float(number(value, word, least=0))
    if share > 1:
        raise RequestError(f"{word} is a share of the distance, from 0 to 1, not {share:g}")
    return share


def _paths(graph: Graph, backward: Graph, pair: tuple[int, int], k: int, limits: Limits) -> list[IntArray]:
    forth = _tree(graph, pair[0])
    if np.isinf(forth.distances[pair[1]]):
        return []
    return ViaPaths(graph, forth, _tree(backward, pair[1]), limits, _distances(graph)).find(*pair, k)


def _tree(graph: Graph, root: int) -> Tree:
    result = solve(graph, sources=[graph.labels[root]], paths=True, device="cpu")
    distances = result.distances[0].astype(np.float64)
    distances[is_unreachable(result.distances[0])] = np.inf
    before = result.predecessors[0]
    return Tree(distances, np.where(before < 0, np.arange(graph.n, dtype=np.int32), before))


def _distances(graph: Graph) -> Any:
    """The distances of pairs of positions, which have paths."""
    answers = pair_answers(graph)

    def found(starts: IntArray, ends: IntArray) -> npt.NDArray[Any]:
        oracle = answers.count(len(starts))
        if oracle is not None:
            labels = graph.labels
            return oracle.distances(*([labels[vertex] for vertex in each.tolist()] for each in (starts, ends)))
        return np.array([answers.distance(*pair) for pair in zip(starts.tolist(), ends.tolist(), strict=True)])

    return found
