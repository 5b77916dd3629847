"""Calls that all processes make: if one fails, all get the error or end, so that none waits for another forever."""

from __future__ import annotations

import contextlib
import os
import time
import traceback
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from apsp.errors import ApspError, DtypeRangeError, NegativeCycleError, OutputError
from apsp.methods.communicator import Communicator
from apsp.system.lack_of_memory import memory_errors

__all__ = ["ending_all", "exchanging", "say", "together"]

Found = TypeVar("Found")

_PASSING_ON = 0.2
"""Seconds."""


def together(comm: Communicator, act: Callable[[], Found]) -> Found:
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
        comm.allgather(RuntimeError(f"process {comm.rank}: {failure!r}"))
        raise
    errors = [failure for failure in comm.allgather(error) if failure is not None]
    if error is not None:
        raise error
    if errors:
        raise errors[0]
    done: Found = found
    return done


@contextlib.contextmanager
def exchanging(comm: Communicator) -> Iterator[None]:
    """Within the context, processes send to each other: an error that only one has ends all of them.

    The others may wait for what it should have sent. Errors of the graph, and those of `together`, are raised in all.
    """
    try:
        with ending_all(comm):
            yield
    except (NegativeCycleError, DtypeRangeError, OutputError):
        raise
    except Exception as error:
        if comm.size == 1:
            raise
        if isinstance(error, ApspError):
            say(f"apsp: error: process {comm.rank}: {error}\n")
        else:
            say("".join(traceback.format_exception(error)))
        comm.abort(1)


@contextlib.contextmanager
def ending_all(comm: Communicator) -> Iterator[None]:
    """Within the context, Ctrl-C and an exit of one process end all of them."""
    try:
        yield
    except (SystemExit, KeyboardInterrupt) as stopped:
        if comm.size == 1:
            raise
        code = getattr(stopped, "code", None)
        comm.abort(code if isinstance(code, int) else 130)


def say(text: str) -> None:
    """Write to standard error at once, and wait until the launcher has passed it on."""
    with contextlib.suppress(OSError):
        os.write(2, text.encode(errors="replace"))
        time.sleep(_PASSING_ON)
