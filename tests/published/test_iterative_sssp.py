"""The published single-source iteration on the CPU: drivers and kernels, run there."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import apsp
from apsp import MemoryLimitError, MethodRefusedError, RequestError, Result
from apsp.methods.problem import Problem
from apsp.published import okuyama
from apsp.published.iterative_sssp import IterativeSssp
from apsp.published.task_size import check_tasks, determine_tasks, device_bytes
from contract import GRAPHS, assert_paths_replay, assert_same_distances, graph_of, random_edges
from emulation import Launches


def solved(
    graph: apsp.Graph, dtype: str, *, tasks: int = 32, sources: Any = None, paths: bool = True, **options: Any
) -> tuple[Result, IterativeSssp]:
    problem = Problem(graph, np.dtype(dtype), device="cuda", **options)
    solver = okuyama.okuyama(problem, tasks=tasks)
    rows = np.arange(graph.n, dtype=np.int32) if sources is None else np.array(sources, dtype=np.int32)
    dist = np.empty((len(rows), problem.columns), dtype=dtype)
    pred = np.empty((len(rows), graph.n), dtype=np.int32) if paths else None
    told: list[int] = []
    solver.fill(rows, dist, pred, told.append)
    assert told == [min(done, len(rows)) for done in range(tasks, len(rows) + tasks, tasks)][: len(told)]
    result = Result(
        graph, dist, source_positions=rows, target_positions=problem.targets, pred=pred, cutoff=problem.cutoff
    )
    return result, solver


def expected(graph: apsp.Graph, **options: Any) -> np.ndarray:
    return apsp.solve(graph, method="reference", dtype="int64", **options).distances


@pytest.mark.parametrize("vertices", [1, 4])
@pytest.mark.parametrize("shared", [True, False])
@pytest.mark.parametrize("tasks", [32, 64])
def test_tasks_and_degrees_beyond_them(gpu_of_cpu: Launches, tasks: int, shared: bool, vertices: int) -> None:
    graph = graph_of(70, [*random_edges(70, 500, 0, 30, 4), *[(3, v, 9) for v in range(70)]])
    assert graph.max_out_degree > tasks
    problem = Problem(graph, np.dtype(np.int32), device="cuda")
    solver = okuyama.okuyama(problem, tasks=tasks, vertices=vertices, shared=shared)
    dist, pred = np.empty((70, 70), dtype=np.int32), np.empty((70, 70), dtype=np.int32)
    solver.fill(np.arange(70, dtype=np.int32), dist, pred)
    assert_same_distances(dist, expected(graph))
    assert_paths_replay(Result(graph, dist, pred=pred))
    rounds, name = int(solver.timings["rounds"]), "okuyama_scatter" if shared else "okuyama_scatter_global"
    assert gpu_of_cpu.of(name) == gpu_of_cpu.of("okuyama_check") == [(-(-70 // vertices),)] * rounds
    assert {block for kernel, _, block in gpu_of_cpu if kernel == name} == {(tasks * vertices,)}
    assert len(gpu_of_cpu) == solver.timings["launches"]
    assert solver.timings["recording_share"] == solver.timings["recording"] / solver.timings["costs"] > 0


def test_one_recording_where_arcs_are_longer_than_zero(gpu_of_cpu: Launches) -> None:
    solved(GRAPHS["a tile and one"]("int32"), "int32")
    assert len(gpu_of_cpu.of("record_parents")) == 3
    _, solver = solved(GRAPHS["a tile and one"]("int32"), "int32", paths=False)
    assert solver.timings["recording"] < solver.timings["costs"]
    assert len(gpu_of_cpu.of("record_parents")) == 3


def test_some_sources_targets_and_cutoff(gpu_of_cpu: Launches) -> None:
    graph = GRAPHS["not a multiple of anything"]("int32")
    sources, targets = [5, 0, 130, 5], np.array([130, 2, 64], dtype=np.int32)
    full = expected(graph)
    cutoff = int(np.median(full[full < 10_000]))
    want = full[np.ix_(sources, targets)]
    want = np.where(want > cutoff, apsp.unreachable("int64"), want)
    result, _ = solved(graph, "int32", sources=sources, targets=targets, cutoff=cutoff, paths=False)
    assert_same_distances(result.distances, want)
    assert_paths_replay(solved(graph, "int32", sources=sources, cutoff=cutoff)[0])
    below, _ = solved(graph, "int32", sources=sources, cutoff=-1)
    assert (below.distances == apsp.unreachable("int32")).all()


@pytest.mark.parametrize(("dtype", "limit"), [("int32", 2**29 - 1), ("int64", 2**61 - 1)])
def test_near_overflow(gpu_of_cpu: Launches, dtype: str, limit: int) -> None:
    for last in (7, limit):
        graph = graph_of(4, [(0, 1, limit - 7), (1, 2, last), (0, 3, 2**62)], dtype="int64")
        row, _ = solved(graph, dtype, sources=[0])
        assert row.distances[0, 1] == limit - 7


def test_lost_in_rounding(gpu_of_cpu: Launches) -> None:
    graph = graph_of(5, [(0, 1, 2**30), (1, 2, 1), (2, 3, 1), (3, 1, 1), (2, 4, 1), (4, 2, 1)], dtype="float32")
    result, _ = solved(graph, "float32")
    assert_paths_replay(result, tolerance=1e-6)


def test_negative_arcs_are_refused(gpu_of_cpu: Launches) -> None:
    with pytest.raises(MethodRefusedError, match="negative arcs"):
        solved(GRAPHS["negative arcs"]("int32"), "int32")


def test_task_size_from_device_memory() -> None:
    """The paper: with N = 32 and 512 MB, 1.2 million vertices with four arcs each do not fit."""
    n, m = 1_200_000, 4_800_000
    assert device_bytes(n, m, 4, 32) > 12 * 32 * n
    with pytest.raises(MemoryLimitError, match="harish-sssp"):
        determine_tasks(n, m, 4, 512_000_000)
    assert determine_tasks(n, m, 4, 1 << 30) == 32
    assert determine_tasks(n, m, 4, 2 << 30, requested=256, vertices=2) == 128
    assert determine_tasks(1000, 4000, 4, 2 << 30, requested=None) == 256
    assert determine_tasks(1000, 4000, 4, 2 << 30, requested=None, vertices=1) == 512


@pytest.mark.parametrize(("tasks", "vertices"), [(0, 4), (33, 4), (544, 1), (32, 0), (32, 33), (512, 4), (None, 64)])
def test_impossible_blocks(tasks: int | None, vertices: int) -> None:
    with pytest.raises(RequestError, match="the paper's"):
        check_tasks(tasks, vertices)
