"""Distances of many pairs from a factor on a GPU, beside those of the CPU."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import apsp
from apsp.gpu import jit, nvrtc
from apsp.methods.elimination import oracle_on_gpu as on_gpu
from apsp.methods.elimination import pairs_on_gpu
from apsp.methods.elimination.kernels.pairs import expression
from compiling import ARCHITECTURES, needs_compiler
from emulation import emulated_gpus

DTYPES = ("uint16", "int32", "int64", "float32", "float64")


@pytest.fixture(params=["on this CPU", pytest.param("on a GPU", marks=pytest.mark.gpu)])
def device(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """CuPy, or what stands for it."""
    monkeypatch.setattr(on_gpu, "_PAIRS_FROM", 1)
    if request.param == "on a GPU":
        yield request.getfixturevalue("cupy")
        return
    with emulated_gpus(monkeypatch):
        yield jit.cupy()


def check(graph: apsp.Graph, count: int, dtype: str = "auto", rtol: float = 0.0) -> None:
    rng = np.random.default_rng(count)
    starts, ends = rng.integers(0, graph.n, (2, count))
    ends[: count // 9] = starts[: count // 9]
    expected = apsp.prepare(graph, dtype=dtype).distances(starts, ends)
    oracle = apsp.prepare(graph, dtype=dtype, device="cuda")
    told: list[int] = []
    for _ in range(2):
        found = oracle.distances(starts, ends, progress=lambda _, done, __: told.append(done))
        assert found.dtype == expected.dtype
        np.testing.assert_allclose(found, expected, rtol=rtol)
    assert told[-1] == count


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("count", [1, 30, 500])
def test_dtypes(device: Any, dtype: str, count: int) -> None:
    check(apsp.generate("grid", 225, weights=(1, 9), seed=2), count, dtype)


def test_parts_without_a_path_and_negative_arcs(device: Any) -> None:
    check(apsp.from_edges([0, 1, 5], [1, 2, 6], [4, 1, 2], n=9), 100)
    tails, heads, weights = apsp.generate("grid", 100, weights=(1, 9), directed=True, seed=4).to_edges()
    height = np.random.default_rng(1).integers(0, 20, 100)
    check(apsp.from_edges(tails, heads, weights + height[tails] - height[heads], n=100), 300)


def test_several_launches(device: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    graph = apsp.generate("city", 300, seed=3)
    monkeypatch.setattr(pairs_on_gpu, "_AT_ONCE", 64)
    check(graph, 200)
    monkeypatch.setattr(pairs_on_gpu, "_KEPT_SHARE", 1e-9)  # labels of the pairs of a launch
    check(graph, 20)
    monkeypatch.setattr(pairs_on_gpu, "_KEPT_SHARE", 1e-3)
    check(graph, 200)


def test_other_weights(device: Any) -> None:
    graph = apsp.generate("grid", 100, weights=(1, 9), seed=2)
    oracle = apsp.prepare(graph, device="cuda", dtype="int32")
    starts, ends = np.arange(100), np.arange(100)[::-1]
    before = oracle.distances(starts, ends)
    oracle.update(graph.weights * 3)
    np.testing.assert_array_equal(oracle.distances(starts, ends), 3 * before)


def test_zones_are_left_to_the_cpu(device: Any) -> None:
    tails, heads, weights = apsp.generate("grid", 100, seed=2).to_edges()
    check(apsp.from_edges(tails, heads, weights, n=100, zones=np.arange(100) % 5 == 0), 60, "int32")


@needs_compiler
@pytest.mark.parametrize("capability", ARCHITECTURES)
def test_the_kernel_compiles_without_spills(capability: tuple[int, int]) -> None:
    wanted = [expression(dtype) for dtype in DTYPES]
    compiled = nvrtc.compile_for("pairs.cu", wanted, capability)
    assert set(compiled.spilled_bytes) == set(wanted)
    assert not any(compiled.spilled_bytes.values())


@pytest.mark.gpu
def test_a_million_pairs(cupy: Any) -> None:
    check(apsp.generate("city", 60_000, seed=1), 1_000_000)
