"""The arrays of a graph as an argument of CPU kernels."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from apsp import _cpu
from apsp.graph.model import Graph
from apsp.semiring import unreachable

__all__ = ["arc_arrays", "arc_lengths"]


def arc_lengths(graph: Graph, dtype: np.dtype[Any]) -> npt.NDArray[Any]:
    """Lengths of the arcs, (m,) `dtype`. One that is too long for the dtype becomes "no path".

    That is exact: the planner has proven that every distance fits, so no shortest path uses such an arc.
    """
    weights = graph.weights
    if weights is None:
        return np.ones(graph.m, dtype=dtype)
    if dtype.kind in "iu":
        none = unreachable(dtype)
        if weights.dtype.itemsize > dtype.itemsize or weights.dtype.kind == "f":
            weights = np.minimum(weights, none)
        return weights.astype(dtype, copy=False)
    with np.errstate(over="ignore"):  # values beyond the largest float become infinite: "no path"
        return weights.astype(dtype, copy=False)


def arc_arrays(graph: Graph, weights: npt.NDArray[Any] | None = None) -> _cpu.ArcArrays:
    """The arcs and zones of a graph, and perhaps weights of the arcs, (m,), for kernels."""
    return _cpu.ArcArrays(graph.indptr, graph.indices, weights, graph.zones if graph.has_zones else None)
