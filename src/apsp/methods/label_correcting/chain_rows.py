"""The vertices in chains, in order.

Input: a graph. Output: all chains one after another, each from one end to the other, and the vertices of the core next
to their ends. Cost: O(m) operations of NumPy and SciPy. The idea: chains are paths and rings of neighbours; a
depth-first search from one end of each path lists it in order.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components, depth_first_order

from apsp.graph.model import Graph

__all__ = ["ChainRows", "rows_of_chains"]

Array = npt.NDArray[Any]


class ChainRows(NamedTuple):
    """All chains, one after another.

    Attributes
    ----------
    inner : (n,) bool
        The vertex lies in a chain.
    vertices : (k,) int
        The vertices in chains, chain by chain.
    begins, finishes : (k,) bool
        Whether it is the first, or the last, of its chain.
    first, last : (k,) int
        The vertex of the core before the first and after the last of a chain, at these places; -1 elsewhere.
    """

    inner: npt.NDArray[np.bool_]
    vertices: Array
    begins: npt.NDArray[np.bool_]
    finishes: npt.NDArray[np.bool_]
    first: Array
    last: Array

    @property
    def chain(self) -> Array:
        """(k,) the number of the chain, counted from 0."""
        counted: Array = np.cumsum(self.begins) - 1
        return counted


def rows_of_chains(graph: Graph, least_share: float) -> ChainRows | None:
    """Return the chains; None if less than this share of the vertices is in chains."""
    degree = np.diff(graph.indptr)
    few = degree <= 3  # two neighbours and a self-loop
    if few.mean() < least_share:
        return None
    if graph.directed:
        few &= np.bincount(graph.indices, minlength=graph.n) <= 3
        if few.mean() < least_share:
            return None
    beside = _neighbours(graph)
    inner, vertices, begins = _in_order(beside)
    if len(vertices) < least_share * graph.n:
        return None
    finishes = np.append(begins[1:], True)
    return ChainRows(inner, vertices, begins, finishes, *_ends_in_core(beside, inner, vertices, begins, finishes))


def _neighbours(graph: Graph) -> Any:
    """Return the pairs of vertices joined by an arc in any direction, without loops."""
    tails, heads = graph.tails(), graph.indices
    real = tails != heads
    if not graph.directed:
        return _rows_kept(graph.indptr.astype(np.int32), heads, real)
    ends = np.append(tails[real], heads[real]), np.append(heads[real], tails[real])
    pairs = csr_array((np.ones(len(ends[0]), np.int8), ends), shape=(graph.n, graph.n))
    pairs.sum_duplicates()
    return pairs


def _rows_kept(indptr: Array, heads: Array, kept: npt.NDArray[np.bool_]) -> Any:
    """Return a sparse array of some of the pairs, which are sorted by rows."""
    n = len(indptr) - 1
    if not kept.all():
        indptr, heads = np.append(0, np.cumsum(kept, dtype=np.int32))[indptr], heads[kept]
    return csr_array((np.ones(len(heads), np.int8), heads, indptr), shape=(n, n))


def _in_order(beside: Any) -> tuple[npt.NDArray[np.bool_], Array, Array]:
    """Return which vertices lie in chains, these vertices chain by chain, and where chains begin.

    These are the vertices with one or two neighbours, except one vertex of every ring.
    """
    count = np.diff(beside.indptr)
    inner: npt.NDArray[np.bool_] = (count > 0) & (count <= 2)
    among = _among(beside, inner)
    order = _from_ends(among, inner)
    if len(order) < inner.sum():
        rings = inner.copy()
        rings[order] = False
        parts, labels = connected_components(_among(among, rings), directed=False)
        one = np.empty(parts, dtype=np.int64)
        one[labels[::-1]] = np.arange(len(inner))[::-1]
        one = one[rings[one]]
        inner[one] = False
        among = _among(among, inner)
        order = _from_ends(among, inner)
    neighbours = np.diff(among.indptr)[order]
    an_end = neighbours == 1
    return inner, order, (neighbours == 0) | (an_end & (np.cumsum(an_end) % 2 == 1))


def _among(beside: Any, inner: npt.NDArray[np.bool_]) -> Any:
    """The neighbours in chains of vertices in chains."""
    if inner.all():
        return beside
    heads = beside.indices
    tails = np.repeat(np.arange(len(inner), dtype=heads.dtype), np.diff(beside.indptr))
    return _rows_kept(beside.indptr, heads, inner[tails] & inner[heads])


def _from_ends(among: Any, inner: npt.NDArray[np.bool_]) -> Array:
    """The vertices of paths, path by path, by depth-first searches from ends that have not been visited.

    Further vertices lead from each end to the next: one vertex before all of them would be scanned again for each.
    """
    n = len(inner)
    ends = np.flatnonzero(inner & (np.diff(among.indptr) < 2)).astype(among.indices.dtype)
    count = len(ends)
    if count == 0:
        return ends
    following = np.column_stack([ends, n + 1 + np.arange(count, dtype=ends.dtype)]).ravel()[:-1]
    heads = among.indptr[-1] + np.minimum(2 * np.arange(1, count + 1), 2 * count - 1)
    indptr = np.append(among.indptr, heads).astype(np.int32)
    indices = np.append(among.indices, following)
    joined = csr_array((np.ones(len(indices)), indices, indptr), shape=(n + count, n + count))
    order: Array = depth_first_order(joined, n, return_predecessors=False)
    return order[order < n]


def _ends_in_core(
    beside: Any, inner: npt.NDArray[np.bool_], vertices: Array, begins: Array, finishes: Array
) -> tuple[Array, Array]:
    """The vertex of the core before the first and after the last of a chain, at these places; -1 elsewhere."""
    starts, stops = beside.indptr[vertices], beside.indptr[vertices + 1]
    one = beside.indices[starts]
    other = np.where(stops - starts > 1, beside.indices[np.minimum(starts + 1, len(beside.indices) - 1)], -1)
    one = np.where(inner[one], -1, one)
    other = np.where((other < 0) | inner[other], -1, other)
    either = np.where(one >= 0, one, other)
    first = np.where(begins, either, -1)
    alone = begins & finishes
    last = np.where(alone, np.where(one >= 0, other, -1), np.where(finishes, either, -1))
    return first, last
