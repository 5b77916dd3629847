"""Processes on this machine, started for one call and ended with it.

Input: tasks as of `concurrent.futures.Executor`. Output: their results. Errors: those of the tasks; LostProcessError if
several processes end while they work on the same task.

The idea: each process has a thread here, which gives it one task at a time through a pipe. The end of the pipe shows
that the process is gone, and the thread knows with which task. Pools of the standard library cannot tell, and end as a
whole.
"""

from __future__ import annotations

import multiprocessing
import pickle
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, Executor, Future
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from typing import Any, ParamSpec, TypeVar

from apsp.system.engine.engine import Engine
from apsp.system.engine.local_rank import number_process
from apsp.system.limits import allowed_cores

__all__ = ["LostProcessError", "Processes", "processes"]

P = ParamSpec("P")
T = TypeVar("T")

_TRIES = 3
"""Processes that may end with one task. The last one works alone: the usual cause is lack of memory."""

_SECONDS_TO_END = 5.0


def processes(threads: int | None, workers: int | None) -> Engine:
    """Processes, each a fresh interpreter: by default as many as have a core, or as many cores as each has threads."""
    workers = workers or max(allowed_cores() // (threads or 1), 1)
    pool = Processes(workers)

    @contextmanager
    def ended() -> Iterator[None]:
        try:
            yield
        finally:
            pool.shutdown(wait=True, cancel_futures=True)

    return Engine("processes", pool, lambda: workers, True, None, ended())


class LostProcessError(BrokenExecutor):
    """Processes ended while they worked on a task, or could not start."""


class Processes(Executor):
    """An executor that replaces processes that end, and tries their tasks again.

    Parameters
    ----------
    workers : int
        They start with the first task.
    """

    def __init__(self, workers: int) -> None:
        self._workers = workers
        self._context = multiprocessing.get_context("spawn")
        self._changed = threading.Condition()
        self._waiting: deque[_Task] = deque()
        self._threads: list[threading.Thread] = []
        self._busy, self._one_alone, self._closed = 0, False, False
        self._starting = threading.Lock()

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Let a process call a function.

        Raises
        ------
        RuntimeError
            After `shutdown`.
        """
        task = _Task(Future())
        try:
            task.data = pickle.dumps((fn, args, kwargs), protocol=5)
        except Exception as error:  # objects may raise any
            task.future.set_exception(error)
            return task.future
        with self._changed:
            if self._closed:
                raise RuntimeError("the processes have ended")
            self._waiting.append(task)
            self._changed.notify()
            for number in range(len(self._threads), self._workers):
                thread = threading.Thread(target=self._serve, args=(number,), daemon=True, name=f"apsp-{number}")
                self._threads.append(thread)
                thread.start()
        return task.future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End the processes after the tasks that they work on, and those that wait unless they are cancelled."""
        with self._changed:
            self._closed = True
            if cancel_futures:
                for task in self._waiting:
                    task.future.cancel()
                self._waiting.clear()
            self._changed.notify_all()
        if wait:
            for thread in self._threads:
                thread.join()

    def _serve(self, number: int) -> None:
        """Give tasks to one process, and to those that replace it."""
        process: _Process | None = None
        with suppress(Exception):  # then the first task shows it
            process = self._started(number)
        while (task := self._next()) is not None:
            try:
                if task.future.set_running_or_notify_cancel():
                    process = self._done(task, process, number)
            finally:
                self._leave()
        if process is not None:
            process.end()

    def _done(self, task: _Task, process: _Process | None, number: int) -> _Process | None:
        """Let a process do a task; return it, or the one that has replaced it."""
        while True:
            try:
                process = process or self._started(number)
                is_done, found = process.ask(task.data)
            except _LostError as lost:
                process = None
                task.losses.append(lost.words)
                if lost.may_be_tried and len(task.losses) < _TRIES:
                    if len(task.losses) == _TRIES - 1:
                        self._be_alone()
                    continue
                is_done, found = False, task.error() if lost.may_be_tried else lost.of_start()
            except Exception as error:  # a process could not be started, or an answer not be read
                is_done, found = False, error
            break
        if is_done:
            task.future.set_result(found)
        else:
            task.future.set_exception(found)
        return process

    def _started(self, number: int) -> _Process:
        with self._starting:
            return _Process(self._context, number)

    def _next(self) -> _Task | None:
        """Wait for a task; None after `shutdown`."""
        with self._changed:
            while self._one_alone or not self._waiting:
                if self._closed and not self._waiting:
                    return None
                self._changed.wait()
            self._busy += 1
            return self._waiting.popleft()

    def _be_alone(self) -> None:
        """Wait until no other process works; others take no tasks until `_leave`."""
        with self._changed:
            self._busy -= 1
            self._changed.notify_all()
            while self._one_alone:
                self._changed.wait()
            self._one_alone = True
            while self._busy:
                self._changed.wait()
            self._busy = 1
            self._alone_thread = threading.get_ident()

    def _leave(self) -> None:
        with self._changed:
            self._busy -= 1
            if self._one_alone and self._busy == 0 and self._alone_thread == threading.get_ident():
                self._one_alone = False
            self._changed.notify_all()

    _alone_thread = 0


@dataclass
class _Task:
    """A task that waits, or is being done.

    Attributes
    ----------
    future : Future
    data : bytes
        The pickled function and its arguments.
    losses : list of str
        How processes ended that worked on it.
    """

    future: Future[Any]
    data: bytes = b""
    losses: list[str] = field(default_factory=list)

    def error(self) -> LostProcessError:
        """What happened in the end."""
        return LostProcessError(
            f"{len(self.losses)} processes ended while they computed it ({', '.join(self.losses)}), the last one while "
            "no other computed"
        )


class _LostError(Exception):
    """A process has ended: it was killed, or it could not begin."""

    def __init__(self, exitcode: int | None, has_begun: bool) -> None:
        super().__init__(exitcode)
        self.words = _words(exitcode)
        self.may_be_tried = has_begun or (exitcode is not None and exitcode < 0)

    def of_start(self) -> LostProcessError:
        """The error of a process that ended before its first task."""
        return LostProcessError(
            f"a process could not start ({self.words}; its message is on standard error). In a script, the call must "
            "stand below if __name__ == '__main__':, because every process imports the script"
        )


class _Process:
    """A process, and this end of its pipe."""

    def __init__(self, context: Any, number: int) -> None:
        self._pipe, other = context.Pipe()
        self._process = context.Process(target=_work, args=(other, number), daemon=True, name=f"apsp-{number}")
        try:
            self._process.start()
        finally:
            other.close()
        self._has_begun = False

    def ask(self, data: bytes) -> tuple[bool, Any]:
        """Send a task, and wait for its result (True, result) or error (False, error).

        Raises
        ------
        _LostError
            If the process ends before.
        """
        try:
            if not self._has_begun:
                self._pipe.recv_bytes()
                self._has_begun = True
            self._pipe.send_bytes(data)
            answer = self._pipe.recv_bytes()
        except (EOFError, OSError):
            self.end()
            raise _LostError(self._process.exitcode, self._has_begun) from None
        found: tuple[bool, Any] = pickle.loads(answer)  # noqa: S301 - from a process that was started here
        return found

    def end(self) -> None:
        """Let it end."""
        self._pipe.close()
        self._process.join(_SECONDS_TO_END)
        if self._process.is_alive():
            self._process.kill()
            self._process.join()


def _words(exitcode: int | None) -> str:
    """How a process ended."""
    if exitcode is not None and exitcode < 0:
        with suppress(ValueError):
            return signal.Signals(-exitcode).name
    return f"exit status {exitcode}"


def _work(pipe: Connection, number: int) -> None:
    """Do tasks until the other end of the pipe is closed."""
    # Ctrl-C reaches all processes of a terminal: that of the caller stops the work.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    number_process(number)
    with suppress(EOFError, OSError):
        pipe.send_bytes(b"begun")
        while True:
            pipe.send_bytes(_answer(pipe.recv_bytes()))


def _answer(data: bytes) -> bytes:
    """Do a task."""
    try:
        function, arguments, options = pickle.loads(data)  # noqa: S301 - from the process that started this one
        return pickle.dumps((True, function(*arguments, **options)), protocol=5)
    except BaseException as error:
        try:
            found = pickle.dumps((False, error), protocol=5)
            pickle.loads(found)  # noqa: S301
        except Exception:
            found = pickle.dumps((False, RuntimeError(f"{type(error).__name__}: {error}")), protocol=5)
        return found
