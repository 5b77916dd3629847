"""Create a store, or resume in it, until all its bands are there: of distances, and of what is kept of rows."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Protocol

from apsp.errors import RequestError
from apsp.facts.request import Request
from apsp.planning.plan import Plan
from apsp.running.storing.bands import BandSource, Computer
from apsp.store.group import create, problem_of
from apsp.store.header import StoreHeader, StoreInput, header_at
from apsp.store.same import refuse_other
from apsp.store.shards import Shards
from apsp.store.storage import Storage
from apsp.system.progress import Progress, ProgressReport, reporting

if TYPE_CHECKING:
    from apsp.running.storing.matrix_job import MatrixJob
    from apsp.running.workers.row_job import Job

__all__ = ["BandsFactory", "Completion", "LocalRunner", "Runner", "options_of_store"]


BandsFactory = Callable[[Any, StoreHeader], BandSource]
"""Makes the work from what a job prepares, and the header of the store; it travels to workers."""

_LOOK_AGAIN = 0.2
"""Seconds between two looks at what another run is writing."""


class Runner(Protocol):
    """Plans and computes bands, in this process or in the workers of an engine."""

    def plan(self) -> Plan:
        """Return the plan for a new store; errors of the graph come here, before there is a store."""
        ...

    @property
    def workers(self) -> int:
        """How many bands are computed at a time."""
        ...

    def open(self, header: StoreHeader) -> None:
        """Prepare for the bands of a store that exists."""
        ...

    def run(self, bands: Sequence[int], report: ProgressReport | None) -> int:
        """Compute those of the bands that no other run computes; return the number of their rows."""
        ...

    def close(self) -> None:
        """Wait until all bands are written that can be, and end the work."""
        ...


class LocalRunner:
    """The process of the call.

    Parameters
    ----------
    work : callable
        Makes the work from what the job prepares, and the header.
    """

    workers = 1

    def __init__(self, storage: Storage, job: Job | MatrixJob, work: BandsFactory) -> None:
        self._storage, self._job, self._work = storage, job, work
        self._planned: tuple[Plan, Any] | None = None
        self._computer: Computer | None = None

    def plan(self) -> Plan:
        """Plan and prepare."""
        self._planned = self._job.begin()
        return self._planned[0]

    def open(self, header: StoreHeader) -> None:
        """Prepare with the options of the store, unless `plan` has done so for this store."""
        options = options_of_store(self._job.options, header, any_threads=self._job.any_threads)
        planned, self._planned = self._planned, None
        prepared = planned[1] if planned is not None and _is_plan_of(planned[0], header) else None
        self._computer = Computer(self._storage, header, self._work(self._job.prepare(options, prepared), header))

    def run(self, bands: Sequence[int], report: ProgressReport | None) -> int:
        """Compute those of the bands that no other run computes; return the number of their rows."""
        assert self._computer is not None
        return self._computer.run(bands, report)

    def close(self) -> None:
        """Wait until the last band is written."""
        self._planned = None
        if self._computer is not None:
            self._computer.close()


def options_of_store(options: Request, header: StoreHeader, *, any_threads: bool = False) -> Request:
    """Return the options for bands of a store: its dtype and its rows, and all on which the bits depend."""
    rows = header.band_rows if header.kind == "distances" else options.rows
    options = replace(options, dtype=header.dtype, rows=rows)
    if not header.pinned:
        return options
    device = header.device if options.device == "auto" else options.device
    threads = options.threads if any_threads else header.threads
    return replace(options, method=header.method, device=device, threads=threads)


def _is_plan_of(plan: Plan, header: StoreHeader) -> bool:
    """Whether a plan is that of the run that created the store."""
    mine = plan.method, plan.device, plan.threads, plan.dtype.name
    return mine == (header.method, header.device, header.threads, header.dtype)


@dataclass
class Completion:
    """One call that completes a store.

    Attributes
    ----------
    header_of : callable
        Returns what is to be written about a new store, from its plan and the number of bands that are computed at a
        time.
    requested : dict
        What is requested, for `refuse_other`.
    computed : int
        Rows that `run` computed.
    """

    storage: Storage
    problem: StoreInput
    header_of: Callable[[Plan, int], StoreHeader]
    requested: dict[str, Any]
    runner: Runner
    computed: int = 0

    def run(self, progress: Progress) -> StoreHeader:
        """Return what is written about the store when all its bands are there.

        Raises RequestError if there is a store of another graph or request; OutputError if it cannot be written.
        """
        try:
            with closing(self.runner):
                header = header_at(self.storage)
                if header is None:
                    self.storage.check_writable()
                    header = self._created(self.header_of(self.runner.plan(), self.runner.workers))
                stored = problem_of(self.storage, header, self.problem)
                refuse_other(self.storage.name, header, stored, self.problem, self.requested)
                with reporting(progress) as report:
                    self._complete(header, report)
        finally:
            self.storage.release_claims()
        self.storage.end_claims()  # also those of a run that was killed after its last band
        return header

    def _created(self, new: StoreHeader) -> StoreHeader:
        """Create the store, unless another run does so at the same time; return what is written about it."""
        while True:
            claim = self.storage.claim("create")
            if claim is None:
                time.sleep(_LOOK_AGAIN)
                header = header_at(self.storage)
            else:
                try:
                    header = header_at(self.storage)
                    if header is None:
                        header = create(self.storage, new, self.problem)
                finally:
                    claim.release()
            if header is not None:
                return header

    def _complete(self, header: StoreHeader, report: Any) -> None:
        """Compute bands until all are there, those of other runs too."""
        shards = Shards(self.storage, header)
        missing = shards.missing()
        if not missing:
            return
        self._check_writable(shards, missing)
        self.runner.open(header)
        while missing:
            done = self.runner.run(missing, report)
            self.computed += done
            missing = shards.missing()
            if missing and not done:
                time.sleep(_LOOK_AGAIN)  # until the runs that compute them have written them, or are gone

    def _check_writable(self, shards: Shards, missing: list[int]) -> None:
        """Raise OutputError if nothing can be written, FileFormatError of a `.zip` file with a damaged shard."""
        try:
            self.storage.check_writable()
        except RequestError:
            for band in missing:
                shards.check(band)
            raise
