"""Elimination on several GPUs, which are emulated: sources shared, sums, paths, errors of threads."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import apsp
from apsp.errors import DtypeRangeError, MemoryLimitError, RequestError
from apsp.gpu.emulated.arrays import DeviceArray
from apsp.methods import registry
from apsp.methods.elimination.factor_on_gpu import FactorOnGpu
from apsp.methods.problem import Problem, Solver
from contract import assert_paths_replay, assert_same_distances, graph_of, shifted
from emulation import Launches, emulated_gpus
from sweeps import grid_and_ways

N = 144


@pytest.fixture(autouse=True)
def two_gpus(monkeypatch: pytest.MonkeyPatch) -> Iterator[Launches]:
    monkeypatch.setattr("apsp.methods.rows.rows_on_gpus._WHOLE", 16)
    with emulated_gpus(monkeypatch, gpus=2) as launches:
        yield launches


def streets(*, negative: bool = False, **options: Any) -> apsp.Graph:
    edges = grid_and_ways(12, 5, 2)
    return graph_of(N, shifted(N, edges, 2, 40) if negative else edges, dtype="int64", **options)


def solver_of(graph: apsp.Graph, dtype: str, **options: Any) -> Solver:
    problem = Problem(graph, np.dtype(dtype), device="cuda", **{"gpus": (0, 1), "threads": 2} | options)
    solver: Solver = registry.prepare(registry.get("elimination"))(problem)
    return solver


def on_cpu(graph: apsp.Graph, dtype: str, **options: Any) -> apsp.Result:
    method = "johnson" if graph.has_negative_arc else "dijkstra"
    return apsp.solve(graph, dtype=dtype, device="cpu", method=method, **options)


def on_gpu(shape: tuple[int, int], dtype: str) -> Any:
    from apsp.gpu import jit

    return jit.cupy().full(shape, 7, dtype=dtype)


@pytest.mark.parametrize("dtype", ["uint16", "int32", "float64"])
@pytest.mark.parametrize("on_device", [False, True])
def test_rows_are_shared(dtype: str, on_device: bool) -> None:
    closed = np.arange(N) % 5 == 0
    sources, told = np.random.default_rng(0).permutation(N).astype(np.int32), []
    for graph in (streets(), streets(zones=closed)):
        dist = on_gpu((N, N), dtype) if on_device else np.empty((N, N), dtype)
        solver_of(graph, dtype).fill(sources, dist, None, told.append)
        assert_same_distances(dist, on_cpu(graph, dtype, sources=sources).distances)
        assert told == sorted(told)
        assert told.pop() == N
        assert len(told) >= 3, "every GPU gets some blocks"
        told.clear()
        solver_of(graph, dtype).fill(sources[:0], dist[:0], None)


@pytest.mark.parametrize("negative", [False, True])
def test_targets_cutoffs_and_paths(negative: bool) -> None:
    graph, targets = streets(negative=negative), np.array([5, 3, 3, 140], dtype=np.int32)
    sources = np.arange(0, N, 2, dtype=np.int32)
    dist, pred = np.empty((len(sources), 4), np.int32), np.empty((len(sources), N), np.int32)
    solver_of(graph, "int32", targets=targets, cutoff=90).fill(sources, dist, pred)
    expected = on_cpu(graph, "int32", sources=sources, targets=targets, cutoff=90)
    np.testing.assert_array_equal(dist, expected.distances)
    whole, pred = np.empty((N, N), np.int32), np.empty((N, N), np.int32)
    solver_of(graph, "int32").fill(np.arange(N, dtype=np.int32), whole, pred)
    assert_paths_replay(apsp.Result(graph, whole, pred=pred))


@pytest.mark.parametrize("gpus", [(0,), (0, 1)])
@pytest.mark.parametrize("cutoff", [None, 90])
@pytest.mark.parametrize("paths", [False, True])
def test_the_whole_matrix_stays_on_one_gpu(gpus: tuple[int, ...], cutoff: int | None, paths: bool) -> None:
    for negative in (False, True):
        graph, told = streets(negative=negative), []
        dist, pred = on_gpu((N, N), "int32"), on_gpu((N, N), "int32") if paths else None
        solver = solver_of(graph, "int32", gpus=gpus, cutoff=cutoff)
        solver.fill(np.arange(N, dtype=np.int32), dist, pred, told.append)
        assert_same_distances(dist, on_cpu(graph, "int32", cutoff=cutoff).distances)
        assert told == sorted(told)
        assert told[-1] == N
        if paths and cutoff is None:
            assert_paths_replay(apsp.Result(graph, dist.get(), pred=pred.get()))
        again = np.empty((3, N), np.int32)
        solver.fill(np.array([4, 9, 2], np.int32), again, None)
        np.testing.assert_array_equal(again, dist.get()[[4, 9, 2]])


@pytest.mark.parametrize("dtype", ["uint16", "int32", "int64", "float64"])
@pytest.mark.parametrize("cutoff", [None, 90])
@pytest.mark.parametrize("negative", [False, True])
def test_sums_are_taken_on_each(dtype: str, cutoff: int | None, negative: bool) -> None:
    if negative and dtype == "uint16":
        pytest.skip("its distances are not negative")
    graph, told = streets(negative=negative), []
    sources = np.random.default_rng(1).permutation(N).astype(np.int32)
    sums = solver_of(graph, dtype, cutoff=cutoff).measure(sources, told.append)
    rows = on_cpu(graph, dtype, sources=sources, cutoff=cutoff).distances
    reached = rows != apsp.unreachable(dtype)
    np.testing.assert_array_equal(sums.reached, reached.sum(axis=1))
    np.testing.assert_array_equal(sums.total, np.where(reached, rows, 0).sum(axis=1))
    np.testing.assert_array_equal(sums.largest, np.where(reached, rows.astype(np.float64), -np.inf).max(axis=1))
    assert sums.largest.dtype == dtype
    assert told == sorted(told)
    assert told[-1] == N
    assert len(solver_of(graph, dtype).measure(sources[:0]).total) == 0
    assert not solver_of(graph, dtype, targets=sources[:2]).can_measure


def test_the_front_door() -> None:
    graph, asked = streets(), {"method": "elimination", "device": "cuda:0,1", "dtype": "int32"}
    result = apsp.solve(graph, **asked)
    assert isinstance(result.distances, np.ndarray)
    assert not isinstance(result.distances, DeviceArray)
    assert_same_distances(result.distances, on_cpu(graph, "int32").distances)
    np.testing.assert_array_equal(
        apsp.closeness_centrality(graph, direction="out", **asked),
        apsp.closeness_centrality(graph, direction="out", device="cpu"),
    )
    assert apsp.diameter(graph, **asked) == apsp.diameter(graph, device="cpu")
    words = apsp.plan(graph, **asked).explain()
    assert "the factor, which the CPU computes, lies in the memory of each" in words


def test_an_oracle_lies_on_one() -> None:
    graph = streets()
    with pytest.raises(RequestError, match="an oracle lies on one GPU"):
        apsp.prepare(graph, device="cuda:0,1")
    oracle = apsp.prepare(graph, device="cuda:1", dtype="int32")
    np.testing.assert_array_equal(oracle.summary().eccentricity, apsp.eccentricity(graph, device="cpu"))


def test_a_range_that_is_left_is_told() -> None:
    graph = graph_of(40, [(v, v + 1, -200_000_000) for v in range(3)] + [(v, v + 1, 1) for v in range(3, 39)])
    solver, sources = solver_of(graph, "int32"), np.arange(40, dtype=np.int32)
    with pytest.raises(DtypeRangeError, match="too narrow"):
        solver.fill(sources, np.empty((40, 40), np.int32), None)
    with pytest.raises(DtypeRangeError, match="too narrow"):
        solver.measure(sources)


@pytest.mark.parametrize("gpus", [(0,), (0, 1)])
def test_memory_that_is_used_up_is_told(gpus: tuple[int, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    from apsp.gpu.emulated.module import OutOfMemoryError

    def used_up(*_: object) -> None:
        raise OutOfMemoryError("Out of memory allocating 5,000,000,000 bytes")

    monkeypatch.setattr(FactorOnGpu, "_found", used_up)
    solver, sources = solver_of(streets(), "int32", gpus=gpus), np.arange(N, dtype=np.int32)
    with pytest.raises(MemoryLimitError, match="work on GPU"):
        solver.measure(sources)
    with pytest.raises(MemoryLimitError, match="work on GPU"):
        solver.fill(sources, np.empty((N, N), np.int32), None)


def test_rounding_goes_to_johnson_for_all_of_them() -> None:
    graph = graph_of(N, [(u, v, float(w)) for u, v, w in shifted(N, grid_and_ways(12, 5, 2), 2, 40)], dtype="float64")
    solver, whole, pred = solver_of(graph, "float64"), np.empty((N, N)), np.empty((N, N), np.int32)
    solver.fill(np.arange(N, dtype=np.int32), whole, pred)
    assert solver.ran_on == "cpu"
    assert_paths_replay(apsp.Result(graph, whole, pred=pred))
