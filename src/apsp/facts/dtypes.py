"""The dtype of the distances: chosen, or checked, by a proof that it holds all of them.

For (min,+) the proof is the distance bound of the graph. A sum of a distance and a weight must not wrap either, so the
largest weight must be within the same limit. For the bottleneck semirings a distance is one of the weights.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

import numpy as np

from apsp.errors import DtypeRangeError
from apsp.facts.bounds import DistanceBound
from apsp.facts.request import Request
from apsp.facts.statistics import GraphStatistics
from apsp.semiring import Semiring

__all__ = [
    "INTEGER_DTYPES", "DtypeReason", "bound_of", "bound_words", "choose_dtype", "holds", "in_half_range",
    "longest_allowed", "may_be_narrower", "narrowest_integer",
]  # fmt: skip

INTEGER_DTYPES = ("uint16", "int32", "int64")
"""Integer dtypes, from narrow to wide."""

# Values of (min,+) stay strictly below these: two of them, or one and "no path", can be added without wrapping.
# (uint16 kernels saturate, so they may use the whole range.) With negative arcs, a sum with "no path" (twice the limit)
# may be lower than that by twice the lowest distance (a path on either side), and must stay above the limit: so the
# lowest distance counts twice.
SUM_LIMITS = {"uint16": 2**16 - 1, "int32": 2**29, "int64": 2**61}
# (On a GPU they do not saturate, and on a CPU those that need not are faster.)
_HALF_RANGE = 2**15 - 1
# Values that are only compared may use the whole range except its ends, which mean "no path" and "no arcs".
_COMPARE_LIMITS = {"int32": 2**31 - 1, "int64": 2**63 - 1}
_EXACT_FLOATS = {"float32": 2**24, "float64": 2**53}


class DtypeReason(NamedTuple):
    """Why distances have their dtype.

    Attributes
    ----------
    kind : {'request', 'weights', 'proof'}
        It is requested (and proven), that of floating-point weights, or the narrowest integer dtype that is proven.
    bound : DistanceBound
    largest_weight : int or float
        The largest absolute one.
    """

    kind: Literal["request", "weights", "proof"]
    bound: DistanceBound
    largest_weight: float


def choose_dtype(statistics: GraphStatistics, request: Request) -> tuple[str, DtypeReason]:
    """Choose the dtype of the distances, or check the requested one.

    Returns
    -------
    (str, DtypeReason)
        The name of the dtype, and why.

    Raises
    ------
    DtypeRangeError
        If no dtype (or not the requested one) can be proven to hold every distance.
    """
    proven = bound_of(statistics, request), statistics.largest_weight
    if request.dtype != "auto":
        _check_requested(statistics, request)
        return request.dtype, DtypeReason("request", *proven)
    if not statistics.has_integer_weights:
        name = str(statistics.weight_dtype)
        _check_overflow(name, statistics, request)
        return name, DtypeReason("weights", *proven)
    narrowest = narrowest_integer(statistics, request)
    if narrowest is None:
        raise DtypeRangeError(
            f"no integer dtype can be proven to hold every distance: {_proven(statistics, request)}; "
            "scale the weights down, or use dtype='float64' with float weights"
        )
    return narrowest, DtypeReason("proof", *proven)


def bound_of(statistics: GraphStatistics, request: Request) -> DistanceBound:
    """The proven bound of the distances in the semiring of the request."""
    if request.semiring.join == "add":
        return statistics.bound
    return DistanceBound(statistics.min_weight, statistics.max_weight, "every distance is the weight of an arc")


def narrowest_integer(statistics: GraphStatistics, request: Request) -> str | None:
    """The narrowest integer dtype proven to hold every distance; None if there is none or the weights are floats."""
    if not statistics.has_integer_weights:
        return None
    sums = request.semiring.join == "add"
    return next((name for name in (SUM_LIMITS if sums else _COMPARE_LIMITS) if holds(name, statistics, request)), None)


def may_be_narrower(dtype: np.dtype[np.generic], distance: float) -> bool:
    """Whether an integer dtype narrower than one of distances holds this one."""
    names = list(SUM_LIMITS)
    return dtype.name in names and any(distance < SUM_LIMITS[name] for name in names[: names.index(dtype.name)])


def holds(name: str, statistics: GraphStatistics, request: Request, device: str | None = None) -> bool:
    """Whether dtype `name` is proven to hold every distance exactly (floats: without overflow).

    Parameters
    ----------
    device : 'cpu', 'cuda' or 'emulated', optional
        The device; by default that of the request.
    """
    bound = bound_of(statistics, request)
    size = max(abs(bound.low), abs(bound.high), statistics.largest_weight)
    if request.semiring.join == "add" and not name.startswith("float"):
        size = max(size, -2 * bound.low)
    if name.startswith("float"):
        limit: float = _EXACT_FLOATS[name] if statistics.has_integer_weights else float(np.finfo(name).max)
        return size < limit
    if not statistics.has_integer_weights:
        return False
    if name == "uint16" and (statistics.has_negative_arc or bound.low < 0):
        return False
    limits = SUM_LIMITS if request.semiring.join == "add" else _COMPARE_LIMITS
    if (device or request.device) in ("cuda", "emulated") and name == "uint16":
        return size < _HALF_RANGE
    return name in limits and size < limits[name]


def in_half_range(statistics: GraphStatistics) -> bool:
    """Whether every (min,+) distance and weight is proven to be an integer from 0 to below half the range of uint16."""
    size = max(statistics.bound.high, statistics.largest_weight)
    return statistics.has_integer_weights and not statistics.has_negative_arc and size < _HALF_RANGE


def longest_allowed(name: str, semiring: Semiring, arcs: int, *, integers: bool) -> int | float:
    """Return the largest absolute weight for which dtype `name` provably holds every path of this many arcs.

    For the CPU and for GPUs: uint16 has the range of GPUs. -1 if the dtype cannot be used in this semiring.

    Parameters
    ----------
    integers : bool
        The weights are integers, which floats must hold exactly.
    """
    arcs = max(arcs, 1) if semiring.join == "add" else 1
    if name.startswith("float"):
        if integers:
            return float((_EXACT_FLOATS[name] - 1) // arcs)
        return float(np.finfo(name).max) / (arcs + 1 if arcs > 1 else 1)
    if not integers:
        return -1
    limits = SUM_LIMITS | {"uint16": _HALF_RANGE} if semiring.join == "add" else _COMPARE_LIMITS
    return (limits[name] - 1) // arcs if name in limits else -1


def _check_requested(statistics: GraphStatistics, request: Request) -> None:
    name = request.dtype
    if not statistics.has_integer_weights and not name.startswith("float"):
        raise DtypeRangeError(
            f"dtype={name!r} cannot hold the distances of a graph with {statistics.weight_dtype} weights; "
            "use float32 or float64, or give the graph integer weights"
        )
    if not statistics.has_integer_weights:
        _check_overflow(name, statistics, request)
        return
    if holds(name, statistics, request):
        return
    fits = narrowest_integer(statistics, request)
    remedy = f"dtype={fits!r} is the narrowest that does" if fits else "no integer dtype does"
    why = "hold every distance exactly" if name.startswith("float") else "hold every distance"
    raise DtypeRangeError(f"dtype={name!r} is not proven to {why}: {_proven(statistics, request)}; {remedy}")


def _check_overflow(name: str, statistics: GraphStatistics, request: Request) -> None:
    if not holds(name, statistics, request):
        wider = "dtype='float64' or " if name == "float32" else ""
        raise DtypeRangeError(
            f'sums in {name} may overflow to infinity, which means "no path": {_proven(statistics, request)}; '
            f"use {wider}weights in a larger unit"
        )


def bound_words(bound: DistanceBound, largest_weight: float) -> str:
    """Say what is proven of every distance."""
    low = f"at least {_number(bound.low)} and " if bound.low < 0 else ""
    words = f"every distance is {low}at most {_number(bound.high)} ({bound.reason})"
    if largest_weight > max(abs(bound.low), abs(bound.high)):
        words += f", and the largest weight is {_number(largest_weight)}"
    return words


def _proven(statistics: GraphStatistics, request: Request) -> str:
    return bound_words(bound_of(statistics, request), statistics.largest_weight)


def _number(value: float) -> str:
    return f"{value:,}" if isinstance(value, int) else f"{value:,.6g}"
