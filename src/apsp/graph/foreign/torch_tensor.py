"""Tensors of PyTorch -> Graph: sparse ones (COO, CSR, CSC) by their entries, others as dense matrices."""

from __future__ import annotations

from typing import Any

import numpy as np

from apsp._types import WeightLike
from apsp.errors import GraphError
from apsp.graph.dense import from_dense
from apsp.graph.foreign.edge_weights import entry_weights, host_array
from apsp.graph.foreign.entries import graph_of_entries
from apsp.graph.model import Graph

__all__ = ["convert"]


def convert(tensor: Any, weight: WeightLike) -> Graph:
    """Build a graph of an (n, n) tensor of lengths.

    Entries of a sparse tensor that are stored twice are parallel arcs: the smaller counts.
    """
    if tensor.requires_grad:
        raise GraphError("the tensor requires a gradient, which distances do not have: give tensor.detach()")
    is_weighted = entry_weights(weight, "a tensor")
    layout = str(tensor.layout)
    if layout == "torch.strided":
        graph = from_dense(tensor)
        return graph if is_weighted else graph.unweighted()
    if layout not in ("torch.sparse_coo", "torch.sparse_csr", "torch.sparse_csc"):
        raise GraphError(f"a sparse tensor of layout {layout[6:]} cannot be read: tensor.to_sparse_coo() converts it")
    is_coo = layout == "torch.sparse_coo"
    if tensor.ndim != 2 or tensor.shape[0] != tensor.shape[1] or (is_coo and tensor.dense_dim()):
        raise GraphError(f"the sparse tensor must have shape (n, n), not {tuple(tensor.shape)}")
    n = int(tensor.shape[0])
    if is_coo:
        tails, heads = host_array(tensor._indices())  # also of a tensor that is not coalesced
        entries = host_array(tensor._values())
    else:
        by_row = layout == "torch.sparse_csr"
        starts, others = (
            (tensor.crow_indices(), tensor.col_indices()) if by_row else (tensor.ccol_indices(), tensor.row_indices())
        )
        firsts, seconds = np.repeat(np.arange(n), np.diff(host_array(starts))), host_array(others)
        tails, heads = (firsts, seconds) if by_row else (seconds, firsts)
        entries = host_array(tensor.values())
    return graph_of_entries(tails, heads, entries, n, is_weighted=is_weighted)
