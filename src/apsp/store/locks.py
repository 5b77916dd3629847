"""Locked files, which show other processes what this one works on.

A lock ends with its process, also after `kill -9`, so there are no locks to clear away. The file is removed when its
lock is released; a process that opened it before finds out by its number.

Without locks on a file system, `take` always succeeds: then two runs may compute the same band. They write the same
bytes, each in one step, so that only time is lost.
"""

from __future__ import annotations

import contextlib
import io
import os
from pathlib import Path

from apsp.system.file_locks import locked, remove_and_close

__all__ = ["Lock"]


class Lock:
    """A file that is locked from `take` to `release`.

    Parameters
    ----------
    path : Path
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file: io.FileIO | None = None

    def take(self) -> bool:
        """Create and lock the file; False if another process, or another call of this one, has locked it.

        Raises
        ------
        OSError
            If it cannot be created.
        """
        while True:
            self._file = io.FileIO(self._path, "a")
            if self._is_mine():
                if self._is_at_path():
                    return True
                self._file.close()  # it was released, and its file removed, before this process locked it
            else:
                self._file.close()
                return False

    def release(self) -> None:
        """Remove the file and unlock it, unless this has been done or `take` has failed."""
        if self._file is None or self._file.closed:
            return
        with contextlib.suppress(OSError):
            if self._is_mine():
                remove_and_close(self._path, self._file.close)
        self._file.close()

    def _is_mine(self) -> bool:
        assert self._file is not None
        try:
            return locked(self._file.fileno())
        except OSError:  # a file system without locks
            return True

    def _is_at_path(self) -> bool:
        assert self._file is not None
        try:
            return os.path.samestat(os.fstat(self._file.fileno()), self._path.stat())
        except FileNotFoundError:
            return False
