"""The algebra that a solver computes in, and the only Python definition of "no path".

A semiring has an operation that picks the better of two paths (`choose`) and one that joins two paths (`join`).
(min,+) gives shortest paths, (or,and) reachability, (max,min) widest paths (the largest bottleneck),
(min,max) minimax paths (the smallest bottleneck). Katz and Kider 2008, section 3.4, names the closure case.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from apsp.errors import RequestError, shown
from apsp.system.array_device import to_host

__all__ = [
    "ALL_DTYPES",
    "MAX_MIN",
    "MAX_PLUS",
    "MIN_MAX",
    "MIN_PLUS",
    "NO_VERTEX",
    "OR_AND",
    "SEMIRINGS",
    "Algebra",
    "Semiring",
    "bound_in",
    "infinite",
    "is_unreachable",
    "unreachable",
]

ALL_DTYPES = ("uint16", "int32", "int64", "float32", "float64")
"""The dtypes of distances."""

NO_VERTEX = -1
"""The value for "no vertex" in `pred`, `via` and `next_hop`."""


def unreachable(dtype: npt.DTypeLike) -> int | float:
    """Return the distance that means "no path": infinity for floats, the dtype's maximum for integers.

    Parameters
    ----------
    dtype : numpy dtype
        Any integer or float dtype; distances are uint16, int32, int64, float32 or float64.

    Returns
    -------
    int or float
        The value, as a Python number.

    Raises
    ------
    RequestError
        If it is another dtype, or not a dtype.

    Examples
    --------
    >>> import apsp
    >>> apsp.unreachable("uint16"), apsp.unreachable("float32")
    (65535, inf)
    """
    try:
        kind = np.dtype(dtype)
    except Exception:  # NumPy inspects the value, and may raise any exception
        raise RequestError(f"distances are integers or floats, and {shown(dtype)} names no dtype") from None
    if kind.kind == "f":
        return float("inf")
    if kind.kind in "iu":
        return int(np.iinfo(kind).max)
    raise RequestError(f"distances are integers or floats, not {kind}")


def bound_in(cutoff: float | None, dtype: np.dtype[Any]) -> int | float | None:
    """The cutoff as a number of `dtype`: floats rounded to nearest, integers down. None if nothing is cut off.

    Below zero it may not fit an unsigned dtype: solvers deal with that case before they call a kernel.
    """
    if cutoff is None or cutoff >= unreachable(dtype):
        return None
    if dtype.kind == "f":
        with np.errstate(over="ignore"):  # beyond the largest float nothing is cut off
            return float(dtype.type(cutoff))
    return max(math.floor(cutoff), -(2**31) if dtype.kind == "u" else int(np.iinfo(dtype).min))


def infinite(distances: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
    """Distances as float64, infinite where there is no path."""
    return np.where(distances == unreachable(distances.dtype), np.inf, distances.astype(np.float64))


def is_unreachable(distances: npt.ArrayLike) -> npt.NDArray[np.bool_]:
    """Return where `distances` (any shape) mean "no path", a boolean array of the same shape."""
    array = to_host(distances)
    result: npt.NDArray[np.bool_] = array == unreachable(array.dtype)
    return result


@dataclass(frozen=True)
class Semiring:
    """One of the algebras above; `name` is also its name in the C++ and CUDA kernels."""

    name: str
    choose: str
    join: str

    def no_path(self, dtype: npt.DTypeLike) -> int | float:
        """The value of a pair without a path: the neutral element of `choose`."""
        dtype = np.dtype(dtype)
        if self.choose == "min":
            return unreachable(dtype)
        if self.choose == "max":
            return -np.inf if dtype.kind == "f" else int(np.iinfo(dtype).min)
        return 0

    def empty_path(self, dtype: npt.DTypeLike) -> int | float:
        """The value of the path of no arcs (the diagonal): the neutral element of `join`."""
        dtype = np.dtype(dtype)
        if self.join == "add":
            return 0
        if self.join == "min":
            return np.inf if dtype.kind == "f" else int(np.iinfo(dtype).max)
        if self.join == "max":
            return -np.inf if dtype.kind == "f" else int(np.iinfo(dtype).min)
        return 1

    def bound(self, cutoff: float | None, dtype: np.dtype[Any]) -> int | float | None:
        """The cutoff as a number of `dtype`, which values are compared with: those that are worse are cut off.

        Integers in the direction of the better ones, so that a comparison is exact; floats are rounded to nearest. None
        if nothing is cut off.
        """
        if cutoff is None or self.choose != "max":
            return bound_in(cutoff, dtype)
        if dtype.kind == "f":
            with np.errstate(over="ignore"):
                return float(dtype.type(cutoff))
        most = int(np.iinfo(dtype).max)  # of the path of no arcs
        return most if cutoff >= most else max(math.ceil(cutoff), int(np.iinfo(dtype).min))

    def __reduce__(self) -> tuple[Any, ...]:
        """Copies and pickles are the algebra itself, which `is` finds."""
        return _of_name, (self.name,)


MIN_PLUS = Semiring("min_plus", "min", "add")
OR_AND = Semiring("or_and", "or", "and")
MAX_MIN = Semiring("max_min", "max", "min")
MIN_MAX = Semiring("min_max", "min", "max")
SEMIRINGS = {semiring.name: semiring for semiring in (MIN_PLUS, OR_AND, MAX_MIN, MIN_MAX)}
MAX_PLUS = Semiring("max_plus", "max", "add")
"""Longest walks of a given number of arcs: of products only, since a graph with a cycle has no longest walk."""


def _of_name(name: str) -> Semiring:
    return MAX_PLUS if name == MAX_PLUS.name else SEMIRINGS[name]


class Algebra(NamedTuple):
    """What the kernels of a run compute in.

    Attributes
    ----------
    semiring : Semiring
        (min,+), (max,min) or (min,max).
    nonnegative : bool
        No value is below zero, so that floats may be compared as integers.
    half_range : bool
        All distances are proven to be below half of the range of uint16, so that its sums need not saturate.
    """

    semiring: Semiring
    nonnegative: bool
    half_range: bool = False
