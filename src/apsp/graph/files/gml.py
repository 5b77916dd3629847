"""GML, the Graph Modelling Language (Himsolt 1997), directed or not, with parallel edges.

graph [
  directed 0
  node [ id 0 label "A" graphics [ x 1.0 y 2.0 ] ]
  edge [ source 0 target 1 value 3 ]
]
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

from apsp.errors import GraphError, shown
from apsp.graph.files.attributes import AttributedGraph
from apsp.graph.files.edge_layout import is_number
from apsp.graph.files.options import ReadOptions
from apsp.graph.files.source import Source
from apsp.graph.files.vertex_labels import labels_of_texts
from apsp.graph.labels.integers import are_integers
from apsp.graph.model import Graph

NAMES = ("gml",)
SUFFIXES = (".gml",)
KEEPS = frozenset({"weights", "labels", "coordinates"})
labels_read = labels_of_texts
_TOKEN = re.compile(r'[ \t\r\v\f]+|(\n)|(?m:^#.*$)|"([^"]*)"|(\[)|(\])|([^\s\[\]"]+)')
_START = re.compile(rb"(?:^|\s)graph\s*\[")
_LARGEST_INTEGER = 25  # digits; longer ones are read as floats

Record = list[tuple[str, Any, int]]  # (key, number, text or Record, line)


def sniff(head: bytes, name: str) -> int:
    """Score how much the file looks like this format: 0 (not) to 100."""
    if _START.search(head[:8192]):
        return 95
    return 50 * name.endswith(".gml")


def read(source: Source, options: ReadOptions) -> Graph:
    """Read the first graph of the file."""
    top = _parse(source)
    graph = next((value for key, value, _ in top if key == "graph" and isinstance(value, list)), None)
    if graph is None:
        raise source.fail("there is no 'graph [ ... ]'")
    found = AttributedGraph(directed=any(key == "directed" and value == 1 for key, value, _ in graph))
    for key, value, line in graph:
        if key == "node" and isinstance(value, list):
            _add_vertex(source, found, value, line)
    for key, value, line in graph:
        if key == "edge" and isinstance(value, list):
            _add_edge(source, found, value, line)
    if not found.vertices and found.edges:
        raise source.fail("there are edges but no nodes")
    return found.graph(source, options)


def write(graph: Graph, stream: IO[bytes], _path: Path) -> None:
    """Write labels as `id` (integers) or `label`, lengths as `weight` and coordinates as `graphics`."""
    texts = None if are_integers(graph.labels) else graph.labels.texts()
    ids = graph.labels if texts is None else range(graph.n)
    stream.write(f"graph [\n  directed {int(graph.directed)}\n".encode())
    for v in range(graph.n):
        label = "" if texts is None else f' label "{_label(texts[v])}"'
        place = ""
        if graph.coordinates is not None and (graph.coordinates[v] == graph.coordinates[v]).all():
            x, y = graph.coordinates[v].tolist()
            place = f" graphics [ x {x!r} y {y!r} ]"
        stream.write(f"  node [ id {ids[v]}{label}{place} ]\n".encode())
    tails, heads, weights = graph.to_edges()
    lengths = None if weights is None else weights.tolist()
    for i, (u, v) in enumerate(zip(tails.tolist(), heads.tolist(), strict=True)):
        weight = "" if lengths is None else f" weight {lengths[i]!r}"
        stream.write(f"  edge [ source {ids[u]} target {ids[v]}{weight} ]\n".encode())
    stream.write(b"]\n")


def _label(text: str) -> str:
    """A label in ASCII.

    Raises
    ------
    GraphError
        If readers find something else: HTML has no numbers for surrogates and most control characters.
    """
    found = html.escape(text, quote=True).encode("ascii", "xmlcharrefreplace").decode().replace("\n", "&#10;")
    if html.unescape(found) != text:
        raise GraphError(f"the label {shown(text)} has a character that GML cannot hold; write .npz")
    return found


def _tokens(source: Source) -> Iterator[tuple[str, str, int]]:
    """Yield (kind, text, line): kinds are text, open, close and word."""
    text = source.text()
    line, at = 1, 0
    while at < len(text):
        found = _TOKEN.match(text, at)
        if found is None:
            raise source.fail("a quotation mark is not closed", line)
        at = found.end()
        if found[1]:
            line += 1
        elif found[2] is not None:
            yield "text", html.unescape(found[2]), line
            line += found[2].count("\n")
        elif found.lastindex is not None:
            yield ("open", "close", "word")[found.lastindex - 3], found[0], line


def _parse(source: Source) -> Record:
    stack: list[Record] = [[]]
    opened: list[int] = []
    key, key_line = "", 0
    for kind, text, line in _tokens(source):
        if kind == "close":
            if key or len(stack) == 1:
                raise source.fail(f"']' instead of a value of {key!r}" if key else "']' without '['", line)
            stack.pop()
            opened.pop()
        elif not key:
            if kind != "word":
                raise source.fail(f"expected a key, not {text[:40]!r}", line)
            key, key_line = text, line
        elif kind == "open":
            inner: Record = []
            stack[-1].append((key, inner, key_line))
            stack.append(inner)
            opened.append(line)
            key = ""
        else:
            stack[-1].append((key, _number(text) if kind == "word" else text, key_line))
            key = ""
    if key or opened:
        raise source.fail(
            "the file is cut short: " + (f"{key!r} has no value" if key else f"'[' of line {opened[-1]} is not closed")
        )
    return stack[0]


def _number(text: str) -> int | float | str:
    if not is_number(text):
        return float(text) if text.lower().lstrip("+-") in ("nan", "inf", "infinity") else text
    plain = text.lstrip("+-").isdigit() and len(text) <= _LARGEST_INTEGER
    return int(text) if plain else float(text)


def _add_vertex(source: Source, found: AttributedGraph, record: Record, line: int) -> None:
    fields: dict[str, Any] = {key: value for key, value, _ in record if not isinstance(value, list)}
    for key, value, _ in record:
        if key == "graphics" and isinstance(value, list):
            fields |= {k: v for k, v, _ in value if k in ("x", "y")}
    if "id" not in fields:
        raise source.fail("a node without id", line)
    if fields["id"] in found.ids:
        raise source.fail(f"the id {str(fields['id'])[:40]} occurs twice", line)
    found.ids[fields["id"]] = len(found.vertices)
    found.vertices.append(fields)


def _add_edge(source: Source, found: AttributedGraph, record: Record, line: int) -> None:
    fields: dict[str, Any] = {key: value for key, value, _ in record if not isinstance(value, list)}
    for end, numbers in (("source", found.tails), ("target", found.heads)):
        if end not in fields:
            raise source.fail(f"an edge without {end}", line)
        if fields[end] not in found.ids:
            raise source.fail(f"the edge's {end} {str(fields[end])[:40]} is not a node", line)
        numbers.append(found.ids[fields[end]])
    found.edges.append(fields)
    found.lines.append(line)
