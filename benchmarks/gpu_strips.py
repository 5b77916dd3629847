"""Floyd-Warshall by strips: python -m benchmarks.gpu_strips --sizes N,N --gpus 1,2,4 [--memory 16GiB] [--write FILE].

A complete graph with weights from 1 to 4096, written on the devices. Three ways: one page on one GPU (the driver in
core); rows spread over the memory of several GPUs; rows in pinned host memory, while each GPU may use --memory.
Timed by the host's clock from the rows written (in pinned memory: from the start, since rows are written when they are
first used) until all queues are empty; once, since a run takes minutes. --pivots N stops after N pivots and scales the
time.

Every complete result is checked: rows of all devices solve Bellman's equations D[i, j] = min over k != j of D[i, k] +
w(k, j), D[i, i] = 0, which have one solution, since weights are above 0; and a sum over all of D is the same for every
way.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any, cast

import numpy as np

from apsp.gpu import jit
from apsp.gpu.page import Page
from apsp.methods.backend import Backend
from apsp.methods.floyd_warshall.kernels.backend import CudaBackend
from apsp.methods.floyd_warshall.strips.by_strips import Matrix, take_memory
from apsp.methods.floyd_warshall.strips.cuts import StripPlan, Where, strip_plan
from apsp.methods.floyd_warshall.strips.driver import Station, close_strips
from apsp.methods.floyd_warshall.strips.gpu_lane import CudaLane, connect
from apsp.methods.floyd_warshall.strips.lane import Lane
from apsp.semiring import MIN_PLUS, Algebra

CHECKED_ROWS = 16  # of each panel that is sampled


class _EnoughError(Exception):
    """The requested pivots are done."""


def write_arcs(page: Page, row_from: int, diagonal: int, column_from: int = 0) -> None:
    """A part of the matrix of weights: a hash of row and column."""
    jit.cupy().ElementwiseKernel(
        "int64 from, int64 left, int64 columns, T diagonal", "T value",
        """
        const long long row = from + i / columns, column = left + i % columns;
        unsigned long long mixed = (row * 0x9E3779B97F4A7C15ull) ^ (column * 0xC2B2AE3D27D4EB4Full);
        mixed = (mixed ^ (mixed >> 29)) * 0xBF58476D1CE4E5B9ull;
        value = row == column ? diagonal : T(1 + (mixed >> 40) % 4096);
        """,
        "write_arcs",
    )(row_from, column_from, page.shape[1], page.dtype.type(diagonal), page)  # fmt: skip


def in_core(n: int, kind: str, pivots: int | None) -> dict[str, Any]:
    """One page on GPU 0."""
    backend, dtype = CudaBackend(0), kind.rstrip("+")
    page = backend.allocate(n, n, dtype)
    write_arcs(page, 0, 0)
    backend.cupy.cuda.Device(0).synchronize()
    enough = n if pivots is None else pivots
    done: list[tuple[int, float]] = []

    def stop(pivot: int) -> None:
        done.append((pivot, time.perf_counter()))
        if pivot >= enough:
            raise _EnoughError

    started = time.perf_counter()
    with suppress(_EnoughError):
        backend.close_tile(page, Algebra(MIN_PLUS, kind.endswith("+")), stop)
    pivot, now = done[-1]
    total = float(page.sum(dtype=np.float64)) if pivot >= n else None
    del page
    backend.cupy.get_default_memory_pool().free_all_blocks()
    return row("one page", n, kind, 1, (now - started) * n / min(pivot, n), total)


def by_strips(n: int, kind: str, gpus: int, memory: int | None, where: Where, pivots: int | None) -> dict[str, Any]:
    """Rows in the memory of the GPUs, or of the host."""
    dtype, algebra = np.dtype(kind.rstrip("+")), Algebra(MIN_PLUS, kind.endswith("+"))
    lanes = [CudaLane(number, memory) for number in range(gpus)]
    connect(lanes)
    limit = memory or int(jit.cupy().cuda.runtime.memGetInfo()[0] * 0.97)
    plan = strip_plan(n, dtype.itemsize, gpus, limit, n * n * dtype.itemsize, where=(where,))
    if isinstance(plan, str):
        raise SystemExit(plan)
    enough = n if pivots is None else pivots
    steps: list[int] = []

    def after_step(pivot: int) -> None:
        steps.append(pivot)
        if pivot >= enough:
            raise _EnoughError

    with ExitStack() as stack:
        host = np.empty((n, n), dtype=dtype) if where == "host" else None
        begin = time.perf_counter()
        if host is not None:
            stack.enter_context(lanes[0].pinned(host))
        pinned = time.perf_counter() - begin
        for lane in lanes:
            stack.callback(lane.end)
        matrix = Matrix(dtype, lambda backend, page, start: write_arcs(page, start, 0), host=host)
        stations, plan = take_memory(cast("list[Lane]", lanes), plan, matrix, stack)
        drain(stations)
        started = time.perf_counter()
        with suppress(_EnoughError):
            bad_vertex = close_strips(plan, stations, algebra, after_step=after_step)
            assert bad_vertex == -1
        drain(stations)
        seconds = (time.perf_counter() - started) * n / min(steps[-1], n)
        total = check(plan, stations, algebra) if steps[-1] >= n else None
    words = f"{where}, {plan.panel} x {plan.height}" + (f", pinned in {pinned:.1f} s" if where == "host" else "")
    return row(words, n, kind, gpus, seconds, total)


def drain(stations: list[Station]) -> None:
    """Wait for all queues."""
    for station in stations:
        for queue in ("compute", "load", "store", "send"):
            station.lane.mark(queue).synchronize()
        station.rows.drain()


def check(plan: StripPlan, stations: list[Station], algebra: Algebra) -> float:
    """Check as described at the head of this file; return the sum of all distances."""
    total = 0.0
    sampled = {0, plan.panels // 2, plan.panels - 1} | {plan.panels // 3 + number for number in range(plan.devices)}
    for panel in range(plan.panels):
        station = stations[plan.owner(panel)]
        first, last = plan.rows(panel)
        page = station.panels[0][: last - first]
        station.rows.gather(panel, page, [])
        with station.lane.on("compute"):
            total += float(page.sum(dtype=np.float64))
            if panel in sampled:
                check_rows(station.lane.backend, station.panels[1], page[:CHECKED_ROWS], first, algebra)
    return total


def check_rows(backend: Backend, room: Page, rows: Page, first: int, algebra: Algebra) -> None:
    """Bellman's equations for the rows from `first` on."""
    cupy = jit.cupy()
    count, n = rows.shape
    least = backend.allocate(count, n, rows.dtype)
    none = 2**14 if rows.dtype == np.uint16 else 2**29
    least[...] = none
    for start in range(0, n, len(room)):
        arcs = room[: min(len(room), n - start)]
        write_arcs(arcs, start, none)
        backend.update(least, rows[:, start : start + len(arcs)], arcs, algebra)
    own = cupy.arange(count)
    assert not rows[own, first + own].any()
    least[own, first + own] = 0
    assert bool((least == rows).all())


def row(words: str, n: int, kind: str, gpus: int, seconds: float, total: float | None) -> dict[str, Any]:
    """One line, printed."""
    rate = float(n) ** 3 / seconds
    checked = "scaled, not checked" if total is None else f"sum {total:.0f}"
    print(f"{n:8,} {kind:9} {gpus} GPU {seconds:9.3f} s {rate / 1e12:7.2f} T pairs/s  {words}; {checked}", flush=True)
    return {"how": words, "n": n, "kind": kind, "gpus": gpus, "seconds": seconds, "pairs/s": rate, "sum": total}


def bytes_from(text: str) -> int:
    """'16GiB' -> bytes."""
    units = {"GiB": 1 << 30, "MiB": 1 << 20}
    return int(float(text[:-3]) * units[text[-3:]]) if text[-3:] in units else int(text)


def main() -> None:
    """Run everything, print a table, and write JSON if requested."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.gpu_strips", description=__doc__)
    parser.add_argument("--sizes", default="16384,32768", help="vertices, with commas")
    parser.add_argument("--gpus", default="1", help="numbers of GPUs, with commas")
    parser.add_argument("--kind", default="float32+", help="dtype, with a plus where no value is negative")
    parser.add_argument("--memory", type=bytes_from, help="memory of each GPU for rows in host memory; none without it")
    parser.add_argument("--pivots", type=int, help="stop after so many, and scale the time")
    parser.add_argument("--page-pivots", type=int, help="the same for one page on one GPU alone")
    parser.add_argument("--no-page", action="store_true", help="leave out one page on one GPU")
    parser.add_argument("--no-devices", action="store_true", help="leave out rows in the memory of the GPUs")
    parser.add_argument("--write", type=Path, help="file for the results as JSON; they are added to what it has")
    options = parser.parse_args()
    in_core(1024, options.kind, None)  # kernels are compiled
    for n in map(int, options.sizes.split(",")):
        fits = 1.02 * n * n * np.dtype(options.kind.rstrip("+")).itemsize < jit.cupy().cuda.runtime.memGetInfo()[0]
        page = fits and not options.no_page
        ways = [in_core(n, options.kind, options.page_pivots or options.pivots)] if page else []
        for gpus in map(int, options.gpus.split(",")):
            if not options.no_devices:
                ways.append(by_strips(n, options.kind, gpus, None, "devices", options.pivots))
            if options.memory:
                ways.append(by_strips(n, options.kind, gpus, options.memory, "host", options.pivots))
        rows = compared(ways)
        if options.write:
            write(options.write, rows)


def compared(ways: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Checks that all ways have the same sum; adds the speed-up of each over the first."""
    totals = {way["sum"] for way in ways if way["sum"] is not None}
    assert len(totals) <= 1, f"the ways differ: {totals}"
    facts = [{key: value for key, value in way.items() if key != "sum"} for way in ways]
    return [
        fact | {"ratio": ways[0]["seconds"] / way["seconds"], "verified": way["sum"] is not None}
        for fact, way in zip(facts, ways, strict=True)
    ]


def write(path: Path, rows: list[dict[str, Any]], benchmark: str = "gpu_strips") -> None:
    """Append the results to those in the file."""
    before: dict[str, Any] = json.loads(path.read_text()) if path.exists() else {"commands": [], "rows": []}
    given = sys.argv[1:]
    if "--write" in given:
        place = given.index("--write")
        del given[place : place + 2]
    command = " ".join([f"python -m benchmarks.{benchmark}", *given])
    document = {
        "command": "; ".join(dict.fromkeys([*before["commands"], command])),
        "commands": [*dict.fromkeys([*before["commands"], command])],
        "gpu": jit.cupy().cuda.runtime.getDeviceProperties(0)["name"].decode(),
        "rows": before["rows"] + rows,
    }
    path.write_text(json.dumps(document, indent=1) + "\n")


if __name__ == "__main__":
    main()
