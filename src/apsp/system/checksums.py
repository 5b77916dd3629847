"""Checksums of the arrays of a file, one per block of bytes, so that a part can be checked without the rest."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from apsp.errors import FileFormatError
from apsp.system.progress import ProgressReport, offset

__all__ = ["BLOCK", "BlockSums", "Unchecked", "check_all"]

BLOCK = 1 << 20
"""Bytes per checksum."""


class BlockSums:
    """The checksums (CRC-32) of bytes that arrive in pieces."""

    def __init__(self) -> None:
        self._done: list[int] = []
        self._sum, self._size = 0, 0

    def add(self, piece: bytes | memoryview) -> None:
        """Add the next bytes."""
        rest = memoryview(piece).cast("B") if piece else memoryview(b"")
        while rest:
            part = rest[: BLOCK - self._size]
            self._sum, self._size = zlib.crc32(part, self._sum), self._size + len(part)
            rest = rest[len(part) :]
            if self._size == BLOCK:
                self._close()

    def sums(self) -> list[int]:
        """One for each block; the last may be shorter."""
        if self._size:
            self._close()
        return self._done

    def _close(self) -> None:
        self._done.append(self._sum)
        self._sum, self._size = 0, 0


@dataclass
class Unchecked:
    """An array that lies in a file, and the checksums that its bytes should have.

    Attributes
    ----------
    path, member : where it lies
    array : mapped array
    sums : sequence of int
        One per block; or a single one of all bytes and those before them, whose checksum is `before`.
    block : int
        Bytes per checksum.
    """

    path: Path
    member: str
    array: npt.NDArray[Any]
    sums: Sequence[int]
    before: int | None = None
    block: int = BLOCK
    _done: bool = False

    def check(self, told: Callable[[int], None] | None = None) -> None:
        """Check all bytes, unless this has been done; `told` is called with their number.

        Raises
        ------
        FileFormatError
            If they are damaged.
        """
        if self._done:
            return
        found = self.before or 0
        for block, part in enumerate(_parts_of(self.array, self.block)):
            found = zlib.crc32(part, 0 if self.before is None else found)
            if self.before is None and found != self.sums[block]:
                first = block * self.block // self.array.itemsize
                raise self._damaged(f", at its element {first} or soon after")
            if told is not None:
                told(block * self.block + len(part))
        if self.before is not None and found != self.sums[0]:
            raise self._damaged("")
        self._done = True

    def _damaged(self, place: str) -> FileFormatError:
        words = f"{self.member} is damaged{place}: its bytes differ from their checksum; fetch or create the file again"
        return FileFormatError(self.path, words)


def check_all(arrays: Sequence[Unchecked], report: ProgressReport | None = None) -> None:
    """Check all bytes of some arrays.

    Raises
    ------
    FileFormatError
        If an array is damaged; the message names the first.
    """
    total, done = sum(array.array.nbytes for array in arrays), 0
    for array in arrays:
        array.check(offset(report, "bytes checked", done, total))
        done += array.array.nbytes


def _parts_of(array: npt.NDArray[Any], size: int) -> Iterator[memoryview]:
    """Yield the bytes of a contiguous array in blocks."""
    if array.size:
        whole = np.asarray(array).reshape(-1).view(np.uint8).data
        for start in range(0, len(whole), size):
            yield whole[start : start + size]
