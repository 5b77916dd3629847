"""What all processes do, for distances and bits: allocate the matrix, compute it with checkpoints, collect its rows."""

from __future__ import annotations

import contextlib
import functools
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from apsp.gpu.memory import free_on_failure
from apsp.graph.model import Graph
from apsp.methods.communicator import Communicator
from apsp.methods.distributed import Checkpoints, Connection, Distributed
from apsp.methods.problem import KernelProgress
from apsp.spmd.job import accepted
from apsp.spmd.together import exchanging, together
from apsp.system.arguments import number

__all__ = ["CHECKPOINT_SECONDS", "Checkpointed", "Whole", "closed", "collect", "form", "rows_at_once", "shared"]

CHECKPOINT_SECONDS = 600.0

_BAND_BYTES = 1 << 26
"""Bytes of the rows that are collected at a time."""

Matrix = TypeVar("Matrix", bound=Distributed)


def shared(comm: Communicator, graph: Any) -> Graph:
    """Return the graph of process 0, in all processes."""
    given = together(comm, lambda: accepted(graph) if comm.rank == 0 else None)
    found = comm.bcast(given)
    assert isinstance(found, Graph)
    return found


class Checkpointed:
    """Where and how often a run saves its parts.

    Parameters
    ----------
    folder : callable
        Returns the folder, or None for none; may raise.
    seconds : float
        Least time between two checkpoints.
    """

    def __init__(self, comm: Communicator, folder: Callable[[], Path | None], seconds: Any) -> None:
        self.folder = together(comm, folder)
        self.seconds = together(comm, lambda: number(seconds, "checkpoint_seconds", least=0))


@dataclass
class _Saving:
    """The checkpoints of a run.

    Attributes
    ----------
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
def _saving(comm: Communicator, matrix: Distributed, folder: Path | None, seconds: float) -> Iterator[_Saving | None]:
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
        yield _Saving(comm, files, seconds, first)
    finally:
        for files in opened:
            files.close()


def _opened(matrix: Distributed, folder: Path, opened: list[Checkpoints]) -> Checkpoints:
    opened.append(matrix.checkpoints(folder))
    return opened[-1]


def form(comm: Communicator, connection: Connection, shape: tuple[int, int], gpu: int | None = None) -> None:
    """Connect the processes along the rows and columns of a grid; GPUs of several hosts while the matrix is made."""
    with exchanging(comm), _on(gpu):
        connection.form(shape)


@contextlib.contextmanager
def closed(
    comm: Communicator,
    make: Callable[[], Matrix],
    saved: Checkpointed,
    progress: KernelProgress | None,
    gpu: int | None = None,
) -> Iterator[Matrix]:
    """Allocate a matrix and compute it, on a GPU if one is named. Checkpoints are removed at the end of the context,
    unless it fails.
    """
    matrix = together(comm, make)
    with _saving(comm, matrix, saved.folder, saved.seconds) as saving:
        with exchanging(comm), _on(gpu):
            matrix.close(progress, first=0 if saving is None else saving.first, saving=saving)
        yield matrix
        if saving is not None:
            saving.remove()


def _on(gpu: int | None) -> contextlib.AbstractContextManager[None]:
    """Work on a GPU, whose errors become those of this package; None for the CPU."""
    return contextlib.nullcontext() if gpu is None else free_on_failure((gpu,))


def collect(
    comm: Communicator,
    matrix: Distributed,
    rows: int,
    row_bytes: int,
    *,
    into: npt.NDArray[Any] | None = None,
    take: Callable[[npt.NDArray[Any]], None] | None = None,
) -> None:
    """Collect all rows in process 0, some at a time; all call this.

    Parameters
    ----------
    rows, row_bytes : int
        The number of rows, and the bytes of one.
    into : array, optional
        In process 0: where the rows are written.
    take : callable, optional
        In process 0: takes the rows, instead.
    """
    height = rows_at_once(rows, row_bytes)
    for start in range(0, rows, height):
        stop = min(start + height, rows)
        with exchanging(comm):
            found = matrix.bands([(start, stop, 0)], None if into is None else into[start:stop])
        together(comm, functools.partial(_taken, take, found))


def rows_at_once(rows: int, row_bytes: int) -> int:
    """Return the rows that are collected at a time."""
    return min(max(_BAND_BYTES // max(row_bytes, 1), 1), max(rows, 1))


def _taken(take: Callable[[npt.NDArray[Any]], None] | None, found: npt.NDArray[Any] | None) -> None:
    if take is not None and found is not None:
        take(found)


class Whole:
    """The whole matrix, which process 0 returns: its memory, allocated before the work by all processes together.

    If all processes are on one machine, they share it and write to it side by side; otherwise process 0 collects rows.
    """

    def __init__(
        self, comm: Communicator, connection: Connection, rows: int, columns: int, dtype: npt.DTypeLike
    ) -> None:
        self._comm, self._rows, self._row_bytes = comm, rows, columns * np.dtype(dtype).itemsize
        with exchanging(comm):
            self._shared = connection.shared(rows, columns, dtype)
        self._values = self._shared
        if self._shared is None:
            self._values = together(comm, lambda: np.empty((rows, columns), dtype=dtype) if comm.rank == 0 else None)

    def of(self, matrix: Distributed) -> npt.NDArray[Any] | None:
        """Return the values of a matrix in process 0; None in the others."""
        if self._shared is None:
            collect(self._comm, matrix, self._rows, self._row_bytes, into=self._values)
        else:
            with exchanging(self._comm):
                matrix.write(self._shared)
            self._comm.allgather(None)  # all have written
        return self._values if self._comm.rank == 0 else None
