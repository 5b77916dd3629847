"""Records launches with their counts, and copies, on GPUs within the context of `recording`.

It is imported with the package, so it is small; the counts are in `counts`.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from apsp.gpu.counts import KernelCounts, Race

__all__ = ["Recorder", "active_recorder", "kernel_name", "recording"]


class Recorder:
    """The recorded launches and copies.

    Attributes
    ----------
    kernels : dict
        Name of a kernel -> KernelCounts, in the order of the first launch.
    bytes_to_device, bytes_to_host : int
    copies_to_device, copies_to_host : int
        Number of copies of these bytes.
    races : list of Race
    order : str
        Order in which an emulated GPU runs the threads of a block: 'forward', 'backward' or 'random'.
    seed : int
        Seed of the random order.
    """

    def __init__(self, order: str = "forward", seed: int = 0) -> None:
        self.order, self.seed = order, seed
        self.kernels: dict[str, KernelCounts] = {}
        self.races: list[Race] = []
        self.bytes_to_device = self.bytes_to_host = self.copies_to_device = self.copies_to_host = 0
        self._lock = threading.Lock()  # each of several GPUs has a thread

    def add(self, kernel: str, counts: Mapping[str, int]) -> None:
        """Count a launch."""
        from apsp.gpu.counts import KernelCounts

        with self._lock:
            before = self.kernels.get(kernel, KernelCounts(kernel))
            self.kernels[kernel] = before + KernelCounts(kernel, **counts)

    def sent(self, size: int) -> None:
        """Count a copy from the host to a GPU."""
        with self._lock:
            self.bytes_to_device += size
            self.copies_to_device += 1

    def fetched(self, size: int) -> None:
        """Count a copy from a GPU to the host."""
        with self._lock:
            self.bytes_to_host += size
            self.copies_to_host += 1


def kernel_name(expression: str) -> str:
    """'apsp::minimum<double>' -> 'minimum'."""
    return expression.removeprefix("apsp::").partition("<")[0]


_active: ContextVar[Recorder | None] = ContextVar("apsp_recorder", default=None)


def active_recorder() -> Recorder | None:
    """Return the recorder of this context; None if nothing is recorded."""
    return _active.get()


@contextmanager
def recording(order: str = "forward", seed: int = 0) -> Iterator[Recorder]:
    """Record GPU work within the context.

    An emulated GPU then runs its blocks one after another and counts everything.
    """
    recorder = Recorder(order, seed)
    token = _active.set(recorder)
    try:
        yield recorder
    finally:
        _active.reset(token)
