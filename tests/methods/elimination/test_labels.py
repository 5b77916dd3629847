"""Labels: distances of pairs against other methods on many graphs, of every dtype and order of elimination."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import apsp
from apsp import Graph, _cpu
from apsp.methods.elimination.factor import factorise
from apsp.methods.elimination.labels import label_bytes, labels_of
from apsp.methods.elimination.tree import elimination_tree
from contract import GRAPHS, assert_same_distances, graph_of, random_edges, ring
from examples import examples

SHAPES = {
    "grid": lambda: apsp.generate("grid", 900, seed=1, weights=(1, 100)),
    "directed grid": lambda: apsp.generate("grid", 900, seed=1, weights=(1, 100), directed=True),
    "ring": lambda: graph_of(3000, ring(3000, 3)),
    "star": lambda: graph_of(2000, [(0, v, v) for v in range(1, 2000)], directed=False),
    "long path": lambda: graph_of(2000, [(v, v + 1, 2) for v in range(1999)]),
    "tree": lambda: graph_of(1500, [(v, 7919 % v, v % 13 + 1) for v in range(1, 1500)], directed=False),
    "two hubs": lambda: graph_of(800, [arc for v in range(2, 800) for arc in ((v % 2, v, 1), (v, 1 - v % 2, 2))]),
    "many parts": lambda: graph_of(2000, [(v, v + 1, v % 7) for v in range(1999) if v % 3], directed=False),
    "random": lambda: graph_of(500, random_edges(500, 1500, 1, 1000, 3)),
    "city": lambda: apsp.generate("city", 2000, seed=2, weights=(1, 50)),
}


def all_pairs(oracle: apsp.Oracle) -> np.ndarray:
    n = oracle.graph.n
    every = np.arange(n)
    return oracle.distances(np.repeat(every, n), np.tile(every, n)).reshape(n, n)


@pytest.mark.few(26)
@pytest.mark.parametrize("name", GRAPHS)
@pytest.mark.parametrize("dtype", ["uint16", "int32", "int64", "float32", "float64"])
def test_all_pairs_of_the_contract(name: str, dtype: str) -> None:
    graph = GRAPHS[name]("int64" if dtype == "int64" else "int32")
    try:
        expected = apsp.solve(graph, method="reference", dtype=dtype)
        oracle = apsp.prepare(graph, dtype=dtype, labels=True)
    except (apsp.DtypeRangeError, apsp.MethodRefusedError):
        pytest.skip("this dtype does not hold them")
    found = all_pairs(oracle)
    assert found.dtype == np.dtype(dtype)
    assert_same_distances(found, expected.distances)
    for s in range(0, graph.n, 7):
        for t in range(graph.n):
            distance = oracle.distance(s, t)
            assert distance == expected.distance(s, t)
            assert type(distance) in ((float,) if np.dtype(dtype).kind == "f" else (int, float))


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("order", ["fast", "best", "any"])
@pytest.mark.parametrize("threads", [1, 3])
def test_orders_and_threads(shape: str, order: str, threads: int) -> None:
    graph = SHAPES[shape]()
    chosen: Any = order
    if order == "any":
        if graph.m > 6 * graph.n:
            pytest.skip("this order fills the factor")
        chosen = np.argsort(np.random.default_rng(1).random(graph.n) + (np.diff(graph.indptr) > 2))
    labelled = apsp.prepare(graph, order=chosen, labels=True, threads=threads)
    rng = np.random.default_rng(2)
    sources = np.concatenate([rng.integers(0, graph.n, 60), [0, graph.n - 1]])
    expected = apsp.solve(graph, method="dijkstra", sources=sources.tolist(), dtype=labelled.dtype).distances
    found = labelled.distances(np.repeat(sources, graph.n), np.tile(np.arange(graph.n), len(sources)))
    np.testing.assert_array_equal(found.reshape(expected.shape), expected)


@pytest.mark.parametrize("isa", ["baseline", "avx2", "avx512"])
def test_every_instruction_set(isa: str) -> None:
    before, graph = _cpu.isa(), SHAPES["city"]()
    pairs = np.random.default_rng(4).integers(0, graph.n, (2, 5000))
    expected = apsp.prepare(graph).distances(*pairs)
    try:
        _cpu.set_isa(isa)
    except ValueError:
        pytest.skip("not on this machine")
    try:
        for dtype in ("uint16", "int32", "int64", "float32", "float64"):
            found = apsp.prepare(graph, dtype=dtype, labels=True).distances(*pairs)
            np.testing.assert_array_equal(found.astype(np.int64), expected.astype(np.int64))
    finally:
        _cpu.set_isa(before)


@st.composite
def graphs(draw: st.DrawFn) -> Graph:
    n = draw(st.integers(1, 24))
    ends = st.integers(0, n - 1)
    edges = draw(st.lists(st.tuples(ends, ends, st.integers(0, 9)), max_size=60))
    directed = draw(st.booleans())
    if directed and draw(st.booleans()):  # negative arcs without negative cycles
        height = draw(st.lists(st.integers(-9, 9), min_size=n, max_size=n))
        edges = [(u, v, w + height[u] - height[v]) for u, v, w in edges]
    zones = np.array(draw(st.lists(st.booleans(), min_size=n, max_size=n))) if draw(st.booleans()) else None
    return graph_of(n, edges, directed=directed, zones=zones)


@settings(max_examples=examples(150), deadline=None)
@given(graphs(), st.sampled_from(["auto", "int32", "float64"]), st.integers(0, 2**32 - 1))
def test_random_graphs(graph: Graph, dtype: str, seed: int) -> None:
    order = np.random.default_rng(seed).permutation(graph.n) if seed % 2 else "fast"
    found = all_pairs(apsp.prepare(graph, dtype=dtype, order=order, labels=True))  # type: ignore[arg-type]
    assert_same_distances(found, apsp.solve(graph, method="reference", dtype=dtype).distances)


def test_weights_that_are_sums_of_fractions() -> None:
    graph = apsp.generate("city", 1500, seed=5)
    graph = graph.with_weights(np.random.default_rng(3).random(graph.m))
    pairs = np.random.default_rng(4).integers(0, graph.n, (2, 4000))
    for dtype, rtol in (("float32", 1e-5), ("float64", 1e-14)):
        found = apsp.prepare(graph, dtype=dtype, labels=True).distances(*pairs)
        np.testing.assert_allclose(found, apsp.solve(graph, dtype="float64").distances[tuple(pairs)], rtol=rtol)


def test_a_graph_with_equal_directions_has_labels_of_one() -> None:
    graph = apsp.generate("grid", 400, seed=1, weights=(1, 9))
    directed = Graph(graph.indptr, graph.indices, graph.weights, directed=True)
    other = directed.with_weights(directed.weights + np.arange(directed.m) % 3)
    sizes = {}
    for name, each in {"undirected": graph, "directed": directed, "other": other}.items():
        tree = elimination_tree(each)
        assert tree is not None
        factor = factorise(each, np.dtype(np.int32), tree)
        assert factor is not None
        assert factor.is_mirrored == (name != "other")
        labels = labels_of(factor, mirrored=factor.is_mirrored, threads=1)
        one = label_bytes(tree, each, factor.dtype)
        sizes[name] = labels.nbytes - one * (1 if factor.is_mirrored else 2)
        depth = depths(each, tree.order.tolist())
        assert one == sum((4 * ancestors + 63) // 64 * 64 for ancestors in depth)
    assert len(set(sizes.values())) == 1, "besides the labels, 28 bytes per vertex and some per block"
    assert sizes["other"] < 32 * graph.n


def depths(graph: Graph, order: list[int]) -> list[int]:
    """Ancestors of every place in the elimination tree, by definition."""
    place = {vertex: number for number, vertex in enumerate(order)}
    later: list[set[int]] = [set() for _ in order]
    for u, v in zip(graph.tails().tolist(), graph.indices.tolist(), strict=True):
        later[min(place[u], place[v])].add(max(place[u], place[v]))
    found = [1] * len(order)
    for i in range(len(order)):
        if later[i]:
            later[min(later[i])] |= later[i] - {min(later[i])}
    for i in reversed(range(len(order))):
        found[i] = 1 + found[min(later[i])] if later[i] else 1
    return found


def test_what_is_no_position_has_no_distance() -> None:
    graph = graph_of(4, [(0, 1, 2)])
    tree = elimination_tree(graph)
    assert tree is not None
    factor = factorise(graph, np.dtype(np.int32), tree)
    assert factor is not None
    labels = labels_of(factor, mirrored=False, threads=1)
    assert labels.distance(0, 1) == 2
    assert labels.distance(1, 0) == np.inf
    for wrong in (-1, 4, 2**31, 2**70, True, 1.0, "1", None, np.int64(1)):
        assert labels.distance(wrong, 1) is None
        assert labels.distance(1, wrong) is None
    ends, dist = np.array([0, 4], dtype=np.int32), np.zeros(2, dtype=np.int32)
    with pytest.raises(ValueError, match="4"):
        labels.pairs(sources=ends, targets=ends, dist=dist, threads=1)
    with pytest.raises(ValueError, match="an entry for each pair"):
        labels.pairs(sources=ends[:1], targets=ends[:1], dist=dist, threads=1)
    with pytest.raises(ValueError, match="the dtype of the factor"):
        labels.pairs(sources=ends, targets=ends, dist=dist.astype(np.int64), threads=1)
