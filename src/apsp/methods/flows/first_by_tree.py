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
from apsp.graph.csr import arc_arrays
from apsp.graph.model import Graph
from apsp.methods.elimination.factor import sound_factor
from apsp.methods.elimination.tree import EliminationTree
from apsp.semiring import MIN_PLUS, bound_in
from apsp.system.cached import PartsCache

__all__ = ["first_by_tree"]


def first_by_tree(
    graph: Graph,
    tree: EliminationTree,
    arguments: dict[str, Any],
    cutoff: float | None,
    threads: int,
    cache: PartsCache | None = None,
) -> None:
    """Compute the flows; `arguments`: those that all kernels of flows take."""
    weights = graph.arc_weights(np.int64) if graph.is_weighted else np.ones(graph.m, np.int64)
    largest = max(distance_bound(graph).high, int(weights.max(initial=0)))
    fits = largest <= longest_allowed("int32", MIN_PLUS, 1, integers=True)
    dtype = np.dtype(np.int32 if fits else np.int64)
    factor = (PartsCache() if cache is None else cache).once(
        "factor", lambda: sound_factor(graph, dtype, tree, threads)
    )
    arcs = arc_arrays(graph, weights.astype(dtype, copy=False))
    _cpu.first_flows_by_elimination(tree, factor.values, arcs, **arguments, cutoff=bound_in(cutoff, dtype))
