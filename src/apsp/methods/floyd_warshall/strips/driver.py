"""Floyd-Warshall over strips of rows: the driver for several devices, and for matrices larger than their memory.

Source: Katz, Kider 2008, section 3.2 (pages); Sao, Kannan, Gera, Vuduc 2020, section 4 (a distributed matrix, and the
look-ahead of LU factorisation). Input: a `StripPlan`, the rows of each device in kernel values. Output: the closed
matrix, in the storage of its rows. Cost: n^3 (choose, join) pairs; if rows are stored elsewhere, every value is copied
to its device and back once per panel; each closed panel is copied to the other devices; two panels and scratch memory
on each device.

The idea: the owner of a panel of pivots closes its diagonal and relaxes the panel's rows through it; then all devices
relax their own rows through the panel. The next panel is processed first: it is closed and sent while the other devices
still work on the last one, so no device waits for it. Values do not depend on the number of devices or the height of
strips; the order of float sums depends on the panels, so results for different `panel` may differ by rounding.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence

import numpy.typing as npt

from apsp.gpu.page import Page
from apsp.methods.floyd_warshall.strips.cuts import StripPlan
from apsp.methods.floyd_warshall.strips.lane import PASSED, Lane, Mark
from apsp.methods.floyd_warshall.strips.rows import Rows
from apsp.semiring import Algebra

__all__ = ["Station", "close_strips", "for_each_page", "take_turns"]

_DEPTH = 3
"""Number of unfinished pages in the queue of a device: enough to keep it busy, few enough to stop soon."""

_NAP = 1e-4
"""Seconds between two checks of devices that are all busy."""

Turns = Iterator[Mark]
"""Work that is queued in steps; it continues when the yielded mark is passed."""


class Station:
    """One device at work: its rows, two panels (one in use, one arriving), and scratch.

    Parameters
    ----------
    make_rows : callable
        Returns its rows; called after the memory for panels and scratch is allocated.
    """

    def __init__(self, lane: Lane, plan: StripPlan, dtype: npt.DTypeLike, make_rows: Callable[[], Rows]) -> None:
        pivots = -(-plan.panel // plan.pivots_per_column)
        self.lane = lane
        self.panels = [lane.allocate(plan.panel, plan.columns, dtype) for _ in range(2)]
        self.through = lane.allocate(max(plan.panel, min(plan.height, plan.n)), pivots, dtype)
        self.aside = lane.allocate(plan.panel, plan.aside_columns, dtype)
        self.rows = make_rows()
        self.arrived: list[list[Mark]] = [[], []]  # after which a panel may be read
        self.in_use: list[list[Mark]] = [[], []]  # before which a panel must not be overwritten
        self._queued: deque[Mark] = deque()

    def page_queued(self) -> Mark:
        """Return the mark to wait for before another page is queued, so that at most _DEPTH of them are unfinished."""
        self._queued.append(self.lane.mark("compute"))
        return self._queued.popleft() if len(self._queued) > _DEPTH else PASSED

    def release(self) -> None:
        """Free all memory."""
        self.rows.release()
        self.panels.clear()
        del self.through, self.aside


class _NegativeWalkError(Exception):
    """A panel has a closed walk of negative length."""


def close_strips(
    plan: StripPlan,
    stations: Sequence[Station],
    algebra: Algebra,
    *,
    first: int = 0,
    progress: Callable[[int], None] | None = None,
    after_step: Callable[[int], None] | None = None,
) -> int:
    """Close the matrix whose rows the stations hold.

    Parameters
    ----------
    first : int
        Panel to begin with: all rows have been relaxed through the panels before it.
    progress : callable, optional
        Called with the number of pivots done, out of n.
    after_step : callable, optional
        Called with the number of pivots that all rows are relaxed through, when that work is queued.

    Returns
    -------
    int
        A row of the matrix on a negative closed walk, after which the matrix is incomplete; -1 if there is none.
    """
    driver = _Driver(plan, stations, algebra, first, progress)
    try:
        if first < plan.panels:
            take_turns([driver.advance(first)])
        for panel in range(first, plan.panels):
            take_turns(driver.step(station, panel) for station in driver.order(panel))
            if after_step is not None:
                after_step(plan.rows(panel)[1])
    except _NegativeWalkError:
        pass
    return driver.bad_vertex


def for_each_page(plan: StripPlan, stations: Sequence[Station], work: Callable[[Lane, Page], None]) -> None:
    """Call `work` for all rows of the matrix, a page at a time."""

    def visit(number: int, station: Station) -> Turns:
        for page in station.rows.pages(plan.owned(number)):
            with station.lane.on("compute"):
                work(station.lane, page)
            yield station.page_queued()

    take_turns(visit(number, station) for number, station in enumerate(stations))


def take_turns(works: Iterable[Turns]) -> None:
    """Queue the work of all devices concurrently: a device that waits does not delay the others."""
    waiting = [(work, PASSED) for work in works]
    while waiting:
        still: list[tuple[Turns, Mark]] = []
        for work, mark in waiting:
            if not mark.done:
                still.append((work, mark))
            elif (following := next(work, None)) is not None:
                still.append((work, following))
        if len(still) == 1:
            still[0][1].synchronize()
        elif still and not any(mark.done for _, mark in still):
            time.sleep(_NAP)
        waiting = still


class _Driver:
    def __init__(
        self,
        plan: StripPlan,
        stations: Sequence[Station],
        algebra: Algebra,
        first: int,
        progress: Callable[[int], None] | None,
    ) -> None:
        self.plan, self.stations, self.algebra, self.first = plan, stations, algebra, first
        self.bad_vertex = -1
        self._progress = progress
        self._rows_done = 0

    def order(self, panel: int) -> list[Station]:
        """The stations of a step; the one that closes the next panel comes last: the others have work meanwhile."""
        last = self.plan.owner(panel + 1)
        return [*self.stations[last + 1 :], *self.stations[: last + 1]]

    def step(self, station: Station, panel: int) -> Turns:
        """Relax the rows of a station through a panel; the next panel among them is closed as well."""
        plan, following = self.plan, panel + 1
        me = self.stations.index(station)
        owns_next = following < plan.panels and plan.owner(following) == me
        mine = [other for other in plan.owned(me) if other not in (panel, following)]
        later = [other for other in mine if other > panel]
        station.lane.wait("compute", station.arrived[panel % 2])
        pages = station.rows.pages([*later, *mine[: len(mine) - len(later)]])  # rows that are pivots soon come first
        for queued, page in enumerate(pages):
            if owns_next and queued == station.rows.ahead:
                yield from self.advance(following)
                owns_next = False
            with station.lane.on("compute"):
                self._relax(station, page, panel)
            self._count(page.shape[0])
            yield station.page_queued()
        if owns_next:
            yield from self.advance(following)
        station.in_use[panel % 2].append(station.lane.mark("compute"))

    def advance(self, panel: int) -> Turns:
        """Relax a panel through the one before, close it, keep it, and send it to the other devices."""
        plan = self.plan
        station = self.stations[plan.owner(panel)]
        lane, place = station.lane, panel % 2
        first, last = plan.rows(panel)
        page = station.panels[place][: last - first]
        station.rows.gather(panel, page, station.in_use[place])
        with lane.on("compute"):
            if panel > self.first:
                self._relax(station, page, panel - 1)
        yield lane.mark("compute")  # closing has to wait for the device
        with lane.on("compute"):
            self._close(station, page, panel)
        closed = lane.mark("compute")
        station.in_use[place] = [station.rows.scatter(panel, page)]
        for other in self.stations:
            if other is not station:
                self._send(station, other, place, last - first, closed)
        self._count(last - first)

    def _close(self, station: Station, page: Page, panel: int) -> None:
        """Relax the rows of a panel through its own pivots."""
        begin, end = self.plan.pivot_columns(panel)
        diagonal = page[:, begin:end]
        bad_vertex = station.lane.backend.close_tile(diagonal, self.algebra)
        if bad_vertex >= 0:
            self.bad_vertex = self.plan.rows(panel)[0] + bad_vertex
            raise _NegativeWalkError
        width = self.plan.aside_columns
        for left, right in ((0, begin), (end, self.plan.columns)):
            for start in range(left, right, width):
                part = page[:, start : min(start + width, right)]
                before = station.aside[: part.shape[0], : part.shape[1]]
                station.lane.copy(part, before)
                station.lane.backend.update(part, diagonal, before, self.algebra)

    def _relax(self, station: Station, page: Page, panel: int) -> None:
        """Relax rows other than the pivots through a closed panel."""
        first, last = self.plan.rows(panel)
        begin, end = self.plan.pivot_columns(panel)
        pivots = station.panels[panel % 2][: last - first]
        update, down = station.lane.backend.update, page[:, begin:end]
        before = station.through[: page.shape[0], : end - begin]
        station.lane.copy(down, before)
        update(down, before, pivots[:, begin:end], self.algebra)
        for left, right in ((0, begin), (end, self.plan.columns)):
            if left < right:
                update(page[:, left:right], down, pivots[:, left:right], self.algebra)

    def _send(self, source: Station, target: Station, place: int, rows: int, ready: Mark) -> None:
        source.lane.wait("send", [ready, *target.in_use[place]])
        with source.lane.on("send"):
            source.lane.send(source.panels[place][:rows], target.panels[place][:rows], target.lane)
        arrived = source.lane.mark("send")
        target.arrived[place], target.in_use[place] = [arrived], []
        source.in_use[place].append(arrived)

    def _count(self, rows: int) -> None:
        """Report progress: pivots, and the share of the rows that are relaxed through the next ones."""
        if self._progress is None:
            return
        self._rows_done += rows
        begin = min(self.first * self.plan.panel, self.plan.n)
        steps = max(self.plan.panels - self.first, 1)
        share = min(self._rows_done / (steps * self.plan.n), 1.0)
        self._progress(begin + int(share * (self.plan.n - begin)))
