"""What Windows offers and the standard library of Python does not: locks of open files, and the memory there is."""

from __future__ import annotations

import ctypes
import sys

__all__ = ["locked_byte", "memory"]

_EXCLUSIVE, _AT_ONCE = 2, 1  # LOCKFILE_EXCLUSIVE_LOCK, LOCKFILE_FAIL_IMMEDIATELY
_LOCK_VIOLATION = 33
_FAR = 1 << 30
"""In units of 4 GiB: the byte that is locked lies behind every content, since no other process may read it."""


class Overlapped(ctypes.Structure):
    """The position of a lock."""

    _fields_ = (
        ("internal", ctypes.c_size_t),
        ("internal_high", ctypes.c_size_t),
        ("offset", ctypes.c_uint32),
        ("offset_high", ctypes.c_uint32),
        ("event", ctypes.c_void_p),
    )


class MemoryStatus(ctypes.Structure):
    """The memory of the machine."""

    _fields_ = (
        ("length", ctypes.c_uint32),
        ("load", ctypes.c_uint32),
        *((name, ctypes.c_uint64) for name in (
            "total", "available", "total_page_file", "available_page_file", "total_virtual", "available_virtual",
            "available_extended",
        )),
    )  # fmt: skip


def locked_byte(handle: int, *, wait: bool = False) -> bool:
    """Lock a byte of an open file for this process until it is closed; False if another process has locked it.

    Raises
    ------
    OSError
    """
    if sys.platform != "win32":
        raise OSError("locks of Windows")
    import msvcrt

    kernel = ctypes.WinDLL("kernel32", use_last_error=True)
    file = ctypes.c_void_p(msvcrt.get_osfhandle(handle))
    place = Overlapped(offset_high=_FAR)
    # What this process has locked could not be locked a second time.
    kernel.UnlockFileEx(file, 0, 1, 0, ctypes.byref(place))
    if kernel.LockFileEx(file, _EXCLUSIVE | (0 if wait else _AT_ONCE), 0, 1, 0, ctypes.byref(place)):
        return True
    number = ctypes.get_last_error()
    if number == _LOCK_VIOLATION:
        return False
    raise ctypes.WinError(number)


def memory() -> tuple[int, int] | None:
    """Total and available bytes of the machine; None if Windows does not say."""
    if sys.platform != "win32":
        return None
    status = MemoryStatus(length=ctypes.sizeof(MemoryStatus))
    if not ctypes.WinDLL("kernel32").GlobalMemoryStatusEx(ctypes.byref(status)):
        return None
    return status.total, min(status.available, status.available_page_file)
