"""The layout of an edge list, found from its first lines: delimiter, header line, columns."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from apsp._types import USUAL
from apsp.errors import RequestError, shown
from apsp.graph.columns import Field, Roles, alike, ends_among, is_name_of_an_end, roles_of
from apsp.graph.directions import holds_ways
from apsp.graph.files.chosen import WORDS, listed_roles
from apsp.graph.files.konect import Konect, konect
from apsp.graph.files.lines import BLANKS
from apsp.graph.files.options import ReadOptions

__all__ = [
    "Layout", "adjacency_list", "find_layout", "first_lines", "is_number", "is_vertex_number", "looks_like_adjacency",
    "looks_like_edges", "split_fields",
]  # fmt: skip

SAMPLE = 2000  # lines that are examined
DELIMITERS = ("\t", ";", "|", ",", "")
_NUMBER = re.compile(r"[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?", re.ASCII)
_DECIMAL_COMMA = re.compile(r"[-+]?[\d.]*\d,\d+", re.ASCII)
_QUOTED = re.compile(r'[ \r\v\f]*"((?:[^"]|"")*)"[ \r\v\f]*')
_BLANKS = re.compile(f"[{BLANKS}]+")
_VERTEX = re.compile(r"-?[1-9]\d{0,18}|0", re.ASCII)
_NODES = re.compile(r"(?:nodes|vertices)\s*[:=]\s*(\d{1,10})(?!\d)", re.IGNORECASE | re.ASCII)
_NETWORKX = re.compile(r"^#\s*GMT \w{3} \w{3} [ \d]\d ", re.ASCII | re.MULTILINE)  # its adjacency lists begin so
_FIRST = re.compile(r"# Nodes: \d+ Edges: \d+ First: (-?\d{1,18})(?!\d)", re.ASCII)  # as written by this package


@dataclass(frozen=True)
class Layout:
    """The layout of an edge list. Columns are counted from 0."""

    delimiter: str  # "" stands for blanks
    quoted: bool
    skip: int  # lines before the first arc
    width: int
    tail: int
    head: int
    weight: int | None
    direction: int | None  # the column that says of each line whether it is an arc or an edge
    costs: tuple[tuple[str, int], ...]  # named columns of numbers that are kept, that of the weights too
    header: tuple[str, ...]
    numbered: bool  # vertices are integers
    directed: bool
    comments: str
    decimal: str = "."
    left: int | None = None  # of two sides, whose vertices are numbered from 1 each: the size of the first, or -1
    vertices: int | None = None  # stated in a comment or a line of counts
    first: int | None = None  # the number of the first vertex, if it is known
    arcs: int | None = None  # stated in a line of counts
    count: int | None = None  # the one number of the first line, which is skipped: of vertices or of arcs
    pair: bool = False  # the first line may hold the numbers of vertices and arcs instead of an arc
    notes: tuple[str, ...] = ()


def is_number(word: str) -> bool:
    """Whether the word is a decimal number, as in a weight column."""
    return _NUMBER.fullmatch(word) is not None


def is_vertex_number(word: str) -> bool:
    """Whether the word is an integer of 64 bits in its usual notation: `7`, but not `07` or `+7`."""
    return _VERTEX.fullmatch(word) is not None and (len(word) < 19 or -(2**63) <= int(word) < 2**63)


def split_fields(line: str, delimiter: str, quoted: bool) -> list[str]:
    """Split one line into fields. Blanks around them are not part of them, unless they are in quotation marks."""
    if not delimiter:
        return [word for word in _BLANKS.split(line) if word]
    if quoted and '"' in line:
        return _quoted_fields(line, delimiter)
    return [field.strip(BLANKS) for field in line.split(delimiter)]


def _quoted_fields(line: str, delimiter: str) -> list[str]:
    """The fields of a line with quotation marks; none if one of them is not closed."""
    fields = []
    at = 0
    while True:
        found = _QUOTED.match(line, at)
        if found is not None:
            fields.append(found[1].replace('""', '"'))
            at = found.end()
            if at < len(line) and line[at] != delimiter:
                return []
        else:
            end = line.find(delimiter, at)
            end = len(line) if end < 0 else end
            fields.append(line[at:end].strip(BLANKS))
            if fields[-1].startswith('"'):
                return []
            at = end
        if at >= len(line):
            return fields
        at += 1


@dataclass(frozen=True)
class _Sheet:
    """The first lines, split into fields."""

    delimiter: str
    quoted: bool
    width: int
    first: list[str]
    below: list[list[str]]  # the lines below the first that have the usual width
    share: float  # of all lines that have it
    evidence: float  # that the columns are what they seem: numbers, or names of ends

    @property
    def data(self) -> list[list[str]]:
        """The lines if the first is one of them."""
        return [self.first, *self.below] if len(self.first) == self.width else self.below


def looks_like_edges(head: bytes) -> int:
    """Score how much the first bytes of a file look like an edge list: 0, 20 for names, 30 for numbers."""
    plain = ReadOptions()
    for whole in (False, True):
        visible, comments, _ = _visible_lines(head, whole, plain)
        if not visible and whole and _NODES.search(" ".join(comments)):
            return 30
        counts = _counts(visible)
        sheet = _sheet([text for _, text in visible[counts[0] if counts else 0 :]], plain)
        if sheet is None:
            continue
        ends = [place for place in (0, 1) if _share(sheet.data, place, is_number) >= 0.5]
        header = _is_header(sheet)
        numbered = not sheet.quoted and not header and len(ends) == 2
        if numbered and any(_share(sheet.data, end, _is_fraction) >= 0.5 for end in ends):
            return 0  # a table of numbers
        if numbered:
            return 30
        even = sheet.share == 1.0 and (len(sheet.below) > 0 or sheet.width > 2)
        numbers = [
            place for place in range(sheet.width) if _share(sheet.below or sheet.data, place, _is_like_a_number) >= 0.5
        ]
        return 20 if even and (header or sheet.width == 2 or numbers) else 0
    return 0


def first_lines(head: bytes, whole: bool, options: ReadOptions) -> tuple[list[str], str]:
    """The first lines of edges, and the characters that begin comments."""
    visible, _, markers = _visible_lines(head, whole, options)
    return [text for _, text in visible], markers


def adjacency_list(head: bytes) -> str | None:
    """What an error says of an adjacency list that NetworkX wrote, which has its time in a comment; None for others."""
    if _NETWORKX.search(head[:4096].decode("utf-8", "replace")) is None:
        return None
    return (
        "an adjacency list, as networkx.write_adjlist or write_multiline_adjlist writes it: networkx.read_adjlist or "
        "read_multiline_adjlist reads it, and apsp.from_networkx(G) takes the graph"
    )


def looks_like_adjacency(head: bytes, whole: bool) -> str | None:
    """What an error says of lines `vertex neighbour neighbour ...`; None for other lines.

    They have various lengths, and each begins with another vertex, among them most neighbours.
    """
    visible = _visible_lines(head, whole, ReadOptions())[0]
    rows = [split_fields(text, "", False) for _, text in visible]
    widths, vertices = {len(row) for row in rows}, {row[0] for row in rows}
    others = [word in vertices for row in rows for word in row[1:]]
    if len(widths) < 2 or max(widths) < 3 or len(vertices) < len(rows) or 2 * sum(others) < len(others):
        return None
    return (
        f"the lines have {min(widths)} to {max(widths)} fields and begin with different vertices, as in an adjacency "
        "list, which networkx.read_adjlist reads, and apsp.from_networkx(G) takes the graph; the lines of an edge list "
        "are 'tail head' or 'tail head weight'"
    )


def find_layout(head: bytes, whole: bool, options: ReadOptions, numbered_lines: bool = False) -> Layout | None:
    """Find the layout from the first bytes of a file; None if they are not an edge list.

    Parameters
    ----------
    numbered_lines : bool
        The format has the number of the line before each edge (.cedge).

    Raises
    ------
    RequestError
        If the options name columns that do not exist, or it is not clear which columns are meant.
    """
    if b"\0" in head or head.lstrip()[:1] in (b"{", b"[", b"<"):
        return None
    visible, comments, markers = _visible_lines(head, whole, options)
    said = " ".join(comments)
    announced, starting = _NODES.search(said), _FIRST.search(said)
    vertices = int(announced[1]) if announced else None
    first = int(starting[1]) if starting else None
    directed = re.search(r"\bundirected\b", said, re.IGNORECASE) is None and not numbered_lines
    if not visible:  # for a graph without arcs the count of vertices is required
        if not whole or not announced:
            return None
        return Layout(
            "", False, 0, 2, 0, 1, None, None, (), (), True, directed, markers, vertices=vertices, first=first
        )
    counts = None if options.header else _counts(visible)
    body = visible[counts[0] :] if counts else visible
    lines = [text for _, text in body]
    sheet = _sheet(lines, options)
    if sheet is None:
        return None
    certain = options.delimiter is not None or not sheet.delimiter or sheet.share < 1.0
    others = [] if certain else _other_delimiters(lines, sheet)
    if any(others):
        raise RequestError(
            f"{sheet.delimiter!r} divides the lines into columns, and {others[0]!r} does, too: "
            f"delimiter={sheet.delimiter!r} or delimiter={others[0]!r}"
        )
    kind = konect(comments)
    named = options.header
    if named is None:
        unseen = len(visible) == 1 and head.count(b"\n", 0, len(head.rstrip())) > body[0][0]
        named = kind is None and _names_columns(sheet, body[0][0] + 1, "; comments=None reads the others" * unseen)
    header = tuple(sheet.first) if named else _commented_header(comments, sheet) if kind is None else ()
    data = sheet.below if named else sheet.data
    roles = _roles(header, data, sheet, kind, numbered_lines, options)
    ends = (roles.tail, roles.head)
    numbered = (
        not sheet.quoted
        and options.labels != "text"
        and all(is_vertex_number(row[end]) for row in data for end in ends)
    )
    notes = list(roles.notes)
    words = any(map(is_name_of_an_end, sheet.first)) or ends_among(sheet.first) is not None
    if others:
        notes.append(f"the lines are divided at {sheet.delimiter!r}; delimiter=' ' divides them at blanks")
    doubt = words or not all(_recurring(sheet))
    if options.header is None and not named and not header and not numbered and sheet.width == 2 and doubt:
        notes.append(f"line {body[0][0] + 1} was taken as an edge; if it names the columns: header=True")
    rows = sum(_looks_like_a_row(comment, sheet) for comment in comments)
    if rows and kind is None and (named or not header):
        notes.append(f"comments above the first row that look like rows: {rows}, skipped (comments=None reads them)")
    if kind is not None and kind.bipartite:
        notes.append("the vertices of the second side follow those of the first: their numbers count on from there")
    plain = numbered and sheet.width == 2 and not named and not counts and not announced and kind is None
    return Layout(
        sheet.delimiter, sheet.quoted, body[0][0] + bool(named), sheet.width, *ends,
        roles.length, roles.direction, _costs(header, data, ends, options), header, numbered,
        directed if kind is None else kind.directed, markers, options.decimal,
        left=None if kind is None or not kind.bipartite else kind.left or -1,
        vertices=counts[1] if counts and counts[2] is not None else vertices,
        first=(0 if counts[0] == 2 else None) if counts and counts[2] is not None else first,
        arcs=counts[2] if counts else None,
        count=counts[1] if counts and counts[2] is None else None,
        pair=plain and all(map(_is_count, sheet.first)), notes=tuple(notes),
    )  # fmt: skip


# -- lines and fields ------------------------------------------------------------------------------------------------


def _visible_lines(head: bytes, whole: bool, options: ReadOptions) -> tuple[list[tuple[int, str]], list[str], str]:
    """Return the numbered lines that are neither blank nor comments, the comments before the first of them, and the
    comment characters in use.
    """
    lines = head.split(b"\n")
    if not whole and len(lines) > 1:
        lines.pop()
    visible: list[tuple[int, str]] = []
    comments: list[str] = []
    markers = "#%" if options.comments == "auto" else options.comments or ""
    for number, raw in enumerate(lines):
        text = raw.decode("utf-8", "backslashreplace").strip(BLANKS)
        slashes = options.comments == "auto" and text.startswith("//")
        if slashes or (markers and text.startswith(tuple(markers))):
            markers += "/" * (slashes and "/" not in markers)
            if not visible:
                comments.append(text)
        elif text:
            visible.append((number, raw.decode("utf-8", "backslashreplace").strip("\r\n")))
            if len(visible) == SAMPLE:
                break
    return visible, comments, markers


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


def _sheet(lines: list[str], options: ReadOptions) -> _Sheet | None:
    """Split the lines at the delimiter that suits them best; None if none has two fields."""
    delimiters = DELIMITERS if options.delimiter is None else (options.delimiter.strip(" "),)
    best: tuple[float, _Sheet] | None = None
    for delimiter in delimiters:
        sheet = _split(lines, delimiter)
        if sheet is None:
            continue
        score = sheet.share + max(sheet.evidence, sheet.width == 2)
        if best is None or score > best[0]:
            best = score, sheet
    return best[1] if best else None


def _other_delimiters(lines: list[str], sheet: _Sheet) -> list[str]:
    """The other delimiters that divide all lines evenly, with no less evidence; "" if blanks do."""
    fields = [field for row in sheet.data for field in row]
    others = set(DELIMITERS) - {sheet.delimiter}
    if sum(line.count(",") for line in lines) == sum("," in field for field in fields if _has_comma(field)):
        others -= {","}  # all of them are decimal commas
    if any(f"{sheet.delimiter} " in line for line in lines):
        others -= {""}
    found = []
    for delimiter in filter(others.__contains__, DELIMITERS):
        sheet_of_other = _split(lines, delimiter)
        if sheet_of_other and sheet_of_other.share == 1.0 and sheet_of_other.evidence >= sheet.evidence:
            found.append(delimiter)
    return found


def _split(lines: list[str], delimiter: str) -> _Sheet | None:
    quoted = delimiter != "" and any('"' in text for text in lines)
    rows = [split_fields(text, delimiter, quoted) for text in lines]
    ended = delimiter and len(rows) > 1 and all(len(row) > 2 and not row[-1] for row in rows[1:])
    if ended and (not rows[0][-1] or len(rows[0]) == len(rows[1]) - 1):  # a delimiter after the last field
        rows = [row[:-1] if not row[-1] else row for row in rows]
    rows_of_width = Counter(len(row) for row in rows if len(row) >= 2)
    if not rows_of_width:
        return None
    width, count = rows_of_width.most_common(1)[0]
    below = [row for row in rows[1:] if len(row) == width]
    data = below or rows[:1] * (len(rows[0]) == width)
    numbered = all(_share(data, end, is_vertex_number) >= 0.5 for end in (0, 1))
    measured = any(_share(data, place, _is_like_a_number) >= 0.5 for place in range(width))
    named = ends_among(rows[0]) is not None
    evidence = float(measured or named) + 0.5 * (numbered or named)
    return _Sheet(delimiter, quoted, width, rows[0], below, count / len(rows), evidence)


def _is_fraction(word: str) -> bool:
    return is_number(word) and not word.lstrip("+-").isdigit()


def _is_like_a_number(word: str) -> bool:
    return is_number(word) or _has_comma(word)


def _is_count(word: str) -> bool:
    return word.isascii() and word.isdigit() and len(word) < 12


def _share(rows: list[list[str]], column: int, test: Callable[[str], bool]) -> float:
    """The share of the rows whose entry in a column passes a test, among those that have one."""
    words = [row[column] for row in rows if row[column]]
    return sum(map(test, words)) / len(words) if words else 0.0


# -- the header ------------------------------------------------------------------------------------------------------


def _is_header(sheet: _Sheet) -> bool:
    """Whether the first line may name the columns: words, above numbers or with the names of ends."""
    if len(sheet.first) != sheet.width or any(map(_is_like_a_number, sheet.first)):
        return False
    return _is_above_numbers(sheet) or ends_among(sheet.first) is not None or any(map(is_name_of_an_end, sheet.first))


def _is_above_numbers(sheet: _Sheet) -> bool:
    """Whether a word of the first line stands above a column of numbers."""
    return any(word and _share(sheet.below, p, _is_like_a_number) >= 0.5 for p, word in enumerate(sheet.first))


def _names_columns(sheet: _Sheet, line: int, hint: str) -> bool:
    """Whether the first line names the columns. The hint ends the error.

    Raises
    ------
    RequestError
        If it may be an edge, too.
    """
    if not _is_header(sheet):
        return False
    known, recurs = ends_among(sheet.first), _recurs(sheet)
    above, clear = _is_above_numbers(sheet), known is not None and not known[0]
    if not recurs and (above or clear):
        return True
    if recurs and not above and not clear:  # `u v` among the edges of vertices u and v
        return False
    raise RequestError(
        f"line {line}, {shown(' '.join(sheet.first))}, may name the columns or be an edge: header=True or header=False"
        f"{hint}"
    )


def _recurs(sheet: _Sheet) -> bool:
    """Whether a word of the first line is a vertex or an entry of its own column below."""
    return any(_recurring(sheet)) or any(
        len(sheet.first) == sheet.width and word and any(row[place] == word for row in sheet.below)
        for place, word in enumerate(sheet.first)
    )


def _recurring(sheet: _Sheet) -> list[bool]:
    """Which of the two ends in the first line are vertices below."""
    if len(sheet.first) != sheet.width:
        return [False, False]
    known = ends_among(sheet.first)
    pair = known[1:] if known else (0, 1)
    vertices = {row[end] for row in sheet.below for end in pair}
    return [sheet.first[end] in vertices for end in pair]


def _looks_like_a_row(comment: str, sheet: _Sheet) -> bool:
    """Whether a comment looks like the rows: their delimiter, number of fields and numbers, or `{}` at its end."""
    fields = split_fields(comment, sheet.delimiter, quoted=True)
    numbers = [place for place in range(sheet.width) if _share(sheet.data, place, is_number) >= 0.5]
    if all(row[-1] == "{}" for row in sheet.data):  # as networkx.write_edgelist writes
        return comment.endswith("{}")
    return (
        sheet.delimiter != ""
        and len(fields) == sheet.width
        and all(is_number(fields[place].lstrip("#%/")) for place in numbers)
    )


def _commented_header(comments: list[str], sheet: _Sheet) -> tuple[str, ...]:
    """The names in the last comment above the data, `# FromNodeId ToNodeId Weight`; none if it has none."""
    if not comments:
        return ()
    names = split_fields(comments[-1].lstrip("#%/ "), sheet.delimiter, quoted=True)
    return tuple(names) if len(names) == sheet.width and ends_among(names) else ()


# -- the columns -----------------------------------------------------------------------------------------------------


def _roles(
    header: tuple[str, ...], data: list[list[str]], sheet: _Sheet, kind: Konect | None, numbered_lines: bool,
    options: ReadOptions,
) -> Roles:  # fmt: skip
    """Choose the columns: by the options, the names, or the definition of the format."""
    # decimal commas that the caller does not announce are numbers here, and an error below
    number = _is_like_a_number if options.decimal == "." else _like(options.decimal)
    likes = [_share(data, place, number) >= 0.5 for place in range(sheet.width)]
    fields = [Field(header[p] if header else str(p), likes[p]) for p in range(sheet.width)]
    wanted = None if not options.weighted else options.cost if options.cost is not None else USUAL
    if options.columns is not None:
        return listed_roles(fields, options.columns, options, named=bool(header))
    if header:
        roles = roles_of(fields, options.source, options.target, wanted, WORDS)
        _check_no_decimal_commas(fields, data, roles, options)
        place = roles.direction
        if place is not None and (
            options.directed is not None or not holds_ways(header[place], (row[place] for row in data))
        ):
            return roles._replace(direction=None)
        return roles
    for name in ("source", "target", "cost"):
        if getattr(options, name) is not None:
            raise RequestError(
                f"{name}={getattr(options, name)!r}: there is no header line; columns=(0, 1, 2) takes the positions of "
                "tail, head and weight"
            )
    weighted = options.weighted
    if kind is not None:
        return Roles(0, 1, 2 if weighted and kind.weighted and sheet.width > 2 else None, None)
    if numbered_lines and sheet.width == 4:
        return Roles(1, 2, 3 if weighted else None, None)
    if sheet.width == 2:
        return Roles(0, 1, None, None)
    if wanted is USUAL and sheet.width == 3:
        _check_no_decimal_commas(fields, data, Roles(0, 1, 2, None), options)
    if sheet.width == 3 and (likes[2] or not weighted or all(row[2] == "{}" for row in data)):
        return Roles(0, 1, 2 if weighted and likes[2] else None, None)
    shape = (
        f"the lines have {sheet.width} fields and no header, such as {shown((sheet.delimiter or ' ').join(data[0]))}"
    )
    raise RequestError(
        f"{shape}: columns=(tail, head, weight) says which are meant, by position from 0; (tail, head) counts hops"
    )


def _check_no_decimal_commas(
    fields: Sequence[Field], data: list[list[str]], roles: Roles, options: ReadOptions
) -> None:
    """Raise an error if the lengths are written with decimal commas and the caller does not say so."""
    place = roles.length
    if options.decimal == "." and place is not None and _share(data, place, _has_comma) >= 0.5:
        raise RequestError(
            f"the column {shown(fields[place].name)} has commas in numbers: decimal=',' reads decimal commas; write "
            "thousands without"
        )


def _has_comma(word: str) -> bool:
    return _DECIMAL_COMMA.fullmatch(word) is not None


def _like(decimal: str) -> Callable[[str], bool]:
    return is_number if decimal == "." else lambda word: is_number(word.replace(decimal, "."))


def _costs(
    header: tuple[str, ...], data: list[list[str]], ends: tuple[int, int], options: ReadOptions
) -> tuple[tuple[str, int], ...]:
    """The named columns of numbers in the sample that the options keep; none if there is only one."""
    if not header or not options.costs:
        return ()
    numbers = [
        (name, place)
        for place, name in enumerate(header)
        if name and place not in ends and _share(data, place, _like(options.decimal)) == 1.0
    ]
    if isinstance(options.costs, tuple):
        found = [alike([name for name, _ in numbers], given) for given in options.costs]
        for given, places in zip(options.costs, found, strict=True):
            if len(places) != 1:
                several = f"{len(places)} of the columns of numbers have this name; " if places else ""
                names = ", ".join(name for name, _ in numbers) or "(none)"
                raise RequestError(f"costs={shown(given)}: {several}the columns of numbers are {names}")
        return tuple(dict.fromkeys(numbers[place] for (place,) in found))
    once = tuple(pair for pair in numbers if header.count(pair[0]) == 1)
    return once if len(numbers) > 1 else ()
