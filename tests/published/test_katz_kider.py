"""Katz and Kider: the kernels and their driver on the CPU, several pages, several workers; then on GPUs."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import apsp
from apsp.methods.problem import Problem
from apsp.published import katz_kider, katz_kider_closure
from apsp.published.katz_kider_pages import page_side
from apsp.published.katz_kider_paths import expand, predecessors_of_cells
from contract import GRAPHS, assert_same_distances, graph_of, random_edges
from emulation import emulated_gpus

BLOCK = 3


def expected_of(graph):
    dtype = "int64" if graph.has_integer_weights else "float64"
    return apsp.solve(graph, method="reference", dtype=dtype).distances


def solved(graph, side, gpus=1, *, paths=True):
    problem = Problem(graph, np.dtype(np.int32), device="cuda", gpus=tuple(range(gpus)))
    solver, n = katz_kider.KatzKider(problem, block=BLOCK, side=side), graph.n
    dist, pred = np.empty((n, n), np.int32), np.empty((n, n), np.int32) if paths else None
    seen = []
    solver.fill(np.arange(n, dtype=np.int32), dist, pred, seen.append)
    assert not n or seen[-1] == n
    return solver, dist, pred


@pytest.fixture
def gpus_of_cpu(monkeypatch):
    """Three GPUs that are emulated."""
    with emulated_gpus(monkeypatch, gpus=3) as launches:
        yield launches


@pytest.mark.parametrize(("side", "gpus"), [(24, 1), (12, 1), (6, 2), (3, 3)])
def test_pages_over_gpus(gpus_of_cpu, side, gpus):
    graph = graph_of(20, random_edges(20, 60, 0, 9, 3))
    solver, dist, pred = solved(graph, side, gpus)
    assert_same_distances(dist, expected_of(graph))
    apsp.Result(graph, dist, pred=pred).verify()
    assert len(gpus_of_cpu.of("primary")) == gpus * -(-20 // side) * side // BLOCK, (
        "every GPU closes every primary page"
    )
    assert solver.timings["kernels"] > 0
    weight = {(u, v): w for u, v, w in sorted(graph_edges(graph), key=lambda e: -e[2])}
    for i, j in zip(*np.nonzero(dist < 10**8), strict=True):
        path = solver.path(int(i), int(j)) if i != j else [i]
        assert path[0] == i
        assert path[-1] == j
        assert sum(weight[arc] for arc in itertools.pairwise(path)) == dist[i, j]


def graph_edges(graph):
    return zip(graph.tails().tolist(), graph.indices.tolist(), graph.weights.tolist(), strict=True)


def test_grids_are_those_of_the_paper(gpu_of_cpu):
    graph = graph_of(4 * BLOCK, random_edges(4 * BLOCK, 50, 1, 9, 4))
    solved(graph, 4 * BLOCK)
    passes = [("primary", (1,)), ("singly_dependent", (3, 2)), ("doubly_dependent", (3, 3))]
    assert gpu_of_cpu == [(name, grid, (BLOCK, BLOCK)) for name, grid in passes] * 4


@pytest.mark.parametrize(("side", "gpus"), [(24, 1), (6, 2)])
def test_closure(gpus_of_cpu, side, gpus):
    graph = graph_of(22, random_edges(22, 30, 1, 9, 5))
    reached = katz_kider_closure.closure(graph, block=BLOCK, side=side, gpus=range(gpus))
    np.testing.assert_array_equal(reached.to_numpy(), apsp.reachable(graph, device="cpu").to_numpy())


def test_closure_by_name(gpus_of_cpu):
    graph = graph_of(40, random_edges(40, 60, 1, 9, 5))
    expected, told = apsp.reachable(graph, device="cpu").to_numpy(), []
    for device in ("auto", "cuda", "cuda:0,2"):
        reached = apsp.reachable(
            graph, method="katz-kider-closure", device=device, progress=lambda *report: told.append(report)
        )
        np.testing.assert_array_equal(reached.to_numpy(), expected)
    assert told[-1] == ("katz-kider-closure", 40, 40)
    with pytest.raises(apsp.MethodRefusedError, match="not on cpu"):
        apsp.reachable(graph, method="katz-kider-closure", device="cpu")
    with pytest.raises(apsp.UnknownMethodError, match="did you mean 'katz-kider-closure'"):
        apsp.reachable(graph, method="katz-kider-closures")
    with pytest.raises(apsp.MethodRefusedError, match="zones"):
        apsp.reachable(GRAPHS["zones"]("int32"), method="katz-kider-closure")


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
