"""The caller's side: tasks are submitted to an engine, and their outcomes come back.

Input: a `Job` and a `Fold`. Output: (start, stop, outcome) in the order of the sources, or in any order. Errors: those
of the work in the workers; ExecutorError if a worker or the engine fails.

The idea: an engine needs to know nothing about graphs. A worker that lacks the graph reads it from a file of the
caller's machine, or the engine has sent it, or the task comes back as `Missing` and is submitted again with the graph.
Only a few tasks per worker are submitted at a time, so that a stop leaves little behind.
"""

from __future__ import annotations

import math
import pickle
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, CancelledError, Future, wait
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from apsp.api.spread.job import Job, JobFile, Ticket
from apsp.api.spread.worker import Failed, Fold, Missing, Stopped, plan_task, run_task
from apsp.api.streaming import RowOptions
from apsp.errors import ExecutorError, shown
from apsp.gpu.gpus import with_gpus
from apsp.planning.plan import Plan
from apsp.system.engine.engine import Engine, engine_of
from apsp.system.limits import allowed_cores
from apsp.system.machine import Machine
from apsp.system.progress import Progress, reporting

__all__ = ["Outcome", "Spread"]

Outcome = tuple[int, int, Any]
"""The first source of a task, the one after its last, and what the fold returned."""

_SECONDS = 2.0
"""Planned time of a task."""

_TASKS_PER_WORKER = 8
"""Fewest tasks per worker, so that all end at about the same time."""

_WORKERS_IF_UNKNOWN = 8
_AHEAD = 2
"""Tasks that are submitted per worker before the first one ends."""


@dataclass
class Spread:
    """Rows that the workers of an engine compute.

    Attributes
    ----------
    job : Job
    executor : object
        As the caller passed it.
    count : int
        Number of sources.
    """

    job: Job
    executor: object
    count: int

    def outcomes(
        self, fold: Fold, progress: Progress, *, height: int | None = None, in_order: bool = False
    ) -> Iterator[Outcome]:
        """Run the fold over all rows.

        Parameters
        ----------
        height : int or None
            Rows per task; by default as many as take about two seconds, but a few tasks per worker.
        in_order : bool
            Yield the outcomes in the order of the sources; others wait.
        """
        threads = self.job.options.get("threads")
        gpus = len(with_gpus(Machine.detect()).gpus) if self.job.options.get("device") == "cuda" else None
        engine = engine_of(self.executor, threads, gpus)
        with ExitStack() as stack:
            stack.enter_context(engine.owned)
            ticket = stack.enter_context(JobFile(self.job, engine.send is not None))
            sent = None if engine.send is None else _sent(engine, self.job)
            tasks = _Tasks(engine, ticket, sent, fold)
            stack.callback(tasks.cancel)
            report = stack.enter_context(reporting(progress))
            decided = tasks.plan()
            tasks.fixed = _fixed_by(decided, engine, self.job.options)
            done = 0
            height = height or _height(self.count, decided, engine.workers)
            parts = [(start, min(start + height, self.count)) for start in range(0, self.count, height)]
            for outcome in tasks.run(parts, in_order=in_order):
                done += outcome[1] - outcome[0]
                if report is not None:
                    report(decided.method, done, self.count)
                yield outcome


def _sent(engine: Engine, job: Job) -> Any:
    try:
        assert engine.send is not None
        return engine.send(job)
    except Exception as error:  # an engine may raise any exception
        raise ExecutorError(f"{engine.name} did not take the graph: {_words(error)}") from error


def _fixed_by(decided: Plan, engine: Engine, options: RowOptions) -> RowOptions:
    """What all workers do alike."""
    threads = options.get("threads")
    if threads is None and decided.device == "cpu":
        threads = max(allowed_cores() // engine.workers, 1) if engine.is_local and engine.workers else 1
    fixed = RowOptions(method=decided.method, dtype=decided.dtype.name, threads=threads)
    if options.get("device", "auto") == "auto":
        fixed["device"] = decided.device
    return fixed


def _height(count: int, decided: Plan, workers: int | None) -> int:
    """Sources per task."""
    height = math.ceil(count / (_TASKS_PER_WORKER * (workers or _WORKERS_IF_UNKNOWN)))
    if decided.seconds > 0:
        height = min(height, math.ceil(count * _SECONDS / decided.seconds))
    return max(height, 1)


class _Tasks:
    """Tasks that are submitted, and their outcomes."""

    def __init__(self, engine: Engine, ticket: Ticket, sent: Any, fold: Fold) -> None:
        self._engine, self._ticket, self._sent, self._fold = engine, ticket, sent, fold
        self.fixed = RowOptions()
        self._running: dict[Future[Any], tuple[int, int]] = {}

    def plan(self) -> Plan:
        """Plan in a worker, whose machine may differ from this one."""
        found = self._result(self._submit(plan_task, self._sent))
        if isinstance(found, Missing):
            found = self._result(self._submit(plan_task, self._payload()))
        plan: Plan = found
        return plan

    def run(self, parts: list[tuple[int, int]], *, in_order: bool) -> Iterator[Outcome]:
        """Run all tasks, a few per worker at a time."""
        ahead = _AHEAD * (self._engine.workers or _WORKERS_IF_UNKNOWN)
        waiting = iter(parts)
        early: dict[int, Outcome] = {}
        first = 0
        for part in waiting:
            self._start(part, self._sent)
            if len(self._running) >= ahead:
                break
        while self._running:
            for part, found in self._ended():
                if isinstance(found, Missing):
                    self._start(part, self._payload())
                    continue
                following = next(waiting, None)
                if following is not None:
                    self._start(following, self._sent)
                early[part[0]] = (*part, found)
                while early and (not in_order or first in early):
                    outcome = early.pop(first if in_order else part[0])
                    first = outcome[1]
                    yield outcome

    def cancel(self) -> None:
        """Take back the tasks that have not begun; workers of this machine look for the file and stop the others."""
        for future in self._running:
            future.cancel()
        self._running.clear()

    def _start(self, part: tuple[int, int], sent: Any) -> None:
        self._running[self._submit(run_task, sent, self._fold, self.fixed, *part)] = part

    def _ended(self) -> Iterator[tuple[tuple[int, int], Any]]:
        done, _ = wait(self._running, return_when=FIRST_COMPLETED)
        for future in done:
            part = self._running.pop(future)
            yield part, self._result(future)

    def _payload(self) -> Any:
        return Path(self._ticket.path).read_bytes()

    def _submit(self, function: Any, *arguments: Any) -> Future[Any]:
        try:
            return self._engine.executor.submit(function, self._ticket, *arguments)
        except Exception as error:  # an engine may raise any exception
            raise ExecutorError(f"{self._engine.name} took no task: {_words(error)}") from error

    def _result(self, future: Future[Any]) -> Any:
        try:
            found = future.result()
        except CancelledError as error:
            raise ExecutorError(f"a task was cancelled by {self._engine.name}") from error
        except Exception as error:
            raise ExecutorError(f"a worker of {self._engine.name} failed: {_words(error)}{_remedy(error)}") from error
        if isinstance(found, Failed):
            raise found.error
        if isinstance(found, Stopped):
            raise ExecutorError(f"a worker of {self._engine.name} stopped: the file {self._ticket.path} was removed")
        return found


def _remedy(error: Exception) -> str:
    if isinstance(error, ImportError):
        return ": install apsp in the environment of the workers"
    if isinstance(error, pickle.PicklingError):
        return ": the labels of the graph must be objects that pickle takes"
    return ""


def _words(error: Exception) -> str:
    return f"{type(error).__name__}: {shown(str(error))}" if str(error) else type(error).__name__
