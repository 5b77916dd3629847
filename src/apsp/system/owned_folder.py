"""Temporary folders that end with their process, also after `kill -9`: the next process that needs one removes them.

The process that made a folder locks it. The system unlocks it when the process ends, however it ends, so that a folder
without a lock is abandoned. The name holds the host, since locks of some file systems are known to one host only. On a
system without such locks, folders of killed processes stay.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path

from apsp.system.file_locks import locked
from apsp.system.host import host_identity

__all__ = ["OwnedFolder"]

_handles: dict[Path, int | None] = {}
"""The folders of this process, open and locked; None for one that cannot be locked."""


@dataclass(frozen=True)
class OwnedFolder:
    """A folder that only this user can read.

    Attributes
    ----------
    path : Path
    """

    path: Path

    @classmethod
    def create(cls, prefix: str) -> OwnedFolder:
        """Make a folder for temporary files, and remove those that killed processes of this user have left.

        Parameters
        ----------
        prefix : str
            The name begins with it.

        Raises
        ------
        OSError
        """
        prefix += hashlib.sha256("".join(host_identity()).encode()).hexdigest()[:8] + "-"
        _remove_abandoned(Path(tempfile.gettempdir()), prefix)
        while True:
            path = Path(tempfile.mkdtemp(prefix=prefix))
            try:
                handle = _locked(path)
            except FileNotFoundError:  # another process took it for abandoned before it was locked
                continue
            except OSError:
                _handles[path] = None
                return cls(path)
            if handle is None:
                continue
            if path.exists():
                _handles[path] = handle
                return cls(path)
            os.close(handle)

    def remove(self) -> None:
        """Remove the folder, and unlock it; a forked child does neither."""
        if self.path in _handles:
            shutil.rmtree(self.path, ignore_errors=True)
            handle = _handles.pop(self.path)
            if handle is not None:
                os.close(handle)


def _locked(path: str | os.PathLike[str]) -> int | None:
    """Open and lock a folder; None if another process has locked it.

    Raises
    ------
    OSError
        If it is none, or of another user, or if folders cannot be opened or locked.
    """
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_NOFOLLOW", 0))
    try:
        if hasattr(os, "getuid") and os.fstat(handle).st_uid != os.getuid():
            raise PermissionError(path)
        if locked(handle):
            return handle
    except BaseException:
        os.close(handle)
        raise
    os.close(handle)
    return None


def _remove_abandoned(parent: Path, prefix: str) -> None:
    """Remove the folders with these names that no living process has locked."""
    named = re.compile(re.escape(prefix) + r"[a-z0-9_]{8}")
    with contextlib.suppress(OSError), os.scandir(parent) as entries:
        for entry in entries:
            if named.fullmatch(entry.name):
                _remove_if_abandoned(entry.path)


def _remove_if_abandoned(name: str) -> None:
    with contextlib.suppress(OSError):  # it is of another user, or has just been removed
        handle = _locked(name)
        if handle is not None:
            shutil.rmtree(name, ignore_errors=True)
            os.close(handle)


def _close_handles() -> None:
    """In a forked child, which must not keep the folders of its parent locked."""
    for handle in _handles.values():
        if handle is not None:
            os.close(handle)
    _handles.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_close_handles)
