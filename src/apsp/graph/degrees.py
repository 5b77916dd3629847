"""Numbers of edges or arcs at each vertex."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from apsp.graph.arcs import Arcs

__all__ = ["degrees", "in_degrees"]


def degrees(graph: Arcs) -> npt.NDArray[np.int64]:
    """(n,) edges at each vertex of an undirected graph, a self-loop counted twice, as in NetworkX; arcs that leave it
    in a directed one.
    """
    found = np.diff(graph.indptr).astype(np.int64)
    if not graph.directed:
        tails = graph.tails()
        found += np.bincount(tails[tails == graph.indices], minlength=graph.n)
    return found


def in_degrees(graph: Arcs) -> npt.NDArray[np.int64]:
    """(n,) arcs that enter each vertex."""
    return np.bincount(graph.indices, minlength=graph.n).astype(np.int64)
