"""Relations of DuckDB: the query runs once, and only over the columns of the edges."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

from apsp.errors import GraphError, shown
from apsp.graph.tables.column import Column, check_whole_microseconds, column_of

__all__ = ["REMEDY", "columns", "read"]

REMEDY = "relation.filter('... IS NOT NULL')"
_OF_NUMPY = {
    "TINYINT", "SMALLINT", "INTEGER", "BIGINT", "UTINYINT", "USMALLINT", "UINTEGER", "UBIGINT", "FLOAT", "DOUBLE",
}  # fmt: skip
_NANOSECONDS = ("TIMESTAMP_NS", "TIME_NS")
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
        If names differ only in upper and lower case, or a time has nanoseconds.
    """
    kinds = dict(zip(table.columns, map(str, table.types), strict=True))
    for name in names:
        alike = [other for other in table.columns if other.lower() == str(name).lower()]
        if len(alike) > 1:
            raise GraphError(f"the columns {', '.join(map(shown, alike))} are the same name for DuckDB: rename one")
    quoted = ['"' + str(name).replace('"', '""') + '"' for name in names]
    found = table.project(", ".join(quoted))
    if all(kinds[str(name)] in _OF_NUMPY | {"VARCHAR"} for name in names):
        arrays = found.fetchnumpy()
        return [column_of(name, arrays[name]) for name in names]
    for name, text in zip(names, quoted, strict=True):
        if kinds[str(name)] in _NANOSECONDS:
            rest = table.project(f"COALESCE(epoch_ns({text}) % 1000, 0) AS rest").fetchnumpy()["rest"]
            check_whole_microseconds(name, rest)
    rows = found.fetchall()  # decimals, dates and integers of 128 bits as they are
    return [column_of(name, [row[place] for row in rows]) for place, name in enumerate(names)]
