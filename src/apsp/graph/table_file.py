"""Files of tables: CSV and Parquet."""

from __future__ import annotations

import contextlib
import csv
import io
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import IO, Any

from apsp._types import ArrowTable, NumPyArray, PathLike
from apsp.errors import RequestError, shown
from apsp.graph.labels import Labels
from apsp.graph.labels.integers import are_integers
from apsp.graph.labels.objects import ObjectLabels
from apsp.graph.labels.placed import PlacedLabels
from apsp.graph.long_table import LongTable
from apsp.system.arguments import is_unicode
from apsp.system.file_names import file_path
from apsp.system.inputs import inputs_among
from apsp.system.optional import needed
from apsp.system.replacing import check_output, replacing
from apsp.system.threads import Threads

__all__ = [
    "check_arrow_labels",
    "check_table_labels",
    "check_table_path",
    "csv_labels",
    "csv_writer",
    "parquet_options",
    "write_table",
    "write_tables",
]

_ROWS = 1 << 16
"""Rows that are converted to text at a time."""


def check_table_path(path: PathLike, endings: Sequence[str] = (".csv", ".parquet")) -> Path:
    """Check before any work that a file of one of these endings can be written.

    Raises
    ------
    RequestError, MissingDependencyError, OutputError
        If it has another ending, the package for it is missing, or the place is not writable.
    """
    place = check_output(path, endings)
    if place.suffix.lower() == ".parquet":
        needed("pyarrow", "writing Parquet")
    return place


def check_table_labels(path: PathLike, labels: Labels) -> None:
    """Check before any work that a file can hold the labels of vertices.

    Raises
    ------
    RequestError, GraphError
        If Parquet has no type for them; if two have the same text in a CSV file, or one has half of a surrogate pair.
    """
    if isinstance(labels, ObjectLabels):
        if file_path(path).suffix.lower() == ".parquet":
            check_arrow_labels(labels, "writing Parquet")
        else:
            csv_labels(labels)


def check_arrow_labels(labels: Labels, purpose: str) -> None:
    """Raise RequestError if Parquet has no type for the labels, MissingDependencyError without PyArrow."""
    LongTable(labels, {"vertex": labels.positions([])}).to_arrow(purpose)


def write_table(table: Callable[[], LongTable], path: PathLike) -> None:
    """Write a table, which is made when the path is known to be writable.

    Raises
    ------
    RequestError, MissingDependencyError, OutputError
        As `check_table_path` and `check_table_labels`.
    """
    write_tables(None, (table() for _ in range(1)), path)


def write_tables(empty: LongTable | None, tables: Iterable[LongTable], path: PathLike) -> None:
    """Write tables with the same columns and labels one after the other; a Parquet file has row groups of each.

    Parameters
    ----------
    empty : LongTable or None
        What is written if there are none; None if there is one.
    tables : iterable of LongTable
        Each is made when those before it are written.

    Raises
    ------
    As `write_table`.
    """
    place = check_table_path(path)
    rest = iter(tables)
    first = next(rest) if empty is None else next(rest, empty)
    inputs = first.labels.inputs.union(*(labels.inputs for labels in first.others.values()))
    with inputs_among(inputs):
        _write(chain([first], rest), first, place)


def _write(tables: Iterable[LongTable], first: LongTable, place: Path) -> None:
    if place.suffix.lower() == ".parquet":
        parquet = needed("pyarrow.parquet", "writing Parquet")
        arrows = (_required(table, table.to_arrow("writing Parquet")) for table in tables)
        head = next(arrows)
        with (
            replacing(place) as file,
            parquet.ParquetWriter(
                file, head.schema, write_statistics=head.column_names[:1], **parquet_options(first, head.schema)
            ) as writer,
            Threads(1, "apsp-table") as other,
        ):
            writer.write_table(head)
            behind: list[Future[None]] = []
            for arrow in arrows:  # another thread writes a table while the next one is made
                for written in behind:
                    written.result()
                behind = [other.submit(writer.write_table, arrow)]
            for written in behind:
                written.result()
        return
    labels, others = csv_labels(first.labels), {name: csv_labels(each) for name, each in first.others.items()}
    with replacing(place) as file, csv_writer(file, [first.columns, labels, *others.values()]) as writer:
        writer.writerow(first.columns)
        for table in tables:
            found = replace(table, labels=labels, others=others)
            columns = found.to_dict()
            rows = len(next(iter(columns.values()), ()))
            for start in range(0, rows, _ROWS):
                some = slice(start, start + _ROWS)
                writer.writerows(zip(*(_entries(found, name, columns[name], some) for name in columns), strict=True))


def _required(table: LongTable, arrow: ArrowTable) -> ArrowTable:
    """The same with columns that are never null, which take a quarter less time to write, and are read as others are.

    Raises
    ------
    ValueError
        If one has a null.
    """
    schema = arrow.schema
    for place, (field, column) in enumerate(zip(arrow.schema, arrow.columns, strict=True)):
        if field.name in table.complete:
            if column.null_count:
                raise ValueError(f"something is missing in the column {field.name!r}")
            schema = schema.set(place, field.with_nullable(False))
    return arrow.from_arrays(arrow.columns, schema=schema)


def parquet_options(table: LongTable, schema: Any) -> dict[str, Any]:
    """How columns are written to Parquet: integers as differences, which compression would make little shorter and all
    readers decode. The first column has runs, which compression finds. Everything else is numbers of values,
    compressed.
    """
    whole = [name for name, kind in zip(schema.names, schema.types, strict=True) if str(kind).lstrip("u")[:3] == "int"]
    packed = {name for name in whole if name in table.numbers or name != schema.names[0]}
    compressions = {name: "none" if name in packed else "zstd" for name in schema.names}
    return {
        "compression": compressions,
        "compression_level": {name: 1 for name in schema.names if name not in packed} or None,
        "use_dictionary": [name for name in schema.names if name not in whole],
        "column_encoding": dict.fromkeys(packed, "DELTA_BINARY_PACKED"),
    }


def csv_labels(labels: Labels) -> Labels:
    """The labels as they are in a CSV file: integers, or text.

    Raises
    ------
    GraphError
        If two have the same text.
    RequestError
        If a text has half of a surrogate pair.
    """
    if isinstance(labels, PlacedLabels):
        return labels.changed(csv_labels)
    if not isinstance(labels, ObjectLabels):
        return labels
    texts = labels.texts()
    for text in texts:
        if not is_unicode(text):
            raise RequestError(f"a CSV file cannot hold the label {shown(text)}: give the graph other labels")
    return ObjectLabels(texts)


@contextlib.contextmanager
def csv_writer(file: IO[bytes], words: Iterable[Iterable[Any]]) -> Iterator[Any]:
    """A `csv.writer` to a binary file of rows with these words: names of columns, and labels as of `csv_labels`."""
    texts = chain.from_iterable(each for each in words if not are_integers(each))
    returns = any("\r" in text for text in texts if isinstance(text, str))
    text = io.TextIOWrapper(file, encoding="utf-8", newline="")
    # QUOTE_MINIMAL does not see that \r ends rows, too
    yield csv.writer(text, lineterminator="\n", quoting=csv.QUOTE_NONNUMERIC if returns else csv.QUOTE_MINIMAL)
    text.flush()
    text.detach()


def _entries(table: LongTable, name: str, column: NumPyArray, rows: slice) -> list[Any]:
    """Some entries of a column, empty where there is no number."""
    values: list[Any] = column[rows].tolist()
    missing = table.missing(name) if name in table.numbers else None
    if missing is None:
        return values
    return ["" if none else value for value, none in zip(values, missing[rows].tolist(), strict=True)]
