"""The lines of a Pajek file: the section of each, and its content."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from apsp.graph.files.edge_layout import is_number
from apsp.graph.files.lines import BLANKS
from apsp.graph.files.source import Source

__all__ = ["Network", "Section", "parse"]

ARCS = ("arcs", "arcslist", "edges", "edgeslist", "matrix")
_TOKEN = re.compile(r'"([^"]*)"|\'([^\']*)\'(?=\s|$)|(\S+)')
_KEYWORD = re.compile(r"\*\s*([A-Za-z]*)\s*(.*)")
_RELATION = re.compile(r':?\s*(\d*)\s*"?(.*?)"?')
_MARK = re.compile(r"(\d+)\s*:")
_OTHER_PARTS = ("partition", "vector", "permutation", "cluster", "hierarchy")


@dataclass
class Section:
    """The arcs or edges of one relation."""

    kind: str
    directed: bool
    number: str
    name: str
    line: int
    rows: int = 0
    ends: list[tuple[int, int]] = field(default_factory=list)
    lengths: list[int | float | None] = field(default_factory=list)


@dataclass
class Network:
    """The vertices and sections of a network."""

    n: int = -1
    first_mode: int = 0  # of a two-mode network: its first vertices are of the first kind
    names: dict[int, str] = field(default_factory=dict)
    places: dict[int, tuple[float, float]] = field(default_factory=dict)
    sections: list[Section] = field(default_factory=list)
    further: int = 0  # networks after this one


def parse(source: Source) -> Network:
    """Read the first network of the file.

    Raises
    ------
    FileFormatError
    """
    network, part, section = Network(), "network", ""
    for line, text in _lines(source):
        if text.startswith("*"):
            part, section = _keyword(source, network, part, text, line)
        elif section == "vertices":
            _vertex(source, network, text, line)
        elif section == "matrix":
            _matrix_row(source, network, text, line)
        elif section:
            _arc(source, network, text, line)
    if network.n < 0:
        raise source.fail("there is no '*Vertices N'")
    for each in network.sections:
        if each.kind == "matrix" and each.rows != _matrix_shape(network)[0]:
            raise source.fail(f"the matrix ends after {each.rows} of {_matrix_shape(network)[0]} rows", each.line)
    return network


def _lines(source: Source) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(source.text().split("\n"), 1):
        text = line.strip(BLANKS)
        if text and not text.startswith("%"):
            yield number, text


def _keyword(source: Source, network: Network, part: str, text: str, line: int) -> tuple[str, str]:
    """Begin the part of the project of a line '*Keyword ...', and the section ('' for one to skip)."""
    word, rest = _KEYWORD.fullmatch(text).groups()  # type: ignore[union-attr]
    word = word.lower()
    if word in _OTHER_PARTS:
        return word, ""
    if word == "network" or (word == "vertices" and part == "network" and network.n >= 0):
        network.further += network.n >= 0
        return ("network", "") if network.n < 0 else ("further", "")
    if part != "network":
        return part, ""
    if word == "vertices":
        network.n, network.first_mode = _sizes(source, rest, line)
        return part, "vertices"
    if word not in ARCS:
        return part, ""
    if network.n < 0:
        raise source.fail(f"'*{word}' stands before '*Vertices N'", line)
    number, name = _RELATION.fullmatch(rest).groups()  # type: ignore[union-attr]
    directed = word.startswith("arcs") or (word == "matrix" and not network.first_mode)
    network.sections.append(Section(word, directed, number, name.strip(), line))
    return part, word


def _sizes(source: Source, rest: str, line: int) -> tuple[int, int]:
    words = rest.split()
    if not words or not all(word.isascii() and word.isdigit() and len(word) < 12 for word in words[:2]):
        raise source.fail(f"expected '*Vertices N', not '*Vertices {rest[:40]}'", line)
    n, first = int(words[0]), int(words[1]) if len(words) > 1 else 0
    if first > n:
        raise source.fail(f"{first} of {n} vertices cannot be of the first kind", line)
    return n, first


def _words(text: str) -> list[str]:
    if '"' in text or "'" in text:
        return ["".join(groups) for groups in _TOKEN.findall(text)]
    return text.split()


def _number_of(source: Source, network: Network, word: str, line: int) -> int:
    if not (word.isascii() and word.isdigit() and len(word) < 12):
        raise source.fail(f"{word[:40]!r} is not a vertex number", line)
    if not 1 <= int(word) <= network.n:
        raise source.fail(f"vertex {int(word)} does not exist: vertices are 1 to {network.n}", line)
    return int(word)


def _vertex(source: Source, network: Network, text: str, line: int) -> None:
    words = _words(text)
    vertex = _number_of(source, network, words[0], line)
    if len(words) > 1:
        network.names[vertex] = words[1]
    if len(words) > 3 and is_number(words[2]) and is_number(words[3]):
        network.places[vertex] = float(words[2]), float(words[3])


def _arc(source: Source, network: Network, text: str, line: int) -> None:
    section = network.sections[-1]
    if ":" in text and (mark := _MARK.match(text)):
        text = text[mark.end() :]
        section = _marked(network, section, mark[1], line)
    words = _words(text)
    if len(words) < 2:
        raise source.fail("the line ends early: expected two vertices", line)
    tail = _number_of(source, network, words[0], line)
    if section.kind.endswith("list"):
        heads = [_number_of(source, network, word, line) for word in words[1:]]
        section.ends += [(tail, head) for head in heads]
        section.lengths += [None] * len(heads)
        return
    section.ends.append((tail, _number_of(source, network, words[1], line)))
    section.lengths.append(_length(source, words[2], line) if len(words) > 2 else None)


def _marked(network: Network, section: Section, number: str, line: int) -> Section:
    """The section of the relation that a line names."""
    kind = section.kind
    found = next((each for each in network.sections if (each.kind, each.number) == (kind, number)), None)
    if found is None:
        found = Section(kind, section.directed, number, "", line)
        network.sections.insert(-1, found)
    return found


def _length(source: Source, word: str, line: int) -> int | float | None:
    """The third word of a line: a length, or the first word about how the line is drawn."""
    if not is_number(word):
        if word[0].isdigit() or word[0] in "+-." or word.lower() in ("nan", "inf", "infinity"):
            raise source.fail(f"{word[:40]!r} is not a finite number", line)
        return None
    if word.lstrip("+-").isdigit() and len(word) <= 25 and -(2**63) <= int(word) < 2**63:
        return int(word)
    value = float(word)
    if value - value != 0:
        raise source.fail(f"{word[:40]!r} is too large for a number", line)
    return value


def _matrix_shape(network: Network) -> tuple[int, int]:
    return (network.first_mode or network.n), network.n - network.first_mode


def _matrix_row(source: Source, network: Network, text: str, line: int) -> None:
    section, (rows, columns) = network.sections[-1], _matrix_shape(network)
    words = text.split()
    if section.rows == rows or len(words) != columns:
        raise source.fail(f"the matrix must have {rows} rows of {columns} numbers", line)
    section.rows += 1
    for column, word in enumerate(words, 1):
        length = _length(source, word, line)
        if length is None:
            raise source.fail(f"{word[:40]!r} is not a number", line)
        if length != 0:
            section.ends.append((section.rows, network.first_mode + column))
            section.lengths.append(length)
