"""Sums of amounts over rows of distances on a GPU, beside those of the CPU."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import apsp
from apsp import _cpu
from apsp.gpu import jit, nvrtc
from apsp.reductions.kernels.weigh import rows_expression
from apsp.reductions.row_weigher import RowWeigher
from apsp.reductions.weighing import DECAYS, Weighing
from apsp.semiring import unreachable
from compiling import ARCHITECTURES, needs_compiler
from emulation import emulated_gpus

DTYPES = ("uint16", "int32", "int64", "float32", "float64")


@pytest.fixture(params=["on this CPU", pytest.param("on a GPU", marks=pytest.mark.gpu)])
def device(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """CuPy, or what stands for it."""
    if request.param == "on a GPU":
        yield request.getfixturevalue("cupy")
        return
    with emulated_gpus(monkeypatch):
        yield jit.cupy()


def distances_of(rows: int, n: int, dtype: str, seed: int = 1) -> Any:
    rng = np.random.default_rng(seed)
    dist = rng.integers(0, 5000, (rows, n)).astype(dtype)
    dist[rng.random(dist.shape) < 0.2] = unreachable(dtype)
    return dist


def check(device: Any, dist: Any, weighing: Weighing, lead: int = 0, rtol: float = 0.0) -> None:
    expected = RowWeigher(weighing, 2).sums(dist)
    wide = np.zeros((len(dist), lead + dist.shape[1] + 3), dtype=dist.dtype)  # near vertices that must not be read
    wide[:, lead : lead + dist.shape[1]] = dist
    there = device.asarray(wide)[:, lead : lead + dist.shape[1]]
    rows = RowWeigher(weighing, 2)
    found = rows.sums(there)
    np.testing.assert_allclose(found, expected, rtol=rtol)
    np.testing.assert_array_equal(rows.sums(there), found)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("n", [1, 33, 5000])
@pytest.mark.parametrize(("kinds", "cutoffs"), [(1, (7,)), (3, (10, 100, 1000, 4999)), (5, (1, 2, 3, 4, 3000, np.inf))])
def test_cutoffs(device: Any, dtype: str, n: int, kinds: int, cutoffs: tuple[float, ...]) -> None:
    amounts = np.random.default_rng(n).integers(0, 50, (n, kinds)).astype(float)  # their sums are exact
    check(device, distances_of(3, n, dtype), Weighing(amounts, cutoffs), lead=n % 5)


@pytest.mark.parametrize("decay", DECAYS)
@pytest.mark.parametrize("dtype", ["uint16", "float64"])
def test_decays(device: Any, decay: str, dtype: str) -> None:
    amounts = np.random.default_rng(0).random((700, 2))
    weighing = Weighing(amounts, (1000, np.inf), decay, 0.01 if decay != "gaussian" else 1e-6, 300.0)
    check(device, distances_of(20, 700, dtype), weighing, rtol=1e-12)


def test_no_rows_and_strided_ones(device: Any) -> None:
    weighing = Weighing(np.ones((40, 1)), (3000.0,))
    check(device, distances_of(0, 40, "int32"), weighing)
    dist = distances_of(6, 40, "int32")
    found = RowWeigher(weighing, 1).sums(device.asarray(np.ascontiguousarray(dist.T)).T)
    np.testing.assert_array_equal(found, RowWeigher(weighing, 1).sums(dist))


@pytest.mark.few(1)
@pytest.mark.parametrize("method", ["label-correcting", "bit-bfs"])
def test_accessibility_stays_on_the_gpu(device: Any, method: str, monkeypatch: pytest.MonkeyPatch) -> None:
    graph = apsp.generate("random", 300, seed=2)
    graph = graph.unweighted() if method == "bit-bfs" else graph
    amounts = np.random.default_rng(1).integers(0, 9, (300, 3))
    cutoffs = [1, 3, 5] if method == "bit-bfs" else [100, 900, 2000]
    options: dict[str, Any] = {"cutoffs": cutoffs, "direction": "in", "competition": amounts[:, 0]}
    expected = apsp.accessibility(graph, amounts, device="cpu", **options).values
    monkeypatch.setattr(_cpu, "weigh_rows", None)
    found = apsp.accessibility(graph, amounts, device="cuda", method=method, **options).values
    np.testing.assert_allclose(found, expected, rtol=1e-12)


@pytest.mark.slow
@needs_compiler
@pytest.mark.parametrize("capability", ARCHITECTURES)
def test_the_kernels_compile_without_spills(capability: tuple[int, int]) -> None:
    dtypes = DTYPES if capability == (9, 0) else ("uint16", "float64")  # the compiler is slow
    wanted = [rows_expression(dtype, kinds) for dtype in dtypes for kinds in (1, 4)]
    compiled = nvrtc.compile_for("weigh.cu", wanted, capability)
    assert set(compiled.spilled_bytes) == set(wanted)
    assert not any(compiled.spilled_bytes.values())
