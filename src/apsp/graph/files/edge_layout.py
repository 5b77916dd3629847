"""The layout of an edge list, found from its first lines: delimiter, header line, columns."""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from apsp.errors import RequestError, shown
from apsp.graph.files.lines import BLANKS
from apsp.graph.files.options import ReadOptions

__all__ = ["Layout", "find_layout", "is_number", "is_vertex_number", "split_fields"]

SAMPLE = 2000  # lines that are examined
DELIMITERS = ("\t", ",", ";", "|", "")
TAILS = {"source", "src", "from", "tail", "u", "start", "origin", "node1", "vertex1", "fromnodeid", "fromnode", "v1",
         "i", "source_id", "from_id", "id1", "init_node", "a", "node_1", "startnode", "from_node", "row"}  # fmt: skip
HEADS = {"target", "dst", "to", "head", "v", "end", "destination", "node2", "vertex2", "tonodeid", "tonode", "v2",
         "j", "target_id", "to_id", "id2", "term_node", "b", "node_2", "endnode", "to_node", "dest"}  # fmt: skip
WEIGHTS = ("weight", "length", "cost", "distance", "dist", "value", "w", "time", "travel_time", "wt", "len", "latency",
           "l2dist", "l2_distance", "duration", "c", "data")  # fmt: skip
_NUMBER = re.compile(r"[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?", re.ASCII)
_BLANKS = re.compile(f"[{BLANKS}]+")
_VERTEX = re.compile(r"[-+]?\d{1,18}", re.ASCII)
_NODES = re.compile(r"(?:nodes|vertices)\s*[:=]\s*(\d{1,10})(?!\d)", re.IGNORECASE | re.ASCII)
_FIRST = re.compile(r"# Nodes: \d+ Edges: \d+ First: (-?\d{1,18})(?!\d)", re.ASCII)  # as written by this package


@dataclass(frozen=True)
class Layout:
    """The layout of an edge list. Columns are counted from 0."""

    delimiter: str  # "" stands for blanks
    skip: int  # lines before the first arc
    width: int
    tail: int
    head: int
    weight: int | None
    numbered: bool  # vertices are integers
    directed: bool
    comments: str
    vertices: int | None = None  # stated in a comment or a line of counts
    first: int | None = None  # the number of the first vertex, if it is known
    arcs: int | None = None  # stated in a line of counts
    count: int | None = None  # the one number of the first line, which is skipped: of vertices or of arcs
    pair: bool = False  # the first line may hold the numbers of vertices and arcs instead of an arc
    counter: bool = False  # column 0 numbers the lines
    quoted: bool = False
    costs: tuple[tuple[str, int], ...] = ()  # named columns of numbers that are kept, that of the weights too
    trusted: bool = True  # the sample looks like arcs


def is_number(word: str) -> bool:
    """Whether the word is a decimal number, as in a weight column."""
    return _NUMBER.fullmatch(word) is not None


def is_vertex_number(word: str) -> bool:
    """Whether the word is an integer of at most 18 digits."""
    return _VERTEX.fullmatch(word) is not None


def split_fields(line: str, delimiter: str, quoted: bool) -> list[str]:
    """Split one line into trimmed fields."""
    if not delimiter:
        return [word for word in _BLANKS.split(line) if word]
    if quoted and '"' in line:
        try:
            return [
                field.strip(BLANKS) for field in next(csv.reader([line], delimiter=delimiter, skipinitialspace=True))
            ]
        except (csv.Error, StopIteration):
            return []
    return [field.strip(BLANKS) for field in line.split(delimiter)]


def find_layout(head: bytes, whole: bool, options: ReadOptions) -> Layout | None:
    """Find the layout from the first bytes of a file; None if they are not an edge list.

    Raises
    ------
    RequestError
        If `cost` or `columns` name columns that do not exist.
    """
    if b"\0" in head or head.lstrip()[:1] in (b"{", b"[", b"<"):
        return None
    visible, notes, comments = _visible_lines(head, whole)
    said = " ".join(notes)
    announced, starting = _NODES.search(said), _FIRST.search(said)
    first = int(starting[1]) if starting else None
    directed = re.search(r"\bundirected\b", said, re.IGNORECASE) is None
    if not visible:  # for a graph without arcs the count of vertices is required
        vertices = int(announced[1]) if announced else None
        if not whole or not announced:
            return None
        return Layout("", 0, 2, 0, 1, None, True, directed, comments, vertices, first)
    counts = _counts(visible)
    body = visible[counts[0] :] if counts else visible
    best: tuple[float, Layout] | None = None
    for delimiter in DELIMITERS:
        found = _with_delimiter(body, delimiter, options)
        if found is not None and (best is None or found[0] > best[0]):
            best = found
    if best is None:
        return None
    fields = best[1].__dict__ | {"comments": comments}
    fields["directed"] = fields["directed"] and directed
    if counts and counts[2] is None:
        fields |= {"count": counts[1]}
    elif counts:
        fields |= {"vertices": counts[1], "arcs": counts[2], "first": 0 if counts[0] == 2 else None}
    elif announced:
        fields["vertices"] = int(announced[1])
        fields["first"] = first
    else:
        words = split_fields(body[0][1], fields["delimiter"], fields["quoted"])
        plain = fields["numbered"] and fields["width"] == 2 and fields["skip"] == body[0][0]
        fields["pair"] = plain and len(words) == 2 and all(map(_is_count, words))
    return Layout(**fields)


def _visible_lines(head: bytes, whole: bool) -> tuple[list[tuple[int, str]], list[str], str]:
    """Return the numbered lines that are neither blank nor comments, the comments, and the comment characters in
    use.
    """
    lines = head.split(b"\n")
    if not whole and len(lines) > 1:
        lines.pop()
    visible, notes, comments = [], [], "#%"
    for number, raw in enumerate(lines):
        text = raw.decode("utf-8", "backslashreplace").strip(BLANKS)
        if text.startswith(("#", "%", "//")):
            comments += "/" * (text[0] == "/" and "/" not in comments)
            notes.append(text)
        elif text:
            visible.append((number, raw.decode("utf-8", "backslashreplace").strip("\r\n")))
            if len(visible) == SAMPLE:
                break
    return visible, notes, comments


def _counts(visible: list[tuple[int, str]]) -> tuple[int, int, int | None] | None:
    """Find the lines with the numbers of vertices and edges: 'V' and 'E' on two lines (algs4), 'V E' before wider
    lines, or 'N'.

    Returns
    -------
    (number of lines, V, E), or (1, N, None), or None
    """
    words = [split_fields(text, "", False) for _, text in visible[:3]]
    if len(words) < 2 or not all(map(_is_count, words[0])):
        return None
    if len(words[0]) == len(words[1]) == 1 and _is_count(words[1][0]):
        return (2, int(words[0][0]), int(words[1][0])) if len(words) < 3 or len(words[2]) > 1 else None
    if len(words[0]) == 1:
        return None if len(words[1]) == 1 and is_vertex_number(words[1][0]) else (1, int(words[0][0]), None)
    if len(words[0]) == 2 and len(words[1]) >= 3 and is_vertex_number(words[1][0]) and is_vertex_number(words[1][1]):
        return 1, int(words[0][0]), int(words[0][1])
    return None


def _is_fraction(word: str) -> bool:
    return is_number(word) and not is_vertex_number(word)


def _is_count(word: str) -> bool:
    return word.isascii() and word.isdigit() and len(word) < 12


def _with_delimiter(
    body: Sequence[tuple[int, str]], delimiter: str, options: ReadOptions
) -> tuple[float, Layout] | None:
    quoted = delimiter != "" and any('"' in text for _, text in body)
    rows = [split_fields(text, delimiter, quoted) for _, text in body]
    rows_of_width = Counter(len(row) for row in rows if len(row) >= 2)
    if not rows_of_width:
        return None
    width, count = rows_of_width.most_common(1)[0]
    even = [row for row in rows if len(row) == width]
    header = _header(rows, width)
    data = even[1:] if header else even
    tail, head, weight, counter = _columns(header, data, width, options)
    numeric = weight is None or _share(data, weight, is_number) >= 0.5
    numbered = (
        not quoted and _share(data, tail, is_vertex_number) >= 0.5 and _share(data, head, is_vertex_number) >= 0.5
    )
    share = count / len(rows)
    measured = not quoted and any(_share(data, end, _is_fraction) >= 0.5 for end in (tail, head))  # a table of numbers
    score = share + (1.0 if numeric else 0.0) + (0.5 if numbered else 0.0)
    sure = numbered or (share == 1.0 and (len(rows) > 1 or weight is not None))
    skip = body[0][0] + (1 if header else 0)
    length = weight if options.weighted else None
    layout = Layout(
        delimiter, skip, width, tail, head, length, numbered, directed=not counter, comments="", counter=counter,
        quoted=quoted, costs=_costs(header, data, {tail, head}, options), trusted=numeric and sure and not measured,
    )  # fmt: skip
    return score, layout


def _share(rows: list[list[str]], column: int, test: Callable[[str], bool]) -> float:
    if not rows:
        return 1.0
    return sum(map(test, (row[column] for row in rows))) / len(rows)


def _header(rows: list[list[str]], width: int) -> list[str] | None:
    """Return the words of the first line if they name columns: known names, or words above columns of numbers."""
    first = [word.lower().strip("\"'") for word in rows[0]]
    if len(first) != width or any(is_number(word) or not word for word in first):
        return None
    if set(first) & TAILS and set(first) & HEADS:
        return first
    below = [row for row in rows[1:] if len(row) == width]
    if not below or _share(below, 0, is_vertex_number) < 0.5 or _share(below, 1, is_vertex_number) < 0.5:
        return None
    return first


def _columns(
    header: list[str] | None, data: list[list[str]], width: int, options: ReadOptions
) -> tuple[int, int, int | None, bool]:
    """Return the columns of tail, head and weight, and whether column 0 only counts the lines."""
    if options.columns is not None:
        chosen = options.columns
        if len(chosen) not in (2, 3) or not all(column >= 0 for column in chosen):
            raise RequestError("columns= takes the positions of tail, head and (optionally) weight, counted from 0")
        if max(chosen) < width:
            return chosen[0], chosen[1], chosen[2] if len(chosen) == 3 else None, False
        return 0, 1, None, False
    tail, head, weight, counter = 0, 1, 2 if width > 2 else None, False
    if header is not None:
        tails = [i for i, word in enumerate(header) if word in TAILS]
        heads = [i for i, word in enumerate(header) if word in HEADS]
        if tails and heads:
            tail, head = tails[0], heads[0]
        named = [header.index(word) for word in WEIGHTS if word in header]
        rest = [i for i in range(width) if i not in (tail, head)]
        weight = next((i for i in named if i in rest), rest[0] if len(rest) == 1 else None)
    elif width >= 4 and _counts_lines(data):
        tail, head, weight, counter = 1, 2, 3, True
    if options.cost is not None:
        if header is None or options.cost.lower() not in header:
            named_columns = "there is no header line" if header is None else f"the columns are {', '.join(header)}"
            raise RequestError(f"cost={options.cost!r}: {named_columns}; columns=(tail, head, weight) takes positions")
        weight = header.index(options.cost.lower())
    return tail, head, weight, counter


def _costs(
    header: list[str] | None, data: list[list[str]], ends: set[int], options: ReadOptions
) -> tuple[tuple[str, int], ...]:
    """The named columns of numbers in the sample that the options keep; none if there is only one."""
    if header is None or not options.costs:
        return ()
    numbers = {
        name: place for place, name in enumerate(header) if place not in ends and _share(data, place, is_number) == 1.0
    }
    if isinstance(options.costs, tuple):
        for name in options.costs:
            if name.lower() not in numbers:
                raise RequestError(f"costs={shown(name)}: the columns of numbers are {', '.join(numbers) or '(none)'}")
        return tuple((name, numbers[name.lower()]) for name in options.costs)
    return tuple(numbers.items()) if len(numbers) > 1 else ()


def _counts_lines(data: list[list[str]]) -> bool:
    """Whether column 0 is k, k + 1, k + 2, ... with k = 0 or 1, and columns 1 and 2 are vertex numbers."""
    if not data or not all(is_vertex_number(word) for row in data for word in row[:3]):
        return False
    first = int(data[0][0])
    return first in (0, 1) and all(int(row[0]) == first + i for i, row in enumerate(data)) and len(data) > 1
