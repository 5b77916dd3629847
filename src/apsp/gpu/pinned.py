"""Host memory that GPUs copy from and to at full speed: allocated as pinned memory, or a registered NumPy array.

Cost: about 0.1 s per GiB, once; the system cannot swap such memory out. Errors: MemoryLimitError if the system cannot
pin this much. The idea: arrays are registered in chunks, several at a time, so that Ctrl-C is handled between them;
copies are cut at the boundaries of chunks, since one copy may not span two registrations.
"""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Iterator
from concurrent.futures import CancelledError
from contextlib import suppress
from types import TracebackType
from typing import Any

import numpy as np
import numpy.typing as npt

from apsp.errors import MemoryLimitError
from apsp.gpu import jit
from apsp.system.threads import Threads

__all__ = ["Registered", "pinned_array", "segments"]

CHUNK_BYTES = 256 << 20
_THREADS = 8
_PAGE = 4096
_PORTABLE = 1  # cudaHostRegisterPortable: for all GPUs

_REMEDIES = ["more free memory on the host", "pages_file='FILE' (the matrix on a disk)", "a narrower dtype"]

_boundaries: list[int] = []
"""Addresses of the boundaries between registered chunks of an array."""
_boundaries_lock = threading.Lock()


def pinned_array(rows: int, columns: int, dtype: npt.DTypeLike) -> npt.NDArray[Any]:
    """An uninitialised array without gaps in pinned memory, which is freed with the array."""
    cuda, dtype = jit.cupy().cuda, np.dtype(dtype)
    count = rows * columns * dtype.itemsize
    try:
        memory = cuda.PinnedMemoryPointer(cuda.PinnedMemory(max(count, 1), _PORTABLE), 0)
    except cuda.runtime.CUDARuntimeError as error:
        raise MemoryLimitError("pinned memory of the host", count, 0, _REMEDIES) from error
    return np.frombuffer(memory, dtype=dtype, count=rows * columns).reshape(rows, columns)


class Registered:
    """Pin a host array (with contiguous rows) within the context.

    Parameters
    ----------
    array : (rows, columns) array
        Memory that is pinned already is not changed.
    device : int
        The GPU used for registering; the memory is pinned for all GPUs.
    """

    def __init__(self, array: npt.NDArray[Any], device: int) -> None:
        self.array, self.device = array, device
        self._chunks: list[tuple[int, int]] = []
        self._done: list[int] = []
        self._cancelled = threading.Event()

    def cancel(self) -> None:
        """Make entering fail with CancelledError after the current chunk, if it is not done yet; called by another
        thread.
        """
        self._cancelled.set()

    def __enter__(self) -> None:
        cuda = jit.cupy().cuda
        with cuda.Device(self.device):
            if self.array.size == 0 or cuda.runtime.pointerGetAttributes(self.array.ctypes.data).type == 1:
                return
        self._chunks = list(_chunks(self.array))
        try:
            self._each(self._register, self._chunks)
        except BaseException as error:
            self._release()
            if isinstance(error, cuda.runtime.CUDARuntimeError):
                pinned = sum(end - begin for begin, end in self._chunks if begin in self._done)
                raise MemoryLimitError("pinning the matrix", self.array.nbytes, pinned, _REMEDIES) from error
            raise
        with _boundaries_lock:
            _boundaries.extend(begin for begin, _ in self._chunks[1:])
            _boundaries.sort()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None, /
    ) -> None:
        self._release()

    def _release(self) -> None:
        with _boundaries_lock:
            for begin, _ in self._chunks[1:]:
                if begin in _boundaries:
                    _boundaries.remove(begin)
        done, self._done = self._done, []
        self._each(self._unregister, [(begin, 0) for begin in done])

    def _each(self, work: Any, chunks: list[tuple[int, int]]) -> None:
        with Threads(_THREADS, "apsp-pin") as threads:
            works = [threads.submit(work, chunk) for chunk in chunks]
            try:
                for one in works:
                    one.result()
            except BaseException:
                for one in works:
                    one.cancel()
                raise

    def _register(self, chunk: tuple[int, int]) -> None:
        cuda = jit.cupy().cuda
        if self._cancelled.is_set():
            raise CancelledError
        # Touched first: the system allocates memory for several threads in parallel, but pins for one at a time.
        memory = np.frombuffer(memoryview((ctypes.c_uint8 * (chunk[1] - chunk[0])).from_address(chunk[0])), np.uint8)
        memory[::_PAGE] |= np.uint8(0)
        with cuda.Device(self.device):
            cuda.runtime.hostRegister(chunk[0], chunk[1] - chunk[0], _PORTABLE)
        self._done.append(chunk[0])

    def _unregister(self, chunk: tuple[int, int]) -> None:
        cuda = jit.cupy().cuda
        with cuda.Device(self.device), suppress(cuda.runtime.CUDARuntimeError):
            cuda.runtime.hostUnregister(chunk[0])


def segments(array: npt.NDArray[Any]) -> Iterator[tuple[slice, slice]]:
    """Cut a host array into parts (rows, columns) that cross no boundary of registered chunks."""
    (rows, columns), pitch, first = array.shape, array.strides[0], array.ctypes.data
    last = first + (rows - 1) * pitch + columns * array.itemsize
    row = column = 0
    with _boundaries_lock:  # other threads pin and unpin
        boundaries = [place for place in _boundaries if first < place < last] if rows else []
    for boundary in boundaries:
        cut, within = divmod(boundary - first, pitch)
        if row < cut and column:
            yield slice(row, row + 1), slice(column, columns)
            row, column = row + 1, 0
        if row < cut:
            yield slice(row, cut), slice(0, columns)
            row = cut
        until = min(within // array.itemsize, columns)
        if column < until:
            yield slice(row, row + 1), slice(column, until)
            column = until
    if column:
        yield slice(row, row + 1), slice(column, columns)
        row += 1
    if row < rows:
        yield slice(row, rows), slice(0, columns)


def _chunks(array: npt.NDArray[Any]) -> Iterator[tuple[int, int]]:
    """Addresses (from, to) that cover the array; they meet at the beginning of memory pages."""
    begin = array.ctypes.data
    end = begin + (array.shape[0] - 1) * array.strides[0] + array.shape[1] * array.itemsize
    while begin < end:
        stop = min((begin + CHUNK_BYTES) // _PAGE * _PAGE, end)
        yield begin, stop
        begin = stop
