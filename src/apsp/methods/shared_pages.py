"""Pages in memory that processes of one machine share.

Input: a communicator. The pages are mapped from a file in a file system in memory, which loses its name as
soon as all have opened it: nothing is left when they end, however they end. (MPI can share memory, too, but a process
ends with SIGBUS if that file system is full.)
"""

from __future__ import annotations

import contextlib
import mmap
import os
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from apsp.methods.communicator import Communicator
from apsp.system.host import host_identity

__all__ = ["may_share", "shared_page"]

_FOLDER = Path("/dev/shm")  # noqa: S108 - not for files that stay

_KEPT_FREE = 2
"""Times the bytes of a page that must be free there: MPI and other programs use it, too."""


def may_share(comm: Communicator) -> bool:
    """Whether the processes of a communicator are on one machine, all of them; all call this."""
    hosts = comm.allgather(host_identity() if _has_files_in_memory() else None)
    return hosts[0] is not None and all(host == hosts[0] for host in hosts)


def shared_page(comm: Communicator, rows: int, columns: int, dtype: npt.DTypeLike) -> npt.NDArray[Any] | None:
    """Allocate a page that all processes of a communicator share; None, in all of them, if that fails in one."""
    dtype = np.dtype(dtype)
    size = rows * columns * dtype.itemsize
    if size == 0:
        return None
    name = _made(size) if comm.rank == 0 else None
    found = None
    try:
        path = comm.bcast(name)
        found = None if path is None else _mapped(Path(path), size, comm.rank, comm.size)
        everywhere = all(comm.allgather(found is not None))
    finally:
        if name is not None:
            with contextlib.suppress(OSError):
                Path(name).unlink()
    if not everywhere or found is None:
        return None
    return np.frombuffer(found, dtype=dtype).reshape(rows, columns)


def _has_files_in_memory() -> bool:
    return sys.platform != "win32" and hasattr(os, "posix_fallocate")


def _made(size: int) -> str | None:
    """Make a file of this size, without memory; None if there is too little."""
    if sys.platform == "win32":
        return None
    try:
        free = os.statvfs(_FOLDER)
        if _KEPT_FREE * size > free.f_bavail * free.f_frsize:
            return None
        handle, name = tempfile.mkstemp(dir=_FOLDER, prefix="apsp-")
    except OSError:
        return None
    try:
        os.truncate(handle, size)
    except OSError:
        os.unlink(name)  # noqa: PTH108
        return None
    finally:
        os.close(handle)
    return name


def _mapped(path: Path, size: int, rank: int, processes: int) -> mmap.mmap | None:
    """Map the file, of which each process allocates a part; None if there is too little memory."""
    if sys.platform == "win32" or sys.platform == "darwin":
        return None
    first, last = (size * place // processes for place in (rank, rank + 1))
    try:
        with path.open("r+b") as file:
            if first < last:
                os.posix_fallocate(file.fileno(), first, last - first)
            return mmap.mmap(file.fileno(), size)
    except (OSError, ValueError):
        return None
