"""A GPU for the driver of strips: concurrent streams, a memory pool, copies to the host and to peers.

Input and output: pages of `CudaBackend`. Errors: MemoryLimitError if the memory of the GPU (or the usable part of it)
or pinned memory is used up; DeviceError, which names the GPU, if it fails. The idea: a memory pool per run, so that a
limit is exact and all memory is freed at the end.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any

import numpy as np
import numpy.typing as npt

from apsp.errors import DeviceError
from apsp.gpu import jit
from apsp.gpu.copying import queue_copy
from apsp.gpu.memory import used_up
from apsp.gpu.page import Page, address
from apsp.gpu.pinned import Registered, pinned_array, segments
from apsp.methods.floyd_warshall.kernels.backend import CudaBackend

__all__ = ["CudaLane", "connect"]

_QUEUES = ("compute", "load", "store", "send")


class CudaLane:
    """One GPU; see `apsp.methods.floyd_warshall.strips.lane.Lane` for the methods.

    Parameters
    ----------
    device : int
        Number of the GPU in CuPy.
    memory : int or None
        Bytes of it that may be used; None means all that is free.
    backend : CudaBackend, optional
        Other kernels of that GPU.
    """

    shares_host = False

    def __init__(self, device: int, memory: int | None = None, backend: CudaBackend | None = None) -> None:
        self.device, self.memory = device, memory
        self.cupy = jit.cupy()
        count = self.cupy.cuda.runtime.getDeviceCount()
        if not 0 <= device < count:
            raise DeviceError(f"there is no GPU {device}: this machine has GPUs 0 to {count - 1}")
        self.backend = CudaBackend(device) if backend is None else backend
        self._pool = self.cupy.cuda.MemoryPool()
        with self.cupy.cuda.Device(device):
            if memory is not None:
                self._pool.set_limit(size=memory)
            self._streams = {queue: self.cupy.cuda.Stream(non_blocking=True) for queue in _QUEUES}

    @contextmanager
    def on(self, queue: str) -> Iterator[None]:
        """Add the work of the context to this queue."""
        with self.here(), self._streams[queue]:
            yield

    def mark(self, queue: str) -> _Mark:
        """Return a mark at the end of the queue."""
        with self.here():
            event = self.cupy.cuda.Event(block=True, disable_timing=True)
            event.record(self._streams[queue])
            return _Mark(self, event)

    def wait(self, queue: str, marks: Sequence[Any]) -> None:
        """Make the queue wait for these marks."""
        with self.here():
            for mark in marks:
                if isinstance(mark, _Mark):
                    self._streams[queue].wait_event(mark.event)
                else:
                    mark.synchronize()

    def allocate(self, rows: int, columns: int, dtype: npt.DTypeLike) -> Page:
        """Allocate a page of the device."""
        with self.on("compute"):
            return self.backend.allocate(rows, columns, dtype)

    def staging(self, rows: int, columns: int, dtype: npt.DTypeLike) -> npt.NDArray[Any]:
        """Allocate a host array for fast copies: pinned memory, freed with the array."""
        with self.here():
            return pinned_array(rows, columns, dtype)

    def pinned(self, array: npt.NDArray[Any]) -> Registered:
        """Pin a host array within the context."""
        return Registered(array, self.device)

    def copy(self, source: Page, target: Page) -> None:
        """Copy a page in the current queue."""
        host = next((page for page in (source, target) if isinstance(page, np.ndarray)), None)
        for rows, columns in segments(host) if host is not None else [(slice(None), slice(None))]:
            queue_copy(source[rows, columns], target[rows, columns])

    def send(self, source: Page, target: Page, to: CudaLane) -> None:
        """Copy a page to another lane in the current queue."""
        if source.size:
            self.cupy.cuda.runtime.memcpyPeerAsync(
                address(target), to.device, address(source), self.device,
                source.shape[0] * source.strides[0], self.cupy.cuda.get_current_stream().ptr,
            )  # fmt: skip

    def end(self) -> None:
        """Wait for all queues and free the memory."""
        with suppress(Exception), self.cupy.cuda.Device(self.device):
            for stream in self._streams.values():
                with suppress(Exception):  # the failure of the GPU was raised when the work was queued
                    stream.synchronize()
            self._pool.free_all_blocks()

    @contextmanager
    def here(self) -> Iterator[None]:
        """Work on this GPU with this pool; errors name the GPU."""
        cuda = self.cupy.cuda
        try:
            with cuda.Device(self.device), cuda.using_allocator(self._pool.malloc):
                yield
        except cuda.memory.OutOfMemoryError as error:
            free, _ = cuda.runtime.memGetInfo()
            free = free if self.memory is None else min(free, self.memory - self._pool.used_bytes())
            raise used_up(f"work on GPU {self.device}", error, free, "more GPUs") from error
        except (cuda.runtime.CUDARuntimeError, cuda.driver.CUDADriverError) as error:
            raise DeviceError(
                f"GPU {self.device} failed: {error}; check it with nvidia-smi, or name other GPUs (device='cuda:...')"
            ) from error


class _Mark:
    """A position in a stream; see `apsp.methods.floyd_warshall.strips.lane.Mark`."""

    def __init__(self, lane: CudaLane, event: Any) -> None:
        self.lane, self.event = lane, event

    @property
    def done(self) -> bool:
        """Whether the mark is passed."""
        with self.lane.here():
            return bool(self.event.done)

    def synchronize(self) -> None:
        """Wait until the mark is passed."""
        with self.lane.here():
            self.event.synchronize()


def connect(lanes: Sequence[CudaLane]) -> None:
    """Let the GPUs copy to each other directly, if they are linked; otherwise copies go through the host."""
    runtime = jit.cupy().cuda.runtime
    for one in lanes:
        for other in lanes:
            if one.device != other.device and runtime.deviceCanAccessPeer(one.device, other.device):
                with jit.cupy().cuda.Device(one.device), suppress(runtime.CUDARuntimeError):  # done already
                    runtime.deviceEnablePeerAccess(other.device)
