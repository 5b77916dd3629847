"""Distances as an array with which NumPy may compute: infinite where there is no path, and wide enough for sums."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from apsp._types import NumPyArray
from apsp.errors import MemoryLimitError, RequestError, shown
from apsp.semiring import MIN_PLUS, Semiring, unreachable
from apsp.system.arguments import is_integer, number
from apsp.system.array_device import to_host
from apsp.system.lack_of_memory import memory_errors
from apsp.system.machine import Machine, usable

__all__ = ["HasDistances", "as_numbers", "narrow_note"]

_AT_ONCE = 1 << 21
"""Entries that are converted at a time."""

_SMALL = 1 << 24
"""Bytes of a result below which the memory of the machine is not looked at."""


class HasDistances:
    """The conversion of results whose attribute `distances` has a narrow dtype, in which "no path" is a number."""

    __slots__ = ()

    distances: Any

    @memory_errors
    def to_numpy(self, dtype: npt.DTypeLike = "float64", *, absent: float | None = None) -> NumPyArray:
        """Return the distances as a NumPy array to compute with: float64, infinite where there is no path.

        Sums of entries of `distances` itself wrap, since its dtype is the narrowest that holds them.

        Parameters
        ----------
        dtype : numpy dtype
            Any integer or float dtype that holds all distances.
        absent : number, optional
            What stands where there is no path: infinity for floats. Integers need it if there is such a pair.

        Returns
        -------
        array
            In host memory, with the shape of `distances`; without a copy if it is that array.

        Raises
        ------
        RequestError
            If the dtype does not hold a distance exactly (floats may be rounded to narrower floats), or is an integer
            and some pair has no path, without `absent`.
        MemoryLimitError
            If the array does not fit into memory.

        Examples
        --------
        >>> import apsp
        >>> graph = apsp.from_edges([0, 1, 0], [1, 2, 2], [4, 1, 9], labels=["a", "b", "c"])
        >>> result = apsp.solve(graph)
        >>> distances = result.to_numpy()
        >>> (distances + distances).tolist()
        [[0.0, 8.0, 10.0], [inf, 0.0, 2.0], [inf, inf, 0.0]]
        >>> result.to_numpy("int64", absent=-1).tolist()
        [[0, 4, 5], [-1, 0, 1], [-1, -1, 0]]
        """
        kind = _number_dtype(dtype)
        algebra: Semiring = getattr(self, "semiring", MIN_PLUS)
        given = self.distances
        size = int(np.prod(given.shape)) * kind.itemsize
        if size > _SMALL and given.dtype != kind:
            machine = Machine.detect()
            if size > usable(machine):
                remedies = ["distances, which is narrower", "some rows at a time, result[sources, :]"]
                raise MemoryLimitError(f"distances as {kind}", size, machine.memory_available, remedies)
        return _converted(given, kind, algebra, absent)


def as_numbers(distances: NumPyArray, dtype: npt.DTypeLike, algebra: Semiring) -> NumPyArray:
    """Return distances in another dtype; errors are those of `HasDistances.to_numpy`."""
    return _converted(distances, _number_dtype(dtype), algebra, None)


def narrow_note(dtype: np.dtype[Any]) -> str | None:
    """The words about a dtype in which computing goes wrong in silence; None for floats."""
    if dtype.kind == "f":
        return None
    return f"{unreachable(dtype)} means no path, and sums in {dtype} wrap: to_numpy() returns floats to compute with"


def _converted(given: Any, kind: np.dtype[Any], algebra: Semiring, absent: float | None) -> NumPyArray:
    """Distances in another dtype, with `absent` where there is no path; see `HasDistances.to_numpy`."""
    marks: dict[float, Any] = {algebra.no_path(given.dtype): _absent(absent, algebra, kind)}
    if algebra is not MIN_PLUS:
        marks[algebra.empty_path(given.dtype)] = algebra.empty_path(np.float64) if kind.kind == "f" else None
    if given.dtype == kind and absent is None and kind.kind == "f":
        return to_host(given)
    found = np.empty(given.shape, dtype=kind)
    step = max(_AT_ONCE // max(int(np.prod(given.shape[1:])), 1), 1)
    step = getattr(given, "band_shape", (step,))[0]  # of a store
    for start in range(0, len(found), step):
        _convert(to_host(given[start : start + step]), found[start : start + step], marks)
    return found


def _convert(part: NumPyArray, into: NumPyArray, marks: Mapping[float, Any]) -> None:
    """Write numbers in another dtype, and what stands for those that are marks.

    Raises
    ------
    RequestError
        If a number does not fit, or nothing stands for a mark that occurs.
    """
    with np.errstate(over="ignore", invalid="ignore"):
        into[...] = part
        if part.dtype.kind == into.dtype.kind == "f":
            wrong = np.isinf(into) & ~np.isinf(part)
        else:
            wrong = into.astype(part.dtype) != part
            wrong |= (part < 0) & (into.dtype.kind == "u")
    for mark, stands in marks.items():
        where = part == mark
        if where.any():
            if stands is None:
                raise RequestError(
                    f"some pairs have no path (or no arcs), which {into.dtype} has no number for: absent=-1 (or "
                    "another number) stands there, and floats have infinity"
                )
            wrong[where] = False
            into[where] = stands
    if wrong.any():
        value = part[wrong][0]
        raise RequestError(
            f"{into.dtype} does not hold the distance {value!s} exactly: result.distances is {part.dtype}"
        )


def _absent(absent: Any, algebra: Semiring, kind: np.dtype[Any]) -> Any:
    """The number that stands where there is no path; None if there is none."""
    if kind.kind == "f":
        if absent is None:
            return algebra.no_path(np.float64)
        return absent if isinstance(absent, (float, np.floating)) else number(absent, "absent")
    if absent is None:
        return None
    limits = np.iinfo(kind)
    if not is_integer(absent) or not limits.min <= int(absent) <= limits.max:
        raise RequestError(f"absent must be a number of {kind}, {limits.min} to {limits.max}, not {shown(absent)}")
    return int(absent)


def _number_dtype(dtype: Any) -> np.dtype[Any]:
    try:
        kind: np.dtype[Any] = np.dtype(dtype)
    except Exception:  # NumPy inspects the value, and may raise any exception
        raise RequestError(f"dtype must be an integer or float dtype of NumPy, not {shown(dtype)}") from None
    if dtype is None or kind.kind not in "iuf":
        raise RequestError(f"dtype must be an integer or float dtype of NumPy, not {shown(dtype)}")
    return kind
