"""Calls that all processes make: if one fails, all get the error, so that none waits for another forever."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from apsp.errors import ApspError, MissingDependencyError
from apsp.system.lack_of_memory import memory_errors

__all__ = ["together", "world"]

Found = TypeVar("Found")


def world() -> Any:
    """Return the communicator of all processes that were started.

    Raises
    ------
    MissingDependencyError
        If mpi4py is not installed.
    """
    try:
        from mpi4py import MPI
    except ImportError as error:
        raise MissingDependencyError("mpi4py", "apsp.spmd", "mpi") from error
    return MPI.COMM_WORLD


def together(comm: Any, act: Callable[[], Found]) -> Found:
    """Act in all processes; if one fails, raise its error in all: that of the lowest rank, if several fail."""
    found: Any = None
    error: Exception | None = None

    def attempt() -> Found:
        return act()

    attempt.__qualname__ = "spmd.solve"  # in the message of a lack of memory
    try:
        found = memory_errors(attempt)()
    except ApspError as failure:
        error = failure
    except Exception as failure:  # a defect: the others get its words, since it may have no pickle
        comm.allgather(RuntimeError(f"process {comm.Get_rank()}: {failure!r}"))
        raise
    errors = [failure for failure in comm.allgather(error) if failure is not None]
    if error is not None:
        raise error
    if errors:
        raise errors[0]
    done: Found = found
    return done
