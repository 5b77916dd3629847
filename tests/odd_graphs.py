"""Small graphs, drawn by Hypothesis: empty, disconnected, with lengths of zero, zones and isolated vertices."""

from __future__ import annotations

import hypothesis.strategies as st
import numpy as np

import apsp

__all__ = ["graphs"]


@st.composite
def graphs(draw: st.DrawFn) -> apsp.Graph:
    n = draw(st.integers(0, 12))
    ends = st.integers(0, max(n - 1, 0))
    m = draw(st.integers(0, 30)) if n else 0
    tails, heads = draw(st.lists(ends, min_size=m, max_size=m)), draw(st.lists(ends, min_size=m, max_size=m))
    weight = draw(st.sampled_from([st.integers(0, 9), st.integers(0, 3), st.floats(0, 9)]))
    lengths = np.array(draw(st.lists(weight, min_size=m, max_size=m)))
    zones = np.array(draw(st.lists(st.booleans(), min_size=n, max_size=n)), dtype=bool) if draw(st.booleans()) else None
    graph = apsp.from_edges(np.array(tails, int), np.array(heads, int), lengths, n=n, directed=draw(st.booleans()))
    return apsp.Graph(graph.indptr, graph.indices, graph.weights, directed=graph.directed, zones=zones)
