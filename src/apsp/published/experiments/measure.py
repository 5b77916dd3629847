"""Runs the experiments of a paper: every contestant on every case, first compared with Dijkstra, then timed in rounds.

Without a GPU, the contestants that need one are counted on an emulated GPU, once, and compared with Dijkstra too; with
an engine, several at a time, before the others are timed.
"""

from __future__ import annotations

import gc
import statistics
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial

from apsp.errors import ApspError
from apsp.graph.model import Graph
from apsp.planning.words import duration
from apsp.published.experiments.cells import Cell, Cells
from apsp.published.experiments.contest import NotRunError, Run, device_of, ready
from apsp.published.experiments.count import Counting
from apsp.published.experiments.counting_tasks import CountingTasks, Task
from apsp.published.experiments.effort import Effort, StoppedError, empty_cell, watch
from apsp.published.experiments.expected import ExpectedRows
from apsp.published.experiments.inputs import make
from apsp.published.experiments.model import Case, Contestant, Series
from apsp.system.engine.engine import Engine
from apsp.system.progress import ProgressReport

__all__ = ["Effort", "Measuring"]


_HOPELESS, _HOPELESS_PUBLISHED = 2.0, 30.0
"""A method is skipped if its expected time is more than this multiple of the limit; stopped published methods are
estimated."""


class Measuring:
    """Measures the series of one paper and stores them in `cells`.

    Parameters
    ----------
    cells : Cells
    effort : Effort
    report : callable, optional
    engine : Engine, optional
        Counts several contestants at a time.
    """

    def __init__(
        self, cells: Cells, effort: Effort, report: ProgressReport | None = None, engine: Engine | None = None
    ) -> None:
        self._cells, self._effort, self._report = cells, effort, report
        self._tasks = None if engine is None else CountingTasks(cells, effort, engine)
        self._counting = Counting(cells, effort)
        self._empty = partial(empty_cell, effort)

    def series(self, series: Series) -> None:
        """Measure the unfinished part of one table or figure."""
        wanted = [one for one in series.entries if self._effort.wants(one)]
        total = len(wanted) * len(series.cases)
        if self._tasks is not None:
            self._tasks.run(self._countable(series, wanted), partial(self._tell, series.name, 0, total))
        for number, case in enumerate(series.cases):
            self._case(series, case, wanted, partial(self._tell, series.name, number * len(wanted), total))

    def _countable(self, series: Series, wanted: list[Contestant]) -> list[Task]:
        """What is to be counted of a table or figure; of the same graph and method only once."""
        found: dict[str, Task] = {}
        for case in series.cases:
            counted = [one for one in self._possible(series, case, wanted) if self._counting.takes(one)]
            size = self._counting.size(series, case, wanted) if counted else case.input
            for one in counted:
                method = one.method, one.device, sorted(one.options.items()), one.paths
                found.setdefault(repr((size, method)), Task(series, case, one, size))
        return list(found.values())

    def _tell(self, series: str, before: int, total: int, done: int) -> None:
        if self._report is not None:
            self._report(series, before + done, total)

    def _case(self, series: Series, case: Case, wanted: list[Contestant], tell: Callable[[int], None]) -> None:
        missing = self._possible(series, case, wanted)
        tell(len(wanted) - len(missing))
        if not missing:
            return
        try:
            size = self._counting.size(series, case, wanted)
            graph = make(size, self._effort.caida)
            oracle = ExpectedRows.of(graph, self._effort.threads)
        except (ApspError, MemoryError, OSError) as error:
            size = case.input.scaled(self._effort.scale)
            for one in missing:
                self._cells.put(self._empty(series, case, one, size.n, size.m or 0, reason=str(error)))
            return
        for number, one in enumerate(missing):
            measure = self._counting.contestant if self._counting.takes(one) else self._contestant
            self._cells.put(measure(series, case, one, graph, oracle))
            tell(len(wanted) - len(missing) + number + 1)

    def _possible(self, series: Series, case: Case, wanted: list[Contestant]) -> list[Contestant]:
        """The unfinished contestants that this machine and version can run."""
        size, possible = case.input.scaled(self._effort.scale), []
        for one in wanted:
            if self._cells.finished((series.name, case.name, one.label), self._effort.limit):
                continue
            try:
                device_of(one, emulated=self._effort.emulated)
                possible.append(one)
            except NotRunError as error:
                cell = self._empty(series, case, one, size.n, size.m or 0, reason=str(error))
                self._cells.put(replace(cell, lacks=error.lacks))
        return possible

    def _contestant(self, series: Series, case: Case, one: Contestant, graph: Graph, oracle: ExpectedRows) -> Cell:
        empty = self._empty(series, case, one, graph.n, graph.m)
        endless = self._endless(series.name, one, graph.n)
        if endless is not None:
            return replace(empty, reason=endless, stopped_after=self._effort.limit)
        try:
            run = ready(graph, one, series.problem, self._effort.threads)
            if run.expected > (_HOPELESS if one.is_tuned else _HOPELESS_PUBLISHED) * self._effort.limit:
                limit, words = self._effort.limit, f"about {duration(run.expected)} are expected"
                return replace(empty, reason=f"{words} (--limit {limit:g})", stopped_after=limit)
            seconds = self._checked(run, oracle, graph.n)
            times = self._rounds(run, seconds)
        except StoppedError as stopped:
            limit, estimate = self._effort.limit, None if one.is_tuned else stopped.estimate
            reason = f"stopped after {limit:g} s (--limit)"
            return replace(empty, reason=reason, stopped_after=limit, method=run.method, device=run.device,
                           dtype=run.dtype, estimate=estimate)  # fmt: skip
        except (NotRunError, ApspError, MemoryError) as error:
            return replace(empty, reason=str(error))
        except Exception as error:  # a failing method must not prevent the measurements of the others
            return replace(empty, reason=f"failed: {type(error).__name__}: {error}")
        said = run.timings()
        return replace(
            empty, seconds=statistics.median(times), low=min(times), high=max(times), rounds=len(times),
            checked=oracle.words, method=run.method, device=run.device, dtype=run.dtype,
            kernels=said.get("kernels"), recording_share=said.get("recording_share") if one.paths else None,
        )  # fmt: skip

    def _endless(self, series: str, one: Contestant, n: int) -> str | None:
        """Return why a run would exceed the limit: every method takes at least time proportional to n^2.

        A published one is begun nevertheless, to estimate its time, unless it was stopped on a smaller graph.
        """
        for cell in self._cells.of(series):
            was_begun = cell.device is not None
            if cell.label != one.label or not (was_begun and 0 < cell.n < n):
                continue
            if cell.seconds is not None and not one.is_tuned:
                continue
            seconds = cell.stopped_after if cell.time is None else cell.time
            if (seconds or 0) * (n / cell.n) ** 2 > self._effort.limit:
                took = "took" if cell.estimate is None else "would take"
                return f"with {cell.n:,} vertices it {took} {seconds:.3g} s already (--limit {self._effort.limit:g})"
        return None

    def _checked(self, run: Run, oracle: ExpectedRows, n: int) -> float:
        """Do the first run, which may be stopped, and compare it with Dijkstra; return its seconds."""
        seconds = _seconds(partial(run.work, watch(self._effort.limit, n)))
        wrong = oracle.difference(run.rows)
        if wrong is not None:
            raise NotRunError(wrong)
        return seconds

    def _rounds(self, run: Run, first: float) -> list[float]:
        """Time the rounds; the first run, which compiles kernels, counts if it was long enough."""
        rounds = min(self._effort.rounds, max(int(self._effort.limit / max(first, 1e-9)), 1))
        counted = [first] if first >= self._effort.long else []
        return counted + [_seconds(partial(run.work, None)) for _ in range(rounds - len(counted))]


def _seconds(work: Callable[[], None]) -> float:
    """Return the seconds of one run, without garbage collection."""
    collects = gc.isenabled()
    gc.disable()
    try:
        started = time.perf_counter()
        work()
        return time.perf_counter() - started
    finally:
        if collects:
            gc.enable()
