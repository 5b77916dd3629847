"""Edge lists whose vertices are names: split line by line in Python, which is slower but accepts any text."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from apsp.errors import FileFormatError
from apsp.graph.directions import ways_of
from apsp.graph.files.dimacs import narrow
from apsp.graph.files.edge_layout import Layout, is_number, is_vertex_number, split_fields
from apsp.graph.files.lines import Lines, note_skipped
from apsp.graph.files.source import Source

__all__ = ["NamedEdges", "read_named"]


class NamedEdges(NamedTuple):
    """Edges whose vertices are numbered in the order of their first appearance.

    `numbers` are columns by position; `ways` the directions of the edges, if a column holds them.
    """

    tails: npt.NDArray[np.int64]
    heads: npt.NDArray[np.int64]
    numbers: dict[int, npt.NDArray[Any]]
    names: list[str]
    ways: npt.NDArray[np.int8] | None


def read_named(source: Source, layout: Layout) -> NamedEdges:
    """Read the edges, with the weights and the costs."""
    lines = Lines(source)
    for _ in range(layout.skip):
        lines.take()
    lines.skipped = 0
    numbers: dict[str, int] = {}
    tails: list[int] = []
    heads: list[int] = []
    columns: dict[int, list[int | float]] = {place: [] for _, place in layout.costs}
    if layout.weight is not None:
        columns[layout.weight] = []
    ways: list[str] = []
    places: list[int] = []  # the line of each edge
    comments = layout.comments.encode()
    while (raw := lines.take_visible(comments)) is not None:
        fields = split_fields(raw.decode("utf-8", "backslashreplace"), layout.delimiter, layout.quoted)
        _check_fields(lines, fields, layout)
        tails.append(numbers.setdefault(fields[layout.tail], len(numbers)))
        heads.append(numbers.setdefault(fields[layout.head], len(numbers)))
        for place, column in columns.items():
            column.append(_weight(lines, raw, fields[place], layout.decimal))
        if layout.direction is not None:
            ways.append(fields[layout.direction])
            places.append(lines.number)
    found = {
        place: narrow(np.asarray(column, dtype=np.int64 if all(type(each) is int for each in column) else np.float64))
        for place, column in columns.items()
    }
    note_skipped(source, lines)
    directions = None
    if layout.direction is not None:
        name = layout.header[layout.direction]
        directions = ways_of(name, ways, lambda row, problem: source.fail(problem, places[row]))
    ends = (np.asarray(tails, dtype=np.int64), np.asarray(heads, dtype=np.int64))
    return NamedEdges(*ends, found, list(numbers), directions)


def _check_fields(lines: Lines, fields: list[str], layout: Layout) -> None:
    if len(fields) == layout.width + 1 and layout.delimiter and not fields[-1]:
        fields.pop()  # a delimiter after the last field
    if len(fields) != layout.width:
        raise lines.fail(f"{len(fields)} fields, where the first lines have {layout.width}", 1)
    for end in (layout.tail, layout.head):
        if not fields[end]:
            raise lines.fail("a vertex name is empty", 1)
        if layout.numbered and not is_vertex_number(fields[end]):
            raise lines.fail(f"{fields[end][:40]!r} is not a vertex number in its usual notation, earlier ones are: "
                             "labels='text' reads all of them as text")  # fmt: skip


def _weight(lines: Lines, raw: bytes, text: str, decimal: str) -> int | float:
    value: int | float | None = None
    word = text if decimal == "." else text.replace(decimal, ".") if "." not in text else "?" + text
    if word.lstrip("+-").isdigit() and is_number(word):
        if len(word) > 25 or not -(2**63) <= int(word) < 2**63:
            raise lines.fail(f"{word[:40]!r} does not fit 64 bits", raw.rfind(word.encode()) + 1 or None)
        value = int(word)
    elif is_number(word):
        value = float(word)
    if value is None or value in (float("inf"), float("-inf")):
        raise _no_weight(lines, raw, text)
    return value


def _no_weight(lines: Lines, raw: bytes, word: str) -> FileFormatError:
    column = raw.rfind(word.encode()) + 1
    special = word.lower().lstrip("+-") in ("nan", "inf", "infinity") or is_number(word)
    what = "is not a finite number; omit the line if there is no arc" if special else "is not a number"
    return lines.fail(f"{word[:40]!r} {what}", column or None)
