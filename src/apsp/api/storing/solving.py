"""`apsp.solve(graph, store=...)`: distances, and predecessors, in a store."""

from __future__ import annotations

import time
from typing import Unpack

from apsp._types import ExecutorLike, GraphLike, StoreLike, VerticesLike
from apsp.api.arguments import requested
from apsp.api.planned_rows import RowOptions
from apsp.api.storing.completing import Completion
from apsp.api.storing.row_facts import facts_of_rows, wanted_of_rows
from apsp.api.storing.runner import LocalRunner, PlanningRunner
from apsp.api.storing.stored_result import StoredResult
from apsp.api.storing.whole import WholeRunner, is_whole
from apsp.api.storing.work import DistancesWork
from apsp.errors import RequestError
from apsp.graph.labels.saved import check_savable
from apsp.planning.plan import Plan
from apsp.semiring import MIN_PLUS
from apsp.store.header import StoreHeader, StoreInput, header_at
from apsp.store.layout import band_rows
from apsp.store.opening import storage_of
from apsp.store.storage import required
from apsp.system.progress import Progress

__all__ = ["check_storable", "solve_into"]


def solve_into(
    store: StoreLike,
    graph: GraphLike,
    *,
    sources: VerticesLike | None,
    targets: VerticesLike | None,
    executor: ExecutorLike | None,
    progress: Progress,
    **options: Unpack[RowOptions],
) -> StoredResult:
    """Compute the bands that are missing; parameters and errors are those of `apsp.solve`.

    Parameters
    ----------
    **options
        cutoff, dtype, paths, method, device, gpu_memory, pages_file, threads.
    """
    started = time.perf_counter()
    storage = storage_of(store)
    required("zarr")
    graph, rows, columns, request = requested(graph, sources, targets, mode="stream", **options)
    check_savable(graph.labels)
    problem = StoreInput(graph, rows, columns)
    height, width = (graph.n if chosen is None else len(chosen) for chosen in (rows, columns))

    def of_plan(decided: Plan, workers: int) -> int:
        return band_rows(height, width, decided.dtype.itemsize, decided.block_rows, workers)

    runner: PlanningRunner[Plan]
    if executor is None and is_whole(request, header_at(storage)):
        runner = WholeRunner(storage, problem, request, progress)
    elif request.pages_file is not None:
        raise RequestError(
            "pages_file= holds a matrix that is computed at once: leave it out, or name a method that computes all "
            "rows together, without an executor"
        )
    elif executor is None:
        runner = LocalRunner(storage, problem, request, DistancesWork)
    else:
        from apsp.api.spread.row_job import RowJob
        from apsp.api.storing.spread_runner import SpreadRunner

        runner = SpreadRunner(executor, storage, RowJob(graph, rows, columns, options), DistancesWork)

    def new_header() -> StoreHeader:
        decided = runner.plan()
        return facts_of_rows(problem, request, decided, of_plan(decided, runner.workers), "distances")

    call = Completion(storage, problem, new_header, wanted_of_rows(request, "distances"), runner)
    found = StoredResult(storage, call.run(progress), problem)
    found.info |= {"seconds": time.perf_counter() - started, "rows_computed": call.computed}
    return found


def check_storable(counts: object, semiring: object, out: object) -> None:
    """Raise an error for arguments that cannot be combined with a store."""
    given = {"counts": counts, "out": out}
    wrong = [name for name, value in given.items() if value is not None and value is not False]
    if not isinstance(semiring, str) or semiring != MIN_PLUS.name:
        wrong.append("semiring")
    if wrong:
        raise RequestError(f"a store holds shortest distances and predecessors: leave out {wrong[0]}, or store")
