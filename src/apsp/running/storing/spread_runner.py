"""The workers of an engine compute the bands of a store, and write them themselves."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from typing import Any, Generic, TypeVar

from apsp.errors import ExecutorError
from apsp.running.storing.band_task import BandTask
from apsp.running.storing.computing import Room
from apsp.running.storing.runner import MakesWork, as_begun
from apsp.running.workers.job import AnyPlan, Job
from apsp.running.workers.parts import TASKS_PER_WORKER
from apsp.running.workers.spread import Spread, options_of, threads_of
from apsp.running.workers.tasks import Tasks
from apsp.store.header import StoreHeader, identity_at
from apsp.store.storage import Storage
from apsp.system.progress import ProgressReport

__all__ = ["SpreadRunner", "bands_per_task"]

PlanT = TypeVar("PlanT", bound=AnyPlan)

_SECONDS = 10.0
"""Planned time of a task: the bands of a task are compressed and written while others are computed."""


class SpreadRunner(Generic[PlanT]):
    """The workers of an engine; parameters are those of `LocalRunner`."""

    def __init__(self, storage: Storage, job: Job[PlanT], work: MakesWork) -> None:
        self._spread = Spread(job)
        self._storage, self._reopened, self._work = storage, storage.reopened(), work
        self._stack = ExitStack()
        self._tasks: Tasks[PlanT] | None = None
        self._plan: PlanT | None = None

    @property
    def workers(self) -> int:
        """How many tasks run at a time."""
        return self._opened().workers

    def plan(self) -> PlanT:
        """Plan in a worker, which also looks for negative cycles; the threads are those of each worker."""
        if self._plan is not None:
            return self._plan
        tasks = self._opened()
        with _resumable():
            plan = tasks.plan(threads_of(tasks.engine, tasks.job.options), checked=True)
        threads = options_of(plan, tasks).threads or plan.threads
        self._plan = replace(plan, threads=threads)
        return self._plan

    def bands_of(self, header: StoreHeader) -> SpreadBands:
        """Fix in all workers what the store has fixed."""
        plan, tasks = self.plan(), self._opened()
        tasks.options = as_begun(options_of(plan, tasks), header, any_threads=tasks.job.any_threads)
        if header.pinned and tasks.job.options.device == "auto":
            tasks.options = replace(tasks.options, device=header.device)
        key = f"run-{tasks.ticket.key}"
        self._stack.enter_context(_begun(self._storage, key))
        identity = identity_at(self._storage) or ""
        task = BandTask(self._reopened, self._storage.name, identity, key, header, self._work)
        seconds = plan.seconds * header.band_rows / max(self._spread.count, 1)
        return SpreadBands(self._storage, header, tasks, task, seconds)

    def close(self) -> None:
        """Cancel what has not ended, and end the workers that were started for this work."""
        self._stack.close()

    def _opened(self) -> Tasks[PlanT]:
        if self._tasks is None:
            self._tasks = self._stack.enter_context(self._spread.opened())
        return self._tasks


class SpreadBands:
    """Bands that workers compute.

    Parameters
    ----------
    storage : Storage
    header : StoreHeader
    tasks : Tasks
    task : BandTask
    seconds : float
        Planned time of a band.
    """

    def __init__(
        self, storage: Storage, header: StoreHeader, tasks: Tasks[Any], task: BandTask, seconds: float
    ) -> None:
        self._header, self._tasks, self._task, self._seconds = header, tasks, task, seconds
        self._room = Room(storage, header)

    def run(self, bands: Sequence[int], report: ProgressReport | None) -> int:
        """Compute those of the bands that no other run computes; return the number of their rows."""
        of_band, total = self._header.bands.count_of, self._header.shape[0]
        left, computed = sum(map(of_band, bands)), 0
        most = bands_per_task(len(bands), self._tasks.workers, self._seconds)
        with _resumable():
            for _, _, (rows, bytes_per_row) in self._tasks.run(self._task, list(_in_parts(bands, most)), of="bands"):
                computed, left = computed + rows, left - rows
                if report is not None:
                    report(self._tasks.options.method, total - left, total)
                if self._room.bytes_per_row is None and bytes_per_row is not None:
                    self._room.bytes_per_row = bytes_per_row
                    self._room.check_rows(left)
        return computed

    def close(self) -> None:
        """All bands of tasks that have ended are written."""


def bands_per_task(count: int, workers: int, seconds: float) -> int:
    """Most bands of a task.

    Parameters
    ----------
    count, workers : int
        All bands, and the tasks that run at a time.
    seconds : float
        Planned time of a band; 0 if it is unknown.
    """
    most = max(math.ceil(count / (TASKS_PER_WORKER * workers)), 1)
    return most if seconds == 0 else min(most, max(math.floor(_SECONDS / seconds), 1))


def _in_parts(bands: Sequence[int], most: int) -> Iterator[tuple[int, int]]:
    """Cut increasing numbers into runs (first, last + 1) without gaps, of at most so many."""
    start = 0
    for k in range(1, len(bands) + 1):
        if k == len(bands) or bands[k] != bands[k - 1] + 1 or k - start == most:
            yield bands[start], bands[k - 1] + 1
            start = k


@contextmanager
def _begun(storage: Storage, key: str) -> Iterator[None]:
    """Show all workers, also those of other machines, that the caller waits for their work."""
    claim = storage.claim(key)
    try:
        yield
    finally:
        if claim is not None:
            claim.release()


@contextmanager
def _resumable() -> Iterator[None]:
    try:
        yield
    except ExecutorError as error:
        raise ExecutorError(f"{error}. The same call computes only the rows that are missing in the store") from error
