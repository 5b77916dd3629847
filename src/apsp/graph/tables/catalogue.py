"""Which module reads the tables of which class."""

from __future__ import annotations

import importlib
from collections.abc import Hashable, Mapping, Sequence
from typing import Any, Protocol, cast

import numpy as np

from apsp.graph.tables.column import Column

__all__ = ["LIBRARIES", "Reader", "is_frame", "reader_of"]

LIBRARIES: dict[tuple[str, str], str] = {
    ("pandas", "DataFrame"): "pandas_table",
    ("polars", "DataFrame"): "polars_table",
    ("polars", "LazyFrame"): "polars_table",
    ("duckdb", "DuckDBPyRelation"): "duckdb_table",
    ("_duckdb", "DuckDBPyRelation"): "duckdb_table",
    ("pyarrow", "Table"): "arrow_table",
    ("pyarrow", "RecordBatch"): "arrow_table",
    ("pyarrow", "RecordBatchReader"): "arrow_table",
}
"""The package and the name of a class, and the module here that reads its objects."""


class Reader(Protocol):
    """What a module of a library has; one may also have `hint(table)`, the words for a column that is not found."""

    REMEDY: str

    def columns(self, table: Any) -> list[tuple[Hashable, bool]]:
        """The names of the columns, and whether they hold numbers."""
        ...

    def read(self, table: Any, names: Sequence[Hashable]) -> list[Column]:
        """The values of some columns."""
        ...


def is_frame(given: Any) -> bool:
    """Whether it is a table of some library: of those listed, or one that exports itself through a protocol."""
    return _module(given) is not None or _exports(given)


def reader_of(given: Any) -> tuple[Reader, Any] | None:
    """The module that reads a table, and the table for it; None if it is not a table."""
    name = _module(given)
    if name is None and (isinstance(given, Mapping) or getattr(getattr(given, "dtype", None), "names", None)):
        name = "mapping_table"
    if name is None and _exports(given):
        name = "arrow_table"
    if name is None:
        return None
    module = cast("Any", importlib.import_module(f"apsp.graph.tables.{name}"))
    return module, module.open_table(given) if hasattr(module, "open_table") else given


def _module(given: Any) -> str | None:
    for kind in type(given).__mro__:
        found = LIBRARIES.get((str(kind.__module__).partition(".")[0], kind.__name__))
        if found is not None:
            return found
    return None


def _exports(given: Any) -> bool:
    """Whether it exports a table; arrays and series, which are single columns, do not."""
    if isinstance(given, np.ndarray) or hasattr(given, "__array_interface__") or hasattr(given, "__arrow_c_array__"):
        return False
    return hasattr(given, "__arrow_c_stream__") or hasattr(given, "__dataframe__")
