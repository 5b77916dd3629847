"""Paths from the output of a solver: predecessors, intermediate vertices, or the distances alone."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from apsp import _cpu
from apsp._types import VertexLike
from apsp.errors import NoPathError, RequestError, VerificationError, shown
from apsp.graph.accept import as_graph, graph_with_turns
from apsp.graph.checks import array_of
from apsp.graph.csr import arc_arrays
from apsp.graph.model import Graph
from apsp.graph.path_length import length
from apsp.graph.signed import allowed_rounding
from apsp.semiring import NO_VERTEX, is_unreachable
from apsp.system.arguments import MOST_THREADS, whole_number
from apsp.system.array_device import module_of

__all__ = [
    "expand_via",
    "intermediates",
    "length",
    "next_hop",
    "passed_through",
    "predecessors_from_distances",
    "replay",
    "walk",
]

IntArray = npt.NDArray[np.int32]

_DTYPES = ("uint16", "int32", "int64", "float32", "float64")


def walk(pred_row: IntArray, source: int, target: int) -> list[int]:
    """The vertices of a path from `source` to `target`, both included; [source] if they are the same.

    Parameters
    ----------
    pred_row : (n,) int32
        The vertex before each vertex on its path from `source`; -1 where there is none.

    Raises
    ------
    NoPathError
        If the chain of predecessors ends before it reaches `source`.
    VerificationError
        If they form a cycle or are not vertices: the row is corrupt.
    """
    pred_row = array_of(pred_row, "pred_row")
    n = len(pred_row) if pred_row.ndim == 1 and pred_row.dtype.kind in "iu" else 0
    source, target = _position(source, n, "source"), _position(target, n, "target")
    path = [target]
    vertex = target
    while vertex != source:
        vertex = int(pred_row[vertex])
        if vertex == NO_VERTEX:
            raise NoPathError(source, target)
        if not 0 <= vertex < n or len(path) >= n:
            raise VerificationError(
                f"the predecessors from position {target} do not lead to {source}: they are corrupt"
            )
        path.append(vertex)
    path.reverse()
    return path


def replay(graph: Graph, path: Sequence[VertexLike]) -> int | float:
    """The length of a path of labels: the sum over its arcs, from the start. Exact for integers; floats add in float64.

    Raises
    ------
    GraphError
        Naming the arc that does not exist, or the zone that the path passes through.
    """
    graph = as_graph(graph)
    if not isinstance(path, Iterable) or getattr(path, "ndim", 1) == 0:
        raise RequestError(f"path must be a sequence of vertices, not {shown(path)}")
    return length(graph, [graph.index(vertex) for vertex in path])


def next_hop(pred: IntArray, *, threads: int = 1) -> IntArray:
    """The first vertex after the source on every path, in O(1) per pair.

    Parameters
    ----------
    pred : (S, n) int32
        Predecessors, one row per source.

    Returns
    -------
    (S, n) int32
        -1 where there is no path, and at the source.

    Raises
    ------
    VerificationError
        If a row is corrupt: its predecessors form a cycle.
    """
    threads = whole_number(threads, "threads", least=1, most=MOST_THREADS)
    pred = array_of(pred, "pred")
    if pred.ndim != 2 or pred.dtype != np.int32:
        raise RequestError(f"pred must be an (S, n) array of int32, not {pred.dtype} of shape {pred.shape}")
    out = np.empty(pred.shape, dtype=np.int32)
    try:
        _cpu.next_hops(pred=np.ascontiguousarray(pred), out=out, threads=threads)
    except ValueError as error:
        raise VerificationError(str(error)) from None
    return out


def passed_through(pred: IntArray, ends: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    """Return the vertices on the paths to `ends`, ends included.

    With negative arcs a path within a cutoff may pass vertices beyond it, whose predecessors are then still needed.

    Parameters
    ----------
    pred, ends : (S, n)
        Predecessors, and a boolean for each vertex; one row per source.

    Returns
    -------
    (S, n) bool
    """
    passed = ends.copy()
    rows, heads = np.nonzero(ends)
    while len(rows):
        before = pred[rows, heads]
        new = before != NO_VERTEX
        new[new] = ~passed[rows[new], before[new]]
        rows, heads = rows[new], before[new]
        passed[rows, heads] = True
    return passed


def predecessors_from_distances(graph: Graph, source: int, dist_row: npt.NDArray[Any]) -> IntArray:
    """A shortest path tree from final distances alone, in O(m): breadth-first search along the arcs with d[u] + w ==
    d[v].

    Parameters
    ----------
    source : int
        Position of the source.
    dist_row : (n,) uint16, int32, int64, float32 or float64
        Distances from `source` to every vertex.

    Returns
    -------
    (n,) int32
        The vertex before each vertex; -1 at the source and where there is no path.

    Raises
    ------
    VerificationError
        If no chain of such arcs reaches a vertex, which the message names: the distances are not those of this graph
        (or a cutoff removed vertices that a path with negative arcs needs).

    Notes
    -----
    The search starts at the source, so arcs and cycles of length zero are handled. Integers are compared exactly.
    Floats must first be equal after rounding to the dtype of the row, as they are if distances were summed along their
    paths; if the search then does not reach all vertices (Floyd-Warshall adds in another order), the tolerance of
    `Result.verify` is used. With negative arcs, that search prefers paths of small absolute lengths, in O(m log n).
    """
    graph, dist_row = graph_with_turns(graph), array_of(dist_row, "dist_row")
    dtype = dist_row.dtype
    if dist_row.shape != (graph.n,) or dtype.name not in _DTYPES:
        raise RequestError(f"dist_row must hold {graph.n} distances, not {dtype} of shape {dist_row.shape}")
    source = _position(source, graph.n, "source")
    finite = ~is_unreachable(dist_row)
    pred = np.full(graph.n, NO_VERTEX, dtype=np.int32)
    if not finite[source]:
        return pred
    wanted, floats = np.count_nonzero(finite), dtype.kind == "f"
    arguments: dict[str, Any] = {
        "arcs": arc_arrays(graph, graph.arc_weights(np.float64 if floats else np.int64)),
        "source": source,
        "dist": np.ascontiguousarray(dist_row),
        "pred": pred,
    }
    if not (floats and graph.has_negative_arc) and _cpu.tight_tree(**arguments) == wanted:
        return pred
    if floats:
        rounding = allowed_rounding(graph, np.array([source], dtype=np.int32), dtype)
        lost = _cpu.float_tree(**arguments, **rounding._asdict())
        if lost < 0:
            return pred
    else:
        without = np.flatnonzero(finite & (pred == NO_VERTEX))
        lost = next((int(vertex) for vertex in without if vertex != source), source)
    raise VerificationError(
        f"no path has the distance from {graph.word(source)} to {graph.word(lost)}, or that to a vertex before it: the "
        "distances are not of this graph"
    )


def intermediates(pred: Any) -> Any:
    """The `via` matrix that belongs to a matrix of predecessors of all vertices in order.

    Parameters
    ----------
    pred : (n, n) int32, of NumPy or CuPy
        pred[i, j] is the vertex before j on the path from i.

    Returns
    -------
    (n, n) int32
        via[i, j] is a vertex inside the path from i to j, so that dist[i, j] = dist[i, via] + dist[via, j] (exactly for
        integers); -1 where the path is one arc, is empty or does not exist.

    Notes
    -----
    If the graph has cycles of length zero, the paths of different sources may use different arcs of these cycles, and
    `expand_via` may raise an error; `walk` along `pred` always finds the path.
    """
    via = pred.copy()
    numbers = module_of(via)
    via[via == numbers.arange(len(pred), dtype=np.int32)[:, None]] = NO_VERTEX
    return via


def expand_via(via: IntArray, source: int, target: int) -> list[int]:
    """The vertices of a path from a matrix of intermediate vertices.

    Parameters
    ----------
    via : (n, n) int32
        via[u, v] is some vertex inside the path from u to v, -1 if that path is a single arc. The caller must know that
        there is a path: -1 does not tell it.

    Raises
    ------
    VerificationError
        If the matrix is corrupt: the path would have more than n vertices.
    """
    via = array_of(via, "via")
    n = len(via) if via.ndim == 2 and via.shape[0] == via.shape[1] and via.dtype.kind in "iu" else 0
    source, target = _position(source, n, "source"), _position(target, n, "target")
    if source == target:
        return [source]
    path = [source]
    open_pairs = [(source, target)]
    while open_pairs:
        u, v = open_pairs.pop()
        middle = int(via[u, v])
        if middle == NO_VERTEX:
            path.append(v)
        elif not 0 <= middle < n or middle in (u, v):
            raise VerificationError(f"via[{u}, {v}] = {middle} is not inside a path: the matrix is corrupt")
        else:
            open_pairs += [(middle, v), (u, middle)]
        if len(path) + len(open_pairs) > n:
            raise VerificationError(f"the path from {source} to {target} contains a cycle: the matrix is corrupt")
    return path


def _position(vertex: object, n: int, word: str) -> int:
    """A vertex given by its position among n; RequestError if it does not exist."""
    if n == 0:
        raise RequestError(f"{word}={shown(vertex)}: there are no vertices; give an array of the documented shape")
    return whole_number(vertex, word, least=0, most=n - 1)
