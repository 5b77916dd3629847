"""Reading and writing at positions of an open file, by several threads at the same time."""

from __future__ import annotations

import io
import os
import sys
import threading

__all__ = ["read_at", "write_at"]

_moving = threading.Lock()


def read_at(handle: int, buffer: memoryview, position: int) -> int:
    """Fill a buffer, or its beginning, from a position; return the number of bytes read, 0 at the end of the file."""
    if sys.platform != "win32" and hasattr(os, "preadv"):
        return os.preadv(handle, [buffer], position)
    with _moving, io.FileIO(handle, "r", closefd=False) as file:
        file.seek(position)
        return file.readinto(buffer)


def write_at(handle: int, data: bytes | memoryview, position: int) -> int:
    """Write bytes, or the first of them, at a position; return the number of bytes written."""
    if sys.platform != "win32" and hasattr(os, "pwrite"):
        return os.pwrite(handle, data, position)
    with _moving, io.FileIO(handle, "r+", closefd=False) as file:
        file.seek(position)
        return file.write(data)
