"""What skims call if they are given an executor."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from apsp.api.spread.job import Fixed
from apsp.api.spread.parts import TASKS_PER_WORKER
from apsp.api.spread.skim_job import SkimBands, SkimJob
from apsp.api.spread.spread import Spread, checked_job, fixed_by, threads_of
from apsp.methods.skims.bands import SkimPlan
from apsp.system.progress import Progress, reporting

__all__ = ["spread_skims"]

_SECONDS = 2.0
"""Planned time of a task."""

_TASK_BYTES = 64 << 20
"""Most bytes that a task returns, if it has more than one row."""


def spread_skims(
    executor: object, job: SkimJob, out: npt.NDArray[np.float64], progress: Progress
) -> tuple[str, str, int]:
    """Write rows that workers compute into matrices (K, S, T).

    Returns
    -------
    method, device : str
    threads : int
        Of each worker.
    """
    count = len(job.sources)
    with Spread(checked_job(executor, job), executor, count).opened() as tasks, reporting(progress) as report:
        each = threads_of(tasks.engine, job.options)
        decided = tasks.plan(each)
        assert isinstance(decided, SkimPlan)
        tasks.fixed = Fixed(fixed_by(decided, tasks.engine, job.options))
        share = math.ceil(count / (TASKS_PER_WORKER * tasks.workers))
        most = _TASK_BYTES // max(8 * job.shape[0] * job.shape[2], 1)
        height, done = max(min(share, most, decided.rows_in(_SECONDS)), 1), 0
        parts = [(start, min(start + height, count)) for start in range(0, count, height)]
        for start, stop, rows in tasks.run(SkimBands(), parts):
            out[:, start:stop], done = rows, done + stop - start
            if report is not None:
                report("skims", done, count)
    return decided.method, decided.device, each
