"""A few threads that drive GPUs or files, similar to `concurrent.futures.ThreadPoolExecutor`, with two differences.

They accept work as long as a thread of the user waits for it, even after the main thread has ended, and do not keep a
process alive. If the system does not start more threads, the existing ones do the work; if it starts none, the caller
does.
"""

from __future__ import annotations

import _thread
import contextlib
import threading
from collections.abc import Callable
from concurrent.futures import Executor, Future
from queue import Empty, SimpleQueue
from typing import Any, ParamSpec, TypeVar

__all__ = ["Threads"]

P = ParamSpec("P")
T = TypeVar("T")

_Work = tuple[Future[Any], Callable[[], Any]]


class Threads(Executor):
    """At most `most` threads with names that begin with `name`; leaving the context waits for what was submitted.

    A thread that has not begun after some seconds has failed for lack of memory.
    """

    def __init__(self, most: int, name: str, *, seconds_to_start: float = 10.0) -> None:
        self._most, self._name, self._seconds_to_start = max(most, 1), name, seconds_to_start
        self._threads: list[_thread.LockType] = []  # released when the thread has ended
        self._works: SimpleQueue[_Work | None] = SimpleQueue()
        self._is_closed = False

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Queue a call; its result or exception arrives in the future."""
        if self._is_closed:
            raise RuntimeError("these threads were shut down")
        future: Future[T] = Future()
        work: _Work = (future, lambda: fn(*args, **kwargs))
        if len(self._threads) < self._most:
            self._start_another()
        if self._threads:
            self._works.put(work)
        else:
            _do(work)
        return future

    def _start_another(self) -> None:
        """Start one without `threading.Thread`, whose `start` waits forever if the thread gets no memory."""
        ready, ended = _thread.allocate_lock(), _thread.allocate_lock()
        ready.acquire()
        ended.acquire()
        try:
            _thread.start_new_thread(_serve, (self._works, ready, ended, f"{self._name}_{len(self._threads)}"))
            is_there = ready.acquire(timeout=self._seconds_to_start)
        except (RuntimeError, MemoryError):  # the system does not start another thread
            is_there = False
        if is_there:
            self._threads.append(ended)
        else:
            self._most = len(self._threads)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End the threads when the submitted work is done or dropped."""
        self._is_closed = True
        while cancel_futures:
            try:
                work = self._works.get_nowait()
            except Empty:
                break
            if work is not None:
                work[0].cancel()
        for _ in self._threads:
            self._works.put(None)
        for ended in self._threads if wait else ():
            with ended:
                pass

    def __del__(self) -> None:
        """End the threads of an object that was deleted without `shutdown`."""
        self.shutdown(wait=False)


def _serve(works: SimpleQueue[_Work | None], ready: _thread.LockType, ended: _thread.LockType, name: str) -> None:
    try:
        with contextlib.suppress(MemoryError):
            threading.current_thread().name = name
        ready.release()
        while (work := works.get()) is not None:
            _do(work)
            del work  # its result may be large
    finally:
        ended.release()


def _do(work: _Work) -> None:
    future, call = work
    if not future.set_running_or_notify_cancel():
        return
    try:
        result = call()
    except BaseException as error:
        future.set_exception(error)
    else:
        future.set_result(result)
