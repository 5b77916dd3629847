"""When all processes save their parts, and from which step they go on."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from apsp.methods.communicator import Communicator
from apsp.methods.distributed import Checkpoints, Distributed
from apsp.spmd.together import together

__all__ = ["Checkpointing", "checkpointing"]


@dataclass
class Checkpointing:
    """The checkpoints of a run.

    Attributes
    ----------
    comm : Communicator
    files : Checkpoints
        Of this process.
    seconds : float
        Between two checkpoints; the first process counts them.
    first : int
        The step from which the run goes on.
    """

    comm: Communicator
    files: Checkpoints
    seconds: float
    first: int
    _last: float = field(default_factory=time.monotonic, init=False)

    def is_due(self) -> bool:
        """Whether the time has come, in the first process."""
        return self.comm.rank == 0 and time.monotonic() - self._last >= self.seconds

    def save(self, step: int) -> None:
        """Save the part of this process; returns when all have saved theirs."""
        together(self.comm, lambda: self.files.write(step))
        self._last = time.monotonic()

    def remove(self) -> None:
        """Remove the files, when the work of all processes is done."""
        together(self.comm, self.files.remove)


@contextlib.contextmanager
def checkpointing(
    comm: Communicator, matrix: Distributed, folder: Path | None, seconds: float
) -> Iterator[Checkpointing | None]:
    """Open the checkpoints of a folder, and read the last one that all processes have; None without a folder.

    They stay if the work fails.
    """
    if folder is None:
        yield None
        return
    opened: list[Checkpoints] = []
    try:
        files = together(comm, lambda: _opened(matrix, folder, opened))
        common = set.intersection(*map(set, comm.allgather(files.steps)))
        first = max(common, default=0)
        if first > 0:
            together(comm, lambda: files.read(first))
        yield Checkpointing(comm, files, seconds, first)
    finally:
        for files in opened:
            files.close()


def _opened(matrix: Distributed, folder: Path, opened: list[Checkpoints]) -> Checkpoints:
    opened.append(matrix.checkpoints(folder))
    return opened[-1]
