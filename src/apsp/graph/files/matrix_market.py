"""Matrix Market exchange format, NIST (Boisvert, Pozo and Remington 1996): an (n, n) matrix whose entries are arcs.

    %%MatrixMarket matrix coordinate real general
    % comments
    3 3 2
    1 2 0.5
    2 3 0

`coordinate` or `array`; `real`, `double`, `integer` or `pattern` (hops); `general` is directed, `symmetric` undirected,
`skew-symmetric` directed with the mirrored arc negated. Explicit zeros are arcs of length 0.
"""

from __future__ import annotations

from pathlib import Path
from typing import IO, Any

import numpy as np
import numpy.typing as npt

from apsp.errors import GraphError, RequestError
from apsp.graph.dense import from_dense
from apsp.graph.files.dimacs import narrow
from apsp.graph.files.lines import LineRules, Lines, words_of
from apsp.graph.files.options import ReadOptions, build, check_vertex_count
from apsp.graph.files.source import Source
from apsp.graph.files.text_output import write_rows
from apsp.graph.files.vertex_labels import numbered_from_one
from apsp.graph.model import Graph

NAMES = ("matrix-market",)
SUFFIXES = (".mtx", ".mm")
KEEPS = frozenset({"weights"})
FIRST = 1
MAGIC = b"%%matrixmarket"
KINDS = {"real": "f", "double": "f", "integer": "i", "pattern": ""}
SYMMETRIES = ("general", "symmetric", "skew-symmetric")


def sniff(head: bytes, name: str) -> int:
    """Score how much the file looks like this format: 0 (not) to 100."""
    return 100 if head[:14].lower().removeprefix(b"%").startswith(MAGIC[1:]) else 30 * name.endswith(".mtx")


def read(source: Source, options: ReadOptions) -> Graph:
    """Read the matrix as a graph."""
    lines = Lines(source)
    layout, field, symmetry = _banner(lines)
    sizes = _sizes(lines, 3 if layout == "coordinate" else 2)
    if sizes[0] != sizes[1]:
        raise lines.fail(f"the matrix is {sizes[0]} x {sizes[1]}: a graph needs a square one")
    if layout == "array":
        return _read_array(source, lines, options, sizes[0], KINDS[field], symmetry)
    if options.absent is not None:
        raise RequestError("absent= is for dense matrices: this file lists the entries of a sparse one")
    n, m = sizes[0], sizes[2]
    check_vertex_count(source, n, m)
    kind = KINDS[field]
    rules = LineRules("vv" + kind, "row column" + " value" * bool(kind), comments="%", lowest=1, highest=n)
    columns = lines.scan(rules, expected=m)
    lines.expect_end(b"%", f"the {m} that the header announces")
    tails, heads = columns[0], columns[1]
    tails -= 1
    heads -= 1
    weights = narrow(columns[2]) if kind else None
    if symmetry == "skew-symmetric":
        mirrored = tails != heads
        tails, heads = np.append(tails, heads[mirrored]), np.append(heads, tails[mirrored])
        weights = None if weights is None else np.append(weights, -weights[mirrored])
    return build(source, options, tails, heads, weights, n=n, directed=symmetry != "symmetric",
        labels=numbered_from_one(n))  # fmt: skip


def write(graph: Graph, stream: IO[bytes], _path: Path) -> None:
    """Write `coordinate`: `symmetric` (lower triangle) for an undirected graph, `pattern` for hops."""
    field = "pattern"
    if graph.weights is not None:
        field = "integer" if graph.weights.dtype.kind == "i" else "real"
    symmetry = "general" if graph.directed else "symmetric"
    tails, heads, weights = graph.to_edges()
    rows, columns = (tails, heads) if graph.directed else (heads, tails)
    stream.write(f"%%MatrixMarket matrix coordinate {field} {symmetry}\n".encode())
    stream.write(f"{graph.n} {graph.n} {len(tails)}\n".encode())
    write_rows(stream, [rows, columns] if weights is None else [rows, columns, weights], offset=1)


def _banner(lines: Lines) -> tuple[str, str, str]:
    words = [word.lower() for word in words_of(lines.take())]
    if len(words) != 5 or words[0].lstrip("%") != MAGIC.decode()[2:] or words[1] != "matrix":
        raise lines.fail("expected '%%MatrixMarket matrix LAYOUT FIELD SYMMETRY'", 1)
    layout, field, symmetry = words[2:]
    if layout not in ("coordinate", "array"):
        raise lines.fail(f"unknown layout {layout!r}: use coordinate or array")
    if field not in KINDS:
        raise lines.fail(f"field {field!r} is not an arc length: use {', '.join(KINDS)}")
    if symmetry not in SYMMETRIES:
        raise lines.fail(f"symmetry {symmetry!r} is not supported: use {', '.join(SYMMETRIES)}")
    if layout == "array" and field == "pattern":
        raise lines.fail("an array cannot be a pattern: give its values")
    return layout, field, symmetry


def _sizes(lines: Lines, count: int) -> list[int]:
    line = lines.take_visible(b"%")
    if line is None:
        raise lines.source.fail("the line with the sizes is missing: the file is cut short", lines.number)
    words = words_of(line)
    if len(words) != count or not all(word.isascii() and word.isdigit() and len(word) < 19 for word in words):
        raise lines.fail(f"expected {count} sizes, not {' '.join(words)[:60]!r}", 1)
    return [int(word) for word in words]


def _read_array(source: Source, lines: Lines, options: ReadOptions, n: int, kind: str, symmetry: str) -> Graph:
    """Read an array: its columns one after the other; only the part below the diagonal if it is symmetric."""
    if n > 2**20:
        raise lines.fail(f"an array of {n} x {n} is larger than any file")
    strict = symmetry == "skew-symmetric"
    count = n * n if symmetry == "general" else n * (n - 1) // 2 if strict else n * (n + 1) // 2
    values: npt.NDArray[Any] = lines.scan(LineRules(kind, "value", comments="%"), expected=count)[0]
    lines.expect_end(b"%", f"the {count} of an {n} x {n} array")
    if symmetry == "general":
        matrix = values.reshape(n, n).T
    else:
        matrix = np.zeros((n, n), values.dtype)
        columns, rows = np.triu_indices(n, 1 if strict else 0)
        matrix[columns, rows] = -values if strict else values
        matrix[rows, columns] = values
    directed = options.direction(symmetry != "symmetric")
    try:
        graph = from_dense(matrix, absent=options.absent, directed=directed, labels=numbered_from_one(n))
    except GraphError as error:
        raise source.fail(str(error)) from error
    return graph if options.weighted else graph.unweighted()
