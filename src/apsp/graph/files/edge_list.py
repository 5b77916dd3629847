"""Edge lists: SNAP, CSV, TSV, KONECT, algs4 and the like; one arc per line.

Comments start with #, % or //. Fields are separated by blanks, tabs, commas, semicolons or bars. A header line, or the
last comment above the data, may name the columns (columns.py). Without one, two columns are tail and head, and three
are tail, head and weight; the lines of a `.cedge` file are a number, tail, head and weight. A line `V` and a line `E`
(algs4), a line `V E`, or a line of one number may state the counts; if this is ambiguous, the number of lines that
follow decides (edge_counts.py). Vertices are integers if all of them are written as such, otherwise names; they become
labels unless they are exactly the numbers 0 to n - 1.

Lines that end with a dictionary of attributes (`networkx.write_edgelist`) are read by edge_dicts.py; adjacency lists
are refused.

Directed, unless a comment contains "Undirected" (SNAP), the file is a `.cedge` file, or a column says it of each line;
`directed=` overrides.
Source: https://snap.stanford.edu/data/, https://algs4.cs.princeton.edu/44sp/.
"""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import IO, Any

import numpy as np
import numpy.typing as npt

from apsp.errors import FileFormatError, GraphError, RequestError, shown
from apsp.graph.directions import ends_of_links
from apsp.graph.files.all_costs import read_costs_too
from apsp.graph.files.dimacs import narrow
from apsp.graph.files.edge_counts import counted_vertices, starts_with_counts
from apsp.graph.files.edge_dicts import holds_dictionaries, read_dictionaries
from apsp.graph.files.edge_layout import (
    Layout,
    adjacency_list,
    find_layout,
    first_lines,
    is_number,
    looks_like_adjacency,
    looks_like_edges,
)
from apsp.graph.files.edge_names import read_named
from apsp.graph.files.lines import LineRules, Lines, note_skipped
from apsp.graph.files.options import ReadOptions, build
from apsp.graph.files.source import Source
from apsp.graph.files.text_output import write_rows
from apsp.graph.files.vertex_labels import check_none_alone, compact, labels_of_texts
from apsp.graph.labels import Labels, RangeLabels, labels_of
from apsp.graph.labels.integers import are_integers
from apsp.graph.model import Graph

NAMES = ("edge-list", "csv", "tsv", "snap")
SUFFIXES = (".csv", ".tsv", ".txt", ".edges", ".edgelist", ".el", ".wel", ".cedge")
_HEADER = ("source", "target", "weight")
_OWN = (".csv", ".tsv", ".edges", ".edgelist", ".el", ".cedge")
KEEPS = frozenset({"weights", "labels"})
_NUMBERED = re.compile(r"\s*-?\d+[\s,;|]+-?\d+[\s,;|]*\{\}", re.ASCII)
labels_read = labels_of_texts


def sniff(head: bytes, name: str) -> int:
    """Score how much the file looks like this format: 0 (not) to 100."""
    first = first_lines(head, False, ReadOptions())[0] or first_lines(head, True, ReadOptions())[0]
    if (
        holds_dictionaries(first, empty=True)
        or adjacency_list(head) is not None
        or looks_like_adjacency(head, True) is not None
    ):
        return 20
    return looks_like_edges(head) or 5 * (name.endswith(_OWN) and b"\0" not in head)


def read(source: Source, options: ReadOptions) -> Graph:
    """Read the arcs."""
    unnamed = options.columns is None and options.source is None and options.target is None and not options.header
    first, comments = first_lines(source.head, source.whole, options)
    if unnamed and holds_dictionaries(first, empty=not all(map(_NUMBERED.match, first))):
        return read_dictionaries(source, options, comments, directed=True)
    if options.missing is not None:
        raise RequestError("missing= is for edge lists with dictionaries of attributes, which not every edge has")
    fault = adjacency_list(source.head) if unnamed else None
    if fault is not None:
        raise source.fail(fault)
    try:
        return _read_lines(source, options)
    except (FileFormatError, RequestError) as error:
        fault = looks_like_adjacency(source.head, source.whole) if unnamed else None
        if fault is None:
            raise
        raise source.fail(fault) from error


def _read_lines(source: Source, options: ReadOptions) -> Graph:
    found = _layout(source, options)
    if found is None:
        what = "the lines end with carriage returns alone: write line feeds" if _returns(source.head) else (
            "no line has two fields: an edge list has 'tail head' or 'tail head weight'"
        )  # fmt: skip
        raise source.fail(what, 1)
    source.notes += found.notes

    def with_some(source: Source, options: ReadOptions) -> Graph:
        return _read(source, options, found if options.costs else replace(found, costs=()))

    try:
        return read_costs_too(source, options, with_some) if found.costs else _read(source, options, found)
    except FileFormatError as error:
        if not found.header or error.line != found.skip + 1:
            raise
        raise source.fail(
            f"{error.problem}. If the line holds the units of the columns, leave it out: "
            f"apsp.from_edges(pandas.read_csv(path, skiprows=[{error.line - 1}])) does",
            error.line, error.column,
        ) from None  # fmt: skip


def _returns(head: bytes) -> bool:
    return b"\r" in head.rstrip() and b"\n" not in head


def _layout(source: Source, options: ReadOptions) -> Layout | None:
    if _returns(source.head):
        return None
    try:
        return find_layout(source.head, source.whole, options, numbered_lines=source.name.endswith(".cedge"))
    except RequestError as error:
        raise RequestError(f"{source.path}: {error}") from None


def _read(source: Source, options: ReadOptions, layout: Layout) -> Graph:
    announced, labels = layout.vertices, None
    if layout.numbered and layout.direction is None and layout.decimal == ".":
        tails, heads, numbers = _scan(source, layout)
        ways = None
    else:
        tails, heads, numbers, names, ways = read_named(source, layout)
        if layout.numbered:
            values = np.fromiter(map(int, names), np.int64, len(names))
            tails, heads = values[tails], values[heads]
        else:
            if layout.count is not None:
                counted_vertices(source, layout.count, tails, heads, len(names))
            labels = labels_of(names) if options.labels == "text" else labels_of_texts(names)
    if labels is None:
        if layout.count is not None:
            announced = counted_vertices(source, layout.count, tails, heads)
        elif layout.pair and len(tails) and starts_with_counts(source, tails, heads):
            announced, tails, heads = int(tails[0]), tails[1:], heads[1:]
        if layout.left is not None and len(tails):
            heads = heads + (layout.left if layout.left >= 0 else int(tails.max()))
        (tails, heads), labels, n = compact(tails, heads, announced, layout.first)
    else:
        n = len(names)
    directed: Any = layout.directed
    if ways is not None:
        tails, heads, directed = ends_of_links(ways, tails, heads)
    lengths = None if layout.weight is None else numbers[layout.weight]
    return build(
        source, options, tails, heads, lengths, n=n, directed=directed, labels=labels,
        costs={name: numbers[place] for name, place in layout.costs},
    )  # fmt: skip


def _scan(source: Source, layout: Layout) -> tuple[npt.NDArray[Any], npt.NDArray[Any], dict[int, npt.NDArray[Any]]]:
    """Tails, heads, and the columns of numbers by position."""
    roles = {layout.tail: "u", layout.head: "u"}
    words = {layout.tail: "tail", layout.head: "head"}
    roles |= {place: "n" for _, place in layout.costs}
    words |= {place: name for name, place in layout.costs}
    if layout.weight is not None:
        roles[layout.weight], words[layout.weight] = "n", "weight"
    last = layout.width - 1 if not layout.delimiter else max(roles)
    rules = LineRules(
        "".join(roles.get(i, "s") for i in range(last + 1)),
        (layout.delimiter or " ").join(words.get(i, "...") for i in range(last + 1)),
        comments=layout.comments, delimiter=layout.delimiter, more=bool(layout.delimiter),
    )  # fmt: skip
    lines = Lines(source)
    for _ in range(layout.skip):
        lines.take()
    lines.skipped = 0
    arrays = lines.scan(rules, expected=layout.arcs)
    if layout.arcs is not None:
        lines.expect_end(layout.comments.encode(), f"the {layout.arcs} that the first lines announce")
    note_skipped(source, lines)
    found = dict(zip(sorted(roles), arrays, strict=True))
    numbers = {place: narrow(array) for place, array in found.items() if roles[place] == "n"}
    return found[layout.tail], found[layout.head], numbers


def write(graph: Graph, stream: IO[bytes], path: Path) -> None:
    """Write `tail head [weight]`: commas for .csv, tabs otherwise, with comments that state n and the direction.

    Labels are written in place of positions, with quotation marks if some look like numbers. Labels with blanks or
    quotes, and labelled vertices without an arc, cannot be written (for a range of integers the first is written in a
    comment, so that no vertex is lost).
    """
    csv = path.name.lower().split(".")[1:2] == ["csv"] or ".csv" in path.name.lower()
    delimiter = "," if csv else "\t"
    tails, heads, weights = graph.to_edges()
    kind = "Directed" if graph.directed else "Undirected"
    labels = graph.labels
    first = ""
    if isinstance(labels, RangeLabels) and (labels.start or not ((tails == 0).any() or (heads == 0).any())):
        first = f" First: {labels.start}"
    stream.write(f"# {kind} graph\n# Nodes: {graph.n} Edges: {len(tails)}{first}\n".encode())
    if not isinstance(labels, RangeLabels):
        check_none_alone(graph, tails, heads, "an edge list")
    if are_integers(labels):
        ends = [labels.take(tails), labels.take(heads)]
        write_rows(stream, ends if weights is None else [*ends, weights], delimiter=delimiter)
        return
    named = np.array(_plain_texts(labels), dtype=object)
    stream.write(delimiter.join(_HEADER[: 2 if weights is None else 3]).encode() + b"\n")
    rows = zip(named[tails], named[heads], *([] if weights is None else [map(str, weights.tolist())]), strict=True)
    stream.writelines(delimiter.join(row).encode() + b"\n" for row in rows)


def _plain_texts(labels: Labels) -> list[str]:
    texts = labels.texts()
    for text in texts:
        plain = (
            text
            and text not in _HEADER
            and text.strip() == text
            and text[0] not in "#%/"
            and not set(text) & set(",;|\t\n\r\"'\v\f")
        )
        if not plain or not text.isprintable():
            raise GraphError(f"the label {shown(text)} cannot stand in an edge list; write .graphml, .gml or .npz")
    if any(map(is_number, texts)) and not are_integers(labels_of_texts(texts)):  # as numbers some would become equal
        return [f'"{text}"' for text in texts]
    return texts
