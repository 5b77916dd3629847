"""Skims with ties, zones and costs of several kinds, and their bits."""

from __future__ import annotations

import numpy as np

import apsp


def network(kind: str, *, zones: bool = True) -> tuple[apsp.Graph, dict[str, np.ndarray]]:
    """A city with costs by name: many ties, and zones that no path passes."""
    city = apsp.generate("city", 200, seed=1, weights=(1, 4))
    rng = np.random.default_rng(5)
    weights = city.weights.astype(kind) if kind != "hops" else None
    if kind == "float64":
        weights = weights * rng.choice([0.1, 0.3], city.m)
    closed = rng.random(city.n) < 0.4 if zones else None
    graph = apsp.from_edges(city.tails(), city.indices, weights, n=city.n, zones=closed)
    along = {"toll": np.arange(graph.m) % 3, "stops": np.arange(graph.m) % 2}
    if kind == "float64":
        along["km"] = rng.random(graph.m)
    return graph, along


def same_bits(found: apsp.Skims, expected: apsp.Skims) -> bool:
    return found == expected and found.matrices.tobytes() == expected.matrices.tobytes()
