"""The rows of one request, shared between devices: each takes the next block as soon as it is free.

Input: the number of rows, and for each device a function that computes a block. Output: none; every row is computed
once. Errors: the first one of any device, after all have stopped. The idea: one host thread per device takes blocks
from a shared counter; a device that is slower, or used by others, takes fewer.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from queue import SimpleQueue

from apsp.gpu.emulated.run import carried
from apsp.methods.problem import KernelProgress
from apsp.system.threads import Threads

__all__ = ["Parts", "Task", "share", "summed"]


class Parts:
    """Blocks of rows, ascending, each returned once; any number of threads may take the next one.

    Parameters
    ----------
    rows : int
    height : int
        Rows of a block; the last one may be smaller.
    """

    def __init__(self, rows: int, height: int) -> None:
        self.rows, self.height = rows, max(height, 1)
        self._next, self._lock = 0, threading.Lock()

    @property
    def count(self) -> int:
        """The number of blocks."""
        return -(-self.rows // self.height)

    def __iter__(self) -> Iterator[slice]:
        return self

    def __next__(self) -> slice:
        with self._lock:
            start = self._next
            if start >= self.rows:
                raise StopIteration
            self._next = min(start + self.height, self.rows)
            return slice(start, self._next)

    def end(self) -> None:
        """Return no more blocks."""
        with self._lock:
            self._next = self.rows


Task = Callable[[Iterator[slice], Callable[[int], None]], None]
"""Computes blocks until there are no more: work(parts, done), where done(rows) is called after each with its rows."""


def share(tasks: Sequence[Task], parts: Parts, progress: KernelProgress | None = None) -> None:
    """Run all tasks at the same time, until every block is done.

    Parameters
    ----------
    progress : callable, optional
        Called in this thread with the number of rows done; an exception (Ctrl-C too) stops the work.

    Raises
    ------
    The first exception of a task or of `progress`.
    """
    told: SimpleQueue[int | Future[None]] = SimpleQueue()
    with Threads(len(tasks), "apsp-gpu") as pool:
        try:
            running = [pool.submit(carried(work), parts, told.put) for work in tasks]
            for future in running:
                future.add_done_callback(told.put)
            done, ended = summed(progress), 0
            while ended < len(tasks):
                news = told.get()
                if isinstance(news, Future):
                    news.result()
                    ended += 1
                    continue
                done(news)
        finally:
            parts.end()


def summed(progress: KernelProgress | None) -> Callable[[int], None]:
    """Return a callable that takes the rows of one part after another, and reports how many are done in all."""
    total = 0

    def done(rows: int) -> None:
        nonlocal total
        total += rows
        if progress is not None:
            progress(total)

    return done
