"""Locked files, which show other processes what this one works on.

A lock ends with its process, also after `kill -9`, so there are no locks to clear away. The file is removed when its
lock is released; a process that opened it before finds out by its number.

Without locks on a file system, `lock` always succeeds: then two runs may compute the same band. They write the same
bytes, each in one step, so that only time is lost.
"""

from __future__ import annotations

import contextlib
import os
from dataclasses import dataclass
from pathlib import Path

from apsp.system.replacing import locked

__all__ = ["Lock", "lock"]


@dataclass(frozen=True)
class Lock:
    """A locked file.

    Attributes
    ----------
    path : Path
    handle : int
        Of the open file.
    """

    path: Path
    handle: int

    def release(self) -> None:
        """Remove the file, and unlock it."""
        with contextlib.suppress(OSError):
            self.path.unlink()
        os.close(self.handle)


def lock(path: Path) -> Lock | None:
    """Create and lock a file; None if another process, or another call of this one, has locked it.

    Raises
    ------
    OSError
        If it cannot be created.
    """
    while True:
        handle = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), 0o666)
        try:
            mine = locked(handle)
        except OSError:  # a file system without locks
            return Lock(path, handle)
        if not mine:
            os.close(handle)
            return None
        if _is_at(handle, path):
            return Lock(path, handle)
        os.close(handle)  # it was released, and its file removed, before this process locked it


def _is_at(handle: int, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(handle), path.stat())
    except FileNotFoundError:
        return False
