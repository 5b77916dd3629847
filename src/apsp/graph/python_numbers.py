"""Lengths that are Python objects, from tables and graphs of other libraries, as arrays: integers stay exact."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from apsp.errors import GraphError, shown
from apsp.system.arguments import is_integer

__all__ = ["array_of_numbers", "beyond_int64", "is_number"]


def is_number(value: Any) -> bool:
    """Whether it is a real number of Python or NumPy; booleans, complex numbers and durations are not."""
    return is_integer(value) or isinstance(value, (float, np.floating))


def beyond_int64(name: str, value: object) -> GraphError:
    """The error of an integer that int64 does not hold."""
    return GraphError(f"{name}{shown(value)}: integers must lie between -2^63 and 2^63 - 1; give larger ones as floats")


def array_of_numbers(values: Sequence[Any], name: Callable[[int], str]) -> npt.NDArray[Any]:
    """An array of numbers: int64 if all of them are integers, otherwise floats.

    Parameters
    ----------
    values : sequence of m numbers, as of `is_number`
    name : callable
        The words for a number, of its index, for messages: "edge 3 - 5 has weight=".

    Raises
    ------
    GraphError
        Naming the number: an integer beyond int64, or beyond float64 beside floats.
    """
    if not values:
        return np.empty(0, dtype=np.float64)
    kinds = set(map(type, values))
    if all(issubclass(kind, (int, np.integer)) for kind in kinds):
        try:
            return np.fromiter(values if kinds == {int} else map(int, values), np.int64, len(values))
        except OverflowError:
            index = next(k for k, value in enumerate(values) if not -(2**63) <= int(value) < 2**63)
            raise beyond_int64(name(index), int(values[index])) from None
    if int not in kinds:
        return np.asarray(values)
    try:
        return np.asarray(values, dtype=np.float64)
    except OverflowError:
        index = next(k for k, value in enumerate(values) if abs(value) >= 2**1024)
        raise GraphError(f"{name(index)}{shown(values[index])}, which is too large for a float") from None
