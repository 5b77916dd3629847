"""Results of device='cuda' stay on the GPU, and every question about them is answered there or in small pieces."""

from __future__ import annotations

import math
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import apsp
from apsp.system.array_device import to_host
from contract import GRAPHS, assert_paths_replay, assert_same_distances, graph_of, random_edges, shifted

pytestmark = pytest.mark.gpu

NAMES = ("several components", "negative arcs", "negative and zero cycles", "zones", "no vertex", "one vertex")


@pytest.fixture
def graph() -> apsp.Graph:
    return GRAPHS["several components"]("int32")


def test_arrays_stay_on_the_device_when_it_is_named(cupy: Any, graph: apsp.Graph) -> None:
    result = apsp.solve(graph, device="cuda", paths=True)
    assert isinstance(result.distances, cupy.ndarray)
    assert isinstance(result.predecessors, cupy.ndarray)
    assert isinstance(result.next_hops(), cupy.ndarray)
    assert isinstance(result.to_numpy(), np.ndarray)
    assert isinstance(apsp.solve(graph).distances, np.ndarray)
    assert "90 x 90, uint16, cuda:0, with paths" in repr(result)


def test_answers_are_those_of_the_host(cupy: Any, graph: apsp.Graph) -> None:
    ours, cpu = (apsp.solve(graph, device=device, paths=True) for device in ("cuda", "cpu"))
    for source, target in ((0, 29), (3, 3), (0, 89), (60, 61)):
        assert ours.distance(source, target) == cpu.distance(source, target)
        hop = ours.next_hop(source, target)
        if math.isinf(cpu.distance(source, target)):
            assert hop is None
            with pytest.raises(apsp.NoPathError):
                ours.path(source, target)
        elif source != target:
            path = ours.path(source, target)
            assert path[1] == hop
            assert apsp.result.paths.replay(graph, path) == cpu.distance(source, target)
    long, other = ours.to_long(), cpu.to_long()
    for name in long:
        np.testing.assert_array_equal(long[name], other[name])
    assert len(ours.to_long(only_reachable=False)["source"]) == 90 * 90


@pytest.mark.parametrize("name", NAMES)
def test_many_paths_hops_and_intermediates(cupy: Any, name: str) -> None:
    graph = GRAPHS[name]("int32")
    ours, cpu = (apsp.solve(graph, device=device, paths=True, method="floyd-warshall") for device in ("cuda", "cpu"))
    every = range(graph.n)
    sources, targets = ([u for u in every for _ in every], [v for _ in every for v in every])
    hops, via = ours.next_hops().get(), ours.via().get()
    assert hops.shape == via.shape == (graph.n, graph.n)
    for u, v, path in zip(sources, targets, ours.paths(sources, targets), strict=True):
        distance = cpu.distance(u, v)
        if math.isinf(distance):
            assert path == []
            assert hops[u, v] == via[u, v] == -1
            continue
        assert (path[0], path[-1]) == (u, v)
        assert apsp.result.paths.replay(graph, path) == distance
        assert hops[u, v] == (path[1] if len(path) > 1 else -1)
        assert (via[u, v] in path[1:-1]) if len(path) > 2 else via[u, v] == -1


def test_without_kept_predecessors(cupy: Any, graph: apsp.Graph) -> None:
    result = apsp.solve(graph, device="cuda")
    assert apsp.result.paths.replay(graph, result.path(31, 40)) == result.distance(31, 40)
    with pytest.raises(apsp.PathsNotKeptError):
        result.predecessors  # noqa: B018


@pytest.mark.parametrize("name", NAMES)
def test_save_load_and_verify(cupy: Any, tmp_path: Path, name: str) -> None:
    result = apsp.solve(GRAPHS[name]("int32"), device="cuda", paths=True)
    result.verify()
    result.save(tmp_path / "result.npz")
    again = apsp.load(tmp_path / "result.npz")
    assert_same_distances(again.distances, result.distances)
    again.verify()


def test_verify_sees_a_wrong_distance(cupy: Any, graph: apsp.Graph) -> None:
    result = apsp.solve(graph, device="cuda")
    result.distances[35, 40] += 1
    with pytest.raises(apsp.VerificationError, match="from 35 to 40"):
        result.verify()


def test_corrupt_predecessors_are_told(cupy: Any, graph: apsp.Graph) -> None:
    result = apsp.solve(graph, device="cuda", paths=True)
    path = max(result.paths([0] * 30, list(range(30))), key=len)
    assert len(path) > 2
    result.predecessors[0, path[1]], result.predecessors[0, path[2]] = path[2], path[1]
    with pytest.raises(apsp.VerificationError, match="corrupt"):
        result.path(0, path[2])
    with pytest.raises(apsp.VerificationError, match="corrupt"):
        result.next_hops()


def test_some_rows_some_columns(cupy: Any) -> None:
    graph = GRAPHS["several panels"]("int32")
    options: dict[str, Any] = {"sources": [5, 0, 299, 5], "targets": [1, 2, 64], "method": "floyd-warshall"}
    for cutoff in (None, 900):
        ours, cpu = (
            apsp.solve(graph, device=device, paths=True, cutoff=cutoff, **options) for device in ("cuda", "cpu")
        )
        assert isinstance(ours.distances, cupy.ndarray)
        assert_same_distances(ours.distances, cpu.distances)
        for source in (0, 299):
            for target in (1, 2, 64):
                if not math.isinf(cpu.distance(source, target)):
                    assert apsp.result.paths.replay(graph, ours.path(source, target)) == cpu.distance(source, target)


def test_a_cutoff_with_negative_arcs(cupy: Any) -> None:
    graph = GRAPHS["negative arcs"]("int32")
    ours, cpu = (
        apsp.solve(graph, device=device, paths=True, cutoff=30, method="floyd-warshall") for device in ("cuda", "cpu")
    )
    assert_same_distances(ours.distances, cpu.distances)
    heads = np.argwhere(cpu.distances != apsp.unreachable(cpu.distances.dtype)).tolist()
    for u, v in heads[::7]:
        assert apsp.result.paths.replay(graph, ours.path(u, v)) == cpu.distance(u, v)


@pytest.mark.parametrize("semiring", ["max_min", "min_max"])
def test_paths_of_other_semirings(cupy: Any, semiring: str) -> None:
    graph = GRAPHS["several panels"]("int32")
    ours, cpu = (
        apsp.solve(graph, device=device, paths=True, semiring=semiring, method="floyd-warshall")
        for device in ("cuda", "cpu")
    )
    np.testing.assert_array_equal(to_host(ours.distances), cpu.distances)
    np.testing.assert_array_equal(ours.predecessors.get(), cpu.predecessors)


def test_floats_that_the_cpu_must_finish_say_so(cupy: Any) -> None:
    graph = graph_of(60, shifted(60, random_edges(60, 600, 1, 50, 3), 3, 20), dtype="float32")
    result = apsp.solve(graph, device="cuda", paths=True, method="floyd-warshall")
    assert result.info["device"] == "cpu"
    assert isinstance(result.distances, cupy.ndarray)
    assert isinstance(result.predecessors, cupy.ndarray)
    assert_paths_replay(result, 1e-5)


def test_reductions_take_blocks_of_the_device(cupy: Any, graph: apsp.Graph) -> None:
    result = apsp.solve(graph, device="cuda")
    summary = apsp.reductions.Summary(graph.n)
    summary.add(apsp.Block(result.sources, result.distances))
    assert summary.diameter == apsp.diameter(graph)


def test_vertices_have_labels(cupy: Any) -> None:
    rng = np.random.default_rng(5)
    matrix = rng.integers(1, 30, (90, 90)).astype(np.int32)
    matrix[rng.random((90, 90)) > 0.1] = apsp.unreachable("int32")
    names = [f"v{place}" for place in rng.permutation(90)]
    plain = apsp.solve(matrix, device="cpu", paths=True)
    for graph in (apsp.from_dense(cupy.asarray(matrix), labels=names), apsp.from_dense(matrix, labels=names)):
        result = apsp.solve(graph, device="cuda", paths=True, method="floyd-warshall")
        assert result.graph.has_labels
        assert result.sources.tolist() == names
        starts, ends = rng.integers(0, 90, 50), rng.integers(0, 90, 50)
        found = result.paths([names[s] for s in starts], [names[t] for t in ends])
        for s, t, path in zip(starts.tolist(), ends.tolist(), found, strict=True):
            assert result.distance(names[s], names[t]) == plain.distance(s, t)
            if path:
                assert apsp.result.paths.replay(graph, path) == plain.distance(s, t)
        some = apsp.solve(graph, device="cuda", sources=cupy.asarray([], dtype=np.int32), method="floyd-warshall")
        assert some.distances.shape == (0, 90)
        nearest = apsp.k_nearest(graph, 4, device="cuda")
        assert nearest.vertices.tolist() == [
            [None if place < 0 else names[place] for place in row] for row in nearest.positions.tolist()
        ]
    integers = apsp.from_dense(cupy.asarray(matrix), labels=range(100, 190))
    assert apsp.solve(integers, sources=cupy.asarray([103, 101])).sources.tolist() == [103, 101]
    assert list(pickle.loads(pickle.dumps(integers)).labels) == list(range(100, 190))


def test_parts_stay_on_the_device_and_pickles_come_to_the_host(cupy: Any, graph: apsp.Graph) -> None:
    ours, cpu = (apsp.solve(graph, device=device, paths=True) for device in ("cuda", "cpu"))
    for key in ((0, slice(None)), (slice(None), [3, 1]), ([5, 2], [3, 1, 4]), ([7], 8)):
        assert isinstance(ours[key], cupy.ndarray)
        np.testing.assert_array_equal(ours[key].get(), cpu[key])
    assert ours[0, 1] == cpu[0, 1]
    assert ours.__dlpack_device__()[0] == 2
    np.testing.assert_array_equal(cupy.from_dlpack(ours).get(), cpu.distances)
    np.testing.assert_array_equal(np.asarray(ours), cpu.to_numpy())
    again = pickle.loads(pickle.dumps(ours))
    assert type(again.distances) is type(again.predecessors) is np.ndarray
    again.verify()
