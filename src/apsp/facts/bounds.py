"""Bounds on shortest paths: the proof that a narrow dtype holds every distance.

Every bound here is proven, never estimated:

- a shortest path has at most n - 1 arcs, so it is at most n - 1 times the longest arc;
- if every vertex has an arc to every other one, no distance exceeds the longest arc;
- it leaves each vertex at most once, so it is at most the sum of the longest arc out of each vertex;
- in a connected undirected graph it is at most twice the longest distance from any vertex;
- inside a strongly connected component a path may go through any root r, so it is at most ecc_in(r) + ecc_out(r): two
  single-source runs bound all pairs. Across components a path is a chain of the condensation: the longest chain, with
  these bounds on its components and the longest arc between them, bounds all pairs of any graph.

A zone (a vertex that paths may not pass through) counts as two vertices, one where paths start and one where they
end. Negative arcs are made non-negative by potentials h: d(u, v) = d'(u, v) - h(u) + h(v). Cost: O(m log n).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from apsp import _cpu
from apsp.errors import DtypeRangeError
from apsp.facts.potentials import potentials
from apsp.graph.csr import arc_arrays
from apsp.graph.model import Graph
from apsp.graph.weak_parts import weak_parts
from apsp.semiring import unreachable

__all__ = ["EVERY_PAIR", "DistanceBound", "coarse_bound", "distance_bound", "most_hops"]

Array = npt.NDArray[Any]
_SWEEPS = 8
_UINT16, _INT32 = 2**16 - 2, 2**29 - 1  # the largest bounds that these dtypes hold: `apsp.facts.dtypes`

EVERY_PAIR = "the longest arc, and every vertex has an arc to every other"
"""The reason of the bound on complete graphs."""


@dataclass(frozen=True)
class DistanceBound:
    """Every finite distance of a graph lies in low .. high.

    Attributes
    ----------
    low, high : int or float
        low <= 0 <= high (a vertex is at distance 0 from itself). Integers for integer graphs; for floats the rounding
        of the sums is included.
    reason : str
        The reason, as text that follows "every distance is at most ...".
    is_coarse : bool
        Whether searches may prove a smaller one.
    least : int or float
        Some finite distance is at least so long.
    """

    low: int | float
    high: int | float
    reason: str
    is_coarse: bool = False
    least: int | float = field(default=0, compare=False)


@dataclass(frozen=True)
class _Arcs:
    """Arcs in rows, zones split, weights int64 or float64 and at least 0."""

    indptr: npt.NDArray[np.int64]
    heads: npt.NDArray[np.int32]
    weights: Array

    @property
    def n(self) -> int:
        return len(self.indptr) - 1

    def tails(self) -> npt.NDArray[np.int32]:
        return np.repeat(np.arange(self.n, dtype=np.int32), np.diff(self.indptr))

    def part(self, kept: npt.NDArray[np.bool_]) -> _Arcs:
        """Some of the arcs."""
        count = np.append(0, np.cumsum(kept))
        return _Arcs(count[self.indptr], self.heads[kept], self.weights[kept])

    def reversed(self) -> _Arcs:
        turned = _Arcs(np.empty_like(self.indptr), np.empty_like(self.heads), np.empty_like(self.weights))
        _cpu.reversed_arcs(
            self.arrays(), self.weights.view(np.int64), turned.indptr, turned.heads, turned.weights.view(np.int64)
        )
        return turned

    def arrays(self) -> _cpu.ArcArrays:
        """The arcs for kernels."""
        return _cpu.ArcArrays(self.indptr, self.heads, self.weights)


def distance_bound(graph: Graph) -> DistanceBound:
    """A proven bound on every finite distance.

    The cheap proofs come first, and the expensive ones only if their bound could change the dtype.

    Raises
    ------
    NegativeCycleError
        If the graph has one.
    """
    if graph.m == 0:
        return DistanceBound(0, 0, "there is no arc")
    if not graph.has_negative_arc:
        high, reason = _best(graph, graph.weights, _enough(graph))
        return DistanceBound(0, _rounded_up(high, graph), reason)
    largest, smallest = _extremes(graph)
    high = (graph.n - 1) * max(largest, 0)
    low, reason = (graph.n - 1) * smallest, "n - 1 times the longest arc"
    try:
        found = potentials(graph)
    except DtypeRangeError:
        return DistanceBound(_rounded_down(low, graph), _rounded_up(high, graph), reason)
    spread = found.height.max().item() - found.height.min().item()
    reduced, why = _best(graph, found.reduced, _enough(graph) - spread)
    if reduced + spread < high:
        high, reason = reduced + spread, f"in weights reduced by potentials {why}, and {spread} for the potentials"
    return DistanceBound(_rounded_down(max(low, -spread), graph), _rounded_up(high, graph), reason)


def coarse_bound(graph: Graph) -> DistanceBound:
    """A proven bound on every finite distance of a graph without negative arcs, from its longest arc alone."""
    high = (graph.n - 1) * graph.longest_arc if graph.m else 0
    return DistanceBound(0, _rounded_up(high, graph), "n - 1 times the longest arc", is_coarse=True)


def most_hops(graph: Graph) -> int | None:
    """A bound on the fewest arcs of a path from any vertex to any other, whatever the weights are.

    None if there are zones, or no paths between some vertices. O(m).
    """
    if graph.has_zones or graph.m == 0:
        return None
    root = np.array([np.argmax(np.diff(graph.indptr))], dtype=np.int32)
    arcs = _Arcs(graph.indptr, graph.indices, np.ones(graph.m, dtype=np.int64))
    ways = [_from_nearest(each, root).max().item() for each in ([arcs, arcs.reversed()] if graph.directed else [arcs])]
    return None if max(ways) >= graph.n else sum(ways) * (1 if graph.directed else 2)


def _enough(graph: Graph) -> int | float:
    """Return a bound below which no narrower dtype is possible: it must hold the longest arc, too."""
    if graph.has_integer_weights:
        return _INT32 if graph.has_negative_arc or graph.longest_arc > _UINT16 else _UINT16
    assert graph.weights is not None
    return float(np.finfo(graph.weights.dtype).max) / 2


def _wide(graph: Graph) -> Any:
    return np.int64 if graph.has_integer_weights else np.float64


def _extremes(graph: Graph) -> tuple[int | float, int | float]:
    weights = graph.arc_weights(_wide(graph))
    return weights.max().item(), weights.min().item()


def _rounded_up(bound: float, graph: Graph) -> int | float:
    """Return the bound plus the rounding of n additions in the dtype of the weights."""
    if graph.weights is None or graph.has_integer_weights:
        return int(bound)
    eps = float(np.finfo(graph.weights.dtype).eps)
    return float(bound) * (1 + graph.n * eps)


def _rounded_down(bound: float, graph: Graph) -> int | float:
    return -_rounded_up(-bound, graph)


def _best(graph: Graph, weights: Array | None, enough: float) -> tuple[int | float, str]:
    """Return the smallest bound on every path with these weights (all at least 0), and the reason.

    Stops at the first bound that is at most `enough`.
    """
    number: Any = float if weights is not None and weights.dtype.kind == "f" else int
    largest = 1 if weights is None else number(weights.max())
    bounds: list[tuple[int | float, str]] = [((graph.n - 1) * largest, "n - 1 times the longest arc")]
    for proof in (_single_arcs, _largest_part, _one_search, _through_root, _longest_arcs_out, _components):
        if min(bounds)[0] <= enough:
            break
        found = proof(graph, weights, enough)
        bounds += found
        if proof is _one_search and found and found[0][0] > 2 * _UINT16:
            enough = max(enough, _INT32)  # half of it is a distance
    return min(bounds, key=lambda bound: bound[0])


_Bounds = list[tuple[int | float, str]]


def _single_arcs(graph: Graph, weights: Array | None, enough: float) -> _Bounds:  # noqa: ARG001
    """Return the longest arc if the graph is complete."""
    pairs = graph.n * (graph.n - 1)
    if graph.m < pairs or np.count_nonzero(graph.tails() != graph.indices) < pairs:
        return []
    return [(1 if weights is None else _number(weights.max()), EVERY_PAIR)]


def _largest_part(graph: Graph, weights: Array | None, enough: float) -> _Bounds:  # noqa: ARG001
    """Return the longest arc times the arcs of a path in the largest part, if the graph falls into components."""
    parts = weak_parts(graph)
    if parts is None:
        return []
    largest = 1 if weights is None else _number(weights.max())
    return [((int(parts.sizes.max()) - 1) * largest, "the longest arc times the vertices of the largest components")]


def _one_search(graph: Graph, weights: Array | None, enough: float) -> _Bounds:  # noqa: ARG001
    """Return twice the longest distance from the vertex with the most arcs, in a connected undirected graph."""
    if graph.directed or graph.has_zones or graph.has_negative_arc:
        return []
    root = int(np.argmax(np.diff(graph.indptr)))
    if weights is None:
        weights = np.ones(graph.m, dtype=np.int32)
    elif weights.dtype == np.int64 and int(weights.max()) < 2**31 - 1:
        weights = weights.astype(np.int32)  # a search that leaves its range proves nothing
    lengths = _from_nearest(_Arcs(graph.indptr, graph.indices, weights), np.array([root], dtype=np.int32))
    farthest = _number(lengths.max())
    if farthest >= unreachable(lengths.dtype):
        return []
    return [(2 * farthest, f"twice the longest distance from vertex {graph.word(root)}")]


def _through_root(graph: Graph, weights: Array | None, enough: float) -> _Bounds:
    """Return a bound from a few sweeps over the arcs, from and to the vertex with the most arcs.

    This bound is sufficient if paths have few arcs.
    """
    degree = np.diff(graph.indptr)
    if graph.zones is not None:
        degree = np.where(graph.zones, -1, degree)
    root = int(np.argmax(degree))
    if degree[root] < 1:
        return []
    bound = _cpu.through_root(arc_arrays(graph, weights), root=root, sweeps=_SWEEPS, enough=max(enough, 0))
    return [] if bound is None else [(bound, f"what paths through vertex {graph.word(root)} prove")]


def _longest_arcs_out(graph: Graph, weights: Array | None, enough: float) -> _Bounds:  # noqa: ARG001
    if weights is None:
        return []
    longest = np.maximum.reduceat(weights, graph.indptr[np.flatnonzero(np.diff(graph.indptr))])
    if longest.dtype.kind == "i" and len(longest) * int(longest.max()) >= 2**62:
        return []
    wide = np.float64 if longest.dtype.kind == "f" else np.int64
    with np.errstate(over="ignore"):  # an infinite bound is valid: it excludes the dtype
        total = longest.sum(dtype=wide).item()
    return [(total, "the sum of the longest arc out of each vertex")]


def _components(graph: Graph, weights: Array | None, enough: float) -> _Bounds:  # noqa: ARG001
    arcs = _split_zones(graph, graph.arc_weights(_wide(graph)) if weights is None else weights.astype(_wide(graph)))
    chain = _chain(arcs)
    if chain >= unreachable(arcs.weights.dtype):
        return []
    return [(_number(chain), "what two searches in each strongly connected component prove")]


def _number(value: float) -> int | float:
    return value.item() if isinstance(value, np.generic) else value


def _split_zones(graph: Graph, weights: Array) -> _Arcs:
    """Split each zone: paths end in a copy without arcs out, and start in a copy without arcs in."""
    heads = graph.indices
    if graph.zones is None or not graph.has_zones:
        return _Arcs(graph.indptr, heads, weights)
    copies = np.arange(graph.n, dtype=np.int32)
    ends = np.flatnonzero(graph.zones)
    copies[ends] = graph.n + np.arange(len(ends), dtype=np.int32)
    indptr = np.append(graph.indptr, np.full(len(ends), graph.m))
    return _Arcs(indptr, copies[heads], weights)


def _chain(arcs: _Arcs) -> int | float:
    count, labels = _cpu.strong_components(arcs.arrays())
    tails = arcs.tails()
    inside = labels[tails] == labels[arcs.heads]
    inner = np.zeros(count, dtype=arcs.weights.dtype)
    if inside.any():
        within = arcs if inside.all() else arcs.part(inside)
        roots = _roots(labels, count, within)
        none = unreachable(inner.dtype)
        out, into = (_eccentricities(each, roots, labels) for each in (within, within.reversed()))
        if inner.dtype.kind == "i" and (out > none - into).any():
            return none
        with np.errstate(over="ignore"):  # an infinite sum proves nothing
            inner = out + into
        if not np.isfinite(inner).all():
            return none
    return _cpu.longest_chain(arcs.arrays(), labels=labels, inner=inner)


def _roots(labels: Array, count: int, arcs: _Arcs) -> npt.NDArray[np.int32]:
    """A vertex of each component: the one with the most arcs inside it, which tends to be central."""
    degree = np.diff(arcs.indptr) + np.bincount(arcs.heads, minlength=arcs.n)
    roots = np.empty(count, dtype=np.int32)
    order = np.argsort(degree, kind="stable").astype(np.int32)
    roots[labels[order]] = order  # the last one written has the largest degree
    return roots


def _eccentricities(arcs: _Arcs, roots: npt.NDArray[np.int32], labels: Array) -> Array:
    """The longest distance from the root of each component inside it: one search from all of them."""
    longest = np.zeros(len(roots), dtype=arcs.weights.dtype)
    np.maximum.at(longest, labels, _from_nearest(arcs, roots))
    return longest


def _from_nearest(arcs: _Arcs, roots: npt.NDArray[np.int32]) -> Array:
    """(n,) distances from the nearest of the roots."""
    shape = (arcs.n, 1)
    lengths, nearest = np.empty(shape, dtype=arcs.weights.dtype), np.empty(shape, dtype=np.int32)
    _cpu.nearest_seeds(arcs.arrays(), seeds=roots, nearest=nearest, lengths=lengths)
    return lengths[:, 0]
