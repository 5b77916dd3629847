"""The arcs of a graph by head instead of by tail, on the device, for searches that pull and for trees.

Input: CSR arrays on the device. Output: the same by head, tails ascending. Cost: a sort of m keys; nothing if the graph
is undirected.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from apsp.gpu import jit
from apsp.gpu.page import Page
from apsp.methods.rows.kernels.arcs import SparseArcs
from apsp.methods.rows.kernels.predecessors import TightArcs

__all__ = ["arcs_by_head", "arcs_for_trees"]


def arcs_by_head(arcs: SparseArcs, n: int, *, directed: bool) -> SparseArcs:
    """Return arcs by head: `indptr` holds the beginnings of the arcs into each vertex, `indices` their tails."""
    if not directed or len(arcs.indices) == 0:
        return arcs
    cupy = jit.cupy()
    keys = arcs.indices.astype(np.int64) * n + _tails(arcs)
    order = cupy.argsort(keys)
    keys = keys[order]
    heads, tails = keys // n, (keys % n).astype(np.int32)
    starts = cupy.searchsorted(heads, cupy.arange(n + 1), side="left").astype(np.int64)
    return SparseArcs(starts, tails, arcs.weights[order], arcs.zones)


def arcs_for_trees(by_head: SparseArcs, n: int, *, nonnegative: bool) -> TightArcs:
    """Return all arcs in the form of tight arcs for `predecessors`, which checks which of them are tight.

    Arcs that may lie on a cycle of length zero can only be the first arc of a path, and are added in rounds.
    """
    cupy = jit.cupy()
    first_only = by_head.weights <= 0 if nonnegative else cupy.ones(len(by_head.weights), dtype=bool)
    if by_head.zones is not None:
        first_only |= by_head.zones[by_head.indices]
    tails = cupy.where(first_only, ~by_head.indices, by_head.indices)
    no_bits: Any = cupy.zeros((1, -(-n // 32)), dtype=np.uint32)
    return TightArcs(by_head.indptr, tails, by_head.weights, by_head.zones, no_bits)


def _tails(arcs: SparseArcs) -> Page:
    cupy = jit.cupy()
    return cupy.searchsorted(arcs.indptr, cupy.arange(len(arcs.indices)), side="right") - 1
