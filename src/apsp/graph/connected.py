"""The search for the connected components of a graph."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from apsp.graph.model import Graph

__all__ = ["Connection", "membership_of"]

Connection = Literal["strong", "weak"]
"""Paths in both directions between any two vertices, or a path if the directions of arcs are ignored."""


def membership_of(graph: Graph, connection: Connection) -> tuple[int, npt.NDArray[np.int32]]:
    """The number of components, and (n,) that of each vertex, in the order of their first vertices."""
    if not graph.n:
        return 0, np.empty(0, dtype=np.int32)
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import connected_components

    arcs = csr_array((np.ones(graph.m, dtype=np.int8), graph.indices, graph.indptr), shape=(graph.n, graph.n))
    count, found = connected_components(arcs, directed=graph.directed, connection=connection)
    firsts = np.full(count, graph.n, dtype=np.int64)
    np.minimum.at(firsts, found, np.arange(graph.n))
    numbers = np.empty(count, dtype=np.int32)
    numbers[np.argsort(firsts)] = np.arange(count, dtype=np.int32)
    return int(count), numbers[found]
