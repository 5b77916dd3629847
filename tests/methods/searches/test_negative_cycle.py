"""Finding a negative cycle: it is simple, it is there, and its length is exact."""

from __future__ import annotations

import numpy as np
import pytest

import apsp
from apsp import Graph, NegativeCycleError
from apsp.graph.dense import from_dense
from apsp.methods.floyd_warshall.floyd_warshall import FloydWarshall
from apsp.methods.problem import Problem
from apsp.methods.searches.negative_cycle import find_negative_cycle
from contract import GRAPHS, graph_of, random_edges, ring, shifted


def check(graph: Graph, cycle: list[int], length: float) -> None:
    assert len(cycle) == len(set(cycle))
    weights = {(u, v): w for u, v, w in zip(graph.tails().tolist(), graph.indices.tolist(), graph.weights, strict=True)}
    total = sum(weights[arc].item() for arc in zip(cycle, [*cycle[1:], cycle[0]], strict=True))
    assert total < 0
    assert total == pytest.approx(length)


@pytest.mark.parametrize("seed", range(20))
def test_random_graphs(seed: int) -> None:
    n = 40
    edges = shifted(n, random_edges(n, 100, 0, 10, seed), seed, 20)
    graph = graph_of(n, edges)
    assert find_negative_cycle(graph) is None
    worse = graph_of(n, [(u, v, w - (k % 9 == 0) * 8) for k, (u, v, w) in enumerate(edges)])
    found = find_negative_cycle(worse)
    problem = Problem(worse, np.dtype(np.int64), threads=2)
    dist = np.empty((n, n), dtype=np.int64)
    sources = np.arange(n, dtype=np.int32)
    if found is None:
        FloydWarshall(problem).fill(sources, dist, None)
    else:
        check(worse, *found)
        for page in (16, None):
            with pytest.raises(NegativeCycleError) as caught:
                FloydWarshall(problem, page=page).fill(sources, dist, None)
            assert caught.value.length is not None
            check(worse, caught.value.cycle, caught.value.length)


def test_no_negative_arc() -> None:
    assert find_negative_cycle(GRAPHS["complete"]("int32")) is None


@pytest.mark.parametrize("dtype", ["int32", "int64", "float32", "float64"])
def test_a_long_cycle_and_huge_values_on_the_way(dtype: str) -> None:
    """Values would double from pivot to pivot if a negative diagonal were used once."""
    n = 300
    graph = graph_of(n, [*ring(n, -1), *[(v, u, -1) for v in range(0, 60, 2) for u in range(1, 60, 2)]], dtype=dtype)
    with pytest.raises(NegativeCycleError):
        FloydWarshall(Problem(graph, np.dtype(dtype), threads=2)).fill(
            np.arange(n, dtype=np.int32), np.empty((n, n), dtype=dtype), None
        )


def test_weights_too_large_for_int64_sums() -> None:
    graph = graph_of(3, [(0, 1, 2**62), (1, 2, -(2**62)), (2, 0, -1)], dtype="int64")
    found = find_negative_cycle(graph)
    assert found is not None
    assert sorted(found[0]) == [0, 1, 2]
    assert found[1] == -1


def test_through_a_zone() -> None:
    graph = graph_of(3, [(0, 1, 1), (1, 2, -3), (2, 0, 1)], zones=np.array([True, True, False]))
    with pytest.raises(NegativeCycleError):
        FloydWarshall(Problem(graph, np.dtype(np.int32)))


@pytest.mark.few(2)
@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("kind", ["rates", "chain"])
def test_rounding_is_no_negative_cycle(kind: str, dtype: str) -> None:
    """Differences of heights: every cycle has length 0, most come out a little off."""
    rng = np.random.default_rng(4)
    height = rng.normal(0, 1000, 200).cumsum()
    lengths = height - height[:, None]
    if kind == "chain":
        ends = np.abs(np.subtract.outer(np.arange(200), np.arange(200)))
        lengths[ends > 1] = np.inf
    graph = from_dense(lengths.astype(dtype))
    results = [apsp.solve(graph, method=method, paths=True) for method in ("floyd-warshall", "johnson")]
    for result in results:
        result.verify()
        assert (np.diagonal(result.distances) == 0).all()
    np.testing.assert_allclose(*(result.distances for result in results), atol=1e5 * np.finfo(dtype).eps * 200)
    worse = lengths.copy()
    worse[3, 4] -= 1
    for method in ("floyd-warshall", "johnson"):
        with pytest.raises(NegativeCycleError) as caught:
            apsp.solve(from_dense(worse.astype(dtype)), method=method)
        assert caught.value.length == pytest.approx(-1, abs=0.1)


def test_paths_of_floats_with_negative_arcs_are_those_of_johnson() -> None:
    """The search for arcs that rounding blurs took minutes for a thousand vertices."""
    rng = np.random.default_rng(5)
    height = rng.random(60)
    graph = from_dense(rng.random((60, 60)) + height - height[:, None])
    walked, expected = (apsp.solve(graph, method=method, paths=True) for method in ("floyd-warshall", "johnson"))
    walked.verify()
    np.testing.assert_array_equal(walked.distances, expected.distances)
    np.testing.assert_array_equal(walked.predecessors, expected.predecessors)
