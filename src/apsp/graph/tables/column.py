"""A column of a table of any library, as an array of numbers or of objects."""

from __future__ import annotations

import contextlib
from collections.abc import Hashable, Sequence
from decimal import Decimal
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from apsp.errors import GraphError, shown
from apsp.graph.labels.base import objects
from apsp.graph.python_numbers import is_number

__all__ = ["Column", "as_tuple", "check_whole_microseconds", "column_of", "holds_numbers", "repeated"]


class Column(NamedTuple):
    """Values of one column.

    Attributes
    ----------
    name : hashable
        As the table calls it.
    values : (rows,) array
        Numbers, booleans or objects; undefined where an entry is missing.
    missing : (rows,) bool
        Where there is no value.
    distinct, places : sequence and (rows,) integers, optional
        Of a column of text: the different values in the order of their first row, and which of them a row has.
    """

    name: Hashable
    values: npt.NDArray[Any]
    missing: npt.NDArray[np.bool_]
    distinct: Sequence[Any] | None = None
    places: npt.NDArray[Any] | None = None


def column_of(name: Hashable, values: Any, missing: Any = None) -> Column:
    """A column of an array, or of a sequence of Python objects in which None means missing.

    Integers become int64 if they fit, and lists tuples. Not-a-number is a missing value.
    """
    if isinstance(values, np.ma.MaskedArray):
        missing = np.ma.getmaskarray(values) if missing is None else missing
        values = np.ma.getdata(values)
    if not isinstance(values, np.ndarray) or values.dtype.kind not in "iufb":
        is_plain = isinstance(values, np.ndarray) and values.dtype.kind not in "mM"  # times in ns would become integers
        values = _of_objects(values.tolist() if is_plain else list(values))
    absent = np.zeros(len(values), dtype=bool) if missing is None else np.asarray(missing, dtype=bool)
    if values.dtype.kind == "f":
        absent = absent | np.isnan(values)
    elif values.dtype.kind == "O":
        objects_ = values.tolist()
        if set(map(type, objects_)) != {str}:
            absent = absent | np.fromiter(map(_is_missing, objects_), bool, len(objects_))
    return Column(name, values, absent)


def _of_objects(values: Sequence[Any]) -> npt.NDArray[Any]:
    kinds = set(map(type, values))
    if kinds == {int}:
        with contextlib.suppress(OverflowError):  # larger than int64
            return np.asarray(values, dtype=np.int64)
    if kinds == {float}:
        return np.asarray(values, dtype=np.float64)
    if kinds & {list, np.ndarray}:  # tables have no tuples
        values = [as_tuple(value) for value in values]
    return objects(values, (len(values),))


def as_tuple(value: Any) -> Any:
    """Lists as tuples, which can be labels."""
    if isinstance(value, np.ndarray):
        value = value.tolist()
    return tuple(map(as_tuple, value)) if isinstance(value, list) else value


def repeated(name: Hashable, distinct: Sequence[Any], places: npt.NDArray[Any]) -> Column:
    """A column without gaps whose entries are `distinct[places]`: numbering the distinct ones is much faster."""
    values = objects(distinct, (len(distinct),))[places]
    return Column(name, values, np.zeros(len(values), dtype=bool), distinct, places)


def holds_numbers(column: Column) -> bool:
    """Whether all values that are not missing are numbers; False if all are missing."""
    if column.values.dtype.kind in "iufb":
        return column.values.dtype.kind != "b"
    there = column.values[~column.missing].tolist()
    return bool(there) and all(is_number(value) for value in there)


def _is_missing(value: Any) -> bool:
    """Whether it is None, not-a-number, not-a-time or the missing value of pandas."""
    if value is None or type(value).__name__ in ("NAType", "NaTType"):
        return True
    if isinstance(value, Decimal):
        return value.is_nan()
    return isinstance(value, (float, np.floating, np.datetime64, np.timedelta64)) and bool(value != value)


def check_whole_microseconds(name: Hashable, nanoseconds: npt.NDArray[Any]) -> None:
    """Raise an error for times that those of Python do not hold: different labels would become equal.

    Raises
    ------
    GraphError
        Naming the first.
    """
    rows = np.flatnonzero(nanoseconds % 1000)
    if len(rows):
        raise GraphError(
            f"row {rows[0]} of column {shown(name)} is a time with nanoseconds, which times of Python do not have: "
            "cast the column to integers or text"
        )
