"""Betweenness from a sample of the sources, with a bound of the error."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Unpack

import numpy as np
import numpy.typing as npt

from apsp._types import GraphLike, NumPyArray
from apsp.errors import RequestError, shown
from apsp.facts.keywords import FlowKeywords
from apsp.graph.accept import as_graph
from apsp.measures.betweenness import betweenness_centrality
from apsp.running.public import public
from apsp.system.arguments import number, whole_number

__all__ = ["BetweennessEstimate", "approximate_betweenness_centrality"]


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
