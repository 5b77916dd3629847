"""Where results go: new arrays of the host or of a GPU, or the caller's own, written in place."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from apsp.errors import GraphError, RequestError
from apsp.graph.device import device_array
from apsp.place import gpu_of, is_on_gpu, lies_on_gpu

__all__ = ["checked", "new_array", "taken", "wait_for"]


def taken(out: Any) -> Any:
    """The caller's array as a NumPy array or, on a GPU, a CuPy array on the same memory (DLPack).

    Raises
    ------
    RequestError
        If it is neither, or may not be written to.
    """
    if out is None or isinstance(out, np.ndarray) or is_on_gpu(out):
        return out
    kind = type(out)
    if kind.__module__.partition(".")[0] in ("jax", "jaxlib"):
        raise RequestError("out must be writable, and JAX arrays are not: leave out away, and hand result.distances on")
    if not lies_on_gpu(out):
        if not hasattr(out, "__dlpack__"):
            raise RequestError(f"out must be a NumPy array, not a {kind.__name__}; or an array that DLPack exports")
        try:
            return np.from_dlpack(out)
        except (BufferError, RuntimeError, TypeError, ValueError) as error:
            raise RequestError(f"out cannot be written through DLPack: {error}") from error
    try:
        return device_array(out, "out")
    except GraphError as error:
        raise RequestError(str(error)) from error


def new_array(shape: tuple[int, int], dtype: npt.DTypeLike, gpu: int | None) -> Any:
    """An uninitialised array on the host (None) or on a GPU.

    On a GPU rows begin at multiples of 16 bytes, so that kernels read whole vectors.
    """
    if gpu is None:
        return np.empty(shape, dtype=dtype)
    from apsp.cuda.backend import allocate

    return allocate(gpu, *shape, dtype)


def checked(out: Any, shape: tuple[int, int], dtype: np.dtype[Any], gpu: int | None) -> Any:
    """The caller's array, if the distances fit into it and it lies where they are computed.

    Parameters
    ----------
    out : array as `taken` gives it
    gpu : int or None
        The GPU that computes; an array of the host is filled from there too.

    Raises
    ------
    RequestError
        Saying what is wrong with it.
    """
    if out.shape != shape or out.dtype != dtype:
        raise RequestError(f"out must be a {dtype.name} array of shape {shape}, not {out.dtype!r} of {out.shape}")
    overlapping = out.size and (
        (shape[1] > 1 and out.strides[1] != out.itemsize) or (shape[0] > 1 and out.strides[0] < shape[1] * out.itemsize)
    )
    if overlapping or (isinstance(out, np.ndarray) and not out.flags.writeable):
        raise RequestError("out must be writable and contiguous along each row, and its rows must not overlap")
    if is_on_gpu(out) and gpu_of(out) != gpu:
        where = "the CPU" if gpu is None else f"GPU {gpu}"
        raise RequestError(
            f"out lies on GPU {gpu_of(out)}, but the distances are computed on {where}: "
            f"device='cuda:{gpu_of(out)}' computes there"
        )
    return out


def wait_for(out: Any) -> None:
    """Wait until the caller's array is written: other packages do not know the stream that writes it."""
    if is_on_gpu(out):
        from apsp.cuda import jit

        with out.device:
            jit.cupy().cuda.get_current_stream().synchronize()
