"""Provable bounds on every finite distance of a graph, from which the planner proves its dtype.

A stand-in: the longest simple path has n - 1 arcs. The bound by eccentricities replaces it.
"""

from __future__ import annotations

from dataclasses import dataclass

from apsp.graph.model import Graph

__all__ = ["DistanceBound", "distance_bound"]


@dataclass(frozen=True)
class DistanceBound:
    """Every finite distance d has low <= d <= high, because of `reason`."""

    low: int | float
    high: int | float
    reason: str


def distance_bound(graph: Graph) -> DistanceBound:
    """Bound every finite distance of `graph` (without negative cycles)."""
    if graph.n < 2 or graph.m == 0:
        return DistanceBound(0, 0, "the graph has no arcs")
    arcs = graph.n - 1
    if graph.weights is None:
        return DistanceBound(0, arcs, f"a path has at most {arcs:,} arcs")
    smallest, largest = graph.weights.min().item(), graph.weights.max().item()
    reason = f"a path has at most {arcs:,} arcs, each between {smallest:,} and {largest:,}"
    return DistanceBound(arcs * min(smallest, 0), arcs * max(largest, 0), reason)
