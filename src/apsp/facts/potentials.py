"""Potentials: heights h with weight(u, v) + h(u) - h(v) >= 0 on every arc, or a negative cycle, which excludes them.

Sources: Johnson 1977, section 4; Cherkassky, Goldberg 1999, "Negative-cycle detection algorithms", section 4.2.
Input: any graph. Output: `Potentials`, or the searches that work with them. Cost: n m operations at worst, a few times
m in practice; 24 m + 40 n bytes. Raises NegativeCycleError with a simple cycle, DtypeRangeError if integers do not fit
int64.

The idea: Bellman-Ford from all vertices at once with a queue; while it runs, a cycle among the parents is a negative
cycle. Sums are exact, also those of floats, which are integers in a common unit (of 64, 128, 512 or 2,304 bits, as the
range of the weights needs). So neither termination nor the answer depends on rounding, and no weight is lost when added
to a larger one.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from apsp import _cpu
from apsp.errors import DtypeRangeError, NegativeCycleError
from apsp.graph.csr import arc_arrays
from apsp.graph.model import Graph
from apsp.graph.path_length import length
from apsp.graph.signed import signed_searches

__all__ = ["Potentials", "potentials", "signed_floats"]


@dataclass(frozen=True)
class Potentials:
    """Potentials that make the arcs of a graph non-negative.

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
    """Potentials of a graph with negative arcs. Zones are ignored: a negative cycle through one counts.

    Raises
    ------
    NegativeCycleError
        With a simple cycle and its length. When a cycle of floats counts as negative: see `signed_floats`.
    DtypeRangeError
        If the heights or reduced weights of an integer graph do not fit int64.
    """
    dtype: Any = np.int64 if graph.has_integer_weights else np.float64
    found = Potentials(np.empty(graph.n, dtype=dtype), np.empty(graph.m, dtype=dtype))
    if not graph.has_integer_weights:
        _signed(graph, searches=False).potentials(height=found.height, reduced=found.reduced)
        return found
    try:
        arcs = arc_arrays(graph, graph.arc_weights(dtype))
        cycle = _cpu.potentials(arcs, reduced=found.reduced, height=found.height)
    except OverflowError as error:
        raise DtypeRangeError(f"the weights are too large for exact potentials: {error}; use float weights") from None
    if cycle:
        raise NegativeCycleError(cycle, _length(graph, cycle), graph.labels)
    return found


def signed_floats(graph: Graph) -> _cpu.SignedFloats:
    """Searches by exact sums in a graph with negative float arcs.

    Raises
    ------
    NegativeCycleError
        With a simple cycle and its length (`math.fsum`, correctly rounded), which is below zero. When a cycle of floats
        counts as negative is described at `apsp.graph.signed.signed_searches`.
    """
    return _signed(graph, searches=True)


def _signed(graph: Graph, *, searches: bool) -> _cpu.SignedFloats:
    found = signed_searches(graph, searches=searches)
    if found.cycle:
        raise NegativeCycleError(found.cycle, _length(graph, found.cycle), graph.labels)
    return found


def _length(graph: Graph, cycle: list[int]) -> int | float:
    arcs = list(zip(cycle, [*cycle[1:], cycle[0]], strict=True))
    passable = graph._with(zones=None)
    lengths = [length(passable, arc) for arc in arcs]
    return sum(lengths) if graph.has_integer_weights else math.fsum(lengths)
