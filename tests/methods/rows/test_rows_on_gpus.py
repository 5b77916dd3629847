"""Sources shared between GPUs beside the CPU: one GPU that is named twice, and two where there are two."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import apsp
from apsp.errors import NegativeCycleError
from apsp.methods import registry
from apsp.methods.problem import Problem
from apsp.system.array_device import to_host
from contract import assert_paths_replay, assert_same_distances, graph_of, random_edges

pytestmark = pytest.mark.gpu

HOPS = {"bit-bfs": True, "label-correcting": False, "elimination": False}


@pytest.fixture
def two(cupy: Any) -> str:
    if cupy.cuda.runtime.getDeviceCount() < 2:
        pytest.skip("there is one GPU")
    return "cuda:0,1"


def graph_for(method: str, n: int, dtype: str = "int32") -> apsp.Graph:
    if method == "elimination":
        graph = apsp.generate("grid", n, seed=n, weights=(1, 60))
    else:
        graph = apsp.generate("random", n, seed=n)
    if HOPS[method]:
        return graph.unweighted()
    return apsp.Graph(graph.indptr, graph.indices, graph.arc_weights(dtype), directed=graph.directed)


def twice(graph: apsp.Graph, method: str, dtype: str, **options: Any) -> Any:
    """A solver with two GPUs, which are the same."""
    problem = Problem(graph, np.dtype(dtype), device="cuda", gpus=(0, 0), threads=4, **options)
    return registry.prepare(registry.get(method))(problem)


def on_cpu(graph: apsp.Graph, dtype: str, **options: Any) -> Any:
    return apsp.solve(graph, dtype=dtype, method="dijkstra", device="cpu", **options)


@pytest.mark.parametrize("method", HOPS)
@pytest.mark.parametrize("dtype", ["uint16", "int32", "float32"])
@pytest.mark.parametrize("n", [1, 40, 5000])
def test_the_same_gpu_twice(cupy: Any, method: str, dtype: str, n: int) -> None:
    graph = graph_for(method, n, "float32" if dtype == "float32" else "int32")
    dist, told = np.empty((n, n), dtype=dtype), []
    sources = np.random.default_rng(0).permutation(n).astype(np.int32)
    twice(graph, method, dtype).fill(sources, dist, None, told.append)
    assert_same_distances(dist, on_cpu(graph, dtype, sources=sources).distances)
    assert told[-1] == n
    assert told == sorted(told)


@pytest.mark.parametrize("method", HOPS)
def test_arrays_of_the_gpu(cupy: Any, method: str) -> None:
    graph = graph_for(method, 3000)
    sources = np.arange(3000, dtype=np.int32)
    dist = cupy.full((3000, 3000), 7, dtype=np.int32)
    twice(graph, method, "int32").fill(sources, dist, None)
    np.testing.assert_array_equal(to_host(dist), on_cpu(graph, "int32").distances)


@pytest.mark.parametrize("method", HOPS)
def test_paths_targets_and_cutoffs(cupy: Any, method: str) -> None:
    graph, n = graph_for(method, 1500), 1500
    sources, targets = np.arange(0, n, 3, dtype=np.int32), np.array([5, 3, 3, 1400], dtype=np.int32)
    cutoff = 5 if HOPS[method] else 2500
    dist, pred = np.empty((len(sources), 4), np.int32), np.empty((len(sources), n), np.int32)
    twice(graph, method, "int32", targets=targets, cutoff=cutoff).fill(sources, dist, pred)
    expected = on_cpu(graph, "int32", sources=sources, targets=targets, cutoff=cutoff)
    np.testing.assert_array_equal(dist, expected.distances)
    whole, pred = np.empty((n, n), np.int32), np.empty((n, n), np.int32)
    twice(graph, method, "int32").fill(np.arange(n, dtype=np.int32), whole, pred)
    assert_paths_replay(apsp.Result(graph, whole, pred=pred))


def test_a_whole_matrix_of_elimination_stays_on_the_first(cupy: Any) -> None:
    graph, told, n = graph_for("elimination", 2000), [], 2000
    dist, pred = cupy.full((n, n), 7, dtype=np.int32), cupy.full((n, n), 7, dtype=np.int32)
    twice(graph, "elimination", "int32").fill(np.arange(n, dtype=np.int32), dist, pred, told.append)
    result = apsp.Result(graph, to_host(dist), pred=to_host(pred))
    np.testing.assert_array_equal(result.distances, on_cpu(graph, "int32").distances)
    assert_paths_replay(result)
    assert told == sorted(told)


@pytest.mark.parametrize("method", HOPS)
@pytest.mark.parametrize("dtype", ["uint16", "int32", "float64"])
def test_sums_where_rows_are_computed(cupy: Any, method: str, dtype: str) -> None:
    graph = graph_for(method, 5000, "float64" if dtype == "float64" else "int32")
    sources = np.random.default_rng(1).permutation(5000).astype(np.int32)
    sums = twice(graph, method, dtype).measure(sources)
    found = apsp.reductions.Summary(5000)
    found.add_sums(sums)
    expected = apsp.summary(graph, dtype=dtype, device="cpu", method="dijkstra")
    np.testing.assert_allclose(found.closeness_centrality("out"), expected.closeness_centrality("out"), rtol=1e-12)
    np.testing.assert_array_equal(found.farthest, expected.farthest)
    assert found.diameter == expected.diameter


def test_a_negative_cycle_is_told(cupy: Any) -> None:
    edges = [*random_edges(900, 3000, 0, 9, 4), (3, 4, -5), (4, 3, 2)]
    graph = graph_of(900, edges)
    solver = twice(graph, "label-correcting", "int32")
    with pytest.raises(NegativeCycleError):
        solver.fill(np.arange(900, dtype=np.int32), np.empty((900, 900), np.int32), None)


@pytest.mark.parametrize("method", HOPS)
def test_two_gpus(two: str, method: str) -> None:
    graph = graph_for(method, 6000)
    expected = on_cpu(graph, "int32")
    found = apsp.solve(graph, method=method, device=two, dtype="int32")
    assert isinstance(found.distances, np.ndarray)
    assert found.info["device"] == "cuda"
    np.testing.assert_array_equal(found.distances, expected.distances)
    for block in apsp.stream(graph, method=method, device=two, dtype="int32", rows=2500):
        np.testing.assert_array_equal(block.distances, expected.distances[block.sources])
    one = apsp.closeness_centrality(graph, direction="out", method=method, device="cuda:1", dtype="int32")
    np.testing.assert_array_equal(
        apsp.closeness_centrality(graph, direction="out", method=method, device=two, dtype="int32"), one
    )
    np.testing.assert_array_equal(
        apsp.k_nearest(graph, 3, method=method, device=two).distances,
        apsp.k_nearest(graph, 3, method=method, device="cpu").distances,
    )
    assert_paths_replay(apsp.solve(graph, method=method, device=two, paths=True))


@pytest.mark.parametrize("method", ["label-correcting", "elimination"])
def test_the_second_gpu_takes_part(two: str, cupy: Any, method: str) -> None:
    graph = graph_for(method, 20_000)
    with cupy.cuda.Device(1):
        cupy.get_default_memory_pool().free_all_blocks()
        before = cupy.get_default_memory_pool().total_bytes()
    apsp.closeness_centrality(graph, direction="out", method=method, device=two)
    with cupy.cuda.Device(1):
        assert cupy.get_default_memory_pool().total_bytes() > before
