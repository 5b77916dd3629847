"""The vertices with the largest closeness or harmonic centrality, or the smallest sum of distances.

By cut searches in hops, by bounds on sums with weights (`by_sum_bounds`), or from all rows.
"""

from __future__ import annotations

from typing import get_args

import numpy as np
import numpy.typing as npt

from apsp._types import Vertex
from apsp.api.forest_sums import has_forest_sums
from apsp.graph.model import Graph
from apsp.measures.by_sum_bounds import has_sum_bounds, rank_by_sum_bounds
from apsp.measures.few_searches import needs_all_rows
from apsp.measures.ranking import Centrality, Ranking
from apsp.methods.problem import IntArray
from apsp.methods.searches.cut_searches import CutSearches
from apsp.methods.searches.few_sources import FewSources
from apsp.reductions import Direction
from apsp.reductions.central import MostCentral, closeness
from apsp.reductions.strong_parts import StrongParts
from apsp.running.options import RunOptions
from apsp.system.arguments import one_of
from apsp.system.machine import threads_from
from apsp.system.progress import ProgressReport, offset, reporting

__all__ = ["Centrality", "most_central", "with_least_sum"]

_LARGEST_SHARE = 1 / 50
"""Largest k, as a share of the vertices, for searches one after another: k of them go to the end, and each of these
costs up to about 5 rows of all."""

_FIRST = 16
"""Searches that begin, beside 2 k: they give the k-th largest centrality a value that excludes others."""

_SAMPLE = 32
"""Searches whose cost stands for that of all that bounds leave."""

_ARCS = 1 / 50
"""Largest number of arcs to scan, as a share of those of n whole searches: searches of many sources at once scan arcs
about 5 times as fast, so that what was scanned in vain costs at most a tenth of all rows."""


def most_central(
    graph: Graph, kind: Centrality, top: int, direction: Direction, given: IntArray | None, options: RunOptions
) -> MostCentral:
    """The most central vertices of a graph, or of some positions.

    Parameters
    ----------
    graph : Graph
    kind : {'closeness', 'closeness_improved', 'harmonic'}
    top : int
        How many, at least 1.
    direction : {'in', 'out'}
    given : array of int, optional
        IntArray of the vertices to compare; all by default.
    options : RunOptions
        Those of the measure.
    """
    one_of(direction, "direction", get_args(Direction))
    positions = np.arange(graph.n, dtype=np.int32) if given is None else np.unique(given)
    ranking = Ranking(graph, kind, top, direction, options)
    of_forest = kind != "harmonic" and len(positions) == graph.n and has_forest_sums(graph)
    if needs_all_rows(graph, options) or of_forest or top > _LARGEST_SHARE * graph.n:
        ranking.add_rows(positions)
    elif graph.is_weighted:
        rank_by_sum_bounds(ranking, positions)
    else:
        _by_cut_searches(ranking, positions)
    return ranking.result()


def with_least_sum(graph: Graph, options: RunOptions, *, connected: bool = False) -> list[Vertex] | None:
    """The vertices with the smallest sum of distances, of those that reach the most; None if that takes all rows.

    Of graphs whose components are strong: there, these vertices have the largest closeness centrality. None also
    if they are to be `connected`, and a vertex does not reach all others, and for forests, which take two passes.
    """
    least, _ = graph.weight_range or (1, 1)
    if needs_all_rows(graph, options) or (graph.is_weighted and not (has_sum_bounds(graph) and least > 0)):
        return None
    if has_forest_sums(graph):
        return None
    threads = threads_from(options.threads)
    parts = StrongParts(graph, np.dtype(np.int32))
    if not parts.is_one or (connected and parts.count > 1):
        return None
    reach = parts.sizes[parts.part]
    ranking = Ranking(graph, "closeness", 1, "out", options, with_ties=True)
    positions = np.flatnonzero(reach == reach.max()).astype(np.int32)
    if graph.is_weighted:
        rank_by_sum_bounds(ranking, positions)
    else:
        cut = CutSearches(graph, reach, reach, harmonic=False, improved=False, threads=threads)
        _rank(ranking, cut, positions)
    return list(graph.labels.take(np.sort(ranking.positions)).tolist())


def _by_cut_searches(ranking: Ranking, positions: IntArray) -> None:
    graph = ranking.graph
    out = graph if ranking.direction == "out" or not graph.directed else graph.reversed()
    threads = threads_from(ranking.options.threads)
    fewest, most = _reach(out, threads)
    cut = CutSearches(
        out, fewest, most, harmonic=ranking.kind == "harmonic", improved=ranking.kind == "closeness_improved",
        threads=threads,
    )  # fmt: skip
    _rank(ranking, cut, positions)


def _rank(ranking: Ranking, cut: CutSearches, positions: IntArray) -> None:
    """Find the largest centralities of some vertices."""
    graph = ranking.graph
    positions = positions[np.argsort(-cut.bounds[positions], kind="stable")]
    with reporting(ranking.options.progress) as report:
        left = _search(ranking, cut, positions, int(_ARCS * graph.n * graph.m), report)
    ranking.add_rows(np.sort(left))


def _search(
    ranking: Ranking, cut: CutSearches, positions: IntArray, arcs: int, report: ProgressReport | None
) -> IntArray:
    """Search from vertices, those of the largest bounds first, and return those that whole rows are better for."""
    total, done = len(positions), 0

    def search(sources: IntArray) -> tuple[IntArray, int]:
        nonlocal done
        found = cut.search(sources, ranking.values, ranking.top, arcs, offset(report, "searches", done, total))
        done += len(sources)
        ended = found.reached >= 0
        others, sums = found.reached[ended] - 1, found.total[ended]
        values = (
            found.reciprocals[ended]
            if ranking.kind == "harmonic"
            else closeness(others, sums, ranking.graph.n, wf_improved=ranking.kind == "closeness_improved")
        )
        ranking.searches += found.searches
        ranking.add(sources[ended], values)
        return sources[found.reached == found.LEFT], found.arcs

    first = 2 * ranking.top + _FIRST
    left, scanned = search(positions[:first])
    rest = positions[first:]
    if len(ranking.values) >= ranking.top:
        rest = rest[cut.bounds[rest] >= ranking.values.min() * (1 - 1e-9)]
    done, total = first, first + len(rest)
    if len(rest) > 4 * _SAMPLE:
        sample = np.zeros(len(rest), dtype=bool)
        sample[np.linspace(0, len(rest) - 1, _SAMPLE).astype(np.int64)] = True
        again, cost = search(rest[sample])
        left, rest = np.concatenate([left, again]), rest[~sample]
        if scanned + cost / _SAMPLE * len(rest) > arcs:
            return np.concatenate([left, rest])
    again, _ = search(rest)
    if report is not None:
        report("searches", total, total)
    return np.concatenate([left, again])


def _reach(graph: Graph, threads: int) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Bounds on the number of vertices that each vertex reaches, itself included."""
    dtype = np.dtype(np.int32)
    parts = StrongParts(graph, dtype)
    if not parts.is_one:
        searches = FewSources(graph, dtype, threads)
        vertex = np.flatnonzero(parts.part == parts.largest)[:1].astype(np.int32)
        none = np.iinfo(dtype).max
        parts.bound_reach(searches.distances_from(vertex)[0] != none, searches.distances_to(vertex)[0] != none)
    most = np.minimum(parts.reach, graph.n).astype(np.int64)
    fewest = np.where(parts.reach_known, most, parts.sizes)
    return fewest[parts.part], most[parts.part]
