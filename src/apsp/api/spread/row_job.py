"""A request for rows of distances that workers compute."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy.typing as npt

from apsp._types import VerticesLike
from apsp.api.component_rows import RowsToReduce, plan_to_reduce, rows_to_reduce
from apsp.api.planned_rows import PlannedRows, RowOptions, checked_request, plan_of, rows_of
from apsp.api.spread.job import Fixed, fixed_options
from apsp.api.spread.preparation import Preparation, Sharing, preparation_of
from apsp.graph.model import Graph
from apsp.methods import registry
from apsp.methods.problem import IntArray
from apsp.planning.plan import Plan

__all__ = ["RowJob"]


@dataclass(frozen=True)
class RowJob:
    """A request for rows, with the graph.

    Attributes
    ----------
    graph : Graph
    sources, targets : int32 or None
        Positions; None means all vertices.
    options : RowOptions
    block : int or None
        Most rows that a worker holds at a time.
    adding : callable or None
        Adds to the rows what else the tasks need; None if that is nothing.
    reduced : bool
        The rows themselves are not kept, so that those of components may be shorter.
    """

    graph: Graph
    sources: IntArray | None
    targets: IntArray | None
    options: RowOptions
    block: int | None = None
    adding: Callable[[Any], Any] | None = None
    reduced: bool = False

    def plan(self, threads: int, *, explained: bool = False) -> Plan:
        """Plan the rows for the machine where this is called.

        All its cores choose the method; on the CPU the seconds are those of so many threads.

        Parameters
        ----------
        threads : int
        explained : bool
            With sentences, and with seconds of small work, too.
        """
        decided = self._plan(self.options, explained)
        if decided.device != "cpu" or decided.threads == threads or decided.seconds == 0:
            return decided
        options: RowOptions = {
            **self.options, "method": decided.method, "dtype": decided.dtype, "device": "cpu", "threads": threads,
        }  # fmt: skip
        again = self._plan(options, explained)
        return replace(decided, threads=again.threads, seconds=again.seconds)

    def _plan(self, options: RowOptions, explained: bool) -> Plan:
        sources, targets = self._vertices()
        if not self.reduced:
            return plan_of(self.graph, self.block, sources, targets, explained, **options)
        graph, chosen, _, request = checked_request(self.graph, self.block, sources, None, **options)
        return plan_to_reduce(graph, chosen, request, explained=explained)

    def planned(self, threads: int, sharing: Sharing | None, *, checked: bool) -> tuple[Plan, Preparation | None]:
        """Plan, and prepare what other workers can use; see `Job.planned`."""
        decided = self.plan(threads)
        arrays: Mapping[str, npt.NDArray[Any]] = {}
        if sharing is not None and registry.get(decided.method).shares_preparation:
            rows = self.rows(Fixed(fixed_options(decided, sharing.threads, self.options)))
            if isinstance(rows, PlannedRows) and rows.graph is self.graph:  # not a part of it
                arrays = rows.solver.preparation(sharing.rate)
        elif checked and self.graph.has_negative_arc:
            self.rows(Fixed())
        return decided, None if sharing is None else preparation_of(self.graph, decided.method, arrays)

    def rows(self, fixed: Fixed) -> RowsToReduce:
        """Plan and prepare the rows."""
        options: RowOptions = {**self.options, **fixed.options}
        height, (sources, targets) = fixed.block or self.block, self._vertices()
        if self.reduced:
            return rows_to_reduce(self.graph, height, sources, **options)
        return rows_of(self.graph, height, sources, targets, **options)

    def made(self, fixed: Fixed) -> Any:
        """Prepare what the tasks work on."""
        rows = self.rows(fixed)
        return rows if self.adding is None else self.adding(rows)

    def _vertices(self) -> tuple[VerticesLike | None, VerticesLike | None]:
        take = self.graph.labels.take
        sources = None if self.sources is None else take(self.sources)
        return sources, None if self.targets is None else take(self.targets)
