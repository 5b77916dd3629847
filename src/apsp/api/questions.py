"""Plain questions: the distance or the path between two vertices, distances of pairs, a table of distances."""

from __future__ import annotations

import math
from typing import Unpack, overload

import numpy as np

from apsp._types import USUAL, GraphLike, NumPyArray, Vertex, VertexLike, VerticesLike, WeightLike
from apsp.api.oracle.requests import dtype_for, paired
from apsp.api.pair_answers import pair_answers
from apsp.api.places.by_ends import distances_of_places, matrix_of_places, single
from apsp.api.places.place_paths import path_of_places, path_with_turns
from apsp.api.solving import solve
from apsp.errors import NegativeCycleError, NoPathError, RequestError
from apsp.facts.keywords import TableKeywords
from apsp.facts.request import Request
from apsp.graph.accept import graph_with_turns
from apsp.graph.device import DeviceGraph
from apsp.graph.model import Graph
from apsp.graph.path_length import own_path
from apsp.graph.places import Places
from apsp.graph.turns.turn_graph import TurnGraph
from apsp.methods.searches.bidirectional import is_searchable
from apsp.result.place_matrix import PlaceMatrix
from apsp.result.result import Result
from apsp.running.planned_rows import planned_rows
from apsp.running.public import public
from apsp.semiring import unreachable
from apsp.system.array_device import to_host

__all__ = ["distance", "distances", "matrix", "shortest_path"]

_PAIRS_PER_ROW = 4
"""Pairs of one source from which a row of distances is computed for it, not a search for each."""


@public
def distance(
    graph: GraphLike | TurnGraph,
    source: VertexLike | Places,
    target: VertexLike | Places,
    *,
    weight: WeightLike = USUAL,
) -> int | float:
    """Return the length of a shortest path between two vertices or places.

    Parameters
    ----------
    graph : Graph, SciPy sparse array, NetworkX graph or (n, n) array
        The graph, or an object that is converted to one, at every call: for several questions make a `Graph` once, by
        `apsp.as_graph(graph)`.
    source, target : hashable, or Places
        Vertices, as the graph labels them; or one place (`Graph.snap`) each.
    {weight}

    Returns
    -------
    int or float
        The length; `math.inf` if there is no path.

    Raises
    ------
    GraphError
        If the graph is invalid or a vertex does not exist.
    NegativeCycleError
        If the source reaches a cycle of negative length.

    See Also
    --------
    distances : Many pairs at once.
    matrix : All pairs of some sources and some targets.
    prepare : The oracle of a graph, with options.

    Notes
    -----
    Two searches, from the source and backwards from the target, meet halfway. With the third question (a pair of
    `distances` is one, too) about a `Graph` whose separators are small, as in road networks, an oracle is prepared and
    kept with the graph as long as it lives: that call takes longer, all others microseconds. With float weights, the
    search and the oracle add in different orders, so that last digits may differ.

    Examples
    --------
    >>> import apsp
    >>> roads = apsp.from_edges([("Rome", "Florence", 273), ("Florence", "Milan", 305)], directed=False)
    >>> apsp.distance(roads, "Rome", "Milan")
    578
    """
    graph = graph_with_turns(graph, weight=weight)
    if isinstance(source, Places) or isinstance(target, Places):
        return float(distances_of_places(graph, *single(source, target), distances, of_graph=True)[0])
    s, t = graph.index(source), graph.index(target)
    answers = pair_answers(graph)
    oracle = answers.count(1)
    return answers.distance(s, t) if oracle is None else oracle.distance(source, target)


@public
def shortest_path(
    graph: GraphLike | TurnGraph,
    source: VertexLike | Places,
    target: VertexLike | Places,
    *,
    weight: WeightLike = USUAL,
) -> list[Vertex]:
    """Return the vertices of a shortest path between two vertices, both ends included; [v] for a vertex to itself.

    The path between places has the label of the place, the vertices that it passes, and the label of the other place;
    `distance` is its length.

    Parameters
    ----------
    graph : Graph, SciPy sparse array, NetworkX graph or (n, n) array
        As in `distance`.
    source, target : hashable, or Places
        Vertices, as the graph labels them; or one place (`Graph.snap`) each.
    {weight}

    Returns
    -------
    list
        The vertices, as the graph labels them. Of several shortest paths any one.

    Raises
    ------
    GraphError
        If the graph is invalid or a vertex does not exist.
    NoPathError
        If there is no path.
    NegativeCycleError
        If the source reaches a cycle of negative length.

    Examples
    --------
    >>> import apsp
    >>> roads = apsp.from_edges([("Rome", "Florence", 273), ("Florence", "Milan", 305)], directed=False)
    >>> apsp.shortest_path(roads, "Rome", "Milan")
    ['Rome', 'Florence', 'Milan']
    """
    graph = graph_with_turns(graph, weight=weight)
    if isinstance(source, Places) or isinstance(target, Places):
        if graph._turned is not None:
            return path_with_turns(graph, source, target, pair_answers)
        return path_of_places(graph, source, target, pair_answers(graph))
    s, t = graph.index(source), graph.index(target)
    found = pair_answers(graph).path(s, t)
    if found is None:
        raise NoPathError(graph.word(s), graph.word(t))
    return [graph.labels[vertex] for vertex in own_path(graph, found)]


@public
def distances(
    graph: GraphLike | TurnGraph,
    sources: VerticesLike | Places,
    targets: VerticesLike | Places,
    *,
    weight: WeightLike = USUAL,
) -> NumPyArray:
    """Compute the lengths of shortest paths of pairs of vertices or places: the i-th from sources[i] to targets[i].

    {narrow_dtype}

    Parameters
    ----------
    graph : Graph, SciPy sparse array, NetworkX graph or (n, n) array
        As in `distance`.
    sources, targets : sequences of k vertices, one vertex, or Places
        The i-th pair is that of the i-th source and the i-th target. One vertex is paired with each of the others.
    {weight}

    Returns
    -------
    (k,) array
        The length of each pair; `apsp.unreachable(dtype)` where there is no path. float64 if some are places.

    Raises
    ------
    GraphError
        If the graph is invalid or a vertex does not exist.
    RequestError
        If there are not as many sources as targets.
    NegativeCycleError
        If a source reaches a cycle of negative length.
    DtypeRangeError, MemoryLimitError
        If no dtype holds the distances, or they do not fit into memory.

    See Also
    --------
    distance : One pair.
    matrix : All pairs of some sources and some targets.

    Examples
    --------
    >>> import apsp
    >>> roads = apsp.from_edges([("Rome", "Florence", 273), ("Florence", "Milan", 305)], directed=False)
    >>> apsp.distances(roads, ["Rome", "Milan"], ["Milan", "Florence"]).tolist()
    [578, 305]
    """
    graph = graph_with_turns(graph, weight=weight)
    for chosen, word in ((sources, "sources"), (targets, "targets")):
        if chosen is None:
            raise RequestError(f"{word} must be vertices, one per pair, not None; apsp.solve computes all distances")
    if isinstance(sources, Places) or isinstance(targets, Places):
        return distances_of_places(graph, sources, targets, distances, of_graph=True)
    starts, ends = paired(graph, sources, targets)
    answers = pair_answers(graph)
    oracle = answers.count(len(starts))
    if oracle is not None:
        return oracle.distances(sources, targets)
    order = np.argsort(starts, kind="stable")
    firsts, first_pairs = np.unique(starts[order], return_index=True)
    if is_searchable(graph) and len(firsts) * _PAIRS_PER_ROW > len(starts):
        found: NumPyArray = np.empty(len(starts), dtype=dtype_for(graph, "auto", None))
        for place, (s, t) in enumerate(zip(starts.tolist(), ends.tolist(), strict=True)):
            length = answers.distance(s, t)
            found[place] = unreachable(found.dtype) if math.isinf(length) else length
        return found
    begins = [*first_pairs.tolist(), len(starts)]
    device = "auto" if isinstance(graph, DeviceGraph) else "cpu"
    parts = [np.empty(0, dtype=np.int64)]
    row = 0
    request = Request.of(dtype=_dtype_of_rows(graph), device=device).of_rows(firsts, None)
    rows = planned_rows(graph, firsts.astype(np.int32), None, request)
    for block in rows.blocks(reuse=True, progress=False, where_computed=False):
        for line in to_host(block.distances):
            parts.append(line[ends[order[begins[row] : begins[row + 1]]]])
            row += 1
    found = np.concatenate(parts[1:] or parts)
    found[order] = found.copy()
    return found


def _dtype_of_rows(graph: Graph) -> str:
    """The dtype that holds all distances, as for single pairs; 'auto' if a cycle may be out of reach."""
    try:
        return dtype_for(graph, "auto", None).name
    except NegativeCycleError:
        return "auto"


@overload
def matrix(  # type: ignore[overload-overlap]
    graph: GraphLike | TurnGraph, sources: Places, targets: VerticesLike | Places | None = None, *,
    weight: WeightLike = USUAL, **keywords: Unpack[TableKeywords],
) -> PlaceMatrix: ...  # fmt: skip
@overload
def matrix(  # type: ignore[overload-overlap]
    graph: GraphLike | TurnGraph, sources: VerticesLike | None = None, *, targets: Places,
    weight: WeightLike = USUAL, **keywords: Unpack[TableKeywords],
) -> PlaceMatrix: ...  # fmt: skip
@overload
def matrix(
    graph: GraphLike | TurnGraph,
    sources: VerticesLike | None = None,
    targets: VerticesLike | None = None,
    *,
    weight: WeightLike = USUAL,
    **keywords: Unpack[TableKeywords],
) -> Result: ...
@public
def matrix(
    graph: GraphLike | TurnGraph,
    sources: VerticesLike | Places | None = None,
    targets: VerticesLike | Places | None = None,
    *,
    weight: WeightLike = USUAL,
    **keywords: Unpack[TableKeywords],
) -> Result | PlaceMatrix:
    """Compute the distances from some vertices or places to some vertices or places, as a table with labels.

    For vertices this is `apsp.solve(graph, sources=sources, targets=targets)`; `solve` has further options. Distances
    of places are always in host memory.

    Parameters
    ----------
    {graph}
    sources, targets : sequence of vertices, or Places, optional
        All n vertices by default.
    {weight}
    device : 'auto', 'cpu', 'cuda', 'cuda:1', 'cuda:0,2' or 'emulated'
        As for `solve`.
    threads : int, optional
        CPU threads, by default all cores.
    progress : bool or callable
        True draws a bar; a callable is called as progress(stage, done, total).

    Returns
    -------
    Result, or PlaceMatrix if some are places
        The table: `distance(source, target)` is an entry, `numpy.asarray` the (S, T) array, `to_pandas()` a DataFrame
        with the labels. Distances of places are float64.

    Raises
    ------
    GraphError, RequestError, DtypeRangeError, DeviceError
        If the input is invalid, or the device is not there.
    NegativeCycleError
        If a source reaches a cycle of negative length.
    MemoryLimitError
        If the distances do not fit into memory.

    Examples
    --------
    >>> import apsp
    >>> roads = apsp.from_edges([("Rome", "Florence", 273), ("Florence", "Milan", 305)], directed=False)
    >>> table = apsp.matrix(roads, ["Rome", "Milan"], ["Florence"])
    >>> table.distance("Rome", "Florence"), table.distances.tolist()
    (273, [[273], [305]])
    """
    graph = graph_with_turns(graph, weight=weight)
    if isinstance(sources, Places) or isinstance(targets, Places):
        return matrix_of_places(graph, sources, targets, request=Request.of(**keywords), of_graph=True)
    return solve(graph, sources=sources, targets=targets, **keywords)
