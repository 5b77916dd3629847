"""The number of pairs by distance."""

from __future__ import annotations

import numpy.typing as npt

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
from apsp.api.measures.docstrings import described
from apsp.api.measures.one_pass import summary
from apsp.measures import Histogram
from apsp.system.lack_of_memory import memory_errors
from apsp.system.progress import Progress

__all__ = ["distance_histogram"]


@memory_errors
@described
def distance_histogram(
    graph: GraphLike,
    *,
    bins: int = 1024,
    edges: npt.ArrayLike | None = None,
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
) -> Histogram:
    """Count the ordered pairs of two vertices by their distance.

    Parameters
    ----------
    {graph}
    bins : int
        Maximum number of bins. Their width is a power of two, chosen from the distances. Ignored if `edges` is given.
    edges : (B + 1,) increasing numbers, optional
        Edges of the bins; distances outside are not counted.
    {sources}
    {resumable_options}

    Returns
    -------
    Histogram
        Edges and counts; pairs without a path are not counted.

    Raises
    ------
    {errors}

    Examples
    --------
    >>> import apsp
    >>> graph = apsp.from_edges([0, 1, 2], [1, 2, 3], [4, 1, 2], directed=False)
    >>> found = apsp.distance_histogram(graph)
    >>> found.edges
    array([1, 2, 3, 4, 5, 6, 7, 8])
    >>> found.counts
    array([2, 2, 2, 2, 2, 0, 2])
    """
    return summary(
        graph, bins=0 if edges is not None else bins, edges=edges, sources=sources, cutoff=cutoff, dtype=dtype,
        method=method, device=device, gpu_memory=gpu_memory, pages_file=pages_file, threads=threads, rows=rows,
        executor=executor, store=store, progress=progress, reciprocals=False,
    ).histogram()  # fmt: skip
