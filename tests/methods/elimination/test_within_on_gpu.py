"""Sums of amounts within a cutoff by elimination on a GPU, beside those of the CPU."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import apsp
from apsp.gpu import jit, nvrtc
from apsp.gpu.recorder import recording
from apsp.methods.elimination import factor_on_gpu
from apsp.methods.elimination.kernels import line_sums
from apsp.methods.elimination.kernels.within import DTYPES, NearLines, descent_expression
from apsp.system.array_device import to_host
from compiling import ARCHITECTURES, needs_compiler
from emulation import emulated_gpus


@pytest.fixture(params=["on this CPU", pytest.param("on a GPU", marks=pytest.mark.gpu)])
def device(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """CuPy, or what stands for it."""
    if request.param == "on a GPU":
        yield request.getfixturevalue("cupy")
        return
    with emulated_gpus(monkeypatch):
        yield jit.cupy()


def check(
    graph: apsp.Graph,
    dtype: str,
    device: str = "cuda",
    *,
    kinds: int = 3,
    scale: float = 1,
    rtol: float = 0.0,
    **options: Any,
) -> None:
    amounts = np.random.default_rng(1).integers(0, 50, (graph.n, kinds)) * scale  # their sums are exact
    expected = apsp.accessibility(graph, amounts, device="cpu", dtype=dtype, **options).values
    found = apsp.accessibility(graph, amounts, device=device, dtype=dtype, method="elimination", **options).values
    np.testing.assert_allclose(found, expected, rtol=rtol)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("cutoffs", [[0], [3, 40], [1, 2, 3, 4, 5000, np.inf]])
def test_cutoffs(device: Any, dtype: str, cutoffs: list[float]) -> None:
    graph = apsp.generate("grid", 400, weights=(1, 9), seed=2)
    check(graph, dtype, cutoffs=cutoffs)
    check(graph, dtype, cutoffs=cutoffs, kinds=1, direction="in", sources=[7, 3, 3, 399])


@pytest.mark.parametrize("name", ["roads", "parts", "random"])
def test_graphs(device: Any, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(factor_on_gpu, "_MOST_NEAR", 256)
    graph = {
        "roads": lambda: apsp.generate("city", 900, seed=3),
        "parts": lambda: apsp.from_edges([0, 1, 5], [1, 2, 6], [4, 1, 2], n=9),
        "random": lambda: apsp.generate("random", 60, m=200, weights=(1, 99), seed=3),
    }[name]()
    check(graph, "int32", cutoffs=[30, 200, 800])
    check(graph, "uint16", cutoffs=100, decay="exponential", beta=0.01, rtol=1e-12)


@pytest.mark.parametrize("scale", [0.5, -1, 100_000, 10_000_000])
@pytest.mark.parametrize("kinds", [1, 2, 3, 4, 5])
def test_amounts(device: Any, kinds: int, scale: float) -> None:
    graph = apsp.generate("grid", 400, weights=(1, 9), seed=2)
    check(graph, "int32", kinds=kinds, scale=scale, sources=range(150), cutoffs=[3, 40, np.inf])


def test_parts_in_which_sums_are_exact() -> None:
    for most in (1, 50, 1000, 1 << 20, 1 << 24):
        amounts = np.arange(-most, most + 1, max(most // 100, 1), dtype=float)[:, None]
        longest = line_sums._longest_part(amounts)
        assert longest is not None
        assert (1 << 24) - most < longest * most <= 1 << 24
    for unsuitable in ([0.5, 1], [1, -(2.0**24) - 1], [1, np.inf], [np.nan]):
        assert line_sums._longest_part(np.array(unsuitable)[:, None]) is None


def test_lines_beyond_the_cutoff_are_not_computed(monkeypatch: pytest.MonkeyPatch) -> None:
    graph = apsp.generate("grid", 900, weights=(5, 9), seed=1)
    with emulated_gpus(monkeypatch), recording() as few:
        check(graph, "int32", sources=list(range(128)), cutoffs=20)
    with emulated_gpus(monkeypatch), recording() as many:
        check(graph, "int32", sources=list(range(128)), cutoffs=2000)
    assert not few.races
    assert not many.races
    name = "descend_within"
    assert few.kernels[name].launches == many.kernels[name].launches
    assert 2 * few.kernels[name].load_requests < many.kernels[name].load_requests


def test_what_the_memory_held_decides_nothing(device: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    graph, descend = apsp.generate("grid", 900, weights=(5, 9), seed=1), NearLines._descend
    seen: list[Any] = []

    def begun_with(held: int) -> Any:
        def descended(self: NearLines, places: Any, lines: Any, near: Any, tiles: int) -> None:
            lines.base.fill(held)
            descend(self, places, lines, near, tiles)
            seen.append(to_host(near))

        return descended

    for held in (0, 2**16 - 1):
        monkeypatch.setattr(NearLines, "_descend", begun_with(held))
        check(graph, "uint16", sources=range(25), cutoffs=[20])  # half a word is no source's
    assert not seen[0].all()
    np.testing.assert_array_equal(*seen)


def test_zones_negative_arcs_and_emulation() -> None:
    zones = np.arange(100) % 7 == 0
    grid = apsp.generate("grid", 100, seed=2)
    tails, heads, weights = grid.to_edges()
    check(apsp.from_edges(tails, heads, weights, n=100, zones=zones), "int32", "emulated", cutoffs=[500])
    check(grid, "int32", "emulated", cutoffs=[500, 1500])


@pytest.mark.slow
@needs_compiler
@pytest.mark.parametrize("capability", ARCHITECTURES)
def test_the_kernels_compile_without_spills(capability: tuple[int, int]) -> None:
    dtypes = DTYPES if capability == (9, 0) else ("uint16", "float64")  # the compiler is slow
    for source, wanted in {
        "within.cu": [descent_expression(dtype) for dtype in dtypes]
        + [line_sums.sums_expression(dtype, kinds) for dtype in dtypes for kinds in (1, 4)],
        "whole.cu": [line_sums.whole_expression(dtype, kinds) for dtype in dtypes for kinds in (1, 2, 3, 4)],
    }.items():
        compiled = nvrtc.compile_for(source, wanted, capability)
        assert set(compiled.spilled_bytes) == set(wanted)
        assert not any(compiled.spilled_bytes.values())


@pytest.mark.gpu
def test_a_city(cupy: Any) -> None:
    city = apsp.generate("city", 30_000, seed=1)
    check(city, "uint16", cutoffs=[60, 120, 240, 300])
    check(city, "int32", cutoffs=300, competition=np.ones(city.n), rtol=1e-12)
