"""The work in a worker: it keeps the graph, and what is prepared for it, between tasks."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from apsp.errors import ApspError, ExecutorError
from apsp.gpu.gpus import names_of_gpus
from apsp.graph.equality import identical
from apsp.running.options import RunOptions
from apsp.running.workers.job import Job
from apsp.running.workers.preparation import Preparation, Sharing, read_preparation, written
from apsp.running.workers.ticket import Ticket
from apsp.system.engine.gpu_claim import claim_gpu
from apsp.system.engine.local_rank import local_rank
from apsp.system.lack_of_memory import memory_errors
from apsp.system.mapped import mapped, unpacked
from apsp.system.progress import ProgressReport

__all__ = ["Failed", "Fold", "Missing", "Stopped", "plan_task", "run_task"]

Fold = Callable[[Any, int, int, ProgressReport], Any]
"""Computes what is requested of a part of the sources: fold(made, start, stop, progress), where made is what the job
makes. It travels to the workers with every task.
"""

Sent = list[Any] | None
"""The job, or its bytes, and the `Preparation`, if they come with the task."""

_SECONDS_BETWEEN_LOOKS = 0.5

_kept = threading.local()
"""Of each thread of a worker: the last job that it worked for, by its key, the GPU that it has claimed for the job, and
what it has made.
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


class _NotWanted(Exception):  # noqa: N818 - it is not an error
    """Ends the work on a task whose caller no longer waits for it."""


def plan_task(ticket: Ticket, sent: Sent, threads: int, checked: bool = False, sharing: Sharing | None = None) -> Any:
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

    def work(job: Job[Any]) -> tuple[Any, Preparation | None]:
        job = replace(job, options=_on_own_gpu(job, job.options, ticket))  # type: ignore[type-var]
        plan, prepared = job.planned(threads, sharing, checked=checked)
        if prepared is not None and not ticket.is_sent and ticket.is_wanted and written(prepared, ticket):
            prepared = None
        return plan, prepared

    return _tried(ticket, sent, work)


def run_task(ticket: Ticket, sent: Sent, fold: Fold, options: RunOptions, start: int, stop: int) -> Any:
    """Return what the fold makes of the part from start to stop; or Missing, Stopped or Failed.

    What the job makes (planned rows) is prepared once in each thread of a worker.

    Parameters
    ----------
    sent : list or None
        The job, if it comes with the task, and the `Preparation`.
    options : RunOptions
        Those of the plan.
    """

    def work(job: Job[Any]) -> Any:
        made = _kept.__dict__.get("made")
        if made is None:
            made = _kept.made = job.made(_on_own_gpu(job, options, ticket))
        return fold(made, start, stop, _looking(ticket))

    return _tried(ticket, sent, work)


def _on_own_gpu(job: Job[Any], options: RunOptions, ticket: Ticket) -> RunOptions:
    """Options that name the GPU that this worker has claimed for the job, if it computes on one of several.

    Workers share a GPU only if the plan has chosen GPUs, and there are fewer than workers.
    """
    if options.device != "cuda":
        return options
    names = names_of_gpus()
    if "claim" not in _kept.__dict__:
        rank = local_rank()
        preferred = _gpus.__dict__.get("number"), None if rank is None else rank % max(len(names), 1)
        first = [number for number in preferred if number is not None]
        _kept.claim = claim_gpu(names, ticket.folder, first, shared=job.options.device == "auto")
        _gpus.number = _kept.claim.number
    return replace(options, device=f"cuda:{_kept.claim.number}") if len(names) > 1 else options


def _tried(ticket: Ticket, sent: Sent, work: Callable[[Job[Any]], Any]) -> Any:
    try:
        job = _job(ticket, sent)
        return Missing() if job is None else memory_errors(work)(job)
    except _NotWanted:
        return Stopped()
    except ApspError as error:
        return Failed(error)


def _job(ticket: Ticket, sent: Sent) -> Job[Any] | None:
    from apsp import __version__

    if __version__ != ticket.version:
        raise ExecutorError(
            f"a worker has apsp {__version__}, and the caller {ticket.version}: install the same version everywhere"
        )
    if _kept.__dict__.get("key") == ticket.key:
        known: Job[Any] = _kept.job
        return known
    parts = sent
    if parts is None:
        try:
            parts = [mapped(Path(ticket.path)), read_preparation(ticket.preparation)]
        except OSError:
            return None
    before = _kept.job.graph if "job" in _kept.__dict__ else None
    if "claim" in _kept.__dict__:
        _kept.claim.release()
    _kept.__dict__.clear()  # before another graph needs memory
    job, *others = parts
    taken: Job[Any] = unpacked(bytearray(job)) if isinstance(job, bytes) else job
    if before is not None and identical(before, taken.graph):
        taken.graph.__dict__.update(before.__dict__)  # what the last call found of it, such as statistics
    for preparation in others:
        if preparation is not None:
            preparation.keep_with(taken.graph)
    _kept.job, _kept.key = taken, ticket.key
    return taken


def _looking(ticket: Ticket) -> ProgressReport:
    """Progress that ends the work if the caller no longer waits for it."""
    can_tell, last = ticket.is_wanted, time.monotonic()  # other machines have no such file

    def look(stage: str, done: int, total: int) -> None:  # noqa: ARG001 - as of progress
        nonlocal last
        if can_tell and time.monotonic() - last >= _SECONDS_BETWEEN_LOOKS:
            last = time.monotonic()
            if not ticket.is_wanted:
                raise _NotWanted

    return look
