"""Copies of strips between their storage and the memory of a device.

Input: strips (from, to) of rows, pages of the device. Cost: no device memory; host memory for seven strips if they are
in a file. Errors: OutputError if a file cannot be written, FileFormatError if it ends early.

The idea: copies to and from host memory are queued like kernels. One thread reads the file and one writes it; they wait
for the queues, so that reading, writing, both copies and the kernels overlap.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from typing import Any, Protocol

import numpy.typing as npt

from apsp.gpu.page import Page
from apsp.methods.floyd_warshall.strips.cuts import READ_SLOTS, WRITE_SLOTS, StripPlan
from apsp.methods.floyd_warshall.strips.lane import PASSED, Lane, Mark
from apsp.methods.floyd_warshall.strips.page_file import PageFile
from apsp.system.threads import Threads

__all__ = ["Arrival", "Carrier", "FileCarrier", "HostCarrier", "Strip"]

Strip = tuple[int, int]
Arrival = Callable[[], Mark]
"""Called once, when the strip is needed; returns the mark after which it is in its page."""


class Carrier(Protocol):
    """Copies strips between their storage and a device."""

    def begin(self, strip: Strip, page: Page, free: Sequence[Mark]) -> Arrival:
        """Start to copy a strip into a page that is free after these marks; strips arrive in any order."""
        ...

    def store(self, strip: Strip, page: Page, ready: Sequence[Mark]) -> Mark:
        """Copy back a page that is ready after these marks; it may be overwritten after the returned mark."""
        ...

    def drain(self) -> None:
        """Wait until all copies back are complete."""
        ...

    def release(self) -> None:
        """Stop, and free memory and threads; never raises."""
        ...


class HostCarrier:
    """Strips are stored in a host array (n, columns)."""

    def __init__(self, lane: Lane, matrix: npt.NDArray[Any]) -> None:
        self.lane, self.matrix = lane, matrix
        self._stored: dict[Strip, Mark] = {}

    def begin(self, strip: Strip, page: Page, free: Sequence[Mark]) -> Arrival:
        """Start to copy a strip into a page."""
        self.lane.wait("load", [*free, self._stored.get(strip, PASSED)])
        with self.lane.on("load"):
            self.lane.copy(self.matrix[slice(*strip)], page)
        mark = self.lane.mark("load")
        return lambda: mark

    def store(self, strip: Strip, page: Page, ready: Sequence[Mark]) -> Mark:
        """Copy a page back to its strip."""
        self.lane.wait("store", ready)
        with self.lane.on("store"):
            self.lane.copy(page, self.matrix[slice(*strip)])
        self._stored[strip] = self.lane.mark("store")
        return self._stored[strip]

    def drain(self) -> None:
        """Wait until all strips are stored."""
        self.lane.mark("store").synchronize()

    def release(self) -> None:
        """Stop, and free memory and threads."""
        self._stored.clear()


class FileCarrier:
    """Strips are stored in a file, and copied through host memory."""

    def __init__(self, lane: Lane, plan: StripPlan, file: PageFile, dtype: npt.DTypeLike) -> None:
        self.lane, self.file = lane, file

        def slots(count: int) -> deque[tuple[npt.NDArray[Any], list[Any]]]:
            return deque((lane.staging(plan.height, plan.columns, dtype), []) for _ in range(count))

        # each with the marks to wait for before its next use
        self._to_read, self._to_write = slots(READ_SLOTS), slots(WRITE_SLOTS)
        self._writes: dict[Strip, Future[None]] = {}
        self._reader = Threads(1, "apsp-read")
        self._writer = Threads(1, "apsp-write")

    def begin(self, strip: Strip, page: Page, free: Sequence[Mark]) -> Arrival:
        """Start to copy a strip into a page."""
        slot, copied = self._to_read.popleft()
        write = self._writes.get(strip)
        rows = slot[: strip[1] - strip[0]]

        def read() -> None:
            for mark in copied:
                mark.synchronize()
            if write is not None:
                write.result()
            self.file.read(strip[0], rows)

        reading = self._reader.submit(read)

        def arrive() -> Mark:
            reading.result()
            self.lane.wait("load", free)
            with self.lane.on("load"):
                self.lane.copy(rows, page)
            mark = self.lane.mark("load")
            self._to_read.append((slot, [mark]))
            return mark

        return arrive

    def store(self, strip: Strip, page: Page, ready: Sequence[Mark]) -> Mark:
        """Copy a page back to its strip; waits for the disk if that is three strips behind."""
        slot, writes = self._to_write.popleft()
        for written in writes:
            written.result()
        rows = slot[: strip[1] - strip[0]]
        self.lane.wait("store", ready)
        with self.lane.on("store"):
            self.lane.copy(page, rows)
        mark = self.lane.mark("store")

        def write() -> None:
            mark.synchronize()
            self.file.write(strip[0], rows)

        self._writes[strip] = self._writer.submit(write)
        self._to_write.append((slot, [self._writes[strip]]))
        return mark

    def drain(self) -> None:
        """Wait until all strips are stored."""
        for write in self._writes.values():
            write.result()
        self._writes.clear()

    def release(self) -> None:
        """Stop, and free memory and threads."""
        for executor in (self._reader, self._writer):
            executor.shutdown(wait=True, cancel_futures=True)
        self._to_read.clear()
        self._to_write.clear()
        self._writes.clear()
