"""Graphs with negative arcs: the part that sources reach, exact sums of floats, and cycles that are zero within
rounding.

Input: any graph. Cost: O(n + m) for the part that is reached; n m operations at worst for the rest, a few times m in
practice.

The idea: a float is an integer in a small enough unit, so sums of floats can be exact. If a method adds floats instead,
the error of its sums is small relative to the path, as long as no cycle cancels (Higham 2002, "Accuracy and Stability
of Numerical Algorithms", section 4.2).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from apsp import _cpu
from apsp.graph.csr import arc_arrays
from apsp.graph.model import Graph

__all__ = ["Rounding", "allowed_rounding", "signed_searches", "sums_may_cancel", "within_reach"]

_FORGIVEN_STEPS = 1024  # as in cpp/searches/signed_floats.cpp


def within_reach(graph: Graph, sources: npt.NDArray[np.int32] | None) -> Graph:
    """The graph without the arcs whose tails no source reaches; the graph itself if there are none.

    Parameters
    ----------
    sources : (S,) int32 or None
        Positions; None means all vertices.
    """
    if sources is None:
        return graph
    reached = _reached(graph, sources)
    kept = reached[graph.tails()]
    if kept.all():
        return graph
    degrees = np.where(reached, np.diff(graph.indptr), 0)
    return Graph(
        np.concatenate(([0], np.cumsum(degrees))),
        graph.indices[kept],
        None if graph.weights is None else graph.weights[kept],
        labels=graph.labels if graph.has_labels else None,
        coordinates=graph.coordinates,
        zones=graph.zones,
    )


def _reached(graph: Graph, sources: npt.NDArray[np.int32]) -> npt.NDArray[np.bool_]:
    """Which vertices some source reaches, (n,): one search from an added vertex with arcs to the sources."""
    n, starts = graph.n, np.unique(sources)
    if graph.zones is not None:  # a path may leave a zone only where it starts
        first = [graph.indices[graph.indptr[v] : graph.indptr[v + 1]] for v in starts[graph.zones[starts]]]
        starts = np.unique(np.concatenate([starts, *first]))
    hops = np.empty((1, n + 1), dtype=np.int32)
    arcs = _cpu.ArcArrays(
        np.append(graph.indptr, graph.m + len(starts)),
        np.concatenate([graph.indices, starts]).astype(np.int32, copy=False),
        zones=None if graph.zones is None else np.append(graph.zones, False),
    )
    _cpu.bfs_rows(arcs, _cpu.RowArrays(np.array([n], dtype=np.int32), hops))
    reached: npt.NDArray[np.bool_] = hops[0, :n] != np.iinfo(np.int32).max
    return reached


def signed_searches(graph: Graph, *, searches: bool) -> _cpu.SignedFloats:
    """Potentials, or searches, by exact sums in a graph with negative float arcs; or a negative cycle.

    Notes
    -----
    The weights are exact numbers. A cycle is negative if its exact length (without any rounding) is below zero, and
    would still be if each of its arcs were longer by s = min(eps * L, 1024 * eps * |weight|), where eps is the machine
    epsilon of the weights' dtype and L the largest weight of the graph. So ln(a / b) + ln(b / c) + ln(c / a), which is
    zero except for rounding, is not a negative cycle. In a graph without cycles between the two cases (as usual)
    distances are rounded once; otherwise they are within the sum of s along the path.
    """
    exact = graph.weights is None or graph.has_integer_weights
    return _cpu.signed_floats(
        arc_arrays(graph, graph.arc_weights(np.float64)),
        epsilon=0.0 if exact else _epsilon(graph.weights.dtype),  # type: ignore[union-attr]
        searches=searches,
    )


class Rounding(NamedTuple):
    """Allowed difference of a distance from the exact length of its path P of k arcs.

    That is k * per_arc * |P| + (the sum of min(most, share * |w|) over the weights w of its arcs), |P| being the sum of
    its absolute weights.
    """

    per_arc: float = 0.0
    share: float = 0.0
    most: float = 0.0


def allowed_rounding(graph: Graph, sources: npt.NDArray[np.int32], dtype: np.dtype[Any]) -> Rounding:
    """Return the allowed rounding of the distances from these sources.

    Integers, and integers in floats, are exact. For floats a path of k arcs is allowed k * eps, and if a cycle is below
    zero but counts as zero, also the s of `signed_searches` for each arc.
    """
    if dtype.kind != "f" or graph.has_integer_weights:
        return Rounding()
    if graph.has_negative_arc:
        found = signed_searches(graph, searches=False)
        if found.cycle:  # no source reaches it, so it does not affect the result
            graph = within_reach(graph, sources)
            found = signed_searches(graph, searches=False)
        if found.forgiving:
            assert graph.weights is not None
            eps = _epsilon(graph.weights.dtype)
            return Rounding(_epsilon(dtype), _FORGIVEN_STEPS * eps, eps * float(np.abs(graph.weights).max()))
    return Rounding(_epsilon(dtype))


def sums_may_cancel(graph: Graph, dtype: np.dtype[Any]) -> bool:
    """Whether adding in floats, in any order, may confuse cycles of this graph with negative ones.

    This is so if some cycle is shorter than n * eps * S, with S the sum of its absolute weights; or, if the weights
    have so few digits that their sums are exact, below zero. Otherwise the shortest walk that a method finds by adding
    lengths of walks (Floyd-Warshall, elimination) is a path up to rounding relative to its sum of absolute weights, and
    no diagonal entry becomes negative: sums of k lengths in any order are within k * eps / 2 * S. Sums of integers in
    floats are exact: the planner has proven that they are short enough. Weights narrower than the dtype count with the
    rounding of their dtype, which decides when a cycle is negative.
    """
    if dtype.kind != "f" or graph.has_integer_weights or not graph.has_negative_arc or graph.weights is None:
        return False  # weights last: those of a graph on a GPU would be copied
    arcs = arc_arrays(graph, graph.arc_weights(np.float64))
    return _cpu.has_cancelling_cycle(arcs, max(_epsilon(dtype), _epsilon(graph.weights.dtype)))


def _epsilon(dtype: np.dtype[Any]) -> float:
    return float(np.finfo(dtype).eps)
