"""METIS and Chaco graphs, as in the DIMACS-10 collection (METIS 5 manual, section 4.1).

    % comments
    3 2 1
    2 7
    1 7  3 4
    2 4

The header states n, m (edges, each counted once), and optionally a format `fmt` of three digits (vertex sizes,
vertex weights, edge weights) and the number of vertex weights. Line i lists the neighbours of vertex i, from 1.
Undirected. Vertex sizes and weights are skipped.
"""

from __future__ import annotations

from pathlib import Path
from typing import IO

import numpy as np
import numpy.typing as npt

from apsp.errors import GraphError
from apsp.graph.files.dimacs import narrow
from apsp.graph.files.lines import Lines, words_of
from apsp.graph.files.options import ReadOptions, build, check_vertex_count
from apsp.graph.files.source import Source
from apsp.graph.files.vertex_labels import numbered_from_one
from apsp.graph.model import Graph

NAMES = ("metis",)
SUFFIXES = (".graph", ".metis")
KEEPS = frozenset({"weights"})
FIRST = 1


def sniff(head: bytes, name: str) -> int:
    """Score how much the file looks like this format: 0 (not) to 100."""
    lines = (line for line in head.split(b"\n") if not line.startswith(b"%"))
    words = next(lines, b"").split()
    if not 2 <= len(words) <= 4 or not all(word.isdigit() and len(word) < 19 for word in words):
        return 0
    if name.endswith(SUFFIXES):
        return 90
    n, m = int(words[0]), int(words[1])
    rows = list(lines)
    body = rows[:n]
    plain = len(words) == 2 or not int(words[2])
    # a complete file without weights must have m edges; otherwise it is an edge list
    counts_up = len(body) == n and not b"".join(rows[n:]).strip() and sum(len(r.split()) for r in body) == 2 * m
    return 80 if plain and n > 1 and counts_up and len(head) < 1 << 18 and _mutual(body) else 0


def doubt(head: bytes, name: str) -> str:
    """Return what else the file may be, if its name does not state the format and its lines are as long as edges."""
    rows = [line.split() for line in head.split(b"\n") if line.strip() and not line.startswith(b"%")]
    if name.endswith(SUFFIXES) or len({len(row) for row in rows}) > 1:
        return ""
    first = b" ".join(rows[0]).decode()
    return f"'{first}' may announce vertices and edges (METIS: line v lists the neighbours of v) or be an edge"


def _mutual(body: list[bytes]) -> bool:
    """Whether each vertex is listed by all of its neighbours, and none by itself."""
    named = {(u, v) for u, line in enumerate(body, 1) for word in line.split() if word.isdigit() and len(word) < 19
             for v in [int(word)]}  # fmt: skip
    return all(u != v and (v, u) in named for u, v in named)


def read(source: Source, options: ReadOptions) -> Graph:
    """Read the adjacency lists."""
    lines = Lines(source)
    n, m, sizes, vertex_weights, edge_weights = _header(lines)
    check_vertex_count(source, n, m)
    values, lengths = lines.rows("%")
    if len(lengths) > n and not lengths[n:].any():
        lengths = lengths[:n]
    if len(lengths) < n:
        raise source.fail(f"there are lines for {len(lengths)} vertices, but {n} are announced: the file is cut short")
    if len(lengths) > n:
        raise source.fail(f"there are lines for {len(lengths)} vertices, but only {n} are announced")
    skipped, width = sizes + vertex_weights, 1 + edge_weights
    arcs_of, odd = np.divmod(lengths - skipped, width)
    bad = np.flatnonzero((lengths < skipped) | (odd != 0))
    if len(bad):
        raise source.fail(
            f"the line of vertex {bad[0] + 1} has {lengths[bad[0]]} numbers: not {skipped} and {width} per neighbour"
        )
    fields = _neighbour_fields(values, lengths, skipped)
    heads, weights = (fields[0::2], narrow(fields[1::2])) if edge_weights else (fields, None)
    tails = np.repeat(np.arange(1, n + 1), arcs_of)
    wrong = np.flatnonzero((heads < 1) | (heads > n))
    if len(wrong):
        tail, head = tails[wrong[0]], heads[wrong[0]]
        raise source.fail(f"the line of vertex {tail} names vertex {head}: vertices are 1 to {n}")
    if len(heads) != 2 * m:
        raise source.fail(f"{m} edges are announced, which makes {2 * m} neighbours, but there are {len(heads)}")
    return build(source, options, tails - 1, heads - 1, weights, n=n, directed=False, labels=numbered_from_one(n))


def write(graph: Graph, stream: IO[bytes], _path: Path) -> None:
    """Write an undirected graph with integer weights, or hops, and without self-loops."""
    tails = graph.tails()
    if graph.directed:
        raise GraphError("METIS files hold undirected graphs; write a .gr or .mtx file")
    if not graph.has_integer_weights or (tails == graph.indices).any():
        raise GraphError("METIS files hold integer weights and no self-loops; write a .gr or .mtx file")
    stream.write(f"{graph.n} {graph.m // 2}{' 1' * graph.is_weighted}\n".encode())
    for u in range(graph.n):
        row = slice(int(graph.indptr[u]), int(graph.indptr[u + 1]))
        numbers = graph.indices[row] + 1
        if graph.weights is not None:
            numbers = np.column_stack([numbers, graph.weights[row]]).ravel()
        stream.write(" ".join(map(str, numbers.tolist())).encode() + b"\n")


def _header(lines: Lines) -> tuple[int, int, int, int, int]:
    line = lines.take_visible(b"%")
    words = words_of(line)
    if not 2 <= len(words) <= 4 or not all(word.isascii() and word.isdigit() and len(word) < 19 for word in words):
        raise lines.fail("expected 'VERTICES EDGES [FORMAT [WEIGHTS]]' at the start")
    flags = words[2].zfill(3) if len(words) > 2 else "000"
    if len(flags) != 3 or set(flags) - {"0", "1"}:
        raise lines.fail(f"format {words[2]!r} is not made of up to three digits 0 or 1")
    per_vertex = int(words[3]) if len(words) > 3 else 1
    if per_vertex > 1000:
        raise lines.fail(f"{per_vertex} weights per vertex are too many")
    return int(words[0]), int(words[1]), int(flags[0]), int(flags[1]) * per_vertex, int(flags[2])


def _neighbour_fields(
    values: npt.NDArray[np.int64], lengths: npt.NDArray[np.int64], skipped: int
) -> npt.NDArray[np.int64]:
    """Remove the first `skipped` numbers of every line."""
    if not skipped:
        return values
    starts = np.cumsum(lengths) - lengths
    keep = np.ones(len(values), dtype=bool)
    keep[(starts[:, None] + np.arange(skipped)).ravel()] = False
    return values[keep]
