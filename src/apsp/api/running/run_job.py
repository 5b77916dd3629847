"""Do a measure job in this process, in the workers of an engine, into a store, or by workers into a store."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from apsp._types import ExecutorLike, StoreLike
from apsp.api.running.measure_job import MeasureJob
from apsp.system.progress import Progress, ProgressReport, offset, reporting

if TYPE_CHECKING:
    from apsp.api.running.job_in_store import CompletedStore

__all__ = ["Done", "run_job"]

Found = TypeVar("Found")


@dataclass(frozen=True)
class Done:
    """What was done.

    Attributes
    ----------
    threads : int
        Of this process or of each worker; of a store those of the run that created it.
    store : CompletedStore or None
    """

    threads: int
    store: CompletedStore | None = None


def run_job(
    job: MeasureJob[Found, Any],
    found: Found,
    *,
    executor: ExecutorLike | None,
    store: StoreLike | None,
    progress: Progress,
) -> Done:
    """Add all sources to `found`.

    Raises
    ------
    As the methods of the job; RequestError if a store is of another request; ExecutorError if a worker fails.
    """
    if store is not None:
        from apsp.api.running.job_in_store import complete  # with the first store: `import apsp` stays quick

        completed = complete(job, store, executor, progress)
        job.decode(found, completed)
        return Done(completed.header.threads, completed)
    if executor is not None:
        return Done(_by_workers(job, found, executor, progress))
    with reporting(progress) as report:
        job.fill(found, offset(report, job.stage, 0, len(job.sources)))
    return Done(job.cores)


def _by_workers(job: MeasureJob[Found, Any], found: Found, executor: ExecutorLike, progress: Progress) -> int:
    """The same; returns the threads of each worker."""
    from apsp.api.spread.job import Fixed  # with the first executor
    from apsp.api.spread.spread import Spread, checked_job, fixed_by, threads_of

    count, done = len(job.sources), 0
    with Spread(checked_job(executor, job), executor, count).opened() as tasks, reporting(progress) as report:
        threads = threads_of(tasks.engine, job.options)
        decided = tasks.plan(threads)
        tasks.fixed = Fixed(fixed_by(decided, tasks.engine, job.options))
        height = job.chunk(decided, tasks.workers)
        parts = [(start, min(start + height, count)) for start in range(0, count, height)]
        for start, stop, part in tasks.run(compute_part, parts, in_order=job.in_order):
            job.merge(found, start, part)
            done += stop - start
            if report is not None:
                report(job.stage, done, count)
    return threads


def compute_part(job: MeasureJob[Any, Any], start: int, stop: int, progress: ProgressReport) -> Any:
    """Compute some sources in a worker."""
    return job.part(start, stop, lambda done: progress(job.stage, done, stop - start))
