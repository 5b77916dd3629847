"""Tables without a library: a dictionary of columns, or a structured array of NumPy."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any

import numpy as np

from apsp.errors import GraphError
from apsp.graph.tables.column import Column, column_of, holds_numbers

__all__ = ["REMEDY", "columns", "read"]

REMEDY = "a mask"


def columns(table: Any) -> list[tuple[Hashable, bool]]:
    """The names of the columns, and whether they hold numbers."""
    names = list(table) if isinstance(table, Mapping) else list(table.dtype.names)
    return [(name, holds_numbers(_column(table, name))) for name in names]


def read(table: Any, names: Sequence[Hashable]) -> list[Column]:
    """The values of some columns."""
    return [_column(table, name) for name in names]


def _column(table: Any, name: Hashable) -> Column:
    values: Any = table[name]
    if isinstance(values, (str, bytes)) or not (hasattr(values, "__len__") and hasattr(values, "__getitem__")):
        raise GraphError(f"column {name!r} must be an array or a list with a value per edge")
    if not isinstance(values, np.ndarray):
        values = np.asarray(values) if hasattr(values, "__array__") else list(values)
    if getattr(values, "ndim", 1) != 1:
        raise GraphError(f"column {name!r} must be a vector with a value per edge, not of shape {values.shape}")
    return column_of(name, values)
