"""Data frames and lazy frames of polars."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

from apsp.graph.tables.column import Column, column_of, repeated

__all__ = ["REMEDY", "columns", "read"]

REMEDY = "frame.drop_nulls()"
_OF_NUMPY = {"Int8", "Int16", "Int32", "Int64", "UInt8", "UInt16", "UInt32", "UInt64", "Float32", "Float64"}


def columns(table: Any) -> list[tuple[Hashable, bool]]:
    """The names of the columns, and whether they hold numbers."""
    return [(name, kind.is_numeric()) for name, kind in table.collect_schema().items()]


def read(table: Any, names: Sequence[Hashable]) -> list[Column]:
    """The values of some columns; a lazy frame computes only these."""
    frame = table.select(list(names))
    frame = frame.collect() if hasattr(frame, "collect") else frame
    return [_column(frame.get_column(name), name) for name in names]


def _column(series: Any, name: Hashable) -> Column:
    if str(series.dtype) in _OF_NUMPY and not series.null_count():
        return column_of(name, series.to_numpy())
    if str(series.dtype) == "String" and not series.null_count():
        from polars import Enum

        distinct = series.unique(maintain_order=True)
        return repeated(name, distinct.to_list(), series.cast(Enum(distinct)).to_physical().to_numpy())
    return column_of(name, series.to_list())
