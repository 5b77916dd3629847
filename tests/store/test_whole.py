"""Stores by methods that compute the whole matrix: once, and then its bands are written."""

from __future__ import annotations

import multiprocessing
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import apsp
from apsp import MethodRefusedError, NegativeCycleError, RequestError
from apsp.methods.floyd_warshall.floyd_warshall import FloydWarshall
from apsp.running.storing import matrix_job
from apsp.system import array_device
from apsp.system.array_device import to_host
from emulation import emulated_gpus
from stored import shards

pytest.importorskip("zarr")
pytestmark = pytest.mark.usefixtures("small_bands")


class StopError(Exception):
    """Stops a run."""


@pytest.fixture(name="fills")
def fills_fixture(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The numbers of sources of all calls of Floyd-Warshall."""
    found: list[int] = []
    fill = FloydWarshall.fill

    def counted(self: Any, sources: Any, *arguments: Any) -> None:
        found.append(len(sources))
        fill(self, sources, *arguments)

    monkeypatch.setattr(FloydWarshall, "fill", counted)
    return found


def graph_of(dtype: str, n: int = 100) -> apsp.Graph:
    rng = np.random.default_rng(3)
    weights = rng.random(4 * n) if dtype == "float32" else rng.integers(1, 50, 4 * n)
    return apsp.from_edges(rng.integers(0, n, 4 * n), rng.integers(0, n, 4 * n), weights.astype(dtype), n=n)


@pytest.mark.few(3)
@pytest.mark.parametrize("device", ["cpu", "emulated"])
@pytest.mark.parametrize("dtype", ["int32", "float32"])
@pytest.mark.parametrize(
    "options", [{}, {"paths": True}, {"sources": range(7, 60), "targets": [3, 90, 4]}, {"cutoff": 1.5}]
)
def test_the_matrix_is_computed_once(
    place: Path, fills: list[int], device: str, dtype: str, options: dict[str, Any]
) -> None:
    graph = graph_of(dtype)
    named: dict[str, Any] = {"method": "floyd-warshall", "device": device} | options
    said: list[tuple[str, int, int]] = []
    result = apsp.solve(graph, store=place, progress=lambda *told: said.append(told), **named)
    rows = len(options.get("sources", range(100)))
    assert fills == [rows]
    assert result.info["rows_computed"] == rows
    assert (result.info["method"], result.info["device"]) == ("floyd-warshall", device)
    assert {stage for stage, _, _ in said} == {"floyd-warshall", "rows written"}
    assert said[-1] == ("rows written", rows, rows)
    expected = apsp.solve(graph, **named)
    assert to_host(result.distances).tobytes() == np.ascontiguousarray(expected.distances).tobytes()
    if "paths" in options:
        result.verify()
    assert len(shards(place)) == -(-rows // 16) * (2 if "paths" in options else 1)


@pytest.mark.parametrize("device", ["cpu", "emulated"])
def test_what_is_there_stays(place: Path, fills: list[int], device: str) -> None:
    graph = graph_of("float32")
    named: dict[str, Any] = {"method": "floyd-warshall", "device": device, "paths": True}

    def stopping(stage: str, done: int, total: int) -> None:
        if stage == "rows written" and done > 50:
            raise StopError

    with pytest.raises(StopError):
        apsp.solve(graph, store=place, **named, progress=stopping)
    before = shards(place)
    assert 2 <= len(before) < 14
    with pytest.raises(RequestError, match="its bits depend"):
        apsp.solve(graph, store=place, **named | {"method": "dijkstra", "device": "cpu"})
    result = apsp.solve(graph, store=place, paths=True)  # by the method and the device of the store
    assert fills == [100, 100]
    assert before.items() <= shards(place).items()
    assert result.info["rows_computed"] == 100 - 16 * (len(before) // 2)
    assert to_host(result.distances).tobytes() == apsp.solve(graph, **named).distances.tobytes()
    del fills[:]
    for band in (1, 4):
        (place / f"distances/c/{band}/0").unlink()
    assert apsp.solve(graph, store=place, **named).info["rows_computed"] == 32
    assert fills == [100]
    assert apsp.solve(graph, store=place, **named).info["rows_computed"] == 0
    assert fills == [100]
    apsp.load(place, check=True).verify()


def test_the_matrix_stays_on_the_gpu(place: Path, fills: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    graph = graph_of("int32", 200)
    named: dict[str, Any] = {"method": "floyd-warshall", "device": "cuda"}
    copied = []

    def to_host(array: Any) -> Any:
        copied.append((type(array) is not np.ndarray, len(array)))
        return array_device.to_host(array)

    monkeypatch.setattr(matrix_job, "to_host", to_host)
    with emulated_gpus(monkeypatch) as launches:
        result = apsp.solve(graph, store=place, **named)
        assert result.info["device"] == "cuda"
        assert launches
        del launches[:]
        for band in (0, 3):
            (place / f"distances/c/{band}/0").unlink()
        assert apsp.solve(graph, store=place, **named).info["rows_computed"] == 32
        assert launches
        del launches[:]
        assert apsp.solve(graph, store=place, **named).info["rows_computed"] == 0
        assert not launches
    assert fills == [200, 200]
    assert copied == [(True, rows) for rows in [*[16] * 12, 8, 16, 16]]
    expected = apsp.solve(graph, method="dijkstra", device="cpu").distances
    assert np.array_equal(to_host(result.distances), expected)


def test_the_matrix_in_a_file(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    computed = []
    close = FloydWarshall._close_by_strips

    def counted(self: Any, *arguments: Any) -> None:
        computed.append(self.problem.graph.n)
        close(self, *arguments)

    monkeypatch.setattr(FloydWarshall, "_close_by_strips", counted)
    graph, pages = graph_of("float32"), place.with_name("matrix.pages")
    named: dict[str, Any] = {"method": "floyd-warshall", "device": "cpu", "pages_file": pages, "paths": True}

    def stopping(stage: str, done: int, total: int) -> None:
        if stage == "rows written":
            raise StopError

    with pytest.raises(StopError):
        apsp.solve(graph, store=place, **named, progress=stopping)
    result = apsp.solve(graph, store=place, **named)  # reads the file
    assert computed == [100]
    assert result.info["rows_computed"] >= 84
    result.verify()
    with pytest.raises(RequestError, match=r"pages_file= holds a matrix that is computed at once"):
        apsp.solve(graph, store=place.with_name("other.zarr"), method="dijkstra", pages_file=pages)


def test_integers_may_be_completed_by_any_method(place: Path, fills: list[int]) -> None:
    graph = graph_of("int32")
    apsp.solve(graph, store=place, method="dijkstra", dtype="int32")
    (place / "distances/c/2/0").unlink()
    result = apsp.solve(graph, store=place, method="floyd-warshall", device="emulated")
    assert (fills, result.info["rows_computed"]) == ([100], 16)
    (place / "distances/c/2/0").unlink()
    result = apsp.solve(graph, store=place)
    assert (fills, result.info["rows_computed"]) == ([100], 16)
    assert np.array_equal(to_host(result.distances), apsp.solve(graph, method="dijkstra", dtype="int32").distances)


def test_errors_come_before_there_is_a_store(place: Path) -> None:
    cycle = apsp.from_edges([0, 1, 2], [1, 0, 0], [1, -2, 1])
    for device in ("cpu", "emulated"):
        with pytest.raises(NegativeCycleError):
            apsp.solve(cycle, store=place, method="floyd-warshall", device=device)
        with pytest.raises(StopError):
            apsp.solve(graph_of("int32"), store=place, method="floyd-warshall", device=device, progress=stop)
    with pytest.raises(MethodRefusedError, match="cannot give some rows without the others"):
        apsp.solve(graph_of("int32"), store=place, method="floyd-warshall", executor="processes")
    with pytest.raises(apsp.UnknownMethodError):
        apsp.solve(cycle, store=place, method="floyd")  # type: ignore[arg-type]
    with pytest.raises(apsp.MemoryLimitError):
        apsp.solve(apsp.from_edges([0], [1], n=3_000_000), store=place, method="floyd-warshall", device="cpu")
    assert not place.exists()


def stop(stage: str, done: int, total: int) -> None:
    raise StopError


def begun_by_processes(place: str) -> None:
    import apsp.spmd

    apsp.spmd.solve(graph_of("float32"), store=place, block=32)


@pytest.mark.slow
def test_a_store_of_processes(place: Path) -> None:
    pytest.importorskip("mpi4py")
    process = multiprocessing.get_context("spawn").Process(target=begun_by_processes, args=(str(place),))
    process.start()  # MPI of its own: this process does not initialise it
    process.join()
    assert process.exitcode == 0
    graph = graph_of("float32")
    assert apsp.solve(graph, store=place).info["rows_computed"] == 0
    next(place.glob("distances/c/*/0")).unlink()
    with pytest.raises(RequestError, match=r"was begun by apsp\.spmd\.solve"):
        apsp.solve(graph, store=place)
