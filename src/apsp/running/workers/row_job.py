"""A request for rows of distances that this process or workers compute; and the jobs that workers do."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy.typing as npt

from apsp.facts.request import Request
from apsp.graph.model import Graph
from apsp.methods import registry
from apsp.methods.problem import IntArray
from apsp.planning.plan import Plan
from apsp.running.component_rows import RowsToReduce, plan_to_reduce, reduced_by
from apsp.running.measure_job import MeasureJob
from apsp.running.planned_rows import PlannedRows, plan_of, planned_rows
from apsp.running.workers.parts import parts_of, rows_per_task
from apsp.running.workers.preparation import Preparation, Sharing, preparation_of

__all__ = ["Job", "RowJob", "planned_options"]


def planned_options(plan: Plan, threads: int | None, options: Request) -> Request:
    """The options of a request with those of its plan, so that all workers compute in the same way."""
    device = plan.device if options.device == "auto" else options.device
    return replace(options, method=plan.method, dtype=plan.dtype.name, device=device, threads=threads)


@dataclass(frozen=True)
class RowJob:
    """A request for rows, with the graph.

    Attributes
    ----------
    sources, targets : int32 or None
        Positions; None means all vertices.
    adding : callable or None
        Adds to the rows what else the tasks need; None if that is nothing.
    reduced : bool
        The rows themselves are not kept, so that those of components may be shorter.
    copies : bool
        As of `Reduction`.
    """

    any_threads: ClassVar[bool] = False
    stage: ClassVar[None] = None
    graph: Graph
    sources: IntArray | None
    targets: IntArray | None
    options: Request
    adding: Callable[[Any], Any] | None = None
    reduced: bool = False
    copies: bool = False

    def plan(self, threads: int, *, explained: bool = False) -> Plan:
        """Plan the rows for the machine where this is called.

        All its cores choose the method; on the CPU the seconds are those of so many threads.

        Parameters
        ----------
        explained : bool
            With sentences, and with seconds of small work, too.
        """
        plan = self._plan(self.options, explained)
        if plan.device != "cpu" or plan.threads == threads or plan.seconds == 0:
            return plan
        options = replace(
            self.options, method=plan.method, dtype=plan.dtype.name, device="cpu", threads=threads
        )  # fmt: skip
        again = self._plan(options, explained)
        return replace(plan, threads=again.threads, seconds=again.seconds)

    def _plan(self, options: Request, explained: bool) -> Plan:
        plan = plan_to_reduce if self.reduced else plan_of
        return plan(self.graph, self.sources, options.of_rows(self.sources, self.targets), explained=explained)

    def planned(self, threads: int, sharing: Sharing | None, *, checked: bool) -> tuple[Plan, Preparation | None]:
        """Plan, and prepare what other workers can use.

        Parameters
        ----------
        threads : int
            Of each worker, on the CPU.
        sharing : Sharing or None
            None if there are no other workers.
        checked : bool
            Look for negative cycles.
        """
        plan = self.plan(threads)
        arrays: Mapping[str, npt.NDArray[Any]] = {}
        if sharing is not None and registry.get(plan.method).shares_preparation:
            rows = self._rows(planned_options(plan, sharing.threads, self.options))
            if isinstance(rows, PlannedRows) and rows.graph is self.graph:  # not a part of it
                arrays = rows.solver.preparation(sharing.rate)
        elif checked and self.graph.has_negative_arc:
            self._rows(self.options)
        return plan, None if sharing is None else preparation_of(self.graph, plan.method, arrays)

    def parts(self, plan: Plan, workers: int) -> list[tuple[int, int]]:
        """Return the sources of each task: those of a block of a stream, or tasks that end together."""
        count, height = self.graph.n if self.sources is None else len(self.sources), self.options.rows
        if self.reduced or height is None:
            return parts_of(count, rows_per_task(count, plan, workers), plan, workers)
        return [(start, min(start + height, count)) for start in range(0, count, height)]

    def begin(self) -> tuple[Plan, RowsToReduce]:
        """Plan and prepare the rows."""
        rows = self._rows(self.options)
        return rows.plan, rows

    def prepare(self, options: Request, prepared: RowsToReduce | None = None) -> Any:
        """Prepare what the tasks work on."""
        if prepared is None:
            rows = self._rows(options)
        else:
            rows = replace(prepared, request=options.of_rows(self.sources, self.targets))
        return rows if self.adding is None else self.adding(rows)

    def _rows(self, options: Request) -> RowsToReduce:
        request = options.of_rows(self.sources, self.targets)
        if self.reduced:
            return reduced_by(self.graph, self.sources, request, copies=self.copies)
        return planned_rows(self.graph, self.sources, self.targets, request)


Job = RowJob | MeasureJob[Any, Any]
"""A request, with the graph, that this process and workers can plan and prepare."""
