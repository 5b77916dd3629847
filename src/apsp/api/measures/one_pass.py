"""Many measures from one pass over all distances."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, get_args

import numpy as np
import numpy.typing as npt

from apsp._types import BytesLike, DeviceLike, DTypeLike, GraphLike, MethodName, PathLike, VerticesLike
from apsp.api.arguments import positions_of
from apsp.api.measures.options import Options, described
from apsp.api.streaming import Block, stream_where_computed
from apsp.api.summing import stream_sums
from apsp.errors import NegativeCycleError
from apsp.graph.accept import as_graph
from apsp.graph.device import DeviceGraph
from apsp.graph.model import Graph
from apsp.measures import Direction, Summary, summarize
from apsp.measures.row_sums import RowSums
from apsp.methods.problem import IntArray
from apsp.system.arguments import flag, one_of, whole_number
from apsp.system.lack_of_memory import memory_errors
from apsp.system.progress import Progress

__all__ = ["of_vertices", "summarized", "summary", "values_of"]


@memory_errors
@described
def summary(
    graph: GraphLike,
    *,
    columns: bool = False,
    bins: int = 0,
    edges: npt.ArrayLike | None = None,
    reciprocals: bool = True,
    sources: VerticesLike | None = None,
    cutoff: float | None = None,
    dtype: DTypeLike = "auto",
    method: MethodName = "auto",
    device: DeviceLike = "auto",
    gpu_memory: BytesLike | None = None,
    pages_file: PathLike | None = None,
    threads: int | None = None,
    rows: int | None = None,
    progress: Progress = False,
) -> Summary:
    """Sums, extremes and counts of all distances, taken in one pass.

    Parameters
    ----------
    {graph}
    columns : bool
        Keep sums of incoming distances too, which direction='in' needs in a directed graph.
    bins : int
        Maximum number of bins of the histogram; 0 means no histogram.
    edges : (B + 1,) increasing numbers, optional
        Bins of the histogram instead.
    reciprocals : bool
        Keep sums of 1 / distance, which harmonic centrality and global efficiency need.
    {sources}
    {options}

    Returns
    -------
    Summary
        The numbers, as attributes and methods.

    Raises
    ------
    {errors}

    Examples
    --------
    >>> import apsp
    >>> graph = apsp.from_edges([0, 1, 2], [1, 2, 0], [4, 1, 2])
    >>> found = apsp.summary(graph)
    >>> found.radius, found.diameter, found.average_shortest_path_length
    (3, 6, 3.5)
    >>> found.eccentricity
    array([5, 3, 6])
    """
    graph = as_graph(graph)
    given = positions_of(graph, sources, "sources")
    options = Options(
        cutoff=cutoff, dtype=dtype, method=method, device=device, gpu_memory=gpu_memory, pages_file=pages_file,
        threads=threads, rows=rows, progress=progress,
    )  # fmt: skip
    return summarized(graph, given, options, columns=columns, bins=bins, edges=edges, reciprocals=reciprocals)


def summarized(
    graph: Graph,
    given: IntArray | None,
    options: Options,
    *,
    columns: bool = False,
    bins: int = 0,
    edges: npt.ArrayLike | None = None,
    reciprocals: bool = True,
) -> Summary:
    """As `summary`, for the rows at some positions; None means all."""
    columns, bins = flag(columns, "columns"), whole_number(bins, "bins", least=0)
    sources = None if given is None else graph.labels.take(np.unique(given))  # sums and extremes are over a set
    if columns or bins or edges is not None:
        blocks: Iterable[Block | RowSums] = stream_where_computed(graph, sources=sources, reuse=True, **options)
    else:
        blocks = stream_sums(graph, sources=sources, **options)
    return summarize(
        blocks, graph.n, directed=graph.directed, columns=columns, bins=bins, edges=edges, reciprocals=reciprocals,
        threads=options.get("threads"), labels=graph.labels,
    )  # fmt: skip


def of_vertices(
    graph: Graph, direction: Direction, given: IntArray | None, options: Options, *, reciprocals: bool = False
) -> tuple[Summary, Direction]:
    """Sums of the distances from some vertices, or to them, and the direction that they have in the summary."""
    if one_of(direction, "direction", get_args(Direction)) == "out" or not graph.directed:
        return summarized(graph, given, options, reciprocals=reciprocals), "out"
    if isinstance(graph, DeviceGraph):  # its matrix stays on its device
        return summarized(graph, None, options, columns=True, reciprocals=reciprocals), "in"
    try:
        return summarized(graph.reversed(), given, options, reciprocals=reciprocals), "out"
    except NegativeCycleError as error:
        raise NegativeCycleError(error.positions[::-1], error.length, graph.labels) from None


def values_of(found: Summary, values: npt.NDArray[Any], given: IntArray | None) -> npt.NDArray[Any]:
    """Values of `found.sources`, in the order in which the caller gave the vertices."""
    return values if given is None else values[np.searchsorted(found.source_positions, given)]
