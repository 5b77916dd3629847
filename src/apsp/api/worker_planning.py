"""The plan of a call with an executor, made on this machine and without starting a worker."""

from __future__ import annotations

import math
import pickle
from dataclasses import replace
from functools import partial

import numpy as np

from apsp._types import GraphLike, VerticesLike
from apsp.api.planned_sets import PlannedSets
from apsp.facts.request import Request
from apsp.measures.set_arrays import SetArrays
from apsp.measures.set_statistics import SetStatistics, bytes_of_tasks
from apsp.methods import registry
from apsp.planning.plan import Plan
from apsp.planning.reason import reason
from apsp.planning.shared import SharedWork
from apsp.running.planned_rows import checked_request
from apsp.running.reduction import PlannedReduction
from apsp.running.workers.distribution import check_job, engine_for, gpus_to_claim, threads_of
from apsp.running.workers.parts import parts_of, rows_per_task
from apsp.running.workers.row_job import Job, RowJob
from apsp.system.engine.engine import Engine

__all__ = ["OF_A_TASK", "planned", "size_of", "workers_of"]

OF_A_TASK = 1 << 10
"""Bytes of a task and of what it returns, besides rows and sums."""

_WORKERS_IF_UNKNOWN = 8


def planned(
    graph: GraphLike,
    sources: VerticesLike | None,
    targets: VerticesLike | None,
    options: Request,
    for_: str,
    sets: PlannedSets | None = None,
) -> Plan:
    """Plan `solve` with a store, `stream` or `summary`; other parameters and errors are those of `apsp.plan`."""
    graph, chosen, columns, _ = checked_request(graph, sources, targets, options)
    adding = None
    if sets is not None:
        adding = partial(PlannedReduction, reduction=SetStatistics(SetArrays(sets.sets.numbers)))
    job = RowJob(graph, chosen, columns, options, adding, reduced=for_ == "summary")
    engine, workers, threads = workers_of(job)
    plan = job.plan(threads, explained=True)
    height, width = (graph.n if each is None else len(each) for each in (chosen, columns))
    once, per_row = _seconds(job, plan, threads, height)
    stored = 0
    row_bytes = width * plan.dtype.itemsize + (4 * graph.n if options.paths else 0)
    if for_ == "solve":
        from apsp.running.storing.workers_runner import bands_per_task
        from apsp.store.layout import band_rows

        band = band_rows(height, width, plan.dtype.itemsize, plan.block_rows, workers)
        per_task = band * bands_per_task(math.ceil(height / band), workers, plan.seconds * band / max(height, 1))
        stored, back = height * row_bytes, 0
        tasks = math.ceil(height / per_task)
    else:
        per_task = rows_per_task(height, plan, workers)
        tasks = len(parts_of(height, per_task, plan, workers))
        if options.rows is not None and for_ == "stream":
            per_task, tasks = options.rows, math.ceil(height / options.rows)
        back = height * (row_bytes if for_ == "stream" else _of_sums(plan))
        if sets is not None:
            plan, back = sets.added_to(plan), back + bytes_of_tasks(sets.sets, tasks, per_task, plan)
    prepared_once = workers > 1 and registry.get(plan.method).shares_preparation
    shared = SharedWork(
        engine.name, workers, threads, tasks, min(per_task, height), once, prepared_once,
        per_row * height / max(tasks, 1), size_of(job), not engine.is_local, back + tasks * OF_A_TASK, stored,
        gpus_to_claim(plan.device, options),
    )  # fmt: skip
    purpose = reason("purpose", purpose=for_, by_workers=True)
    here = ("cpu", "gpus", "expected")
    why = tuple(purpose if each.kind == "purpose" else each for each in plan.why if each.kind not in here)
    return replace(plan, why=why, seconds=shared.seconds_in_all, shared=shared, purpose=for_)


def workers_of(job: Job) -> tuple[Engine, int, int]:
    """The engine of a job, its workers (a guess if it does not say), and the threads of each; none is started."""
    check_job(job)
    engine = engine_for(job.options)
    with engine.owned:
        return engine, engine.workers or _WORKERS_IF_UNKNOWN, threads_of(engine, job.options)


def _seconds(job: RowJob, plan: Plan, threads: int, count: int) -> tuple[float, float]:
    """The seconds of what each worker prepares, and those per row: from the plans for all rows and for one."""
    if count < 2:
        return 0.0, plan.seconds
    one = np.zeros(1, dtype=np.int32) if job.sources is None else job.sources[:1]
    options = replace(job.options, method=plan.method, device=plan.device, dtype=plan.dtype.name)
    least = replace(job, sources=one, options=options).plan(threads, explained=True).seconds
    per_row = max(plan.seconds - least, 0.0) / (count - 1)
    return max(least - per_row, 0.0), per_row


def _of_sums(plan: Plan) -> int:
    """Bytes of the sums over a row: two sums, a count, the largest distance and a vertex."""
    return 8 + 8 + 8 + 8 + plan.dtype.itemsize


class _Count:
    """A file that only counts."""

    def __init__(self) -> None:
        self.size = 0

    def write(self, data: bytes) -> int:
        """Count."""
        size = memoryview(data).nbytes
        self.size += size
        return size


def size_of(job: Job) -> int:
    """Bytes that stand for the graph and the request on the way to a worker."""
    count = _Count()
    pickle.Pickler(count, protocol=5).dump(replace(job, options=job.options.of_worker()))  # type: ignore[type-var]
    return count.size
