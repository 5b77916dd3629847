"""OR-Library uncapacitated p-median problems (Beasley 1985): undirected graphs with integer edge costs.

    100 200 5          vertices, edges, p
    1 2 30             vertex, vertex, cost; from 1

If an edge is listed twice the LAST cost counts (the library's own rule; `parallel="min"` overrides it).
Source: http://people.brunel.ac.uk/~mastjjb/jeb/orlib/pmedinfo.html.
"""

from __future__ import annotations

from pathlib import Path
from typing import IO

from apsp.errors import GraphError
from apsp.graph.files.dimacs import narrow
from apsp.graph.files.lines import LineRules, Lines, words_of
from apsp.graph.files.options import ReadOptions, build, check_vertex_count
from apsp.graph.files.source import HEAD, Source
from apsp.graph.files.text_output import write_rows
from apsp.graph.files.vertex_labels import numbered_from_one
from apsp.graph.model import Graph

NAMES = ("orlib",)
SUFFIXES = (".pmed",)
KEEPS = frozenset({"weights"})
FIRST = 1


def sniff(head: bytes, name: str) -> int:
    """Score how much the file looks like this format: 0 (not) to 100."""
    lines = head[: HEAD - 100].split(b"\n")
    whole = len(head) < HEAD - 100
    lines = [line for line in (lines if whole else lines[:-1]) if line.strip()]
    first = lines[0].split() if lines else []
    if len(first) != 3 or not all(word.isdigit() and len(word) < 10 for word in first):
        return 0
    rows = [line.split() for line in lines]
    n, m, p = (int(word) for word in rows[0])
    body = rows[1:]
    if not 1 <= p <= n or (whole and len(body) != m) or len(body) > m or not body:
        return 70 if name.startswith("pmed") and p <= n else 0
    ends = all(len(row) == 3 and all(word.isdigit() and len(word) < 10 for word in row[:2]) for row in body)
    return 85 if ends and all(1 <= int(v) <= n for row in body for v in row[:2]) and (whole or "pmed" in name) else 0


def doubt(head: bytes, name: str) -> str:
    """Return what else the file may be, if its name does not state the format."""
    if name.startswith("pmed") or name.endswith(SUFFIXES):
        return ""
    first = b" ".join(head.split(b"\n", 1)[0].split()).decode()
    return f"'{first}' may announce vertices, edges and p (OR-Library) or be an edge"


def read(source: Source, options: ReadOptions) -> Graph:
    """Read the graph; p is not kept."""
    lines = Lines(source)
    line = lines.take_visible()
    words = words_of(line)
    if len(words) != 3 or not all(word.isascii() and word.isdigit() and len(word) < 19 for word in words):
        raise lines.fail("expected 'VERTICES EDGES P' in the first line")
    n, m = int(words[0]), int(words[1])
    check_vertex_count(source, n, m)
    tails, heads, costs = lines.scan(LineRules("vvn", "vertex vertex cost", lowest=1, highest=n), expected=m)
    lines.expect_end(b"", f"the {m} that the first line announces")
    return build(
        source, options, tails - 1, heads - 1, narrow(costs), n=n, directed=False, parallel="last",
        labels=numbered_from_one(n),
    )  # fmt: skip


def write(graph: Graph, stream: IO[bytes], _path: Path) -> None:
    """Write an undirected graph, with p = 1; an edge that counts hops costs 1."""
    if graph.directed or graph.n == 0:
        raise GraphError("OR-Library p-median files hold undirected graphs; write a .gr or .mtx file")
    tails, heads, _ = graph.to_edges()
    weights = graph.arc_weights("int32" if graph.weights is None else graph.weights.dtype)[
        graph.tails() <= graph.indices
    ]
    stream.write(f"{graph.n} {len(tails)} 1\n".encode())
    write_rows(stream, [tails, heads, weights], offset=1)
