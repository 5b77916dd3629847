"""A table of edges -> positions, labels and lengths."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from apsp.errors import ApspError, GraphError, RequestError, shown
from apsp.graph.columns import Field, roles_of
from apsp.graph.directions import ends_of_links, holds_ways, ways_of
from apsp.graph.files.vertex_labels import compact
from apsp.graph.labels import Labels, labels_of
from apsp.graph.python_numbers import array_of_numbers, beyond_int64, is_number
from apsp.graph.tables.catalogue import reader_of
from apsp.graph.tables.choice import chosen_costs
from apsp.graph.tables.column import Column
from apsp.system.arguments import is_integer

__all__ = ["TableEdges", "read_table"]


class TableEdges(NamedTuple):
    """The edges of a table.

    Attributes
    ----------
    tails, heads : (m,) integers
        Positions of the vertices.
    lengths : (m,) numbers or None
        None: hops.
    labels : Labels or None
        None if the vertices are exactly the integers 0 to n - 1.
    n : int
    costs : dict of str to (m,) numbers
        Of the columns that the caller names.
    directed : bool or (m,) bool
    """

    tails: npt.NDArray[Any]
    heads: npt.NDArray[Any]
    lengths: npt.NDArray[Any] | None
    labels: Labels | None
    n: int
    costs: dict[str, npt.NDArray[Any]]
    directed: bool | npt.NDArray[np.bool_]


def read_table(
    table: Any, source: Any, target: Any, weight: Any, vertices: Any = None, costs: Any = None,
    directed: bool | None = None,
) -> TableEdges:  # fmt: skip
    """Read the edges of a table.

    Parameters
    ----------
    table : object
        A table of any library.
    source, target, weight : hashable or None, or USUAL for the weight
        Names of columns.
    vertices : sequence, optional
        All vertices, in the order of their positions; by default those of the edges: integers in ascending order,
        others in the order of their first row.
    costs : sequence of str, optional
        Names of columns with further numbers.
    directed : bool, optional
        By default what a column of directions says, or True.

    Raises
    ------
    RequestError, GraphError
        If it is not a table, a column does not exist, or an entry is missing or has the wrong type; the message names
        the column and the row.
    """
    found = reader_of(table)
    if found is None:
        raise RequestError(
            f"from_edges takes arrays of tails and heads, or a table (a data frame, a dictionary of columns), not "
            f"{shown(table)} without heads"
        )
    reader, opened = found
    with _named_errors(table):
        known = [Field(*column) for column in reader.columns(opened)]
        hint = reader.hint(opened) if hasattr(reader, "hint") else ""
    roles = roles_of(known, source, target, weight, hint=hint)
    further = chosen_costs(known, costs)
    tail = known[roles.tail].name
    length = None if roles.length is None else known[roles.length].name
    way = None if roles.direction is None or directed is not None else known[roles.direction].name
    names = [
        tail,
        known[roles.head].name,
        *([] if length is None else [length]),
        *further,
        *([] if way is None else [way]),
    ]
    with _named_errors(table):
        columns = reader.read(opened, list(dict.fromkeys(names)))
    for column in columns:
        if len(column.values) != len(columns[0].values):
            raise GraphError(
                f"column {shown(column.name)} has {len(column.values)} rows, {shown(tail)} has {len(columns[0].values)}"
            )
        _check_all_there(column, reader.REMEDY)
    lengths = None if length is None else _lengths(columns[2])
    by_name = {column.name: column for column in columns}
    kept = {name: _lengths(by_name[name]) for name in further}
    labels: Labels | None
    if vertices is not None:
        labels = given = labels_of(vertices)
        tails, heads = (_looked_up(column, given) for column in columns[:2])
        n = len(given)
    else:
        tails, heads, labels, n = _numbered(columns[0], columns[1])
    if way is not None and holds_ways(way, values := by_name[way].values.tolist()):
        ways = ways_of(way, values, lambda row, problem: GraphError(f"row {row}: {problem}"))
        tails, heads, said = ends_of_links(ways, tails, heads)
        return TableEdges(tails, heads, lengths, labels, n, kept, said)
    return TableEdges(tails, heads, lengths, labels, n, kept, True if directed is None else directed)


@contextmanager
def _named_errors(table: Any) -> Iterator[None]:
    """Errors of the table's own library, such as those of a query that has not run before, as errors of this one."""
    try:
        yield
    except (ApspError, MemoryError):
        raise
    except Exception as error:
        words = " ".join(str(error).split())[:200]
        raise GraphError(f"the {type(table).__name__} cannot be read: {words}") from error


def _numbered(tail: Column, head: Column) -> tuple[npt.NDArray[Any], npt.NDArray[Any], Labels | None, int]:
    if tail.values.dtype.kind in "iu" and head.values.dtype.kind in "iu":
        (tails, heads), labels, n = compact(tail.values, head.values)
        return tails, heads, labels, n
    values = [column.values.tolist() if column.distinct is None else column.distinct for column in (tail, head)]
    try:
        vertices = list(dict.fromkeys(chain(*values)))
    except TypeError:
        raise _unhashable(tail, head) from None
    if all(map(is_integer, vertices)):
        vertices.sort()
    position = dict(zip(vertices, range(len(vertices)), strict=True))
    found = [np.fromiter(map(position.__getitem__, each), np.int64, len(each)) for each in values]
    tails, heads = (
        numbers if column.places is None else numbers[column.places]
        for numbers, column in zip(found, (tail, head), strict=True)
    )
    return tails, heads, labels_of(vertices), len(vertices)


def _unhashable(*columns: Column) -> GraphError:
    """The error that names the first entry that cannot be a label."""
    for column in columns:
        for row, value in enumerate(column.values.tolist()):
            try:
                hash(value)
            except TypeError:
                return GraphError(
                    f"row {row} of column {shown(column.name)} is {shown(value)}, which cannot be a label: labels are "
                    "hashable, such as numbers, text, dates and tuples"
                )
    return GraphError("labels must be hashable, such as numbers, text, dates and tuples")


def _looked_up(column: Column, labels: Labels) -> npt.NDArray[np.int32]:
    try:
        return labels.positions(column.values if column.values.dtype.kind in "iu" else column.values.tolist())
    except GraphError:
        for row, value in enumerate(column.values.tolist()):
            try:
                labels.index(value)
            except GraphError as error:
                raise GraphError(f"row {row} of column {shown(column.name)}: {error}") from None
        raise


def _check_all_there(column: Column, remedy: str) -> None:
    rows = np.flatnonzero(column.missing)
    if len(rows):
        more = f", and so are {len(rows) - 1:,} more" if len(rows) > 1 else ""
        raise GraphError(
            f"row {rows[0]} of column {shown(column.name)} is missing{more} (rows count from 0): remove such rows "
            f"first, as {remedy} does"
        )


def _lengths(column: Column) -> npt.NDArray[Any]:
    values = column.values
    if values.dtype.kind in "Ob":
        values = _of_objects(column)
    if values.dtype.kind == "f":
        row = _first(~np.isfinite(values) if values.itemsize <= 8 else ~(abs(values) <= np.finfo(np.float64).max))
        if row is not None:
            raise GraphError(
                f"{_entry(column, row)}{values[row]!s}: lengths must be finite numbers of float64; remove rows without "
                "an edge"
            )
    if (values.dtype.kind, values.dtype.itemsize) == ("u", 8):
        row = _first(values > np.uint64(np.iinfo(np.int64).max))
        if row is not None:
            raise beyond_int64(_entry(column, row), int(values[row]))
    return values


def _first(wrong: npt.NDArray[np.bool_]) -> int | None:
    return int(wrong.argmax()) if wrong.any() else None


def _entry(column: Column, row: int) -> str:
    """The words for an entry, for messages."""
    return f"row {row} of column {shown(column.name)} is "


def _of_objects(column: Column) -> npt.NDArray[Any]:
    """Numbers of Python."""
    values = column.values.tolist()
    for row, value in enumerate(values):
        if not is_number(value):
            raise GraphError(
                f"{_entry(column, row)}{shown(value)}: lengths must be numbers"
                + ("; convert durations to seconds or minutes" if "timedelta" in type(value).__name__.lower() else "")
                + " (weight=None counts hops)"
            )
    return array_of_numbers(values, lambda row: _entry(column, row))
