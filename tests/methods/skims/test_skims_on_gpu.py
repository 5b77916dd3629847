"""Skims on a GPU, beside those of the CPU, to the last bit."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import apsp
from apsp import DeviceError, MemoryLimitError, RequestError
from apsp.gpu import jit, nvrtc
from apsp.gpu.recorder import recording
from apsp.methods.skims import cost, on_gpu
from apsp.methods.skims.cost import SkimWork
from apsp.methods.skims.kernels.cost_sweeps import EXPRESSIONS
from apsp.planning.sources import choose
from by_method import fill_skims
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


def check(graph: apsp.Graph, kinds: int, **options: Any) -> None:
    rng = np.random.default_rng(kinds)
    along = {f"cost {k}": rng.integers(0, 3, graph.m) for k in range(kinds)}
    expected = apsp.skim(graph, along, device="cpu", **options)
    assert apsp.skim(graph, along, device="cuda", **options) == expected


@pytest.mark.parametrize("kinds", [0, 1, 4, 15])
def test_ties(device: Any, kinds: int) -> None:
    city = apsp.generate("city", 600, seed=2, weights=(0, 3))
    rng = np.random.default_rng(kinds)
    check(city, kinds, zones=rng.integers(0, city.n, 140), targets=rng.integers(0, city.n, 9))


@pytest.mark.parametrize("name", ["roads", "parts", "random", "one"])
def test_graphs(device: Any, name: str) -> None:
    graph = {
        "roads": lambda: apsp.generate("grid", 400, weights=(1, 3), seed=3),
        "parts": lambda: apsp.from_edges([0, 1, 5], [1, 2, 6], [4, 1, 2], n=9),
        "random": lambda: apsp.generate("random", 60, m=300, weights=(1, 9), seed=3),
        "one": lambda: apsp.from_edges([], [], [], n=1),
    }[name]()
    check(graph, 2)
    check(graph, 2, zones=[0], targets=[])


@pytest.mark.parametrize("seed", range(3))
def test_zones(device: Any, seed: int) -> None:
    rng = np.random.default_rng(seed)
    ends = rng.integers(0, 40, (2, 160))
    graph = apsp.from_edges(*ends, rng.integers(0, 3, 160), n=40, zones=rng.random(40) < 0.4)
    check(graph, 3)
    check(graph, 1, zones=rng.integers(0, 40, 30))


def test_floats(device: Any) -> None:
    rng = np.random.default_rng(0)
    graph = apsp.from_edges(*rng.integers(0, 60, (2, 200)), rng.random(200) + 0.1, n=60)
    along = {"km": rng.random(graph.m), "toll": -rng.random(graph.m)}
    here, there = (apsp.skim(graph, along, device=name).matrices for name in ("cpu", "cuda"))
    np.testing.assert_allclose(there, here, rtol=1e-12)


def test_blocks_of_sources_that_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    city = apsp.generate("city", 500, seed=4, weights=(1, 9))
    monkeypatch.setattr(on_gpu, "BLOCK_BYTES", 2000)
    seen: list[tuple[str, int, int]] = []
    with emulated_gpus(monkeypatch), recording() as recorder:
        check(city, 2, zones=np.arange(30), progress=lambda *told: seen.append(told))
    assert recorder.kernels["write_costs"].launches > 1
    assert not recorder.races
    assert seen[-1][1:] == (30, 30)


def test_memory_that_does_not_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    city = apsp.generate("city", 500, seed=4, weights=(1, 9))
    monkeypatch.setattr(on_gpu, "free_bytes", lambda *_: 1000)
    with pytest.raises(MemoryLimitError, match="the costs of one source"):
        apsp.skim(city, device="emulated")
    monkeypatch.setattr(cost, "usable", lambda _: 1000)
    with pytest.raises(MemoryLimitError, match="the factor of the elimination"):
        fill_skims(
            city, np.ones((city.m, 2)), *[np.arange(9, dtype=np.int32)] * 2, np.empty((2, 9, 9)), by="elimination"
        )


def test_devices_that_cannot_be_used() -> None:
    graph = apsp.generate("grid", 9)
    with pytest.raises(RequestError, match="skims are computed on one GPU"):
        apsp.skim(graph, device="cuda:0,1")
    with pytest.raises(RequestError, match="device"):
        apsp.skim(graph, device="gpu")


def test_no_gpu(monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[Any] = []
    monkeypatch.setattr("apsp.gpu.gpus.with_gpus", lambda machine: machine)
    monkeypatch.setattr("apsp.facts.one_gpu.with_gpus", lambda machine: looked.append(machine) or machine)
    graph = apsp.generate("grid", 100)
    with pytest.raises(DeviceError, match="use device='cpu'"):
        apsp.skim(graph, device="cuda")
    for sources, looks in ((2, 1), (10**8, 2)):  # the second would take the CPU long
        assert choose("skims", SkimWork(graph, (1, sources, 2)), device="auto", threads=1).device == "cpu"
        assert len(looked) == looks


@needs_compiler
@pytest.mark.parametrize("capability", ARCHITECTURES)
def test_the_kernels_compile_without_spills(capability: tuple[int, int]) -> None:
    compiled = nvrtc.compile_for("skims.cu", EXPRESSIONS, capability)
    assert set(compiled.spilled_bytes) == set(EXPRESSIONS)
    assert not any(compiled.spilled_bytes.values())


@pytest.mark.gpu
def test_a_city(cupy: Any) -> None:
    city = apsp.generate("city", 30_000, seed=1, weights=(1, 100))
    check(city, 9, zones=np.random.default_rng(1).choice(city.n, 700, replace=False))
