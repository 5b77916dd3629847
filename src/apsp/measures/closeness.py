"""Closeness centrality and its relatives: of each vertex, from the sum of its distances, or of their reciprocals."""

from __future__ import annotations

from typing import Unpack, overload

import numpy as np
import numpy.typing as npt

from apsp._types import GraphLike, NumPyArray, VerticesLike
from apsp.errors import RequestError
from apsp.facts.keywords import RunKeywords
from apsp.facts.request import Request
from apsp.graph.accept import graph_with_turns
from apsp.graph.turns.turn_graph import TurnGraph, refuse_turns
from apsp.measures.most_central import Centrality, centralities, most_central
from apsp.measures.summary import of_vertices, values_of
from apsp.reductions import Direction
from apsp.reductions.central import MostCentral
from apsp.running.arguments import positions_of
from apsp.running.public import public
from apsp.system.arguments import flag, whole_number

__all__ = ["closeness_centrality", "farness", "harmonic_centrality"]


class _Keywords(RunKeywords, total=False):
    direction: Direction
    vertices: VerticesLike | None


@overload
def closeness_centrality(
    graph: GraphLike | TurnGraph, *, top: None = ..., wf_improved: bool = ..., **keywords: Unpack[_Keywords]
) -> npt.NDArray[np.float64]: ...
@overload
def closeness_centrality(
    graph: GraphLike | TurnGraph, *, top: int, wf_improved: bool = ..., **keywords: Unpack[_Keywords]
) -> MostCentral: ...
@public
def closeness_centrality(
    graph: GraphLike | TurnGraph,
    *,
    top: int | None = None,
    direction: Direction = "in",
    wf_improved: bool = True,
    vertices: VerticesLike | None = None,
    **keywords: Unpack[RunKeywords],
) -> npt.NDArray[np.float64] | MostCentral:
    """Return the closeness centrality: the number of vertices with a path over the sum of their distances.

    In formulas, C(u) = r / sum of d(v, u) over the r other vertices v with a path to u, times r / (n - 1) with
    `wf_improved`. C(u) is 0 where the sum is not positive.

    Parameters
    ----------
    {graph}
    {top}
    {direction}
    wf_improved : bool
        Multiply by the share of the other vertices that have a path, so that vertices of small components do not look
        central.
    {vertices}
    {options}

    Returns
    -------
    {centralities}

    Notes
    -----
    The factor of `wf_improved` is formula 5.22 of Wasserman and Faust, "Social Network Analysis", 1994.

    Undirected trees and forests with hops or integer weights of at least 0 take two passes over their edges instead of
    all rows: Kang and Ault, "Some properties of a centroid of a free tree", Information Processing Letters 4, 1975.

    With `top`, hops in graphs of 4,096 vertices or more on the CPU take searches that end as soon as a bound excludes
    their source: Bergamini et al., "Computing top-k closeness centrality faster in unweighted graphs", ACM Transactions
    on Knowledge Discovery from Data 13, 2019. With integer weights of at least 0, undirected and strongly connected
    graphs of 16,384 vertices or more take the rows of some vertices, which bound the sums of distances of the others,
    and then of those that the bounds leave: few on roads and grids. Other graphs take all rows.

    Examples
    --------
    >>> import apsp
    >>> graph = apsp.from_edges([0, 1, 2], [1, 2, 3], [4, 1, 2], directed=False)
    >>> apsp.closeness_centrality(graph).round(3)
    array([0.188, 0.375, 0.375, 0.25 ])
    >>> apsp.closeness_centrality(graph, top=1).vertices.tolist()
    [1]
    """
    kind: Centrality = "closeness_improved" if flag(wf_improved, "wf_improved") else "closeness"
    return _centralities(graph, kind, top, direction, vertices, Request.of(**keywords))


@overload
def harmonic_centrality(
    graph: GraphLike | TurnGraph, *, top: None = ..., **keywords: Unpack[_Keywords]
) -> npt.NDArray[np.float64]: ...
@overload
def harmonic_centrality(graph: GraphLike | TurnGraph, *, top: int, **keywords: Unpack[_Keywords]) -> MostCentral: ...
@public
def harmonic_centrality(
    graph: GraphLike | TurnGraph,
    *,
    top: int | None = None,
    direction: Direction = "in",
    vertices: VerticesLike | None = None,
    **keywords: Unpack[RunKeywords],
) -> npt.NDArray[np.float64] | MostCentral:
    """Return the harmonic centrality of each vertex: the sum of 1 / distance.

    A pair without a path and a distance of 0 add nothing.

    Parameters
    ----------
    {graph}
    {top}
    {direction}
    {vertices}
    {options}

    Returns
    -------
    {centralities}

    Notes
    -----
    Boldi and Vigna, "Axioms for centrality", Internet Mathematics 10, 2014. `top` takes as few searches as that of
    `apsp.closeness_centrality`; numbers that are equal but for rounding may be in any order.

    Examples
    --------
    >>> import apsp
    >>> graph = apsp.from_edges([0, 1, 2], [1, 2, 3], [4, 1, 2], directed=False)
    >>> apsp.harmonic_centrality(graph).round(3)
    array([0.593, 1.583, 1.7  , 0.976])
    >>> apsp.harmonic_centrality(graph, top=1).vertices.tolist()
    [2]
    """
    return _centralities(graph, "harmonic", top, direction, vertices, Request.of(**keywords))


@public
def farness(
    graph: GraphLike | TurnGraph,
    *,
    direction: Direction = "out",
    vertices: VerticesLike | None = None,
    **keywords: Unpack[RunKeywords],
) -> NumPyArray:
    """Return the sum of the distances of each vertex, over the vertices with a path.

    Parameters
    ----------
    {graph}
    direction : {'out', 'in'}
        Distances from the vertex to those that it reaches, or to it from those that reach it.
    {vertices}
    {options}

    Returns
    -------
    (S,) int64 or float64
        Sums in the order of the vertices: exact for integers, good to a few roundings for floats.

    Notes
    -----
    `apsp.summary(graph)` has these sums and, as `reachable`, the number of vertices that each one reaches. Without
    `wf_improved`, `closeness_centrality` is that number over farness(direction='in').

    Examples
    --------
    >>> import apsp
    >>> graph = apsp.from_edges([0, 1, 2], [1, 2, 3], [4, 1, 2], directed=False)
    >>> apsp.farness(graph)
    array([16,  8,  8, 12])
    >>> apsp.farness(graph, vertices=[3])
    array([12])
    """
    graph = graph_with_turns(graph)
    options = Request.of(**keywords)
    given = positions_of(graph, vertices, "vertices")
    found, own_direction = of_vertices(graph, direction, given, options)
    return values_of(found, found.farness(own_direction), given)


def _centralities(
    graph: GraphLike | TurnGraph, kind: Centrality, top: int | None, direction: Direction,
    vertices: VerticesLike | None, options: Request,
) -> npt.NDArray[np.float64] | MostCentral:  # fmt: skip
    """Those of all vertices or some, or the largest ones."""
    graph = graph_with_turns(graph)
    given = positions_of(graph, vertices, "vertices")
    if top is None:
        return values_of(*centralities(graph, kind, direction, given, options), given)
    refuse_turns(graph, "top=")
    if options.executor is not None:
        raise RequestError("top is computed on this machine only: leave out executor, or top")
    if options.store is not None:
        raise RequestError("a store keeps sums of all rows, which top does not need: leave out store, or top")
    return most_central(graph, kind, whole_number(top, "top", least=1), direction, given, options)
