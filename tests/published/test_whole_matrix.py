"""The launch-a-pivot methods: their kernels and drivers on the CPU, the CPU baselines, compilation; then on a GPU."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import apsp
from apsp import MemoryLimitError, MethodRefusedError, _cpu
from apsp.gpu import nvrtc
from apsp.gpu.page import VALUES
from apsp.methods.problem import Problem
from apsp.published import fw_blocked, harish_fw, katz_kider, katz_kider_closure, katz_kider_gpu, lab_fw
from compiling import ARCHITECTURES, needs_compiler
from contract import assert_same_distances, graph_of, random_edges

DTYPES = ("int32", "int64", "float32", "float64")
GRAPH = graph_of(29, random_edges(29, 70, 0, 50, 2))
ON_GPU = Problem(GRAPH, np.dtype(np.int32), device="cuda")


def expected_of(graph):
    dtype = "int64" if graph.has_integer_weights else "float64"
    return apsp.solve(graph, method="reference", dtype=dtype).distances


def closed(solver, dtype="int32"):
    dist, pred = np.empty((29, 29), dtype), np.empty((29, 29), np.int32)
    solver.fill(np.arange(29, dtype=np.int32), dist, pred)
    assert_same_distances(dist, expected_of(GRAPH))
    apsp.Result(GRAPH, dist, pred=pred).verify()
    assert solver.ran_on == "cuda"
    assert solver.timings["kernels"] > 0


def test_a_launch_a_pivot(gpu_of_cpu):
    closed(harish_fw.HarishFloydWarshall(ON_GPU, threads=7))
    assert gpu_of_cpu == [("relax_pairs", (-(-29 * 29 // 7),), (7,))] * 29


@pytest.mark.parametrize("block", lab_fw.BLOCKS)
@pytest.mark.parametrize("shared", [False, True])
def test_blocks_of_the_laboratory(gpu_of_cpu, block, shared):
    closed(lab_fw.LabFloydWarshall(ON_GPU, block=block, shared=shared))
    name, blocks = "apsp_shared" if shared else "apsp_basic", -(-29 // block)
    assert gpu_of_cpu == [(name, (blocks, blocks), (block, block))] * 29


def test_too_little_device_memory_is_told_before_the_work(gpu_of_cpu):
    with pytest.raises(MemoryLimitError, match="katz-kider"):
        closed(harish_fw.prepare(replace(ON_GPU, gpu_memory=1000)))
    assert not gpu_of_cpu


@pytest.mark.parametrize("dtype", DTYPES)
def test_no_edge_is_minus_one_and_back(dtype):
    none = np.inf if dtype.startswith("float") else np.iinfo(dtype).max // 2
    page = np.array([[0, none], [5, 0]], dtype=dtype)
    np.testing.assert_array_equal(lab_fw.to_lab(page), [[0, -1], [5, 0]])
    assert lab_fw.to_lab(page).dtype == dtype
    np.testing.assert_array_equal(lab_fw.from_lab(lab_fw.to_lab(page)), page)


def test_one_gpu_methods_refuse_several():
    with pytest.raises(MethodRefusedError, match="one GPU"):
        harish_fw.prepare(Problem(GRAPH, np.dtype(np.int32), device="cuda", gpus=(0, 1)))


def test_wrong_blocks_are_told():
    problem = Problem(GRAPH, np.dtype(np.int32), device="cuda")
    with pytest.raises(ValueError, match="4, 8, 16 or 32"):
        lab_fw.LabFloydWarshall(problem, block=5)
    with pytest.raises(ValueError, match="1 to 32"):
        katz_kider.KatzKider(problem, block=33)
    with pytest.raises(ValueError, match="multiple of the block"):
        katz_kider.KatzKider(problem, side=20)


@pytest.mark.parametrize("block", [1, 7, 29, 64])
@pytest.mark.parametrize("dtype", ["uint16", *DTYPES])
def test_blocks_of_any_size(block, dtype):
    solver = fw_blocked.BlockedFloydWarshall(Problem(GRAPH, np.dtype(dtype)), block=block)
    dist = np.empty((29, 29), dtype)
    solver.fill(np.arange(29, dtype=np.int32), dist, None)
    assert_same_distances(dist, expected_of(GRAPH))


def test_the_extension_refuses_what_is_no_square():
    with pytest.raises(ValueError, match="square"):
        _cpu.published_close_sequential(np.zeros((2, 3), np.int32))
    with pytest.raises(ValueError, match="at least 1"):
        _cpu.published_close_blocked(np.zeros((2, 2), np.int32), 0)


@pytest.mark.slow
@needs_compiler
@pytest.mark.parametrize("capability", ARCHITECTURES)
def test_kernels_compile_without_spills(capability):
    blocks = (16, katz_kider.BLOCK, katz_kider.LARGEST_BLOCK)
    closure_blocks = (katz_kider_closure.BLOCK, katz_kider.LARGEST_BLOCK)
    cells = [(f"apsp::Paths<{VALUES[dtype]}>", block) for dtype in DTYPES for block in blocks]
    cells += [(katz_kider_closure.OPERATIONS, block) for block in closure_blocks]
    sources = {
        "harish_fw.cu": [harish_fw.expression(dtype) for dtype in DTYPES],
        "lab_fw.cu": [lab_fw.expression(dtype, shared=shared) for dtype in DTYPES for shared in (False, True)],
        "katz_kider.cu": [name for cell in cells for name in katz_kider_gpu.expressions(*cell)],
    }
    for source, wanted in sources.items():
        compiled = nvrtc.compile_for(source, wanted, capability)
        assert set(compiled.spilled_bytes) == set(wanted)
        assert not any(compiled.spilled_bytes.values()), source


@pytest.mark.gpu
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("block", lab_fw.BLOCKS)
@pytest.mark.parametrize("shared", [False, True])
def test_every_block_of_the_laboratory(cupy, dtype, block, shared):
    graph = graph_of(131, random_edges(131, 800, 0, 50, 2), dtype=dtype)
    dist = np.empty((131, 131), dtype)
    solver = lab_fw.LabFloydWarshall(Problem(graph, np.dtype(dtype), device="cuda"), block=block, shared=shared)
    solver.fill(np.arange(131, dtype=np.int32), dist, None)
    assert_same_distances(dist, expected_of(graph))
