"""Flows that follow one path per pair, by elimination: rows of distances from a factor, then paths from the targets.

Source: Delling, Goldberg, Nowatzyk, Werneck 2011 (PHAST) for the rows; a target finds its path backwards: the arc to a
vertex comes from the smallest predecessor at the right distance. Input: integer weights above zero without zones.
Output: the arrays of `Flows`. Cost: `EliminationTree.row_pairs` per source, and the arcs into the vertices of its
paths; at most 512 rows at a time, and 32 n bytes per thread. Raises nothing of its own.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from apsp import _cpu
from apsp.facts.bounds import distance_bound
from apsp.facts.dtypes import longest_allowed
from apsp.graph.model import Graph
from apsp.methods.elimination.factor import sound_factor
from apsp.methods.elimination.tree import EliminationTree, elimination_tree
from apsp.methods.flows.by_tree import applies, search_seconds, tree_within
from apsp.methods.flows.factor_cache import FactorCache
from apsp.semiring import MIN_PLUS, bound_in

__all__ = ["first_by_tree", "seconds_of_first", "tree_for_first"]

_VERTEX, _ROW_PAIR, _WALK_VERTEX = 1e-6, 1e-10, 1e-8
"""Seconds on one core of an EPYC (Zen 5): once per vertex; of a row; of the paths of a source per vertex."""

_ENTRY_BYTES = 8
_ROW_BYTES = 512 << 20
"""Of a block of rows, and beyond: lines of elimination."""


def tree_for_first(
    graph: Graph, sources: int, cutoff: float | None, threads: int, *, is_needed: bool = False
) -> EliminationTree | None:
    """Return the tree if elimination applies and is expected to be faster than searches on one core.

    Parameters
    ----------
    is_needed : bool
        Elimination is wanted wherever it applies.
    """
    if not applies(graph):
        return None
    if is_needed:
        return elimination_tree(graph, threads=threads)
    if cutoff is not None:  # searches that end early
        return None
    searches = search_seconds(graph, sources, 1)
    beside = _ROW_BYTES + threads * graph.n * 300 + (2 * threads + 4) * 8 * (2 * graph.n + graph.m)
    tree = tree_within(graph, searches, beside, _ENTRY_BYTES, threads)
    if tree is None:
        return None
    once, each = seconds_of_first(graph, tree, 1)
    return tree if once + sources * each < searches else None


def seconds_of_first(graph: Graph, tree: EliminationTree, threads: int) -> tuple[float, float]:
    """Return the seconds of the factor, and those per source."""
    row = _ROW_PAIR * (tree.row_pairs + tree.climb_pairs) + _WALK_VERTEX * graph.n
    return _ROW_PAIR * tree.factor_pairs + _VERTEX * graph.n, row / threads


def first_by_tree(
    graph: Graph,
    tree: EliminationTree,
    arguments: dict[str, Any],
    cutoff: float | None,
    threads: int,
    cache: FactorCache | None = None,
) -> None:
    """Compute the flows; `arguments`: those that all kernels of flows take."""
    weights = graph.arc_weights(np.int64) if graph.is_weighted else np.ones(graph.m, np.int64)
    largest = max(distance_bound(graph).high, int(weights.max(initial=0)))
    fits = largest <= longest_allowed("int32", MIN_PLUS, 1, integers=True)
    dtype = np.dtype(np.int32 if fits else np.int64)
    factor = (cache or FactorCache()).factor(lambda: sound_factor(graph, dtype, tree, threads))
    arrays = {name: value for name, value in arguments.items() if name != "zones"}  # there are none
    _cpu.first_flows_by_elimination(
        **arrays, tree=tree, factor=factor.values, weights=weights.astype(dtype, copy=False),
        cutoff=bound_in(cutoff, dtype),
    )  # fmt: skip
