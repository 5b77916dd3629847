"""The location of an array: host memory (NumPy) or the memory of a GPU (CuPy, or an emulated one).

Neither CuPy nor the emulation is imported from here.
"""

from __future__ import annotations

import sys
from contextlib import AbstractContextManager, nullcontext
from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = [
    "beside",
    "device_name",
    "gpu_of",
    "is_on_gpu",
    "lies_on_gpu",
    "module_of",
    "of_package",
    "rows_to_host",
    "to_host",
]

_CUDA = 2  # kDLCUDA of DLPack


def is_on_gpu(array: Any) -> bool:
    """Whether `array` is a CuPy array, or one of an emulated GPU."""
    cupy = sys.modules.get("cupy")
    return (cupy is not None and isinstance(array, getattr(cupy, "ndarray", ()))) or _is_emulated(array)


def _is_emulated(array: Any) -> bool:
    emulated = sys.modules.get("apsp.gpu.emulated.arrays")
    return emulated is not None and isinstance(array, emulated.DeviceArray)


def gpu_of(array: Any) -> int:
    """Number of the GPU whose memory holds a CuPy array."""
    return int(array.device.id)


def device_name(array: Any) -> str:
    """The location of an array: 'cpu', 'cuda:0' or, on an emulated GPU, 'emulated:0'."""
    if not is_on_gpu(array):
        return "cpu"
    return f"{'emulated' if _is_emulated(array) else 'cuda'}:{gpu_of(array)}"


def lies_on_gpu(values: Any) -> bool:
    """Whether `values` is an array of any package (CuPy, PyTorch, JAX, ...) in the memory of an NVIDIA GPU."""
    if isinstance(values, (np.ndarray, list, tuple)):
        return False  # an array of an emulated GPU never leaves a run
    if hasattr(values, "__dlpack_device__"):
        try:
            return bool(int(values.__dlpack_device__()[0]) == _CUDA)
        except (BufferError, RuntimeError, TypeError, ValueError):
            return False
    return hasattr(values, "__cuda_array_interface__")


def module_of(array: Any) -> Any:
    """The package that computes on `array` in place: NumPy, CuPy, or its replacement on emulated GPUs."""
    if _is_emulated(array):
        return sys.modules["apsp.gpu.emulated.module"].cupy()
    return sys.modules["cupy"] if is_on_gpu(array) else np


def of_package(result: Any, like: Any) -> Any:
    """The result as an array of the package of `like`, on the same memory."""
    package = type(like).__module__.partition(".")[0]
    if package == "torch":
        return sys.modules["torch"].from_dlpack(result)
    if package in ("jax", "jaxlib"):
        return sys.modules["jax"].dlpack.from_dlpack(result)
    return result


def beside(array: Any) -> AbstractContextManager[Any]:
    """Make the GPU of `array` the current one, if it is on one."""
    context: AbstractContextManager[Any] = array.device if is_on_gpu(array) else nullcontext()
    return context


def rows_to_host(array: Any, rows: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """The rows with these numbers as a NumPy array; those of a GPU are gathered there."""
    if is_on_gpu(array):
        with array.device:
            copy: npt.NDArray[Any] = array[rows].get()
            return copy
    taken: npt.NDArray[Any] = array[rows]
    return taken


def to_host(array: Any) -> npt.NDArray[Any]:
    """The array as a NumPy array: itself if it lies on the host, a copy otherwise."""
    if is_on_gpu(array):
        with array.device:
            copy: npt.NDArray[Any] = array.get()
            return copy
    return np.asarray(array)
