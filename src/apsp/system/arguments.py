"""Checks of the plain arguments of public functions: numbers, flags and words."""

from __future__ import annotations

import datetime
import math
from collections.abc import Iterable
from itertools import pairwise
from typing import Any, TypeGuard

import numpy as np

from apsp.errors import RequestError, shown

__all__ = [
    "MOST_THREADS",
    "cutoffs_of",
    "flag",
    "is_flag",
    "is_integer",
    "is_unicode",
    "longest_distance",
    "name_fault",
    "number",
    "one_of",
    "one_or_several",
    "text",
    "whole_number",
]

MOST_THREADS = 1 << 16
"""Largest number of threads: a larger one is a mistake."""


def is_integer(value: object) -> TypeGuard[int]:
    """Whether it is an integer of Python or NumPy; booleans are not, and neither are durations, NumPy's subclass."""
    return isinstance(value, (int, np.integer)) and not isinstance(value, (bool, np.timedelta64))


def whole_number(value: Any, word: str, *, least: int | None = None, most: int | None = None) -> int:
    """Convert an integer of Python or NumPy to an int.

    Parameters
    ----------
    word : str
        Name of the argument.
    least, most : int, optional
        The smallest and the largest valid number.

    Raises
    ------
    RequestError
        If it is not an integer or out of range.
    """
    if is_integer(value):
        found = int(value)
        if (least is None or found >= least) and (most is None or found <= most):
            return found
    limits = "" if least is None else f" of at least {least}" if most is None else f" from {least} to {most}"
    raise RequestError(f"{word} must be a whole number{limits}, not {shown(value)}")


def number(value: Any, word: str, *, least: float | None = None) -> int | float:
    """Convert a number of Python or NumPy to an int or a float; integers beyond all of int64 become floats.

    Raises
    ------
    RequestError
        If it is not a number, NaN, or less than `least`.
    """
    found: int | float = math.nan
    if is_integer(value):
        found = int(value) if abs(int(value)) < 2**63 else _as_float(int(value))
    elif isinstance(value, (float, np.floating)):
        found = float(value)
    if math.isnan(found) or (least is not None and found < least):
        limit = "" if least is None else f" of at least {least:g}"
        raise RequestError(f"{word} must be a number{limit}, not {shown(value)}{_remedy(value)}")
    return found


def longest_distance(value: Any, word: str = "cutoff") -> int | float:
    """Convert a cutoff: any number of at least 0, infinity included, which cuts nothing off.

    Raises
    ------
    RequestError
        If it is something else.
    """
    return number(value, word, least=0)


def _as_float(value: int) -> float:
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf


def _remedy(value: object) -> str:
    """What to give instead of a duration, for messages: its unit may be another than that of the lengths."""
    if isinstance(value, (np.timedelta64, datetime.timedelta)):
        return "; divide a duration by the unit of the lengths, such as numpy.timedelta64(1, 's')"
    return ""


def flag(value: Any, word: str) -> bool:
    """Convert a flag to a bool: True or False, also of NumPy, or 1 and 0.

    Raises
    ------
    RequestError
        If it is something else.
    """
    if is_flag(value):
        return bool(value)
    raise RequestError(f"{word} must be True or False, not {shown(value)}")


def is_flag(value: Any) -> bool:
    """Whether `flag` takes a value."""
    return isinstance(value, (bool, np.bool_)) or (is_integer(value) and value in (0, 1))


def text(value: Any, word: str) -> str:
    """A string.

    Raises
    ------
    RequestError
        If it is something else.
    """
    if isinstance(value, str):
        return value
    raise RequestError(f"{word} must be a string, not {shown(value)}")


def one_of(value: Any, word: str, allowed: Iterable[str]) -> str:
    """Check that a value is one of some words.

    Raises
    ------
    RequestError
        If it is none of them.
    """
    words = list(allowed)
    if isinstance(value, str) and value in words:
        return value
    raise RequestError(f"{word} must be one of {', '.join(words)}, not {shown(value)}")


def name_fault(name: object) -> str | None:
    """What prevents a name of numbers, such as a cost, from being written to files of all kinds; None if nothing."""
    if not isinstance(name, str) or not name:
        return f"must be text, not {shown(name)}"
    if "\0" in name or not is_unicode(name):
        return f"has a character that files cannot hold (zero, or half of a surrogate pair): {shown(name)}"
    return None


def is_unicode(text: str) -> bool:
    """Whether text can be written as UTF-8: it has no half of a surrogate pair."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def one_or_several(given: Any, rule: str) -> tuple[list[Any], bool]:
    """The items of a sequence, or one value as a list, and whether a sequence was given.

    Raises
    ------
    RequestError
        With the rule, if the sequence cannot be read.
    """
    several = isinstance(given, Iterable) and not isinstance(given, (str, bytes))
    several = several and not (isinstance(given, np.ndarray) and given.ndim == 0)
    try:
        return list(given) if several else [given[()] if isinstance(given, np.ndarray) else given], several
    except Exception as error:  # of an odd sequence
        raise RequestError(f"{rule}, not {shown(given)}") from error


def cutoffs_of(cutoffs: Any) -> tuple[tuple[int | float, ...], bool]:
    """The cutoffs, ascending, and whether a sequence was given.

    Raises
    ------
    RequestError
        If there is none, one is not a number of at least 0, or they do not increase.
    """
    given, several = one_or_several(cutoffs, "cutoffs must be a number or a sequence of numbers")
    if not given:
        raise RequestError("cutoffs must hold at least one number")
    found = tuple(longest_distance(value, "cutoffs") for value in given)
    if any(later <= earlier for earlier, later in pairwise(found)):
        raise RequestError(f"cutoffs must increase, not {', '.join(map(str, found[:20]))}")
    return found, several
