"""Betweenness: the share of the shortest paths that pass a vertex or an arc; exact, or from a sample of sources."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Unpack

import numpy as np
import numpy.typing as npt

from apsp._types import GraphLike, NumPyArray, VerticesLike
from apsp.api.flow_job import FlowJob
from apsp.errors import RequestError, shown
from apsp.facts.keywords import FlowKeywords
from apsp.facts.request import Request
from apsp.graph.accept import as_graph
from apsp.graph.links import kept_links
from apsp.graph.model import Graph
from apsp.methods.flows.flows import Demand, Flows
from apsp.methods.problem import IntArray
from apsp.running.arguments import positions_of
from apsp.running.public import public
from apsp.running.run import run_job
from apsp.system.arguments import flag, number, whole_number

__all__ = [
    "BetweennessEstimate",
    "approximate_betweenness_centrality",
    "betweenness_centrality",
    "edge_betweenness_centrality",
]


@public
def betweenness_centrality(
    graph: GraphLike,
    *,
    sources: VerticesLike | None = None,
    targets: VerticesLike | None = None,
    cutoff: float | None = None,
    normalized: bool = True,
    endpoints: bool = False,
    **keywords: Unpack[FlowKeywords],
) -> npt.NDArray[np.float64]:
    """Return the betweenness centrality of each vertex: the share of shortest paths that pass it.

    That is the sum, over the pairs of a source and a target, of the number of shortest paths through the vertex
    divided by the number of all shortest paths of the pair.

    Parameters
    ----------
    {graph}
    {from_to}
    normalized : bool
        Divide by the number of pairs of two other vertices, (n - 1) (n - 2); with `endpoints`, by n (n - 1). Otherwise
        pairs of an undirected graph count once.
    endpoints : bool
        A path passes its ends, too.
    {flow_options}

    Returns
    -------
    (n,) float64
        Centralities in the order of `graph.labels`. They do not depend on the number of threads.

    See Also
    --------
    edge_betweenness_centrality : The same of arcs.

    Notes
    -----
    Freeman, "A set of measures of centrality based on betweenness", Sociometry 40, 1977; Brandes, "A faster algorithm
    for betweenness centrality", Journal of Mathematical Sociology 25, 2001. With the same weights, the values are those
    of `networkx.betweenness_centrality`, and with `sources` or `targets` those of
    `networkx.betweenness_centrality_subset`.
    {ties}

    Examples
    --------
    >>> import apsp
    >>> graph = apsp.from_edges([0, 1, 2, 0], [1, 2, 3, 3], n=5, directed=False)
    >>> apsp.betweenness_centrality(graph, normalized=False)
    array([0.5, 0.5, 0.5, 0.5, 0. ])
    >>> apsp.betweenness_centrality(graph, sources=0, targets=2)
    array([0.        , 0.04166667, 0.        , 0.04166667, 0.        ])
    """
    graph = as_graph(graph)
    normalized, endpoints = flag(normalized, "normalized"), flag(endpoints, "endpoints")
    options = Request.of(cutoff=cutoff, **keywords)
    starts, found = _found(graph, sources, targets, options, along=False)
    values = found.through
    if endpoints:
        values = values + found.arrived
        values[starts] += found.served
    others = graph.n if endpoints else graph.n - 1
    return values * _scale(graph, others, normalized=normalized)


@public
def edge_betweenness_centrality(
    graph: GraphLike,
    *,
    sources: VerticesLike | None = None,
    targets: VerticesLike | None = None,
    cutoff: float | None = None,
    normalized: bool = True,
    links: bool = False,
    **keywords: Unpack[FlowKeywords],
) -> npt.NDArray[np.float64]:
    """Return the betweenness centrality of each arc: the share of shortest paths that use it.

    That is the sum, over the pairs of a source and a target, of the number of shortest paths along the arc divided by
    the number of all shortest paths of the pair.

    Parameters
    ----------
    {graph}
    {from_to}
    normalized : bool
        Divide by the number of pairs of vertices, n (n - 1). Otherwise pairs of an undirected graph count once.
    links : bool
        Return the centralities of the links, in the order of `graph.links`, which an error says if it keeps none. Of
        parallel links the one that is an arc has the value, the others 0.
    {flow_options}

    Returns
    -------
    (m,) or (L,) float64
        Centralities in the order of `graph.indices`: entry k is that of the arc from graph.tails()[k] to
        graph.indices[k]. Both arcs of an undirected edge have its value. They do not depend on the number of threads.

    See Also
    --------
    betweenness_centrality : The same of vertices.

    Notes
    -----
    Brandes, "On variants of shortest-path betweenness centrality and their generic computation", Social Networks 30,
    2008, section 3.5. With the same weights, the values are those of `networkx.edge_betweenness_centrality`.
    `networkx.edge_betweenness_centrality_subset` (NetworkX 3.6) differs: it divides what leads on from a vertex equally
    among the predecessors of the vertex, not among the shortest paths.
    {ties}

    Examples
    --------
    >>> import apsp
    >>> graph = apsp.from_edges([0, 1, 2], [1, 2, 3], labels=["a", "b", "c", "d"], directed=False)
    >>> values = apsp.edge_betweenness_centrality(graph, normalized=False)
    >>> for tail, head, value in zip(graph.tails(), graph.indices, values):
    ...     print(graph.labels[tail], graph.labels[head], value)
    a b 3.0
    b a 3.0
    b c 4.0
    c b 4.0
    c d 3.0
    d c 3.0
    """
    graph = as_graph(graph)
    normalized = flag(normalized, "normalized")
    all_links = kept_links(graph) if flag(links, "links") else None
    options = Request.of(cutoff=cutoff, **keywords)
    _, found = _found(graph, sources, targets, options, along=True)
    values = found.along
    assert values is not None
    if all_links is not None:
        values = all_links.sums(values)
    elif not graph.directed:
        values = values + values[np.argsort(graph.indices, kind="stable")]  # that of the opposite arc
    return values * _scale(graph, graph.n, normalized=normalized)


@dataclass(frozen=True, repr=False, eq=False)
class BetweennessEstimate:
    """Estimates of betweenness centralities: `apsp.approximate_betweenness_centrality` makes it.

    Parameters
    ----------
    values : (n,) float64
        Estimates in the order of `graph.labels`, normalized as by `apsp.betweenness_centrality`.
    error : float
        With probability `confidence`, all n estimates are at most this far from the exact values; 0 if they are exact.
    confidence : float
        The probability.
    sources : (k,) array
        The vertices that were chosen, as the graph labels them.
    """

    values: npt.NDArray[np.float64]
    error: float
    confidence: float
    sources: NumPyArray

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, BetweennessEstimate):
            return NotImplemented
        same = np.array_equal(self.values, other.values) and np.array_equal(self.sources, other.sources)
        return same and (self.error, self.confidence) == (other.error, other.confidence)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        k = len(self.sources)
        return f"BetweennessEstimate(n={len(self.values)}, {k} source{'s' if k != 1 else ''}, error={self.error:.3g})"


@public
def approximate_betweenness_centrality(
    graph: GraphLike, k: int, *, seed: int | None = None, confidence: float = 0.99, **keywords: Unpack[FlowKeywords]
) -> BetweennessEstimate:
    """Estimate the betweenness centrality of all vertices from the shortest paths of k random sources.

    Parameters
    ----------
    {graph}
    k : int
        Number of sources, at least 1, chosen without replacement; from n on, the values are exact.
    seed : int, optional
        Of the random numbers, for the same choice again. A store needs it, to go on with the same sources.
    confidence : float
        Probability, between 0 and 1, that the bound of the error holds for all vertices at once.
    {flow_options}

    Returns
    -------
    BetweennessEstimate
        The estimates, and the bound of their error.

    See Also
    --------
    betweenness_centrality : The exact values.

    Notes
    -----
    Brandes and Pich, "Centrality estimation in large networks", International Journal of Bifurcation and Chaos 17,
    2007. What a source contributes lies between 0 and n - 2, so that by Hoeffding's inequality (Journal of the American
    Statistical Association 58, 1963, sections 2 and 6) the error of all n estimates is at most n / (n - 1) times the
    square root of ln(2 n / (1 - confidence)) / (2 k), with this probability. It is typically much smaller.

    Examples
    --------
    >>> import apsp
    >>> graph = apsp.generate("random", 2000, m=8000, seed=1).unweighted()
    >>> found = apsp.approximate_betweenness_centrality(graph, 500, seed=1)
    >>> round(found.error, 3), len(found.sources)
    (0.114, 500)
    >>> bool(abs(found.values - apsp.betweenness_centrality(graph)).max() < found.error)
    True
    """
    graph = as_graph(graph)
    k = whole_number(k, "k", least=1)
    confidence = number(confidence, "confidence")
    if not 0 < confidence < 1:
        raise RequestError(f"confidence must lie between 0 and 1, not {shown(confidence)}")
    random = np.random.default_rng(None if seed is None else whole_number(seed, "seed", least=0))
    n = graph.n
    if keywords.get("store") is not None and seed is None and k < n:
        raise RequestError("a store belongs to the sources that were chosen: pass seed, so that they are chosen again")
    chosen = np.arange(n) if k >= n else np.sort(random.choice(n, k, replace=False))
    sources = np.asarray(graph.labels.take(chosen))
    values = betweenness_centrality(graph, sources=graph.labels.take(chosen), **keywords)
    if k >= n:
        return BetweennessEstimate(values, 0.0, confidence, sources)
    error = n / (n - 1) * math.sqrt(math.log(2 * n / (1 - confidence)) / (2 * k))
    return BetweennessEstimate(values * (n / k), error, confidence, sources)


def _found(
    graph: Graph,
    sources: VerticesLike | None,
    targets: VerticesLike | None,
    options: Request,
    *,
    along: bool,
) -> tuple[IntArray, Flows]:
    """Positions of the sources, and the flows of a demand of 1 between all sources and targets."""
    given, ends = positions_of(graph, sources, "sources"), positions_of(graph, targets, "targets")
    starts = np.arange(graph.n, dtype=np.int32) if given is None else np.unique(given)
    to = np.ones(graph.n)
    if ends is not None:
        to[:] = 0
        to[ends] = 1
    job = FlowJob(
        graph, Demand(starts, to), options,
        {"name": "betweenness", **({"arcs": True} if along else {})},
        targets=None if ends is None else np.unique(ends).astype(np.int32), along=along, cutoff=options.cutoff,
    )  # fmt: skip
    sums = job.empty()
    run_job(job, sums)
    return starts, sums.flows()


def _scale(graph: Graph, others: int, *, normalized: bool) -> float:
    """NetworkX's factor, from the number of vertices that may be a source of what passes a vertex."""
    if others < 2:
        return 1.0
    if normalized:
        return 1 / (others * (others - 1))
    return 1.0 if graph.directed else 0.5
