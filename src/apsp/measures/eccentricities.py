"""The largest and the smallest distances: eccentricity, diameter, radius, and the vertices that have them."""

from __future__ import annotations

from typing import Unpack

from apsp._types import GraphLike, NumPyArray, Vertex, VerticesLike
from apsp.bounds.bounded_search import LIMITS, SearchLimits
from apsp.bounds.few_searches import ExtremeName, by_few_searches
from apsp.facts.keywords import LocalKeywords, RunKeywords
from apsp.facts.request import Request
from apsp.graph.accept import graph_with_turns
from apsp.graph.model import Graph
from apsp.graph.turns.turn_graph import TurnGraph, own_vertices
from apsp.measures.summary import summarized, values_of
from apsp.reductions.extreme import Extremes
from apsp.reductions.proven import Proven
from apsp.reductions.summary import Summary
from apsp.running.arguments import positions_of
from apsp.running.public import public

__all__ = ["center", "diameter", "eccentricity", "extremes", "extremes_of", "periphery", "radius"]


@public
def eccentricity(
    graph: GraphLike | TurnGraph, *, sources: VerticesLike | None = None, **keywords: Unpack[RunKeywords]
) -> NumPyArray:
    """Return the distance from each vertex to the farthest vertex that it reaches.

    Parameters
    ----------
    {graph}
    {sources}
    {options}

    Returns
    -------
    (S,) int64 or float64
        Distances in the order of the sources; 0 for a source that reaches no other vertex.

    Notes
    -----
    `networkx.eccentricity` raises an error if a vertex does not reach all others.

    {few_searches}

    Examples
    --------
    >>> import apsp
    >>> graph = apsp.from_edges([0, 1, 2], [1, 2, 0], [4, 1, 2])
    >>> apsp.eccentricity(graph)
    array([5, 3, 6])
    >>> apsp.eccentricity(graph, sources=[2, 0])
    array([6, 5])
    """
    graph = graph_with_turns(graph)
    given = positions_of(graph, sources, "sources")
    options = Request.of(**keywords)
    few = None if given is not None else by_few_searches(graph, options, "eccentricity")
    if few is not None:
        return few.eccentricity
    found = summarized(graph, given, options)
    return values_of(found, found.eccentricity, given)


@public
def diameter(
    graph: GraphLike | TurnGraph, *, sources: VerticesLike | None = None, **keywords: Unpack[LocalKeywords]
) -> int | float | None:
    """Return the largest distance over the pairs of vertices with a path.

    Parameters
    ----------
    {graph}
    {sources}
    {options}

    Returns
    -------
    int, float or None
        The distance; None for the empty graph.

    Notes
    -----
    `apsp.extremes(graph)` also has the two vertices. `networkx.diameter` raises an error if a pair has no
    path.

    {few_searches}

    Examples
    --------
    >>> import apsp
    >>> graph = apsp.from_edges([0, 1, 2], [1, 2, 0], [4, 1, 2])
    >>> apsp.diameter(graph)
    6
    >>> apsp.extremes(graph).farthest_pair
    Extreme(distance=6, source=2, target=1)
    """
    return _extremes(graph, sources, Request.of(**keywords), "diameter").diameter


@public
def periphery(
    graph: GraphLike | TurnGraph, *, sources: VerticesLike | None = None, **keywords: Unpack[LocalKeywords]
) -> list[Vertex]:
    """Return the vertices whose eccentricity is the diameter.

    Parameters
    ----------
    {graph}
    {sources}
    {options}

    Returns
    -------
    list
        The vertices, as the graph labels them, in their order.

    Notes
    -----
    `networkx.periphery` raises an error if a pair has no path.

    {few_searches}

    Examples
    --------
    >>> import apsp
    >>> graph = apsp.from_edges([0, 1, 2], [1, 2, 3], [4, 1, 2], directed=False)
    >>> apsp.periphery(graph)
    [0, 3]
    """
    return _extremes(graph, sources, Request.of(**keywords), "periphery").periphery


@public
def radius(
    graph: GraphLike | TurnGraph, *, sources: VerticesLike | None = None, **keywords: Unpack[LocalKeywords]
) -> int | float | None:
    """Return the smallest eccentricity of the vertices that reach the most others.

    Parameters
    ----------
    {graph}
    {sources}
    {options}

    Returns
    -------
    int, float or None
        The radius; None for the empty graph.

    Notes
    -----
    A dead end, which reaches nothing at eccentricity 0, does not count. `networkx.radius` raises an error if a pair has
    no path.

    {few_searches}

    Examples
    --------
    >>> import apsp
    >>> graph = apsp.from_edges([0, 1, 2], [1, 2, 3], [4, 1, 2], directed=False)
    >>> apsp.radius(graph)
    4
    """
    return _extremes(graph, sources, Request.of(**keywords), "radius").radius


@public
def center(
    graph: GraphLike | TurnGraph, *, sources: VerticesLike | None = None, **keywords: Unpack[LocalKeywords]
) -> list[Vertex]:
    """Return the vertices whose eccentricity is the radius, of those that reach the most others.

    Parameters
    ----------
    {graph}
    {sources}
    {options}

    Returns
    -------
    list
        The vertices, as the graph labels them, in their order.

    Notes
    -----
    `networkx.center` raises an error if a pair has no path.

    {few_searches}

    Examples
    --------
    >>> import apsp
    >>> graph = apsp.from_edges([0, 1, 2], [1, 2, 3], [4, 1, 2], directed=False)
    >>> apsp.center(graph)
    [1]
    """
    return _extremes(graph, sources, Request.of(**keywords), "center").center


@public
def extremes(graph: GraphLike | TurnGraph, **keywords: Unpack[LocalKeywords]) -> Extremes:
    """Return the diameter and the radius, with vertices that have them and the number of searches.

    Parameters
    ----------
    {graph}
    {options}

    Returns
    -------
    Extremes
        The numbers of `apsp.diameter` and `apsp.radius`, with a pair of vertices and a vertex.

    Notes
    -----
    Of several pairs or vertices any may be returned: all of them are in `apsp.periphery` and `apsp.center`.

    {few_searches}

    Examples
    --------
    >>> import apsp
    >>> grid = apsp.generate("grid", shape=(100, 100), weights=None)
    >>> apsp.extremes(grid).farthest_pair
    Extreme(distance=198, source=9999, target=0)
    >>> apsp.extremes(grid).searches < 100
    True
    """
    return extremes_of(graph_with_turns(graph), Request.of(**keywords))


def extremes_of(graph: Graph, options: Request, limits: SearchLimits = LIMITS) -> Extremes:
    """The extremes with vertices that have them, by few searches or from all rows."""
    few = by_few_searches(graph, options, "diameter", "radius", pair=True, limits=limits)
    if few is not None:
        return Extremes(few.farthest_pair, few.radius, few.center_vertex, few.searches)
    found = summarized(graph, None, options)
    return Extremes(found.farthest_pair, found.radius, next(iter(found.center), None), own_vertices(graph))


def _extremes(
    graph: GraphLike | TurnGraph, sources: VerticesLike | None, options: Request, name: ExtremeName
) -> Proven | Summary:
    """What has the named extreme: few searches, or all rows if that is the better way or sources were given."""
    graph = graph_with_turns(graph)
    given = positions_of(graph, sources, "sources")
    few = None if given is not None else by_few_searches(graph, options, name)
    return few or summarized(graph, given, options)
