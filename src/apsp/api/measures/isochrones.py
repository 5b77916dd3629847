"""What is within cutoffs of some sources, as vertices, parts of arcs and areas."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from apsp._types import DeviceLike, DTypeLike, GraphLike, MethodName, VerticesLike
from apsp.api.arguments import positions_of
from apsp.api.measures.docstrings import described
from apsp.api.solving import solve
from apsp.errors import RequestError
from apsp.graph.accept import as_graph
from apsp.measures.isochrones import Isochrones
from apsp.system.arguments import cutoffs_of
from apsp.system.array_device import to_host
from apsp.system.lack_of_memory import memory_errors
from apsp.system.progress import Progress

__all__ = ["isochrone"]


@memory_errors
@described
def isochrone(
    graph: GraphLike,
    sources: VerticesLike,
    cutoffs: float | Iterable[float],
    *,
    dtype: DTypeLike = "auto",
    method: MethodName = "auto",
    device: DeviceLike = "auto",
    threads: int | None = None,
    progress: Progress = False,
) -> Isochrones:
    """Find what is within one or more cutoffs of every source: vertices, parts of arcs, and the area around them.

    Parameters
    ----------
    {graph}
    sources : vertex or sequence of vertices
        Where paths start.
    cutoffs : number or sequence of numbers
        Longest distances, ascending; a vertex at the cutoff itself is within it.
    dtype : {'auto', 'uint16', 'int32', 'int64', 'float32', 'float64'}
        Dtype of the distances, as for `apsp.solve`.
    method, device : str
        As for `apsp.solve`.
    threads : int, optional
        CPU threads; by default APSP_NUM_THREADS or all cores.
    progress : bool or callable
        True draws a bar; a callable is called as progress(stage, done, total).

    Returns
    -------
    Isochrones
        The vertices, arcs and polygons of every source and cutoff. It holds one row of n distances per source.

    Raises
    ------
    {errors}

    Notes
    -----
    For paths that end at the vertices, instead of starting there, pass ``graph.reversed()``.

    Examples
    --------
    >>> import apsp
    >>> city = apsp.generate("city", 400, seed=1)
    >>> found = apsp.isochrone(city, 200, [60, 120])
    >>> near, far = (set(found.vertices(cutoff=cutoff)) for cutoff in (60, 120))
    >>> 200 in near, near < far
    (True, True)
    >>> corners = found.polygon(cutoff=60)  # in the coordinates of the graph
    >>> corners.shape[1], bool((corners[0] == corners[-1]).all())
    (2, True)
    """
    graph = as_graph(graph)
    given = positions_of(graph, sources, "sources")
    if given is None:
        raise RequestError("sources must be one vertex or a sequence of vertices, not None")
    bounds, _ = cutoffs_of(cutoffs)
    result = solve(
        graph, sources=graph.labels.take(given), cutoff=bounds[-1], dtype=dtype, method=method, device=device,
        threads=threads, progress=progress,
    )  # fmt: skip
    return Isochrones(graph, np.asarray(given, np.int32), bounds, to_host(result.distances))
