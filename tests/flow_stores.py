"""Stores of flows, with blocks of 16 sources."""

from __future__ import annotations

import numpy as np

import apsp

SMALL = {"_SECONDS": 0.0, "_BYTES_PER_SECOND": np.inf, "_TIMES_FACTOR": 0.0, "_MOST_BLOCKS": 1000, "LANES": 16}
"""Of apsp.methods.flows.cost."""

ARRIVED = "arrived/c/*/0"
"""The shards that complete a block."""


def graph_of(city: apsp.Graph, kind: str) -> apsp.Graph:
    """In hops, or with weights of a dtype."""
    return city.unweighted() if kind == "hops" else city.with_weights((city.weights * 0.5).astype(kind) + 1)
