"""Predecessors out of final distances, on the device.

Source: the arcs that are shortest paths themselves are enough (as in apsp's CPU kernels); joining in rounds is Dial's
level by level search on them. Input: dist (n, n) of (min,+) in public values, and the arcs. Output: pred (S, n) int32
of any rows. Cost: one pass over the arcs; then for each pair the tight arcs into its head that one has to try: a few of
about log n on random weights, at worst all of them. Device memory: an eighth of a byte a pair, 16
bytes or more a tight arc, 256 MiB for lines.
Raises VerificationError if the distances are not those of the graph.

The idea: a tight arc with dist[i, u] + w == dist[i, v] that leads away from i makes u a predecessor, whatever the
others are. What hangs on arcs of length zero, or is blurred by rounding, joins afterwards in rounds; so paths never go
in circles.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from apsp.backend import Page
from apsp.cuda import jit
from apsp.cuda.arcs import Arcs, DenseArcs
from apsp.cuda.page import VALUES, stride
from apsp.graph.model import Graph
from apsp.paths import predecessors_from_distances
from apsp.place import is_on_gpu, to_host

__all__ = [
    "TightArcs",
    "find_tight_arcs",
    "predecessors",
    "predecessors_of_host",
    "rows_at_once",
    "sums_expression",
    "tight_expressions",
    "tree_expressions",
]

_THREADS = 256
_LINE = 32
_HEADS = 64  # of a block of nearer_tails
_LINES_BYTES = 256 << 20
_EXPECTED_DEGREE = 64  # of tight arcs; more cost a second pass


class TightArcs(NamedTuple):
    """The arcs (u, v) with weight == dist[u, v], by head.

    Attributes
    ----------
    start : (n + 1,) int64
        Those into v are start[v] .. start[v + 1] - 1, their tails ascending.
    tails : (count,) int32
        ~u where the arc may only be the first of a path.
    weights : (count,) of the dtype of the distances
    closed : (n,) bool or None
        Vertices that no path passes through.
    bits : (n, ceil(n / 32)) uint32
        Bit v % 32 of word v // 32 in row u says that (u, v) is one of them.
    """

    start: Page
    tails: Page
    weights: Page
    closed: Page | None
    bits: Page


def tight_expressions(dtype: str, length: str | None = None) -> tuple[str, str]:
    """The kernels of tight_arcs.cu: find (in CSR arrays, or among dense lengths of a C++ type), and list."""
    value = VALUES[dtype]
    find = f"apsp::tight_arcs<{value}>" if length is None else f"apsp::tight_entries<{value}, {length}>"
    return find, f"apsp::lists_by_head<{value}>"


def sums_expression(dtype: str) -> str:
    """The kernel of tight_arcs.cu that tells arcs of reduced length zero apart."""
    return f"apsp::sums_of_reduced<{VALUES[dtype]}>"


def tree_expressions(dtype: str) -> tuple[str, str, str]:
    """The kernels of predecessors.cu, in the order of their launches."""
    value = VALUES[dtype]
    return f"apsp::lines_of_rows<{value}>", f"apsp::nearer_tails<{value}>", f"apsp::join_in_rounds<{value}>"


def find_tight_arcs(dist: Any, arcs_of: Callable[[int, int], Arcs], graph: Graph) -> TightArcs:
    """The tight arcs of the final distances of a graph.

    Parameters
    ----------
    dist : (n, n) array of the device or the host
        One of the host is uploaded block by block.
    arcs_of : callable
        The arcs of the rows [first, last) on the device.
    """
    cupy, n = jit.cupy(), dist.shape[0]
    words, size = -(-n // 32), n * _EXPECTED_DEGREE
    bits = cupy.zeros((n, words), dtype=np.uint32)
    while True:
        keys, count = cupy.empty(size, dtype=np.int64), cupy.zeros(1, dtype=np.uint64)
        for first, rows in _blocks(dist):
            arcs = arcs_of(first, first + len(rows))
            find, by_head = tight_expressions(dist.dtype.name, arcs.value if isinstance(arcs, DenseArcs) else None)
            given = arcs.arguments if isinstance(arcs, DenseArcs) else arcs[:3]
            jit.kernels("tight_arcs.cu", (find, by_head))[find](
                (len(rows),), (_THREADS,),
                (rows, stride(rows), np.int32(n), np.int32(first), *given, keys, np.int64(size), count, bits,
                 np.int32(words)),
            )  # fmt: skip
        found = int(count.get()[0])
        if found <= size:
            break
        size = found
    keys = keys[:found]
    keys.sort()
    at = keys if is_on_gpu(dist) else keys.get()
    weights = cupy.asarray(dist[at % n, at // n])
    closed = cupy.asarray(graph.terminals) if graph.has_terminals else None
    start, tails = cupy.empty(n + 1, dtype=np.int64), cupy.empty(found, dtype=np.int32)
    jit.kernels("tight_arcs.cu", (find, by_head))[by_head](
        (found // _THREADS + 1,), (_THREADS,),
        (keys, weights, np.int64(found), np.int32(n), *_heights(dist, graph), _or_null(closed), tails, start),
    )  # fmt: skip
    return TightArcs(start, tails, weights, closed, bits)


def _blocks(dist: Any) -> Iterator[tuple[int, Page]]:
    """(first row, rows on the device): all at once where they lie there."""
    if is_on_gpu(dist):
        yield 0, dist
        return
    height = rows_at_once(dist.shape[1], dist.itemsize)
    for first in range(0, len(dist), height):
        yield first, jit.cupy().asarray(dist[first : first + height])


def _heights(dist: Any, graph: Graph) -> tuple[Any, Any, np.int64]:
    """Potentials that make all arcs non-negative, and sums that grow along arcs outside of cycles of length zero."""
    none = np.uint64(0)
    if dist.dtype.kind == "f" or not (graph.has_negative_arc or graph.has_zero_arc):
        return none, none, np.int64(0)
    cupy, n = jit.cupy(), dist.shape[0]
    height = cupy.zeros(n, dtype=dist.dtype)
    if graph.has_negative_arc:
        for _, rows in _blocks(dist):
            cupy.minimum(height, rows.min(axis=0), out=height)
    sums, most = cupy.zeros(n, dtype=np.int64), np.int64(2**61 // n)  # so that n of them can be added
    name = sums_expression(dist.dtype.name)
    for first, rows in _blocks(dist):
        jit.kernels("tight_arcs.cu", (name,))[name](
            (-(-n // _THREADS), -(-len(rows) // _THREADS)), (_THREADS,),
            (rows, stride(rows), np.int32(len(rows)), np.int32(n), np.int32(first), height, most, sums),
        )  # fmt: skip
    return height, sums, most


def predecessors_of_host(
    dist: npt.NDArray[Any], pred: npt.NDArray[np.int32], arcs_of: Callable[[int, int], Arcs], graph: Graph
) -> None:
    """All predecessors (n, n) of distances (n, n) that lie on the host: two passes over them through the device."""
    tight = find_tight_arcs(dist, arcs_of, graph)
    for first, rows in _blocks(dist):
        sources = np.arange(first, first + len(rows), dtype=np.int32)
        before = jit.cupy().empty(rows.shape, dtype=np.int32)
        predecessors(rows, sources, before, tight, graph)
        pred[first : first + len(rows)] = before.get()


def rows_at_once(n: int, itemsize: int) -> int:
    """Rows that `predecessors` should be given at a time: a multiple of 32, so that their lines stay small."""
    fitting = _LINES_BYTES // max(n * itemsize, 1)
    return max(fitting - fitting % _LINE, _LINE)


def predecessors(rows: Page, sources: npt.NDArray[np.int32], pred: Page, tight: TightArcs, graph: Graph) -> None:
    """Write the predecessors of some rows.

    Parameters
    ----------
    rows : (S, n)
        Final distances from the sources, in public values.
    sources : (S,) int32, on the host
    pred : (S, n) int32
        Overwritten.
    tight : TightArcs
        Of all n rows.
    graph : Graph
        For what the device cannot tell: rows of floats that rounding has blurred beyond a few steps.
    """
    cupy = jit.cupy()
    count, n = rows.shape
    if count == 0:
        return
    names = tree_expressions(rows.dtype.name)
    turn, search, join = (jit.kernels("predecessors.cu", names)[name] for name in names)
    groups = -(-count // _LINE)
    lines = cupy.empty((groups, n, _LINE), dtype=rows.dtype)
    turn((-(-n // _LINE), groups), (_THREADS,), (rows, stride(rows), np.int32(count), np.int32(n), lines))
    of_rows, lacking = cupy.asarray(sources), cupy.zeros(count, dtype=np.uint8)
    lists = (tight.start, tight.tails, tight.weights)
    search(
        (-(-n // _HEADS), groups), (_THREADS,),
        (lines, np.int32(count), np.int32(n), of_rows, tight.bits, np.int32(tight.bits.shape[1]), *lists, pred,
         stride(pred), lacking),
    )  # fmt: skip
    listed = np.flatnonzero(lacking.get()).astype(np.int32)
    if not len(listed):
        return
    join(
        (len(listed),), (_THREADS,),
        (rows, stride(rows), np.int32(n), of_rows, cupy.asarray(listed), *lists, _or_null(tight.closed), pred,
         stride(pred), lacking),
    )  # fmt: skip
    for row in np.flatnonzero(lacking.get()).tolist():
        pred[row] = cupy.asarray(predecessors_from_distances(graph, int(sources[row]), to_host(rows[row])))


def _or_null(array: Page | None) -> Any:
    return np.uint64(0) if array is None else array
