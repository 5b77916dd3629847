"""Sums over all rows of an undirected forest in linear time, without the rows.

Source: Kang and Ault 1975, "Some properties of a centroid of a free tree": see cpp/measures/forest_sums.hpp.
Input: an undirected graph with hops or integer weights of at least 0, without zones; all sources. Integers only: across
an arc the sums differ by little, so that rounded ones would lose what small sums have.
"""

from __future__ import annotations

import numpy as np

from apsp import _cpu
from apsp.facts.request import Request
from apsp.facts.statistics import statistics_of
from apsp.graph.device import DeviceGraph
from apsp.graph.model import Graph
from apsp.measures.row_sums import RowSums
from apsp.methods.problem import IntArray
from apsp.planning.dtype_choice import decide_dtype

__all__ = ["forest_sums"]


def forest_sums(graph: Graph, chosen: IntArray | None, request: Request) -> RowSums | None:
    """Return the sums over all rows, without those of reciprocals; None if this way does not apply.

    Parameters
    ----------
    chosen : array or None
        The sources; None means all.
    """
    as_usual = request.method == "auto" and request.device in ("auto", "cpu") and request.dtype == "auto"
    if chosen is not None or request.cutoff is not None or not as_usual or isinstance(graph, DeviceGraph):
        return None
    n, integers = graph.n, graph.weights is None or graph.has_integer_weights
    if graph.directed or graph.m > 3 * n or graph.has_zones or graph.has_negative_arc or not integers:
        return None
    statistics = statistics_of(graph)
    if statistics.bound.high * n > np.iinfo(np.int64).max:
        return None
    sums = RowSums.empty(np.arange(n, dtype=np.int32), np.int64)
    lengths = None if graph.weights is None else graph.arc_weights(np.int64)
    if not _cpu.forest_sums(
        graph.indptr, graph.indices, lengths, sums.reached, sums.total, sums.largest, sums.farthest
    ):
        return None
    dtype, _ = decide_dtype(statistics, request)
    sums.reciprocals[:] = np.nan
    return RowSums(sums.sources, sums.reached, sums.total, sums.reciprocals, sums.largest.astype(dtype), sums.farthest)
