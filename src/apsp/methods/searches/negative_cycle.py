"""A negative cycle of a graph that is known, or suspected, to have one.

Source: Bellman 1958; Cherkassky and Goldberg 1999, section 3 (cycles in the graph of parents). Input: a graph.
Output: a simple cycle with its exact length. Cost: O(m) per round, as many rounds as the cycle needs (at most n).

The idea: start from all vertices at distance 0 and relax all arcs round by round; the last improvements, followed
backward, lead to a cycle. With rounding the cycle may not be negative: the length of each cycle is computed exactly.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from apsp.errors import DtypeRangeError, NegativeCycleError
from apsp.facts.potentials import potentials
from apsp.graph.model import Graph
from apsp.semiring import NO_VERTEX

__all__ = ["find_negative_cycle", "refuse_negative_cycle"]

_INT64 = 2**62  # sums of n weights below it are computed in int64, larger ones in Python's integers


def find_negative_cycle(graph: Graph) -> tuple[list[int], int | float] | None:
    """Return the vertices of a simple negative cycle in order, and its length; None if there is none.

    Arcs that leave zones count like others.
    """
    if not graph.has_negative_arc:
        return None
    tails, heads = graph.tails(), graph.indices
    weights = _wide_weights(graph)
    dist = np.zeros(graph.n, dtype=weights.dtype)
    parent = np.full(graph.n, NO_VERTEX, dtype=np.int64)
    for _ in range(graph.n + 1):
        sums = dist[tails] + weights
        improved = np.flatnonzero(sums < dist[heads])
        if not len(improved):
            return None
        best = dist.copy()
        np.minimum.at(best, heads[improved], sums[improved])
        winners = improved[sums[improved] == best[heads[improved]]]
        parent[heads[winners]] = tails[winners]
        dist = best
        for cycle in _parent_cycles(parent):
            length = _exact_length(graph, cycle)
            if length < 0:
                return cycle, length
    return None


def _wide_weights(graph: Graph) -> npt.NDArray[Any]:
    assert graph.weights is not None
    if graph.weights.dtype.kind == "f":
        return graph.weights.astype(np.float64)
    largest = max(abs(int(graph.weights.min())), abs(int(graph.weights.max())))
    return graph.weights.astype(np.int64 if largest * (graph.n + 1) < _INT64 else object)


def _parent_cycles(parent: npt.NDArray[np.int64]) -> list[list[int]]:
    """Return the cycles of the graph of parents: the vertices that remain after following parents for more steps than a
    path has arcs.
    """
    if not (parent == NO_VERTEX).any():
        ends = np.arange(len(parent))
        jump = parent.copy()
    else:
        jump = np.append(parent, len(parent))  # one vertex more, where all paths end
        jump[jump == NO_VERTEX] = len(parent)
        ends = np.arange(len(parent) + 1)
    for _ in range(max(1, len(parent)).bit_length()):
        jump = jump[jump]
    on_cycle = np.unique(jump[ends])
    cycles: list[list[int]] = []
    seen: set[int] = set()
    for start in on_cycle[on_cycle < len(parent)].tolist():
        if start in seen:
            continue
        cycle = [start]
        while (vertex := int(parent[cycle[-1]])) != start:
            cycle.append(vertex)
        seen.update(cycle)
        cycles.append(cycle[::-1])
    return cycles


def _exact_length(graph: Graph, cycle: list[int]) -> int | float:
    """Sum of the arcs of a cycle: exact for integers, correctly rounded (so of the right sign) for floats."""
    assert graph.weights is not None
    weights = []
    for tail, head in zip(cycle, [*cycle[1:], cycle[0]], strict=True):
        first, last = graph.indptr[tail], graph.indptr[tail + 1]
        arc = int(first + np.searchsorted(graph.indices[first:last], head))
        weights.append(graph.weights[arc].item())
    return sum(weights) if graph.has_integer_weights else math.fsum(weights)


def refuse_negative_cycle(graph: Graph) -> None:
    """Raise NegativeCycleError if there is one.

    The decision is that of the potentials, so that all methods agree on cycles of floats that are negative only by
    rounding.
    """
    if not graph.has_negative_arc:
        return
    try:
        potentials(graph)
    except DtypeRangeError:  # integers too large for potentials
        found = find_negative_cycle(graph)
        if found is not None:
            raise NegativeCycleError(*found, labels=graph.labels) from None
