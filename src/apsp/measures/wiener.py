"""Relatives of the Wiener index, which weight distances by their size or by the degrees of their ends."""

from __future__ import annotations

from typing import Unpack

from apsp._types import GraphLike
from apsp.facts.keywords import WholeKeywords
from apsp.facts.request import Request
from apsp.graph.accept import as_graph
from apsp.measures.summary import parts_for, summarized
from apsp.running.public import public

__all__ = ["gutman_index", "hyper_wiener_index", "schultz_index"]


@public
def hyper_wiener_index(graph: GraphLike, **keywords: Unpack[WholeKeywords]) -> int | float:
    """Return the sum of all distances and their squares, each unordered pair counted once.

    Parameters
    ----------
    {graph}
    {options}

    Returns
    -------
    {whole_sum}

    Notes
    -----
    Randic, "Novel molecular descriptor for structure-property studies", Chemical Physics Letters 211, 1993. As in
    NetworkX, this is twice the sum of d (d + 1) / 2.

    Directed graphs are refused, as in NetworkX.

    Examples
    --------
    >>> import apsp
    >>> path = apsp.from_edges([0, 1, 2], [1, 2, 3], directed=False)
    >>> apsp.hyper_wiener_index(path)
    30
    """
    return _index("hyper_wiener_index", graph, Request.of(**keywords))


@public
def schultz_index(graph: GraphLike, **keywords: Unpack[WholeKeywords]) -> int | float:
    """Return the sum of each distance times the sum of the degrees of its ends.

    Parameters
    ----------
    {graph}
    {options}

    Returns
    -------
    {whole_sum}

    Notes
    -----
    Schultz, "Topological organic chemistry. 1. Graph theory and topological indices of alkanes", Journal of Chemical
    Information and Computer Sciences 29, 1989.

    {degrees}

    Examples
    --------
    >>> import apsp
    >>> path = apsp.from_edges([0, 1, 2], [1, 2, 3], directed=False)
    >>> apsp.schultz_index(path)
    28
    """
    return _index("schultz_index", graph, Request.of(**keywords))


@public
def gutman_index(graph: GraphLike, **keywords: Unpack[WholeKeywords]) -> int | float:
    """Return the sum of each distance times the degrees of both of its ends.

    Parameters
    ----------
    {graph}
    {options}

    Returns
    -------
    {whole_sum}

    Notes
    -----
    Gutman, "Selected properties of the Schultz molecular topological index", Journal of Chemical Information and
    Computer Sciences 34, 1994.

    {degrees}

    Examples
    --------
    >>> import apsp
    >>> path = apsp.from_edges([0, 1, 2], [1, 2, 3], directed=False)
    >>> apsp.gutman_index(path)
    19
    """
    return _index("gutman_index", graph, Request.of(**keywords))


def _index(name: str, graph: GraphLike, options: Request) -> int | float:
    graph = as_graph(graph)
    parts = parts_for(graph, None, name, None, (), columns=False, bins=0, edges=None, reciprocals=False)
    found: int | float = summarized(graph, None, options, parts)[name]
    return found
