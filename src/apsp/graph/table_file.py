"""Files of tables: CSV and Parquet."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from apsp._types import NumPyArray, PathLike
from apsp.errors import RequestError, shown
from apsp.graph.long_table import LongTable, needed
from apsp.system.file_names import file_path
from apsp.system.replacing import check_writable, replacing

__all__ = ["check_table_path", "write_table"]

_ROWS = 1 << 16
"""Rows that are converted to text at a time."""


def check_table_path(path: PathLike, endings: Sequence[str] = (".csv", ".parquet")) -> Path:
    """Check before any work that a file of one of these endings can be written.

    Raises
    ------
    RequestError, MissingDependencyError, OutputError
        If it has another ending, the package for it is missing, or the place is not writable.
    """
    place = file_path(path)
    if place.suffix.lower() not in endings:
        words = f"{', '.join(endings[:-1])} or {endings[-1]}"
        raise RequestError(f"{shown(str(path))}: end the name of the file in {words}")
    check_writable(place)
    if place.suffix.lower() == ".parquet":
        needed("pyarrow", "writing Parquet")
    return place


def write_table(table: Callable[[], LongTable], path: PathLike) -> None:
    """Write a table, which is made when the path is known to be writable.

    Raises
    ------
    RequestError, MissingDependencyError, OutputError
        As `check_table_path`; also if Parquet has no type for the labels.
    """
    place = check_table_path(path)
    if place.suffix.lower() == ".parquet":
        parquet = needed("pyarrow.parquet", "writing Parquet")
        arrow = table().to_arrow("writing Parquet")
        with replacing(place) as file:
            parquet.write_table(arrow, file)
        return
    found = table()
    columns = found.to_dict()
    rows = len(next(iter(columns.values()), ()))
    with replacing(place) as file:
        text = io.TextIOWrapper(file, encoding="utf-8", newline="")
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(columns)
        for start in range(0, rows, _ROWS):
            some = slice(start, start + _ROWS)
            writer.writerows(zip(*(_entries(found, name, columns[name], some) for name in columns), strict=True))
        text.flush()
        text.detach()


def _entries(table: LongTable, name: str, column: NumPyArray, rows: slice) -> list[Any]:
    """Some entries of a column, empty where there is no number."""
    values: list[Any] = column[rows].tolist()
    missing = table.missing(name) if name in table.numbers else None
    if missing is None:
        return values
    return ["" if none else value for value, none in zip(values, missing[rows].tolist(), strict=True)]
