"""The work in a worker: it keeps the graph, and what is prepared for it, between tasks."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from apsp.errors import ApspError, ExecutorError
from apsp.facts.request import Request
from apsp.gpu.gpus import names_of_gpus
from apsp.graph.equality import identical
from apsp.running.workers.job_file import JobReference
from apsp.running.workers.preparation import Preparation, Sharing, read_preparation, written
from apsp.running.workers.row_job import Job
from apsp.system.engine.gpu_claim import CLAIM_SECONDS, claim_gpu
from apsp.system.engine.local_rank import local_rank
from apsp.system.lack_of_memory import memory_errors
from apsp.system.mapped import mapped, unpacked
from apsp.system.progress import ProgressReport

__all__ = ["Failed", "Fold", "Missing", "Stopped", "plan_task", "run_task"]

Fold = Callable[[Any, int, int, ProgressReport], Any]
"""Computes what is requested of a part of the sources: fold(prepared, start, stop, progress), with what the job
prepares. It travels to the workers with every task.
"""

Sent = list[Any] | None
"""The job, or its bytes, and the `Preparation`, if they come with the task."""

_SECONDS_BETWEEN_LOOKS = 0.5

_cached = threading.local()
"""Of each thread of a worker: the last job that it worked for, by its key, the GPU that it has claimed for the job, and
what it has prepared.
"""

_gpus = threading.local()
"""Of each thread of a worker: the number of its last GPU, on which CUDA has started."""


@dataclass(frozen=True)
class Missing:
    """The worker has not received the graph: the task must be sent again, with it."""


@dataclass(frozen=True)
class Stopped:
    """The caller no longer waits for the task."""


@dataclass(frozen=True)
class Failed:
    """The work ended with an error of apsp. It is not raised in the worker: no engine needs to try again."""

    error: ApspError


class _Cancelled(Exception):  # noqa: N818 - it is not an error
    """Ends the work on a task whose caller no longer waits for it."""


def plan_task(
    reference: JobReference, sent: Sent, threads: int, checked: bool = False, sharing: Sharing | None = None
) -> Any:
    """Return the plan of the work on the machine of this worker, and the `Preparation` for the others unless it is in a
    file; or Missing, Stopped or Failed.

    Parameters
    ----------
    sent : list or None
        The job, if it comes with the task.
    threads : int
        Of each worker, on the CPU.
    checked : bool
        Look for negative cycles.
    sharing : Sharing or None
        None if there are no other workers.
    """

    def work(job: Job) -> tuple[Any, Preparation | None]:
        job = replace(job, options=_on_own_gpu(job, job.options, reference))  # type: ignore[type-var]
        plan, prepared = job.planned(threads, sharing, checked=checked)
        if prepared is not None and not reference.is_sent and reference.has_file and written(prepared, reference):
            prepared = None
        return plan, prepared

    return _tried(reference, sent, work)


def run_task(reference: JobReference, sent: Sent, fold: Fold, options: Request, start: int, stop: int) -> Any:
    """Return what the fold makes of the part from start to stop; or Missing, Stopped or Failed.

    What the job prepares (planned rows) is prepared once in each thread of a worker.

    Parameters
    ----------
    sent : list or None
        The job, if it comes with the task, and the `Preparation`.
    options : Request
        Those of the plan.
    """

    def work(job: Job) -> Any:
        prepared = _cached.__dict__.get("prepared")
        if prepared is None:
            prepared = _cached.prepared = job.prepare(_on_own_gpu(job, options, reference))
        return fold(prepared, start, stop, _looking(reference))

    return _tried(reference, sent, work)


def _on_own_gpu(job: Job, options: Request, reference: JobReference, seconds: float = CLAIM_SECONDS) -> Request:
    """Options that name the GPU that this worker has claimed for the job, if it computes on one of several.

    Workers share a GPU only if the plan has chosen GPUs, and there are fewer than workers.
    """
    if options.named_device != "cuda":
        return options
    names = names_of_gpus()
    if "claim" not in _cached.__dict__:
        rank = local_rank()
        preferred = _gpus.__dict__.get("number"), None if rank is None else rank % max(len(names), 1)
        first = [number for number in preferred if number is not None]
        _cached.claim = claim_gpu(names, reference.folder, first, shared=job.options.device == "auto", seconds=seconds)
        _gpus.number = _cached.claim.number
    return replace(options, device=f"cuda:{_cached.claim.number}") if len(names) > 1 else options


def _tried(reference: JobReference, sent: Sent, work: Callable[[Job], Any]) -> Any:
    try:
        job = _job(reference, sent)
        return Missing() if job is None else memory_errors(work)(job)
    except _Cancelled:
        return Stopped()
    except ApspError as error:
        return Failed(error)


def _job(reference: JobReference, sent: Sent) -> Job | None:
    from apsp import __version__

    if __version__ != reference.version:
        raise ExecutorError(
            f"a worker has apsp {__version__}, and the caller {reference.version}: install the same version everywhere"
        )
    if _cached.__dict__.get("key") == reference.key:
        known: Job = _cached.job
        return known
    parts = sent
    if parts is None:
        try:
            parts = [mapped(Path(reference.path)), read_preparation(reference.preparation)]
        except OSError:
            return None
    before = _cached.job.graph if "job" in _cached.__dict__ else None
    if "claim" in _cached.__dict__:
        _cached.claim.release()
    _cached.__dict__.clear()  # before another graph needs memory
    job, *others = parts
    taken: Job = unpacked(bytearray(job)) if isinstance(job, bytes) else job
    if before is not None and identical(before, taken.graph):
        taken.graph.__dict__.update(before.__dict__)  # what the last call found of it, such as statistics
    for preparation in others:
        if preparation is not None:
            preparation.keep_with(taken.graph)
    _cached.job, _cached.key = taken, reference.key
    return taken


def _looking(reference: JobReference) -> ProgressReport:
    """Progress that ends the work if the caller no longer waits for it."""
    can_tell, last = reference.has_file, time.monotonic()  # other machines have no such file

    def look(stage: str, done: int, total: int) -> None:  # noqa: ARG001 - as of progress
        nonlocal last
        if can_tell and time.monotonic() - last >= _SECONDS_BETWEEN_LOOKS:
            last = time.monotonic()
            if not reference.has_file:
                raise _Cancelled

    return look
