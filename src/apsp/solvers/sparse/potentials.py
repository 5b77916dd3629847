"""Potentials: heights h with weight(u, v) + h(u) - h(v) >= 0 on every arc, or the negative cycle that forbids them.

Sources: Johnson 1977, section 4; Cherkassky, Goldberg 1999, "Negative-cycle detection algorithms", section 4.2.
Input: any graph. Output: `Potentials`, or the searches that work with them. Cost: n m operations at worst, a few times
m in practice; 24 m + 40 n bytes. Raises NegativeCycleError with a simple cycle, DtypeRangeError where integers leave
int64.

The idea: Bellman-Ford from all vertices at once with a queue; while it runs, a cycle among the parents is a negative
cycle. Sums are exact, also those of floats, which are integers in a common unit (of 64, 128, 512 or 2,304 bits, as the
range of the weights needs). So neither termination nor the answer depends on rounding, and no weight is lost beside a
larger one.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from apsp import _cpu
from apsp.errors import DtypeRangeError, NegativeCycleError
from apsp.graph.model import Graph
from apsp.paths import length

__all__ = ["Potentials", "potentials", "signed_floats", "sums_may_cancel"]


@dataclass(frozen=True)
class Potentials:
    """What makes the arcs of a graph non-negative.

    Attributes
    ----------
    height : (n,) int64 or float64
        At most 0. A distance is its reduced length minus height[source] plus height[target].
    reduced : (m,) int64 or float64
        weight + height[tail] - height[head], at least 0: exact for integers, one rounding for floats.
    """

    height: npt.NDArray[Any]
    reduced: npt.NDArray[Any]


def potentials(graph: Graph) -> Potentials:
    """Potentials of a graph with negative arcs. Terminals are ignored: a negative cycle through one counts.

    Raises
    ------
    NegativeCycleError
        With a simple cycle and its length. When a cycle of floats counts as negative is said at `signed_floats`.
    DtypeRangeError
        If the heights or reduced weights of an integer graph do not fit int64.
    """
    dtype: Any = np.int64 if graph.has_integer_weights else np.float64
    found = Potentials(np.empty(graph.n, dtype=dtype), np.empty(graph.m, dtype=dtype))
    if not graph.has_integer_weights:
        _signed(graph, searches=False).potentials(height=found.height, reduced=found.reduced)
        return found
    try:
        cycle = _cpu.potentials(
            indptr=graph.indptr,
            indices=graph.indices,
            weights=graph.arc_weights(dtype),
            reduced=found.reduced,
            height=found.height,
        )
    except OverflowError as error:
        raise DtypeRangeError(f"the weights are too large for exact potentials: {error}; use float weights") from None
    if cycle:
        raise NegativeCycleError(cycle, _length(graph, cycle), graph.labels)
    return found


def signed_floats(graph: Graph) -> _cpu.SignedFloats:
    """Searches by exact sums in a graph with negative float arcs.

    Notes
    -----
    The weights are taken as the numbers that they are. A cycle is negative if its exact length (no rounding anywhere)
    is below zero, unless it would not be if each of its arcs were longer by s = min(eps * L, 1024 * eps * |weight|),
    where eps is the machine epsilon of the weights' dtype and L the largest weight of the graph. So
    ln(a / b) + ln(b / c) + ln(c / a), zero but for rounding, is no negative cycle. The length reported for a negative
    cycle (`math.fsum`, correctly rounded) is below zero. In a graph without such cycles (which is the rule) distances
    are rounded once; in one with such cycles they are within the sum of s along the path.

    Raises
    ------
    NegativeCycleError
        With a simple cycle and its length.
    """
    return _signed(graph, searches=True)


def sums_may_cancel(graph: Graph, dtype: np.dtype[Any]) -> bool:
    """Whether adding in floats, in any order, may confuse cycles of this graph with negative ones.

    So it is where some cycle is shorter than n * eps * S, with S the sum of its absolute weights, unless the weights
    have so few digits that their sums are exact. Where no cycle is,
    the shortest walk that a method finds by adding lengths of walks (Floyd-Warshall, elimination) is a path up to
    rounding relative to its own sum of absolute weights, and no diagonal entry becomes negative: sums of k arcs in any
    order are within k * eps / 2 * S (Higham 2002, "Accuracy and Stability of Numerical Algorithms", section 4.2). Sums
    of integers in floats are exact: the planner has proven that they are short enough.
    """
    if dtype.kind != "f" or graph.has_integer_weights or not graph.has_negative_arc:
        return False
    return _cpu.has_cancelling_cycle(
        indptr=graph.indptr,
        indices=graph.indices,
        weights=graph.arc_weights(np.float64),
        epsilon=float(np.finfo(dtype).eps),
    )


def _signed(graph: Graph, *, searches: bool) -> _cpu.SignedFloats:
    exact = graph.weights is None or graph.has_integer_weights
    epsilon = 0.0 if exact else float(np.finfo(graph.weights.dtype).eps)  # type: ignore[union-attr]
    found = _cpu.signed_floats(
        indptr=graph.indptr,
        indices=graph.indices,
        weights=graph.arc_weights(np.float64),
        terminals=graph.terminals if graph.has_terminals else None,
        epsilon=epsilon,
        searches=searches,
    )
    if found.cycle:
        raise NegativeCycleError(found.cycle, _length(graph, found.cycle), graph.labels)
    return found


def _length(graph: Graph, cycle: list[int]) -> int | float:
    arcs = list(zip(cycle, [*cycle[1:], cycle[0]], strict=True))
    lengths = [length(graph._with(terminals=None), arc) for arc in arcs]
    return sum(lengths) if graph.has_integer_weights else math.fsum(lengths)
