from __future__ import annotations

import tracemalloc

import networkx as nx
import numpy as np
import pytest
import scipy.sparse.csgraph as csgraph

from apsp.errors import MemoryLimitError, RequestError
from apsp.graph.generate import KINDS, generate


def strong_parts(graph):
    return csgraph.connected_components(graph.to_scipy(), connection="strong")[0]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("n", [0, 1, 2, 3, 5, 60])
def test_same_seed_same_graph(kind, n):
    first, again, other = (generate(kind, n, seed=seed) for seed in (7, 7, 8))
    assert first.n == n
    assert np.array_equal(first.indices, again.indices)
    assert np.array_equal(first.weights, again.weights)
    if n == 60:
        assert not (np.array_equal(first.weights, other.weights) and np.array_equal(first.indices, other.indices))


@pytest.mark.parametrize("kind", ["random", "ring", "city", "country", "negative", "complete"])
@pytest.mark.parametrize("n", [2, 17, 300])
def test_strongly_connected(kind, n):
    assert strong_parts(generate(kind, n, seed=n)) == 1


def test_random_has_the_arcs_asked_for():
    graph = generate("random", 1000, m=5000, weights=(5, 9))
    assert 4900 < graph.m <= 5000
    assert not (graph.tails() == graph.indices).any()
    assert (graph.weights.min(), graph.weights.max()) == (5, 9)
    assert generate("random", 100, weights=None).weights is None
    assert generate("random", 100, weights=(0.5, 1.5)).weights.dtype == np.float64


def test_rmat_has_hubs():
    graph = generate("rmat", 3000, seed=1)
    degrees = np.diff(graph.indptr)
    assert degrees.max() > 20 * degrees.mean()
    assert graph.m > 0.6 * 8 * 3000


def test_shapes():
    grid = generate("grid", shape=(3, 4))
    assert nx.is_isomorphic(grid.to_networkx(), nx.grid_2d_graph(3, 4))
    assert nx.is_isomorphic(generate("grid", shape=(2, 3, 4)).to_networkx(), nx.grid_graph((2, 3, 4)))
    assert grid.coordinates.shape == (12, 2)
    assert nx.is_connected(generate("grid", 7).to_networkx())
    assert nx.is_isomorphic(generate("ring", 9).to_networkx(), nx.cycle_graph(9))
    assert generate("complete", 9).m == 72
    assert generate("complete", 9, directed=False).m == 72
    assert nx.is_directed_acyclic_graph(generate("dag", 200).to_networkx())


def test_negative_has_no_negative_cycle():
    graph = generate("negative", 200, seed=3)
    assert (graph.weights < 0).sum() > 50
    assert np.isfinite(csgraph.johnson(graph.to_scipy())).all()


def test_city():
    graph = generate("city", 3000, seed=2)
    assert graph.n == 3000
    assert graph.weights.dtype == np.int32
    assert graph.weights.min() >= 1
    assert 2.5 < graph.m / graph.n < 4
    metres = np.hypot(*(graph.coordinates[graph.tails()] - graph.coordinates[graph.indices]).T)
    assert (metres / graph.weights).max() < 30  # metres per second, as on streets
    assert not generate("city", 100, directed=False).directed
    assert generate("city", 100, weights=None).weights is None


@pytest.mark.parametrize("kind", ["city", "country", "random", "rmat"])
def test_the_memory_that_is_needed_is_said(kind, monkeypatch):
    generate(kind, 100)  # the modules are imported
    tracemalloc.start()
    try:
        generate(kind, 300_000)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    monkeypatch.setattr("apsp.graph.generate.allowed_memory", lambda: (0, peak))
    with pytest.raises(MemoryLimitError):
        generate(kind, 300_000)


BAD = [
    ({"kind": "village"}, "unknown kind of graph 'village'; there are city"),
    ({"n": -1}, "n must be a whole number from 0"),
    ({"n": 2.5}, "n must be"),
    ({"kind": "random", "m": -4}, "m must be a whole number from 0"),
    ({"kind": "city", "m": 100}, "only random, negative, dag, rmat have a number of arcs, not kind 'city'"),
    ({"kind": "random", "weights": (3, 1)}, "low <= high"),
    ({"kind": "random", "weights": (0.0, np.inf)}, "low <= high"),
    ({"kind": "negative", "directed": False}, "negative cycle"),
    ({"kind": "negative", "weights": None}, "needs weights"),
    ({"kind": "negative", "weights": (-1, 5)}, "must not be negative"),
    ({"kind": "ring", "shape": (2, 2)}, "a grid takes"),
    ({"kind": "grid", "shape": (0, 2)}, "each number of shape"),
    ({"kind": "rmat", "rmat": (0.9, 0.9, 0.0)}, "probabilities"),
]


@pytest.mark.parametrize(("arguments", "message"), BAD)
def test_refusals(arguments, message):
    with pytest.raises(RequestError, match=message):
        generate(**({"n": 50} | arguments))
