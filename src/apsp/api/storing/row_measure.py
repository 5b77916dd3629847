"""A store of what a measure keeps of rows of distances, completed by this process or by the workers of an engine."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from apsp._types import ExecutorLike, JsonObject, StoreLike, VerticesLike
from apsp.api.arguments import requested
from apsp.api.component_rows import RowsToReduce
from apsp.api.storing.completing import Completion
from apsp.api.storing.row_facts import facts_of_rows, rows_of_band, wanted_of_rows
from apsp.api.storing.runner import LocalRunner, RowRunner
from apsp.api.storing.work import Work
from apsp.api.streaming import RowOptions
from apsp.errors import RequestError
from apsp.graph.labels.saved import check_savable
from apsp.graph.model import Graph
from apsp.methods.problem import IntArray
from apsp.planning.plan import Plan
from apsp.store.facts import Arrays, Facts, Problem
from apsp.store.places import Place, place_of, required
from apsp.system.progress import Progress

__all__ = ["RowMeasure"]


@dataclass(frozen=True)
class RowMeasure:
    """What a measure keeps of rows.

    Attributes
    ----------
    kind : 'sums' or 'measure'
        As of `Facts`.
    told : dict
        What tells requests apart, beside the graph, the sources and the options: `Facts.measure`.
    arrays : callable
        Returns `Facts.extra` for a plan.
    work : callable
        Makes the work from the rows and the facts; it travels to the workers.
    adding : callable or None
        Adds to the rows what else the work needs: see `Job`.
    reciprocals : bool
        As of `Facts`.
    """

    kind: str
    told: JsonObject
    arrays: Callable[[Plan], Arrays]
    work: Callable[[Any, Facts], Work]
    adding: Callable[[Any], Any] | None = None
    reciprocals: bool = False

    def complete(
        self,
        store: StoreLike,
        graph: Graph,
        sources: VerticesLike | None,
        height: int | None,
        progress: Progress,
        of_rows: RowOptions,
        executor: ExecutorLike | None,
    ) -> tuple[Place, Facts, IntArray]:
        """Create the store, or go on in it, until all rows are there.

        Parameters
        ----------
        height : int or None
            Most rows of distances that are held at a time.

        Returns
        -------
        place, facts
            The store.
        positions : (S,) int32
            The sources of its rows.

        Raises
        ------
        As the measure.
        """
        place = place_of(store)
        required("zarr")
        if of_rows.get("pages_file") is not None:
            raise RequestError("a store resumes without a file of pages: leave out pages_file, or store")
        graph, rows, _, request = requested(graph, sources, None, mode="stream", rows=height, paths=False, **of_rows)
        check_savable(graph.labels)
        problem = Problem(graph, rows, None)
        positions = np.arange(graph.n, dtype=np.int32) if rows is None else rows
        runner: RowRunner
        if executor is None:
            runner = LocalRunner(place, problem, request, self._local_work, reduced=True)
        else:
            from apsp.api.spread.job import Job  # with the first executor
            from apsp.api.storing.spread_runner import SpreadRunner

            runner = SpreadRunner(
                executor, place, Job(graph, rows, None, of_rows, height, self.adding, reduced=True), self.work
            )

        def new_facts() -> Facts:
            decided = runner.plan()
            arrays = self.arrays(decided)
            band = rows_of_band(len(positions), decided, runner.workers, arrays)
            return facts_of_rows(
                problem, request, decided, band, self.kind, reciprocals=self.reciprocals, measure=self.told,
                extra=arrays,
            )  # fmt: skip

        wanted = wanted_of_rows(request, self.kind, reciprocals=self.reciprocals, measure=self.told)
        facts = Completion(place, problem, new_facts, wanted, runner).run(progress)
        return place, facts, positions

    def _local_work(self, rows: RowsToReduce, facts: Facts) -> Work:
        return self.work(rows if self.adding is None else self.adding(rows), facts)
