"""Checksums (CRC-32) of the rows of a file of pages: which are known, and which rows are still to be compared."""

from __future__ import annotations

import zlib
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from apsp.errors import FileFormatError

__all__ = ["RowChecksums"]


class RowChecksums:
    """A checksum per row of a matrix.

    Attributes
    ----------
    nbytes : int
        Bytes that they take in the file.
    """

    def __init__(self, rows: int) -> None:
        self._sums = np.zeros(rows, dtype="<u4")
        self._known = np.zeros(rows, dtype=bool)
        self._unread = np.zeros(rows, dtype=bool)  # known, but not compared with its row yet
        self.nbytes = self._sums.nbytes

    @property
    def are_complete(self) -> bool:
        """Whether the checksum of every row is known."""
        return bool(self._known.all())

    @property
    def missing(self) -> list[int]:
        """The rows whose checksums are not known."""
        found: list[int] = np.flatnonzero(~self._known).tolist()
        return found

    def values(self) -> list[int]:
        """The checksums of all rows."""
        found: list[int] = self._sums.tolist()
        return found

    def note(self, row_from: int, rows: npt.NDArray[Any]) -> None:
        """Compute the checksums of the rows from row_from on."""
        for row, values in enumerate(rows, row_from):
            self._sums[row] = zlib.crc32(values.data)
        self._known[row_from : row_from + len(rows)] = True
        self._unread[row_from : row_from + len(rows)] = False

    def forget(self) -> None:
        """Rows were written in another way: no checksum is known."""
        self._known[:] = False

    def compare(self, path: Path, row_from: int, rows: npt.NDArray[Any]) -> None:
        """Raise FileFormatError if a row that is read for the first time differs from its checksum."""
        for row in (np.flatnonzero(self._unread[row_from : row_from + len(rows)]) + row_from).tolist():
            if zlib.crc32(rows[row - row_from].data) != self._sums[row]:
                problem = f"row {row} is damaged: its bytes differ from their checksum; delete the file to start again"
                raise FileFormatError(path, problem)
            self._unread[row] = False

    def to_bytes(self) -> bytes:
        """The checksums as they are in the file."""
        return self._sums.tobytes()

    def take(self, path: Path, data: bytes, crc: int) -> None:
        """Take the checksums from the file; FileFormatError if they differ from their own checksum."""
        if len(data) != self.nbytes or zlib.crc32(data) != crc:
            raise FileFormatError(path, "its checksums are damaged; delete it to start again")
        self._sums[:] = np.frombuffer(data, dtype="<u4")
        self._known[:] = self._unread[:] = True
