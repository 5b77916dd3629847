"""TNTP networks of the Transportation Networks for Research collection (Stabler, Bar-Gera, Sall).

    <NUMBER OF ZONES> 24
    <NUMBER OF NODES> 24
    <FIRST THRU NODE> 1
    <NUMBER OF LINKS> 76
    <END OF METADATA>
    ~ init_node term_node capacity length free_flow_time b power speed toll link_type ;
    1 2 25900.20064 6 6 0.15 4 0 0 1 ;

Directed, nodes from 1. The length of an arc is the free-flow time, or the column named by `cost`; all columns are costs
of the graph (`Graph.costs`). Nodes below FIRST THRU NODE are zones: a path may start or end there but not pass through
(`Graph.zones`; `zones=False` ignores the rule). A file NAME_node.tntp beside NAME_net.tntp gives coordinates
(tntp_nodes.py).
Source: https://github.com/bstabler/TransportationNetworks, README.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import IO, Any

import numpy as np

from apsp.errors import GraphError, RequestError, shown
from apsp.graph.files.all_costs import read_costs_too
from apsp.graph.files.coordinates import read_coordinates
from apsp.graph.files.lines import BLANKS, LineRules, Lines
from apsp.graph.files.options import ReadOptions, build, check_vertex_count
from apsp.graph.files.source import Source
from apsp.graph.files.text_output import write_rows
from apsp.graph.files.tntp_nodes import node_file_names, read_nodes
from apsp.graph.files.vertex_labels import numbered_from_one
from apsp.graph.links import rows_of
from apsp.graph.model import Graph

NAMES = ("tntp",)
SUFFIXES = (".tntp",)
KEEPS = frozenset({"weights", "zones", "parallel links"})
IS_DIRECTED = True
"""Links of TNTP have a direction."""
FIRST = 1
COLUMNS = ("capacity", "length", "free_flow_time", "b", "power", "speed", "toll", "link_type")
_TAG = re.compile(rb"^\s*<([A-Za-z ]+)>(.*)$")


def sniff(head: bytes, name: str) -> int:
    """Score how much the file looks like this format: 0 (not) to 100."""
    if b"<END OF METADATA>" in head[:8192] or b"<NUMBER OF ZONES>" in head[:8192]:
        return 100
    return 60 * name.endswith(".tntp")


def read(source: Source, options: ReadOptions) -> Graph:
    """Read the network with all columns of its links, and the coordinates of a node file beside it."""
    return read_costs_too(source, options, _read)


def _read(source: Source, options: ReadOptions) -> Graph:
    lines = Lines(source)
    tags = _metadata(lines)
    n, m = (_number(lines, tags, name) for name in ("NUMBER OF NODES", "NUMBER OF LINKS"))
    check_vertex_count(source, n, m)
    name = _cost_column(options.cost)
    for other in options.costs if isinstance(options.costs, tuple) else ():
        _cost_column(other, "costs")
    wanted = [column for column in COLUMNS if column == name or options.keeps(column)]
    kinds = "".join("f" if column in wanted else "s" for column in COLUMNS).rstrip("s")
    rules = LineRules(
        "vv" + kinds, f"init_node term_node ... {wanted[-1]}", comments="~", blanks=BLANKS + ";", more=True,
        lowest=1, highest=n,
    )  # fmt: skip
    tails, heads, *numbers = lines.scan(rules, expected=m)
    costs = dict(zip(wanted, numbers, strict=True))
    lines.expect_end(b"~", f"the {m} that the header announces")
    first = _number(lines, tags, "FIRST THRU NODE", 1)
    zones = np.arange(1, n + 1) < first if first > 1 and options.zones else None
    return build(
        source, options, tails - 1, heads - 1, costs[name], n=n, directed=True, zones=zones,
        labels=numbered_from_one(n), costs=costs,
        coordinates=read_coordinates(source, options, node_file_names(source.name), lambda file: read_nodes(file, n)),
    )  # fmt: skip


def write(graph: Graph, stream: IO[bytes], _path: Path) -> None:
    """Write lengths as free-flow times (1 for hops), and the costs of the graph or zeros and ones as other columns.

    Zones must be the first vertices.
    """
    zones = 0 if graph.zones is None else int(graph.zones.sum())
    if graph.zones is not None and not graph.zones[:zones].all():
        raise GraphError("a TNTP file needs the zones to be the first vertices; write a .npz file")
    rows = rows_of(graph).as_arcs(directed=graph.directed)
    head = {
        "NUMBER OF ZONES": zones,
        "NUMBER OF NODES": graph.n,
        "FIRST THRU NODE": zones + 1,
        "NUMBER OF LINKS": len(rows),
    }
    stream.write("".join(f"<{name}> {value}\n" for name, value in head.items()).encode())
    stream.write(f"<END OF METADATA>\n\n~ init_node term_node {' '.join(COLUMNS)} ;\n".encode())
    ones = ("capacity", "power", "link_type")
    known: dict[str, Any] = {name: np.full(len(rows), name in ones, np.int8) for name in COLUMNS} | dict(rows.costs)
    known["free_flow_time"] = np.ones(len(rows)) if rows.weights is None else rows.weights.astype(np.float64)
    costs = (known[name] for name in COLUMNS)
    columns: list[Any] = [rows.tails, rows.heads, *costs, np.full(len(rows), ";")]
    write_rows(stream, columns, offset=1)


def _metadata(lines: Lines) -> dict[str, str]:
    tags: dict[str, str] = {}
    while (line := lines.take_visible()) is not None:
        found = _TAG.match(line)
        if found is None:
            raise lines.fail("expected a line '<NAME> value': <END OF METADATA> is missing so far")
        name = found[1].decode("ascii").strip().upper()
        if name == "END OF METADATA":
            if "NUMBER OF LINKS" not in tags:
                raise lines.source.fail(
                    "there is no <NUMBER OF LINKS>: a table of trips is not a network; read NAME_net.tntp"
                )
            return tags
        tags[name] = found[2].decode("latin-1").strip()
    raise lines.source.fail("<END OF METADATA> is missing: read the NAME_net.tntp file, not flows or nodes")


def _number(lines: Lines, tags: dict[str, str], name: str, default: int | None = None) -> int:
    text = tags.get(name, "" if default is None else str(default)).split()[:1]
    if not text or not text[0].isascii() or not text[0].isdigit() or len(text[0]) > 18:
        raise lines.source.fail(
            f"<{name}> must be a number, not {tags.get(name, '(missing)')[:40]!r}: is this a network?"
        )
    return int(text[0])


def _cost_column(cost: str | None, option: str = "cost") -> str:
    name = "free_flow_time" if cost is None else cost.lower().replace(" ", "_")
    if name not in COLUMNS:
        raise RequestError(f"{option}={shown(cost)}: a TNTP network has the columns {', '.join(COLUMNS)}")
    return name
