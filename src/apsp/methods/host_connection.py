"""A grid of processes that a communicator connects; pages are in host memory.

Input: a communicator, whose ranks run along the rows of the grid. If the processes of a row or column of the grid are
on one machine, they share the pages that one of them sends, and only a word passes between them, which says that the
page may be read. Otherwise pages are sent by broadcasts. These may need calls to go on, so the driver calls `advance`
between pieces of its work.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

import numpy as np
import numpy.typing as npt

from apsp.gpu.page import Page
from apsp.methods.communicator import Communicator
from apsp.methods.distributed import Arrival, Parcel
from apsp.methods.shared_pages import may_share, shared_page

__all__ = ["HostConnection"]

_FLAGS_AT_ONCE = 1 << 26


class HostConnection:
    """Connects the processes of a communicator.

    Parameters
    ----------
    comm : Communicator
    share : bool
        Whether processes of one machine share pages.
    """

    facts: Mapping[str, Any] = MappingProxyType({})
    """How the processes are connected, for `Result.info`: nothing."""

    def __init__(self, comm: Communicator, *, share: bool = True) -> None:
        self.rank, self.size = comm.rank, comm.size
        self.shares_memory = False
        self._all, self._share = comm, share
        self._row: _Line | None = None
        self._column: _Line | None = None

    def form(self, shape: tuple[int, int]) -> None:
        """Set the rows and columns of the grid."""
        row, column = divmod(self.rank, shape[1])
        self._row = _Line(self._all.split(row) if shape[1] > 1 else None, self._share)
        self._column = _Line(self._all.split(column) if shape[0] > 1 else None, self._share)
        self.shares_memory = bool(self.largest(self._row.shares or self._column.shares).result())

    def shared_along_row(self, rows: int, columns: int, dtype: npt.DTypeLike) -> Page | None:
        """Allocate a page that the processes of this row of the grid share."""
        assert self._row is not None
        return self._row.shared(rows, columns, dtype)

    def shared_along_column(self, rows: int, columns: int, dtype: npt.DTypeLike) -> Page | None:
        """Allocate a page that the processes of this column of the grid share."""
        assert self._column is not None
        return self._column.shared(rows, columns, dtype)

    def shared(self, rows: int, columns: int, dtype: npt.DTypeLike) -> npt.NDArray[Any] | None:
        """Allocate an array that all processes share, if they are several on one machine."""
        return _Line(self._all if self.size > 1 else None, share=True).shared(rows, columns, dtype)

    def gather_along_row(self, value: Any) -> list[Any]:
        """Return the objects of the processes of this row of the grid."""
        assert self._row is not None
        return self._row.gather(value)

    def gather_along_column(self, value: Any) -> list[Any]:
        """Return the objects of the processes of this column of the grid."""
        assert self._column is not None
        return self._column.gather(value)

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
        for start in range(0, len(flags), _FLAGS_AT_ONCE):
            self._all.maximum(flags[start : start + _FLAGS_AT_ONCE]).wait()

    def exchange(self, sent: Sequence[Parcel], received: Sequence[Parcel]) -> None:
        """Send arrays to processes and receive others; what stays in this one is copied."""
        kept = [array for array, rank in sent if rank == self.rank]
        places = [array for array, rank in received if rank == self.rank]
        for place, array in zip(places, kept, strict=True):
            place[...] = array
        others = [[parcel for parcel in parcels if parcel[1] != self.rank] for parcels in (sent, received)]
        self._all.exchange(*others)

    def release(self) -> None:
        """Free the communicators of rows and columns."""
        for line in (self._row, self._column):
            if line is not None:
                line.free()
        self._row = self._column = None


class _Line:
    """The processes of a row or column of the grid; without a communicator, this one alone."""

    def __init__(self, comm: Communicator | None, share: bool) -> None:
        self._comm = comm
        self._addresses: set[int] = set()
        self.shares = comm is not None and share and may_share(comm)

    def shared(self, rows: int, columns: int, dtype: npt.DTypeLike) -> npt.NDArray[Any] | None:
        page = None if self._comm is None or not self.shares else shared_page(self._comm, rows, columns, dtype)
        if page is not None:
            self._addresses.add(page.ctypes.data)
        return page

    def gather(self, value: Any) -> list[Any]:
        return [value] if self._comm is None else self._comm.allgather(value)

    def send(self, page: Page, source: int) -> Arrival:
        if self._comm is None:
            return _Here()
        return self._comm.tell(source) if page.ctypes.data in self._addresses else self._comm.broadcast(page, source)

    def free(self) -> None:
        if self._comm is not None:
            self._comm.free()


class _Here:
    def advance(self) -> None:
        """Nothing is on its way."""

    wait = advance


class _Largest:
    def __init__(self, comm: Communicator, number: int) -> None:
        self._number: npt.NDArray[Any] = np.array([number], dtype=np.int64)
        self._arrival = comm.maximum(self._number)

    def advance(self) -> None:
        """Let the search go on."""
        self._arrival.advance()

    def result(self) -> int:
        """Wait for the largest number."""
        self._arrival.wait()
        return int(self._number[0])
