"""Measures of the whole graph from sums and counts of distances."""

from __future__ import annotations

from typing import Unpack

import numpy.typing as npt

from apsp._types import GraphLike, Vertex, VerticesLike
from apsp.facts.keywords import LocalKeywords, RunKeywords
from apsp.facts.request import Request
from apsp.graph.accept import graph_with_turns
from apsp.graph.turns.turn_graph import TurnGraph
from apsp.measures.most_central import with_least_sum
from apsp.measures.row_summary import SummaryParts
from apsp.measures.summary import summarized
from apsp.reductions import Histogram
from apsp.running.arguments import positions_of
from apsp.running.public import public
from apsp.system.arguments import whole_number

__all__ = [
    "average_shortest_path_length",
    "barycenter",
    "distance_histogram",
    "global_efficiency",
    "wiener_index",
]


@public
def average_shortest_path_length(
    graph: GraphLike | TurnGraph, *, sources: VerticesLike | None = None, **keywords: Unpack[RunKeywords]
) -> float:
    """Return the mean distance over the ordered pairs of two vertices with a path.

    Parameters
    ----------
    {graph}
    {sources}
    {options}

    Returns
    -------
    float
        The mean; 0 for one vertex, not-a-number if no pair has a path.

    Notes
    -----
    `networkx.average_shortest_path_length` raises an error if a pair has no path; here such pairs are left out, and
    `apsp.summary(graph).unreachable_pairs` counts them. Trees take two passes: see `apsp.closeness_centrality`.

    Examples
    --------
    >>> import apsp
    >>> graph = apsp.from_edges([0, 1, 2], [1, 2, 3], [4, 1, 2], directed=False)
    >>> round(apsp.average_shortest_path_length(graph), 3)
    3.667
    """
    options = Request.of(**keywords)
    graph = graph_with_turns(graph)
    given = positions_of(graph, sources, "sources")
    return summarized(graph, given, options).average_shortest_path_length


@public
def barycenter(
    graph: GraphLike | TurnGraph, *, sources: VerticesLike | None = None, **keywords: Unpack[LocalKeywords]
) -> list[Vertex]:
    """Return the vertices with the smallest sum of distances, of those that reach the most others.

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
    `networkx.barycenter` raises an error if a pair has no path.

    On the CPU, hops in undirected and in strongly connected graphs of 4,096 vertices or more take searches that end as
    soon as a bound excludes their source. With positive integer weights, from 16,384 vertices on, bounds on sums
    exclude vertices: see `apsp.closeness_centrality`.

    Examples
    --------
    >>> import apsp
    >>> graph = apsp.from_edges([0, 1, 2], [1, 2, 3], [4, 1, 2], directed=False)
    >>> apsp.barycenter(graph)
    [1, 2]
    """
    options = Request.of(**keywords)
    graph = graph_with_turns(graph)
    given = positions_of(graph, sources, "sources")
    found = with_least_sum(graph, options) if given is None and graph._turned is None else None
    return found if found is not None else summarized(graph, given, options).barycenter


@public
def wiener_index(graph: GraphLike | TurnGraph, **keywords: Unpack[RunKeywords]) -> int | float:
    """Return the sum of all distances; in an undirected graph each unordered pair counts once.

    Parameters
    ----------
    {graph}
    {options}

    Returns
    -------
    int or float
        The sum; infinite if a pair has no path.

    Notes
    -----
    Wiener, "Structural determination of paraffin boiling points", Journal of the American Chemical Society 69, 1947.
    Trees take two passes: see `apsp.closeness_centrality`.

    Examples
    --------
    >>> import apsp
    >>> graph = apsp.from_edges([0, 1, 2], [1, 2, 3], [4, 1, 2], directed=False)
    >>> apsp.wiener_index(graph)
    22
    """
    return summarized(graph_with_turns(graph), None, Request.of(**keywords)).wiener_index()


@public
def global_efficiency(graph: GraphLike | TurnGraph, **keywords: Unpack[RunKeywords]) -> float:
    """Return the mean of 1 / distance over all ordered pairs of two vertices.

    A pair without a path counts as 0.

    Parameters
    ----------
    {graph}
    {options}

    Returns
    -------
    float
        The efficiency.

    Notes
    -----
    Latora and Marchiori, "Efficient behavior of small-world networks", Physical Review Letters 87, 2001.
    `networkx.global_efficiency` counts hops and does not accept directed graphs; here distances are sums of weights.

    Examples
    --------
    >>> import apsp
    >>> graph = apsp.from_edges([0, 1, 2], [1, 2, 3], [4, 1, 2], directed=False)
    >>> round(apsp.global_efficiency(graph), 3)
    0.404
    """
    return summarized(graph_with_turns(graph), None, Request.of(**keywords), SummaryParts()).global_efficiency()


@public
def distance_histogram(
    graph: GraphLike | TurnGraph,
    *,
    bins: int = 1024,
    edges: npt.ArrayLike | None = None,
    sources: VerticesLike | None = None,
    **keywords: Unpack[RunKeywords],
) -> Histogram:
    """Count the ordered pairs of two vertices by their distance.

    Parameters
    ----------
    {graph}
    bins : int
        Maximum number of bins. Their width is a power of two, chosen from the distances. Ignored if `edges` is given.
    edges : (B + 1,) increasing numbers, optional
        Edges of the bins; distances outside are not counted.
    {sources}
    {options}

    Returns
    -------
    Histogram
        Edges and counts; pairs without a path are not counted.

    Examples
    --------
    >>> import apsp
    >>> graph = apsp.from_edges([0, 1, 2], [1, 2, 3], [4, 1, 2], directed=False)
    >>> found = apsp.distance_histogram(graph)
    >>> found.edges
    array([1, 2, 3, 4, 5, 6, 7, 8])
    >>> found.counts
    array([2, 2, 2, 2, 2, 0, 2])
    """
    options = Request.of(**keywords)
    graph = graph_with_turns(graph)
    given = positions_of(graph, sources, "sources")
    bins = 0 if edges is not None else whole_number(bins, "bins", least=0)
    return summarized(graph, given, options, SummaryParts(bins=bins, edges=edges, reciprocals=False)).histogram()
