"""Elimination on a GPU beside that of the CPU, to the last bit; its kernels without a GPU."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import apsp
from apsp.gpu import nvrtc
from apsp.methods.elimination.kernels.names import expressions
from apsp.methods.elimination.kernels.tally import expressions as tally_expressions
from apsp.system.array_device import to_host
from compiling import ARCHITECTURES, needs_compiler
from contract import assert_paths_replay, assert_same_distances, graph_of
from sweeps import DTYPES, assert_equal_in_a_line, check_oracle, check_sweeps, grid_and_ways, random_graph

gpu = pytest.mark.gpu


@gpu
@pytest.mark.parametrize("first", range(0, 400, 25))
def test_hundreds_of_random_graphs(cupy: Any, first: int) -> None:
    for seed in range(first, first + 25):
        graph, dtype = random_graph(seed)
        check_sweeps(graph, dtype, seed)
        options = {"method": "elimination", "dtype": dtype}
        results = [apsp.solve(graph, device="cuda", **options) for _ in range(2)]
        expected, what = to_host(apsp.solve(graph, device="cpu", **options).distances), f"seed {seed} {dtype} solve"
        for k, result in enumerate(results):
            assert_equal_in_a_line(to_host(result.distances), expected, f"{what} {k}")


@gpu
@pytest.mark.parametrize("dtype", DTYPES)
def test_oracles_of_a_gpu(cupy: Any, dtype: str) -> None:
    check_oracle(graph_of(400, grid_and_ways(20, 9, 1)), dtype)


@gpu
@pytest.mark.parametrize("dtype", ["uint16", "int32", "float32"])
def test_grids(cupy: Any, dtype: str) -> None:
    for n in (2_500, 2_401):
        graph = apsp.generate("grid", n, seed=1, weights=(1, 9))
        expected = apsp.solve(graph, method="dijkstra-buckets", device="cpu", dtype=dtype).distances
        asked = {"method": "elimination", "device": "cuda", "dtype": dtype}
        assert_same_distances(apsp.solve(graph, **asked).distances, expected)
        for block in apsp.stream(graph, rows=700, **asked):
            assert_same_distances(block.distances, expected[block.sources])
        np.testing.assert_array_equal(apsp.eccentricity(graph, **asked), expected.max(axis=1))


@gpu
def test_paths_and_the_host(cupy: Any) -> None:
    graph = apsp.generate("city", 900, seed=3, weights=(1, 100))
    asked = {"method": "elimination", "device": "cuda", "dtype": "int32"}
    assert_paths_replay(apsp.solve(graph, paths=True, **asked))
    assert_paths_replay(apsp.solve(graph, paths=True, sources=[5, 899], cutoff=400, **asked))
    out = np.empty((900, 900), dtype=np.int32)
    assert_paths_replay(apsp.solve(graph, paths=True, out=out, **asked))
    for n in (0, 1):
        assert apsp.solve(graph_of(n, [(0, 0, 3)] * n), paths=True, **asked).predecessors.tolist() == [[-1]] * n


@gpu
def test_columns_by_parts(cupy: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    from apsp.methods.elimination.kernels import sweeps as elimination

    monkeypatch.setattr(elimination, "LABEL_BYTES", 1)
    graph, told = apsp.generate("grid", 2_500, seed=1), []
    result = apsp.solve(
        graph, method="elimination", device="cuda", dtype="int32", progress=lambda _, done, __: told.append(done)
    )
    assert len(set(told)) >= 3
    assert_same_distances(result.distances, apsp.solve(graph, method="dijkstra", device="cpu").distances)


@pytest.mark.few(1)
@needs_compiler
@pytest.mark.parametrize("capability", ARCHITECTURES)
@pytest.mark.parametrize("dtype", DTYPES)
def test_kernels_compile_without_spills(capability: tuple[int, int], dtype: str) -> None:
    wanted = sorted({name for sign in (True, False) for name in expressions(dtype, nonnegative=sign)})
    compiled = nvrtc.compile_for("elimination.cu", wanted, capability)
    assert set(compiled.spilled_bytes) == set(wanted)
    assert not any(compiled.spilled_bytes.values()), compiled.spilled_bytes


@needs_compiler
@pytest.mark.parametrize("capability", ARCHITECTURES)
def test_sums_compile_without_spills(capability: tuple[int, int]) -> None:
    wanted = [name for dtype in DTYPES for name in tally_expressions(dtype)]
    compiled = nvrtc.compile_for("tally.cu", wanted, capability)
    assert set(compiled.spilled_bytes) == set(wanted)
    assert not any(compiled.spilled_bytes.values())
