"""Predecessors from final distances, on the device.

Source: only arcs that are shortest paths themselves are needed (as in the CPU kernels); adding vertices in rounds is
Dial's search level by level on them. Input: dist (n, n) of (min,+) in public values, and the arcs. Output: pred (S, n)
int32 of any rows. Cost: one pass over the arcs; then for each pair the tight arcs into its head until one fits: a few
of about log n for random weights, at worst all of them. Device memory: a bit per pair, 16 bytes or more per tight arc,
256 MiB for lines. Raises VerificationError if the distances are not those of the graph.

The idea: a tight arc with dist[i, u] + w == dist[i, v] that leads away from i makes u a predecessor, independently of
the others. Vertices that are reached only by arcs of length zero, or affected by rounding, are added afterwards in
rounds; so paths have no cycles.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from apsp.gpu import jit
from apsp.gpu.page import VALUES, Page, stride
from apsp.graph.model import Graph
from apsp.methods.rows.kernels.arcs import Arcs, DenseArcs
from apsp.result.paths import predecessors_from_distances
from apsp.system.array_device import to_host

__all__ = [
    "TightArcs",
    "find_tight_arcs",
    "predecessors",
    "rows_at_once",
    "sums_expression",
    "tight_expressions",
    "tree_expressions",
]

_THREADS = 256
_LINE = 32
_HEADS = 64  # of a block of nearer_tails
_LINES_BYTES = 256 << 20
_EXPECTED_DEGREE = 64  # of tight arcs; more need a second pass


class TightArcs(NamedTuple):
    """The arcs (u, v) with weight == dist[u, v], by head.

    Attributes
    ----------
    start : (n + 1,) int64
        The arcs into v are start[v] .. start[v + 1] - 1, their tails ascending.
    tails : (count,) int32
        ~u where the arc may only be the first of a path.
    weights : (count,) of the dtype of the distances
    closed : (n,) bool or None
        Vertices that no path passes through.
    bits : (n, ceil(n / 32)) uint32
        Bit v % 32 of word v // 32 in row u is set if (u, v) is one of them. A single row stands for all rows.
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
    """The kernel of tight_arcs.cu that identifies arcs of reduced length zero."""
    return f"apsp::sums_of_reduced<{VALUES[dtype]}>"


def tree_expressions(dtype: str) -> tuple[str, str, str]:
    """The kernels of predecessors.cu, in the order of their launches."""
    value = VALUES[dtype]
    return f"apsp::lines_of_rows<{value}>", f"apsp::nearer_tails<{value}>", f"apsp::join_in_rounds<{value}>"


def find_tight_arcs(dist: Page, arcs: Arcs, graph: Graph) -> TightArcs:
    """The tight arcs of the final distances (n, n) of a graph."""
    cupy, n = jit.cupy(), dist.shape[0]
    find, by_head = tight_expressions(dist.dtype.name, arcs.value if isinstance(arcs, DenseArcs) else None)
    kernels = jit.kernels("tight_arcs.cu", (find, by_head))
    given = arcs.arguments if isinstance(arcs, DenseArcs) else arcs[:3]
    words, size = -(-n // 32), n * _EXPECTED_DEGREE
    bits = cupy.zeros((n, words), dtype=np.uint32)
    while True:
        keys, count = cupy.empty(size, dtype=np.int64), cupy.zeros(1, dtype=np.uint64)
        kernels[find](
            (n,), (_THREADS,),
            (dist, stride(dist), np.int32(n), *given, keys, np.int64(size), count, bits, np.int32(words)),
        )  # fmt: skip
        found = int(count.get()[0])
        if found <= size:
            break
        size = found
    keys = keys[:found]
    keys.sort()
    closed = None if isinstance(arcs, DenseArcs) else arcs.zones
    start, tails = cupy.empty(n + 1, dtype=np.int64), cupy.empty(found, dtype=np.int32)
    lists = TightArcs(start, tails, cupy.empty(found, dtype=dist.dtype), closed, bits)
    kernels[by_head](
        (found // _THREADS + 1,), (_THREADS,),
        (keys, np.int64(found), np.int32(n), dist, stride(dist), *_heights(dist, graph), _or_null(closed), lists.tails,
         lists.weights, lists.start),
    )  # fmt: skip
    return lists


def _heights(dist: Page, graph: Graph) -> tuple[Any, Any, np.int64]:
    """Return potentials that make all arcs non-negative, and sums that increase along arcs that are not on cycles of
    length zero.
    """
    none = np.uint64(0)
    if dist.dtype.kind == "f" or not (graph.has_negative_arc or graph.has_zero_arc):
        return none, none, np.int64(0)
    cupy, n = jit.cupy(), dist.shape[0]
    height = dist.min(axis=0) if graph.has_negative_arc else cupy.zeros(n, dtype=dist.dtype)
    sums, most = cupy.zeros(n, dtype=np.int64), np.int64(2**61 // n)  # so that n of them can be added
    name = sums_expression(dist.dtype.name)
    blocks = -(-n // _THREADS)
    jit.kernels("tight_arcs.cu", (name,))[name](
        (blocks, blocks), (_THREADS,), (dist, stride(dist), np.int32(n), height, most, sums)
    )
    return height, sums, most


def rows_at_once(n: int, itemsize: int) -> int:
    """Number of rows to pass to `predecessors` at a time: a multiple of 32 whose lines are small."""
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
        For rows of floats that the device cannot resolve because of rounding.
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
    words = tight.bits.shape[1] if len(tight.bits) > 1 else 0
    search(
        (-(-n // _HEADS), groups), (_THREADS,),
        (lines, np.int32(count), np.int32(n), of_rows, tight.bits, np.int32(words), *lists, pred,
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
