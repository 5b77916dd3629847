"""Many graphs as one (b, n, n) array of lengths: from a caller, from graphs, or converted to another dtype."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from apsp.errors import DtypeRangeError, GraphError
from apsp.graph.arrays import number_array
from apsp.graph.device import device_array
from apsp.graph.float_casts import cast
from apsp.graph.model import Graph
from apsp.semiring import unreachable
from apsp.system.array_device import is_on_gpu, lies_on_gpu, module_of, to_host

__all__ = ["batch_array", "packed", "size_array", "with_dtype"]


def batch_array(matrices: Any) -> Any:
    """A (b, n, n) NumPy or CuPy array of numbers, which shares the caller's memory.

    Raises
    ------
    GraphError
        If it is not such an array.
    """
    on_gpu = lies_on_gpu(matrices)
    array = device_array(matrices, "the batch") if on_gpu else number_array(matrices, "the batch")
    if array.ndim != 3 or array.shape[1] != array.shape[2]:
        raise GraphError(f"a batch of matrices must have shape (b, n, n), not {array.shape}; one graph goes to solve")
    if array.dtype.kind not in "iufb":
        raise GraphError(f"the batch must hold numbers, not {array.dtype}")
    return array


def size_array(sizes: Any, count: int, n: int) -> npt.NDArray[np.int32] | None:
    """Return the number of vertices of each graph, checked; None if all have n.

    Raises
    ------
    GraphError
        If a number is invalid; the message names the graph.
    """
    if sizes is None:
        return None
    array = to_host(device_array(sizes, "sizes")) if lies_on_gpu(sizes) else number_array(sizes, "sizes")
    if array.shape != (count,) or (array.size and array.dtype.kind not in "iu"):
        raise GraphError(
            f"sizes must be {count} whole numbers, one per graph, not {array.dtype} of shape {array.shape}"
        )
    wrong = np.flatnonzero((array < 0) | (array > n))
    if len(wrong):
        raise GraphError(f"graph {wrong[0]} has size {array[wrong[0]]}: sizes are 0 to {n}, the rows of its matrix")
    return np.ascontiguousarray(array, dtype=np.int32)


def packed(graphs: Sequence[Graph]) -> tuple[npt.NDArray[Any], npt.NDArray[np.int32]]:
    """Graphs whose weights have one dtype as (b, n, n) lengths and (b,) sizes; n is the largest size."""
    sizes = np.array([graph.n for graph in graphs], dtype=np.int32)
    n = int(sizes.max(initial=0))
    dtype = graphs[0].weight_dtype or np.dtype(np.int32)
    batch = np.full((len(graphs), n, n), unreachable(dtype), dtype=dtype)
    for matrix, graph in zip(batch, graphs, strict=True):
        matrix[graph.tails(), graph.indices] = graph.arc_weights(dtype)
    return batch, sizes


def with_dtype(array: Any, dtype: np.dtype[Any], largest: float, numbers: Sequence[int]) -> Any:
    """The lengths in another dtype, as kernels read them: rows contiguous, with that dtype's value of "no arc".

    Raises
    ------
    DtypeRangeError
        If an arc is longer than `largest`; the message names its graph by `numbers`.
    """
    if array.dtype != dtype:
        return module_of(array).ascontiguousarray(
            _converted(array, dtype, largest, numbers)
        )  # conversions keep the order
    itemsize = array.itemsize
    contiguous = array.shape[2] <= 1 or array.strides[2] == itemsize
    whole = all(stride % itemsize == 0 for stride in array.strides)
    if contiguous and whole and (is_on_gpu(array) or (array.flags.aligned and array.dtype.isnative)):
        return array
    return array.astype(dtype, order="C", copy=True)


def _converted(array: Any, dtype: np.dtype[Any], largest: float, numbers: Sequence[int]) -> Any:
    module = module_of(array)
    if array.dtype.kind == "b":
        return module.where(array, dtype.type(1), dtype.type(unreachable(dtype)))
    absent = array == unreachable(array.dtype)
    arcs = module.where(absent, array.dtype.type(0), array)
    if array.dtype.kind == "u" and array.dtype.itemsize == 8 and int(arcs.max()) > np.iinfo(np.int64).max:
        raise GraphError("weights must be at most 2^63 - 1; divide them, or give them as floats")
    arcs = cast(arcs, np.float64 if array.dtype.kind == "f" else np.int64)
    beyond = (arcs > largest) | (arcs < -largest)
    if array.dtype.kind == "f":
        beyond &= module.isfinite(arcs)
    elif dtype.kind == "u":
        beyond |= arcs < 0
    if bool(beyond.any()):
        g, u, v = (int(k) for k in np.unravel_index(int(beyond.argmax()), array.shape))
        raise DtypeRangeError(
            f"graph {numbers[g]}: entry [{u}, {v}] is {array[g, u, v].item()}, and with arcs beyond {largest:,} "
            f"{dtype} is not proven to hold every distance; use a wider dtype"
        )
    result = cast(arcs, dtype)
    result[absent] = unreachable(dtype)
    return result
