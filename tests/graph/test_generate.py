from __future__ import annotations

import tracemalloc

import networkx as nx
import numpy as np
import pytest
import scipy.sparse.csgraph as csgraph

import apsp
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


@pytest.mark.parametrize("kind", ["city", "country"])
@pytest.mark.parametrize("directed", [True, False])
def test_turns_of_streets(kind, directed):
    graph = apsp.generate(kind, 600, seed=3, directed=directed)
    turned = apsp.generate(kind, 600, seed=3, directed=directed, turns=True)
    assert turned.graph == graph
    assert turned == apsp.generate(kind, 600, seed=3, directed=directed, turns=True)
    assert turned != apsp.generate(kind, 600, seed=4, directed=directed, turns=True)
    rows, with_turns = apsp.solve(graph).to_numpy(), apsp.solve(turned).to_numpy()
    assert np.isfinite(with_turns).all()
    assert (with_turns >= rows).all()
    assert (with_turns > rows).mean() > 0.2
    assert np.isinf(turned.movements["penalty"]).all()


@pytest.mark.parametrize("n", [0, 1, 3, 5])
def test_turns_and_hours_of_few_streets(n):
    assert apsp.generate("city", n, turns=True).n == n
    assert list(apsp.generate("country", n, periods=[8, 0])) == [8, 0]


@pytest.mark.parametrize("kind", ["city", "country"])
def test_hours_of_streets(kind):
    graph, day = apsp.generate(kind, 600, seed=3), apsp.generate(kind, 600, seed=3, periods=range(24))
    assert list(day) == list(range(24))
    night = day[0].weights
    assert night.tolist() == graph.weights.tolist()
    longer = {hour: day[hour].weights / night for hour in day}
    assert all((longer[hour] >= 1).all() for hour in day)
    assert max(day, key=lambda hour: longer[hour].mean()) in (8, 17)
    long = night >= 40
    metres = np.hypot(*(graph.coordinates[graph.tails()] - graph.coordinates[graph.indices]).T)
    speed = (metres / night)[long]
    for low, high, more in ((0, 9, 1.2), (9, 17, 1.6), (17, 99, 1.9)):
        assert longer[8][long][(speed >= low) & (speed < high)] == pytest.approx(more, abs=0.02)


def test_what_turns_and_periods_refuse():
    for options, words in (
        ({"kind": "grid", "turns": True}, "only city and country"),
        ({"kind": "random", "periods": [8]}, "only city and country"),
        ({"turns": True, "periods": [8]}, "exclude each other"),
        ({"periods": [8], "weights": (1, 9)}, "leave out weights"),
        ({"periods": [24]}, "each of periods"),
        ({"periods": [8, 8]}, "given twice"),
        ({"periods": 8}, "a sequence of hours"),
        ({"periods": "8"}, "a sequence of hours"),
        ({"turns": 1.5}, "turns"),
    ):
        with pytest.raises(apsp.RequestError, match=words):
            apsp.generate(**{"kind": "city", "n": 30} | options)
