"""Bounds on shortest paths of a dense graph, computed on its GPU: see `apsp.facts.bounds`."""

from __future__ import annotations

import numpy as np

from apsp.facts.bounds import EVERY_PAIR, DistanceBound
from apsp.graph.dense_facts import bound_through_root
from apsp.graph.device import DeviceGraph

__all__ = ["device_bound"]

_NARROW, _SIGNED = 2**15 - 2, 2**29 - 1  # ranges of uint16 and int32 on a GPU


def device_bound(graph: DeviceGraph) -> DistanceBound:
    """Return a proven bound on every finite distance; the expensive proof only if it could change the dtype."""
    facts = graph.facts
    if facts.m == 0:
        return DistanceBound(0, 0, "there is no arc")
    low = (graph.n - 1) * min(facts.min_weight, 0)
    bounds = [((graph.n - 1) * max(facts.max_weight, 0), "n - 1 times the longest arc")]
    if not graph.has_negative_arc:
        bounds.append((facts.longest_out, "the sum of the longest arc out of each vertex"))
        if facts.m == graph.n * (graph.n - 1):
            bounds.append((facts.max_weight, EVERY_PAIR))
    if not graph.has_integer_weights:
        room = 1 + graph.n * float(np.finfo(graph.matrix.dtype).eps)  # n sums, each rounded
        high, reason = min(bounds)
        return DistanceBound(low * room, float(high) * room, reason)
    enough = _SIGNED if graph.has_negative_arc or facts.max_weight > _NARROW else _NARROW
    if min(bounds)[0] > enough:
        found = bound_through_root(graph.matrix, graph.absent, graph.absent_kind, facts.root, enough)
        if found is not None:
            bounds.append((found, f"what paths through vertex {graph.word(facts.root)} prove"))
    high, reason = min(bounds)
    return DistanceBound(int(low), int(max(high, 0)), reason)
