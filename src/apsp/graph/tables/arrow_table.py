"""Tables of Arrow, and those of any library that exports them (the Arrow C stream, the interchange protocol)."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

from apsp.errors import GraphError, MissingDependencyError
from apsp.graph.tables.column import Column, check_whole_microseconds, column_of, repeated

__all__ = ["REMEDY", "columns", "open_table", "read"]

REMEDY = "table.drop_null()"


def open_table(given: Any) -> Any:
    """A `pyarrow.Table` of a table, a batch, a reader of batches, or anything that exports a stream of batches.

    Raises
    ------
    MissingDependencyError
        If pyarrow, which reads the streams of other libraries, is not installed.
    GraphError
        If it exports no table.
    """
    try:
        import pyarrow as pa
    except ImportError as error:
        raise MissingDependencyError("pyarrow", f"a table of type {type(given).__name__}", "parquet") from error
    if isinstance(given, pa.Table):
        return given
    try:
        if hasattr(given, "__arrow_c_stream__"):
            return pa.table(given)
        if hasattr(given, "__dataframe__"):
            from pyarrow.interchange import from_dataframe

            return from_dataframe(given)
        return pa.Table.from_batches([given])
    except Exception as error:  # of the library that exports
        raise GraphError(f"a {type(given).__name__} is not a table of edges: {str(error)[:120]}") from error


def columns(table: Any) -> list[tuple[Hashable, bool]]:
    """The names of the columns, and whether they hold numbers."""
    from pyarrow import types

    is_number = (types.is_integer, types.is_floating, types.is_decimal)
    return [(field.name, any(test(field.type) for test in is_number)) for field in table.schema]


def read(table: Any, names: Sequence[Hashable]) -> list[Column]:
    """The values of some columns."""
    return [_column(table.column(name), name) for name in names]


def _column(column: Any, name: Hashable) -> Column:
    from pyarrow import types

    if not column.null_count and (types.is_integer(column.type) or types.is_floating(column.type)):
        return column_of(name, column.to_numpy())
    text = column.type.value_type if types.is_dictionary(column.type) else column.type
    if not column.null_count and len(column) and (types.is_string(text) or types.is_large_string(text)):
        column = column.cast(text) if types.is_dictionary(column.type) else column  # which may have unused values
        encoded = column.dictionary_encode().unify_dictionaries().combine_chunks()
        encoded = encoded.chunk(0) if hasattr(encoded, "chunk") else encoded
        if not encoded.indices.null_count:
            return repeated(name, encoded.dictionary.to_pylist(), encoded.indices.to_numpy())
    if types.is_time64(column.type) and column.type.unit == "ns":
        check_whole_microseconds(name, column.cast("int64").fill_null(0).to_numpy())
    return column_of(name, column.to_pylist())
