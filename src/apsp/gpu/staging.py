"""Blocks of rows copied from the device to the host, while the next block is computed.

Input: blocks of the device. Output: the same in host arrays, pinned or not. Cost: two buffers of the device and
two of pinned memory, all as large as a block. The idea: a copy engine fills pinned memory, from which several threads
copy to the result, since the first write to memory is slow for one thread.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from apsp.gpu import jit
from apsp.gpu.page import Page
from apsp.system.threads import Threads

__all__ = ["BLOCK_BYTES", "HostCopy", "through_pinned", "to_host_by_blocks"]

BLOCK_BYTES = 128 << 20
"""Largest size of a buffer, unless one row is larger."""

Block = tuple[Page, ...]


def to_host_by_blocks(
    compute: Callable[[slice, Block], None],
    targets: tuple[npt.NDArray[Any], ...],
    parts: Iterator[slice],
    height: int,
    threads: int,
    done: Callable[[int], None],
) -> None:
    """Fill the rows of host arrays in the slices of `parts`.

    Parameters
    ----------
    compute : callable
        Called with rows and a device buffer for each array; queues work that fills it on the current stream.
    targets : arrays of the same number of rows
    parts : iterator of slices
        Of at most `height` rows each; it may be shared with others.
    done : callable
        Called after each part with its number of rows.
    """
    buffers: list[_Buffer] = []
    with Threads(max(min(threads, 16), 1), "apsp-rows") as pool:
        waiting: tuple[slice, _Buffer] | None = None
        for number, part in enumerate(parts):
            if len(buffers) < 2:
                buffers.append(_Buffer(targets, min(height, len(targets[0]))))
            buffer = buffers[number % 2]
            compute(part, buffer.on_device(part))
            buffer.leave(part)
            if waiting is not None:
                waiting[1].arrive(waiting[0], targets, pool)
                done(waiting[0].stop - waiting[0].start)
            waiting = part, buffer
        if waiting is not None:
            waiting[1].arrive(waiting[0], targets, pool)
            done(waiting[0].stop - waiting[0].start)


def through_pinned(*pages: Page) -> tuple[npt.NDArray[Any], ...]:
    """Copy contiguous arrays of the current device to the host, after the work queued on the current stream."""
    copies = [HostCopy(page) for page in pages]
    return tuple(one.wait().copy() for one in copies)


class HostCopy:
    """A copy of a contiguous array (rows, columns) of the current device, queued on the current stream."""

    def __init__(self, page: Page) -> None:
        cuda = jit.cupy().cuda
        stream, self._event = cuda.get_current_stream(), cuda.Event(block=True, disable_timing=True)
        self._values = _pinned(page.shape, page.dtype)
        if page.size:
            page.data.copy_to_host_async(self._values.ctypes.data, page.nbytes, stream)
        self._event.record(stream)

    def wait(self) -> npt.NDArray[Any]:
        """Wait for it; the array lies in pinned memory."""
        self._event.synchronize()
        return self._values


class _Buffer:
    """Buffers for a block on the device and in pinned memory."""

    def __init__(self, targets: tuple[npt.NDArray[Any], ...], height: int) -> None:
        cupy = jit.cupy()
        shapes = [(height, target.shape[1]) for target in targets]
        self.pages = [cupy.empty(shape, dtype=target.dtype) for shape, target in zip(shapes, targets, strict=True)]
        self.pinned = [_pinned(shape, target.dtype) for shape, target in zip(shapes, targets, strict=True)]
        self.event = cupy.cuda.Event(block=True, disable_timing=True)

    def on_device(self, part: slice) -> Block:
        return tuple(page[: part.stop - part.start] for page in self.pages)

    def leave(self, part: slice) -> None:
        """Queue the copy to pinned memory."""
        stream = jit.cupy().cuda.get_current_stream()
        for page, pinned in zip(self.pages, self.pinned, strict=True):
            size = (part.stop - part.start) * page.shape[1] * page.itemsize
            if size:
                page.data.copy_to_host_async(pinned.ctypes.data, size, stream)
        self.event.record(stream)

    def arrive(self, part: slice, targets: tuple[npt.NDArray[Any], ...], pool: Threads) -> None:
        """Wait for the copy to pinned memory, and copy it to the host array."""
        self.event.synchronize()
        rows = part.stop - part.start
        step = max(-(-rows // 32), 1)
        works = [
            pool.submit(np.copyto, target[part][k : k + step], pinned[:rows][k : k + step])
            for target, pinned in zip(targets, self.pinned, strict=True)
            for k in range(0, rows, step)
        ]  # fmt: skip
        for work in works:
            work.result()


def _pinned(shape: tuple[int, int], dtype: np.dtype[Any]) -> npt.NDArray[Any]:
    """Allocate from CuPy's pool, so that the next request reuses pinned memory."""
    count = shape[0] * shape[1]
    memory = jit.cupy().cuda.alloc_pinned_memory(max(count * dtype.itemsize, 1))
    return np.frombuffer(memory, dtype=dtype, count=count).reshape(shape)
