"""NetworkX -> Graph, and back. Nodes are the labels of the vertices."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Hashable, Iterator, Sequence
from typing import Any

import numpy as np

from apsp._types import NetworkXGraph
from apsp.errors import GraphError, RequestError, shown
from apsp.graph.checks import check_symmetric
from apsp.graph.convert import from_edges
from apsp.graph.model import Graph
from apsp.system.lack_of_memory import memory_errors

__all__ = ["Weight", "from_networkx"]

Weight = str | Callable[[Any, Any, Any], Any] | None
"""The source of the lengths of edges: an attribute, a function, or None (hops)."""


class _Missing:
    """Value of a missing attribute, since None is a possible value."""


_MISSING = _Missing()


@memory_errors
def from_networkx(G: NetworkXGraph, weight: Weight = "weight") -> Graph:
    """Build a graph from a NetworkX graph, directed or not, multigraph or not.

    Parameters
    ----------
    G : networkx.Graph
        Its nodes, in their order, are the labels of the vertices. A node attribute `pos` (x, y) on every node becomes
        the coordinates.
    weight : str, callable or None
        As in NetworkX. The edge attribute with the length: an edge without it has length 1, and an
        attribute that no edge has counts hops, as None does; of several edges between two nodes the shortest counts. Or
        a function of (u, v, attributes) that returns the length of the edge in the direction from u to v (of a
        multigraph the attributes are a dictionary from edge keys to attributes). An edge whose length is None is
        hidden.

    Returns
    -------
    Graph
        The graph, with the nodes as labels.

    Raises
    ------
    GraphError, RequestError
        If a weight is not a number; the message names the edge.

    Examples
    --------
    >>> import apsp, networkx
    >>> roads = networkx.Graph()
    >>> roads.add_weighted_edges_from([("Rome", "Florence", 273), ("Florence", "Bologna", 105)])
    >>> apsp.solve(apsp.from_networkx(roads)).distance("Rome", "Bologna")
    378
    """
    if not (weight is None or isinstance(weight, str) or callable(weight)):
        raise RequestError(f"weight must be the name of an edge attribute, a function or None, not {shown(weight)}")
    if not all(hasattr(G, name) for name in ("nodes", "edges", "adj", "is_directed")):
        raise GraphError(f"{type(G).__name__} is not a NetworkX graph")
    nodes = list(G.nodes)
    number = {node: position for position, node in enumerate(nodes)}
    tails, heads = [], []
    lengths: list[Any] = []
    weighted = False
    for u, v, value in _arcs(G, weight):
        if value is None:
            continue
        if value is not _MISSING and (isinstance(value, bool) or not isinstance(value, (int, float, np.number))):
            found = (
                f": the weight function returns {shown(value)}" if callable(weight) else f" has {weight}={shown(value)}"
            )
            raise GraphError(f"edge {shown(u)} - {shown(v)}{found}: a weight must be a number")
        tails.append(number[u])
        heads.append(number[v])
        weighted = weighted or value is not _MISSING
        lengths.append(1 if value is _MISSING else value)
    positions = [G.nodes[node].get("pos") for node in nodes]
    coordinates = None
    if nodes and all(isinstance(p, (Sequence, np.ndarray)) and len(p) == 2 for p in positions):
        coordinates = [tuple(p) for p in positions]
    directed = G.is_directed()
    graph = from_edges(
        np.asarray(tails, dtype=np.int64), np.asarray(heads, dtype=np.int64), lengths if weighted else None,
        n=len(nodes), directed=directed or callable(weight), labels=nodes, coordinates=coordinates,
    )  # fmt: skip
    if not directed and callable(weight):  # it may return different lengths for the two directions of an edge
        with contextlib.suppress(GraphError):
            check_symmetric(graph.tails(), graph.indices, graph.weights)
            graph.directed = False
    return graph


def _arcs(G: NetworkXGraph, weight: Weight) -> Iterator[tuple[Hashable, Hashable, Any]]:
    """Ends and length of every edge; with a function, for both directions of undirected edges."""
    if callable(weight):
        return ((u, v, weight(u, v, data)) for u, heads in G.adj.items() for v, data in heads.items())
    edges: Iterator[tuple[Hashable, Hashable, Any]]
    edges = iter(G.edges(data=weight, default=_MISSING)) if weight is not None else (
        (u, v, _MISSING) for u, v in G.edges()
    )  # fmt: skip
    return edges
