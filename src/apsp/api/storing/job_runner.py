"""A job that this process does itself: flows and skims, whose bands are those of a store."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from apsp.api.spread.flow_job import FlowJob
from apsp.api.spread.job import Decided
from apsp.api.spread.skim_job import SkimJob
from apsp.api.storing.computing import Computer
from apsp.api.storing.runner import Runner
from apsp.api.storing.work import Work
from apsp.store.facts import Facts
from apsp.store.places import Place
from apsp.system.machine import threads_from

__all__ = ["DecidingRunner", "JobRunner"]


class DecidingRunner(Runner, Protocol):
    """Plans a job, and computes its bands."""

    def decided(self) -> Decided:
        """Return the plan for a new store."""
        ...

    @property
    def workers(self) -> int:
        """How many bands are computed at a time."""
        ...


class JobRunner:
    """The process of the call.

    Parameters
    ----------
    place : Place
    job : FlowJob or SkimJob
    work : callable
        Makes the work from the job and the facts.
    """

    workers = 1

    def __init__(self, place: Place, job: FlowJob | SkimJob, work: Callable[[Any, Facts], Work]) -> None:
        self._place, self._job, self._work = place, job, work

    def decided(self) -> Decided:
        """Plan for a new store."""
        decided, _ = self._job.planned(threads_from(self._job.options.get("threads")), None)
        return decided

    def bands_of(self, facts: Facts) -> Computer:
        """Return what computes the bands."""
        return Computer(self._place, facts, self._work(self._job, facts))

    def close(self) -> None:
        """Nothing to do."""
