"""Small graphs for tests of extremes: every kind of weight, components, isolated vertices, loops and parallel arcs."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

import apsp


@st.composite
def graphs(draw: st.DrawFn) -> apsp.Graph:
    """A graph of up to 30 vertices without negative arcs."""
    n = draw(st.integers(1, 30))
    m = draw(st.integers(0, 3 * n))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    longest = draw(st.sampled_from([None, 0, 1, 5, 2**31, 2**45]))
    weights = None if longest is None else rng.integers(0, longest, m, endpoint=True)
    if weights is not None and longest is not None and longest <= 5:
        weights = weights.astype(draw(st.sampled_from([np.int32, np.int64, np.float32, np.float64])))
    return apsp.from_edges(rng.integers(0, n, m), rng.integers(0, n, m), weights, n=n, directed=draw(st.booleans()))
