"""All predecessors on shortest paths: the tails of the arcs that are tight."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np

from apsp.compat.networkx.rows import Row
from apsp.graph.model import Graph
from apsp.semiring import unreachable

__all__ = ["tight_predecessors"]


def tight_predecessors(row: Row, graph: Graph) -> dict[Any, list[Any]]:
    """Each node that is reached, with all nodes before it on shortest paths, in the order of their distance.

    An arc from v to w of length l is tight if d(v) + l = d(w), added as floats are added here and in NetworkX.
    """
    distances, order = row.distances, row.order
    places = np.full(graph.n, -1, np.int64)
    places[order] = np.arange(len(order))
    tails, heads = graph.tails(), graph.indices
    lengths = 1 if graph.weights is None else graph.weights
    exact = np.float64 if distances.dtype.kind == "f" else np.int64
    wide = distances.astype(exact)
    reached = distances != unreachable(distances.dtype)
    tight = np.flatnonzero(reached[tails] & reached[heads] & (wide[tails] + lengths == wide[heads]))
    if graph.weights is None:
        tight = tight[heads[tight] != row.source]
    tight = tight[np.lexsort((places[tails[tight]], places[heads[tight]]))]
    objects = row.converted.objects
    ends = np.searchsorted(places[heads[tight]], np.arange(len(order) + 1)).tolist()
    before = objects[tails[tight]].tolist()
    groups = (before[start:end] for start, end in pairwise(ends))
    return dict(zip(objects[order].tolist(), groups, strict=True))
