"""Matrices of python-graphblas -> Graph: every stored entry is an arc."""

from __future__ import annotations

from typing import Any

import numpy as np

from apsp._types import WeightLike
from apsp.errors import GraphError
from apsp.graph.foreign.edge_weights import entry_weights
from apsp.graph.foreign.entries import graph_of_entries
from apsp.graph.model import Graph

__all__ = ["convert"]


def convert(matrix: Any, weight: WeightLike) -> Graph:
    """Build a graph of an (n, n) `graphblas.Matrix` of lengths; the true entries of a BOOL matrix are hops."""
    is_weighted = entry_weights(weight, "a matrix")
    if matrix.nrows != matrix.ncols:
        raise GraphError(f"the matrix must have shape (n, n), not ({matrix.nrows}, {matrix.ncols})")
    tails, heads, entries = matrix.to_coo()
    tails, heads = tails.astype(np.int64), heads.astype(np.int64)
    return graph_of_entries(tails, heads, entries, int(matrix.nrows), is_weighted=is_weighted)
