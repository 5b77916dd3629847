"""Calls that all processes make: if one fails, all get the error or end, so that none waits for another forever."""

from __future__ import annotations

import contextlib
import os
import time
import traceback
from collections.abc import Callable, Iterator
from typing import Any, NoReturn, TypeVar

from apsp.errors import (
    ApspError,
    DtypeRangeError,
    MissingDependencyError,
    NegativeCycleError,
    OutputError,
    RequestError,
)
from apsp.system.engine.launcher import started_processes
from apsp.system.lack_of_memory import memory_errors

__all__ = ["end_all", "exchanging", "say", "together", "world"]

Found = TypeVar("Found")

_PASSING_ON = 0.2
"""Seconds."""


def world() -> Any:
    """Return the communicator of all processes that were started.

    Raises
    ------
    MissingDependencyError
        If mpi4py is not installed.
    RequestError
        If several processes were started, and MPI does not connect them.
    """
    try:
        from mpi4py import MPI
    except ImportError as error:
        raise MissingDependencyError("mpi4py", "apsp.spmd", "mpi") from error
    comm, started = MPI.COMM_WORLD, started_processes()
    if comm.Get_size() == 1 and started > 1:
        library = MPI.Get_library_version().split(",")[0].split("\n")[0].strip()
        raise RequestError(
            f"{started} processes were started, but MPI does not connect them: start them by the mpirun of the MPI "
            f"library of mpi4py ({library}) or by srun --mpi=pmi2 or pmix; torchrun starts none for MPI"
        )
    return comm


def together(comm: Any, act: Callable[[], Found]) -> Found:
    """Act in all processes; if one fails, raise its error in all: that of the lowest rank, if several fail."""
    found: Any = None
    error: Exception | None = None

    def attempt() -> Found:
        return act()

    attempt.__qualname__ = "spmd"  # in the message of a lack of memory
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


@contextlib.contextmanager
def exchanging(comm: Any) -> Iterator[None]:
    """Within the context, processes send to each other: an error that only one has ends all of them.

    The others may wait for what it should have sent. Errors of the graph, and those of `together`, are raised in all.
    """
    try:
        yield
    except (NegativeCycleError, DtypeRangeError, OutputError):
        raise
    except BaseException as error:
        if comm.Get_size() == 1:
            raise
        stopped = isinstance(error, (SystemExit, KeyboardInterrupt))
        if isinstance(error, ApspError):
            say(f"apsp: error: process {comm.Get_rank()}: {error}\n")
        elif not stopped:
            say("".join(traceback.format_exception(error)))
        code = getattr(error, "code", None)
        end_all(comm, code if isinstance(code, int) else 130 if stopped else 1)


def say(text: str) -> None:
    """Write to standard error at once, and wait until the launcher has passed it on."""
    with contextlib.suppress(OSError):
        os.write(2, text.encode(errors="replace"))
        time.sleep(_PASSING_ON)


def end_all(comm: Any, code: int) -> NoReturn:
    """End all processes at once."""
    comm.Abort(code)
    os._exit(code)  # some libraries return
