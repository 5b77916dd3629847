"""`networkx.algorithms.dag`: the transitive closure."""

from __future__ import annotations

from typing import Any

import numpy as np

from apsp.api import reachable
from apsp.compat.networkx.converted import Converted
from apsp.compat.networkx.function import of_networkx
from apsp.graph.components import components
from apsp.graph.model import Graph

__all__ = ["transitive_closure"]


@of_networkx("closure")
def transitive_closure(G: Converted, reflexive: bool | None = False) -> Any:
    """Return the graph with an edge for every pair that has a path."""
    if reflexive is not None and type(reflexive) is not bool:
        raise NotImplementedError("reflexive must be True, False or None")
    graph = G.graph(None)
    pairs = reachable(graph)
    loops = np.full(graph.n, reflexive is True) if reflexive is not False else _on_cycles(graph)
    closure = G.origin.copy()
    for vertex, node in enumerate(G.nodes):
        row = pairs.row(vertex)
        row[vertex] = loops[vertex]
        known = set(closure[node])
        closure.add_edges_from([(node, other) for other in G.objects[row].tolist() if other not in known])
    return closure


def _on_cycles(graph: Graph) -> Any:
    """Return which vertices a walk of directed edges, or a self-loop, leads back to: (n,) bool."""
    found = np.zeros(graph.n, dtype=bool)
    if graph.directed:
        parts = components(graph)
        found = parts.sizes[parts.membership] > 1
    found[graph.indices[graph.tails() == graph.indices]] = True
    return found
