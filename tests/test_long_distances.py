"""Distances near the largest float, whose sums overflow: answers or our errors, and no warning of NumPy."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import apsp

SHAPES = {"an edge": ([0], [1]), "a ring": ([0, 1, 2], [1, 2, 0]), "a path": ([0, 1, 2, 3], [1, 2, 3, 4])}
CALLS: dict[str, Callable[[apsp.Graph, Any], Any]] = {
    "solve": lambda graph, _: apsp.solve(graph, paths=True),
    "prepare": lambda graph, _: apsp.prepare(graph, labels=True).matrix(),
    "summary": lambda graph, _: apsp.summary(graph, columns=True, bins=4),
    "within": lambda graph, weights: apsp.within(graph, weights[0]),
    "k_nearest": lambda graph, _: apsp.k_nearest(graph, 2),
    "nearest": lambda graph, _: apsp.nearest(graph, [0]),
    "closeness": lambda graph, _: apsp.closeness_centrality(graph),
    "accessibility": lambda graph, weights: apsp.accessibility(graph, np.ones((graph.n, 1)), cutoffs=[weights[0]]),
    "isochrone": lambda graph, weights: apsp.isochrone(graph, 0, [weights[0]]),
    "distance": lambda graph, _: apsp.distance(graph, 0, 1),
    "plan": lambda graph, _: apsp.plan(graph).explain(),
    "diameter": lambda graph, _: apsp.diameter(graph),
    "wiener_index": lambda graph, _: apsp.wiener_index(graph),
    "shortest_simple_paths": lambda graph, _: apsp.shortest_simple_paths(graph, [0], [1], 3),
    "shortest_walks": lambda graph, _: apsp.shortest_walks(graph, [0], [1], 3),
    "alternatives": lambda graph, _: apsp.alternatives(graph, 0, 1),
    "pareto": lambda graph, weights: apsp.pareto(graph.with_costs(toll=graph.weights), "toll", 0, 1),
    "distance_statistics": lambda graph, _: apsp.distance_statistics(graph),
    "skim": lambda graph, _: apsp.skim(graph),
    "arc_flows": lambda graph, _: apsp.arc_flows(graph, np.ones((graph.n, graph.n))),
    "product": lambda graph, weights: apsp.product(graph.to_dense(weights.dtype), graph.to_dense(weights.dtype)),
    "solve_batch": lambda graph, _: apsp.solve_batch([graph]),
    "with_periods": lambda graph, weights: apsp.prepare(graph.with_periods([weights, weights])).matrix(),
}


@pytest.mark.few(40)
@pytest.mark.parametrize("directed", [True, False])
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("call", CALLS)
def test_no_warning(call: str, dtype: str, shape: str, directed: bool) -> None:
    tails, heads = SHAPES[shape]
    places = np.random.default_rng(0).random((max(heads) + 1, 2))
    big = np.full(len(tails), 0.9 * np.finfo(dtype).max, dtype=dtype)
    graph = apsp.from_edges(tails, heads, big, directed=directed, coordinates=places)
    with contextlib.suppress(apsp.ApspError):
        CALLS[call](graph, graph.weights)


def test_an_edge_of_the_largest_floats() -> None:
    graph = apsp.from_edges([0], [1], [1e308], directed=False)
    assert apsp.solve(graph).distances.tolist() == [[0, 1e308], [1e308, 0]]
