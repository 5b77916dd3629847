"""`networkx.algorithms.distance_measures`: the largest and the smallest distances, and the nodes that have them."""

from __future__ import annotations

import math
from typing import Any

import networkx as nx
import numpy as np

from apsp.bounds.few_searches import ExtremeName
from apsp.compat.networkx.converted import Converted
from apsp.compat.networkx.function import of_networkx
from apsp.graph.networkx_arcs import Weight
from apsp.measures.summary import summary
from apsp.reductions import Summary
from apsp.reductions.float_sum import float_sum
from apsp.reductions.proven import Proven

__all__ = ["barycenter", "center", "diameter", "eccentricity", "harmonic_diameter", "periphery", "radius"]


def _refuse(G: Converted, message: str = "") -> None:
    """Raise the error of a graph in which a vertex does not reach all others."""
    kind = "digraph is not strongly connected" if G.is_directed() else "graph is not connected"
    raise nx.NetworkXError(message or f"Found infinite path length because the {kind}")


def _extremes(G: Converted, usebounds: bool, weight: Weight, name: ExtremeName) -> Proven | Summary:
    """What has an extreme, if every vertex reaches all others."""
    found, is_connected = G.extremes(weight, name)
    if not is_connected:
        bounds = usebounds is True and not G.is_directed()
        _refuse(G, "Cannot compute metric because graph is not connected." if bounds else "")
    return found


@of_networkx("measure")
def eccentricity(G: Converted, v: Any = None, sp: Any = None, weight: Weight = None) -> Any:
    """Return the largest distance from a node, from some nodes, or from each."""
    if v is None:
        return dict(zip(G.nodes, _extremes(G, False, weight, "eccentricity").eccentricity.tolist(), strict=True))
    nodes = list(G.origin.nbunch_iter(v))
    if not nodes:
        return {}
    places = np.fromiter(map(G.positions.__getitem__, nodes), np.int64, len(nodes))
    found = summary(G.graph(weight), sources=places, reciprocals=False)
    if found.unreachable_pairs:
        _refuse(G)
    values = found.eccentricity[np.searchsorted(found.source_positions, places)].tolist()
    return values[0] if v in G else dict(zip(nodes, values, strict=True))


@of_networkx("measure")
def diameter(G: Converted, e: Any = None, usebounds: bool = False, weight: Weight = None) -> Any:
    """Return the largest distance."""
    return _extremes(G, usebounds, weight, "diameter").diameter


@of_networkx("measure")
def radius(G: Converted, e: Any = None, usebounds: bool = False, weight: Weight = None) -> Any:
    """Return the smallest eccentricity."""
    return _extremes(G, usebounds, weight, "radius").radius


@of_networkx("measure")
def periphery(
    G: Converted,
    e: Any = None,
    usebounds: bool = False,
    weight: Weight = None,
) -> list[Any]:
    """Return the nodes whose eccentricity is the diameter."""
    return [G.nodes[vertex] for vertex in _extremes(G, usebounds, weight, "periphery").periphery]


@of_networkx("measure")
def center(
    G: Converted,
    e: Any = None,
    usebounds: bool = False,
    weight: Weight = None,
) -> list[Any]:
    """Return the nodes whose eccentricity is the radius."""
    return [G.nodes[vertex] for vertex in _extremes(G, usebounds, weight, "center").center]


@of_networkx("measure")
def barycenter(G: Converted, weight: Weight = None, attr: Any = None, sp: Any = None) -> list[Any]:
    """Return the nodes with the smallest sum of distances."""
    found, is_connected = G.least_sum(weight)
    if not is_connected:
        raise nx.NetworkXNoPath(
            f"Input graph {G} is disconnected, so every induced subgraph has infinite barycentricity."
        )
    return [G.nodes[vertex] for vertex in found]


@of_networkx("measure")
def harmonic_diameter(G: Converted, sp: Any = None, *, weight: Weight = None) -> float:
    """Return the harmonic mean of all distances."""
    n, total = len(G), float_sum(G.harmonic_sums(weight).harmonic_centrality("out").tolist())
    if total:
        return n * (n - 1) / total
    return math.inf if n > 1 else math.nan
