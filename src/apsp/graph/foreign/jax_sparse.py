"""Sparse arrays of JAX (BCOO, BCSR) -> Graph."""

from __future__ import annotations

from typing import Any

import numpy as np

from apsp._types import WeightLike
from apsp.errors import GraphError
from apsp.graph.foreign.edge_weights import entry_weights
from apsp.graph.foreign.entries import graph_of_entries
from apsp.graph.model import Graph

__all__ = ["convert"]


def convert(array: Any, weight: WeightLike) -> Graph:
    """Build a graph of an (n, n) array of lengths; entries outside the shape are JAX's padding and are left out."""
    is_weighted = entry_weights(weight, "a sparse array")
    if len(array.shape) != 2 or array.shape[0] != array.shape[1] or array.n_batch or array.n_dense:
        raise GraphError(
            f"the sparse array must have shape (n, n) without batch and dense dimensions, not {tuple(array.shape)}"
        )
    n = int(array.shape[0])
    entries, indices = np.asarray(array.data), np.asarray(array.indices)
    if hasattr(array, "indptr"):
        starts = np.asarray(array.indptr)
        entries, heads = entries[: starts[-1]], indices[: starts[-1]]
        tails = np.repeat(np.arange(n), np.diff(starts))
    else:
        tails, heads = indices[:, 0], indices[:, 1]
    kept = (tails < n) & (heads < n)
    if entries.dtype.kind == "V":  # bfloat16, which NumPy does not have
        entries = entries.astype(np.float32)
    return graph_of_entries(tails[kept], heads[kept], entries[kept], n, is_weighted=is_weighted)
