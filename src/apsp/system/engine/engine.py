"""One interface for the engines that a caller may pass as `executor`.

The idea: Dask gives its client the interface of `concurrent.futures` too, so that the engines differ only in the number
of workers, in how one object reaches all of them, and in who ends them.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any

__all__ = ["Engine"]


@dataclass(frozen=True)
class Engine:
    """An engine that runs tasks.

    Attributes
    ----------
    name : str
        As it stands in messages.
    executor : Executor
        Its `submit` starts a task.
    count : callable
        Returns how many tasks run at a time; None if the engine does not say.
    is_local : bool
        All workers share the cores of this machine.
    send : callable or None
        send(object) makes an object known to all workers and returns what stands for it in the arguments of a task;
        None if the engine has no such means.
    owned : context manager
        Ends the workers at its exit, if they were started for this work.
    """

    name: str
    executor: Executor
    count: Callable[[], int | None]
    is_local: bool
    send: Callable[[Any], Any] | None
    owned: AbstractContextManager[Any]

    @property
    def workers(self) -> int | None:
        """How many tasks run at a time, now: workers of a cluster come and go."""
        return self.count()
