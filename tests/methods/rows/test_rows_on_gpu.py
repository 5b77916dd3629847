"""Where rows go that a GPU computes, and who computes which: on emulated GPUs, by a search that is Dijkstra's."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import apsp
from apsp.gpu import jit
from apsp.methods.problem import Problem
from apsp.methods.rows import rows_on_gpu
from apsp.methods.rows.rows_on_gpu import RowsOnGpu, Search
from apsp.methods.rows.rows_on_gpus import RowsOnGpus, rows_on_gpus
from apsp.system.array_device import to_host
from emulation import emulated_gpus

N = 300
Made = Callable[..., RowsOnGpu | RowsOnGpus]


def search_of(calls: list[int]) -> Callable[[RowsOnGpu], Search]:
    def make(rows: RowsOnGpu) -> Search:
        problem = rows.problem

        def search(sources: Any, there: Any, dist: Any, targets: Any) -> None:
            np.testing.assert_array_equal(to_host(there), sources)
            calls.append(len(sources))
            found = apsp.solve(
                problem.graph, sources=sources, targets=None if targets is None else np.asarray(targets),
                dtype=problem.dtype.name, method="dijkstra", device="cpu",
            )  # fmt: skip
            dist[...] = jit.cupy().asarray(found.distances)

        return search

    return make


@pytest.fixture
def make(monkeypatch: pytest.MonkeyPatch) -> Iterator[Made]:
    monkeypatch.setattr(rows_on_gpu, "BLOCK_BYTES", 40 * N * 4)
    monkeypatch.setattr("apsp.methods.rows.rows_on_gpus._WHOLE", 16)
    graph = apsp.generate("random", N, seed=5)

    def made(gpus: tuple[int, ...], calls: list[int], **changes: Any) -> RowsOnGpu | RowsOnGpus:
        problem = Problem(graph, np.dtype(np.int32), device="cuda", gpus=gpus, threads=4, **changes)
        return rows_on_gpus(problem, search_of(calls))

    with emulated_gpus(monkeypatch, gpus=2):
        yield made


def expected(solver: RowsOnGpu | RowsOnGpus, sources: Any) -> Any:
    return apsp.solve(solver.problem.graph, sources=sources, dtype="int32", device="cpu", method="dijkstra").distances


@pytest.mark.parametrize(
    ("gpus", "kind", "most"), [((0,), RowsOnGpu, 40), ((0, 1), RowsOnGpus, 40), ((1, 0, 1), RowsOnGpus, 32)]
)
def test_blocks_go_to_the_host(make: Made, gpus: tuple[int, ...], kind: type, most: int) -> None:
    calls: list[int] = []
    solver, told = make(gpus, calls), []
    assert type(solver) is kind
    sources = np.random.default_rng(0).permutation(N).astype(np.int32)
    whole = np.full((N + 2, N + 3), 7, dtype=np.int32)
    solver.fill(sources, whole[1:-1, 2:-1], None, told.append)
    np.testing.assert_array_equal(whole[1:-1, 2:-1], expected(solver, sources))
    whole[1:-1, 2:-1] = 7
    assert (whole == 7).all()
    assert (sum(calls), max(calls)) == (N, most)
    assert told == sorted(told)
    assert told[-1] == N


@pytest.mark.parametrize("gpus", [(0,), (0, 1)])
def test_blocks_stay_on_the_gpu(make: Made, gpus: tuple[int, ...]) -> None:
    calls: list[int] = []
    solver = make(gpus, calls)
    dist = jit.cupy().full((N, N), 7, dtype=np.int32)
    solver.fill(np.arange(N, dtype=np.int32), dist, None)
    np.testing.assert_array_equal(to_host(dist), expected(solver, np.arange(N)))
    assert sum(calls) == N


def test_blocks_that_belong_to_another_gpu(make: Made) -> None:
    solver = make((1,), [])
    dist = jit.cupy().full((N, N), 7, dtype=np.int32)
    told: list[int] = []
    solver.fill(np.arange(N, dtype=np.int32), dist, None, told.append)
    np.testing.assert_array_equal(to_host(dist), expected(solver, np.arange(N)))
    assert told[-1] == N


@pytest.mark.parametrize("gpus", [(0,), (0, 1)])
def test_targets(make: Made, gpus: tuple[int, ...]) -> None:
    targets = np.array([3, 3, 250], dtype=np.int32)
    solver = make(gpus, [], targets=targets)
    dist = np.empty((N, 3), dtype=np.int32)
    solver.fill(np.arange(N, dtype=np.int32), dist, None)
    np.testing.assert_array_equal(dist, expected(solver, np.arange(N))[:, targets])


@pytest.mark.parametrize("on_device", [False, True])
def test_rows_of_which_few_columns_are_asked_do_not_fill_the_memory(
    make: Made, monkeypatch: pytest.MonkeyPatch, on_device: bool
) -> None:
    """With negative arcs and a cutoff, or a result in another order, whole rows come first: of a block, not of all."""
    whole: list[int] = []

    def allocate(gpu: int, rows: int, columns: int, dtype: Any) -> Any:
        whole.append(rows)
        return jit.cupy().empty((rows, columns), dtype=dtype)

    monkeypatch.setattr(rows_on_gpu, "allocate", allocate)
    monkeypatch.setattr(rows_on_gpu, "forget_beyond", lambda *_: None)
    solver, targets = make((0,), []), np.array([7], dtype=np.int32)
    problem = replace(solver.problem, targets=targets, cutoff=10**6)
    rows = RowsOnGpu(problem, search_of([]))
    rows.nonnegative = False
    dist = jit.cupy().empty((N, 1), dtype=np.int32) if on_device else np.empty((N, 1), dtype=np.int32)
    rows.fill(np.arange(N, dtype=np.int32), dist, None)
    np.testing.assert_array_equal(to_host(dist), expected(solver, np.arange(N))[:, targets])
    assert max(whole) == 40


def test_sums_of_rows(make: Made) -> None:
    calls: list[int] = []
    solver = make((0, 1), calls)
    assert isinstance(solver, RowsOnGpus)
    sources = np.random.default_rng(1).permutation(N).astype(np.int32)
    sums = solver.measure(sources)
    rows = expected(solver, sources)
    np.testing.assert_array_equal(sums.total, rows.sum(axis=1))
    np.testing.assert_array_equal(sums.farthest, rows.argmax(axis=1))
    assert (sum(calls), max(calls)) == (N, 48)


def test_a_failing_search_is_told(make: Made) -> None:
    def broken(rows: RowsOnGpu) -> Search:
        raise ValueError("no search here")

    problem = make((0, 1), []).problem
    with pytest.raises(ValueError, match="no search here"):
        rows_on_gpus(problem, broken).fill(np.arange(N, dtype=np.int32), np.empty((N, N), np.int32), None)
