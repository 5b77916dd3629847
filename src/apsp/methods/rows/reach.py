"""The distance between the sources of a batch, which determines the work that they share."""

from __future__ import annotations

import math

from apsp.facts.statistics import GraphStatistics

__all__ = ["depth_of_batches", "reach"]

_HUBS, _DEPTH_WITH_HUBS = 100.0, 6
"""Skew of the degrees from which on nearly all work around hubs is done after a few levels; the number of these
levels."""


def depth_of_batches(statistics: GraphStatistics) -> float:
    """Return the number of levels that matter for the searches of a batch."""
    depth = statistics.likely_depth
    return depth if statistics.out_degree_skew < _HUBS else min(depth, _DEPTH_WITH_HUBS)


def reach(statistics: GraphStatistics, share: float) -> float:
    """Return the part of the depth that a connected share of the vertices spans."""
    depth, n = max(statistics.likely_depth, 2.0), max(statistics.n, 2)
    return float(min(share, 1.0) ** min(math.log(depth) / math.log(n), 1.0))
