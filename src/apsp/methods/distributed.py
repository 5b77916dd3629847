"""The interface of methods that are distributed over many processes, which all run the same program."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

from apsp.gpu.page import Page
from apsp.methods.problem import KernelProgress

__all__ = ["Arrival", "Band", "Checkpoints", "Connection", "Distances", "Distributed", "Number", "Parcel", "Saving"]

Parcel: TypeAlias = tuple[npt.NDArray[Any], int]
"""A host array without gaps, and the rank of the process that it goes to or comes from."""

Band: TypeAlias = tuple[int, int, int]
"""Rows (from, to), and the rank of the process that collects them."""


class Saving(Protocol):
    """Saves the parts of all processes between two steps."""

    def is_due(self) -> bool:
        """Whether this process wants it; if one does, all save."""
        ...

    def save(self, step: int) -> None:
        """Save the part of this process, which is ready for a step; the same error in all processes if one fails."""
        ...


class Checkpoints(Protocol):
    """The saved parts of one process, of at most two steps; locked for this run until `close`."""

    @property
    def steps(self) -> tuple[int, ...]:
        """The steps that were saved."""
        ...

    def write(self, step: int) -> None:
        """Save the part as ready for a step, in place of the older one of the two."""
        ...

    def read(self, step: int) -> None:
        """Read the part that was saved for a step."""
        ...

    def remove(self) -> None:
        """Remove what was saved."""
        ...

    def close(self) -> None:
        """Unlock."""
        ...


class Arrival(Protocol):
    """A broadcast on its way."""

    def advance(self) -> None:
        """Let it go on, if the software needs to be called for that; never waits."""
        ...

    def wait(self) -> None:
        """Return when the page may be read, and at its source overwritten."""
        ...


class Number(Protocol):
    """A number on its way."""

    def advance(self) -> None:
        """As for a broadcast."""
        ...

    def result(self) -> int:
        """Wait for it."""
        ...


class Connection(Protocol):
    """Connects the processes, which are numbered along the rows of a grid.

    Attributes
    ----------
    rank, size : int
        The number of this process, and of processes.
    shares_memory : bool
        Some processes may share pages along their row or column of the grid.
    """

    rank: int
    size: int
    shares_memory: bool

    def form(self, shape: tuple[int, int]) -> None:
        """Set the rows and columns of the grid; all processes call it, before they send along it."""
        ...

    def shared_along_row(self, rows: int, columns: int, dtype: npt.DTypeLike) -> Page | None:
        """Allocate a page that the processes of this row of the grid share, or None: then each needs its own.

        All processes call this. What one writes there, the others may read after the broadcast of this page.
        """
        ...

    def shared_along_column(self, rows: int, columns: int, dtype: npt.DTypeLike) -> Page | None:
        """As `shared_along_row`, along this column of the grid."""
        ...

    def shared(self, rows: int, columns: int, dtype: npt.DTypeLike) -> npt.NDArray[Any] | None:
        """Allocate a host array that all processes share, or None; all processes call this."""
        ...

    def along_row(self, page: Page, source: int) -> Arrival:
        """Begin to send a page from the process in this column of the grid to all others of the same row."""
        ...

    def along_column(self, page: Page, source: int) -> Arrival:
        """Begin to send a page from the process in this row of the grid to all others of the same column."""
        ...

    def largest(self, number: int) -> Number:
        """Begin to find the largest of the numbers that all processes give."""
        ...

    def union(self, flags: npt.NDArray[np.uint8]) -> None:
        """Replace the flags (0 or 1) by those of any process, in all."""
        ...

    def exchange(self, sent: Sequence[Parcel], received: Sequence[Parcel]) -> None:
        """Send arrays to processes and receive others; those between two processes arrive in the order given."""
        ...

    def release(self) -> None:
        """Free what `form` has made."""
        ...


class Distributed(Protocol):
    """The part of one process of a problem. All processes make the same calls."""

    @property
    def facts(self) -> Mapping[str, Any]:
        """How the work is distributed, for `Result.info`."""
        ...

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns of the grid of processes."""
        ...

    def checkpoints(self, folder: Path) -> Checkpoints:
        """Open what was saved of this part in a folder, if anything.

        Raises
        ------
        RequestError
            If it was saved of another problem, with what differs, or another run uses it.
        """
        ...

    def close(self, progress: KernelProgress | None, *, first: int = 0, saving: Saving | None = None) -> None:
        """Compute all values; from a step on, if the part was read that was saved for it.

        Raises
        ------
        NegativeCycleError, DtypeRangeError
            In all processes.
        """
        ...

    def write(self, into: npt.NDArray[Any]) -> None:
        """Write the values of this process into the whole matrix, which all processes share."""
        ...

    def bands(self, wanted: Sequence[Band], into: npt.NDArray[Any] | None = None) -> npt.NDArray[Any] | None:
        """Collect bands of rows, each in another process; None in those that collect none.

        Parameters
        ----------
        wanted : sequence of Band
            The same in all processes.
        into : array without gaps, optional
            Where this process wants its band; by default in a new array.
        """
        ...


class Distances(Distributed, Protocol):
    """The part of one process of a matrix of distances."""

    def tight_arcs(self) -> npt.NDArray[np.uint8]:
        """Return for every arc of the graph whether it is a shortest path itself."""
        ...
