"""Extremes of the eccentricities, proven by a few searches; None where all rows are the better way."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from apsp.bounds.bounded_search import LIMITS, BoundedSearch, ExtremeName, Searches, SearchLimits
from apsp.bounds.searches_on_cpu import SearchesOnCpu
from apsp.facts.request import Request
from apsp.graph.device import DeviceGraph
from apsp.graph.model import Graph
from apsp.graph.weak_parts import WeakParts, components_apart, weak_parts
from apsp.methods.searches.few_sources import searched_dtype
from apsp.reductions.eccentricity_bounds import EccentricityBounds, Positions
from apsp.reductions.joined_bounds import JoinedBounds
from apsp.reductions.proven import Proven
from apsp.reductions.summary import Summary, summarize
from apsp.running.summing import stream_sums
from apsp.system.limits import allowed_cores
from apsp.system.progress import reporting
from apsp.system.thread_limit import threads_by_default

__all__ = ["ExtremeName", "by_few_searches", "needs_all_rows"]

_FEWEST_APART = 8
"""Vertices of components beside the largest one from which on components are searched one by one."""

_SHARE = 1 / 4
"""Share of the vertices: if the first search meets at most these, components are looked for at once."""


def by_few_searches(
    graph: Graph, options: Request, *names: ExtremeName, pair: bool = False, most: int | None = None,
    limits: SearchLimits = LIMITS,
) -> Proven | None:  # fmt: skip
    """Find extremes by bounds from a few searches; None if all rows are to be computed.

    Parameters
    ----------
    options : Request
        Those of the measure. A cutoff, a dtype, a method, a file of pages, a number of rows or a store needs all
        rows.
    *names : {'diameter', 'periphery', 'radius', 'center', 'eccentricity'}
    pair : bool
        Find a pair of vertices at the diameter, too; 'diameter' must be one of the names.
    most : int, optional
        About how many searches to spend at most; `Proven.remaining` tells whether they were enough.

    Returns
    -------
    Proven or None
    """
    if _needs_all_rows(graph, options, limits):
        return None
    of_floats = graph.weights is not None and graph.weights.dtype.kind == "f"
    integers = _as_integers(graph) if of_floats else graph
    dtype = None if integers is None else searched_dtype(integers)
    if integers is None or dtype is None:
        return None
    graph = integers
    searches = _searches(graph, dtype, options, limits)
    if searches is None:
        return None
    search, bounds = BoundedSearch(searches, names, limits), searches.bounds
    if len(search.run(limits.before_components if searches.share > _SHARE else 0)):
        parts = components_apart(graph, _FEWEST_APART)
        if parts is not None and (len(_large(parts, limits)) or weak_parts(graph) is not None):
            return _by_components(parts, of_floats, options, names, pair, most, searches.count, limits)
    with reporting(options.progress) as report:
        remaining = search.run(most)
        if report is not None and not len(remaining):
            report("searches", searches.count, searches.count)
    if len(remaining) and most is not None:
        return Proven(bounds, searches.count, of_floats, len(remaining))
    if len(remaining):
        _compute(bounds, remaining, options)
    if pair:
        search.search_pair()
    return Proven(bounds, searches.count + len(remaining), of_floats)


def _by_components(
    parts: WeakParts, of_floats: bool, options: Request, names: tuple[ExtremeName, ...], pair: bool,
    most: int | None, searches: int, limits: SearchLimits,
) -> Proven | None:  # fmt: skip
    """As `by_few_searches`, for each large component; rows of others, which are short, where they may decide.

    So many searches were spent before.
    """
    graph = parts.graph
    bounds = JoinedBounds(graph)
    remaining, left = 0, np.ones(graph.n, dtype=bool)
    silent = replace(options, progress=False)
    for number in _large(parts, limits).tolist():
        found = by_few_searches(parts.subgraph(number), silent, *names, pair=pair, most=most, limits=limits)
        if found is not None:
            assert isinstance(found.bounds, EccentricityBounds)
            vertices = parts.vertices_of(number)
            bounds.add(vertices, found.bounds)
            left[vertices] = False
            searches, remaining = searches + found.searches, remaining + found.remaining
    if left.all():
        return None
    others = np.flatnonzero(left & _may_decide(parts, bounds, names))
    bounds.reach[left & (parts.component_sizes == 1)] = 1
    if len(others):
        rest = _summary_of(graph, others, silent)
        bounds.set(others, rest.eccentricity, rest.reachable + 1)
        if rest.farthest_pair is not None:
            bounds.add_pair(rest.farthest_pair.distance, rest.farthest_pair.source, rest.farthest_pair.target)
    count = searches + len(others)
    with reporting(options.progress) as report:
        if report is not None:
            report("searches", count, count)
    return Proven(bounds, count, of_floats, remaining)


def _large(parts: WeakParts, limits: SearchLimits) -> npt.NDArray[np.int64]:
    """The components that are searched one by one."""
    found: npt.NDArray[np.int64] = parts.alone[parts.sizes[parts.alone] >= limits.smallest]
    return found


def _may_decide(parts: WeakParts, bounds: JoinedBounds, names: tuple[ExtremeName, ...]) -> npt.NDArray[np.bool_]:
    """The vertices that may have an extreme, by the sizes of their components: a path has fewer arcs than vertices."""
    sizes, longest = parts.component_sizes, parts.graph.longest_arc if parts.graph.m else 0
    found = np.zeros(len(sizes), dtype=bool)
    if "eccentricity" in names:
        found |= sizes > 1
    if "diameter" in names or "periphery" in names:
        largest = bounds.lower.max()
        found |= (sizes - 1) * longest >= largest if "periphery" in names else (sizes - 1) * longest > largest
    if "radius" in names or "center" in names:
        found |= sizes >= bounds.reach.max()
    return found


def needs_all_rows(graph: Graph, options: Request, limits: SearchLimits = LIMITS) -> bool:
    """Whether the graph or the request is not for searches one after another on the CPU."""
    return _needs_all_rows(graph, options, limits) or options.device not in ("auto", "cpu")


def _needs_all_rows(graph: Graph, options: Request, limits: SearchLimits) -> bool:
    """Whether the graph or the request is not for few searches."""
    return (
        isinstance(graph, DeviceGraph)
        or graph.n < limits.smallest
        or graph.m > graph.n * graph.n * limits.densest
        or graph.has_zones
        or graph._turned is not None
        or any(getattr(options, name) != "auto" for name in ("dtype", "method"))
        or any(getattr(options, name) is not None for name in ("cutoff", "gpu_memory", "pages_file", "rows", "store"))
    )


def _searches(graph: Graph, dtype: np.dtype[Any], options: Request, limits: SearchLimits) -> Searches | None:
    """Searches on the CPU, or on a GPU if one is named; None if all rows take about as long there."""
    threads = options.threads or threads_by_default(allowed_cores())
    if options.device in ("auto", "cpu"):
        return SearchesOnCpu(graph, dtype, threads, limits)
    from apsp.bounds.searches_on_gpu import SearchesOnGpu, rounds_on_gpu

    rounds = rounds_on_gpu(graph, dtype, options, limits)
    return None if rounds is None else SearchesOnGpu(graph, dtype, rounds, threads, limits.deep)


def _as_integers(graph: Graph) -> Graph | None:
    """The graph with integers for weights that are whole floats; None if a weight or a distance may not be exact.

    Other floats need all rows: sums of rounded distances bound a row only to a rounding, within which many vertices can
    lie, and the rounding of a value depends on the method that computes it.
    """
    weights = graph.weights
    least, longest = graph.weight_range or (0, 0)
    if weights is None or least < 0 or longest * graph.n > 2 ** (np.finfo(weights.dtype).nmant + 1):
        return None
    if not (weights == np.trunc(weights)).all():
        return None
    return Graph._made(
        graph.indptr, graph.indices, weights.astype(np.int64), directed=graph.directed, labels=graph.labels,
        zones=graph.zones,
    )  # fmt: skip


def _compute(bounds: EccentricityBounds, vertices: Positions, options: Request) -> None:
    """The eccentricities of the vertices that bounds left open, at once."""
    found = _summary_of(bounds.graph, vertices, options)
    bounds.set(vertices, found.eccentricity, found.reachable + 1)
    pair = found.farthest_pair
    if pair is not None and pair.distance > bounds.farthest[0]:
        source, target = pair.source, pair.target
        bounds.farthest = int(pair.distance), source, target


def _summary_of(graph: Graph, vertices: Positions, options: Request) -> Summary:
    """Sums and extremes over the rows of some vertices, by position."""
    blocks: Any = stream_sums(graph, vertices.astype(np.int32), options)
    return summarize(blocks, graph.n, directed=graph.directed, reciprocals=False, threads=options.threads)
