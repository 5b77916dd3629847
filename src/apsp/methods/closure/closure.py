"""Transitive closure: which vertices can be reached from which, one bit per pair.

Source: Tarjan 1972, section 4 (components); Purdom 1970, section 3 (closure of the condensation); Arlazarov, Dinic,
Kronrod, Faradzev 1970 (tables of unions, for dense graphs). Input: any graph; weights are ignored, every vertex reaches
itself. Output: (n, ceil(n / 64)) uint64. Cost: O(m) and n / 64 words for each successor that adds vertices, or n^3 /
512 words by tables; O(n) memory beyond the output. No path passes through a zone.

The idea: the members of a strongly connected component share one row, and a component reaches what its successors
reach; if there are many arcs, 64 pivots at a time are processed with tables of all unions of eight rows.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from apsp import _cpu
from apsp._types import HostOrGpuArray, VertexLike
from apsp.errors import format_bytes
from apsp.graph.labels import Labels, RangeLabels
from apsp.graph.model import Graph
from apsp.methods.closure.by_components import ReachByComponents
from apsp.methods.closure.condensation import open_arcs
from apsp.methods.closure.kernels import bit_matrix
from apsp.system.array_device import to_host

__all__ = ["Reachability", "closure", "extend_zones"]

_ROWS_AT_ONCE = 256  # of the passes in NumPy


def closure(
    graph: Graph,
    threads: int = 1,
    progress: Callable[[int], None] | None = None,
    *,
    components: bool = True,
) -> npt.NDArray[np.uint64]:
    """Return the reachable vertices of every vertex.

    Parameters
    ----------
    graph : Graph
    threads : int
    progress : callable, optional
        Called with the number of vertices done, out of n.
    components : bool
        Find the components first; False: use tables of unions, which is faster for dense graphs.

    Returns
    -------
    (n, ceil(n / 64)) uint64
        Bit v % 64 of word v // 64 in row u is set if u reaches v. Bits beyond n are 0.
    """
    bits = np.empty((graph.n, -(-graph.n // 64)), dtype=np.uint64)
    method = "components" if components else "four-russians"
    _cpu.closure_graph(bits, open_arcs(graph), method, threads, progress)
    if graph.zones is not None and graph.has_zones:
        extend_zones(bits, graph, graph.zones)
    return bits


def extend_zones(bits: npt.NDArray[np.uint64], graph: Graph, zones: npt.NDArray[np.bool_]) -> None:
    """Add the vertices that zones reach: those that their heads reach; from a head that is a zone, only the head."""
    own = np.uint64(1) << (np.arange(graph.n, dtype=np.uint64) % np.uint64(64))
    for tail in np.flatnonzero(zones).tolist():
        heads = graph.indices[graph.indptr[tail] : graph.indptr[tail + 1]]
        onward = heads[~zones[heads]]
        for start in range(0, len(onward), _ROWS_AT_ONCE):
            bits[tail] |= np.bitwise_or.reduce(bits[onward[start : start + _ROWS_AT_ONCE]], axis=0)
        ends = heads[zones[heads]]
        np.bitwise_or.at(bits[tail], ends // 64, own[ends])


class Reachability:
    """The reachability of all pairs: which vertices can be reached from which.

    Parameters
    ----------
    n : int
        Number of vertices.
    bits : (n, ceil(n / 64)) uint64
        As returned by `closure`, by positions: a NumPy array, or a CuPy array, which stays on its GPU.
    labels : Labels, optional
        Of the vertices.
    """

    def __init__(self, n: int, bits: HostOrGpuArray | ReachByComponents, labels: Labels | None = None) -> None:
        self.n = n
        self._known = bits
        self.labels = RangeLabels(0, n) if labels is None else labels

    @property
    def bits(self) -> HostOrGpuArray:
        """(n, ceil(n / 64)) uint64: bit v % 64 of word v // 64 in row u is set if u reaches v.

        From 32,768 vertices on they are computed when they are read first, which raises MemoryLimitError if they do not
        fit.
        """
        return self._known.bits if isinstance(self._known, ReachByComponents) else self._known

    @property
    def _components(self) -> ReachByComponents | None:
        """What answers while there are no bits."""
        known = self._known
        return known if isinstance(known, ReachByComponents) and not known.has_bits else None

    @property
    def device(self) -> str:
        """The device of the bits: 'cpu', or for example 'cuda:0'."""
        return (
            "cpu"
            if self._components is not None or isinstance(self.bits, np.ndarray)
            else f"cuda:{self.bits.device.id}"
        )

    def reaches(self, u: VertexLike, v: VertexLike) -> bool:
        """Return whether there is a path from u to v; every vertex reaches itself.

        Parameters
        ----------
        u, v : hashable
            Vertices, as the graph labels them.

        Returns
        -------
        bool
            True if there is a path.

        Raises
        ------
        GraphError
            If a vertex does not exist.

        Examples
        --------
        >>> import apsp
        >>> graph = apsp.from_edges([0, 1], [1, 2], labels=["a", "b", "c"])
        >>> found = apsp.reachable(graph)
        >>> found.reaches("a", "c"), found.reaches("c", "a")
        (True, False)
        """
        row, column = self.labels.index(u), self.labels.index(v)
        if self._components is not None:
            return self._components.reaches(row, column)
        return bool(int(self.bits[row, column // 64]) >> (column % 64) & 1)

    def row(self, u: VertexLike) -> npt.NDArray[np.bool_]:
        """Return the vertices that u reaches.

        Parameters
        ----------
        u : hashable
            A vertex, as the graph labels it.

        Returns
        -------
        (n,) bool
            In host memory, in the order of the graph's labels.

        Raises
        ------
        GraphError
            If a vertex does not exist.

        Examples
        --------
        >>> import apsp
        >>> graph = apsp.from_edges([0, 1], [1, 2], labels=["a", "b", "c"])
        >>> found = apsp.reachable(graph)
        >>> found.row("b")
        array([False,  True,  True])
        """
        position = self.labels.index(u)
        if self._components is not None:
            return self._components.row(position)
        row: npt.NDArray[np.bool_] = self._expanded(slice(position, position + 1))[0]
        return row

    def to_numpy(self) -> npt.NDArray[np.bool_]:
        """Return all pairs as a matrix in host memory; n^2 bytes.

        Returns
        -------
        (n, n) bool
            Entry [i, j] is True if the i-th vertex reaches the j-th.

        Examples
        --------
        >>> import apsp
        >>> graph = apsp.from_edges([0, 1], [1, 2], labels=["a", "b", "c"])
        >>> found = apsp.reachable(graph)
        >>> found.to_numpy().astype(int)
        array([[1, 1, 1],
               [0, 1, 1],
               [0, 0, 1]])
        """
        result = np.empty((self.n, self.n), dtype=np.bool_)
        for start in range(0, self.n, _ROWS_AT_ONCE):
            rows = slice(start, start + _ROWS_AT_ONCE)
            result[rows] = self._expanded(rows)
        return result

    def count(self) -> int:
        """Count the pairs (u, v) with a path from u to v, the n pairs (u, u) included.

        Returns
        -------
        int
            The number of pairs.

        Examples
        --------
        >>> import apsp
        >>> graph = apsp.from_edges([0, 1], [1, 2], labels=["a", "b", "c"])
        >>> found = apsp.reachable(graph)
        >>> found.count()
        6
        """
        found = None if self._components is None else self._components.count()
        if found is not None:
            return found
        if isinstance(self.bits, np.ndarray):
            return _cpu.count_bits(self.bits)
        with self.bits.device:
            return bit_matrix.count(self.bits)

    def _expanded(self, rows: slice) -> npt.NDArray[np.bool_]:
        words = self.bits[rows] if isinstance(self.bits, np.ndarray) else self.bits[rows].get()
        octets = words.astype("<u8", copy=False).view(np.uint8)
        expanded: npt.NDArray[np.bool_] = np.unpackbits(octets, axis=1, count=self.n, bitorder="little").view(np.bool_)
        return expanded

    def __reduce__(self) -> tuple[Any, ...]:
        """Copies and pickles hold the bits in host memory."""
        return Reachability, (self.n, to_host(self.bits), self.labels)

    def __repr__(self) -> str:
        size = "by components" if self._components is not None else format_bytes(self.bits.nbytes)
        return f"Reachability(n={self.n}, {self.device}, {size})"
