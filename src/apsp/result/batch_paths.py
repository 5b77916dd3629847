"""The result of `solve_batch(paths=True)`: distances and predecessors of every graph."""

from __future__ import annotations

from typing import Any, NamedTuple

from apsp._types import HostOrGpuArray
from apsp.errors import RequestError
from apsp.graph.device import device_array
from apsp.result.paths import walk
from apsp.system.arguments import whole_number
from apsp.system.array_device import lies_on_gpu, to_host
from apsp.system.lack_of_memory import memory_errors

__all__ = ["BatchPaths"]


class BatchPaths(NamedTuple):
    """Distances and predecessors of many graphs; `solve_batch` makes it if called with `paths=True`.

    A named tuple: `distances, predecessors = apsp.solve_batch(matrices, paths=True)`.

    Parameters
    ----------
    distances : (b, n, n) array, or list of (n_g, n_g) arrays
        What `solve_batch` returns without `paths=True`.
    predecessors : (b, n, n) int32, or list of (n_g, n_g) int32
        Entry [g, i, j] is the vertex before j on a shortest path from i to j in graph g, -1 where there is no path, for
        i itself, and in the padding. On the device of the distances, and of the same package.

    Examples
    --------
    >>> import apsp, numpy
    >>> inf = numpy.inf
    >>> found = apsp.solve_batch(numpy.array([[[0, 1, 5], [inf, 0, 1], [1, inf, 0]]]), paths=True)
    >>> found.predecessors
    array([[[-1,  0,  1],
            [ 2, -1,  1],
            [ 2,  0, -1]]], dtype=int32)
    >>> found.path(0, 0, 2)
    [0, 1, 2]
    """

    distances: HostOrGpuArray | list[HostOrGpuArray]
    predecessors: HostOrGpuArray | list[HostOrGpuArray]

    def __repr__(self) -> str:
        """Return one line that counts the graphs."""
        distances: Any = self.distances
        count = f"{len(distances)} graph{'s' * (len(distances) != 1)}"
        if isinstance(distances, list):
            return f"BatchPaths({count})"
        dtype = str(distances.dtype).rpartition(".")[2]
        return f"BatchPaths({count} of at most {distances.shape[1]} vertices, {dtype})"

    @memory_errors
    def path(self, graph: int, source: int, target: int) -> list[int]:
        """Return the vertices of a shortest path in one graph, both ends included; [v] for a vertex to itself.

        Parameters
        ----------
        graph : int
            The number of the graph, from 0.
        source, target : int
            Vertices, by their positions in the graph.

        Returns
        -------
        list of int
            The vertices, by their positions.

        Raises
        ------
        RequestError
            If the graph or a vertex does not exist; the message names the valid numbers.
        NoPathError
            If there is no path.

        Notes
        -----
        A vertex in the padding has a path to itself only. From a GPU, one row of predecessors is copied per call.

        Examples
        --------
        >>> import apsp
        >>> graph = apsp.from_edges([0, 1, 0], [1, 2, 2], [4, 1, 9])
        >>> apsp.solve_batch([graph, graph], paths=True).path(1, 0, 2)
        [0, 1, 2]
        """
        count = len(self.predecessors)
        if not count:
            raise RequestError("the batch has no graphs, so there are no paths")
        one: Any = self.predecessors[whole_number(graph, "graph", least=0, most=count - 1)]
        n = len(one)
        if not n:
            raise RequestError(f"graph {graph} has no vertices, so there are no paths")
        source = whole_number(source, "source", least=0, most=n - 1)
        target = whole_number(target, "target", least=0, most=n - 1)
        row = device_array(one[source], "the predecessors") if lies_on_gpu(one) else one[source]
        return walk(to_host(row), source, target)
