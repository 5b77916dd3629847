"""Edge lists: SNAP, CSV, TSV, KONECT, algs4 and the like; one arc per line.

Comments start with #, % or //. Fields are separated by blanks, tabs, commas, semicolons or bars. A header line may name
the columns. Without one, two columns are tail and head, three are tail, head and weight, and four of which the first
only counts the lines (`0 17 42 0.25`, the .cedge road networks) are a line number and an undirected edge. A line `V`
and a line `E` (algs4), a line `V E`, or a line of one number may state the counts; if this is ambiguous, the number of
lines that follow decides (edge_counts.py). Vertices are numbers or names, which become labels unless they are exactly
the numbers 0 to n - 1.

Directed, unless a comment contains "Undirected" (SNAP) or the lines are numbered; `directed=` overrides.
Source: https://snap.stanford.edu/data/, https://algs4.cs.princeton.edu/44sp/.
"""

from __future__ import annotations

from pathlib import Path
from typing import IO, Any

import numpy as np
import numpy.typing as npt

from apsp.errors import GraphError, shown
from apsp.graph.files.all_costs import read_costs_too
from apsp.graph.files.dimacs import narrow
from apsp.graph.files.edge_counts import counted_vertices, starts_with_counts
from apsp.graph.files.edge_layout import Layout, find_layout, is_number
from apsp.graph.files.edge_names import read_named
from apsp.graph.files.lines import LineRules, Lines
from apsp.graph.files.options import ReadOptions, build
from apsp.graph.files.source import Source
from apsp.graph.files.text_output import write_rows
from apsp.graph.files.vertex_labels import are_integers, check_none_alone, compact, labels_of_texts
from apsp.graph.labels import Labels, RangeLabels
from apsp.graph.model import Graph

NAMES = ("edge-list", "csv", "tsv", "snap")
SUFFIXES = (".csv", ".tsv", ".txt", ".edges", ".edgelist", ".el", ".wel", ".cedge")
KEEPS = frozenset({"weights", "labels"})
labels_read = labels_of_texts


def sniff(head: bytes, name: str) -> int:
    """Score how much the file looks like this format: 0 (not) to 100."""
    layout = find_layout(head, False, ReadOptions()) or find_layout(head, True, ReadOptions())
    if layout is None or not layout.trusted:
        return 5 * (name.endswith((".csv", ".tsv", ".edges", ".edgelist", ".el", ".cedge")) and b"\0" not in head)
    return 30 if layout.numbered else 20


def read(source: Source, options: ReadOptions) -> Graph:
    """Read the arcs."""
    layout = find_layout(source.head, source.whole, options)
    if layout is None:
        raise source.fail("no line has two fields: an edge list has 'tail head' or 'tail head weight'", 1)
    return read_costs_too(source, options, _read) if layout.costs else _read(source, options)


def _read(source: Source, options: ReadOptions) -> Graph:
    layout = find_layout(source.head, source.whole, options)
    assert layout is not None
    if not layout.numbered:
        tails, heads, numbers, names = read_named(source, layout)
        if layout.count is not None:
            counted_vertices(source, layout.count, tails, heads, len(names))
        lengths = None if layout.weight is None else numbers[layout.weight]
        return build(
            source, options, tails, heads, lengths, n=len(names), directed=layout.directed,
            labels=labels_of_texts(names), costs={name: numbers[place] for name, place in layout.costs},
        )  # fmt: skip
    tails, heads, numbers = _scan(source, layout)
    announced = layout.vertices
    if layout.count is not None:
        announced = counted_vertices(source, layout.count, tails, heads)
    elif layout.pair and len(tails) and starts_with_counts(source, tails, heads):
        announced, tails, heads = int(tails[0]), tails[1:], heads[1:]
    ends, labels, n = compact(tails, heads, announced, layout.first)
    lengths = None if layout.weight is None else numbers[layout.weight]
    costs = {name: numbers[place] for name, place in layout.costs}
    return build(source, options, *ends, lengths, n=n, directed=layout.directed, labels=labels, costs=costs)


def _scan(source: Source, layout: Layout) -> tuple[npt.NDArray[Any], npt.NDArray[Any], dict[int, npt.NDArray[Any]]]:
    """Tails, heads, and the columns of numbers by position."""
    roles = {layout.tail: "v", layout.head: "v"}
    words = {layout.tail: "tail", layout.head: "head"}
    roles |= {place: "n" for _, place in layout.costs}
    words |= {place: name for name, place in layout.costs}
    if layout.weight is not None:
        roles[layout.weight], words[layout.weight] = "n", "weight"
    if layout.counter:
        roles[0], words[0] = "i", "number"
    last = max(roles)
    rules = LineRules(
        "".join(roles.get(i, "s") for i in range(last + 1)),
        (layout.delimiter or " ").join(words.get(i, "...") for i in range(last + 1)),
        comments=layout.comments, delimiter="" if layout.delimiter == "\t" else layout.delimiter,
        more=layout.width > last + 1,
    )  # fmt: skip
    lines = Lines(source)
    for _ in range(layout.skip):
        lines.take()
    arrays = lines.scan(rules, expected=layout.arcs)
    if layout.arcs is not None:
        lines.expect_end(layout.comments.encode(), f"the {layout.arcs} that the first lines announce")
    found = dict(zip(sorted(roles), arrays, strict=True))
    if layout.counter and not np.array_equal(
        found[0], np.arange(len(found[0])) + (found[0][0] if len(found[0]) else 0)
    ):
        raise source.fail("column 0 counts the first lines but not later ones; pass columns=(tail, head, weight)")
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
    stream.write(delimiter.join(["source", "target", "weight"][: 2 if weights is None else 3]).encode() + b"\n")
    rows = zip(named[tails], named[heads], *([] if weights is None else [map(str, weights.tolist())]), strict=True)
    stream.writelines(delimiter.join(row).encode() + b"\n" for row in rows)


def _plain_texts(labels: Labels) -> list[str]:
    texts = labels.texts()
    for text in texts:
        plain = text and text.strip() == text and text[0] not in "#%/" and not set(text) & set(",;|\t\n\r\"'\v\f")
        if not plain or not text.isprintable():
            raise GraphError(f"the label {shown(text)} cannot stand in an edge list; write .graphml, .gml or .npz")
    if any(map(is_number, texts)) and not are_integers(labels_of_texts(texts)):  # as numbers some would become equal
        return [f'"{text}"' for text in texts]
    return texts
