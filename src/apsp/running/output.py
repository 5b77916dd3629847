"""Arrays of results: new ones on the host or on a GPU, or the caller's own, written in place."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from apsp.errors import GraphError, RequestError
from apsp.graph.device import DeviceGraph, device_array
from apsp.graph.model import Graph
from apsp.system.array_device import gpu_of, is_on_gpu, lies_on_gpu, module_of

__all__ = ["apart", "check_own", "check_rows", "checked", "is_whole", "new_array", "taken", "wait_for"]


def taken(out: Any) -> Any:
    """The caller's array as a NumPy array or, on a GPU, a CuPy array of the same memory (DLPack).

    Raises RequestError if it is neither, or may not be written to.
    """
    if out is None or isinstance(out, np.ndarray) or is_on_gpu(out):
        return out
    kind = type(out)
    if kind.__module__.partition(".")[0] in ("jax", "jaxlib"):
        raise RequestError("out must be writable, and JAX arrays are not: omit out, and pass on result.distances")
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
        raise RequestError(str(error)) from None


def new_array(shape: tuple[int, int], dtype: npt.DTypeLike, gpu: int | None) -> Any:
    """An uninitialised array on the host (None) or on a GPU.

    On a GPU, rows begin at multiples of 16 bytes, so that kernels read whole vectors.
    """
    if gpu is None:
        return np.empty(shape, dtype=dtype)
    from apsp.gpu.page import allocate

    return allocate(gpu, *shape, dtype)


def checked(out: Any, shape: tuple[int, int], dtype: np.dtype[Any], gpu: int | None) -> Any:
    """Return the caller's array if the distances fit into it and it is on the device that computes them.

    Raises RequestError if it is not usable; the message states why.

    Parameters
    ----------
    out : array from `taken`
    gpu : int or None
        The GPU that computes; it can also fill a host array.
    """
    if out.shape != shape or out.dtype != dtype:
        raise RequestError(f"out must be a {dtype.name} array of shape {shape}, not {out.dtype!r} of {out.shape}")
    check_rows(out, gpu)
    return out


def check_own(
    out: Any,
    shape: tuple[int, ...],
    dtypes: Sequence[str],
    requested: str,
    gpu: int | None,
    operands: dict[str, Sequence[Any]],
) -> None:
    """Raise an error unless results fit into the caller's array, which does not overlap what they are computed from.

    Raises RequestError.

    Parameters
    ----------
    out : array from `taken`
    dtypes : sequence of str
        Those that results may have.
    requested : str
        A dtype, or 'auto': that of `out`.
    gpu : int or None
        The GPU that computes.
    operands : dict of str to arrays
        What the results are computed from, by the words for it in the message.
    """
    fits = out.shape == shape and out.dtype.name in dtypes and out.dtype.isnative
    if not fits or requested not in ("auto", out.dtype.name):
        kinds = ", ".join(dtypes) if requested == "auto" else requested
        raise RequestError(f"out must have shape {shape} and dtype {kinds}, not {out.dtype} {out.shape}")
    check_rows(out, gpu)
    for words, arrays in operands.items():
        for array in arrays:
            if is_on_gpu(out) == is_on_gpu(array) and module_of(out).may_share_memory(out, array):
                raise RequestError(f"out must not overlap {words}: give an array of its own")


def check_rows(out: Any, gpu: int | None) -> None:
    """Raise an error for a matrix, or a batch of matrices, with rows that kernels cannot write, or on another device.

    Raises RequestError.

    Parameters
    ----------
    out : (..., S, T) array
    gpu : int or None
        The GPU that computes; it can also fill a host array.
    """
    needed = out.itemsize  # bytes from one element, row or matrix to the next
    apart_enough = out.shape[-1] <= 1 or out.strides[-1] == needed
    for length, inner, step in zip(out.shape[-2::-1], out.shape[:0:-1], out.strides[-2::-1], strict=True):
        needed *= inner
        apart_enough &= length <= 1 or step >= needed
        needed = max(needed, step)
    if (out.size and not apart_enough) or (isinstance(out, np.ndarray) and not out.flags.writeable):
        raise RequestError("out must be writable and contiguous along each row, and its rows must not overlap")
    if not is_whole(out):
        raise RequestError(
            "the rows of out must begin at whole elements, aligned to their size (a field of packed records does not): "
            "give an array of its own"
        )
    if is_on_gpu(out) and gpu_of(out) != gpu:
        where = "the CPU" if gpu is None else f"GPU {gpu}"
        raise RequestError(
            f"out lies on GPU {gpu_of(out)}, but the distances are computed on {where}: "
            f"device='cuda:{gpu_of(out)}' computes there"
        )


def apart(out: Any, graph: Graph) -> None:
    """Raise an error if writing the caller's array would change the graph, whose matrix is read during and after the
    run.

    Raises RequestError.
    """
    from apsp.gpu.page import overlap

    if isinstance(graph, DeviceGraph) and is_on_gpu(out) and overlap(out, graph.matrix):
        raise RequestError("out must not overlap the matrix of the graph: give an array of its own")


def is_whole(out: Any) -> bool:
    """Whether every row begins at a multiple of the element size, as kernels require."""
    aligned = out.flags.aligned if isinstance(out, np.ndarray) else out.data.ptr % out.itemsize == 0
    return not out.size or bool(aligned and all(step % out.itemsize == 0 for step in out.strides))


def wait_for(out: Any) -> None:
    """Wait until the caller's array is written: other packages do not use the stream that writes to it."""
    if is_on_gpu(out):
        from apsp.gpu import jit

        with out.device:
            jit.cupy().cuda.get_current_stream().synchronize()
