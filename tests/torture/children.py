"""Work in a forked child, with limits, killed or not: what it said, and how it ended."""

from __future__ import annotations

import os
import signal
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass

import apsp

__all__ = ["Ended", "in_child"]

ANSWERED, REFUSED, FOREIGN = 0, 10, 11


@dataclass(frozen=True)
class Ended:
    """How a child ended.

    Attributes
    ----------
    code : int
        ANSWERED, REFUSED (by an error of apsp), FOREIGN (any other exception); minus a signal.
    words : str
        The error, or what the work returned.
    """

    code: int
    words: str

    @property
    def killed(self) -> bool:
        return self.code == -signal.SIGKILL


def in_child(
    work: Callable[[], str | None], *, before: Callable[[], None] | None = None, kill_after: float | None = None,
    meanwhile: Callable[[int], None] | None = None, seconds: int = 60,
) -> Ended:  # fmt: skip
    """Run some work in a forked child.

    Parameters
    ----------
    before : callable, optional
        Sets limits in the child.
    kill_after : float, optional
        Seconds until it gets SIGKILL.
    meanwhile : callable, optional
        Called here with the number of the child; it waits for the end of all processes that the child has started.
    seconds : int
        After these it gets SIGALRM.
    """
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        _work(work, before, writing, seconds)
    os.close(writing)
    if kill_after is not None:
        time.sleep(kill_after)
        os.kill(child, signal.SIGKILL)
    try:
        if meanwhile is not None:
            meanwhile(child)
    finally:
        with os.fdopen(reading, "rb") as stream:
            words = stream.read().decode(errors="replace")
        ended = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    return Ended(ended, words)


def _work(work: Callable[[], str | None], before: Callable[[], None] | None, writing: int, seconds: int) -> None:
    code, words = FOREIGN, ""
    room = bytearray(1 << 20)  # so that the end can be told where no memory is left
    try:
        signal.alarm(seconds)
        if before is not None:
            before()
        words = work() or ""
        code = ANSWERED
    except apsp.ApspError as error:
        del room
        code, words = REFUSED, f"{type(error).__name__}: {error}"
    except BaseException:
        del room
        try:
            words = traceback.format_exc()
        except BaseException as error:
            words = type(error).__name__
    finally:
        try:
            os.write(writing, words.encode(errors="replace")[-60_000:])
        finally:
            os._exit(code)
