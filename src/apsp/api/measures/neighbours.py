"""The k nearest vertices."""

from __future__ import annotations

import numpy as np

from apsp._types import (
    BytesLike,
    DeviceLike,
    DTypeLike,
    ExecutorLike,
    GraphLike,
    MethodName,
    PathLike,
    StoreLike,
    VerticesLike,
)
from apsp.api.arguments import positions_of
from apsp.api.component_rows import rows_to_reduce
from apsp.api.measures.options import Options, described, split
from apsp.api.nearest_of_rows import nearest_of_rows
from apsp.graph.accept import as_graph
from apsp.measures import Nearest
from apsp.system.lack_of_memory import memory_errors
from apsp.system.progress import Progress

__all__ = ["k_nearest"]


@memory_errors
@described
def k_nearest(
    graph: GraphLike,
    k: int,
    *,
    sources: VerticesLike | None = None,
    cutoff: float | None = None,
    dtype: DTypeLike = "auto",
    method: MethodName = "auto",
    device: DeviceLike = "auto",
    gpu_memory: BytesLike | None = None,
    pages_file: PathLike | None = None,
    threads: int | None = None,
    rows: int | None = None,
    executor: ExecutorLike | None = None,
    store: StoreLike | None = None,
    progress: Progress = False,
) -> Nearest:
    """Find the k nearest vertices of every source, nearest first.

    Rows that a GPU computes are not copied to the host; only the result is.

    Parameters
    ----------
    {graph}
    k : int
        How many, at least 1. The source itself is not one of them.
    {sources}
    {resumable_options}

    Returns
    -------
    Nearest
        Vertices and distances, (S, k) each, in the order of the sources.

    Raises
    ------
    {errors}

    Examples
    --------
    >>> import apsp
    >>> graph = apsp.from_edges([0, 1, 2], [1, 2, 0], [4, 1, 2])
    >>> found = apsp.k_nearest(graph, 1)
    >>> found.vertices.ravel().tolist(), found.distances.ravel().tolist()
    ([1, 2, 0], [4, 1, 2])
    """
    graph = as_graph(graph)
    given = positions_of(graph, sources, "sources")
    once = None if given is None else graph.labels.take(np.unique(given))
    options = Options(
        cutoff=cutoff, dtype=dtype, method=method, device=device, gpu_memory=gpu_memory, pages_file=pages_file,
        threads=threads, rows=rows, progress=progress,
    )  # fmt: skip
    if store is not None:
        from apsp.api.storing.nearest import nearest_in  # with the first store: `import apsp` stays quick

        found = nearest_in(store, graph, k, once, options, executor)
    elif executor is not None:
        from apsp.api.spread.front import spread_nearest  # with the first executor: `import apsp` stays quick

        found = spread_nearest(executor, graph, k, once, options)
    else:
        height, shown, of_rows = split(options)
        found = nearest_of_rows(rows_to_reduce(graph, height, once, **of_rows), k, shown, threads, graph.labels)
    return found if given is None else found.of(given)
