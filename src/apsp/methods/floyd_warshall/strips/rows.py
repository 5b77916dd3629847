"""The rows of the matrix that one device works on: all in its memory, or copied through it strip by strip.

Input: a `StripPlan`, and a function that writes the matrix at the start. Output: pages for the driver to relax. Cost:
no further device memory for rows that are there already, three strips for those that are copied through it.

The idea: the driver requests the pages of a step one by one; the copies of a page from the host and back, if any, are
made here and overlap with the work on other pages.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from apsp.gpu.page import Page
from apsp.methods.floyd_warshall.strips.carriers import Arrival, Carrier
from apsp.methods.floyd_warshall.strips.cuts import TILE, StripPlan
from apsp.methods.floyd_warshall.strips.lane import Lane, Mark

__all__ = ["Fill", "PassingRows", "ResidentRows", "Rows"]

Fill = Callable[[Page, int], None]
"""fill(page, row_from) writes the rows of the matrix from row_from on into a page of the device, in kernel values."""


class Rows(Protocol):
    """The rows of one device; every method queues work and returns.

    Attributes
    ----------
    ahead : int
        Pages of a step whose copies to the device begin before the first is relaxed.
    """

    ahead: int

    def pages(self, panels: Sequence[int]) -> Iterator[Page]:
        """Yield the rows of these panels, some at a time: ready for the queue of kernels, and stored when the iteration
        continues.
        """
        ...

    def gather(self, panel: int, target: Page, free: Sequence[Mark]) -> None:
        """Copy the rows of a panel into a page, which is free after these marks; it is then ready for the queue of
        kernels.
        """
        ...

    def scatter(self, panel: int, source: Page) -> Mark:
        """Store a panel as computed by the queue of kernels; the page may be overwritten after the returned mark."""
        ...

    def drain(self) -> None:
        """Wait until everything is stored."""
        ...

    def collect(self, host: npt.NDArray[Any]) -> Iterator[Mark]:
        """Copy the rows into the matrix on the host, one mark per panel; nothing if they are stored there or in a
        file.
        """
        ...

    def release(self) -> None:
        """Free all memory; never raises."""
        ...


class ResidentRows:
    """Rows in the memory of the device.

    Parameters
    ----------
    page : Page
        Rows of the owned panels.
    begins : dict
        Panel -> its first row in the page.
    fill : Fill or None
        Writes the matrix; None if that has been done.
    """

    ahead = 0

    def __init__(self, lane: Lane, plan: StripPlan, page: Page, begins: dict[int, int], fill: Fill | None) -> None:
        self.lane, self.plan, self.begins = lane, plan, begins
        self.page: Page | None = page
        if fill is not None:
            with lane.on("compute"):
                for panel in begins:
                    fill(self._panel(panel), plan.rows(panel)[0])

    def pages(self, panels: Sequence[int]) -> Iterator[Page]:
        """Yield the rows of these panels as pages.

        Neighbouring panels are joined, up to `plan.height` rows.
        """
        assert self.page is not None
        spans: list[tuple[int, int]] = []
        for panel in sorted(panels, key=self.begins.__getitem__):
            begin, end = self._span(panel)
            if spans and spans[-1][1] == begin:
                begin = spans.pop()[0]
            spans.append((begin, end))
        for begin, end in spans:
            count = max(-(-(end - begin) // self.plan.height), 1)
            height = min(-(-(end - begin) // (TILE * count)) * TILE, self.plan.height)
            for start in range(begin, end, height):
                yield self.page[start : min(start + height, end)]

    def gather(self, panel: int, target: Page, free: Sequence[Mark]) -> None:
        """Copy the rows of a panel into a page."""
        self.lane.wait("compute", free)
        with self.lane.on("compute"):
            self.lane.copy(self._panel(panel), target)

    def scatter(self, panel: int, source: Page) -> Mark:
        """Store the rows of a closed panel."""
        with self.lane.on("compute"):
            self.lane.copy(source, self._panel(panel))
        return self.lane.mark("compute")

    def drain(self) -> None:
        """Wait until all rows are stored."""
        self.lane.mark("compute").synchronize()

    def collect(self, host: npt.NDArray[Any]) -> Iterator[Mark]:
        """Copy the rows to the matrix of the host."""
        if isinstance(self.page, np.ndarray) and np.may_share_memory(self.page, host):
            return
        self.lane.wait("store", [self.lane.mark("compute")])
        for panel in self.begins:
            with self.lane.on("store"):
                self.lane.copy(self._panel(panel), host[slice(*self.plan.rows(panel))])
            yield self.lane.mark("store")

    def release(self) -> None:
        """Free all memory."""
        self.page = None

    def _span(self, panel: int) -> tuple[int, int]:
        first, last = self.plan.rows(panel)
        return self.begins[panel], self.begins[panel] + last - first

    def _panel(self, panel: int) -> Page:
        assert self.page is not None
        begin, end = self._span(panel)
        return self.page[begin:end]


class PassingRows:
    """Rows that are stored elsewhere and copied through the memory of the device, one strip at a time.

    Parameters
    ----------
    buffers : sequence of Page
        At least two, of `plan.height` rows each.
    carrier : Carrier
        Copies strips to the device and back.
    fill : Fill or None
        Writes a strip instead of the first copy of it; None if the storage already contains the matrix.
    """

    def __init__(
        self,
        lane: Lane,
        plan: StripPlan,
        panels: Sequence[int],
        buffers: Sequence[Page],
        carrier: Carrier,
        fill: Fill | None,
    ) -> None:
        self.lane, self.plan, self.carrier, self.fill = lane, plan, carrier, fill
        self.ahead = len(buffers) - 1
        self._buffers: deque[tuple[Page, list[Mark]]] = deque((buffer, []) for buffer in buffers)
        self._unwritten = {strip for panel in panels for strip in plan.strips(panel)} if fill is not None else set()

    def pages(self, panels: Sequence[int]) -> Iterator[Page]:
        """Yield the rows of these panels as pages."""
        strips = [strip for panel in panels for strip in self.plan.strips(panel)]
        coming: deque[tuple[tuple[int, int], Page, Arrival]] = deque()
        for number in range(len(strips) + self.ahead):
            if number < len(strips):
                first, last = strips[number]
                buffer, free = self._buffers.popleft()
                coming.append(((first, last), buffer, self._begin((first, last), buffer[: last - first], free)))
            if number >= self.ahead:
                strip, buffer, arrival = coming.popleft()
                self.lane.wait("compute", [arrival()])
                page = buffer[: strip[1] - strip[0]]
                yield page
                self._buffers.append((buffer, [self._store(strip, page)]))

    def gather(self, panel: int, target: Page, free: Sequence[Mark]) -> None:
        """Copy the rows of a panel into a page."""
        begin = self.plan.rows(panel)[0]
        coming: deque[Arrival] = deque()
        for strip in self.plan.strips(panel):
            coming.append(self._begin(strip, target[strip[0] - begin : strip[1] - begin], free))
            if len(coming) == 2:
                self.lane.wait("compute", [coming.popleft()()])
        self.lane.wait("compute", [arrival() for arrival in coming])

    def scatter(self, panel: int, source: Page) -> Mark:
        """Store the rows of a closed panel."""
        begin = self.plan.rows(panel)[0]
        for strip in self.plan.strips(panel):
            mark = self._store(strip, source[strip[0] - begin : strip[1] - begin])
        return mark

    def drain(self) -> None:
        """Wait until all rows are stored."""
        self.carrier.drain()

    def collect(self, host: npt.NDArray[Any]) -> Iterator[Mark]:  # noqa: ARG002
        """Copy the rows to the matrix of the host."""
        return iter(())

    def release(self) -> None:
        """Free all memory."""
        self.carrier.release()
        self._buffers.clear()

    def _begin(self, strip: tuple[int, int], page: Page, free: Sequence[Mark]) -> Arrival:
        if strip in self._unwritten:
            return lambda: self._write(strip, page, free)
        return self.carrier.begin(strip, page, free)

    def _write(self, strip: tuple[int, int], page: Page, free: Sequence[Mark]) -> Mark:
        assert self.fill is not None
        self.lane.wait("compute", free)
        with self.lane.on("compute"):
            self.fill(page, strip[0])
        return self.lane.mark("compute")

    def _store(self, strip: tuple[int, int], page: Page) -> Mark:
        self._unwritten.discard(strip)
        return self.carrier.store(strip, page, [self.lane.mark("compute")])
