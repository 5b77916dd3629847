"""Reading a file of lines: header lines one at a time, then the body by the column scanner."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from apsp import _cpu
from apsp.errors import FileFormatError
from apsp.graph.files.source import Source

__all__ = ["BLANKS", "LineRules", "Lines", "note_skipped", "words_of"]

BLANKS = " \t\r\v\f"
_ALL_ROWS = 2**62
_AS_TEXT = ", as in the first lines: labels='text' reads all vertices as text"


@dataclass(frozen=True)
class LineRules:
    """The form of the lines of a body (cpp/graph/text.hpp).

    Attributes
    ----------
    columns : str
        One letter per field: v vertex, u vertex in its usual notation (7, not 07), i integer, f float, n either,
        s skipped.
    fields : str
        The same as text, for error messages: 'a tail head weight'.
    lowest, highest : int
        Range of the vertex numbers.
    """

    columns: str
    fields: str
    tag: str = ""
    comments: str = ""
    blanks: str = BLANKS
    delimiter: str = ""
    more: bool = False
    lowest: int = -(2**63)
    highest: int = 2**63 - 1


def words_of(line: bytes | None) -> list[str]:
    """Split a line at ASCII blanks only, as the column scanner does; bytes that are not UTF-8 become escapes."""
    return [word.decode("utf-8", "backslashreplace") for word in (line or b"").split()]


class Lines:
    """The lines of a source, in order.

    Attributes
    ----------
    number : int
        How many have been read.
    skipped : int
        How many of them were comments, since a caller set it to 0.
    """

    def __init__(self, source: Source) -> None:
        self.source = source
        self.number = 0
        self.skipped = 0
        self._blocks: Iterator[bytes] = source.blocks()
        self._block = b""
        self._at = 0

    def take(self) -> bytes | None:
        """Return the next line without its line end, or None at the end of the file."""
        if not self._fill():
            return None
        end = self._block.find(b"\n", self._at)
        stop = len(self._block) if end < 0 else end
        line = self._block[self._at : stop]
        self._at = stop + 1
        self.number += 1
        return line.removesuffix(b"\r")

    def take_visible(self, comments: bytes = b"") -> bytes | None:
        """Return the next line that is neither blank nor starts with a comment character."""
        marks = tuple(comments[i : i + 1] for i in range(len(comments)))
        while (line := self.take()) is not None:
            text = line.strip()
            if text and text[:1] not in marks:
                return line
            self.skipped += text != b""
        return None

    def fail(self, problem: str, column: int | None = None) -> FileFormatError:
        """Return the error for the last line that was read."""
        return self.source.fail(problem, self.number, column)

    def scan(self, rules: LineRules, expected: int | None = None) -> list[npt.NDArray[Any]]:
        """Read the lines that follow, up to `expected` of them, into one array per column.

        Vertex columns are int64 (int32 if `rules.highest` allows), others int64 or float64.

        Raises
        ------
        FileFormatError
            At the first line that does not fit the rules, or if the file ends before `expected` lines.
        """
        small = rules.lowest >= -(2**31) and rules.highest < 2**31
        kinds = [kind for kind in rules.columns if kind != "s"]
        columns = [_Growing(_dtype(kind, small), expected) for kind in kinds]
        rows = 0
        while (expected is None or rows < expected) and self._fill():
            limit = _ALL_ROWS if expected is None else min(expected - rows, _ALL_ROWS)
            arrays, found, end, lines, fault, fault_at, comments = _cpu.scan_columns(
                self._block, self._at, limit, rules.columns, rules.tag, rules.comments, rules.blanks, rules.delimiter,
                rules.more, rules.lowest, rules.highest,
            )  # fmt: skip
            for column, array in zip(columns, arrays, strict=True):
                column.append(array)
            self.number += lines
            self.skipped += comments
            self._at = end
            rows += found
            if fault != "none":
                raise self._fault(rules, fault, fault_at)
            if expected is not None and rows == expected:
                break
        if expected is not None and rows < expected:
            raise self.source.fail(
                f"the file ends after {rows} of {expected} announced lines '{rules.fields}': it is cut short",
                self.number,
            )
        return [column.array() for column in columns]

    def expect_end(self, comments: bytes, announced: str) -> None:
        """Check that only blank lines and comments follow."""
        line = self.take_visible(comments)
        if line is not None:
            raise self.fail(f"there are more lines than {announced}: {_shown(line)}", 1)

    def rows(self, comment: str) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """Read all lines that follow as integers; return all of them, and the number of integers per line."""
        integers, lengths = _Growing(np.int64, None), _Growing(np.int64, None)
        while self._fill():
            text = self._block[self._at :] if self._at else self._block
            values, counts, lines, fault, fault_at = _cpu.scan_rows(text, comment)
            self.number += lines
            if fault != "none":
                self._block, self._at = text, text.rfind(b"\n", 0, fault_at) + 1
                raise self._fault(LineRules("i", "integers"), fault, fault_at)
            integers.append(values)
            lengths.append(counts)
            self._at = len(self._block)
        return integers.array(), lengths.array()

    def _fill(self) -> bool:
        """Ensure that there is a byte to read; False at the end of the file."""
        while self._at >= len(self._block):
            block = next(self._blocks, None)
            if block is None:
                return False
            self._block, self._at = block, 0
        return True

    def _fault(self, rules: LineRules, fault: str, at: int) -> FileFormatError:
        stop = at
        ends = b"\n" + rules.blanks.encode() + rules.delimiter.encode()
        while stop < len(self._block) and stop < at + 200 and self._block[stop] not in ends:
            stop += 1
        word = _shown(self._block[at:stop])
        problem = {
            "missing": f"the line ends early: expected '{rules.fields}'",
            "extra": f"expected only '{rules.fields}', then comes {word}",
            "tag": f"expected a line '{rules.fields}', not one that starts with {word}",
            "vertex": f"{word} is not a vertex number" + _AS_TEXT * ("u" in rules.columns),
            "usual": f"{word} is not the usual notation of an integer{_AS_TEXT}",
            "vertex_range": f"vertex {word[1:-1]} does not exist: vertices are {rules.lowest} to {rules.highest}",
            "integer": f"{word} is not an integer",
            "number": f"{word} is not a number",
            "finite": f"{word} is not a finite number; omit the line if there is no arc",
            "range": f"{word} does not fit 64 bits",
        }[fault]
        if fault == "vertex_range" and word.strip("'+-0") == "" and rules.lowest == 1:
            problem = f"vertex 0 does not exist: this format numbers the vertices from 1 to {rules.highest}"
        return self.source.fail(problem, self.number + 1, at - self._at + 1)


def note_skipped(source: Source, lines: Lines) -> None:
    """Note how many comments there were among the rows: they may have been meant as rows."""
    if lines.skipped:
        some = "1 line that begins" if lines.skipped == 1 else f"{lines.skipped:,} lines that begin"
        source.notes.append(f"{some} with a comment mark among the rows: skipped (comments=None reads them)")


class _Growing:
    """A vector to which pieces are appended; it grows by half, so the memory for copies is small."""

    def __init__(self, dtype: npt.DTypeLike, expected: int | None) -> None:
        self._array: npt.NDArray[Any] = np.empty(min(expected, 1 << 16) if expected is not None else 0, dtype)
        self._expected = expected
        self._size = 0

    def append(self, piece: npt.NDArray[Any]) -> None:
        if piece.dtype.kind == "f" and self._array.dtype.kind != "f":
            self._array = self._array.astype(np.float64)
        size = self._size + len(piece)
        if size > len(self._array):
            room = max(size, len(self._array) * 3 // 2)
            if self._expected is not None:
                room = max(size, min(room, self._expected))
            self._array.resize(room, refcheck=False)
        self._array[self._size : size] = piece
        self._size = size

    def array(self) -> npt.NDArray[Any]:
        self._array.resize(self._size, refcheck=False)
        return self._array


def _dtype(kind: str, small: bool) -> type[np.generic]:
    if kind == "f":
        return np.float64
    return np.int32 if kind in "uv" and small else np.int64


def _shown(word: bytes) -> str:
    text = word[:40].decode("utf-8", "backslashreplace")
    return repr(text + ("..." if len(word) > 40 else ""))
