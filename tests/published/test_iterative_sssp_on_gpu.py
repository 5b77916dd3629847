"""harish-sssp, okuyama and okuyama-global on a GPU, and their kernels through the compiler."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import apsp
from apsp.errors import MemoryLimitError
from apsp.gpu import nvrtc
from apsp.methods.problem import Problem
from apsp.published import harish_sssp, okuyama
from apsp.published.recording import record_expression
from compiling import ARCHITECTURES, needs_compiler
from contract import GRAPHS, assert_paths_replay, assert_same_distances, graph_of, random_edges, ring

DTYPES = ("int32", "int64", "float32", "float64")
METHODS = ("harish-sssp", "okuyama", "okuyama-global")
BLOCKS = ((32, 4), (32, 1), (64, 4), (96, 4), (256, 4), (512, 2))


@pytest.mark.slow
@needs_compiler
@pytest.mark.parametrize("capability", ARCHITECTURES)
def test_kernels_compile_without_spills(capability: tuple[int, int]) -> None:
    tasks = {
        name
        for dtype in DTYPES
        for block in BLOCKS
        for shared in (True, False)
        for name in okuyama.expressions(dtype, *block, shared=shared)
    }
    wanted = {
        "okuyama.cu": sorted(tasks),
        "harish_sssp.cu": [name for dtype in DTYPES for name in harish_sssp.expressions(dtype)],
        "recording.cu": [record_expression(dtype) for dtype in DTYPES],
    }
    for source, expressions in wanted.items():
        compiled = nvrtc.compile_for(source, expressions, capability)
        assert set(compiled.spilled_bytes) == set(expressions)
        assert not any(compiled.spilled_bytes.values()), source


@pytest.mark.gpu
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("method", METHODS)
def test_against_dijkstra(cupy: Any, method: str, dtype: str) -> None:
    graph = graph_of(1000, [*random_edges(1000, 6000, 0, 1000, 1), *[(7, v, 900) for v in range(1000)]], dtype=dtype)
    want = apsp.solve(graph, method="dijkstra").distances
    for device in ("cuda", "auto"):
        result = apsp.solve(graph, method=method, device=device, paths=True)
        assert_same_distances(result.distances, want)
        assert_paths_replay(result)
    blocks = list(apsp.stream(graph, rows=100, method=method, device="cuda"))
    assert_same_distances(np.concatenate([block.distances for block in blocks]), want)


@pytest.mark.gpu
@pytest.mark.parametrize("shared", [True, False])
@pytest.mark.parametrize(("tasks", "vertices"), BLOCKS)
def test_tasks_and_blocks(cupy: Any, tasks: int, vertices: int, shared: bool) -> None:
    graph = graph_of(601, [*random_edges(601, 3000, 0, 50, 2), *[(3, v, 40) for v in range(601)]])
    sources = np.arange(601, dtype=np.int32)
    dist, pred = np.empty((601, 601), dtype=np.int32), np.empty((601, 601), dtype=np.int32)
    problem = Problem(graph, np.dtype(np.int32), device="cuda", gpus=(0,))
    solver = okuyama.okuyama(problem, tasks=tasks, vertices=vertices, shared=shared)
    solver.fill(sources, dist, pred)
    assert_same_distances(dist, apsp.solve(graph, method="dijkstra").distances)
    assert_paths_replay(apsp.Result(graph, dist, pred=pred))
    assert 0 < solver.timings["recording_share"] < 10


@pytest.mark.gpu
@pytest.mark.parametrize("method", METHODS)
def test_rings_and_cycles_of_length_zero(cupy: Any, method: str) -> None:
    for graph in (graph_of(300, ring(300, 1)), graph_of(300, ring(300, 0)), GRAPHS["zero cycle"]("int32")):
        result = apsp.solve(graph, method=method, device="cuda", paths=True)
        assert_same_distances(result.distances, apsp.solve(graph, method="dijkstra").distances)
        assert_paths_replay(result)


@pytest.mark.gpu
def test_task_size_from_device_memory(cupy: Any) -> None:
    graph = graph_of(20_000, random_edges(20_000, 80_000, 1, 50, 3))
    problem = Problem(graph, np.dtype(np.int32), device="cuda", gpus=(0,), gpu_memory=24 << 20)
    assert okuyama.okuyama(problem, tasks=None).tasks == 96
    with pytest.raises(MemoryLimitError, match="harish-sssp"):
        okuyama.okuyama(Problem(graph, np.dtype(np.int32), device="cuda", gpus=(0,), gpu_memory=4 << 20))
    assert harish_sssp.prepare(problem) is not None
