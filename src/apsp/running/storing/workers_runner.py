"""The workers of an engine compute the bands of a store, and write them themselves."""

from __future__ import annotations

import math
import platform
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from typing import Any

from apsp.errors import ApspError, ExecutorError
from apsp.planning.plan import Plan
from apsp.running.storing.bands import Computer, DiskSpace
from apsp.running.storing.completing import BandsFactory, options_of_store
from apsp.running.workers.distribution import Distribution, options_of, threads_of
from apsp.running.workers.parts import TASKS_PER_WORKER
from apsp.running.workers.row_job import Job
from apsp.running.workers.tasks import Tasks
from apsp.store.header import StoreHeader, identity_at
from apsp.store.storage import Storage
from apsp.system.progress import ProgressReport

__all__ = ["WorkersRunner", "bands_per_task"]


_SECONDS = 10.0
"""Planned time of a task: the bands of a task are compressed and written while others are computed."""


class WorkersRunner:
    """The workers of an engine; parameters are those of `LocalRunner`."""

    def __init__(self, storage: Storage, job: Job, work: BandsFactory) -> None:
        self._distribution = Distribution(job)
        self._storage, self._reopened, self._work = storage, storage.reopened(), work
        self._stack = ExitStack()
        self._tasks: Tasks | None = None
        self._plan: Plan | None = None
        self._task: BandTask
        self._disk: DiskSpace
        self._band_seconds: float

    @property
    def workers(self) -> int:
        """How many tasks run at a time."""
        return self._opened().workers

    def plan(self) -> Plan:
        """Plan in a worker, which also looks for negative cycles; the threads are those of each worker."""
        if self._plan is not None:
            return self._plan
        tasks = self._opened()
        with _resumable():
            plan = tasks.plan(threads_of(tasks.engine, tasks.job.options), checked=True)
        threads = options_of(plan, tasks).threads or plan.threads
        self._plan = replace(plan, threads=threads)
        return self._plan

    def open(self, header: StoreHeader) -> None:
        """Give all workers the options of the store."""
        plan, tasks = self.plan(), self._opened()
        tasks.options = options_of_store(options_of(plan, tasks), header, any_threads=tasks.job.any_threads)
        if header.pinned and tasks.job.options.device == "auto":
            tasks.options = replace(tasks.options, device=header.device)
        key = f"run-{tasks.reference.key}"
        self._stack.enter_context(_claimed(self._storage, key))
        identity = identity_at(self._storage) or ""
        self._task = BandTask(self._reopened, self._storage.name, identity, key, header, self._work)
        self._band_seconds = plan.seconds * header.band_rows / max(self._distribution.count, 1)
        self._disk = DiskSpace(self._storage, header)

    def run(self, bands: Sequence[int], report: ProgressReport | None) -> int:
        """Compute those of the bands that no other run computes; return the number of their rows."""
        tasks, task, disk = self._opened(), self._task, self._disk
        of_band, total = task.header.bands.count_of, task.header.shape[0]
        left, computed = sum(map(of_band, bands)), 0
        most = bands_per_task(len(bands), tasks.workers, self._band_seconds)
        with _resumable():
            for _, _, (rows, bytes_per_row) in tasks.run(task, list(_in_parts(bands, most)), of="bands"):
                computed, left = computed + rows, left - rows
                if report is not None:
                    report(tasks.options.method, total - left, total)
                if disk.bytes_per_row is None and bytes_per_row is not None:
                    disk.bytes_per_row = bytes_per_row
                    disk.check_rows(left)
        return computed

    def close(self) -> None:
        """Cancel what has not ended, and end the workers that were started for this work."""
        self._stack.close()

    def _opened(self) -> Tasks:
        if self._tasks is None:
            self._tasks = self._stack.enter_context(self._distribution.opened())
        return self._tasks


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
def _claimed(storage: Storage, key: str) -> Iterator[None]:
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


@dataclass
class _Opened:
    """The last store that this process worked on, as it sees it: claims of buckets need the same object each time."""

    identity: str = ""
    storage: Storage | None = None
    bytes_per_row: float | None = None


_opened = _Opened()


class _CancelledError(Exception):
    """Ends the work on bands after the run that they are for."""


@dataclass(frozen=True)
class BandTask:
    """Computes and writes bands, those that no other run computes.

    Attributes
    ----------
    reopened : callable
        Returns the storage in a worker.
    name : str
        Of the store, as the caller knows it.
    identity : str
        Of the store that the caller sees: see `identity_at`.
    key : str
        A claim that the caller has as long as it waits for the work.
    work : callable
        Makes the work from what the job prepares, and the header.
    seconds_between_looks : float
        After which the worker looks whether the caller still waits.
    """

    reopened: Callable[[], Storage]
    name: str
    identity: str
    key: str
    header: StoreHeader
    work: BandsFactory
    seconds_between_looks: float = 0.5

    def __call__(self, prepared: Any, start: int, stop: int, progress: ProgressReport) -> tuple[int, float | None]:
        """Return the number of rows that were computed, and their bytes per row, if they are known."""
        storage, last = self._storage(), time.monotonic()

        def look(stage: str, done: int, total: int) -> None:
            nonlocal last
            progress(stage, done, total)
            if time.monotonic() - last >= self.seconds_between_looks:
                last = time.monotonic()
                if not storage.is_claimed(self.key):
                    raise _CancelledError

        if not storage.is_claimed(self.key):
            return 0, None
        computer = Computer(storage, self.header, self.work(prepared, self.header))
        computer.disk.bytes_per_row = _opened.bytes_per_row
        try:
            computed = computer.run(range(start, stop), look)
        except _CancelledError:
            return 0, None
        finally:
            computer.close()
        _opened.bytes_per_row = computer.disk.bytes_per_row
        return computed, computer.disk.bytes_per_row

    def _storage(self) -> Storage:
        """The storage, if it is the one that the caller sees.

        Raises ExecutorError.
        """
        if _opened.storage is not None and _opened.identity == self.identity:
            return _opened.storage
        try:
            storage = self.reopened()
            found = identity_at(storage)
        except ApspError as error:
            raise ExecutorError(f"a worker on {platform.node()} cannot open the store: {error}") from error
        if found != self.identity:
            what = "does not see the store" if found is None else "sees another store at"
            raise ExecutorError(
                f"a worker on {platform.node()} {what} {self.name}: name a folder of a file system that all workers "
                "share, under the same path, or the URL of a bucket"
            )
        _opened.storage, _opened.identity, _opened.bytes_per_row = storage, self.identity, None
        return storage
