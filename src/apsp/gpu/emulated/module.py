"""The replacement of CuPy for emulated GPUs: the functions and classes that the drivers of this package use."""

from __future__ import annotations

import ctypes
import functools
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, Self

import numpy as np

from apsp.gpu.emulated.arrays import DeviceArray, aligned, to_device
from apsp.gpu.emulated.device import MULTIPROCESSORS, CUDARuntimeError, Device
from apsp.gpu.emulated.run import emulation
from apsp.system.limits import allowed_memory

__all__ = ["Device", "OutOfMemoryError", "cupy", "memory_of"]

NAME = "emulated GPU (this CPU)"
CAPABILITY = (7, 0)

_CREATING = (
    "absolute", "arange", "argsort", "bincount", "broadcast_to", "concatenate", "count_nonzero", "cumsum", "diff",
    "flatnonzero", "logical_not", "maximum", "minimum", "nonzero", "ones", "repeat",
    "rint", "searchsorted", "signbit", "stack", "take_along_axis", "unique", "where",
)  # fmt: skip


class OutOfMemoryError(MemoryError):
    """As CuPy's."""


def memory_of(devices: int, memory: int | None) -> int:
    """Bytes of each emulated GPU."""
    share = allowed_memory()[1] // max(devices, 1)
    return share if memory is None else min(memory, share)


class Stream:
    """A stream; work runs when it is queued."""

    ptr = 0

    def __init__(self, *_: object, **__: object) -> None:
        pass

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def synchronize(self) -> None:
        """Return at once: all work is done."""

    def wait_event(self, event: object) -> None:
        """Every event has happened."""

    def record(self, event: Event | None = None) -> Event:
        """An event that has happened."""
        return event if event is not None else Event()


class Event:
    """An event; all work before it has been done."""

    ptr = 0

    def __init__(self, *_: object, **__: object) -> None:
        pass

    def record(self, stream: object = None) -> None:
        """Do nothing: all work is done."""

    def synchronize(self) -> None:
        """Return at once: all work is done."""


class _Pool:
    """An empty pool: memory is allocated by NumPy."""

    def free_bytes(self) -> int:
        """None."""
        return 0

    def used_bytes(self) -> int:
        """Return 0: no bytes are counted."""
        return 0

    def free_all_blocks(self) -> None:
        """Do nothing: there are none."""


class _Runtime:
    """The part of the CUDA runtime that drivers use."""

    CUDARuntimeError = CUDARuntimeError
    memcpyDefault = 4  # noqa: N815 - as CuPy's

    def getDeviceCount(self) -> int:  # noqa: N802 - as CuPy's
        """Return the number of emulated GPUs."""
        now = emulation()
        return 1 if now is None else now.devices

    def getDeviceProperties(self, number: int) -> dict[str, Any]:  # noqa: N802, ARG002 - as CuPy's
        """The same for all."""
        return {
            "name": NAME.encode(), "major": CAPABILITY[0], "minor": CAPABILITY[1],
            "totalGlobalMem": self.memGetInfo()[1], "multiProcessorCount": MULTIPROCESSORS,
        }  # fmt: skip

    def memGetInfo(self) -> tuple[int, int]:  # noqa: N802 - as CuPy's
        """Return the free bytes and the total."""
        now = emulation()
        size = memory_of(1, None) if now is None else memory_of(now.devices, now.memory)
        return size, size

    def memcpy2DAsync(  # noqa: N802 - as CuPy's
        self,
        to: int,
        to_pitch: int,
        source: int,
        pitch: int,
        width: int,
        rows: int,
        _kind: int,
        _stream: int,
    ) -> None:
        """Copy rows."""
        for row in range(rows):
            ctypes.memmove(to + row * to_pitch, source + row * pitch, width)


def _on_device(function: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(function)
    def call(*arguments: Any, **options: Any) -> Any:
        plain = [each.view(np.ndarray) if isinstance(each, DeviceArray) else each for each in arguments]
        out = options.get("out")
        if isinstance(out, DeviceArray):
            options["out"] = out.view(np.ndarray)
        found = function(*plain, **options)
        if isinstance(out, DeviceArray):
            return out
        if isinstance(found, tuple):
            return tuple(to_device(each) for each in found)
        return to_device(found)

    return call


def _asarray(values: Any, dtype: Any = None) -> Any:
    """Arrays of the device as they are, others copied there."""
    if isinstance(values, DeviceArray) and (dtype is None or values.dtype == dtype):
        return values
    return _array(values, dtype)


def _array(values: Any, dtype: Any = None) -> Any:
    """A copy on the device."""
    host = np.asarray(values, dtype=dtype).view(np.ndarray)
    copy = aligned(host.shape, host.dtype)
    copy[...] = host
    return copy.view(DeviceArray)


def _empty(shape: int | tuple[int, ...], dtype: Any = float) -> Any:
    return aligned(shape, dtype).view(DeviceArray)


def _zeros(shape: int | tuple[int, ...], dtype: Any = float) -> Any:
    return _full(shape, 0, dtype)


def _full(shape: int | tuple[int, ...], value: Any, dtype: Any = None) -> Any:
    made = aligned(shape, np.asarray(value).dtype if dtype is None else dtype)
    made[...] = value
    return made.view(DeviceArray)


def _empty_like(array: Any, dtype: Any = None) -> Any:
    return _empty(array.shape, array.dtype if dtype is None else dtype)


def _ascontiguousarray(values: Any, dtype: Any = None) -> Any:
    array = _asarray(values, dtype)
    return array if array.flags.c_contiguous else _array(array)


@functools.cache
def cupy() -> Any:
    """The module."""
    stream, pool = Stream(), _Pool()
    cuda = SimpleNamespace(
        Device=Device, Stream=Stream, Event=Event, runtime=_Runtime(), get_current_stream=lambda: stream,
        memory=SimpleNamespace(OutOfMemoryError=OutOfMemoryError),
        alloc_pinned_memory=lambda size: np.empty(size, dtype=np.uint8),
        PinnedMemoryPointer=lambda memory, _: memory, PinnedMemory=lambda size, _=0: np.empty(size, np.uint8),
    )  # fmt: skip
    return SimpleNamespace(
        ndarray=DeviceArray, cuda=cuda, array=_array, asarray=_asarray, empty=_empty, zeros=_zeros,
        full=_full, empty_like=_empty_like, ascontiguousarray=_ascontiguousarray,
        get_default_memory_pool=lambda: pool, get_default_pinned_memory_pool=lambda: pool,
        **{name: _on_device(getattr(np, name)) for name in _CREATING},
    )  # fmt: skip
