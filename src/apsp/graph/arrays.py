"""Array-likes of a caller, checked and converted to the arrays that a graph is built from."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from apsp.errors import GraphError, RequestError, warn
from apsp.graph.aligned import labels_of_axes
from apsp.graph.checks import array_of, weight_array
from apsp.graph.labels import Labels
from apsp.semiring import unreachable
from apsp.system.arguments import is_integer, number, whole_number

__all__ = [
    "absent_entry",
    "arc_weight_array",
    "check_ends",
    "check_entries",
    "check_symmetric",
    "check_zeros",
    "finite_numbers",
    "number_array",
    "present_entries",
    "vertex_array",
    "vertex_count",
    "warn_of_zeros",
]

_MOST_VERTICES = 2**31 - 2


def number_array(values: Any, what: str) -> npt.NDArray[Any]:
    """Convert anything that NumPy or DLPack can read as an array."""
    if not isinstance(values, np.ndarray) and hasattr(values, "__dlpack__") and not labels_of_axes(values):
        try:
            return np.from_dlpack(values)
        except (BufferError, RuntimeError, TypeError, ValueError) as error:
            raise GraphError(
                f"{what} cannot be read through DLPack: {error}; convert it to a NumPy array first"
            ) from error
    if isinstance(values, np.ma.MaskedArray):
        if np.ma.is_masked(values):
            raise GraphError(f"{what} has masked entries: fill them (values.filled), or leave them out (compressed)")
        values = values.data
    return array_of(values, what)


def finite_numbers(values: Any, word: str) -> npt.NDArray[np.float64]:
    """Convert a number, or a vector of numbers, to float64.

    Raises
    ------
    GraphError, RequestError
        If they are something else, or not finite.
    """
    array = np.asarray(number_array(values, word))
    if array.ndim > 1 or (array.dtype.kind not in "iuf" and array.size):
        raise RequestError(f"{word} must be numbers, not {array.dtype} of shape {array.shape}")
    found = array.astype(np.float64)
    if not np.isfinite(found).all():
        raise RequestError(f"{word} must be finite")
    return found


def vertex_array(values: Any, what: str) -> npt.NDArray[Any]:
    """Convert positions of vertices."""
    array = number_array(values, what)
    if array.size == 0:
        array = array.astype(np.int32)
    if array.ndim != 1 or array.dtype.kind not in "iu":
        raise GraphError(f"{what} must be a vector of vertex numbers, not {array.dtype} of shape {array.shape}")
    return array


def arc_weight_array(
    values: Any, tails: npt.NDArray[Any], heads: npt.NDArray[Any], labels: Labels | None, *, closing: bool = False
) -> npt.NDArray[Any]:
    """Convert one finite weight for each arc; infinity, too, if they are `closing`."""
    array = number_array(values, "weights")
    if array.size == 0 and array.dtype.kind not in "iuf":
        array = array.astype(np.float64)
    if array.ndim != 1 or len(array) != len(tails):
        raise GraphError(f"weights must be a vector of {len(tails)} numbers, one per arc, not of shape {array.shape}")
    array = weight_array(array)
    wrong: Any = ~np.isfinite(array) if array.dtype.kind == "f" else np.False_
    if closing:
        wrong &= ~np.isposinf(array)
    if wrong.any():
        arc = int(np.flatnonzero(wrong)[0])
        ends = [int(tails[arc]), int(heads[arc])]
        known = labels is not None and 0 <= min(ends) <= max(ends) < len(labels)
        tail, head = (labels.word(end) if labels is not None and known else str(end) for end in ends)
        raise GraphError(
            f"arc {arc}, from vertex {tail} to {head}, has weight {array[arc]}: omit an arc that does not exist "
            "(Graph.without_edges); Oracle.update closes links whose weight is inf"
        )
    return np.ascontiguousarray(array)


def vertex_count(
    n: int | None,
    labels: Labels | None,
    coordinates: Any,
    zones: Any,
    ends: list[npt.NDArray[Any]],
) -> int:
    """Find n from the arguments, or from the largest vertex number."""
    if n is not None:
        return whole_number(n, "n, the number of vertices,", least=0, most=_MOST_VERTICES)
    if labels is not None:
        if len(labels) > _MOST_VERTICES:
            raise GraphError(f"{len(labels):,} labels: a graph has 0 to {_MOST_VERTICES:,} vertices")
        return len(labels)
    for given, what in ((coordinates, "coordinates"), (zones, "zones")):
        if given is not None:
            if isinstance(given, Mapping) or labels_of_axes(given):
                return len(given)
            shape = array_of(given, what).shape
            return shape[0] if shape else 0
    largest = max((int(array.max()) for array in ends if array.size), default=-1)
    if largest > 2**31 - 3:
        raise GraphError(f"vertex {largest}: numbers above {2**31 - 3} are not supported; number the vertices from 0")
    return max(largest + 1, 0)


def check_ends(array: npt.NDArray[Any], n: int, which: str) -> None:
    """Check that the ends of arcs are in 0..n-1."""
    if array.size and (array.min() < 0 or array.max() >= n):
        arc = int(np.flatnonzero((array < 0) | (array >= n))[0])
        exist = f"vertices are 0 to {n - 1}" if n else "there are no vertices"
        raise GraphError(f"arc {arc} has {which} {array[arc]}: {exist}; pass n= if there are more")


def present_entries(array: npt.NDArray[Any], absent: float | None) -> npt.NDArray[np.bool_]:
    """Return where there is an arc, as a new array."""
    if absent is None:
        entry: Any = 0 if array.dtype.kind == "b" else unreachable(array.dtype)
    else:
        entry = absent_entry(absent, array.dtype)
    if entry is None:
        return np.ones(array.shape, dtype=bool)
    present: npt.NDArray[np.bool_] = ~np.isnan(array) if entry != entry else np.not_equal(array, entry)
    return present


def absent_entry(absent: Any, dtype: np.dtype[Any]) -> Any:
    """The entry that means "no arc", as a number of the dtype; None if no entry can be equal to it.

    Raises
    ------
    RequestError
        If it is not a number.
    """
    if isinstance(absent, (float, np.floating)) and absent != absent:
        return math.nan if dtype.kind == "f" else None
    whole = isinstance(absent, (bool, np.bool_)) or is_integer(absent)
    value = int(absent) if whole else number(absent, "absent")
    if dtype.kind != "f":
        least, most = (0, 1) if dtype.kind == "b" else (np.iinfo(dtype).min, np.iinfo(dtype).max)
        return int(value) if least <= value <= most and value == int(value) else None
    if not whole:
        return value
    try:
        with np.errstate(over="ignore"):
            near = dtype.type(value)
    except OverflowError:  # larger than all floats
        return None
    return near if np.isfinite(near) and int(near) == value else None


def check_entries(array: npt.NDArray[Any], present: npt.NDArray[np.bool_]) -> None:
    """Check that entries are lengths; infinity on the diagonal is not an arc."""
    if array.dtype.kind != "f":
        return
    endless = present & ~np.isfinite(array)
    np.fill_diagonal(endless, np.diagonal(endless) & (np.diagonal(array) != np.inf))
    wrong = np.argwhere(endless)
    if len(wrong):
        u, v = (int(k) for k in wrong[0])
        raise GraphError(
            f"entry [{u}, {v}] is {array[u, v]}: lengths must be finite; absent= states which value means that "
            f"there is no arc"
        )


def check_symmetric(array: npt.NDArray[Any], present: npt.NDArray[np.bool_]) -> None:
    """Check that a matrix is symmetric."""
    differs = (present != present.T) | (present & present.T & (array != array.T))
    if differs.any():
        u, v = (int(k) for k in np.argwhere(differs)[0])
        raise GraphError(
            f"entry [{u}, {v}] is {array[u, v]} but [{v}, {u}] is {array[v, u]}: an undirected graph has a symmetric "
            "matrix; pass directed=True, or the smaller of both"
        )


def check_zeros(array: npt.NDArray[Any]) -> None:
    """Warn of zeros in an (n, n) or (b, n, n) array that may have been meant as "no arc": see `warn_of_zeros`."""
    if array.dtype.kind == "b" or array.size < 2:
        return
    diagonal = np.diagonal(array, axis1=-2, axis2=-1)
    pairs = array.size - diagonal.size
    zeros = pairs - int(np.count_nonzero(array)) + int(np.count_nonzero(diagonal))
    if 4 * zeros > pairs and not (array == unreachable(array.dtype)).any():
        warn_of_zeros(zeros, pairs, array.dtype)


def warn_of_zeros(zeros: int, pairs: int, dtype: np.dtype[Any]) -> None:
    """Warn if more than a quarter of the entries are zero: they may have been meant as "no arc".

    Parameters
    ----------
    zeros, pairs : int
        Entries off the diagonal that are zero, and all of them; none of them means "no arc".
    """
    if 4 * zeros > pairs:
        keep = "math.inf" if dtype.kind == "f" else f"apsp.unreachable('{dtype}')"
        warn(
            f"{100 * zeros / pairs:.0f}% of the matrix off its diagonal is zero, and each zero counts as an arc of "
            "length 0: pass absent=0 if zero means that there is no arc. To keep the arcs without this warning, pass "
            f"absent={keep}",
            topic="zeros",
        )
