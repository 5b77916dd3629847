"""Who computes the bands of a store: this process, or the workers of an engine."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Generic, Protocol, TypeVar

from apsp.running.options import RunOptions
from apsp.running.storing.computing import Computer
from apsp.running.storing.work import Work
from apsp.running.workers.job import AnyPlan, Job
from apsp.store.header import StoreHeader
from apsp.store.storage import Storage
from apsp.system.progress import ProgressReport

__all__ = ["BandsOf", "LocalRunner", "MakesWork", "Runner", "as_begun", "is_plan_of"]

PlanT = TypeVar("PlanT", covariant=True)
JobPlanT = TypeVar("JobPlanT", bound=AnyPlan)

MakesWork = Callable[[Any, StoreHeader], Work]
"""Makes the work from what a job makes, and the header of the store; it travels to workers."""


class BandsOf(Protocol):
    """Computes bands of a store that exists."""

    def run(self, bands: Sequence[int], report: ProgressReport | None) -> int:
        """Compute those of the bands that no other run computes; return the number of their rows."""
        ...

    def close(self) -> None:
        """Wait until all bands are written that can be."""
        ...


class Runner(Protocol[PlanT]):
    """Plans and computes bands."""

    def plan(self) -> PlanT:
        """Return the plan for a new store; errors of the graph come here, before there is a store."""
        ...

    @property
    def workers(self) -> int:
        """How many bands are computed at a time."""
        ...

    def bands_of(self, header: StoreHeader) -> BandsOf:
        """Return what computes the bands of a store."""
        ...

    def close(self) -> None:
        """End the work."""
        ...


class LocalRunner(Generic[JobPlanT]):
    """The process of the call.

    Parameters
    ----------
    storage : Storage
    job : Job
    work : callable
        Makes the work from what the job makes, and the header.
    """

    workers = 1

    def __init__(self, storage: Storage, job: Job[JobPlanT], work: MakesWork) -> None:
        self._storage, self._job, self._work = storage, job, work
        self._begun: tuple[JobPlanT, Any] | None = None

    def plan(self) -> JobPlanT:
        """Plan and prepare."""
        self._begun = self._job.begin()
        return self._begun[0]

    def bands_of(self, header: StoreHeader) -> Computer:
        """Prepare with what the store has fixed, unless `plan` has done so for this store."""
        options = as_begun(self._job.options, header, any_threads=self._job.any_threads)
        begun, self._begun = self._begun, None
        known = begun[1] if begun is not None and is_plan_of(begun[0], header) else None
        return Computer(self._storage, header, self._work(self._job.made(options, known), header))

    def close(self) -> None:
        """Nothing to do."""


def as_begun(options: RunOptions, header: StoreHeader, *, any_threads: bool = False) -> RunOptions:
    """Return the options for bands of a store: its dtype and its rows, and all on which the bits depend."""
    rows = header.band_rows if header.kind == "distances" else options.rows
    options = replace(options, dtype=header.dtype, rows=rows)
    if not header.pinned:
        return options
    device = header.device if options.device == "auto" else options.device
    threads = options.threads if any_threads else header.threads
    return replace(options, method=header.method, device=device, threads=threads)


def is_plan_of(plan: AnyPlan, header: StoreHeader) -> bool:
    """Whether a plan is that of the run that created the store."""
    mine = plan.method, plan.device, plan.threads, plan.dtype.name
    return mine == (header.method, header.device, header.threads, header.dtype)
