"""Processes that MPI connects; pages are in host memory.

Input: a communicator of mpi4py, whose ranks run along the rows of the grid. Non-blocking broadcasts go on while MPI is
called, so the driver calls `advance` between pieces of its work.
"""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from apsp.gpu.page import Page
from apsp.methods.distributed import Parcel

__all__ = ["MpiConnection"]

_FLAGS_AT_ONCE = 1 << 26

_yield = getattr(os, "sched_yield", lambda: time.sleep(0))


class MpiConnection:
    """Connects the processes of a communicator.

    Parameters
    ----------
    comm : mpi4py.MPI.Comm
    """

    def __init__(self, comm: Any) -> None:
        self.rank: int = comm.Get_rank()
        self.size: int = comm.Get_size()
        self._all = comm
        self._row: Any = None
        self._column: Any = None

    def form(self, shape: tuple[int, int]) -> None:
        """Set the rows and columns of the grid."""
        row, column = divmod(self.rank, shape[1])
        self._row, self._column = self._all.Split(row, column), self._all.Split(column, row)

    def along_row(self, page: Page, source: int) -> _Request:
        """Begin to send a page along the row of the grid."""
        return _Request(self._row.Ibcast(page, root=source))

    def along_column(self, page: Page, source: int) -> _Request:
        """Begin to send a page along the column of the grid."""
        return _Request(self._column.Ibcast(page, root=source))

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
        for comm in (self._row, self._column):
            if comm is not None:
                comm.Free()
        self._row = self._column = None


class _Request:
    def __init__(self, request: Any) -> None:
        self._request = request

    def advance(self) -> None:
        """Let the broadcast go on."""
        self._request.Test()

    def wait(self) -> None:
        """Wait for its end; processes that share the core with this one go on meanwhile."""
        while not self._request.Test():
            _yield()


class _Largest:
    def __init__(self, comm: Any, number: int) -> None:
        from mpi4py import MPI

        self._given, self._found = np.array([number]), np.empty(1, dtype=np.int64)
        self._request = comm.Iallreduce(self._given, self._found, op=MPI.MAX)

    def result(self) -> int:
        """Wait for the largest number."""
        self._request.Wait()
        return int(self._found[0])
