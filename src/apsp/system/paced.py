"""A file that is written in small pieces which reach the disk soon, so that Ctrl-C is handled soon.

On a system that is busy writing, a process may wait inside one large write, and at the end inside fsync, without
handling signals. Here a write is at most a mebibyte, and older writes are waited for as the file grows.
"""

from __future__ import annotations

import ctypes
import errno
import functools
import io
import os
import sys
from collections.abc import Callable
from typing import Any

__all__ = ["PacedFile"]

_PIECE = 1 << 20
_SYNCED_AT_ONCE = 8 << 20
_BEHIND = 64 << 20
"""Bytes that the disk may still have to write: a disk that pauses for a moment does not stop the writer."""
_BEFORE, _WRITE, _AFTER = 1, 2, 4  # SYNC_FILE_RANGE_WAIT_BEFORE, _WRITE, _WAIT_AFTER


class PacedFile(io.FileIO):
    """An open file with the interface that `io.BufferedRandom` needs."""

    def __init__(self, handle: int) -> None:
        super().__init__(handle, "r+b")
        self._begun = self._done = 0
        """How far the disk has begun to write, and how far it has written."""

    def write(self, data: Any, /) -> int:
        """Write a piece, and wait for an older one; return the number of bytes written, as any raw file."""
        written = super().write(memoryview(data).cast("B")[:_PIECE])
        end = self.tell()
        if end - self._begun >= _SYNCED_AT_ONCE:
            _sync(self.fileno(), self._begun, end, _WRITE)
            self._begun = end
            while self._begun - self._done > _BEHIND:
                self._wait(self._done + _SYNCED_AT_ONCE)
        return written

    def sync(self) -> None:
        """Write everything to the disk, in pieces."""
        end = os.fstat(self.fileno()).st_size
        while self._done < end:
            self._wait(min(self._done + _SYNCED_AT_ONCE, end))
        os.fsync(self.fileno())

    def _wait(self, end: int) -> None:
        """Wait until the disk has written what lies before `end`."""
        _sync(self.fileno(), self._done, end, _BEFORE | _WRITE | _AFTER)
        self._done = end


def _sync(handle: int, start: int, end: int, flags: int) -> None:
    """Begin to write a part of a file, or wait until it is written."""
    function = _sync_file_range()
    if function is None:
        if flags & _AFTER:
            os.fsync(handle)
    elif function(handle, start, end - start, flags) != 0:
        number = ctypes.get_errno()
        if number in (errno.EIO, errno.ENOSPC, errno.EDQUOT):  # fsync would not report it a second time
            raise OSError(number, os.strerror(number))


@functools.cache
def _sync_file_range() -> Callable[[int, int, int, int], int] | None:
    """The function of the C library, which Linux has."""
    if not sys.platform.startswith("linux"):
        return None
    function = getattr(ctypes.CDLL(None, use_errno=True), "sync_file_range", None)
    if function is not None:
        function.argtypes = (ctypes.c_int, ctypes.c_int64, ctypes.c_int64, ctypes.c_uint)
    return function
