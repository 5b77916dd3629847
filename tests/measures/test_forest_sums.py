"""Sums over the rows of forests, which follow from two passes over each tree: those of the matrix."""

from __future__ import annotations

import time
from typing import Any

import networkx as nx
import numpy as np
import numpy.typing as npt
import pytest

import apsp
from apsp.running import summing as module
from apsp.semiring import is_unreachable

SHAPES = ("path", "star", "tree", "caterpillar", "forest", "empty", "one vertex", "no vertex")
KINDS = ("hops", "ints", "zeros", "wide")


def forest(shape: str, kind: str, n: int = 60, *, seed: int = 0) -> apsp.Graph:
    """A forest whose vertices are mixed."""
    rng = np.random.default_rng(seed)
    n = {"one vertex": 1, "no vertex": 0}.get(shape, n)
    v = np.arange(1, n)
    parent = {
        "path": v - 1, "star": 0 * v, "caterpillar": np.where(v % 2, v - 1, v - 2),
    }.get(shape, (rng.random(len(v)) * v).astype(int))  # fmt: skip
    kept = {"forest": rng.random(len(v)) < 0.8, "empty": np.zeros(len(v), bool)}.get(shape, np.ones(len(v), bool))
    number = rng.permutation(n)
    tails, heads = number[parent[kept]], number[v[kept]]
    weights: npt.NDArray[Any] | None = {
        "hops": None,
        "ints": rng.integers(1, 50, len(tails)),
        "zeros": rng.integers(0, 2, len(tails)),
        "wide": rng.integers(0, 2**50, len(tails)),
    }[kind]
    arguments = (tails, heads) if weights is None else (tails, heads, weights)
    return apsp.from_edges(*arguments, n=n, directed=False)


@pytest.fixture
def taken(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """Whether each call took this way."""
    calls: list[bool] = []
    plain = module.forest_sums

    def told(*arguments: Any) -> Any:
        found = plain(*arguments)
        calls.append(found is not None)
        return found

    monkeypatch.setattr("apsp.running.summing.forest_sums", told)
    return calls


@pytest.mark.few(4)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("shape", SHAPES)
def test_sums_are_those_of_the_matrix(shape: str, kind: str, taken: list[bool]) -> None:
    for seed in range(4):
        graph = forest(shape, kind, seed=seed)
        found = apsp.summary(graph, reciprocals=False)
        dist = apsp.solve(graph, method="reference").distances
        reached = ~is_unreachable(dist)
        rows = [[int(d) for d in row[there]] for row, there in zip(dist, reached, strict=True)]
        assert found.farness().tolist() == [sum(row) for row in rows]
        assert found.eccentricity.tolist() == [max(row) for row in rows]
        assert found.unreachable_pairs == (~reached).sum()
        np.testing.assert_array_equal(
            apsp.closeness_centrality(graph), apsp.closeness_centrality(graph, method="reference")
        )
        if graph.n:
            assert found.eccentricity.dtype == apsp.summary(graph).eccentricity.dtype
            assert found.farthest_pair == apsp.summary(graph).farthest_pair
            assert found.center == apsp.summary(graph).center
            assert apsp.wiener_index(graph) == apsp.summary(graph).wiener_index()
    assert taken.count(True) >= 4 * 2


def test_values_are_those_of_networkx(taken: list[bool]) -> None:
    graph = forest("forest", "ints")
    plain = graph.to_networkx()
    expected = nx.closeness_centrality(plain, distance="weight")
    np.testing.assert_allclose(apsp.closeness_centrality(graph), [expected[v] for v in range(graph.n)], rtol=1e-15)
    assert taken == [True]


def test_other_graphs_and_requests_take_the_rows(taken: list[bool]) -> None:
    tree = forest("tree", "ints")
    ring = apsp.generate("ring", 9, directed=False)
    looped = apsp.from_edges([0, 1, 2, 3, 0], [1, 2, 0, 3, 0], n=5, directed=False)
    floats = apsp.Graph(tree.indptr, tree.indices, tree.weights * 0.5, directed=False)
    one_way = apsp.from_edges([0, 1], [1, 2])
    for graph in (ring, looped, floats, one_way):
        apsp.closeness_centrality(graph)
    apsp.closeness_centrality(tree, cutoff=3)
    apsp.closeness_centrality(tree, method="dijkstra")
    apsp.closeness_centrality(tree, vertices=[3])
    apsp.closeness_centrality(tree, dtype="float64")
    assert not any(taken)
    huge = apsp.from_edges(np.zeros(40, int), np.arange(1, 41), np.full(40, 2**58), directed=False)
    with pytest.raises(apsp.RequestError, match="int64"):
        apsp.closeness_centrality(huge)


def test_loops_do_not_matter(taken: list[bool]) -> None:
    graph = apsp.from_edges([0, 1, 1, 2], [1, 2, 1, 2], [3, 4, 5, 6], n=4, directed=False)
    assert apsp.farness(graph).tolist() == [10, 7, 11, 0]
    assert taken == [True]


def test_progress_ends_with_all_rows() -> None:
    seen: list[tuple[int, int]] = []
    apsp.closeness_centrality(forest("tree", "hops"), progress=lambda _, done, total: seen.append((done, total)))
    assert seen[-1] == (60, 60)


@pytest.mark.parametrize("shape", ["path", "tree"])
def test_the_time_is_linear(shape: str) -> None:
    def seconds(n: int) -> float:
        graph = forest(shape, "ints", n)
        start = time.process_time()
        apsp.closeness_centrality(graph)
        return time.process_time() - start

    assert seconds(200_000) < 2  # rows would take minutes


def test_the_most_central_vertices_follow_from_the_sums() -> None:
    graph = forest("path", "ints", 100_000)
    start = time.process_time()
    centers, best = apsp.barycenter(graph), apsp.closeness_centrality(graph, top=3)
    assert time.process_time() - start < 2
    values = apsp.closeness_centrality(graph)
    assert centers == np.flatnonzero(values == values.max()).tolist()
    np.testing.assert_array_equal(best.values, np.sort(values)[::-1][:3])
