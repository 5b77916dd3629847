"""Which paths are equally short: the weights whose sums are compared, and when that cannot be known.

Two paths of integer weights are equally short if their lengths are equal; potentials, which make negative arcs at least
0, change the lengths of all paths of a pair alike. Lengths of float weights are summed from the source in float64, and
are equal if these sums are: paths that differ by rounding only are not ties.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from apsp.errors import DtypeRangeError, NegativeCycleError, RequestError
from apsp.facts.potentials import potentials
from apsp.graph.model import Graph
from apsp.graph.signed import within_reach
from apsp.semiring import bound_in

__all__ = ["check_comparable", "comparable_cutoff", "comparable_hops", "comparable_lengths", "float_bound", "tie_error"]

IntArray = npt.NDArray[np.int32]


def check_comparable(graph: Graph) -> None:
    """Raise RequestError if the graph has negative float weights."""
    if not graph.has_integer_weights and graph.has_negative_arc:
        raise RequestError(
            "the graph has negative float weights, whose sums are rounded, so that it is not known which paths are"
            " equally short; use integer weights (multiples of a unit)"
        )


def comparable_lengths(graph: Graph, sources: IntArray, cutoff: float | None) -> dict[str, Any]:
    """Weights of at least 0 in the narrowest dtype, the potentials that they were reduced with, and the cutoff.

    Raises
    ------
    RequestError
        If float weights are negative.
    DtypeRangeError
        If a path may be longer than int64 can hold.
    NegativeCycleError
        If a source reaches a negative cycle.
    """
    check_comparable(graph)
    if not graph.has_integer_weights:
        return {"weights": graph.arc_weights(np.float64), "heights": None, "cutoff": float_bound(graph, cutoff)}
    weights, heights = graph.arc_weights(np.int64), None
    if graph.has_negative_arc:
        weights, heights = _reduced(graph, sources)
    most = int(weights.max(initial=0)) * max(graph.n - 1, 1)
    if most >= np.iinfo(np.int64).max:
        raise DtypeRangeError("paths may be longer than int64 can hold; use float weights")
    kind: type[Any] = np.int32 if most < np.iinfo(np.int32).max else np.int64
    if heights is not None:  # the cutoff is one of true distances
        kind = np.int64
    bound = bound_in(cutoff, np.dtype(kind))
    return {"weights": weights.astype(kind, copy=False), "heights": heights, "cutoff": bound}


def float_bound(graph: Graph, cutoff: float | None) -> float | None:
    """The largest sum in float64 that is within a cutoff; None if every one is.

    Distances of a graph with weights in float32 are rounded to float32, and the cutoff with them: a sum is within it if
    the sum, rounded once, is. The bound then lies between two numbers of float32.
    """
    if graph.weights is None or graph.weights.dtype != np.float32 or graph.has_integer_weights:
        return bound_in(cutoff, np.dtype(np.float64))
    bound = bound_in(cutoff, np.dtype(np.float32))
    if bound is None or bound == np.inf:
        return None
    step = math.ldexp(1.0, max(math.frexp(bound)[1] - 24, -149) if bound else -149)  # to the next number of float32
    middle = bound + step / 2
    with np.errstate(over="ignore"):
        return middle if np.float32(middle) == bound else math.nextafter(middle, 0)


def comparable_hops(graph: Graph, cutoff: float | None) -> int:
    """A cutoff of distances in hops as a number of arcs, at most n."""
    bound = bound_in(cutoff, np.dtype(np.int64))
    return graph.n if bound is None else min(int(bound), graph.n)


def comparable_cutoff(graph: Graph, cutoff: float, dtype: np.dtype[Any]) -> float:
    """A cutoff of distances in `dtype` as one of the sums that are compared: no smaller, if both are rounded."""
    if graph.has_integer_weights:
        return cutoff
    facts = np.finfo(dtype)
    return cutoff * (1 + 4 * graph.n * float(facts.eps)) + float(facts.tiny)


def _reduced(graph: Graph, sources: IntArray) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    try:
        found = potentials(graph)
    except NegativeCycleError:
        part = within_reach(graph, sources)
        if part is graph:
            raise
        found = potentials(part)
        weights = np.zeros(graph.m, np.int64)  # no search meets the arcs that are not in this part
        weights[np.diff(part.indptr)[graph.tails()] > 0] = found.reduced
        return weights, found.height
    return found.reduced, found.height


def tie_error(graph: Graph, error: ArithmeticError) -> RequestError:
    """The error for vertices whose paths cannot be counted, from that of a kernel, which names them by position."""
    vertices = [graph.word(int(word)) for word in str(error).split()]
    if isinstance(error, OverflowError):
        return RequestError(
            f"a target has more than 1.8e308 shortest paths from vertex {vertices[0]}: their number is beyond float64;"
            " give the arcs weights that distinguish the paths"
        )
    if isinstance(error, FloatingPointError):
        return RequestError(
            f"the weight of the arc from {vertices[0]} to {vertices[1]} is lost in rounding beside their distance from"
            " the source, so that it is not known which paths are equally short; use integer weights (multiples of a"
            " unit), or leave out arcs that are too long to be used"
        )
    return RequestError(
        f"vertex {vertices[0]} lies on a cycle of length zero, other than there and back along a tree, so that shortest"
        " paths are not counted: join the vertices of such cycles, or give their arcs a positive weight;"
        " apsp.arc_flows(..., ties='first') follows one path per pair"
    )
