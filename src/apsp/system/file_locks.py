"""Locks of open files, which end with their process, however it ends; and the removal of such files."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

__all__ = ["locked", "open_files_stay", "remove_and_close"]


def locked(handle: int, *, wait: bool = False) -> bool:
    """Lock an open file for this process until it is closed; False if another process has locked it.

    Parameters
    ----------
    wait : bool
        Wait until no other process has locked it.

    Raises
    ------
    OSError
        On a file system without locks.
    """
    if sys.platform == "win32":
        from apsp.system.windows import locked_byte

        return locked_byte(handle, wait=wait)
    try:
        import fcntl
    except ImportError:  # a system with one process, such as WebAssembly
        return True
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
    except BlockingIOError:
        return False
    return True


def open_files_stay() -> bool:
    """Whether this system, Windows, neither removes nor renames open files."""
    return sys.platform == "win32"


def remove_and_close(path: Path, close: Callable[[], object]) -> None:
    """Remove a file, if it exists, and close it: in this order where the system allows it, since others may lock it.

    Raises
    ------
    OSError
        If it cannot be removed; it is closed then.
    """
    try:
        if not open_files_stay():
            path.unlink(missing_ok=True)
    finally:
        close()
    if open_files_stay():
        path.unlink(missing_ok=True)
