"""GPUs of a host that workers of any engine claim, one each.

Input: the names of the GPUs that a worker sees, and the folder of the run. Output: a `GpuClaim`. Errors: ExecutorError
if all GPUs have a worker, and they may not be shared.

The idea: a worker locks a file per GPU in the folder. The system unlocks it when the worker ends, however it ends, so
that the one that replaces it finds the GPU free. Workers may see the GPUs in different orders, so that names count.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import time
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path

from apsp.errors import ExecutorError
from apsp.system.file_locks import locked, remove_and_close
from apsp.system.host import host_identity

__all__ = ["CLAIM_SECONDS", "GpuClaim", "claim_gpu", "words_of_too_many"]

CLAIM_SECONDS = 5.0
"""For which a worker waits for one that is about to end."""

_SECONDS_BETWEEN_LOOKS = 0.05


@dataclass
class GpuClaim:
    """A GPU of this worker.

    Attributes
    ----------
    number : int
        Among those that it sees.
    path : Path
    handle : int or None
        The file that it has locked; None after `release`.
    """

    number: int
    path: Path
    handle: int | None

    def release(self) -> None:
        """Let another worker claim it, and leave no file."""
        if self.handle is not None:
            handle, self.handle = self.handle, None
            with contextlib.suppress(OSError):
                remove_and_close(self.path, lambda: os.close(handle))
                self.path.parent.rmdir()  # unless others have files there

    __del__ = release  # with the thread of the worker


def claim_gpu(
    names: Sequence[str | None], folder: Path, first: Sequence[int] = (), *, shared: bool = False,
    seconds: float = CLAIM_SECONDS,
) -> GpuClaim:  # fmt: skip
    """Claim a GPU that no other worker of the run has claimed.

    Parameters
    ----------
    names : sequence of str or None
        The GPUs that this worker sees, in their order; None for one that it cannot use.
    folder : Path
        Of the run on this host.
    first : sequence of int
        The numbers to look at first.
    shared : bool
        If all have a worker, share the one with the fewest.
    seconds : float
        For which to wait for a worker that is about to end.

    Raises
    ------
    ExecutorError
    """
    usable = [number for number, name in enumerate(names) if name is not None]
    order = [*(number for number in first if number in usable), *usable]
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
        until = time.monotonic() + seconds
        for sharing in count():
            for number in order:
                claim = _claimed(number, folder / f"{_hashed(names[number])}-{sharing if shared else 0}")
                if claim is not None:
                    return claim
            if not shared:
                if time.monotonic() > until:
                    break
                time.sleep(_SECONDS_BETWEEN_LOOKS)
    except OSError as error:
        raise ExecutorError(
            f"a worker of {host_identity()[0]} cannot claim a GPU in {folder}: {error.strerror or error}; name the "
            "GPUs that all workers use: device='cuda:0'"
        ) from error
    raise ExecutorError(words_of_too_many(f"on {host_identity()[0]}, all GPUs ({len(usable)}) have a worker"))


def words_of_too_many(what: str) -> str:
    """Say what helps if there are more workers than GPUs."""
    return f"{what}: start one worker per GPU, or name the GPUs that all workers share: device='cuda:0'"


def _claimed(number: int, path: Path) -> GpuClaim | None:
    handle = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), 0o600)
    try:
        if locked(handle) and _is_there(path, handle):
            return GpuClaim(number, path, handle)
    except BaseException:
        os.close(handle)
        raise
    os.close(handle)
    return None


def _is_there(path: Path, handle: int) -> bool:
    """Whether the file was not removed by another worker, before it was locked."""
    try:
        return os.path.samestat(path.stat(), os.fstat(handle))
    except FileNotFoundError:
        return False


def _hashed(name: str | None) -> str:
    return "gpu-" + hashlib.sha256(str(name).encode()).hexdigest()[:16]
