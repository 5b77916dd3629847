"""One matrix closed by strips: memory allocated (less if it is short), computed, memory freed.

Input: lanes, a `StripPlan`, a function that writes the matrix and one that makes its values public. Output: the public
matrix in a host array or in a file. Errors: MemoryLimitError if no plan fits, DeviceError, OutputError. In all cases
queues are empty and memory is free afterwards, and a file of pages can be resumed.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from traceback import clear_frames
from types import TracebackType
from typing import Any, Self

import numpy.typing as npt

from apsp.errors import MemoryLimitError
from apsp.gpu.page import Page
from apsp.methods.backend import Backend
from apsp.methods.floyd_warshall.strips.carriers import FileCarrier, HostCarrier
from apsp.methods.floyd_warshall.strips.cuts import BUFFERS, StripPlan
from apsp.methods.floyd_warshall.strips.driver import Station, close_strips, for_each_page, take_turns
from apsp.methods.floyd_warshall.strips.lane import Lane, Pinning
from apsp.methods.floyd_warshall.strips.page_file import PageFile
from apsp.methods.floyd_warshall.strips.rows import Fill, PassingRows, ResidentRows, Rows
from apsp.semiring import Algebra
from apsp.system.threads import Threads

__all__ = ["Matrix", "close_by_strips", "take_memory"]

COMMIT_SECONDS = 20.0
"""Minimum seconds between two commits to a file of pages, which wait until all of it is on the disk."""


@dataclass(frozen=True)
class Matrix:
    """The matrix to close, and where it is stored.

    Attributes
    ----------
    dtype : numpy dtype
    fill : callable
        fill(backend, page, row_from) writes rows of it, in kernel values.
    finish : callable or None
        finish(backend, page) makes closed values public, may raise, and may be repeated. None if they are public.
    host : (n, columns) array or None
        Receives the result, and stores the matrix during the work if the plan's place is 'host'.
    file : PageFile or None
        Stores the matrix if the plan's place is 'file'.
    """

    dtype: npt.DTypeLike
    fill: Callable[[Backend, Page, int], None]
    finish: Callable[[Backend, Page], None] | None = None
    host: npt.NDArray[Any] | None = None
    file: PageFile | None = None


def close_by_strips(
    lanes: Sequence[Lane],
    plan: StripPlan,
    matrix: Matrix,
    algebra: Algebra,
    progress: Callable[[int], None] | None = None,
    commit_seconds: float | None = None,
) -> int:
    """Close the matrix; the return value is that of `close_strips`.

    A file that was begun is resumed; it is not marked as finished here. The work is committed to it after so many
    seconds, by default `COMMIT_SECONDS`.
    """
    with ExitStack() as stack:
        pinned = None if matrix.host is None else lanes[0].pinned(matrix.host)
        if pinned is not None and plan.where == "host":
            stack.enter_context(pinned)
        meanwhile = None if pinned is None or plan.where == "host" else stack.enter_context(_PinnedMeanwhile(pinned))
        for lane in lanes:
            stack.callback(lane.end)
        stations, plan = take_memory(lanes, plan, matrix, stack)
        for lane in lanes:  # repeated before any memory is freed: other lanes may still write to it
            stack.callback(lane.end)
        first, after_step = 0, None
        if matrix.file is not None:
            first, after_step = matrix.file.next_pivot // plan.panel, _Committing(
                plan, stations, matrix.file, COMMIT_SECONDS if commit_seconds is None else commit_seconds
            )  # fmt: skip
            if matrix.file.next_pivot >= plan.n:
                first = plan.panels
        try:
            bad_vertex = close_strips(plan, stations, algebra, first=first, progress=progress, after_step=after_step)
            if bad_vertex < 0:
                _finish(plan, stations, matrix)
                if meanwhile is not None and matrix.host is not None:
                    meanwhile.wait()
                    take_turns(station.rows.collect(matrix.host) for station in stations)
                if progress is not None:
                    progress(plan.n)
        except BaseException as error:
            clear_frames(error.__traceback__)  # they refer to pages that are freed now
            raise
        return bad_vertex


def take_memory(
    lanes: Sequence[Lane], plan: StripPlan, matrix: Matrix, stack: ExitStack
) -> tuple[list[Station], StripPlan]:
    """Return the device strips and the plan that fitted: a smaller one if there is less memory than planned.

    The stack releases them.
    """
    smaller: StripPlan | None = plan
    while smaller is not None:
        plan = smaller
        try:
            with ExitStack() as taken:
                stations = []
                for number, lane in enumerate(lanes):
                    stations.append(Station(lane, plan, matrix.dtype, _rows_of(number, lane, plan, matrix)))
                    taken.callback(stations[-1].release)
                stack.push(taken.pop_all())
                return stations, plan
        except MemoryLimitError as error:
            smaller, refusal = plan.smaller(), error
            clear_frames(error.__traceback__)  # they refer to what the larger plan had allocated
            for lane in lanes:
                lane.end()
    raise refusal


def _rows_of(number: int, lane: Lane, plan: StripPlan, matrix: Matrix) -> Callable[[], Rows]:
    panels = plan.owned(number)
    is_new = matrix.file is None or matrix.file.next_pivot == 0
    fill: Fill | None = (lambda page, row_from: matrix.fill(lane.backend, page, row_from)) if is_new else None

    def resident() -> Rows:
        begins, height = {}, 0
        for panel in panels:
            begins[panel] = height
            height += plan.rows(panel)[1] - plan.rows(panel)[0]
        return ResidentRows(lane, plan, lane.allocate(height, plan.columns, matrix.dtype), begins, fill)

    def passing() -> Rows:
        if lane.shares_host and matrix.file is None:
            begins = {panel: plan.rows(panel)[0] for panel in panels}
            return ResidentRows(lane, plan, matrix.host, begins, fill)
        buffers = [lane.allocate(plan.height, plan.columns, matrix.dtype) for _ in range(BUFFERS)]
        if matrix.file is not None:
            return PassingRows(lane, plan, panels, buffers, FileCarrier(lane, plan, matrix.file, matrix.dtype), fill)
        assert matrix.host is not None
        return PassingRows(lane, plan, panels, buffers, HostCarrier(lane, matrix.host), fill)

    return resident if plan.where == "devices" else passing


class _Committing:
    """Commits the progress of the work to the file."""

    def __init__(self, plan: StripPlan, stations: Sequence[Station], file: PageFile, seconds: float) -> None:
        self.plan, self.stations, self.file, self.seconds = plan, stations, file, seconds
        self._last = time.monotonic()

    def __call__(self, next_pivot: int) -> None:
        if next_pivot < self.plan.n and time.monotonic() - self._last < self.seconds:
            return
        for station in self.stations:
            station.rows.drain()
        self.file.commit(next_pivot)
        self._last = time.monotonic()


def _finish(plan: StripPlan, stations: Sequence[Station], matrix: Matrix) -> None:
    """Convert closed rows from kernel values to public ones, in place."""
    finish = matrix.finish
    if finish is not None:
        for_each_page(plan, stations, lambda lane, page: finish(lane.backend, page))
    for station in stations:
        station.rows.drain()


class _PinnedMeanwhile:
    """Pins memory for the result in a thread within the context; if that fails, copies are slower."""

    def __init__(self, pinned: Pinning) -> None:
        self._pinned = pinned
        self._thread = Threads(1, "apsp-pin")

    def __enter__(self) -> Self:
        self._entered = self._thread.submit(self._pinned.__enter__)
        return self

    def wait(self) -> None:
        """Wait until it is pinned, or pinning has failed."""
        with suppress(MemoryLimitError):
            self._entered.result()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._pinned.cancel()
        self._thread.shutdown()
        if self._entered.exception() is None:
            self._pinned.__exit__(None, None, None)
