"""Dense matrices -> Graph."""

from __future__ import annotations

from apsp._types import ArrayLike, LabelsLike
from apsp.graph.device import device_graph
from apsp.graph.host_matrix import host_graph
from apsp.graph.model import Graph
from apsp.system.arguments import flag
from apsp.system.array_device import lies_on_gpu
from apsp.system.lack_of_memory import memory_errors

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
    return host_graph(matrix, absent, directed, labels)
