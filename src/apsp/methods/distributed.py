"""The interface of methods that are distributed over many processes, which all run the same program."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol, TypeAlias

import numpy.typing as npt

from apsp.gpu.page import Page
from apsp.methods.problem import KernelProgress

__all__ = ["Arrival", "Connection", "Distributed", "Number", "Parcel"]

Parcel: TypeAlias = tuple[npt.NDArray[Any], int]
"""A host array without gaps, and the rank of the process that it goes to or comes from."""


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

    def result(self) -> int:
        """Wait for it."""
        ...


class Connection(Protocol):
    """Connects the processes, which are numbered along the rows of a grid.

    Attributes
    ----------
    rank, size : int
        The number of this process, and of processes.
    """

    rank: int
    size: int

    def form(self, shape: tuple[int, int]) -> None:
        """Set the rows and columns of the grid; all processes call it, before they send along it."""
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

    def exchange(self, sent: Sequence[Parcel], received: Sequence[Parcel]) -> None:
        """Send arrays to processes and receive others; those between two processes arrive in the order given."""
        ...


class Distributed(Protocol):
    """The part of one process of a problem. All processes make the same calls.

    Attributes
    ----------
    facts : mapping
        How the work is distributed, for `Result.info`.
    shape : (int, int)
        Rows and columns of the grid of processes.
    """

    facts: Mapping[str, Any]
    shape: tuple[int, int]

    def close(self, progress: KernelProgress | None) -> None:
        """Compute all distances.

        Raises
        ------
        NegativeCycleError, DtypeRangeError
            In all processes.
        """
        ...

    def rows(self, start: int, stop: int, collector: int) -> npt.NDArray[Any] | None:
        """Collect rows in one process; None in the others."""
        ...
