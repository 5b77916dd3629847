"""Edge lists whose vertices are names: split line by line in Python, which is slower but accepts any text."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from apsp.errors import FileFormatError
from apsp.graph.files.dimacs import narrow
from apsp.graph.files.edge_layout import Layout, is_number, split_fields
from apsp.graph.files.lines import Lines
from apsp.graph.files.source import Source

__all__ = ["NamedEdges", "read_named"]


class NamedEdges(NamedTuple):
    """Edges whose vertices are numbered in the order of their first appearance; `numbers` are columns by position."""

    tails: npt.NDArray[np.int64]
    heads: npt.NDArray[np.int64]
    numbers: dict[int, npt.NDArray[Any]]
    names: list[str]


def read_named(source: Source, layout: Layout) -> NamedEdges:
    """Read the edges, with the weights and the costs."""
    lines = Lines(source)
    for _ in range(layout.skip):
        lines.take()
    numbers: dict[str, int] = {}
    tails: list[int] = []
    heads: list[int] = []
    columns: dict[int, list[int | float]] = {place: [] for _, place in layout.costs}
    if layout.weight is not None:
        columns[layout.weight] = []
    comments = layout.comments.encode()
    while (raw := lines.take_visible(comments)) is not None:
        fields = split_fields(raw.decode("utf-8", "backslashreplace"), layout.delimiter, layout.quoted)
        _check_fields(lines, fields, layout)
        tails.append(numbers.setdefault(fields[layout.tail], len(numbers)))
        heads.append(numbers.setdefault(fields[layout.head], len(numbers)))
        for place, column in columns.items():
            column.append(_weight(lines, raw, fields[place]))
    found = {
        place: narrow(np.asarray(column, dtype=np.int64 if all(type(each) is int for each in column) else np.float64))
        for place, column in columns.items()
    }
    return NamedEdges(np.asarray(tails, dtype=np.int64), np.asarray(heads, dtype=np.int64), found, list(numbers))


def _check_fields(lines: Lines, fields: list[str], layout: Layout) -> None:
    if len(fields) != layout.width:
        raise lines.fail(f"{len(fields)} fields, where the first lines have {layout.width}", 1)
    if not fields[layout.tail] or not fields[layout.head]:
        raise lines.fail("a vertex name is empty", 1)


def _weight(lines: Lines, raw: bytes, word: str) -> int | float:
    value: int | float | None = None
    if word.lstrip("+-").isdigit() and is_number(word):
        if len(word) > 25 or not -(2**63) <= int(word) < 2**63:
            raise lines.fail(f"{word[:40]!r} does not fit 64 bits", raw.rfind(word.encode()) + 1 or None)
        value = int(word)
    elif is_number(word):
        value = float(word)
    if value is None or value in (float("inf"), float("-inf")):
        raise _no_weight(lines, raw, word)
    return value


def _no_weight(lines: Lines, raw: bytes, word: str) -> FileFormatError:
    column = raw.rfind(word.encode()) + 1
    special = word.lower().lstrip("+-") in ("nan", "inf", "infinity") or is_number(word)
    what = "is not a finite number; omit the line if there is no arc" if special else "is not a number"
    return lines.fail(f"{word[:40]!r} {what}", column or None)
