"""Reduce rows of distances into a store, in this process or in the workers of an engine."""

from __future__ import annotations

from functools import partial
from typing import Any, TypeVar

import numpy as np

from apsp._types import ExecutorLike, StoreLike, VerticesLike
from apsp.api.arguments import requested
from apsp.api.component_rows import RowsToReduce
from apsp.api.planned_rows import RowOptions
from apsp.api.running.reduction import PlannedReduction, Reduction
from apsp.api.running.stored_arrays import ArraysInStore
from apsp.api.storing.completing import Completion
from apsp.api.storing.row_facts import facts_of_rows, rows_of_band, wanted_of_rows
from apsp.api.storing.runner import LocalRunner, PlanningRunner
from apsp.api.storing.work import ReducedWork
from apsp.errors import RequestError
from apsp.graph.labels.saved import check_savable
from apsp.graph.model import Graph
from apsp.planning.plan import Plan
from apsp.store.header import StoreHeader, StoreInput
from apsp.store.opening import storage_of
from apsp.store.storage import required
from apsp.system.progress import Progress

__all__ = ["in_store"]

Found = TypeVar("Found")


def in_store(
    reduction: Reduction[Found, Any],
    found: Found,
    store: StoreLike,
    graph: Graph,
    sources: VerticesLike | None,
    options: RowOptions,
    rows: int | None,
    progress: Progress,
    executor: ExecutorLike | None,
) -> None:
    """Create the store, or resume in it, until all rows are there; parameters and errors are those of `run`."""
    storage = storage_of(store)
    required("zarr")
    if options.get("pages_file") is not None:
        raise RequestError("a store resumes without a file of pages: leave out pages_file, or store")
    graph, chosen, _, request = requested(graph, sources, None, mode="stream", rows=rows, paths=False, **options)
    check_savable(graph.labels)
    problem = StoreInput(graph, chosen, None)
    positions = np.arange(graph.n, dtype=np.int32) if chosen is None else chosen
    prepare = partial(PlannedReduction, reduction=reduction)
    runner: PlanningRunner[Plan]
    if executor is None:

        def work(planned: RowsToReduce, header: StoreHeader) -> ReducedWork:
            return ReducedWork(prepare(planned), header)

        runner = LocalRunner(storage, problem, request, work, reduced=True)
    else:
        from apsp.api.spread.row_job import RowJob  # with the first executor
        from apsp.api.storing.spread_runner import SpreadRunner

        job = RowJob(graph, chosen, None, options, rows, prepare, reduced=True)
        runner = SpreadRunner(executor, storage, job, ReducedWork)
    identity = reduction.identity()

    def new_header() -> StoreHeader:
        decided = runner.plan()
        arrays = reduction.layout(graph, decided)
        band = rows_of_band(len(positions), decided, runner.workers, arrays)
        return facts_of_rows(
            problem, request, decided, band, reduction.kind, reciprocals=reduction.reciprocals, measure=identity,
            extra=arrays,
        )  # fmt: skip

    wanted = wanted_of_rows(request, reduction.kind, reciprocals=reduction.reciprocals, measure=identity)
    header = Completion(storage, problem, new_header, wanted, runner).run(progress)
    if len(positions):
        reduction.decode(found, positions, ArraysInStore(storage, header))
