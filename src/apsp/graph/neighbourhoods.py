"""The subgraphs induced by the neighbours of vertices, for many vertices at once."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from apsp.graph.model import Graph

__all__ = ["Neighbourhoods", "neighbourhoods"]

_CLASSES = (8, 16, 32, 64, 128, 256)
"""Numbers of neighbours up to which subgraphs are returned together."""

_ENTRIES = 1 << 22
"""Arcs that are looked at for one part, or entries of its matrices, unless one vertex alone has more."""


@dataclass(frozen=True)
class Neighbourhoods:
    """The subgraphs of some vertices.

    Attributes
    ----------
    which : (k,) int64
        Indices of the vertices among those of the call.
    sizes : (k,) int64
        Vertices of each subgraph.
    side : int
        The next larger of a few sizes; 0 for one vertex with more neighbours than those.
    members : (sum of sizes,) int32
        Positions of the neighbours in the graph, ascending for each vertex.
    owner, tails, heads : (m,) int64
        The subgraph of each arc, as an index into `which`, and its ends as indices into the neighbours of that vertex.
    weights : (m,) numbers or None
        Their lengths; None counts hops.
    """

    which: npt.NDArray[np.int64]
    sizes: npt.NDArray[np.int64]
    side: int
    members: npt.NDArray[np.int32]
    owner: npt.NDArray[np.int64]
    tails: npt.NDArray[np.int64]
    heads: npt.NDArray[np.int64]
    weights: npt.NDArray[Any] | None


def neighbourhoods(
    graph: Graph, vertices: npt.NDArray[Any], *, largest: int = _CLASSES[-1]
) -> Iterator[Neighbourhoods]:
    """Yield the subgraphs induced by the neighbours of vertices, those of similar sizes together.

    Neighbours are the ends of the arcs that leave a vertex or lead to it: the vertex itself only if it has a self-loop.

    Parameters
    ----------
    graph : Graph
    vertices : (S,) positions
    largest : int
        Subgraphs with more vertices are yielded alone.
    """
    indptr, neighbours = _neighbours(graph)
    starts, sizes = indptr[vertices], indptr[vertices + 1] - indptr[vertices]
    out = np.diff(graph.indptr)
    before = np.concatenate(([0], np.cumsum(out[neighbours])))  # arcs that leave neighbours, up to an entry
    arcs = before[starts + sizes] - before[starts]
    order = np.argsort(sizes, kind="stable")
    ends = np.searchsorted(sizes[order], [*(side for side in _CLASSES if side <= largest)], side="right")
    first = 0
    for side, end in zip(_CLASSES, ends.tolist(), strict=False):
        group = order[first:end]
        for part in _parts(arcs[group], side * side):
            yield _induced(graph, neighbours, group[part], starts, sizes, side)
        first = end
    for place in range(first, len(order)):
        yield _induced(graph, neighbours, order[place : place + 1], starts, sizes, 0)


def _neighbours(graph: Graph) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int32]]:
    """Rows of the graph without its directions, sorted."""
    if not graph.directed:
        return graph.indptr, graph.indices
    from apsp.graph.convert import from_edges

    both = from_edges(graph.tails(), graph.indices, n=graph.n, directed=False)
    return both.indptr, both.indices


def _parts(arcs: npt.NDArray[np.int64], entries: int) -> Iterator[slice]:
    """Slices of vertices whose arcs, or matrices of so many entries, fit the limit."""
    work = np.cumsum(np.maximum(arcs, entries))
    first = 0
    while first < len(arcs):
        done = work[first - 1] if first else 0
        end = max(int(np.searchsorted(work, done + _ENTRIES, side="right")), first + 1)
        yield slice(first, end)
        first = end


def _induced(
    graph: Graph,
    neighbours: npt.NDArray[np.int32],
    which: npt.NDArray[np.int64],
    starts: npt.NDArray[np.int64],
    sizes: npt.NDArray[np.int64],
    side: int,
) -> Neighbourhoods:
    """Look at every arc that leaves a neighbour: it is kept if its head is a neighbour of the same vertex."""
    sizes = sizes[which]
    members = neighbours[_ranges(starts[which], sizes)]
    owner = np.repeat(np.arange(len(which)), sizes)
    place = _ranges(np.zeros(len(which), np.int64), sizes)
    keys = owner * graph.n + members  # ascending
    counts = graph.indptr[members + 1] - graph.indptr[members]
    arcs = _ranges(graph.indptr[members], counts)
    wanted = np.repeat(owner * graph.n, counts) + graph.indices[arcs]
    found = np.minimum(np.searchsorted(keys, wanted), max(len(keys) - 1, 0))
    kept = np.flatnonzero(keys[found] == wanted) if len(keys) else np.empty(0, np.int64)
    tail = np.repeat(np.arange(len(members)), counts)[kept]
    weights = None if graph.weights is None else graph.weights[arcs[kept]]
    return Neighbourhoods(which, sizes, side, members, owner[tail], place[tail], place[found[kept]], weights)


def _ranges(starts: npt.NDArray[np.int64], counts: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """The numbers from each start on, as many as its count, one range after the other."""
    return np.repeat(starts - np.cumsum(counts) + counts, counts) + np.arange(int(counts.sum()))
