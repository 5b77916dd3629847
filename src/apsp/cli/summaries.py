"""Summaries of all distances, block by block: of a result on disk, or of a graph while it is solved."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from apsp import api
from apsp.cli.terminal import Show
from apsp.errors import RequestError
from apsp.graph.model import Graph
from apsp.graph.turns.turn_graph import own_labels, own_vertices
from apsp.measures.summary import summary
from apsp.reductions import Summary, summarize
from apsp.result.result import Result
from apsp.semiring import MIN_PLUS

__all__ = ["of_graph", "of_result"]

BINS = 1 << 16
_BLOCK_BYTES = 1 << 26


def of_graph(graph: Graph, request: dict[str, Any], show: Show, *, bins: int = 0) -> Summary:
    """Solve block by block and summarize; the n x n matrix is never stored.

    Parameters
    ----------
    request : dict
        Keyword arguments of `apsp.summary`.
    bins : int
        Largest number of bins of the histogram; 0 for no histogram.
    """
    return summary(graph, **request, bins=bins, progress=show.bar)


def of_result(result: Result, *, bins: int = 0) -> Summary:
    """Summarize the distances of a result; the file is read once, in blocks.

    Raises
    ------
    RequestError
        If the result lacks columns, or is not of shortest paths.
    """
    if result.semiring is not MIN_PLUS:
        raise RequestError(f"this result is of {result.semiring.name}: only shortest distances can be summarized")
    result.check()
    graph = result.graph
    return summarize(_blocks(result), own_vertices(graph), directed=graph.directed, bins=bins, labels=own_labels(graph))


def _blocks(result: Result) -> Iterator[api.Block]:
    distances = result.distances
    rows = max(1, _BLOCK_BYTES // max(1, distances.shape[1] * distances.itemsize))
    for start in range(0, len(distances), rows):
        yield api.Block(result.source_positions[start : start + rows], distances[start : start + rows])
