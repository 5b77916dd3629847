"""A graph as the arrays Va, Ea, Wa of Harish and Narayanan, and back.

Source: Okuyama, Ino, Hagihara, section 4, figure 4. Input: a graph. Output: CSR arrays (n' + 1,), (m,), (m,). Cost: a
copy of the arcs. The papers have no zones (vertices that paths may not pass through): here the arcs out of a zone are
moved to a twin without arcs into it, where searches from the zone start, so that the kernels need no change.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from apsp.graph.csr import arc_lengths
from apsp.graph.model import Graph
from apsp.methods.problem import IntArray

__all__ = ["ArcLists", "largest", "lists_of"]


def largest(dtype: np.dtype[Any]) -> Any:
    """Infinity of the kernels: half of the range of integers, so that the length of an arc can be added to it."""
    return dtype.type(np.inf) if dtype.kind == "f" else dtype.type(np.iinfo(dtype).max // 2)


@dataclass(frozen=True)
class ArcLists:
    """Arcs by tail.

    Attributes
    ----------
    start : (n' + 1,) int64
        Va: the arcs of v are start[v] .. start[v + 1] - 1.
    heads : (m,) int32
        Ea.
    lengths : (m,) of the dtype of the distances
        Wa; at most `largest`.
    twin : (n,) int32
        The vertex where the search from a vertex starts: itself, or n, n + 1, ... for zones.
    original : (n',) int32
        The vertex of the graph.
    """

    start: npt.NDArray[np.int64]
    heads: IntArray
    lengths: npt.NDArray[Any]
    twin: IntArray
    original: IntArray

    @property
    def n(self) -> int:
        """Number of vertices, including twins."""
        return len(self.original)


def lists_of(graph: Graph, dtype: np.dtype[Any]) -> ArcLists:
    """The arcs of a graph with lengths in `dtype`."""
    lengths = np.minimum(arc_lengths(graph, dtype), largest(dtype))
    everyone = np.arange(graph.n, dtype=np.int32)
    if not graph.has_zones:
        return ArcLists(graph.indptr, graph.indices, lengths, everyone, everyone)
    zones = np.flatnonzero(np.asarray(graph.zones)).astype(np.int32)
    original = np.concatenate([everyone, zones])
    twin = everyone.copy()
    twin[zones] = np.arange(graph.n, len(original), dtype=np.int32)
    tails = twin[graph.tails()]
    order = np.argsort(tails, kind="stable")
    start = np.zeros(len(original) + 1, dtype=np.int64)
    np.cumsum(np.bincount(tails, minlength=len(original)), out=start[1:])
    return ArcLists(start, graph.indices[order], lengths[order], twin, original)
