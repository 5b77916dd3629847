"""Which GPUs the running code uses: real or emulated ones.

This is a context variable. Threads that are started inside need the context: `carried`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar, copy_context
from typing import ParamSpec, TypeVar

__all__ = ["Emulation", "carried", "emulation", "entered"]

Parameters = ParamSpec("Parameters")
Returned = TypeVar("Returned")


class Emulation:
    """Emulated GPUs.

    Attributes
    ----------
    devices : int
        Their number.
    memory : int or None
        Bytes of each; None is the host's available memory, shared equally.
    cores : int
        Threads of the CPU that run the blocks of a launch.
    """

    def __init__(self, devices: int = 1, memory: int | None = None, cores: int = 1) -> None:
        self.devices, self.memory, self.cores = devices, memory, cores


_current: ContextVar[Emulation | None] = ContextVar("apsp_emulation", default=None)


def emulation() -> Emulation | None:
    """Return the emulated GPUs in use; None if GPUs are real."""
    return _current.get()


@contextmanager
def entered(devices: int = 1, memory: int | None = None, cores: int = 1) -> Iterator[Emulation]:
    """Use emulated GPUs within the context.

    Parameters
    ----------
    devices : int
        Their number.
    memory : int, optional
        Bytes of each; by default an equal share of the memory that is available.
    cores : int
        Threads of the CPU that run the blocks of a launch.
    """
    made = Emulation(devices, memory, cores)
    token = _current.set(made)
    try:
        yield made
    finally:
        _current.reset(token)


def carried(work: Callable[Parameters, Returned]) -> Callable[Parameters, Returned]:
    """Return the same work for another thread, with the GPUs and the recorder of the caller."""
    context = copy_context()

    def run(*arguments: Parameters.args, **options: Parameters.kwargs) -> Returned:
        return context.copy().run(work, *arguments, **options)

    return run
