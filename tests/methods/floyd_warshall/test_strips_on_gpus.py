"""Strips on GPUs against the kernels of the CPU: any cut, place and number of devices, to the last bit."""

from __future__ import annotations

import gc
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from apsp.errors import DeviceError, MemoryLimitError, NegativeCycleError
from apsp.gpu import pinned
from apsp.methods.backend import CpuBackend
from apsp.methods.floyd_warshall.floyd_warshall import FloydWarshall
from apsp.methods.floyd_warshall.strips.by_strips import Matrix, close_by_strips
from apsp.methods.floyd_warshall.strips.cuts import StripPlan, Where, strip_plan
from apsp.methods.floyd_warshall.strips.gpu_lane import CudaLane, connect
from apsp.methods.floyd_warshall.strips.page_file import PageFile
from apsp.methods.problem import Problem
from apsp.result.result import Result
from apsp.semiring import MAX_MIN, MIN_PLUS, Algebra, Semiring
from contract import assert_paths_replay, graph_of, random_edges, ring, shifted

pytestmark = pytest.mark.gpu

PLACES = ("devices", "host", "file")


def arcs(n: int, dtype: str = "int32", seed: int = 0) -> np.ndarray[Any, Any]:
    rng = np.random.default_rng(seed)
    page = rng.integers(1, 1000, (n, n)).astype(dtype)
    page[rng.random((n, n)) < 0.5] = {"uint16": 32767, "int32": 2**30 - 1}.get(dtype, np.inf)
    np.fill_diagonal(page, 0)
    return page


def closed(start: np.ndarray[Any, Any], semiring: Semiring = MIN_PLUS) -> np.ndarray[Any, Any]:
    page = start.copy()
    CpuBackend(2).close_tile(page, Algebra(semiring, True))
    return page


def close(
    lanes: list[CudaLane], start: np.ndarray[Any, Any], plan: StripPlan, folder: Path, **options: Any
) -> np.ndarray[Any, Any]:
    """Strips of a matrix, in kernel values, that comes from the host and is brought back there."""

    def fill(backend: Any, page: Any, row: int) -> None:
        backend.copy(start[row : row + page.shape[0]], page)

    algebra = options.pop("algebra", Algebra(MIN_PLUS, True))
    if plan.where == "file":
        file = PageFile(folder / "pages", start.shape, start.dtype, {})
        assert close_by_strips(lanes, plan, Matrix(start.dtype, fill, file=file), algebra, **options) == -1
        file.close()
        return np.array(file.matrix)
    host = np.full_like(start, 7)
    assert close_by_strips(lanes, plan, Matrix(start.dtype, fill, host=host), algebra, **options) == -1
    return host


@pytest.mark.parametrize("where", PLACES)
@pytest.mark.parametrize("lanes", [1, 2, 3])
@pytest.mark.parametrize(
    ("n", "panel", "height"), [(1, 128, 128), (130, 128, 128), (777, 128, 128), (1000, 256, 128), (150, 7, 3)]
)
def test_cuts_and_places(cupy: Any, n: int, panel: int, height: int, lanes: int, where: Where, tmp_path: Path) -> None:
    start = arcs(n)
    plan = StripPlan(n, n, lanes, panel, height, 4, where)
    np.testing.assert_array_equal(close([CudaLane(0) for _ in range(lanes)], start, plan, tmp_path), closed(start))


@pytest.mark.parametrize("where", PLACES)
@pytest.mark.parametrize("dtype", ["uint16", "int64", "float32", "float64"])
def test_dtypes(cupy: Any, dtype: str, where: Where, tmp_path: Path) -> None:
    start = arcs(600, dtype) if dtype != "int64" else arcs(600, "int32").astype("int64")
    plan = StripPlan(600, 600, 2, 128, 128, start.itemsize, where)
    np.testing.assert_array_equal(close([CudaLane(0), CudaLane(0)], start, plan, tmp_path), closed(start))


def test_another_semiring(cupy: Any, tmp_path: Path) -> None:
    start = np.random.default_rng(0).integers(1, 1000, (400, 400)).astype(np.int32)
    np.fill_diagonal(start, 2**31 - 1)
    plan = StripPlan(400, 400, 2, 128, 128, 4, "host")
    found = close([CudaLane(0), CudaLane(0)], start, plan, tmp_path, algebra=Algebra(MAX_MIN, True))
    np.testing.assert_array_equal(found, closed(start, MAX_MIN))


def test_memory_registered_in_many_chunks(cupy: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pinned, "CHUNK_BYTES", 20_000)
    start = arcs(1000)
    plan = StripPlan(1000, 1000, 1, 256, 128, 4, "host")
    np.testing.assert_array_equal(close([CudaLane(0)], start, plan, tmp_path), closed(start))
    assert not pinned._boundaries


def test_memory_that_is_pinned_already(cupy: Any) -> None:
    array = pinned.pinned_array(100, 100, np.int32)
    with pinned.Registered(array, 0):
        array[:] = 1
    with pinned.Registered(np.ones((3000, 1000)), 0):
        pass


_KEPT = 1 << 12
"""Bytes that a lane may keep: the flags of its backend."""


def kept(cupy: Any, lane: CudaLane, run: Callable[[], None]) -> int:
    """Bytes that are still held after a run, by the lane or by CuPy; other processes use the GPU too."""
    before = cupy.get_default_memory_pool().used_bytes()
    run()
    return int(lane._pool.total_bytes() + cupy.get_default_memory_pool().used_bytes() - before)


@pytest.mark.parametrize("where", PLACES)
def test_the_limit_holds_and_memory_is_given_back(cupy: Any, where: Where, tmp_path: Path) -> None:
    n, start = 2000, arcs(2000)
    plan = StripPlan(n, n, 1, 256, 128, 4, where)
    lane = CudaLane(0, plan.device_bytes + (1 << 20))

    def run() -> None:
        np.testing.assert_array_equal(close([lane], start, plan, tmp_path), closed(start))

    assert kept(cupy, lane, run) <= _KEPT


def test_too_little_memory_is_tried_with_less(cupy: Any, tmp_path: Path) -> None:
    start, plan = arcs(1500), StripPlan(1500, 1500, 1, 512, 512, 4, "host")
    least = StripPlan(1500, 1500, 1, 128, 128, 4, "host").device_bytes
    found = close([CudaLane(0, least + (1 << 20))], start, plan, tmp_path)
    np.testing.assert_array_equal(found, closed(start))
    with pytest.raises(MemoryLimitError, match="GPU 0"):
        close([CudaLane(0, least // 2)], start, plan, tmp_path)


@pytest.mark.parametrize("where", PLACES)
def test_an_interrupt_frees_everything(cupy: Any, where: Where, tmp_path: Path) -> None:
    def stop(pivots: int) -> None:
        if pivots > 300:
            raise KeyboardInterrupt

    lane = CudaLane(0)

    def run() -> None:
        with pytest.raises(KeyboardInterrupt):
            close([lane], arcs(3000), StripPlan(3000, 3000, 1, 256, 128, 4, where), tmp_path, progress=stop)
        gc.collect()
        lane.end()  # frees what nothing refers to

    assert kept(cupy, lane, run) <= _KEPT


@pytest.mark.parametrize("where", ["devices", "host"])
def test_ctrl_c_is_heard_before_the_end(cupy: Any, where: Where) -> None:
    n = 32768  # seconds of work
    plan = strip_plan(n, 4, 1, 6 << 30, 4 << 30, where=(where,))
    assert isinstance(plan, StripPlan)
    host = np.empty((n, n), dtype=np.int32)

    def fill(backend: Any, page: Any, row: int) -> None:
        page[...] = 1

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    done: list[int] = []

    def in_a_moment(pivots: int) -> None:
        done.append(pivots)
        if len(done) == 1:
            signal.setitimer(signal.ITIMER_REAL, 0.2)

    before = signal.signal(signal.SIGALRM, interrupt)
    try:
        with pytest.raises(KeyboardInterrupt):
            close_by_strips(
                [CudaLane(0)], plan, Matrix(host.dtype, fill, host=host), Algebra(MIN_PLUS, True), in_a_moment
            )
    finally:
        signal.signal(signal.SIGALRM, before)
    assert done[-1] < n


def test_memory_that_cannot_be_pinned(cupy: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pinned, "CHUNK_BYTES", 100_000)
    register, count = pinned.Registered._register, []

    def refuse(self: pinned.Registered, chunk: tuple[int, int]) -> None:
        count.append(chunk)
        if len(count) > 5:
            raise cupy.cuda.runtime.CUDARuntimeError(2)
        register(self, chunk)

    monkeypatch.setattr(pinned.Registered, "_register", refuse)
    with pytest.raises(MemoryLimitError, match=r"pinning the matrix.*pages_file"):
        close([CudaLane(0)], arcs(1000), StripPlan(1000, 1000, 1, 256, 128, 4, "host"), tmp_path)
    assert not pinned._boundaries


def test_a_missing_gpu_is_named(cupy: Any) -> None:
    number = cupy.cuda.runtime.getDeviceCount()
    with pytest.raises(DeviceError, match=f"GPU {number}"):
        CudaLane(number)


# -- whole problems ---------------------------------------------------------------------------------------------------


def solve(graph: Any, dtype: str, paths: bool = False, **options: Any) -> tuple[np.ndarray[Any, Any], Any]:
    problem = Problem(graph, np.dtype(dtype), threads=2, **options)
    dist = np.empty((graph.n, graph.n), dtype=dtype)
    pred = np.empty((graph.n, graph.n), dtype=np.int32) if paths else None
    FloydWarshall(problem).fill(np.arange(graph.n, dtype=np.int32), dist, pred)
    return dist, pred


@pytest.mark.parametrize("dtype", ["uint16", "int32", "float32", "float64"])
def test_a_problem_larger_than_the_memory_that_may_be_used(cupy: Any, dtype: str, tmp_path: Path) -> None:
    graph = graph_of(900, random_edges(900, 9000, 0, 50, 1), zones=np.arange(900) % 7 == 3)
    expected, _ = solve(graph, dtype)
    memory = 1_150_000 * np.dtype(dtype).itemsize
    for options in ({"gpu_memory": memory}, {"gpu_memory": memory, "pages_file": tmp_path / "pages"}):
        found, pred = solve(graph, dtype, paths=True, device="cuda", gpus=(0,), **options)
        np.testing.assert_array_equal(found, expected)
        assert_paths_replay(Result(graph, found, pred=pred))


def test_negative_arcs_and_cycles(cupy: Any) -> None:
    options: dict[str, Any] = {"device": "cuda", "gpus": (0,), "gpu_memory": 4_600_000}
    edges = shifted(900, random_edges(900, 9000, 0, 50, 1), 2, 40)
    expected, _ = solve(graph_of(900, edges), "int32")
    np.testing.assert_array_equal(solve(graph_of(900, edges), "int32", **options)[0], expected)
    with pytest.raises(NegativeCycleError):
        solve(graph_of(900, [*ring(900, -1), (5, 9, 3)]), "int32", **options)


@pytest.mark.parametrize("where", PLACES)
def test_several_gpus(cupy: Any, where: Where, tmp_path: Path) -> None:
    count = cupy.cuda.runtime.getDeviceCount()
    if count < 2:
        pytest.skip("this machine has one GPU")
    start = arcs(3000)
    lanes = [CudaLane(number) for number in range(count)]
    connect(lanes)
    for panel in (128, 512):
        plan = StripPlan(3000, 3000, count, panel, 128, 4, where)
        np.testing.assert_array_equal(close(lanes, start, plan, tmp_path), closed(start))
        (tmp_path / "pages").unlink(missing_ok=True)
    graph = graph_of(900, random_edges(900, 9000, 0, 50, 1))
    expected, _ = solve(graph, "int32")
    for options in ({}, {"gpu_memory": 4_600_000}, {"pages_file": tmp_path / "other"}):
        found, _ = solve(graph, "int32", device="cuda", gpus=tuple(range(count)), **options)
        np.testing.assert_array_equal(found, expected)


def test_a_matrix_of_one_gpu_stays_in_core(cupy: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(FloydWarshall, "_close_by_strips", None)
    graph = graph_of(200, random_edges(200, 900, 0, 50, 1))
    np.testing.assert_array_equal(solve(graph, "int32", device="cuda", gpus=(0,))[0], solve(graph, "int32")[0])
