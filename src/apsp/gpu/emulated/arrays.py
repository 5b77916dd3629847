"""Memory of emulated GPUs: NumPy arrays that, like CuPy arrays, cannot be mixed with host arrays."""

from __future__ import annotations

import ctypes
from types import SimpleNamespace
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from apsp.gpu.emulated.device import Device, current_device

__all__ = ["ALIGNMENT", "DeviceArray", "aligned", "to_device"]


_Method = Literal["__call__", "reduce", "reduceat", "accumulate", "outer", "at"]

ALIGNMENT = 256
"""Alignment of arrays in bytes, that of cudaMalloc. Coalescing depends on it."""


class DeviceArray(np.ndarray):
    """An array of an emulated GPU.

    Operations with arrays of the host are errors, as on a real GPU; numbers are fine.
    """

    owner: int
    """Number of the GPU in whose memory it lies."""

    def __array_finalize__(self, base: Any) -> None:
        """Views and results are on the device of their origin."""
        self.owner = getattr(base, "owner", current_device())

    def __array_ufunc__(self, ufunc: np.ufunc, method: _Method, *inputs: Any, **kwargs: Any) -> Any:
        """Compute on the device."""
        _check_current(self)
        for value in inputs:
            if isinstance(value, np.ndarray) and not isinstance(value, DeviceArray) and value.ndim:
                raise TypeError(
                    f"{ufunc.__name__}: one operand is in host memory and one on a GPU; copy one of them first"
                )
        out = kwargs.pop("out", None)
        if out is not None:
            kwargs["out"] = tuple(_plain(each) for each in out)
        found = getattr(ufunc, method)(*(_plain(each) for each in inputs), **kwargs)
        if out is not None:
            return out[0] if len(out) == 1 else out
        return _on_device(found, self.owner)

    def __getitem__(self, key: Any) -> Any:
        """A view or a copy; a single entry stays on the device, too."""
        if any(isinstance(part, (np.ndarray, list)) for part in _tuple(key)):
            _check_current(self)
        found = np.ndarray.__getitem__(self.view(np.ndarray), _plain_key(key))
        if not isinstance(found, np.ndarray):
            found = np.ndarray.__getitem__(self.view(np.ndarray), (*_tuple(_plain_key(key)), ...))
        return _on_device(found, self.owner)

    def __setitem__(self, key: Any, value: Any) -> None:
        """Write numbers or arrays of the device."""
        _check_current(self)
        if isinstance(value, np.ndarray) and not isinstance(value, DeviceArray) and value.ndim:
            raise TypeError("cannot assign an array in host memory to one on a GPU; copy it there first")
        np.ndarray.__setitem__(self.view(np.ndarray), _plain_key(key), _plain(value))

    def astype(self, *arguments: Any, **options: Any) -> Any:
        """A copy with another dtype, aligned as GPU memory."""
        return _on_device(self.view(np.ndarray).astype(*arguments, **options), self.owner)

    def copy(self, order: Any = "C") -> Any:
        """A copy, aligned as GPU memory."""
        return _on_device(self.view(np.ndarray).copy(order), self.owner)

    def get(self) -> npt.NDArray[Any]:
        """A copy in host memory."""
        return np.array(self.view(np.ndarray))

    def set(self, values: npt.NDArray[Any]) -> None:
        """Copy a host array into this one."""
        self.view(np.ndarray)[...] = values

    @property
    def device(self) -> Any:
        """The device, with the interface of CuPy."""
        return Device(self.owner)

    @property
    def data(self) -> Any:
        """The memory, with the interface of CuPy."""
        address = self.ctypes.data

        def copy_to_host_async(target: int, size: int, stream: object = None) -> None:  # noqa: ARG001 - as CuPy's
            ctypes.memmove(target, address, size)

        def memset_async(value: int, size: int, stream: object = None) -> None:  # noqa: ARG001 - as CuPy's
            ctypes.memset(address, value, size)

        return SimpleNamespace(ptr=address, copy_to_host_async=copy_to_host_async, memset_async=memset_async)


def _check_current(array: DeviceArray) -> None:
    """Raise an error where CuPy would launch a kernel on another GPU than that of the array, with a warning."""
    if array.owner != current_device():
        raise RuntimeError(
            f"the device where the array resides ({array.owner}) is not the current device ({current_device()})"
        )


def _plain(value: Any) -> Any:
    return value.view(np.ndarray) if isinstance(value, DeviceArray) else value


def _plain_key(key: Any) -> Any:
    return tuple(_plain(part) for part in key) if isinstance(key, tuple) else _plain(key)


def _tuple(key: Any) -> tuple[Any, ...]:
    return key if isinstance(key, tuple) else (key,)


def _on_device(found: Any, owner: int) -> Any:
    if isinstance(found, tuple):
        return tuple(_on_device(each, owner) for each in found)
    array = to_device(found)
    array.owner = owner
    return array


def to_device(values: Any) -> DeviceArray:
    """Copy an array computed by NumPy to aligned memory; views stay views."""
    array = np.asarray(values)
    if array.base is None and (array.ctypes.data % ALIGNMENT or not array.flags.writeable):
        moved = aligned(array.shape, array.dtype)
        moved[...] = array
        array = moved
    return array.view(DeviceArray)


def aligned(shape: int | tuple[int, ...], dtype: npt.DTypeLike) -> npt.NDArray[Any]:
    """An uninitialised array that begins at a multiple of `ALIGNMENT`."""
    kind = np.dtype(dtype)
    size = int(np.prod(shape, dtype=np.int64)) * kind.itemsize
    memory = np.empty(size + ALIGNMENT, dtype=np.uint8)
    first = -memory.ctypes.data % ALIGNMENT
    return memory[first : first + size].view(kind).reshape(shape)
