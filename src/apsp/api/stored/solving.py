"""`apsp.solve(graph, store=...)`: distances, and predecessors, in a store."""

from __future__ import annotations

import time

from apsp._types import GraphLike, VerticesLike
from apsp.api.stored.stored_result import StoredResult
from apsp.errors import RequestError
from apsp.facts.request import Request
from apsp.graph.labels.saved import check_savable
from apsp.planning.plan import Plan
from apsp.running.in_store import comparable_request, facts_of_rows, runner_of, storage_for
from apsp.running.planned_rows import checked_request
from apsp.running.storing.bands import DistanceBands
from apsp.running.storing.completing import Completion, LocalRunner, Runner
from apsp.running.storing.matrix_job import MatrixJob, computes_matrix
from apsp.running.workers.row_job import RowJob
from apsp.semiring import MIN_PLUS
from apsp.store.header import StoreHeader, StoreInput, header_at
from apsp.store.layout import band_rows

__all__ = ["check_storable", "solve_into"]


def solve_into(
    graph: GraphLike, sources: VerticesLike | None, targets: VerticesLike | None, options: Request
) -> StoredResult:
    """Compute the bands that the store lacks; parameters and errors are those of `apsp.solve`."""
    started = time.perf_counter()
    storage = storage_for(options)
    graph, rows, columns, request = checked_request(graph, sources, targets, options)
    check_savable(graph.labels)
    problem = StoreInput(graph, rows, columns)
    height, width = (graph.n if chosen is None else len(chosen) for chosen in (rows, columns))

    runner: Runner
    if options.executor is None and computes_matrix(request, header_at(storage)):
        job = MatrixJob(storage, problem, options)
        runner = LocalRunner(storage, job, job.work)
    elif request.pages_file is not None:
        raise RequestError(
            "pages_file= holds a matrix that is computed at once: leave it out, or name a method that computes all "
            "rows together, without an executor"
        )
    else:
        runner = runner_of(storage, RowJob(graph, rows, columns, options), DistanceBands)

    def header_of(plan: Plan, workers: int) -> StoreHeader:
        band = band_rows(height, width, plan.dtype.itemsize, plan.block_rows, workers)
        return facts_of_rows(problem, request, plan, band, "distances")

    call = Completion(storage, problem, header_of, comparable_request(request, "distances"), runner)
    found = StoredResult(storage, call.run(options.progress), problem)
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
