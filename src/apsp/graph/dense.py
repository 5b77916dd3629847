"""Dense matrices -> Graph."""

from __future__ import annotations

import numpy as np

from apsp._types import ArrayLike, LabelsLike
from apsp.errors import GraphError
from apsp.graph.aligned import labelled_matrix
from apsp.graph.arrays import check_entries, check_symmetric, check_zeros, number_array, present_entries
from apsp.graph.checks import weight_array
from apsp.graph.device import device_graph
from apsp.graph.model import Graph
from apsp.system.arguments import flag
from apsp.system.lack_of_memory import memory_errors
from apsp.system.place import lies_on_gpu

__all__ = ["from_dense"]


@memory_errors
def from_dense(
    matrix: ArrayLike, *, absent: float | None = None, directed: bool = True, labels: LabelsLike | None = None
) -> Graph:
    """Build a graph from an (n, n) matrix of arc lengths.

    Parameters
    ----------
    matrix : (n, n) numbers or booleans
        NumPy, nested lists, or anything that exports DLPack. Diagonal entries are ignored unless negative, and so are
        the masked entries of a masked array. An array on a GPU stays there (`apsp.graph.device.DeviceGraph`). Booleans
        are an adjacency matrix: the graph counts hops. The labels of the rows of a pandas DataFrame or an xarray
        DataArray, which are those of its columns, are the labels of the vertices.
    absent : number, optional
        The entry that means "no arc". By default infinity for floats and `apsp.unreachable(dtype)` for integers: zero
        is then an arc of length 0. Pass 0 (or -1) for adjacency matrices that use it.
    directed : bool
        False requires a symmetric matrix.
    labels : sequence of n different hashable values, optional
        Labels of the vertices; see `Graph`.

    Returns
    -------
    Graph
        The graph; of a matrix on a GPU, one whose arcs stay there.

    Raises
    ------
    GraphError
        If an entry is not-a-number or minus infinity, or the matrix should be symmetric and is not; the message names
        the entry.

    Warns
    -----
    ApspWarning
        If more than a quarter of the entries are zero and none means "no arc", without `absent`.

    Examples
    --------
    >>> import apsp
    >>> inf = float("inf")
    >>> apsp.from_dense([[0, 2, inf], [inf, 0, 3], [1, inf, 0]])
    Graph(n=3, m=3, directed, float64)
    >>> apsp.from_dense([[0, 1], [1, 0]], absent=0, directed=False)
    Graph(n=2, m=2, undirected, int64)
    """
    directed = flag(directed, "directed")
    if lies_on_gpu(matrix):
        return device_graph(matrix, absent=absent, directed=directed, labels=labels)
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
