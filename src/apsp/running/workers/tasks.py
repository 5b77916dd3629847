"""Tasks that are submitted to an engine, and their outcomes.

The idea: an engine needs to know nothing about graphs. A worker that lacks the graph reads it from a file of the
caller's machine, or the engine has sent it, or the task comes back as `Missing` and is submitted again with the graph.
Only a few tasks per worker are submitted at a time, so that a stop leaves little behind.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, CancelledError, Future, wait
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary

from apsp.errors import ExecutorError, shown
from apsp.planning.plan import Plan
from apsp.running.workers.job_file import JobReference
from apsp.running.workers.preparation import Preparation, Sharing, read_preparation, written
from apsp.running.workers.row_job import Job
from apsp.running.workers.worker import Failed, Fold, Missing, Stopped, plan_task, run_task
from apsp.system.engine.engine import Engine
from apsp.system.engine.processes import LostProcessError
from apsp.system.limits import allowed_cores

__all__ = ["Outcome", "PerPart", "Tasks"]


Outcome = tuple[int, int, Any]
"""The two numbers of a task (its first source, and the one after its last), and what the fold returned."""

_WORKERS_IF_UNKNOWN = 8
_RATE_OF_FILES, _RATE_OF_NETWORKS = 1e9, 1e8
"""Bytes per second to the workers of this machine, and to others."""

_AHEAD = 2
"""Tasks that are submitted per worker before the first one ends."""

_USUAL = (
    "The usual cause is lack of memory: let fewer workers compute (of executor='processes', by more threads= per "
    "process), give each of them more memory, or take fewer rows= per block"
)
"""What helps when workers are lost."""

_SENDINGS = 3
"""How often the graph is sent to a cluster that has lost it, with all the workers that had it."""


@dataclass(frozen=True)
class PerPart:
    """Folds that differ between parts, because they hold what the caller knows of each.

    Attributes
    ----------
    fold : callable
        Makes the fold of the part from start to stop: fold(start, stop).
    """

    fold: Callable[[int, int], Fold]


class Tasks:
    """Tasks of one job.

    Attributes
    ----------
    options : Request
        Those of all tasks: of the plan, when there is one.
    """

    def __init__(self, engine: Engine, reference: JobReference, job: Job) -> None:
        self.engine, self.reference = engine, reference
        self.job, self.options = job, job.options
        self._sent, self._sendings = None if engine.send is None else [_sent_by(engine, job)], 1
        self._running: dict[Future[Any], tuple[int, int]] = {}
        self._sent_before: WeakKeyDictionary[Future[Any], int] = WeakKeyDictionary()

    @property
    def workers(self) -> int:
        """How many tasks run at a time; a guess if the engine does not say."""
        return self.engine.workers or _WORKERS_IF_UNKNOWN

    def plan(self, threads: int, *, checked: bool = False) -> Plan:
        """Plan in a worker, whose machine may differ from this one; it also prepares what it can share with others.

        Parameters
        ----------
        threads : int
            Of each worker, on the CPU: the seconds of the plan are those of one worker.
        checked : bool
            Look for negative cycles now, not with the first row.
        """
        sharing = self._sharing(threads) if self.engine.workers != 1 else None
        found = self._result(self._submit(plan_task, self._sent, threads, checked, sharing))
        while isinstance(found, Missing):
            found = self._result(self._submit(plan_task, self._missed(), threads, checked, sharing))
        plan: Plan
        plan, preparation = found
        if preparation is not None:
            self._pass_on(preparation)
        return plan

    def _sharing(self, threads: int) -> Sharing:
        if self.engine.is_local:
            return Sharing(_RATE_OF_FILES, allowed_cores())
        return Sharing(_RATE_OF_NETWORKS, threads)

    def _pass_on(self, preparation: Preparation) -> None:
        """Send what a worker has prepared, or write it for the workers that are sent the graph."""
        if self.engine.send is None:
            written(preparation, self.reference)
        else:
            self._sent = [*(self._sent or ()), _sent_by(self.engine, preparation)]

    def run(
        self, fold: Fold | PerPart, parts: Sequence[tuple[int, int]], *, in_order: bool = False, of: str = "rows"
    ) -> Iterator[Outcome]:
        """Run all tasks, a few per worker at a time.

        Parameters
        ----------
        parts : sequence of (start, stop)
        in_order : bool
            Yield the outcomes in the order of the parts.
        of : str
            What the numbers of a part count, for messages.
        """
        waiting = iter(parts)
        early: dict[int, Outcome] = {}
        first = 0
        self._start_some(fold, waiting)
        while self._running:
            for part, found in self._ended(of):
                if isinstance(found, Missing):
                    self._start(fold, part, self._missed())
                    continue
                self._start_some(fold, waiting)
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

    def _start_some(self, fold: Fold | PerPart, waiting: Iterator[tuple[int, int]]) -> None:
        """Start as many as the workers take that there are now."""
        for part in islice(waiting, max(_AHEAD * self.workers - len(self._running), 0)):
            self._start(fold, part, self._sent)

    def _start(self, fold: Fold | PerPart, part: tuple[int, int], sent: Any) -> None:
        own = fold.fold(*part) if isinstance(fold, PerPart) else fold
        self._running[self._submit(run_task, sent, own, self.options, *part)] = part

    def _ended(self, of: str) -> Iterator[tuple[tuple[int, int], Any]]:
        done, _ = wait(self._running, return_when=FIRST_COMPLETED)
        for future in done:
            part = self._running.pop(future)
            yield part, self._result(future, f" at the {of} {part[0]:,} to {part[1] - 1:,}")

    def _missed(self) -> list[Any]:
        """What a worker needs that has not received the graph."""
        if self._sent is not None:
            return self._sent
        return [Path(self.reference.path).read_bytes(), read_preparation(self.reference.preparation)]

    def _submit(self, function: Any, *arguments: Any) -> Future[Any]:
        try:
            future = self.engine.executor.submit(function, self.reference, *arguments)
        except Exception as error:  # an engine may raise any exception
            raise ExecutorError(f"{self.engine.name} took no task: {_words(error)}{_remedy(error)}") from error
        self._sent_before[future] = self._sendings
        return future

    def _sent_again(self, future: Future[Any]) -> bool:
        """Whether the graph was sent again after a task was cancelled, as Dask does if no worker has the graph."""
        if self.engine.send is None:
            return False
        if self._sent_before[future] == self._sendings:  # the first one of those that were cancelled
            if self._sendings == _SENDINGS:
                return False
            self._sendings += 1
            self._sent = [_sent_by(self.engine, self.job)]
        return True

    def _result(self, future: Future[Any], where: str = "") -> Any:
        try:
            found = future.result()
        except CancelledError as error:
            if self._sent_again(future):
                return Missing()
            lost = "" if self.engine.send is None else f": it has lost all workers with the graph. {_USUAL}"
            raise ExecutorError(f"a task was cancelled by {self.engine.name}{lost}") from error
        except Exception as error:
            at = where if isinstance(error, LostProcessError) else ""  # of other engines it may be another task
            words = f"{_words(error)}{_remedy(error)}"
            raise ExecutorError(f"a worker of {self.engine.name} failed{at}: {words}") from error
        if isinstance(found, Failed):
            raise found.error
        if isinstance(found, Stopped):
            raise ExecutorError(f"a worker of {self.engine.name} stopped: the file {self.reference.path} was removed")
        return found


def _sent_by(engine: Engine, thing: Any) -> Any:
    """What stands for a thing in the arguments of tasks, after the engine has sent it to all workers."""
    try:
        assert engine.send is not None
        return engine.send(thing)
    except ExecutorError:
        raise
    except Exception as error:  # an engine may raise any exception
        raise ExecutorError(f"{engine.name} did not take the graph: {_words(error)}") from error


def _remedy(error: Exception) -> str:
    if isinstance(error, ImportError):
        return ": install apsp in the environment of the workers"
    if isinstance(error, pickle.PicklingError):
        return ": the labels of the graph must be objects that pickle takes"
    if isinstance(error, LostProcessError):
        return f". {_USUAL}" if "SIGKILL" in str(error) else ""
    if isinstance(error, BrokenExecutor) or type(error).__name__ == "KilledWorker":  # of Dask
        return f". {_USUAL}"
    return ""


def _words(error: Exception) -> str:
    """Name an error of any package in a line."""
    if isinstance(error, LostProcessError):
        return str(error)
    return f"{type(error).__name__}: {shown(str(error))}" if str(error) else type(error).__name__
