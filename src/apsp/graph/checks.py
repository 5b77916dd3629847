"""Checks of all arrays of a graph, on which kernels rely."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from apsp.errors import GraphError, RequestError, shown
from apsp.graph.aligned import check_no_labels, per_vertex, place_columns
from apsp.graph.labels import Labels, RangeLabels, labels_of
from apsp.graph.python_numbers import array_of_objects
from apsp.system.arguments import one_of

__all__ = [
    "UNITS",
    "array_of",
    "check_symmetric",
    "coordinates_array",
    "crs_of",
    "frozen",
    "indices_array",
    "indptr_array",
    "labels_of_graph",
    "weight_array",
    "weights_array",
    "zones_array",
]

UNITS = ("degrees", "microdegrees", "plane")
"""What coordinates may be."""

_MAX_VERTICES = 2**31 - 2  # vertex numbers are int32 in the kernels; -1 is "none"


def frozen(array: npt.NDArray[Any], given: npt.ArrayLike) -> npt.NDArray[Any]:
    """Return a `given` array, contiguous and read-only: copied if its owner could write to it."""
    array = np.ascontiguousarray(array)
    if (array is given or array.base is not None) and _is_writable(array):
        array = array.copy()
    array.flags.writeable = False
    return array.view()


def _is_writable(array: npt.NDArray[Any]) -> bool:
    """Whether the array, or one that it is a view of, may be written to."""
    owner: Any = array
    while isinstance(owner, np.ndarray):
        if owner.flags.writeable:
            return True
        owner = owner.base
    return False


def array_of(values: Any, what: str, dtype: npt.DTypeLike | None = None) -> npt.NDArray[Any]:
    """Convert anything that NumPy can read as an array, whose elements are aligned; GraphError otherwise.

    Objects that are numbers become int64 or float64. Values with labels of their own must be aligned before.
    """
    check_no_labels(values, what)
    try:
        array = np.asarray(values, dtype=dtype)
        if array.dtype.kind == "O":
            array = array_of_objects(array, what)
        return array if array.flags.aligned else array.copy()
    except GraphError:
        raise
    except Exception as error:  # NumPy inspects the value, and may raise any exception
        words = " ".join(str(error).split())[:100]
        raise GraphError(f"{what} must be numbers, not {shown(values)}: {words}") from error


def indptr_array(values: npt.ArrayLike) -> npt.NDArray[np.int64]:
    """Row offsets: n + 1 integers that start at 0 and do not decrease; GraphError otherwise."""
    array = array_of(values, "indptr")
    if array.ndim != 1 or len(array) < 1 or array.dtype.kind not in "iu":
        raise GraphError(f"indptr must be a vector of n + 1 integers, not {array.dtype} of shape {array.shape}")
    array = array.astype(np.int64, copy=False)
    if array[0] != 0 or (np.diff(array) < 0).any():
        raise GraphError("indptr must start at 0 and not decrease: it contains the start of the arcs of each vertex")
    if len(array) - 1 > _MAX_VERTICES:
        raise GraphError(f"{len(array) - 1} vertices: at most {_MAX_VERTICES} are supported")
    return frozen(array, values)


def indices_array(values: npt.ArrayLike, indptr: npt.NDArray[np.int64], n: int) -> npt.NDArray[np.int32]:
    """Heads of the arcs: vertices, increasing inside each row; GraphError naming the arc otherwise."""
    array = array_of(values, "indices")
    if array.size == 0:
        array = array.astype(np.int32)
    if array.ndim != 1 or array.dtype.kind not in "iu":
        raise GraphError(f"indices must be a vector of integers, not {array.dtype} of shape {array.shape}")
    if len(array) != indptr[-1]:
        raise GraphError(f"indptr declares {indptr[-1]} arcs, but indices has {len(array)}")
    wrong = np.flatnonzero((array < 0) | (array >= n))
    if len(wrong):
        arc = int(wrong[0])
        tail = int(np.searchsorted(indptr, arc, side="right")) - 1
        raise GraphError(f"arc {arc} leads from vertex {tail} to {array[arc]}: vertices are 0 to {n - 1}")
    array = array.astype(np.int32, copy=False)
    if len(array) > 1:
        same_row = np.ones(len(array) - 1, dtype=bool)
        starts = indptr[1:-1]
        same_row[starts[(starts > 0) & (starts < len(array))] - 1] = False
        unsorted = np.flatnonzero(same_row & (np.diff(array) <= 0))
        if len(unsorted):
            tail = int(np.searchsorted(indptr, unsorted[0], side="right")) - 1
            raise GraphError(
                f"the arcs of vertex {tail} are not sorted by head or contain a head twice; "
                "apsp.from_edges sorts and merges parallel arcs"
            )
    return frozen(array, values)


def weights_array(values: npt.ArrayLike, indptr: npt.NDArray[np.int64], labels: Labels) -> npt.NDArray[Any]:
    """Finite lengths, one per arc, in one of the four dtypes; GraphError naming the arc otherwise."""
    array = array_of(values, "weights")
    if array.ndim != 1 or len(array) != indptr[-1]:
        raise GraphError(f"weights must be a vector of {indptr[-1]} numbers, not of shape {array.shape}")
    array = weight_array(array)
    if array.dtype.kind == "f":
        wrong = np.flatnonzero(~np.isfinite(array))
        if len(wrong):
            arc = int(wrong[0])
            tail = int(np.searchsorted(indptr, arc, side="right")) - 1
            raise GraphError(
                f"arc {arc}, from vertex {labels.word(tail)}, has weight {array[arc]}: omit an arc that does not exist"
            )
    return frozen(array, values)


def weight_array(values: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """`values` in one of the four weight dtypes; negative zero becomes zero.

    There is no loss, except of digits that only long doubles have; those beyond float64 become infinite.

    Raises
    ------
    GraphError
        If the dtype is not numeric, or an unsigned value does not fit int64.
    """
    kind, size = values.dtype.kind, values.dtype.itemsize
    if kind == "f":
        target: Any = np.float32 if size <= 4 else np.float64
        if size > 8:
            with np.errstate(over="ignore"):  # weights_array names the first that is infinite
                array = values.astype(target)
        else:
            array = values.astype(target, copy=False)
        return array + array.dtype.type(0) if (np.signbit(array) & (array == 0)).any() else array
    if kind not in "iub":
        remedy = "; divide durations by their unit, such as numpy.timedelta64(1, 's')" if kind == "m" else ""
        raise GraphError(f"weights must be integers or floats, not {values.dtype}{remedy}")
    if kind == "u" and size == 8 and values.size and values.max() > np.iinfo(np.int64).max:
        raise GraphError("weights must be at most 2^63 - 1; divide them, or give them as floats")
    small = size < 4 or (kind == "i" and size == 4) or kind == "b"
    return values.astype(np.int32 if small else np.int64, copy=False)


def labels_of_graph(values: Any, n: int) -> Labels:
    """Labels of n vertices; by default their positions."""
    if values is None:
        return RangeLabels(0, n)
    labels = labels_of(values)
    if len(labels) != n:
        raise GraphError(f"{len(labels)} labels for {n} vertices")
    return labels


def coordinates_array(values: npt.ArrayLike, n: int, labels: Labels) -> npt.NDArray[np.float64]:
    """X and y of n vertices."""
    given = per_vertex(place_columns(values), labels, "coordinates")
    array = array_of(given, "coordinates", np.float64)
    if array.shape != (n, 2):
        raise GraphError(f"coordinates must have shape ({n}, 2), not {array.shape}")
    return frozen(array, given)


def crs_of(crs: Any, coordinates: Any, known: str | None = None) -> str | None:
    """What a caller says that coordinates are, or is known.

    Raises
    ------
    RequestError
        If it is none of the known words, they are known to be something else, or there are no coordinates.
    """
    if crs is None:
        return known
    found = one_of(crs, "crs", UNITS)
    if known not in (None, found):
        raise RequestError(f"crs={found!r}: the coordinates of the graph are {known}; leave crs out")
    if coordinates is None:
        raise RequestError(f"crs={found!r} says what coordinates are, and there are none: coordinates=")
    return found


def zones_array(values: npt.ArrayLike, n: int, labels: Labels) -> npt.NDArray[np.bool_]:
    """One boolean per vertex."""
    given = per_vertex(values, labels, "zones")
    array = array_of(given, "zones")
    if array.shape != (n,) or array.dtype != np.bool_:
        raise GraphError(f"zones must be {n} booleans, not {array.dtype} of shape {array.shape}")
    return frozen(array, given)


def check_symmetric(
    tails: npt.NDArray[np.int32], heads: npt.NDArray[np.int32], weights: npt.NDArray[Any] | None
) -> None:
    """GraphError unless every arc (in CSR order) has a reverse of equal weight."""
    order = np.lexsort((tails, heads))
    if not (np.array_equal(heads[order], tails) and np.array_equal(tails[order], heads)):
        raise _not_symmetric()
    check_same_weights(order, weights)


def check_same_weights(reverse: npt.NDArray[np.int64], weights: npt.NDArray[Any] | None) -> None:
    """GraphError unless every arc has the weight of its reverse, whose number is given."""
    if weights is not None and not np.array_equal(weights[reverse], weights):
        raise _not_symmetric()


def _not_symmetric() -> GraphError:
    return GraphError(
        "an undirected graph must store each edge as two arcs of equal weight: "
        "apsp.from_edges(..., directed=False) adds the missing ones"
    )
