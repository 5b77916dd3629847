"""The arcs of a NetworkX graph as arrays: its dictionaries are read once, without a loop of Python code per arc.

Usual graphs (nodes are integers or strings, weights are all integers or all floats) are read by compiled code.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from apsp import _cpu
from apsp._types import NetworkXGraph
from apsp.graph.model import Graph

__all__ = ["MISSING", "Arcs", "Weight", "arcs_of", "graph_of"]

Weight = str | Callable[[Any, Any, Any], Any] | None
"""The source of the lengths of edges: an attribute, a function, or None (hops)."""


class _Missing:
    """Value of a missing attribute, since None is a possible value."""


MISSING = _Missing()


class Arcs(NamedTuple):
    """Every edge in each direction in which it can be used; parallel edges are separate arcs.

    Attributes
    ----------
    tails, heads : (m,) int32
        Positions of the nodes.
    values : (m,) int64 or finite float64, list of m objects, or None
        What the attribute or the function says; MISSING where an edge does not have the attribute. None: hops.
    symmetric : bool
        Both arcs of every edge have the same value, since the graph keeps it in one place.
    """

    tails: npt.NDArray[np.int32]
    heads: npt.NDArray[np.int32]
    values: npt.NDArray[Any] | list[Any] | None
    symmetric: bool


def arcs_of(G: NetworkXGraph, weight: Weight, positions: Mapping[Hashable, int]) -> Arcs:
    """Read the arcs of a graph whose nodes have these positions."""
    adjacency = getattr(G, "_adj", None)  # the dictionaries themselves, where there are: views of them are slow
    if adjacency is None:
        adjacency = G.adj
    symmetric = not G.is_directed() and type(adjacency) is dict and not callable(weight)
    if type(adjacency) is type(positions) is dict and not callable(weight) and not getattr(G, "is_multigraph", bool)():
        read = _cpu.arcs_of_dictionaries(adjacency, positions, weight)
        if read is not None:
            return Arcs(*read, symmetric)
    rows = list(adjacency.values())
    tails = np.fromiter(map(positions.__getitem__, adjacency), np.int32, len(rows))
    degrees = np.fromiter(map(len, rows), np.int64, len(rows))
    ends = chain.from_iterable(rows)
    heads = np.fromiter(map(positions.__getitem__, ends), np.int32, int(degrees.sum()))
    tails = np.repeat(tails, degrees)
    if weight is None:
        return Arcs(tails, heads, None, symmetric)
    if callable(weight):
        values = [weight(u, v, data) for u, row in adjacency.items() for v, data in row.items()]
        return Arcs(tails, heads, values, symmetric)
    if not getattr(G, "is_multigraph", bool)():
        return Arcs(tails, heads, [data.get(weight, MISSING) for row in rows for data in row.values()], symmetric)
    bundles = [bundle for row in rows for bundle in row.values()]
    counts = np.fromiter(map(len, bundles), np.int64, len(bundles))
    values = [data.get(weight, MISSING) for bundle in bundles for data in bundle.values()]
    return Arcs(np.repeat(tails, counts), np.repeat(heads, counts), values, symmetric)


def graph_of(
    n: int,
    tails: npt.NDArray[np.int32],
    heads: npt.NDArray[np.int32],
    lengths: npt.NDArray[Any] | None,
    *,
    directed: bool,
) -> Graph:
    """Build a graph of arcs from `arcs_of`, whose ends need no check, without labels.

    `lengths` are int64 or finite float64. `directed` may be False if the arcs come in pairs of equal length.
    """
    return Graph._made(*_cpu.csr_from_arcs(n, tails, heads, lengths, False, "min"), directed=directed)
