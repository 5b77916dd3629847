"""Whether flows are computed by elimination: small separators, positive integer weights and enough sources."""

from __future__ import annotations

import math

import numpy as np

from apsp.graph.model import Graph
from apsp.methods.elimination.tree import EliminationTree, elimination_tree
from apsp.system.machine import Machine, usable

__all__ = ["tree_for_flows"]

_EXACT = 2**53
"""Integers below it are exact in float64."""

_LANE_BYTES = 5 * 8 * 16
"""Per vertex and thread, of a batch of sources."""

_ENTRY_BYTES = 32
"""Per entry of the factor: a distance and a number of paths, and those of the fronts."""

# Seconds on one core of an EPYC (Zen 5).
_SEARCH_ARC, _SEARCH_VERTEX = 12e-9, 8e-9  # the latter times log2 n
_TREE_ARC, _FACTOR_PAIR, _SWEEP_VERTEX = 4e-7, 3e-9, 6e-9


def tree_for_flows(
    graph: Graph, sources: int, cutoff: float | None, threads: int, *, is_needed: bool = False
) -> EliminationTree | None:
    """Return the tree if elimination applies and is expected to be faster than searches.

    Parameters
    ----------
    is_needed : bool
        Elimination is wanted wherever it applies.
    """
    if not _applies(graph):
        return None
    if is_needed:
        return elimination_tree(graph, threads=threads)
    if cutoff is not None or not graph.is_weighted:  # searches that end early, or take 64 sources at a time
        return None
    each = _SEARCH_ARC * graph.m + _SEARCH_VERTEX * graph.n * math.log2(graph.n + 2)
    searches = sources * each / threads
    if _TREE_ARC * graph.m > searches / 4:
        return None
    beside = threads * _LANE_BYTES * graph.n + (2 * threads + 4) * 16 * (graph.n + 2 * graph.m)  # sweeps; their sums
    most = (usable(Machine.detect()) - beside) // _ENTRY_BYTES
    if most <= 0:
        return None
    widest = max(int((searches / _FACTOR_PAIR) ** (1 / 3)), 64)
    tree = elimination_tree(graph, most=most, widest=widest, threads=threads)
    if tree is None:
        return None
    sweeps = sources * (_SWEEP_VERTEX * graph.n + _FACTOR_PAIR / 16 * tree.climb_pairs) / threads
    return tree if _FACTOR_PAIR * tree.factor_pairs + sweeps < searches else None


def _applies(graph: Graph) -> bool:
    if graph.has_zones:
        return False
    if not graph.is_weighted:
        return True
    if not graph.has_integer_weights:
        return False
    weights = graph.arc_weights(np.int64)
    return int(weights.min(initial=1)) > 0 and int(weights.max(initial=0)) * max(graph.n - 1, 1) < _EXACT
