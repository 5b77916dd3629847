"""Proven of the eccentricities from a few searches, or None where all rows are the better way."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from apsp.api.measures.options import Options
from apsp.api.summing import stream_sums
from apsp.graph.device import DeviceGraph
from apsp.graph.model import Graph
from apsp.measures.eccentricity_bounds import EccentricityBounds, Positions
from apsp.measures.far_pairs import FarPairs
from apsp.measures.proven import Proven
from apsp.measures.strong_parts import StrongParts, TooDeepError
from apsp.measures.summary import summarize
from apsp.methods.searches.few_sources import FewSources, searched_dtype
from apsp.semiring import unreachable
from apsp.system.limits import allowed_cores
from apsp.system.machine import threads_named
from apsp.system.progress import reporting
from apsp.system.thread_limit import threads_by_default

__all__ = ["Wanted", "by_few_searches", "needs_all_rows"]

Wanted = Literal["diameter", "periphery", "radius", "center", "eccentricity"]

SMALLEST = 4096
"""Vertices from which on searches one after another can be faster than all rows at once."""

_DENSEST = 1 / 16
"""Arcs per pair of vertices above which a search costs too much, compared with a row of all."""

_FIRST = 16
_SHARE = 1 / 400
"""Searches that may be spent before the number of open vertices decides: these, and this share of the vertices. A
search costs up to about 40 rows of all, so that they cost at most a tenth of all rows."""

_FEW = 64
"""Open vertices that are searched one after another, however many searches were spent."""

_STALLED = 4
"""Largest number of vertices that a round of searches closed for the end, which searches from all that are open."""

_WORD = 16
"""Open vertices from which on searches that share words of bits take less time than one after another."""

_FEW_PAIRS = 4
"""Open vertices that are searched without a look at pairs."""

_AT_ONCE = 8
_BYTES = 64 << 20
"""Searches at once at the end, and the memory for their rows."""


def by_few_searches(
    graph: Graph, options: Options, *wanted: Wanted, pair: bool = False, most: int | None = None
) -> Proven | None:
    """Find extremes by bounds from a few searches; None if all rows are to be computed.

    Parameters
    ----------
    graph : Graph
    options : Options
        Those of the measure. A cutoff, a dtype, a method, a GPU, a file of pages or a number of rows needs all rows.
    *wanted : {'diameter', 'periphery', 'radius', 'center', 'eccentricity'}
    pair : bool
        Find a pair of vertices at the diameter too, which is wanted.
    most : int, optional
        About how many searches to spend at most; `Proven.remaining` tells whether they were enough.

    Returns
    -------
    Proven or None
    """
    if needs_all_rows(graph, options):
        return None
    of_floats = graph.weights is not None and graph.weights.dtype.kind == "f"
    integers = _as_integers(graph) if of_floats else graph
    dtype = None if integers is None else searched_dtype(integers)
    if integers is None or dtype is None:
        return None
    graph = integers
    threads = threads_named(options.get("threads")) or threads_by_default(allowed_cores())
    few = FewSources(graph, dtype, threads)
    first = _first(graph, few)
    try:
        parts = StrongParts(graph, dtype, reached=first.component)
    except TooDeepError:
        return None
    bounds = EccentricityBounds(graph, parts, dtype)
    search = _Search(bounds, few, wanted)
    with reporting(options.get("progress", False)) as report:
        remaining = search.run(first, most)
        if report is not None and not len(remaining):
            report("searches", search.searches, search.searches)
    if len(remaining) and most is not None:
        return Proven(bounds, search.searches, of_floats, len(remaining))
    if len(remaining):
        _compute(bounds, remaining, options)
    if pair:
        search.search_pair()
    return Proven(bounds, search.searches + len(remaining), of_floats)


def needs_all_rows(graph: Graph, options: Options) -> bool:
    """Whether the graph or the request is not for searches one after another on the CPU."""
    return (
        isinstance(graph, DeviceGraph)
        or graph.n < SMALLEST
        or graph.m > graph.n * graph.n * _DENSEST
        or graph.has_zones
        or options.get("device", "auto") not in ("auto", "cpu")
        or any(options.get(name, "auto") != "auto" for name in ("dtype", "method"))
        or any(options.get(name) is not None for name in ("cutoff", "gpu_memory", "pages_file", "rows"))
    )


def _as_integers(graph: Graph) -> Graph | None:
    """The graph with integers for weights that are whole floats; None if a weight or a distance may not be exact.

    Other floats need all rows: sums of rounded distances bound a row only to a rounding, within which many vertices can
    lie, and the rounding of a value depends on the method that computes it.
    """
    weights = graph.weights
    least, longest = graph.weight_range or (0, 0)
    if weights is None or least < 0 or longest * graph.n > 2 ** (np.finfo(weights.dtype).nmant + 1):
        return None
    return graph.with_weights(weights.astype(np.int64)) if (weights == np.trunc(weights)).all() else None


@dataclass(frozen=True)
class _First:
    """The search from the vertex with the most arcs, and to it, and its component if that is known from them."""

    vertex: int
    out: npt.NDArray[Any]
    into: npt.NDArray[Any]
    component: npt.NDArray[np.bool_] | None


def _first(graph: Graph, few: FewSources) -> _First:
    vertex = np.array([np.diff(graph.indptr).argmax()], dtype=np.int32)
    out = few.distances_from(vertex)[0]
    into = few.distances_to(vertex)[0] if graph.directed else out
    reached = out != unreachable(out.dtype)
    known = not graph.directed or (reached.all() and into.max() != unreachable(out.dtype))
    return _First(int(vertex[0]), out, into, reached if known else None)


class _Search:
    """The choice of vertices, and the searches from and to them.

    The vertex with the largest upper bound may have the diameter; one with the smallest lower bound may have the
    radius, and lowers the upper bounds of others. Both are searched in turn. Of equal bounds, sums of distances decide.
    """

    def __init__(self, bounds: EccentricityBounds, few: FewSources, wanted: tuple[Wanted, ...]) -> None:
        self.bounds = bounds
        self.few = few
        self.wanted = wanted
        self.pairs = FarPairs(bounds.parts, few.threads)
        self.searches = 0

    def run(self, first: _First, most: int | None = None) -> Positions:
        """Search until nothing is open, or too much for searches one after another, or for the most: return that."""
        if self.bounds.parts.part[first.vertex] == self.bounds.parts.largest:
            self._bound(first.vertex, first.out, first.into)
            self.bounds.spread()
        else:
            self._add(np.array([self.bounds.first()], dtype=np.int32))
        before, spent = self.bounds.graph.n, self.searches
        while True:
            far, near = self._open()
            remaining = _united(self.bounds.graph.n, far, near)
            count, closed, searched = len(remaining), before - len(remaining), self.searches - spent
            if not count or self._is_lost(count) or (most is not None and self.searches >= most):
                return remaining
            before, spent = count, self.searches
            if count <= _FEW and closed <= max(searched, _STALLED):
                self._finish(remaining)
            else:
                self._add(np.array(self._next(far, near), dtype=np.int32))

    def _add(self, vertices: npt.NDArray[np.int32]) -> None:
        """Search from vertices and to them, and bound others."""
        bounds = self.bounds
        out = self.few.distances_from(vertices)
        into: dict[int, npt.NDArray[Any]] = dict(zip(vertices.tolist(), out, strict=True))
        if bounds.graph.directed:
            reached = vertices if not self.searches else vertices[bounds.parts.are_reached(vertices)]
            into = dict(zip(reached.tolist(), self.few.distances_to(reached), strict=True))
        for vertex, row in zip(vertices.tolist(), out, strict=True):
            self._bound(vertex, row, into.get(vertex))
        bounds.spread()

    def _bound(self, vertex: int, out: npt.NDArray[Any], into: npt.NDArray[Any] | None) -> None:
        """Add a search."""
        self.bounds.add(vertex, out, into)
        if into is not None:
            self.pairs.add(vertex, out, into, int(self.bounds.lower[vertex]))
        self.searches += 1

    def _finish(self, remaining: Positions) -> None:
        """Search from some of the vertices that bounds leave open, or all, which help each other little."""
        if len(remaining) >= _WORD and self.few.has_words and self.bounds.parts.is_one:
            vertices = remaining.astype(np.int32)
            self.bounds.set(remaining, self.few.farthest_from(vertices))
            self.searches += len(vertices)
            return
        self._search_rows(remaining)

    def _search_rows(self, remaining: Positions) -> None:
        """Search from some vertices, one after another. A second search from a vertex does not count."""
        at_once = min(max(_BYTES // (self.bounds.graph.n * self.few.dtype.itemsize), 1), _AT_ONCE)
        vertices = remaining[:at_once].astype(np.int32)
        self.searches += int(np.count_nonzero(~self.bounds.searched[vertices]))
        for vertex, row in zip(vertices.tolist(), self.few.distances_from(vertices), strict=True):
            self.bounds.add(vertex, row, None if self.bounds.graph.directed else row)

    def search_pair(self) -> None:
        """Search from a vertex with the diameter, if bounds proved that and no search has shown a pair."""
        bounds = self.bounds
        if bounds.farthest[0] < bounds.lower.max():
            self._search_rows(np.array([bounds.lower.argmax()]))

    def _open(self) -> tuple[Positions, Positions]:
        bounds, wanted = self.bounds, self.wanted
        none = np.empty(0, dtype=np.int64)
        far, near = none, none
        if "eccentricity" in wanted:
            far = bounds.open_for_each()
        elif "diameter" in wanted or "periphery" in wanted:
            far = self._open_for_largest(all_of_them="periphery" in wanted)
        if "radius" in wanted or "center" in wanted:
            near = bounds.open_for_smallest(all_of_them="center" in wanted)
        return far, near

    def _open_for_largest(self, *, all_of_them: bool) -> Positions:
        bounds = self.bounds
        far = bounds.open_for_largest(all_of_them=all_of_them)
        if len(far) > _FEW_PAIRS:
            limit = int(bounds.lower.max()) - all_of_them
            bounds.limit(self.pairs.within(far, limit), limit)
            far = bounds.open_for_largest(all_of_them=all_of_them)
        return far

    def _is_lost(self, remaining: int) -> bool:
        """Whether to compute the remaining vertices at once."""
        n, spent = self.bounds.graph.n, self.searches
        limit = _FIRST + int(n * _SHARE)
        if remaining <= max(_FEW, spent // 2):
            return False
        return spent >= limit or (spent >= max(limit // 4, 8) and remaining > 0.9 * n)

    def _next(self, far: Positions, near: Positions) -> list[int]:
        bounds = self.bounds
        chosen = []
        if len(far):
            chosen.append(_best(far, bounds.upper, bounds.total, largest=True))
        if len(near):
            chosen.append(_best(near, bounds.lower, bounds.total, largest=False))
        else:
            others = np.flatnonzero(~bounds.searched & (bounds.parts.part == bounds.parts.largest))
            if len(others):
                chosen.append(_best(others, bounds.lower, bounds.total, largest=False))
        return list(dict.fromkeys(chosen))


def _united(n: int, one: Positions, other: Positions) -> Positions:
    """The vertices of either, without repetition."""
    if not len(one) or not len(other):
        return one if len(one) else other
    either = np.zeros(n, dtype=bool)
    either[one] = either[other] = True
    return np.flatnonzero(either)


def _best(vertices: Positions, bound: npt.NDArray[Any], total: npt.NDArray[Any], *, largest: bool) -> int:
    """The vertex with the largest (smallest) bound; of several with the largest (smallest) sum of distances."""
    values = bound[vertices]
    vertices = vertices[values == (values.max() if largest else values.min())]
    totals = total[vertices]
    return int(vertices[totals.argmax() if largest else totals.argmin()])


def _compute(bounds: EccentricityBounds, vertices: Positions, options: Options) -> None:
    """The eccentricities of the vertices that bounds left open, at once."""
    graph = bounds.graph
    blocks: Any = stream_sums(graph, sources=graph.labels.take(vertices), **options)
    found = summarize(  # of positions
        blocks, graph.n, directed=graph.directed, reciprocals=False, threads=options.get("threads")
    )
    bounds.set(vertices, found.eccentricity)
    pair = found.farthest_pair
    if pair is not None and pair.distance > bounds.farthest[0]:
        source, target = pair.source, pair.target
        bounds.farthest = int(pair.distance), source, target
    parts = bounds.parts
    parts.reach[parts.part[vertices]] = found.reachable + 1
    parts.reach_known[parts.part[vertices]] = True
