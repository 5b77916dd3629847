"""A device for the driver of strips: its kernels, and concurrent queues of work.

Input and output: pages of a `Backend`. The idea: the driver only queues work and its dependencies, so that transfers,
kernels and the other devices overlap; on the CPU everything is done immediately, in the same order.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from types import TracebackType
from typing import Any, Literal, Protocol

import numpy as np
import numpy.typing as npt

from apsp.errors import MemoryLimitError
from apsp.gpu.page import Page
from apsp.methods.backend import Backend, CpuBackend

__all__ = ["PASSED", "CpuLane", "Lane", "Mark", "Pinning", "Queue"]

Queue = Literal["compute", "load", "store", "send"]
"""The queues: kernels; from the host; to the host; to other devices."""


class Mark(Protocol):
    """A position in a queue, passed when everything before it is done."""

    @property
    def done(self) -> bool:
        """Whether it is passed."""
        ...

    def synchronize(self) -> None:
        """Wait for it."""
        ...


class Pinning(Protocol):
    """A context manager that may take seconds to enter, and raises MemoryLimitError if the system cannot pin the
    memory.
    """

    def __enter__(self) -> None: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None, /
    ) -> None: ...

    def cancel(self) -> None:
        """Make entering fail soon if it is not done yet; called by another thread."""
        ...


class Lane(Protocol):
    """One device: its `Backend`, its queues and their synchronization.

    Attributes
    ----------
    backend : Backend
        Its kernels are added to the current queue (`on`).
    shares_host : bool
        Whether pages of the device are in host memory.
    """

    backend: Backend
    shares_host: bool

    def on(self, queue: Queue) -> AbstractContextManager[None]:
        """Add the work of the context to this queue."""
        ...

    def mark(self, queue: Queue) -> Mark:
        """Return a mark at the end of the queue."""
        ...

    def wait(self, queue: Queue, marks: Sequence[Mark]) -> None:
        """Make the queue wait for these marks, of this lane or another; the caller does not wait."""
        ...

    def allocate(self, rows: int, columns: int, dtype: npt.DTypeLike) -> Page:
        """Allocate a page of the device; MemoryLimitError if its memory is used up."""
        ...

    def staging(self, rows: int, columns: int, dtype: npt.DTypeLike) -> npt.NDArray[Any]:
        """Allocate a contiguous host array for the fastest copies to and from this device."""
        ...

    def pinned(self, array: npt.NDArray[Any]) -> Pinning:
        """Pin a host array within the context, for fast copies by all devices."""
        ...

    def copy(self, source: Page, target: Page) -> None:
        """Copy in the current queue; either page may be on the host, in an array from `pinned` or `staging`."""
        ...

    def send(self, source: Page, target: Page, to: Lane) -> None:
        """Copy in the current queue to a page of another lane, of the same shape and row stride."""
        ...

    def end(self) -> None:
        """Wait for all queues and free unused memory; never raises."""
        ...


class _Passed:
    done = True

    def synchronize(self) -> None:
        """Return at once: the mark is passed."""


class _NoPinning:
    def __enter__(self) -> None:
        pass

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None, /
    ) -> None:
        pass

    def cancel(self) -> None:
        """Do nothing: there is nothing to cancel."""


PASSED: Mark = _Passed()
"""The mark of work that is done."""


class CpuLane:
    """The CPU: all work is done immediately.

    Parameters
    ----------
    backend : Backend or int
        For pages that are NumPy arrays; a number means `CpuBackend` with this number of threads.
    """

    shares_host = True

    def __init__(self, backend: Backend | int) -> None:
        self.backend: Backend = CpuBackend(backend) if isinstance(backend, int) else backend

    def on(self, queue: Queue) -> AbstractContextManager[None]:  # noqa: ARG002
        """Add the work of the context to this queue."""
        return nullcontext()

    def mark(self, queue: Queue) -> Mark:  # noqa: ARG002
        """Return a mark at the end of the queue."""
        return PASSED

    def wait(self, queue: Queue, marks: Sequence[Mark]) -> None:
        """Make the queue wait for these marks."""

    def allocate(self, rows: int, columns: int, dtype: npt.DTypeLike) -> Page:
        """Allocate a page of the device."""
        try:
            return self.backend.allocate(rows, columns, dtype)
        except MemoryError as error:
            if isinstance(error, MemoryLimitError):
                raise
            needed = rows * columns * np.dtype(dtype).itemsize
            raise MemoryLimitError("a strip of the matrix", needed, 0, ["less memory for other programs"]) from error

    def staging(self, rows: int, columns: int, dtype: npt.DTypeLike) -> npt.NDArray[Any]:
        """Allocate a host array for fast copies."""
        return np.empty((rows, columns), dtype=dtype)

    def pinned(self, array: npt.NDArray[Any]) -> Pinning:  # noqa: ARG002
        """Pin a host array within the context."""
        return _NoPinning()

    def copy(self, source: Page, target: Page) -> None:
        """Copy a page in the current queue."""
        self.backend.copy(source, target)

    def send(self, source: Page, target: Page, to: Lane) -> None:  # noqa: ARG002
        """Copy a page to another lane in the current queue."""
        self.backend.copy(source, target)

    def end(self) -> None:
        """Wait for all queues and free the memory."""
