"""The driver of strips on the CPU: any cut, place and number of devices gives the matrix of one page, bit by bit."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import textwrap
import weakref
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
import scipy.sparse.csgraph as csgraph

from apsp.errors import MemoryLimitError, NegativeCycleError, RequestError
from apsp.gpu.page import Page
from apsp.methods.backend import CpuBackend
from apsp.methods.floyd_warshall import floyd_warshall
from apsp.methods.floyd_warshall.floyd_warshall import FloydWarshall
from apsp.methods.floyd_warshall.strips import request as strip_request
from apsp.methods.floyd_warshall.strips.by_strips import Matrix, close_by_strips
from apsp.methods.floyd_warshall.strips.cuts import StripPlan, strip_plan
from apsp.methods.floyd_warshall.strips.driver import Station
from apsp.methods.floyd_warshall.strips.lane import CpuLane, Lane
from apsp.methods.floyd_warshall.strips.page_file import PageFile
from apsp.methods.floyd_warshall.strips.request import lanes_and_plan, open_pages
from apsp.methods.problem import Problem
from apsp.semiring import MAX_MIN, MIN_MAX, MIN_PLUS, Algebra
from contract import GRAPHS, graph_of, random_edges, ring, shifted

PLACES = ("devices", "host", "file")
SHORTEST = Algebra(MIN_PLUS, True)


class Apart(CpuLane):
    """A device whose memory is not the host's: rows must pass through it."""

    shares_host = False


def arcs(n: int, dtype: str = "int32") -> npt.NDArray[Any]:
    rng = np.random.default_rng(n)
    page = rng.integers(1, 1000, (n, n)).astype(dtype)
    page[rng.random((n, n)) < 0.5] = {"uint16": 32767, "int32": 2**30 - 1}.get(dtype, np.inf)
    np.fill_diagonal(page, 0)
    return page


def closed(start: npt.NDArray[Any], algebra: Algebra) -> npt.NDArray[Any]:
    page = start.copy()
    CpuBackend(1).close_tile(page, algebra)
    return page


def close(
    lanes: list[Lane],
    start: npt.NDArray[Any],
    plan: StripPlan,
    folder: Path,
    *,
    algebra: Algebra = SHORTEST,
    **options: Any,
) -> npt.NDArray[Any]:
    """The closed matrix of start, in kernel values."""

    def fill(backend: Any, page: Page, row: int) -> None:
        page[:] = start[row : row + page.shape[0]]

    if plan.where == "file":
        file = PageFile(folder / "pages", start.shape, start.dtype, {})
        try:
            found = close_by_strips(lanes, plan, Matrix(start.dtype, fill, file=file), algebra, **options)
        finally:
            file.close()
        assert found == -1
        return np.array(file.matrix)
    host = np.full_like(start, 7)
    found = close_by_strips(lanes, plan, Matrix(start.dtype, fill, host=host), algebra, **options)
    assert found == -1
    return host


@pytest.mark.few(6)
@pytest.mark.parametrize("where", PLACES)
@pytest.mark.parametrize("devices", [1, 2, 3])
@pytest.mark.parametrize("panel", [1, 4, 16, 100])
@pytest.mark.parametrize("n", [0, 1, 5, 67, *(pytest.param(n, marks=pytest.mark.slow) for n in (2, 30))])
def test_every_cut(n: int, panel: int, devices: int, where: Any, tmp_path: Path) -> None:
    if panel < 16:
        n = min(n, 20 * panel)  # 20 panels or less, and three uneven strips: more take longer and cut no other way
    start, algebra = arcs(n), Algebra(MIN_PLUS, True)
    for height in (1, 3, 16, 100):
        for lane in (CpuLane, Apart):
            if height <= panel or where == "devices":
                plan = StripPlan(n, n, devices, panel, height, 4, where)
                found = close([lane(1) for _ in range(devices)], start, plan, tmp_path)
                np.testing.assert_array_equal(found, closed(start, algebra))
                (tmp_path / "pages").unlink(missing_ok=True)


@pytest.mark.few(6)
@pytest.mark.parametrize("dtype", ["uint16", "int32", "float32", "float64"])
@pytest.mark.parametrize("semiring", [MIN_PLUS, MAX_MIN, MIN_MAX], ids=lambda semiring: semiring.name)
def test_semirings_and_dtypes(semiring: Any, dtype: str, tmp_path: Path) -> None:
    start, algebra = arcs(90, dtype), Algebra(semiring, True)
    np.fill_diagonal(start, 0 if semiring is MIN_PLUS else semiring.empty_path(dtype))
    for where in PLACES:
        plan = StripPlan(90, 90, 2, 16, 8, start.itemsize, where)
        found = close([Apart(1), Apart(1)], start, plan, tmp_path, algebra=algebra)
        np.testing.assert_array_equal(found, closed(start, algebra))
        (tmp_path / "pages").unlink(missing_ok=True)


@pytest.mark.parametrize("where", PLACES)
def test_floats_do_not_depend_on_devices_or_heights(where: Any, tmp_path: Path) -> None:
    start = np.random.default_rng(1).random((100, 100)).astype(np.float32)
    np.fill_diagonal(start, 0)
    first = close([CpuLane(1)], start, StripPlan(100, 100, 1, 16, 16, 4, "host"), tmp_path)
    for devices, height in ((1, 3), (2, 16), (3, 5)):
        plan = StripPlan(100, 100, devices, 16, height, 4, where)
        np.testing.assert_array_equal(close([Apart(2) for _ in range(devices)], start, plan, tmp_path), first)
        (tmp_path / "pages").unlink(missing_ok=True)


def test_progress_grows_to_n_and_stops_the_work(tmp_path: Path) -> None:
    start, plan, told = arcs(67), StripPlan(67, 67, 2, 8, 4, 4, "host"), []
    close([Apart(1), Apart(1)], start, plan, tmp_path, progress=told.append)
    assert told == sorted(told)
    assert told[-1] == 67
    assert len(told) > 20

    def stop(pivots: int) -> None:
        if pivots > 30:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        close([Apart(1), Apart(1)], start, plan, tmp_path, progress=stop)


@pytest.mark.parametrize("where", PLACES)
def test_a_negative_walk_is_found_early_and_named(where: Any, tmp_path: Path) -> None:
    start, told = arcs(60), []
    start[10, 20], start[20, 10] = 4, -5
    with pytest.raises(AssertionError, match="assert 20 == -1"):
        close(
            [Apart(1), Apart(1)], start, StripPlan(60, 60, 2, 8, 4, 4, where), tmp_path,
            algebra=Algebra(MIN_PLUS, False), progress=told.append,
        )  # fmt: skip
    assert told[-1] < 40


# -- too little memory ------------------------------------------------------------------------------------------------


class Scarce(CpuBackend):
    """A backend with `room` bytes for pages."""

    def __init__(self, room: int) -> None:
        super().__init__(1)
        self.room, self.taken, self.refused = room, 0, 0

    def allocate(self, rows: int, columns: int, dtype: npt.DTypeLike) -> Page:
        size = rows * columns * np.dtype(dtype).itemsize
        if self.taken + size > self.room:
            self.refused += 1
            raise MemoryLimitError("work on GPU 7", size, self.room - self.taken, ["less"])
        self.taken += size
        return super().allocate(rows, columns, dtype)


class ScarceLane(Apart):
    def end(self) -> None:
        self.backend.taken = 0  # type: ignore[attr-defined]


def test_less_memory_than_planned_is_tried_with_smaller_strips(tmp_path: Path) -> None:
    start = arcs(300)
    backend = Scarce(StripPlan(300, 300, 1, 128, 128, 4, "host").device_bytes)
    found = close([ScarceLane(backend)], start, StripPlan(300, 300, 1, 512, 512, 4, "host"), tmp_path)
    np.testing.assert_array_equal(found, closed(start, Algebra(MIN_PLUS, True)))
    assert backend.refused > 0
    with pytest.raises(MemoryLimitError, match="GPU 7"):
        close([ScarceLane(Scarce(200_000))], start, StripPlan(300, 300, 1, 512, 512, 4, "host"), tmp_path)


def test_a_smaller_plan_gets_the_memory_of_the_larger_one(tmp_path: Path) -> None:
    pages: list[weakref.ref[npt.NDArray[Any]]] = []
    alive: list[int] = []

    class Counting(Scarce):
        def allocate(self, rows: int, columns: int, dtype: npt.DTypeLike) -> Page:
            if self.taken == 0:  # of each attempt the first
                alive.append(sum(page() is not None for page in pages))
            page = super().allocate(rows, columns, dtype)
            pages.append(weakref.ref(page))
            return page

    backend = Counting(StripPlan(300, 300, 1, 128, 128, 4, "host").device_bytes)
    close([ScarceLane(backend)], arcs(300), StripPlan(300, 300, 1, 512, 512, 4, "host"), tmp_path)
    assert len(alive) > 1
    assert not any(alive)


def test_memory_is_given_back_when_all_devices_are_done(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    happened: list[str] = []

    class Watched(Apart):
        def end(self) -> None:
            happened.append("end")

    class Failing(CpuBackend):
        def update(self, c: Page, a: Page, b: Page, algebra: Algebra) -> None:
            raise RuntimeError("bus")

    release = Station.release
    monkeypatch.setattr(Station, "release", lambda station: (happened.append("release"), release(station)))
    with pytest.raises(RuntimeError, match="bus"):
        close([Watched(1), Watched(Failing(1))], arcs(60), StripPlan(60, 60, 2, 8, 4, 4, "host"), tmp_path)
    assert happened == ["end", "end", "release", "release", "end", "end"]


def test_memory_for_the_result_that_cannot_be_pinned_is_copied_to_anyhow(tmp_path: Path) -> None:
    class Refused(Apart):
        def pinned(self, array: npt.NDArray[Any]) -> Any:
            class Pinning:
                def __enter__(self) -> None:
                    raise MemoryLimitError("pinning the matrix", 5, 4, ["more"])

                def cancel(self) -> None:
                    pass

            return Pinning()

    start = arcs(60)
    found = close([Refused(1), Refused(1)], start, StripPlan(60, 60, 2, 8, 8, 4, "devices"), tmp_path)
    np.testing.assert_array_equal(found, closed(start, SHORTEST))


def test_a_device_that_fails_stops_all(tmp_path: Path) -> None:
    class Failing(CpuBackend):
        count = 0

        def update(self, c: Page, a: Page, b: Page, algebra: Algebra) -> None:
            self.count += 1
            if self.count > 40:
                raise RuntimeError("GPU 1 fell off the bus")
            super().update(c, a, b, algebra)

    ended: list[object] = []

    class Watched(Apart):
        def end(self) -> None:
            ended.append(self)

    lanes = [Watched(1), Watched(Failing(1))]
    for where in PLACES:
        with pytest.raises(RuntimeError, match="bus"):
            close(lanes, arcs(100), StripPlan(100, 100, 2, 8, 4, 4, where), tmp_path)  # type: ignore[arg-type]
        assert set(ended) == set(lanes)
        ended.clear()


# -- plans ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("devices", [1, 2, 4])
@pytest.mark.parametrize("n", [0, 1, 127, 1000, 4096, 65536, 131072, 262144, 300001])
def test_plans_fit_and_cover(n: int, devices: int) -> None:
    for memory in (1 << 24, 1 << 30, 16 << 30, 139 << 30):
        for where in PLACES:
            plan = strip_plan(n, 4, devices, memory, 1 << 42, where=(where,))
            if isinstance(plan, str):
                assert "needs at least" in plan
                continue
            assert plan.device_bytes <= memory
            rows = [row for panel in range(plan.panels) for row in plan.strips(panel)]
            assert all(first < last for first, last in rows)
            assert sum(last - first for first, last in rows) == n
            owned = sorted(panel for device in range(devices) for panel in plan.owned(device))
            assert owned == list(range(plan.panels))
            assert all(device == plan.owner(panel) for device in range(devices) for panel in plan.owned(device))


def test_the_plans_of_the_largest_graphs() -> None:
    four = strip_plan(262_144, 4, 4, 135 << 30, 0)
    assert isinstance(four, StripPlan)
    assert four.where == "devices"
    assert four.device_bytes < 70 << 30
    paged = strip_plan(131_072, 4, 1, 16 << 30, 100 << 30)
    assert isinstance(paged, StripPlan)
    assert paged.where == "host"
    assert paged.panel >= 3072, "transfers take less time than the work"
    reason = strip_plan(131_072, 4, 1, 16 << 30, 50 << 30)
    assert isinstance(reason, str)
    assert "the device has 16.0 GiB and needs at least 64." in reason
    assert reason.endswith("the host has 50.0 GiB and the matrix takes 64.0 GiB")


def test_packed_columns() -> None:
    plan = strip_plan(1000, 8, 2, 1 << 24, 1 << 24, columns=16, pivots_per_column=64)
    assert isinstance(plan, StripPlan)
    assert plan.pivot_columns(0) == (0, plan.panel // 64)
    assert plan.pivot_columns(plan.panels - 1)[1] == 16


@pytest.mark.parametrize("n", [0, 1, 128, 129, 900, 1000, 1024])
def test_the_first_device_holds_most(n: int) -> None:
    for devices in (1, 2, 3, 5):
        plan = StripPlan(n, n, devices, 128, 128, 4, "devices")
        rows = [sum(last - first for first, last in map(plan.rows, plan.owned(d))) for d in range(devices)]
        elsewhere = replace(plan, where="host")
        pitch = (4 * n + 15) // 16 * 16
        assert plan.device_bytes - elsewhere.device_bytes == pitch * (max(rows) - 3 * 128)


def test_the_reason_names_what_is_short() -> None:
    reason = strip_plan(100_000, 4, 1, 16 << 30, 1 << 20, where=("file",))
    assert isinstance(reason, str)
    assert reason.startswith("for what goes to the file the host has 1.0 MiB and needs at least 341.8 MiB")
    reason = strip_plan(100_000, 4, 1, -5, 1 << 40)
    assert isinstance(reason, str)
    assert "the device has 0 B" in reason


def test_a_container_with_little_memory_gets_small_strips(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    problem = Problem(graph_of(3000, ring(3000, 1)), np.dtype("int32"), pages_file=tmp_path / "pages")
    monkeypatch.setattr(strip_request, "allowed_memory", lambda: (1 << 30, 64 << 20))
    lanes, plan = lanes_and_plan(problem)
    assert len(lanes) == 1
    assert plan.device_bytes <= 32 << 20
    assert plan.staging_bytes <= 16 << 20


# -- whole problems ---------------------------------------------------------------------------------------------------


def solve(problem: Problem, *, paths: bool = False) -> tuple[npt.NDArray[Any], npt.NDArray[Any] | None]:
    n = problem.graph.n
    dist = np.empty((n, problem.columns), dtype=problem.dtype)
    pred = np.empty((n, n), dtype=np.int32) if paths else None
    FloydWarshall(problem).fill(np.arange(n, dtype=np.int32), dist, pred)
    return dist, pred


@pytest.mark.few(20)
@pytest.mark.parametrize("dtype", ["int32", "float64"])
@pytest.mark.parametrize("name", GRAPHS)
def test_a_file_of_pages_changes_nothing(name: str, dtype: str, tmp_path: Path) -> None:
    graph = GRAPHS[name](dtype)
    plain, pred = solve(Problem(graph, np.dtype(dtype)), paths=True)
    for _ in range(2):  # computed, then loaded
        found, found_pred = solve(Problem(graph, np.dtype(dtype), pages_file=tmp_path / "pages"), paths=True)
        np.testing.assert_array_equal(found, plain)
        np.testing.assert_array_equal(found_pred, pred)


def test_some_columns_and_a_cutoff(tmp_path: Path) -> None:
    graph = graph_of(100, random_edges(100, 500, 1, 50, 1))
    options: dict[str, Any] = {"targets": np.array([3, 5], dtype=np.int32), "cutoff": 60}
    plain, pred = solve(Problem(graph, np.dtype("int32"), **options), paths=True)
    for _ in range(2):  # what is cut is not a result to be loaded
        found = solve(Problem(graph, np.dtype("int32"), pages_file=tmp_path / "pages", **options), paths=True)
        np.testing.assert_array_equal(found[0], plain)
        np.testing.assert_array_equal(found[1], pred)


def test_the_file_is_locked_until_all_is_read_off(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    problem = Problem(graph_of(9, ring(9, 3)), np.dtype("int32"), cutoff=5, pages_file=tmp_path / "pages")
    tried = []

    def cut(*_: object) -> None:
        with pytest.raises(RequestError, match="another process uses"):
            open_pages(problem)
        tried.append(True)

    monkeypatch.setattr(floyd_warshall, "forget_beyond", cut)
    solve(problem)
    assert tried
    file = open_pages(problem)
    assert file is not None
    file.close()


def test_the_file_itself_can_be_the_output(tmp_path: Path) -> None:
    graph = graph_of(100, random_edges(100, 500, 1, 50, 1))
    plain, _ = solve(Problem(graph, np.dtype("int32")))
    for _ in range(2):
        solver = FloydWarshall(Problem(graph, np.dtype("int32"), pages_file=tmp_path / "pages"))
        dist = solver.output()
        assert isinstance(dist, np.memmap)
        solver.fill(np.arange(100, dtype=np.int32), dist, None)
        np.testing.assert_array_equal(dist, plain)
    assert FloydWarshall(Problem(graph, np.dtype("int32"))).output() is None


def test_rows_take_over_where_floats_blur_paths(tmp_path: Path) -> None:
    graph = graph_of(80, shifted(80, random_edges(80, 400, 1, 50, 12), 12, 40), dtype="float64")
    plain, pred = solve(Problem(graph, np.dtype("float64")), paths=True)
    solver = FloydWarshall(Problem(graph, np.dtype("float64"), pages_file=tmp_path / "pages"))
    dist, found_pred = solver.output(), np.empty((80, 80), dtype=np.int32)
    solver.fill(np.arange(80, dtype=np.int32), dist, found_pred)
    np.testing.assert_array_equal(dist, plain)
    np.testing.assert_array_equal(found_pred, pred)
    assert not (tmp_path / "pages").exists()


def test_a_negative_cycle_leaves_no_file(tmp_path: Path) -> None:
    graph = graph_of(300, [*ring(300, -1), (5, 9, 3)])
    with pytest.raises(NegativeCycleError):
        solve(Problem(graph, np.dtype("int32"), pages_file=tmp_path / "pages"))
    assert not (tmp_path / "pages").exists()


def test_floats_that_cancel_leave_no_file_of_pages(tmp_path: Path) -> None:
    # The cycle 0 -> 1 -> 0 is negative, but by so little that sums in float32 might confuse it with zero.
    graph = graph_of(400, [*ring(400, 1_000_000), (1, 0, -1_000_001)], dtype="float32")
    problem = Problem(graph, np.dtype("float32"), pages_file=tmp_path / "pages")
    dist = np.empty((400, 400), dtype=np.float32)
    with pytest.raises(NegativeCycleError):
        FloydWarshall(problem).fill(np.arange(400, dtype=np.int32), dist, None)
    assert not (tmp_path / "pages").exists()


def test_16_bits_are_not_resumed_on_another_device(tmp_path: Path) -> None:
    problem = Problem(graph_of(9, [(0, 1, 5)]), np.dtype("uint16"), pages_file=tmp_path / "pages")
    file = open_pages(problem)
    assert file is not None
    file.close()
    with pytest.raises(RequestError, match="device is cpu, not cuda"):
        open_pages(replace(problem, device="cuda"))


# -- crashes ----------------------------------------------------------------------------------------------------------


class Crashing(CpuBackend):
    """Fails after so many updates."""

    def __init__(self, updates: int) -> None:
        super().__init__(1)
        self.left = updates

    def update(self, c: Page, a: Page, b: Page, algebra: Algebra) -> None:
        self.left -= 1
        if self.left < 0:
            raise RuntimeError("power failure")
        super().update(c, a, b, algebra)


@pytest.mark.few(1)
@pytest.mark.parametrize("nonnegative", [True, False])
def test_a_run_is_resumed_wherever_it_crashed(nonnegative: bool, tmp_path: Path) -> None:
    start, algebra = arcs(60), Algebra(MIN_PLUS, nonnegative)
    if not nonnegative:
        height = np.random.default_rng(3).integers(-50, 50, 60)
        there = start < 2**30 - 1
        start[there] += (height[:, None] - height)[there].astype(np.int32)
    expected = closed(start, algebra)
    reached = set()
    for updates in range(7 * nonnegative, 300, 14):
        folder = tmp_path / f"{updates}"
        folder.mkdir()
        for panel, strip, left in ((8, 4, updates), (5, 5, updates // 4)):  # two crashes, with different cuts
            lanes: list[Lane] = [Apart(Crashing(left)), Apart(1)]
            with contextlib.suppress(RuntimeError):
                close(
                    lanes, start, StripPlan(60, 60, 2, panel, strip, 4, "file"), folder, algebra=algebra,
                    commit_seconds=0.0,
                )  # fmt: skip
        pages = PageFile(folder / "pages", start.shape, start.dtype, {})
        reached.add(pages.next_pivot)
        pages.close()
        found = close([Apart(1)], start, StripPlan(60, 60, 1, 24, 8, 4, "file"), folder, algebra=algebra)
        np.testing.assert_array_equal(found, expected)
    assert len(reached) > 5


@pytest.mark.slow
def test_a_killed_process_is_resumed(tmp_path: Path) -> None:
    graph = graph_of(700, shifted(700, random_edges(700, 7000, 0, 50, 1), 2, 30))
    code = f"""
        import os, signal, sys
        import numpy as np
        sys.path.insert(0, {str(Path(__file__).parents[2])!r})
        from contract import graph_of, random_edges, shifted
        from apsp.methods.floyd_warshall.strips import by_strips
        from apsp.methods.floyd_warshall.floyd_warshall import FloydWarshall
        from apsp.methods.problem import Problem
        from pathlib import Path
        by_strips.COMMIT_SECONDS = 0.0
        import apsp.methods.floyd_warshall.strips.cuts as plans
        plans._FILE_PANEL = 128
        graph = graph_of(700, shifted(700, random_edges(700, 7000, 0, 50, 1), 2, 30))
        def kill(pivots):
            if pivots > 400:
                os.kill(os.getpid(), signal.SIGKILL)
        problem = Problem(graph, np.dtype("int32"), pages_file=Path({str(tmp_path / "pages")!r}))
        FloydWarshall(problem).fill(np.arange(700, dtype=np.int32), np.empty((700, 700), np.int32), None, kill)
    """
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(code)], env=dict(os.environ), check=False)
    assert done.returncode == -signal.SIGKILL
    with (tmp_path / "pages").open("rb") as file:
        assert b'"next_pivot": 384' in file.read(8192)
    told: list[int] = []
    problem = Problem(graph, np.dtype("int32"), pages_file=tmp_path / "pages")
    dist = np.empty((700, 700), dtype=np.int32)
    FloydWarshall(problem).fill(np.arange(700, dtype=np.int32), dist, None, told.append)
    expected = csgraph.johnson(graph.to_scipy())
    found = np.where(dist == 2**31 - 1, np.inf, dist)
    np.testing.assert_array_equal(found, expected)
