"""GPUs of several hosts, connected by NCCL.

Input: the processes of a row or column of the grid. Output: broadcasts of
pages. Errors: DeviceError without NCCL. Cost: one or two seconds, once per process.

The idea: NCCL connects two GPUs when the first page is sent between them. So a thread makes the communicator and
broadcasts a few bytes, while the main thread writes the matrix; the first page waits for this thread. Communicators are
kept for the life of the process, by the names of their processes. All processes of a line queue their broadcasts in the
same order, so that those of rows and columns, which follow each other on one stream, never wait in a cycle.
"""

from __future__ import annotations

import atexit
import time
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from typing import Any, NamedTuple

import numpy as np

from apsp.errors import DeviceError
from apsp.gpu import jit
from apsp.gpu.emulated.run import carried
from apsp.gpu.page import Page, address
from apsp.methods.distributed import Arrival
from apsp.system.threads import Threads

__all__ = ["NcclLine"]

_FIRST_BYTES = 1024
"""Of the broadcast that connects the GPUs."""


class _Connected(NamedTuple):
    communicator: Any
    seconds: float


_kept: dict[tuple[int, tuple[str, ...]], Future[_Connected]] = {}
"""The communicators of this process, by its place in them and the names of all of their processes."""


class NcclLine:
    """The GPUs of a row or column of the grid.

    Parameters
    ----------
    gather : callable
        Returns the objects of all processes of the line.
    place : int
        Of this process.
    names : tuple of str
        Of the processes.
    device : int
    threads : Threads
        Of one thread, which connects the rows of all processes, then their columns.
    nccl : module, optional
        In place of `cupy.cuda.nccl`.
    """

    name = "NCCL"

    def __init__(
        self,
        gather: Callable[[Any], list[Any]],
        place: int,
        names: tuple[str, ...],
        device: int,
        threads: Threads,
        nccl: Any = None,
    ) -> None:
        self._nccl, self._device = _loaded() if nccl is None else nccl, device
        self._cuda = jit.cupy().cuda
        key = place, names
        self._is_new = key not in _kept  # in all of them
        if self._is_new:
            identity = gather(self._nccl.get_unique_id() if place == 0 else None)[0]
            _kept[key] = threads.submit(carried(self._connect), identity, place, len(names))
        self._future = _kept[key]

    def _connect(self, identity: Any, place: int, size: int) -> _Connected:
        started = time.perf_counter()
        cupy = jit.cupy()
        with cupy.cuda.Device(self._device):
            communicator = self._nccl.NcclCommunicator(size, identity, place)
            stream, page = cupy.cuda.Stream(non_blocking=True), cupy.empty(_FIRST_BYTES, dtype=np.uint8)
            communicator.broadcast(
                page.data.ptr, page.data.ptr, page.nbytes, self._nccl.NCCL_UINT8, 0, stream.ptr
            )  # fmt: skip
            stream.synchronize()
        return _Connected(communicator, time.perf_counter() - started)

    @property
    def seconds(self) -> float:
        """That it took to connect them now, in a thread of its own; 0 if they were connected before."""
        return self._future.result().seconds if self._is_new else 0.0

    def send(self, page: Page, source: int, before: Any, stream: Any) -> Arrival:
        """Queue the broadcast of a page with the gaps between its rows, which are the same in all processes."""
        communicator = self._future.result().communicator
        stream.wait_event(before)
        place, size = address(page), page.shape[0] * page.strides[0]
        communicator.broadcast(place, place, size, self._nccl.NCCL_UINT8, source, stream.ptr)
        after = self._cuda.Event(disable_timing=True)
        after.record(stream)
        return _Queued(self._cuda, self._device, after)

    def release(self) -> None:
        """Keep the communicator, once it is connected."""
        with suppress(Exception):  # raised when a page was sent
            self._future.result()


class _Queued:
    """A page whose arrival is queued on another stream."""

    def __init__(self, cuda: Any, device: int, event: Any) -> None:
        self._cuda, self._device, self._event = cuda, device, event

    def advance(self) -> None:
        """The GPU needs no call."""

    def wait(self) -> None:
        """Let the current stream wait for it."""
        with self._cuda.Device(self._device):
            self._cuda.get_current_stream().wait_event(self._event)


@atexit.register
def _disconnect() -> None:
    """Free the communicators without waiting for the other processes, which may have ended."""
    for future in _kept.values():
        if future.done() and future.exception() is None:
            with suppress(Exception):
                future.result().communicator.abort()
    _kept.clear()


def _loaded() -> Any:
    with suppress(ImportError):
        from cupy.cuda import nccl

        if nccl.available:
            return nccl
    raise DeviceError(
        "GPUs of several hosts are connected by NCCL, which CuPy does not find: pip install nvidia-nccl-cu13 "
        "(nvidia-nccl-cu12 for CUDA 12), or use device='cpu'"
    )
