"""The programs of several processes of `apsp.spmd` in threads that share one GPU.

Messages are copies on the GPU. So the time is that of all kernels and copies of all processes, one after the other,
without links and without waiting for each other.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from apsp.gpu import jit
from apsp.gpu.page import Page
from apsp.methods.distributed import Parcel

__all__ = ["GridOnOneGpu", "run_all"]

Found = TypeVar("Found")

_PATIENCE = 300.0
"""Seconds after which a thread that waits for another one fails."""


class _Board:
    """What the threads leave for each other, by its name."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._left: dict[Hashable, Any] = {}

    def put(self, name: Hashable, value: Any) -> None:
        with self._changed:
            self._left[name] = value
            self._changed.notify_all()

    def take(self, name: Hashable) -> Any:
        with self._changed:
            if not self._changed.wait_for(lambda: name in self._left, timeout=_PATIENCE):
                raise TimeoutError(f"no thread has left {name}")
            return self._left.pop(name)


class GridOnOneGpu:
    """The connection of one thread.

    Parameters
    ----------
    board : _Board
    rank, size : int
    """

    shares_memory = False

    def __init__(self, board: _Board, rank: int, size: int) -> None:
        self.rank, self.size = rank, size
        self._board = board
        self._counts: dict[Hashable, int] = {}

    def form(self, shape: tuple[int, int]) -> None:
        """Set the rows and columns of the grid."""
        row, column = divmod(self.rank, shape[1])
        self._row = [row * shape[1] + place for place in range(shape[1])]
        self._column = [place * shape[1] + column for place in range(shape[0])]

    def shared_along_row(self, _rows: int, _columns: int, _dtype: npt.DTypeLike) -> None:
        """None: as on several GPUs."""

    shared_along_column = shared_along_row
    shared = shared_along_row

    def along_row(self, page: Page, source: int) -> _Message:
        """Begin to send a page along the row of the grid."""
        return self._sent(page, self._row, source)

    def along_column(self, page: Page, source: int) -> _Message:
        """Begin to send a page along the column of the grid."""
        return self._sent(page, self._column, source)

    def _sent(self, page: Page, line: list[int], source: int) -> _Message:
        name = (*line, self._counted(tuple(line)))
        others = [rank for rank in line if rank != line[source]]
        if self.rank == line[source]:
            for rank in others:
                self._board.put((name, rank), (page, _recorded()))
        return _Message(self._board, name, page, others, self.rank)

    def largest(self, number: int) -> _Posted:
        """Begin to find the largest of the numbers that all threads give."""
        return self._posted(number)

    def _posted(self, value: Any) -> _Posted:
        name = ("all", self._counted("all"))
        for rank in range(self.size):
            self._board.put((name, self.rank, rank), value)
        return _Posted(self._board, name, self.rank, self.size)

    def union(self, flags: npt.NDArray[np.uint8]) -> None:
        """Only for results that are stored."""
        raise NotImplementedError

    def exchange(self, sent: Sequence[Parcel], received: Sequence[Parcel]) -> None:
        """Send host arrays to threads and receive others."""
        for array, rank in sent:
            self._board.put((self.rank, rank, self._counted(("sent", rank))), array)
        for array, rank in received:
            array[...] = self._board.take((rank, self.rank, self._counted(("received", rank))))

    def allgather(self, value: Any) -> list[Any]:
        """Return the objects of all threads, by rank."""
        return self._posted(value).all()

    def release(self) -> None:
        """Nothing is kept."""

    def _counted(self, what: Hashable) -> int:
        self._counts[what] = self._counts.get(what, 0) + 1
        return self._counts[what]


class _Message:
    """A page on its way; `others` receive it."""

    def __init__(self, board: _Board, name: Hashable, page: Page, others: list[int], rank: int) -> None:
        self._board, self._name, self._page, self._others, self._rank = board, name, page, others, rank

    def advance(self) -> None:
        """Each thread copies when it waits."""

    def wait(self) -> None:
        """Copy the page; at its source, let the stream wait until all others have read it."""
        stream = jit.cupy().cuda.get_current_stream()
        if self._rank in self._others:
            page, written = self._board.take((self._name, self._rank))
            stream.wait_event(written)
            self._page[...] = page
            self._board.put((self._name, "read", self._rank), _recorded())
        else:
            for rank in self._others:
                stream.wait_event(self._board.take((self._name, "read", rank)))


class _Posted:
    """Values that all threads give."""

    def __init__(self, board: _Board, name: Hashable, rank: int, size: int) -> None:
        self._board, self._name, self._rank, self._size = board, name, rank, size

    def advance(self) -> None:
        """They are there as soon as they are given."""

    def all(self) -> list[Any]:
        """Wait for those of all threads, by rank."""
        return [self._board.take((self._name, rank, self._rank)) for rank in range(self._size)]

    def result(self) -> int:
        """Wait for the largest number."""
        return int(max(self.all()))


def _recorded() -> Any:
    event = jit.cupy().cuda.Event(disable_timing=True)
    event.record()
    return event


def run_all(size: int, act: Callable[[GridOnOneGpu], Found]) -> list[Found]:
    """Run a function for every process, each in a thread with a stream of its own; return what they found."""
    board = _Board()

    def run(rank: int) -> Found:
        with jit.cupy().cuda.Stream(non_blocking=True):
            return act(GridOnOneGpu(board, rank, size))

    with ThreadPoolExecutor(size) as threads:
        return list(threads.map(run, range(size)))
