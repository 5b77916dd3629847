"""Katz and Kider: the kernels and their driver on the CPU, several pages, several workers; then on GPUs."""

from __future__ import annotations

import itertools
import threading

import numpy as np
import pytest

import apsp
from apsp.solvers.problem import Problem
from apsp.solvers.published import katz_kider, katz_kider_closure
from apsp.solvers.published.katz_kider_pages import page_side
from apsp.solvers.published.katz_kider_paths import expand, predecessors_of_cells
from contract import GRAPHS, assert_same_distances, graph_of, random_edges
from cuda_on_cpu import BLOCK, worker_on_cpu

ONE_AT_A_TIME = threading.Lock()  # the shared memory of kernels on the CPU is one for all


class Guarded:
    """A worker that shares the CPU's one shared memory with others."""

    def __init__(self, worker):
        self.worker, self.calls = worker, []

    def __getattr__(self, name):
        def call(*arguments, **options):
            self.calls.append(name)
            with ONE_AT_A_TIME:
                getattr(self.worker, name)(*arguments, **options)

        return call


def expected_of(graph):
    return apsp.solve(graph, method="reference", dtype="int64").distances


def solved(graph, side, workers, *, paths=True):
    solver = katz_kider.KatzKider(
        Problem(graph, np.dtype(np.int32), device="cuda"), block=BLOCK, side=side, workers=workers
    )
    n = graph.n
    dist, pred = np.empty((n, n), np.int32), np.empty((n, n), np.int32) if paths else None
    seen = []
    solver.fill(np.arange(n, dtype=np.int32), dist, pred, seen.append)
    assert not n or seen[-1] == n
    return solver, dist, pred


@pytest.mark.parametrize(("side", "gpus"), [(24, 1), (12, 1), (6, 2), (3, 3)])
def test_pages_over_workers(kernels_on_cpu, side, gpus):
    graph = graph_of(20, random_edges(20, 60, 0, 9, 3))
    workers = [Guarded(worker_on_cpu(kernels_on_cpu, "paths")) for _ in range(gpus)]
    solver, dist, pred = solved(graph, side, workers)
    assert_same_distances(dist, expected_of(graph))
    apsp.Result(graph, dist, pred=pred).verify()
    assert all(worker.calls.count("close_primary") == -(-20 // side) for worker in workers)
    weight = {(u, v): w for u, v, w in sorted(graph_edges(graph), key=lambda e: -e[2])}
    for i, j in zip(*np.nonzero(dist < 10**8), strict=True):
        path = solver.path(int(i), int(j)) if i != j else [i]
        assert path[0] == i
        assert path[-1] == j
        assert sum(weight[arc] for arc in itertools.pairwise(path)) == dist[i, j]


def graph_edges(graph):
    return zip(graph.tails().tolist(), graph.indices.tolist(), graph.weights.tolist(), strict=True)


@pytest.mark.parametrize("name", ["no vertex", "one vertex", "zero cycle", "only zero weights", "parallel arcs",
                                  "self-loops", "terminals only"])  # fmt: skip
def test_graphs_that_the_paper_leaves_out(kernels_on_cpu, name):
    graph = GRAPHS[name]("int32")
    _, dist, pred = solved(graph, 12, [worker_on_cpu(kernels_on_cpu, "paths")])
    assert_same_distances(dist, expected_of(graph))
    apsp.Result(graph, dist, pred=pred).verify()


def test_grids_are_those_of_the_paper(kernels_on_cpu):
    launches = []
    graph = graph_of(4 * BLOCK, random_edges(4 * BLOCK, 50, 1, 9, 4))
    solved(graph, 4 * BLOCK, [worker_on_cpu(kernels_on_cpu, "paths", launches)])
    assert launches == ["primary 1", "singly 3x2", "doubly 3x3"] * 4


@pytest.mark.parametrize(("side", "gpus"), [(24, 1), (6, 2)])
def test_closure(kernels_on_cpu, side, gpus):
    graph = graph_of(22, random_edges(22, 30, 1, 9, 5))
    workers = [Guarded(worker_on_cpu(kernels_on_cpu, "closure")) for _ in range(gpus)]
    reached = katz_kider_closure.closure(graph, block=BLOCK, side=side, workers=workers)
    np.testing.assert_array_equal(reached.to_numpy(), apsp.reachable(graph, device="cpu").to_numpy())


def test_no_sum_wraps(kernels_on_cpu):
    limit = 2**29 - 1
    graph = graph_of(4, [(0, 1, limit - 7), (1, 2, 7), (3, 0, 1)], dtype="int64")
    _, dist, _ = solved(graph, 6, [worker_on_cpu(kernels_on_cpu, "paths")])
    assert_same_distances(dist, expected_of(graph))


def test_cells_that_go_round_in_circles_are_told():
    between = np.array([[-1, 2, 1], [0, -1, 0], [1, 0, -1]])
    dist = np.ones((3, 3), dtype=np.float32)
    assert expand(between, 0, 1) is None
    assert not predecessors_of_cells(between, dist, np.empty((3, 3), dtype=np.int32))


@pytest.mark.parametrize(("n", "gpus", "most"), [(1, 1, 18), (100, 1, 50), (100, 3, 1000), (19, 8, 18), (1000, 2, 90)])
def test_sides_of_pages(n, gpus, most):
    side = page_side(n, 18, gpus, most)
    assert side % 18 == 0
    assert side <= max(most, 18)
    assert -(-n // side) >= min(gpus, -(-n // 18))


@pytest.mark.gpu
@pytest.mark.parametrize("dtype", ["int32", "int64", "float32", "float64"])
@pytest.mark.parametrize("pages", [1, 3])
def test_on_a_gpu(cupy, dtype, pages):
    graph = graph_of(131, random_edges(131, 800, 0, 50, 2), dtype=dtype)
    for block in (16, 18, 32):
        side = -(-131 // pages // block) * block
        solver = katz_kider.KatzKider(Problem(graph, np.dtype(dtype), device="cuda"), block=block, side=side)
        dist, pred = np.empty((131, 131), dtype), np.empty((131, 131), np.int32)
        solver.fill(np.arange(131, dtype=np.int32), dist, pred)
        assert_same_distances(dist, expected_of(graph))
        apsp.Result(graph, dist, pred=pred).verify()


@pytest.mark.gpu
def test_beyond_a_limit_of_device_memory(cupy):
    graph = graph_of(500, random_edges(500, 3000, 1, 50, 2))
    result = apsp.solve(graph, method="katz-kider", device="cuda", gpu_memory=1 << 20)
    assert_same_distances(result.distances, expected_of(graph))


@pytest.mark.gpu
def test_several_gpus(cupy):
    count = cupy.cuda.runtime.getDeviceCount()
    if count < 2:
        pytest.skip("there is one GPU")
    graph = graph_of(500, random_edges(500, 3000, 1, 50, 2))
    gpus = tuple(range(count))
    solver = katz_kider.prepare(Problem(graph, np.dtype(np.int32), device="cuda", gpus=gpus))
    dist = np.empty((500, 500), np.int32)
    solver.fill(np.arange(500, dtype=np.int32), dist, None)
    assert_same_distances(dist, expected_of(graph))
    reached = katz_kider_closure.closure(graph, gpus=gpus).to_numpy()
    np.testing.assert_array_equal(reached, apsp.reachable(graph, device="cpu").to_numpy())


@pytest.mark.gpu
def test_closure_on_a_gpu(cupy):
    graph = graph_of(300, random_edges(300, 400, 1, 9, 5))
    for side in (None, 110):
        reached = katz_kider_closure.closure(graph, side=side)
        np.testing.assert_array_equal(reached.to_numpy(), apsp.reachable(graph, device="cpu").to_numpy())
