"""Processes that MPI connects; pages are in host memory.

Input: a communicator of mpi4py, whose ranks run along the rows of the grid. If the processes of a row or column of the
grid are on one machine, they share the pages that one of them sends, and only a word passes between them, which says
that the page may be read. Otherwise pages are sent by non-blocking broadcasts. These go on while MPI is called, so the
driver calls `advance` between pieces of its work.
"""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from apsp.gpu.page import Page
from apsp.methods.distributed import Arrival, Parcel
from apsp.methods.shared_pages import may_share, shared_page

__all__ = ["MpiConnection"]

_FLAGS_AT_ONCE = 1 << 26

_yield = getattr(os, "sched_yield", lambda: time.sleep(0))


class MpiConnection:
    """Connects the processes of a communicator.

    Parameters
    ----------
    comm : mpi4py.MPI.Comm
    share : bool
        Whether processes of one machine share pages.
    """

    def __init__(self, comm: Any, *, share: bool = True) -> None:
        self.rank: int = comm.Get_rank()
        self.size: int = comm.Get_size()
        self.shares_memory = False
        self._all, self._share = comm, share
        self._row: _Line | None = None
        self._column: _Line | None = None

    def form(self, shape: tuple[int, int]) -> None:
        """Set the rows and columns of the grid."""
        row, column = divmod(self.rank, shape[1])
        self._row = _Line(self._all.Split(row, column), self._share)
        self._column = _Line(self._all.Split(column, row), self._share)
        self.shares_memory = bool(self.largest(self._row.shares or self._column.shares).result())

    def shared_along_row(self, rows: int, columns: int, dtype: npt.DTypeLike) -> Page | None:
        """Allocate a page that the processes of this row of the grid share."""
        assert self._row is not None
        return self._row.shared(rows, columns, dtype)

    def shared_along_column(self, rows: int, columns: int, dtype: npt.DTypeLike) -> Page | None:
        """Allocate a page that the processes of this column of the grid share."""
        assert self._column is not None
        return self._column.shared(rows, columns, dtype)

    def along_row(self, page: Page, source: int) -> Arrival:
        """Begin to send a page along the row of the grid."""
        assert self._row is not None
        return self._row.send(page, source)

    def along_column(self, page: Page, source: int) -> Arrival:
        """Begin to send a page along the column of the grid."""
        assert self._column is not None
        return self._column.send(page, source)

    def largest(self, number: int) -> _Largest:
        """Begin to find the largest of the numbers that all processes give."""
        return _Largest(self._all, number)

    def union(self, flags: npt.NDArray[np.uint8]) -> None:
        """Replace the flags by those of any process."""
        from mpi4py import MPI

        for start in range(0, len(flags), _FLAGS_AT_ONCE):
            self._all.Allreduce(MPI.IN_PLACE, flags[start : start + _FLAGS_AT_ONCE], op=MPI.MAX)

    def exchange(self, sent: Sequence[Parcel], received: Sequence[Parcel]) -> None:
        """Send arrays to processes and receive others."""
        requests = [self._all.Irecv(array, source=rank) for array, rank in received]
        requests += [self._all.Isend(array, dest=rank) for array, rank in sent]
        for request in requests:
            request.Wait()

    def release(self) -> None:
        """Free the communicators of rows and columns."""
        for line in (self._row, self._column):
            if line is not None:
                line.free()
        self._row = self._column = None


class _Line:
    """The processes of a row or column of the grid."""

    def __init__(self, comm: Any, share: bool) -> None:
        self._comm = comm
        self._rank, self._size = comm.Get_rank(), comm.Get_size()
        self._addresses: set[int] = set()
        self._token = np.zeros(1, dtype=np.uint8)
        self.shares = share and may_share(comm)

    def shared(self, rows: int, columns: int, dtype: npt.DTypeLike) -> Page | None:
        page = shared_page(self._comm, rows, columns, dtype) if self.shares else None
        if page is not None:
            self._addresses.add(page.ctypes.data)
        return page

    def send(self, page: Page, source: int) -> _Requests:
        if self._size == 1:
            return _Requests([])
        if page.ctypes.data not in self._addresses:
            return _Requests([self._comm.Ibcast(page, root=source)])
        if self._rank != source:
            return _Requests([self._comm.Irecv(self._token, source=source)])
        others = (rank for rank in range(self._size) if rank != source)
        return _Requests([self._comm.Isend(self._token, dest=rank) for rank in others])

    def free(self) -> None:
        self._comm.Free()


class _Requests:
    def __init__(self, requests: list[Any]) -> None:
        self._requests = requests

    def advance(self) -> None:
        """Let the broadcast go on."""
        self._requests = [request for request in self._requests if not request.Test()]

    def wait(self) -> None:
        """Wait for its end; processes that share the core with this one go on meanwhile."""
        self.advance()
        while self._requests:
            _yield()
            self.advance()


class _Largest:
    def __init__(self, comm: Any, number: int) -> None:
        from mpi4py import MPI

        self._given, self._found = np.array([number], dtype=np.int64), np.empty(1, dtype=np.int64)
        self._request = _Requests([comm.Iallreduce(self._given, self._found, op=MPI.MAX)])

    def advance(self) -> None:
        """Let the search go on."""
        self._request.advance()

    def result(self) -> int:
        """Wait for the largest number."""
        self._request.wait()
        return int(self._found[0])
