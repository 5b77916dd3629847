"""The diameter and the radius together, with vertices that have them."""

from __future__ import annotations

from apsp._types import BytesLike, DeviceLike, DTypeLike, GraphLike, MethodName, PathLike
from apsp.api.measures.docstrings import described
from apsp.api.measures.few_searches import by_few_searches
from apsp.api.measures.one_pass import summarized
from apsp.api.options import RunOptions
from apsp.graph.accept import as_graph
from apsp.measures.extreme import Extremes
from apsp.system.lack_of_memory import memory_errors
from apsp.system.progress import Progress

__all__ = ["extremes"]


@memory_errors
@described
def extremes(
    graph: GraphLike,
    *,
    cutoff: float | None = None,
    dtype: DTypeLike = "auto",
    method: MethodName = "auto",
    device: DeviceLike = "auto",
    gpu_memory: BytesLike | None = None,
    pages_file: PathLike | None = None,
    threads: int | None = None,
    rows: int | None = None,
    progress: Progress = False,
) -> Extremes:
    """Return the diameter and the radius, with vertices that have them and the number of searches.

    Parameters
    ----------
    {graph}
    {options}

    Returns
    -------
    Extremes
        The numbers of `apsp.diameter` and `apsp.radius`, with a pair of vertices and a vertex.

    Raises
    ------
    {errors}

    Notes
    -----
    Of several pairs or vertices any may be returned: all of them are in `apsp.periphery` and `apsp.center`.

    {few_searches}

    Examples
    --------
    >>> import apsp
    >>> grid = apsp.generate("grid", shape=(100, 100), weights=None)
    >>> apsp.extremes(grid).farthest_pair
    Extreme(distance=198, source=9999, target=0)
    >>> apsp.extremes(grid).searches < 100
    True
    """
    graph = as_graph(graph)
    options = RunOptions(
        cutoff=cutoff, dtype=dtype, method=method, device=device, gpu_memory=gpu_memory, pages_file=pages_file,
        threads=threads, rows=rows, progress=progress,
    )  # fmt: skip
    few = by_few_searches(graph, options, "diameter", "radius", pair=True)
    if few is not None:
        return Extremes(few.farthest_pair, few.radius, few.center_vertex, few.searches)
    found = summarized(graph, None, options, reciprocals=False)
    return Extremes(found.farthest_pair, found.radius, next(iter(found.center), None), graph.n)
