"""The three versions of Johnson's algorithm by Batool and Mehdi: their rounds on the CPU, and the kernels on a GPU."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import apsp
from apsp import NegativeCycleError
from apsp.gpu import jit, nvrtc
from apsp.methods.problem import Problem
from apsp.published.johnson import Frontier, JohnsonOnGpu, expressions
from compiling import ARCHITECTURES, needs_compiler
from contract import GRAPHS, assert_same_distances, graph_of, ring
from emulation import Launches

FRONTIERS: tuple[Frontier, ...] = ("flag", "queue", "prefix")


def simulated(graph: apsp.Graph, frontier: Frontier, dtype: str, **options: Any) -> tuple[Any, Any]:
    problem = Problem(graph, np.dtype(dtype), device="cuda", gpus=(0,), **options)
    solver = JohnsonOnGpu(problem, frontier=frontier)
    dist, pred = np.empty((graph.n, problem.columns), dtype=dtype), np.empty((graph.n, graph.n), dtype=np.int32)
    solver.fill(np.arange(graph.n, dtype=np.int32), dist, pred)
    return dist, pred


@pytest.mark.parametrize("frontier", FRONTIERS)
def test_no_frontier_takes_more_rounds_than_another(gpu_of_cpu: Launches, frontier: Frontier) -> None:
    graph = GRAPHS["a tile and one"]("int32")
    simulated(graph, frontier, "int32")
    relaxed = gpu_of_cpu.of("relax_flagged" if frontier == "flag" else "relax_queued")
    assert len(relaxed) == len(gpu_of_cpu.of("minimum")) == len(gpu_of_cpu.of("record"))
    assert graph.n < len(relaxed) < graph.n * graph.n / 2, "several vertices are settled at once"


@pytest.mark.parametrize("frontier", FRONTIERS)
def test_targets_and_cutoff(gpu_of_cpu: Launches, frontier: Frontier) -> None:
    graph = GRAPHS["negative arcs"]("int64")
    full = apsp.solve(graph, method="reference", dtype="int64").distances
    targets = np.array([7, 0, 7], dtype=np.int32)
    dist, _ = simulated(graph, frontier, "int64", targets=targets, cutoff=10)
    expected = full[:, targets]
    assert_same_distances(dist, np.where(expected > 10, apsp.unreachable("int64"), expected))


@pytest.mark.parametrize("dtype", ["int64", "float64"])
@pytest.mark.parametrize("edges", [[(0, 0, -1)], [(0, 1, 1), (1, 0, -2)], [*ring(29, -1), (29, 0, 5)]])
def test_negative_cycles(gpu_of_cpu: Launches, edges: list[tuple[int, int, int]], dtype: str) -> None:
    with pytest.raises(NegativeCycleError) as caught:
        simulated(graph_of(30, edges, dtype=dtype), "queue", dtype)
    assert caught.value.cycle


def test_cycles_that_only_rounding_makes_negative(gpu_of_cpu: Launches) -> None:
    rates = np.random.default_rng(1).uniform(0.5, 2, 12)
    tails, heads = np.divmod(np.arange(144), 12)
    graph = apsp.from_edges(tails, heads, np.log(rates[tails] / rates[heads]), n=12)
    dist, _ = simulated(graph, "flag", "float64")
    np.testing.assert_allclose(dist, np.log(rates[:, None] / rates[None, :]), atol=1e-12)


@pytest.mark.parametrize("frontier", FRONTIERS)
def test_lengths_at_the_top_of_the_range(gpu_of_cpu: Launches, frontier: Frontier) -> None:
    dist, _ = simulated(graph_of(4, [(0, 1, 2**61 - 8), (1, 2, 7)], dtype="int64"), frontier, "int64")
    assert dist[0, 2] == 2**61 - 1
    assert dist[1, 0] == apsp.unreachable("int64")


@needs_compiler
@pytest.mark.parametrize("capability", ARCHITECTURES)
@pytest.mark.parametrize("value", ["long long", "double"])
def test_kernels_compile_without_spills(value: str, capability: tuple[int, int]) -> None:
    wanted = expressions(value)
    compiled = nvrtc.compile_for("johnson.cu", wanted, capability)
    assert set(compiled.spilled_bytes) == set(wanted)
    assert not any(compiled.spilled_bytes.values())


@pytest.mark.gpu
@pytest.mark.skipif(jit.why_no_gpu() is not None, reason=str(jit.why_no_gpu()))
@pytest.mark.parametrize("block", [32, 256])
@pytest.mark.parametrize("dtype", ["int32", "float64"])
@pytest.mark.parametrize("frontier", FRONTIERS)
def test_block_sizes_on_a_gpu(frontier: Frontier, dtype: str, block: int) -> None:
    graph = GRAPHS["negative arcs"](dtype)
    solver = JohnsonOnGpu(Problem(graph, np.dtype(dtype), device="cuda", gpus=(0,)), frontier=frontier, block=block)
    dist = np.empty((graph.n, graph.n), dtype=dtype)
    solver.fill(np.arange(graph.n, dtype=np.int32), dist, None)
    wide = "int64" if graph.has_integer_weights else "float64"
    assert_same_distances(dist, apsp.solve(graph, method="reference", dtype=wide).distances)
