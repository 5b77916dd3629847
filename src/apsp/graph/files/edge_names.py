"""Edge lists whose vertices are names: split line by line in Python, which is slower but accepts any text."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from apsp.errors import FileFormatError
from apsp.graph.files.edge_layout import Layout, is_number, split_fields
from apsp.graph.files.lines import Lines
from apsp.graph.files.source import Source

__all__ = ["read_named"]


def read_named(
    source: Source, layout: Layout
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], npt.NDArray[Any] | None, list[str]]:
    """Read (tails, heads, weights or None, names); vertices are numbered in the order of their first appearance."""
    lines = Lines(source)
    for _ in range(layout.skip):
        lines.take()
    numbers: dict[str, int] = {}
    tails: list[int] = []
    heads: list[int] = []
    weights: list[int | float] = []
    comments = layout.comments.encode()
    while (raw := lines.take_visible(comments)) is not None:
        fields = split_fields(raw.decode("utf-8", "backslashreplace"), layout.delimiter, layout.quoted)
        _check_fields(lines, fields, layout)
        tails.append(numbers.setdefault(fields[layout.tail], len(numbers)))
        heads.append(numbers.setdefault(fields[layout.head], len(numbers)))
        if layout.weight is not None:
            weights.append(_weight(lines, raw, fields[layout.weight]))
    lengths = None
    if layout.weight is not None:
        whole = all(isinstance(weight, int) for weight in weights)
        lengths = np.asarray(weights, dtype=np.int64 if whole else np.float64)
    return np.asarray(tails, dtype=np.int64), np.asarray(heads, dtype=np.int64), lengths, list(numbers)


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
