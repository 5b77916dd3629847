"""Relations of DuckDB: the query runs once, and only over the columns of the edges."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

from apsp.errors import GraphError
from apsp.graph.tables.column import Column, column_of

__all__ = ["REMEDY", "columns", "read"]

REMEDY = "relation.filter('... IS NOT NULL')"
_OF_NUMPY = {
    "TINYINT", "SMALLINT", "INTEGER", "BIGINT", "UTINYINT", "USMALLINT", "UINTEGER", "UBIGINT", "FLOAT", "DOUBLE",
}  # fmt: skip
_OTHER_NUMBERS = ("HUGEINT", "UHUGEINT", "DECIMAL")


def columns(table: Any) -> list[tuple[Hashable, bool]]:
    """The names of the columns, and whether they hold numbers."""
    kinds = map(str, table.types)
    return [
        (name, kind in _OF_NUMPY or kind.startswith(_OTHER_NUMBERS))
        for name, kind in zip(table.columns, kinds, strict=True)
    ]


def read(table: Any, names: Sequence[Hashable]) -> list[Column]:
    """The values of some columns.

    Raises
    ------
    GraphError
        If the query fails.
    """
    kinds = dict(zip(table.columns, map(str, table.types), strict=True))
    quoted = ('"' + str(name).replace('"', '""') + '"' for name in names)
    try:
        found = table.project(", ".join(quoted))
        if all(kinds[str(name)] in _OF_NUMPY | {"VARCHAR"} for name in names):
            arrays = found.fetchnumpy()
            return [column_of(name, arrays[name]) for name in names]
        rows = found.fetchall()  # decimals, dates and integers of 128 bits as they are
    except Exception as error:
        raise GraphError(f"the query of the DuckDB relation fails: {str(error)[:200]}") from error
    return [column_of(name, [row[place] for row in rows]) for place, name in enumerate(names)]
