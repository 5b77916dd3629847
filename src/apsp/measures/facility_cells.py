"""The nearest facilities by one search from all of them, and the dtype of their distances.

The dtype is that of all distances of the graph. If its proof is not known yet, the search comes first: what it finds
often proves the dtype, too, and a proof takes as long as one or two further searches.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from apsp import _cpu
from apsp.facts.dtypes import choose_dtype
from apsp.facts.facility_bound import dtype_by_facilities, dtype_to_try
from apsp.facts.request import Request
from apsp.facts.statistics import kept_statistics, statistics_of
from apsp.graph.csr import arc_lengths, csr_arguments
from apsp.graph.model import Graph
from apsp.methods.problem import IntArray
from apsp.semiring import bound_in, unreachable

__all__ = ["Found", "nearest_by_cells"]

Found: TypeAlias = tuple[IntArray, npt.NDArray[Any]]
"""Positions of facilities, and distances, (n, k) each."""


def nearest_by_cells(
    graph: Graph, searched: Graph, seeds: IntArray, k: int, request: Request, steps: IntArray | None
) -> Found:
    """Find the k nearest facilities of every vertex of a graph without negative arcs.

    Parameters
    ----------
    graph : Graph
    searched : Graph
        With arcs in the direction of the search.
    seeds : (f,) int32
        The facilities, in ascending order.
    steps : (n,) int32, optional
        Output: the vertex before each vertex on the path from its facility; only for k = 1.
    """
    tried = dtype_to_try(graph) if request.dtype == "auto" and kept_statistics(graph) is None else None
    if tried is None:
        return _search(searched, seeds, k, request, choose_dtype(statistics_of(graph), request)[0], steps)
    positions, distances = _search(searched, seeds, k, request, tried, steps)
    reached = distances[:, 0][positions[:, 0] >= 0]
    farthest = int(reached.max(initial=0))
    name = dtype_by_facilities(graph, len(seeds), farthest, all_reached=len(reached) == graph.n)
    name = name or choose_dtype(statistics_of(graph), request)[0]
    if np.dtype(name).itemsize > distances.itemsize:
        return _search(searched, seeds, k, request, name, steps)
    if name != tried:
        distances = np.minimum(distances, unreachable(name)).astype(name)
    return positions, distances


def _search(graph: Graph, seeds: IntArray, k: int, request: Request, name: str, steps: IntArray | None) -> Found:
    dtype = np.dtype(name)
    positions = np.empty((graph.n, k), dtype=np.int32)
    distances = np.empty((graph.n, k), dtype=dtype)
    _cpu.nearest_seeds(
        **csr_arguments(graph), weights=arc_lengths(graph, dtype), seeds=seeds, nearest=positions, lengths=distances,
        before=steps, cutoff=bound_in(request.cutoff, dtype),
    )  # fmt: skip
    return positions, distances
