"""Whether flows are computed by elimination: small separators, positive integer weights and enough sources."""

from __future__ import annotations

import math

import numpy as np

from apsp import _cpu
from apsp.graph.csr import csr_arguments
from apsp.graph.model import Graph
from apsp.graph.weak_parts import share_within
from apsp.methods.elimination.tree import EliminationTree, elimination_tree
from apsp.system.machine import Machine, usable

__all__ = [
    "FACTOR_PAIR",
    "applies",
    "search_seconds",
    "sweep_seconds",
    "tree_bytes",
    "tree_for_flows",
    "tree_for_gpu",
    "tree_instead_of_hops",
    "tree_seconds",
    "tree_within",
    "why_no_tree",
]

_EXACT = 2**53
"""Integers below it are exact in float64."""

_LANE_BYTES = 5 * 8 * 16
"""Per vertex and thread, of a batch of sources."""

_MOST_PAIRS = 2e10
"""Pairs of the factor, which the CPU computes for a GPU that is named: about a minute."""

_WIDEST = 2500
"""Vertices of its largest separator."""

_ENTRY_BYTES = 32
"""Per entry of the factor: a distance and a number of paths, and those of the fronts."""

# Seconds on one core of an EPYC (Zen 5), fitted to grids of 2^8 to 2^16 vertices, cities and the roads of New York.
_SEARCH_ARC, _SEARCH_VERTEX = (5e-9, 12e-9), (4e-8, 1.4e-7)  # of searches whose arrays stay in the cache, and others
_CACHED, _BEYOND = 13, 16  # log2 of the vertices of such graphs
_TREE_ARC, FACTOR_PAIR, _SWEEP_VERTEX = 4e-7, 5e-9, 6e-9

# Seconds on an H200: of a level of a batch in hops, there and back; of sweeps from a source.
_LEVEL_ON_GPU, _VERTEX_ON_GPU, _ENTRY_ON_GPU = 8e-5, 4e-11, 3e-12

_ITEMS = 1 << 20
"""Vertices times words of such a batch: as in on_gpu.py."""

_LONG = 1.0
"""Seconds of levels from which on the tree is computed."""


def tree_for_flows(
    graph: Graph, sources: int, cutoff: float | None, threads: int, *, is_needed: bool = False
) -> EliminationTree | None:
    """Return the tree if elimination applies and is expected to be faster than searches on one core.

    Sums are rounded otherwise by the other method, so that the choice must not depend on the number of threads.

    Parameters
    ----------
    is_needed : bool
        Elimination is wanted wherever it applies.
    """
    if not applies(graph):
        return None
    if is_needed:
        return elimination_tree(graph, threads=threads)
    if cutoff is not None or not graph.is_weighted:  # searches that end early, or take 64 sources at a time
        return None
    searches = search_seconds(graph, sources, 1)
    beside = threads * _LANE_BYTES * graph.n + (2 * threads + 4) * 16 * (graph.n + 2 * graph.m)  # sweeps; their sums
    tree = tree_within(graph, searches, beside, _ENTRY_BYTES, threads)
    if tree is None:
        return None
    seconds = FACTOR_PAIR * tree.factor_pairs + sweep_seconds(graph, tree, sources, 1)
    return tree if seconds < searches else None


def tree_within(graph: Graph, searches: float, beside: int, entry_bytes: int, threads: int) -> EliminationTree | None:
    """Return the tree if it fits into memory, and is found in a small part of the time of searches.

    Parameters
    ----------
    searches : float
        Seconds of searches on one core.
    beside, entry_bytes : int
        Bytes of all but the factor, and of an entry of the factor.
    """
    if _TREE_ARC * graph.m > searches / 3:
        return None
    most = (usable(Machine.detect()) - beside) // entry_bytes
    if most <= 0:
        return None
    widest = max(int((searches / FACTOR_PAIR) ** (1 / 3)), 64)
    return elimination_tree(graph, most=most, widest=widest, threads=threads)


def tree_bytes(graph: Graph, tree: EliminationTree, threads: int) -> int:
    """Return the bytes of the factor, the sweeps, and the sums of all threads."""
    beside = threads * _LANE_BYTES * graph.n + (2 * threads + 4) * 16 * (graph.n + 2 * graph.m)
    return beside + _ENTRY_BYTES * tree.entries


def tree_seconds(graph: Graph) -> float:
    """Return the seconds to find the tree, on one core."""
    return _TREE_ARC * graph.m


def search_seconds(graph: Graph, sources: int, threads: int) -> float:
    """Seconds of searches on the CPU."""
    share = share_within(graph)  # a search reaches so many of the vertices and arcs
    beyond = min(max((math.log2(graph.n * share + 1) - _CACHED) / (_BEYOND - _CACHED), 0.0), 1.0)
    arc, vertex = (near + beyond * (far - near) for near, far in (_SEARCH_ARC, _SEARCH_VERTEX))
    return sources * (arc * graph.m + vertex * graph.n) * share / threads


def sweep_seconds(graph: Graph, tree: EliminationTree, sources: int, threads: int) -> float:
    """Seconds of the sweeps on the CPU."""
    tree_of_source = (_SWEEP_VERTEX * graph.n + FACTOR_PAIR / 16 * tree.climb_pairs) * share_within(graph)
    return float(sources * tree_of_source / threads)


def tree_for_gpu(graph: Graph, threads: int) -> EliminationTree | None:
    """Return the tree for sweeps on a GPU that is named, if elimination applies and the separators are small."""
    if not applies(graph):
        return None
    most = usable(Machine.detect()) // _ENTRY_BYTES
    tree = elimination_tree(graph, most=most, widest=_WIDEST, threads=threads)
    return tree if tree is not None and tree.factor_pairs <= _MOST_PAIRS else None


def tree_instead_of_hops(graph: Graph, sources: int, threads: int) -> EliminationTree | None:
    """Return the tree if, in hops, sweeps on a GPU are expected to be much faster than its levels: on long graphs."""
    if not applies(graph):
        return None
    words = 1 << max((_ITEMS // max(graph.n, 1)).bit_length() - 1, 0)
    batches = -(-sources // (32 * words))
    levels = batches * _LEVEL_ON_GPU * _cpu.depth(**csr_arguments(graph))[0]
    if levels < _LONG:
        return None
    most = usable(Machine.detect()) // _ENTRY_BYTES
    widest = max(int((levels / 4 / FACTOR_PAIR) ** (1 / 3)), 64)
    tree = elimination_tree(graph, most=most, widest=widest, threads=threads)
    if tree is None:
        return None
    sweeps = sources * (_VERTEX_ON_GPU * graph.n + _ENTRY_ON_GPU * tree.entries)
    return tree if FACTOR_PAIR * tree.factor_pairs + sweeps < levels / 2 else None


def why_no_tree(graph: Graph) -> str:
    """Why `tree_for_gpu` returns None."""
    if graph.has_zones:
        return "on a GPU flows with weights are computed by elimination, which takes no zones"
    if not applies(graph):
        return (
            "on a GPU flows are computed in hops, or by elimination with integer weights above zero (whose sums are"
            " below 2^53)"
        )
    return "on a GPU flows with weights are computed by elimination, and the separators of this graph are too large"


def applies(graph: Graph) -> bool:
    """Whether elimination computes flows: hops, or integer weights above zero whose sums are exact; no zones."""
    if graph.has_zones:
        return False
    if not graph.is_weighted:
        return True
    if not graph.has_integer_weights:
        return False
    weights = graph.arc_weights(np.int64)
    return int(weights.min(initial=1)) > 0 and int(weights.max(initial=0)) * max(graph.n - 1, 1) < _EXACT
