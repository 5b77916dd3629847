"""Reference solver: Bellman-Ford from every source in plain NumPy.

Source: Bellman 1958; Ford 1956. Input: any graph. Output: as `Solver.fill`. Cost: n rounds of m operations per source
at worst; O(m) memory beyond the output. Raises NegativeCycleError.

The idea: relax every arc at once until nothing changes. It shares no code with the kernels that it checks, and computes
in int64 or float64 for any dtype of the request; if some floats are negative, in Python's integers, so that sums that
cancel are exact.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from apsp.errors import NegativeCycleError
from apsp.graph.model import Graph
from apsp.methods.problem import IntArray, KernelProgress, Problem, Solver
from apsp.result.paths import passed_through
from apsp.semiring import NO_VERTEX, unreachable

__all__ = ["prepare"]

_UNIT = -1200  # finer than the rounding steps of all floats
_FAR = 1 << 6000  # beyond every sum of floats in this unit


def prepare(problem: Problem) -> Solver:
    """Prepare the method for a problem."""
    return _Reference(problem)


class _Reference(Solver):
    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        graph = problem.graph
        self.tails = graph.tails()
        self.heads = graph.indices
        self.open = np.ones(graph.m, dtype=bool) if graph.zones is None else ~graph.zones[self.tails]
        self.in_units = problem.dtype.kind == "f" and graph.has_negative_arc and not graph.has_integer_weights
        if self.in_units:
            assert graph.weights is not None
            self.weights, forgiving = _in_units(graph.weights)
        else:
            self.weights = forgiving = graph.arc_weights(np.int64 if problem.dtype.kind in "iu" else np.float64)
        try:
            _check_cycles(graph, self.tails, self.heads, self.weights)
        except NegativeCycleError:
            _check_cycles(graph, self.tails, self.heads, forgiving)
            self.weights = forgiving

    def fill(
        self,
        sources: IntArray,
        dist: npt.NDArray[Any],
        pred: IntArray | None,
        progress: KernelProgress | None = None,
    ) -> None:
        """Write distances from the sources and, if requested, their predecessors."""
        problem = self.problem
        for row, source in enumerate(sources.tolist()):
            arcs = np.flatnonzero(self.open | (self.tails == source))
            exact, before = _single_source(
                problem.graph.n, source, self.tails[arcs], self.heads[arcs], self.weights[arcs]
            )
            infinite = exact == _no_path(exact.dtype)
            if self.in_units:
                exact = np.array([0.0 if far else _float(d) for d, far in zip(exact, infinite, strict=True)])
            result = np.where(infinite, 0, exact).astype(problem.dtype)
            if problem.cutoff is not None:
                infinite |= result > problem.cutoff
            result[infinite] = unreachable(problem.dtype)
            dist[row] = result if problem.targets is None else result[problem.targets]
            if pred is not None:
                kept = passed_through(before[None], ~infinite[None])[0]
                pred[row] = np.where(kept, before, NO_VERTEX)
            if progress is not None:
                progress(row + 1)


def _in_units(weights: npt.NDArray[Any]) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
    """Return floats as integers times 2^_UNIT: exact ones, and ones longer by the rounding tolerance.

    The tolerance is that of `apsp.graph.signed.signed_searches`.
    """
    exact = [Fraction(weight) for weight in weights.tolist()]
    epsilon, scale = Fraction(float(np.finfo(weights.dtype).eps)), Fraction(2) ** -_UNIT
    most = epsilon * max(abs(weight) for weight in exact)
    lengths = [int(weight * scale) for weight in exact]
    more = [math.floor(min(most, 1024 * epsilon * abs(weight)) * scale) for weight in exact]
    longer = [length + little for length, little in zip(lengths, more, strict=True)]
    return np.array(lengths, dtype=object), np.array(longer, dtype=object)


def _float(length: int) -> float:
    return float(length * Fraction(2) ** _UNIT)


def _no_path(dtype: np.dtype[Any]) -> Any:
    return _FAR if dtype.kind == "O" else unreachable(dtype)


def _single_source(
    n: int, source: int, tails: IntArray, heads: IntArray, weights: npt.NDArray[Any]
) -> tuple[npt.NDArray[Any], IntArray]:
    """Distances from one source in the dtype of the weights, and the vertex whose relaxation set each of them."""
    none = _no_path(weights.dtype)
    dist = np.full(n, none, dtype=weights.dtype)
    before = np.full(n, NO_VERTEX, dtype=np.int32)
    dist[source] = 0
    while True:
        reached = dist[tails] != none
        sums = dist[tails[reached]] + weights[reached]
        improved = sums < dist[heads[reached]]
        if not improved.any():
            return dist, before
        new_tails, new_heads, new_sums = tails[reached][improved], heads[reached][improved], sums[improved]
        best = dist.copy()
        np.minimum.at(best, new_heads, new_sums)
        winners = new_sums == best[new_heads]
        before[new_heads[winners]] = new_tails[winners]
        dist = best


def _check_cycles(graph: Graph, tails: IntArray, heads: IntArray, weights: npt.NDArray[Any]) -> None:
    """Relax from every vertex at once, n rounds; an arc that still improves leads back to a negative cycle."""
    n = graph.n
    dist = np.zeros(n, dtype=weights.dtype)
    before = np.full(n, NO_VERTEX, dtype=np.int64)
    changed: npt.NDArray[np.intp] = np.empty(0, dtype=np.intp)
    for _ in range(n + 1):
        sums = dist[tails] + weights
        improved = np.flatnonzero(sums < dist[heads])
        if not len(improved):
            return
        best = dist.copy()
        np.minimum.at(best, heads[improved], sums[improved])
        winners = improved[sums[improved] == best[heads[improved]]]
        before[heads[winners]] = tails[winners]
        dist = best
        changed = winners
    vertex = int(heads[changed[0]])
    for _ in range(n):
        vertex = int(before[vertex])
    cycle = [vertex]
    while (vertex := int(before[vertex])) != cycle[0]:
        cycle.append(vertex)
    cycle.reverse()
    raise NegativeCycleError(cycle, labels=graph.labels)
