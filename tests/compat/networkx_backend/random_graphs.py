"""Random graphs of NetworkX of all four classes, whose nodes are of any type."""

from __future__ import annotations

from typing import Any

import networkx as nx
from hypothesis import strategies as st

LABELS = [7, -1, "Rome", "", (1, 2), (), 2.5, frozenset({3}), b"x", 10**30, ("a", ("b",)), complex(1, 2)]

CLASSES = [nx.Graph, nx.DiGraph, nx.MultiGraph, nx.MultiDiGraph]

# Sums of these floats are exact in any order, so that equal distances are equal floats.
FLOATS = st.integers(0, 40).map(lambda quarters: quarters / 4)


@st.composite
def graphs(
    draw: st.DrawFn, *, classes: Any = CLASSES, weights: Any = None, complete: bool = False, missing: bool = True
) -> Any:
    """A graph of 1 to 9 nodes; edges have a weight "w", or sometimes none. `complete`: all pairs have a path."""
    G = draw(st.sampled_from(classes))()
    nodes = draw(st.lists(st.sampled_from(LABELS), min_size=1, max_size=9, unique=True))
    G.add_nodes_from(nodes)
    lengths = draw(st.sampled_from([st.integers(0, 9), FLOATS])) if weights is None else weights
    edge = st.tuples(st.sampled_from(nodes), st.sampled_from(nodes), lengths, st.integers(0, 9))
    edges = draw(st.lists(edge, max_size=24))
    if complete:
        ring = zip(nodes, [*nodes[1:], nodes[0]], strict=True)
        edges += [(u, v, draw(lengths), 9) for u, v in ring]
    for u, v, length, present in edges:
        G.add_edge(u, v, **({"w": length} if present or not missing else {}))
    return G
