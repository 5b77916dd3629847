"""Potentials: heights h with weight(u, v) + h(u) - h(v) >= 0 on every arc, or the negative cycle that forbids them.

Sources: Johnson 1977, section 4; Cherkassky, Goldberg 1999, "Negative-cycle detection algorithms", section 4.2.
Input: any graph. Output: `Potentials`. Cost: n m operations at worst, a few times m in practice; 24 m + 40 n bytes.
Raises NegativeCycleError with a simple cycle, DtypeRangeError where integers leave int64.

The idea: Bellman-Ford from all vertices at once with a queue; while it runs, a cycle among the parents is a negative
cycle. Sums are exact, also for floats (fixed point in 128 bits), so neither termination nor the answer is a matter of
rounding. When a cycle of floats counts as negative is said at `potentials`.
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

__all__ = ["Potentials", "potentials"]


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

    Notes
    -----
    An integer cycle is negative if its length is below zero. A float cycle of k arcs is negative if its exact length
    (no rounding anywhere) is below -k * eps * L, where eps is the machine epsilon of the weights' dtype and L the power
    of two above the largest weight: that is, if it would stay negative were every arc off by one rounding step of the
    largest one. So ln(a / b) + ln(b / c) + ln(c / a), zero but for rounding, is no negative cycle, and the length
    reported for a negative cycle (`math.fsum`, correctly rounded) is really below zero.

    Raises
    ------
    NegativeCycleError
        With a simple cycle and its length.
    DtypeRangeError
        If the heights or reduced weights of an integer graph do not fit int64.
    """
    integer = graph.has_integer_weights
    dtype: Any = np.int64 if integer else np.float64
    found = Potentials(np.empty(graph.n, dtype=dtype), np.empty(graph.m, dtype=dtype))
    weights = graph.arc_weights(dtype)
    cycle = _relax(graph, weights, found, 0.0)
    if cycle and not integer:
        slack = 0.0 if graph.weights is None else float(np.finfo(graph.weights.dtype).eps)
        cycle = _relax(graph, weights, found, slack)
    if cycle:
        raise NegativeCycleError(cycle, _length(graph, cycle), graph.labels)
    return found


def _relax(graph: Graph, weights: npt.NDArray[Any], found: Potentials, slack: float) -> list[int]:
    try:
        return _cpu.potentials(
            indptr=graph.indptr,
            indices=graph.indices,
            weights=weights,
            reduced=found.reduced,
            height=found.height,
            slack=slack,
        )
    except OverflowError as error:
        raise DtypeRangeError(f"the weights are too large for exact potentials: {error}; use float weights") from None


def _length(graph: Graph, cycle: list[int]) -> int | float:
    arcs = list(zip(cycle, [*cycle[1:], cycle[0]], strict=True))
    lengths = [length(graph._with(terminals=None), arc) for arc in arcs]
    return sum(lengths) if graph.has_integer_weights else math.fsum(lengths)
