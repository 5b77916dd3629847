"""Sums over all rows of an undirected forest in linear time, without the rows.

Source: Kang and Ault 1975, "Some properties of a centroid of a free tree": see cpp/reductions/forest_sums.hpp.
Input: an undirected graph with hops or integer weights of at least 0, without zones; all sources. Integers only: across
an arc the sums differ by little, so that rounded ones would lose what small sums have.
"""

from __future__ import annotations

import numpy as np

from apsp import _cpu
from apsp.facts.request import Request
from apsp.facts.statistics import statistics_of
from apsp.graph.csr import arc_arrays
from apsp.graph.device import DeviceGraph
from apsp.graph.model import Graph
from apsp.graph.weak_parts import is_forest
from apsp.methods.problem import IntArray
from apsp.planning.dtype_choice import decide_dtype
from apsp.reductions.row_sums import RowSums

__all__ = ["forest_sums", "has_forest_sums"]


def has_forest_sums(graph: Graph) -> bool:
    """Whether the graph is one of those above."""
    if isinstance(graph, DeviceGraph) or graph.has_zones or graph.has_negative_arc:
        return False
    return (graph.weights is None or graph.has_integer_weights) and is_forest(graph)


def forest_sums(graph: Graph, chosen: IntArray | None, request: Request) -> RowSums | None:
    """Return the sums over all rows, without those of reciprocals; None if this way does not apply.

    Parameters
    ----------
    chosen : array or None
        The sources; None means all.
    """
    as_usual = request.method == "auto" and request.device in ("auto", "cpu") and request.dtype == "auto"
    if chosen is not None or request.cutoff is not None or not as_usual or not has_forest_sums(graph):
        return None
    n, statistics = graph.n, statistics_of(graph)
    if statistics.bound.high * n > np.iinfo(np.int64).max:
        return None
    sums = RowSums.empty(np.arange(n, dtype=np.int32), np.int64)
    lengths = None if graph.weights is None else graph.arc_weights(np.int64)
    arrays = sums.reached, sums.total, sums.largest, sums.farthest
    if not _cpu.forest_sums(arc_arrays(graph, lengths), *arrays):
        return None
    dtype, _ = decide_dtype(statistics, request)
    sums.reciprocals[:] = np.nan
    return RowSums(sums.sources, sums.reached, sums.total, sums.reciprocals, sums.largest.astype(dtype), sums.farthest)
