"""GraphML (Brandes et al. 2002): XML with typed attributes; directed or not, with parallel edges.

Edges that say `directed` differently from the graph's `edgedefault` are taken at their word: then every undirected edge
counts as two arcs. Hyperedges and nested graphs are refused. Files with entity declarations are refused too.
"""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any
from xml.sax.saxutils import escape, quoteattr

from apsp.errors import GraphError
from apsp.graph.convert import to_edges
from apsp.graph.files.attributes import AttributedGraph
from apsp.graph.files.edge_layout import is_number
from apsp.graph.files.options import ReadOptions
from apsp.graph.files.source import Source
from apsp.graph.model import Graph

NAMES = ("graphml",)
SUFFIXES = (".graphml",)
KEEPS = frozenset({"weights", "names", "coordinates"})
INTEGERS, FLOATS = ("int", "long", "integer"), ("float", "double")


def sniff(head: bytes, name: str) -> int:
    """Score how much the file looks like this format: 0 (not) to 100."""
    if b"<graphml" in head[:8192]:
        return 100
    return 50 * name.endswith(".graphml")


def read(source: Source, options: ReadOptions) -> Graph:
    """Read the first graph of the file."""
    data = source.all_bytes()
    if b"<!ENTITY" in data:
        raise source.fail("the file declares entities: refused, since they can blow up")
    try:
        root = ET.fromstring(data)  # noqa: S314 - no entities in it
    except ET.ParseError as error:
        line, column = error.position
        raise source.fail(f"this is not well-formed XML: {str(error).split(':')[0]}", line, column + 1) from error
    except (ValueError, LookupError) as error:
        raise source.fail(f"this is not readable as XML: {error}") from error
    graph = next((child for child in root if _tag(child) == "graph"), None)
    if graph is None:
        raise source.fail("there is no <graph> in it")
    keys = _keys(root)
    found = AttributedGraph(directed=graph.get("edgedefault", "undirected") == "directed")
    defaults = {name: value for kind, name, _, value in keys.values() if kind in ("edge", "all") and value is not None}
    for child in graph:
        if _tag(child) == "node":
            _add_vertex(source, found, child, keys)
        elif _tag(child) == "hyperedge":
            raise source.fail("hyperedges are no arcs")
    edges = [child for child in graph if _tag(child) == "edge"]
    mixed = any(_directed(edge, found.directed) != found.directed for edge in edges)
    for edge in edges:
        _add_edge(source, found, edge, keys, defaults, both=mixed and not _directed(edge, found.directed))
    found.directed = found.directed or mixed
    return found.graph(source, options)


def write(graph: Graph, stream: IO[bytes], _path: Path) -> None:
    """Write names as `label`, lengths as `weight` and coordinates as `x` and `y`."""
    weight = "double" if graph.weights is not None and graph.weights.dtype.kind == "f" else "long"
    keys = [("label", "node", "string"), ("x", "node", "double"), ("y", "node", "double"), ("weight", "edge", weight)]
    out: Callable[[str], int] = lambda text: stream.write(text.encode())  # noqa: E731
    out('<?xml version="1.0" encoding="utf-8"?>\n<graphml xmlns="http://graphml.graphdrawing.org/xmlns">\n')
    for name, kind, type_ in keys:
        out(f'<key id="{name}" for="{kind}" attr.name="{name}" attr.type="{type_}"/>\n')
    out(f'<graph edgedefault="{"directed" if graph.directed else "undirected"}">\n')
    for v in range(graph.n):
        data = "" if graph.names is None else f'<data key="label">{_xml_text(graph.names[v])}</data>'
        if graph.coordinates is not None and (graph.coordinates[v] == graph.coordinates[v]).all():
            x, y = graph.coordinates[v].tolist()
            data += f'<data key="x">{x!r}</data><data key="y">{y!r}</data>'
        out(f"<node id={quoteattr(str(v))}>{data}</node>\n")
    tails, heads, weights = to_edges(graph)
    lengths = None if weights is None else weights.tolist()
    for i, (u, v) in enumerate(zip(tails.tolist(), heads.tolist(), strict=True)):
        data = "" if lengths is None else f'<data key="weight">{lengths[i]!r}</data>'
        out(f'<edge source="{u}" target="{v}">{data}</edge>\n')
    out("</graph>\n</graphml>\n")


def _xml_text(name: str) -> str:
    if any(ord(c) < 32 or 0xD800 <= ord(c) <= 0xDFFF or ord(c) in (0xFFFE, 0xFFFF, 0x85) for c in name):
        raise GraphError(f"the vertex name {name!r} has a control character, which XML cannot hold; write .npz")
    return escape(name)


def _tag(element: ET.Element) -> str:
    return str(element.tag).rpartition("}")[2]


def _directed(edge: ET.Element, default: bool) -> bool:
    return edge.get("directed", str(default).lower()) == "true"


def _keys(root: ET.Element) -> dict[str, tuple[str, str, str, Any]]:
    """Give id -> (node, edge or all; attribute name; type; default)."""
    keys: dict[str, tuple[str, str, str, Any]] = {}
    for child in root:
        if _tag(child) == "key" and child.get("id") is not None:
            kind, type_ = child.get("for", "all"), child.get("attr.type", "string")
            default = next((part.text for part in child if _tag(part) == "default"), None)
            value = None if default is None else _value(default, type_)
            keys[child.get("id", "")] = (kind, child.get("attr.name", child.get("id", "")), type_, value)
    return keys


def _value(text: str | None, type_: str) -> Any:
    word = (text or "").strip()
    if type_ in INTEGERS and word.lstrip("+-").isdigit() and word.isascii() and is_number(word) and len(word) <= 25:
        return int(word)
    if type_ in INTEGERS + FLOATS:
        if is_number(word) or word.lower().lstrip("+-") in ("nan", "inf", "infinity"):
            return float(word)
        return word
    return text or ""


def _data(element: ET.Element, keys: dict[str, tuple[str, str, str, Any]]) -> dict[str, Any]:
    fields: dict[str, Any] = {}
    for part in element:
        if _tag(part) == "data" and part.get("key") in keys:
            _, name, type_, _ = keys[part.get("key", "")]
            fields[name] = _value(part.text, type_)
    return fields


def _add_vertex(
    source: Source, found: AttributedGraph, element: ET.Element, keys: dict[str, tuple[str, str, str, Any]]
) -> None:
    key = element.get("id")
    if key is None:
        raise source.fail("a <node> without id")
    if key in found.ids:
        raise source.fail(f"the node id {key[:40]!r} occurs twice")
    if any(_tag(part) == "graph" for part in element):
        raise source.fail(f"node {key[:40]!r} holds a graph: nested graphs are not supported")
    found.ids[key] = len(found.vertices)
    found.vertices.append(_data(element, keys))


def _add_edge(
    source: Source,
    found: AttributedGraph,
    element: ET.Element,
    keys: dict[str, tuple[str, str, str, Any]],
    defaults: dict[str, Any],
    *,
    both: bool,
) -> None:
    ends = []
    for end in ("source", "target"):
        key = element.get(end)
        if key not in found.ids:
            raise source.fail(f"the {end} {str(key)[:40]!r} of an edge is no node")
        ends.append(found.ids[key])
    fields = defaults | _data(element, keys)
    for tail, head in [ends, ends[::-1]][: 1 + both]:
        found.tails.append(tail)
        found.heads.append(head)
        found.edges.append(fields)
        found.lines.append(0)
