"""`networkx.algorithms.efficiency_measures`."""

from __future__ import annotations

from typing import Any

import networkx as nx

from apsp.compat.networkx.converted import Converted
from apsp.compat.networkx.function import of_networkx
from apsp.measures.local import local_efficiencies
from apsp.reductions.float_sum import float_sum

__all__ = ["efficiency", "global_efficiency", "local_efficiency"]


@of_networkx("composed")
def efficiency(G: Converted, u: Any, v: Any) -> float:
    """Return the inverse of the distance between two nodes."""
    return nx.efficiency.orig_func(G, u, v)  # type: ignore[no-any-return]


@of_networkx("measure")
def global_efficiency(G: Converted) -> float:
    """Return the mean of the inverse distances of all pairs."""
    n = len(G)
    if n < 2:
        return 0
    return float_sum(G.harmonic_sums(None).harmonic_centrality("out").tolist()) / (n * (n - 1))


@of_networkx("local")
def local_efficiency(G: Converted) -> float:
    """Return the mean over the nodes of the global efficiency among the neighbours of a node."""
    return float_sum(local_efficiencies(G.graph(None)).tolist()) / len(G)
