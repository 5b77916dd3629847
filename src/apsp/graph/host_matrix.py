"""The graph of a matrix of arc lengths in host memory."""

from __future__ import annotations

import numpy as np

from apsp._types import ArrayLike, LabelsLike
from apsp.errors import GraphError
from apsp.graph.aligned import labelled_matrix
from apsp.graph.arrays import check_entries, check_symmetric, check_zeros, number_array, present_entries
from apsp.graph.checks import weight_array
from apsp.graph.model import Graph

__all__ = ["host_graph"]


def host_graph(matrix: ArrayLike, absent: float | None, directed: bool, labels: LabelsLike | None) -> Graph:
    """Build the graph; parameters and errors are those of `apsp.from_dense`."""
    given, labels = labelled_matrix(matrix, labels, "the matrix")
    masked = np.ma.getmaskarray(given) if isinstance(given, np.ma.MaskedArray) else None
    array = number_array(given if masked is None else np.ma.getdata(given), "the matrix")
    if array.size == 0 and array.ndim <= 2:
        array = array.reshape(0, 0) if max(array.shape) == 0 or array.ndim == 1 else array
    if array.ndim != 2 or array.shape[0] != array.shape[1]:
        raise GraphError(f"the matrix must have shape (n, n), not {array.shape}")
    if array.dtype.kind not in "iufb":
        raise GraphError(f"the matrix must hold numbers, not {array.dtype}")
    present = present_entries(array, absent)
    if masked is not None:
        present &= ~masked
    check_entries(array, present)
    if absent is None and masked is None:
        check_zeros(array)
    diagonal = np.diagonal(array)
    np.fill_diagonal(present, np.diagonal(present) & (diagonal < 0) if array.dtype.kind != "b" else False)
    if not directed:
        check_symmetric(array, present)
    n = len(array)
    indptr = np.zeros(n + 1, dtype=np.int64)
    np.cumsum(np.count_nonzero(present, axis=1), out=indptr[1:])
    indices = np.broadcast_to(np.arange(n, dtype=np.int32), array.shape)[present]
    weights = None if array.dtype.kind == "b" else weight_array(array[present])
    for fresh in (indptr, indices, weights):
        if fresh is not None:
            fresh.flags.writeable = False  # it has no other owner, so the graph does not copy it
    graph = Graph(indptr, indices, weights, labels=labels)  # it finds weights that became infinite in float64
    graph.directed = directed  # checked above
    return graph
