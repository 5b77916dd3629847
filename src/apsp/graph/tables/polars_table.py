"""Data frames and lazy frames of polars."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

from apsp.graph.tables.column import Column, check_whole_microseconds, column_of, repeated

__all__ = ["REMEDY", "columns", "read"]

REMEDY = "frame.drop_nulls()"
_OF_NUMPY = {"Int8", "Int16", "Int32", "Int64", "UInt8", "UInt16", "UInt32", "UInt64", "Float32", "Float64"}


def columns(table: Any) -> list[tuple[Hashable, bool]]:
    """The names of the columns, and whether they hold numbers."""
    return [(name, kind.is_numeric()) for name, kind in table.collect_schema().items()]


def read(table: Any, names: Sequence[Hashable]) -> list[Column]:
    """The values of some columns; a lazy frame computes only these."""
    if hasattr(table, "collect"):
        from polars import selectors

        table = table.select(selectors.by_name(*dict.fromkeys(names))).collect()
    return [_column(table.get_column(name).alias("values"), name) for name in names]  # a name may be a pattern


def _column(series: Any, name: Hashable) -> Column:
    if str(series.dtype) in _OF_NUMPY and not series.null_count():
        return column_of(name, series.to_numpy())
    if str(series.dtype) == "String" and not series.null_count():
        from polars import Enum

        distinct = series.unique(maintain_order=True)
        return repeated(name, distinct.to_list(), series.cast(Enum(distinct)).to_physical().to_numpy())
    if str(series.dtype) == "Time" or getattr(series.dtype, "time_unit", None) == "ns":
        check_whole_microseconds(name, series.to_physical().fill_null(0).to_numpy())
    return column_of(name, series.to_list())
