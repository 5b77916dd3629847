"""Lengths that are Python objects, from tables and graphs of other libraries, as arrays: integers stay exact."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from apsp.errors import GraphError, shown
from apsp.system.arguments import is_integer

__all__ = ["array_of_numbers", "array_of_objects", "beyond_int64", "is_number"]


def is_number(value: Any) -> bool:
    """Whether it is a real number of Python or NumPy: an integer, float, Decimal or Fraction. Booleans, complex numbers
    and durations are not.
    """
    return is_integer(value) or isinstance(value, (float, np.floating, Decimal, Fraction))


def beyond_int64(name: str, value: object) -> GraphError:
    """The error of an integer that int64 does not hold."""
    return GraphError(f"{name}{shown(value)}: integers must lie between -2^63 and 2^63 - 1; give larger ones as floats")


def array_of_numbers(values: Sequence[Any], name: Callable[[int], str]) -> npt.NDArray[Any]:
    """An array of numbers: int64 if all of them are integers, otherwise floats.

    Where some are Decimals or Fractions and all are whole, they become int64.

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
    exact = any(issubclass(kind, (Decimal, Fraction)) for kind in kinds)
    if all(map(_is_whole, values)) if exact else all(issubclass(kind, (int, np.integer)) for kind in kinds):
        for index, value in enumerate(values if exact else ()):
            if not -(2**63) <= value < 2**63:  # it may have a million digits
                raise beyond_int64(name(index), value)
        try:
            return np.fromiter(values if kinds == {int} else map(int, values), np.int64, len(values))
        except OverflowError:
            index = next(k for k, value in enumerate(values) if not -(2**63) <= int(value) < 2**63)
            raise beyond_int64(name(index), int(values[index])) from None
    if int not in kinds and not exact:
        return np.asarray(values)
    try:
        return np.asarray(values, dtype=np.float64)
    except OverflowError:
        index = next(k for k, value in enumerate(values) if _is_beyond_floats(value))
        raise GraphError(f"{name(index)}{shown(values[index])}, which is too large for a float") from None


def array_of_objects(array: npt.NDArray[Any], name: str) -> npt.NDArray[Any]:
    """An array of objects as one of numbers or booleans; the same array if some object is neither.

    Parameters
    ----------
    name : str
        What the array is called in messages: "weights".

    Raises
    ------
    GraphError
        Naming a number that neither int64 nor float64 holds.
    """
    values = array.ravel().tolist()
    if values and all(isinstance(value, (bool, np.bool_)) for value in values):
        return array.astype(np.bool_)
    if not all(map(is_number, values)):
        return array
    return array_of_numbers(values, lambda index: f"{name}: {_place(index, array.shape)} is ").reshape(array.shape)


def _place(index: int, shape: tuple[int, ...]) -> str:
    return f"entry [{', '.join(str(k) for k in np.unravel_index(index, shape))}]"


def _is_beyond_floats(value: Any) -> bool:
    try:
        float(value)
    except OverflowError:
        return True
    return False


def _is_whole(value: Any) -> bool:
    if isinstance(value, Decimal):  # with a large exponent it has too many digits to be converted
        return value.is_finite() and (value.as_tuple().exponent >= 0 or value == value.to_integral_value())  # type: ignore[operator]
    return bool(value == value and abs(value) != math.inf and value == int(value))
