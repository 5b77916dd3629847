"""GraphML (Brandes et al. 2002): XML with typed attributes; directed or not, with parallel edges.

If some edges have a `directed` attribute that differs from the graph's `edgedefault`, the graph is directed, and every
undirected edge counts as two arcs. Hyperedges, nested graphs and entity declarations are errors. Numbers may be typed
as strings: OSMnx writes all attributes in this way, among them x and y of nodes, and `length` (metres) and
`travel_time` (seconds) of edges, which is selected by `cost="travel_time"`. Its graph has the attribute `crs`, and its
edges `geometry`. Graphs in degrees are written so, too: `osmnx.load_graphml` takes attributes of text only.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any
from xml.parsers import expat
from xml.sax.saxutils import escape

import numpy as np

from apsp.errors import ApspError, GraphError, shown
from apsp.graph.checks import UNITS
from apsp.graph.files.attributes import AttributedGraph
from apsp.graph.files.edge_layout import is_number
from apsp.graph.files.options import ReadOptions
from apsp.graph.files.source import Source
from apsp.graph.files.vertex_labels import labels_of_texts
from apsp.graph.labels.integers import are_integers
from apsp.graph.model import Graph
from apsp.graph.shapes.features import checked_coordinates, path_corners

NAMES = ("graphml",)
SUFFIXES = (".graphml",)
KEEPS = frozenset({"weights", "labels", "coordinates", "bends"})
labels_read = labels_of_texts
INTEGERS, FLOATS = ("int", "long", "integer"), ("float", "double")
CRS = {UNITS[0]: "epsg:4326"}
"""What OSMnx calls a coordinate reference system; others are written by the name that `Graph.crs` has."""


def sniff(head: bytes, name: str) -> int:
    """Score how much the file looks like this format: 0 (not) to 100."""
    if b"<graphml" in head[:8192]:
        return 100
    return 50 * name.endswith(".graphml")


def read(source: Source, options: ReadOptions) -> Graph:
    """Read the first graph of the file."""
    reader = _Reader(source)
    parser = expat.ParserCreate()
    parser.buffer_text = True
    parser.EntityDeclHandler = reader.refuse_entity
    parser.StartElementHandler, parser.EndElementHandler = reader.start, reader.end
    parser.CharacterDataHandler = reader.characters
    reader.parser = parser
    try:
        for block in source.blocks():
            parser.Parse(block, False)
        parser.Parse(b"", True)
    except expat.ExpatError as error:
        words = expat.ErrorString(error.code)
        raise source.fail(f"this is not well-formed XML: {words}", error.lineno, error.offset + 1) from error
    except (ValueError, LookupError) as error:
        if isinstance(error, ApspError):
            raise
        raise source.fail(f"this is not readable as XML: {error}", parser.CurrentLineNumber) from error
    return reader.result().graph(source, options)


def write(graph: Graph, stream: IO[bytes], _path: Path) -> None:
    """Write labels as ids (integers) or as `label`, lengths as `weight`, coordinates and lines as OSMnx does.

    All attributes of a graph in degrees are text.
    """
    texts = None if are_integers(graph.labels) else graph.labels.texts()
    ids = graph.labels if texts is None else range(graph.n)
    weight = "double" if graph.weights is not None and graph.weights.dtype.kind == "f" else "long"
    keys = [("label", "node", "string"), ("x", "node", "double"), ("y", "node", "double"), ("weight", "edge", weight)]
    bent = graph.links is not None and graph.links.bends is not None
    keys += [("geometry", "edge", "string")] * bent + [("crs", "graph", "string")] * (graph.crs is not None)
    is_text = graph.crs in CRS
    out: Callable[[str], int] = lambda text: stream.write(text.encode())  # noqa: E731
    out('<?xml version="1.0" encoding="utf-8"?>\n<graphml xmlns="http://graphml.graphdrawing.org/xmlns">\n')
    for name, kind, type_ in keys:
        out(f'<key id="{name}" for="{kind}" attr.name="{name}" attr.type="{"string" if is_text else type_}"/>\n')
    out(f'<graph edgedefault="{"directed" if graph.directed else "undirected"}">\n')
    if graph.crs is not None:
        out(f'<data key="crs">{CRS.get(graph.crs, graph.crs)}</data>\n')
    for v in range(graph.n):
        data = "" if texts is None else f'<data key="label">{_xml_text(texts[v])}</data>'
        if graph.coordinates is not None and (graph.coordinates[v] == graph.coordinates[v]).all():
            x, y = graph.coordinates[v].tolist()
            data += f'<data key="x">{x!r}</data><data key="y">{y!r}</data>'
        out(f'<node id="{ids[v]}">{data}</node>\n')
    tails, heads, weights = graph.to_edges()
    lengths = None if weights is None else weights.tolist()
    lines = dict(_lines(graph, tails, heads)) if bent else {}
    for i, (u, v) in enumerate(zip(tails.tolist(), heads.tolist(), strict=True)):
        data = "" if lengths is None else f'<data key="weight">{lengths[i]!r}</data>'
        if i in lines:
            data += f'<data key="geometry">{lines[i]}</data>'
        out(f'<edge source="{ids[u]}" target="{ids[v]}">{data}</edge>\n')
    out("</graph>\n</graphml>\n")


def _lines(graph: Graph, tails: Any, heads: Any) -> Iterator[tuple[int, str]]:
    """Yield the edges that bend, between vertices with coordinates, and their lines."""
    known = np.asarray(np.isfinite(checked_coordinates(graph.coordinates)).all(axis=1))
    some = np.flatnonzero(known[tails] & known[heads])
    ends = np.stack([tails[some], heads[some]], axis=1).ravel()
    for edge, line in zip(some.tolist(), path_corners(graph, 2 * np.arange(len(some) + 1), ends), strict=True):
        if len(line) > 2:
            yield edge, f"LINESTRING ({', '.join(f'{x!r} {y!r}' for x, y in line.tolist())})"


def _xml_text(name: str) -> str:
    if any(ord(c) < 32 or 0xD800 <= ord(c) <= 0xDFFF or ord(c) in (0xFFFE, 0xFFFF, 0x85) for c in name):
        raise GraphError(f"the label {shown(name)} has a control character, which XML cannot hold; write .npz")
    return escape(name)


@dataclass
class _Key:
    """A declared attribute: its name, its type, and the text of its default."""

    name: str
    type: str
    default: str | None = None


class _Reader:
    """Reads the elements of the file in order; edges are joined to nodes at the end."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.parser: Any = None
        self.found = AttributedGraph()
        self._path: list[str] = []
        self._keys: dict[tuple[str, str], _Key] = {}  # by id and what they are for: node, edge, all, ...
        self._key: _Key | None = None  # whose default is being read
        self._id = ""  # of the key of the data being read
        self._text: list[str] | None = None
        self._data: list[tuple[str, str]] = []  # of the node or edge being read: ids of keys, and texts
        self._of_graph: list[tuple[str, str]] = []
        self._nodes: list[list[tuple[str, str]]] = []
        self._edges: list[tuple[str | None, str | None, str | None, list[tuple[str, str]], int]] = []
        self._defaults: dict[str, dict[str, Any]] = {}  # of nodes and of edges
        self._graphs = 0

    def refuse_entity(self, *_: object) -> None:
        raise self._fail("the file declares entities: they are not allowed, since they can expand without bound")

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        name, parent = tag.rpartition(":")[2], self._path[-1] if self._path else ""
        self._path.append(name)
        if name == "key" and (parent == "graphml" or self._graphs == 1):
            self._key = self._add_key(attributes)
        elif name == "graph":
            self._open_graph(parent, attributes)
        elif self._graphs != 1 and name != "default":
            return
        elif (name == "data" and parent in ("graph", "node", "edge")) or (name == "default" and parent == "key"):
            self._id = attributes.get("key", "")
            self._text = []
        elif name == "hyperedge" and parent == "graph":
            raise self._fail("hyperedges are not supported")
        elif parent == "graph" and name in ("node", "edge"):
            self._data = []
            if name == "node":
                self._add_vertex(attributes.get("id"))
            else:
                ends = attributes.get("source"), attributes.get("target")
                self._edges.append((*ends, attributes.get("directed"), self._data, self.parser.CurrentLineNumber))

    def characters(self, text: str) -> None:
        if self._text is not None and self._path[-1] in ("data", "default"):
            self._text.append(text)

    def end(self, tag: str) -> None:
        self._path.pop()
        name = tag.rpartition(":")[2]
        if name == "graph" and self._graphs == 1:
            self._graphs = 2
        if self._text is None or name not in ("data", "default"):
            return
        text, self._text = "".join(self._text), None
        if name == "data":
            (self._of_graph if self._path[-1] == "graph" else self._data).append((self._id, text))
        elif self._key is not None:
            self._key.default = text

    def result(self) -> AttributedGraph:
        """Return the graph, after the whole file has been read."""
        if not self._graphs:
            raise self.source.fail("there is no <graph> in it")
        found = self.found
        found.vertices = [self._fields("node", data) for data in self._nodes]
        default = str(found.directed).lower()
        mixed = any((said or default) != default for _, _, said, _, _ in self._edges)
        for source, target, said, data, line in self._edges:
            fields = self._fields("edge", data)
            self._check_once(data, line)
            ends = [self._end("source", source, line), self._end("target", target, line)]
            for tail, head in [ends, ends[::-1]][: 1 + (mixed and (said or default) != "true")]:
                found.tails.append(tail)
                found.heads.append(head)
                found.edges.append(fields)
                found.lines.append(line)
        found.directed = found.directed or mixed
        found.crs = _crs(self._fields("graph", self._of_graph).get("crs"))
        return found

    def _open_graph(self, parent: str, attributes: dict[str, str]) -> None:
        if self._graphs == 1:
            raise self._fail(f"a <{parent}> holds a graph: nested graphs are not supported")
        if parent != "graphml":
            return
        if self._graphs:
            self.source.notes.append("the first graph of the file was read")
            self._graphs += 1
            return
        self._graphs = 1
        self.found.directed = attributes.get("edgedefault", "undirected") == "directed"

    def _add_vertex(self, key: str | None) -> None:
        if key is None:
            raise self._fail("a <node> without id")
        if key in self.found.ids:
            raise self._fail(f"the node id {key[:40]!r} occurs twice")
        self.found.ids[key] = len(self._nodes)
        self._nodes.append(self._data)

    def _add_key(self, attributes: dict[str, str]) -> _Key:
        name, kind = attributes.get("id", ""), attributes.get("for", "all")
        key = _Key(attributes.get("attr.name", name), attributes.get("attr.type", "string"))
        known = self._keys.setdefault((name, kind), key)
        if known.name != key.name:
            raise self._fail(f"the key {shown(name)} is declared twice for {kind}: as {shown(known.name)} before")
        return known

    def _declared(self, kind: str, name: str) -> _Key:
        """The key of data of a node or an edge: declared for it, for all, or for something else; or under its id."""
        for each in (kind, "all"):
            if (name, each) in self._keys:
                return self._keys[name, each]
        others = [key for (known, _), key in self._keys.items() if known == name]
        if not others and kind == "edge":
            self.found.undeclared.add(name)
        key = others[0] if others else _Key(name, "string")
        self._keys[name, kind] = key
        return key

    def _fields(self, kind: str, data: list[tuple[str, str]]) -> dict[str, Any]:
        """The attributes of a node or an edge."""
        if kind not in self._defaults:
            self._defaults[kind] = {
                key.name: _value(key.default, key.type)
                for (_, of), key in self._keys.items()
                if of in (kind, "all") and key.default is not None
            }
        found = dict(self._defaults[kind])
        for name, text in data:
            key = self._declared(kind, name)
            found[key.name] = _value(text, key.type)
        return found

    def _end(self, which: str, key: str | None, line: int) -> int:
        if key not in self.found.ids:
            raise self.source.fail(f"the {which} {str(key)[:40]!r} of an edge is not a node", line)
        return self.found.ids[key]

    def _check_once(self, data: list[tuple[str, str]], line: int) -> None:
        names = [self._declared("edge", name).name for name, _ in data]
        if len(set(names)) < len(names):
            twice = next(name for place, name in enumerate(names) if name in names[:place])
            raise self.source.fail(f"this edge has the attribute {shown(twice)} twice", line)

    def _fail(self, problem: str) -> ApspError:
        return self.source.fail(problem, self.parser.CurrentLineNumber)


def _crs(text: Any) -> str | None:
    """What the coordinates are; None if it is not clear."""
    word = str(text).strip().lower()
    return "degrees" if word in ("epsg:4326", "ogc:crs84") else word if word in UNITS else None


def _value(text: str | None, type_: str) -> Any:
    word = (text or "").strip()
    if type_ in INTEGERS and word.lstrip("+-").isdigit() and word.isascii() and is_number(word) and len(word) <= 25:
        return int(word)
    if type_ in INTEGERS + FLOATS:
        if is_number(word) or word.lower().lstrip("+-") in ("nan", "inf", "infinity"):
            return float(word)
        return word
    return text or ""
