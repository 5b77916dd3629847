"""DIMACS graphs: the `.gr` of the 9th Implementation Challenge (with its `.co`), of PACE, and the older `edge` form.

    c a comment                 c                          c
    p sp 3 2                    p tw 3 2                   p edge 3 2
    a 1 2 17                    1 2                        e 1 2
    a 2 3 4                     2 3                        e 2 3

`sp` has directed arcs with lengths (signed integers; fractions are accepted too), `tw` and `edge` undirected edges that
count hops. Vertices are numbered from 1. `p aux sp co 3` and `v 1 x y` give coordinates.
Source: http://www.diag.uniroma1.it/challenge9/format.shtml, https://pacechallenge.org/2016/treewidth/.
"""

from __future__ import annotations

from pathlib import Path
from typing import IO, Any

import numpy as np
import numpy.typing as npt

from apsp.graph.files.coordinates import read_coordinates, scan_points
from apsp.graph.files.lines import LineRules, Lines, words_of
from apsp.graph.files.options import ReadOptions, build, check_vertex_count
from apsp.graph.files.source import COMPRESSED, Source
from apsp.graph.files.text_output import write_rows
from apsp.graph.files.vertex_labels import numbered_from_one
from apsp.graph.model import Graph

NAMES = ("dimacs",)
SUFFIXES = (".gr", ".dimacs")
KEEPS = frozenset({"weights", "coordinates"})
FIRST = 1
FORMS = {"sp": ("a", True), "tw": ("", False), "td": ("", False), "edge": ("e", False), "col": ("e", False)}


def sniff(head: bytes, name: str) -> int:
    """Score how much the file looks like this format: 0 (not) to 100."""
    for line in head.splitlines():
        words = line.split()
        if not words or words[0] == b"c":
            continue
        if words[0] == b"p" and len(words) > 1:
            return 100
        return 60 if name.endswith(".gr") else 40 * (words[0] == b"a" and len(words) == 4 and words[1].isdigit())
    return 50 if name.endswith(".gr") else 0


def read(source: Source, options: ReadOptions) -> Graph:
    """Read the graph, with the coordinates of a `.co` file beside it."""
    lines = Lines(source)
    form, n, m, notes = _header(lines)
    check_vertex_count(source, n, m)
    tag, directed = FORMS[form]
    weighted = form == "sp" and "hops" not in notes
    fields = " ".join(filter(None, [tag, "tail head", "weight" if form == "sp" else ""]))
    rules = LineRules("vvn" if form == "sp" else "vv", fields, tag=tag, comments="c", lowest=1, highest=n)
    columns = lines.scan(rules, expected=m)
    lines.expect_end(b"c", f"the {m} that the header announces")
    tails, heads = columns[0], columns[1]
    tails -= 1
    heads -= 1
    return build(
        source, options, tails, heads, narrow(columns[2]) if weighted else None, n=n,
        directed=directed and "undirected" not in notes, labels=numbered_from_one(n),
        coordinates=_coordinates(source, options, n),
    )  # fmt: skip


def write(graph: Graph, stream: IO[bytes], _path: Path) -> None:
    """Write `p sp` with arcs (or `p tw` for an undirected graph that counts hops)."""
    notes = [word for word, true in (("undirected", not graph.directed), ("hops", not graph.is_weighted)) if true]
    tails, heads, weights = graph.to_edges() if "hops" in notes else (graph.tails(), graph.indices, graph.weights)
    if len(notes) == 2:
        stream.write(f"p tw {graph.n} {len(tails)}\n".encode())
        write_rows(stream, [tails, heads], offset=1)
        return
    stream.write(f"c apsp {' '.join(notes)}\np sp {graph.n} {len(tails)}\n".encode())
    write_rows(stream, [tails, heads, np.ones(len(tails), np.int32) if weights is None else weights], "a ", offset=1)


def coordinates_path(path: Path) -> Path:
    """Name the `.co` file of a `.gr` file, with the same compression."""
    name = path.name
    ending = next((suffix for suffix in COMPRESSED if name.endswith(suffix)), "")
    return path.with_name(name.removesuffix(ending).removesuffix(".gr") + ".co" + ending)


def write_coordinates(graph: Graph, stream: IO[bytes]) -> None:
    """Write `p aux sp co` and a line for each vertex with coordinates; whole numbers without a decimal point."""
    points = np.zeros((graph.n, 2)) if graph.coordinates is None else graph.coordinates
    placed = np.flatnonzero(np.isfinite(points).all(axis=1))
    stream.write(f"c apsp\np aux sp co {graph.n}\n".encode())
    columns = points[placed]
    if (columns == np.trunc(columns)).all() and (np.abs(columns) < 2**53).all():
        columns = columns.astype(np.int64)
    x, y = columns[:, 0], columns[:, 1]
    for v, a, b in zip((placed + 1).tolist(), x.tolist(), y.tolist(), strict=True):
        stream.write(f"v {v} {a} {b}\n".encode())


def narrow(weights: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Convert int64 weights to int32 if they fit."""
    if weights.dtype == np.int64 and (not len(weights) or (weights.min() >= -(2**31) and weights.max() <= 2**31 - 1)):
        return weights.astype(np.int32)
    return weights


def _header(lines: Lines) -> tuple[str, int, int, list[str]]:
    notes: list[str] = []
    while (line := lines.take_visible()) is not None:
        words = words_of(line)
        if words[0] == "c":
            notes += words[2:] if words[1:2] == ["apsp"] else []
            continue
        if words[0] != "p":
            raise lines.fail("the header 'p sp VERTICES ARCS' is missing: it must stand before the arcs", 1)
        if len(words) != 4 or words[1] not in FORMS:
            raise lines.fail(f"expected 'p sp VERTICES ARCS' (or p tw, p edge), not {' '.join(words)[:60]!r}", 1)
        if not (words[2].isascii() and words[2].isdigit() and words[3].isascii() and words[3].isdigit()):
            raise lines.fail("the numbers of vertices and arcs must be whole numbers", 1)
        if len(words[2]) > 18 or len(words[3]) > 18:
            raise lines.fail("the numbers of vertices and arcs are too large for any graph", 1)
        return words[1], int(words[2]), int(words[3]), notes
    raise lines.source.fail("the header 'p sp VERTICES ARCS' is missing")


def _coordinates(source: Source, options: ReadOptions, n: int) -> npt.NDArray[np.float64] | None:
    def reader(file: Source) -> npt.NDArray[np.float64]:
        lines = Lines(file)
        words = (lines.take_visible(b"c") or b"").split()
        if words[:4] != [b"p", b"aux", b"sp", b"co"]:
            raise lines.fail("the header 'p aux sp co VERTICES' is missing")
        if words[4:5] != [str(n).encode()]:
            raise lines.fail(f"not the coordinates of {n} vertices")
        rules = LineRules("vff", "v vertex x y", tag="v", comments="c", lowest=1, highest=n)
        return scan_points(lines, rules, n)

    beside = [source.name.removesuffix(".gr") + ".co"] if source.name.endswith(".gr") else []
    return read_coordinates(source, options, beside, reader)
