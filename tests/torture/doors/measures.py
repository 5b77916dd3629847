"""Measures: what they say of integer distances is compared with the same said of exact ones."""

from __future__ import annotations

import itertools
import math
from typing import Any

import apsp
from apsp.bounds.bounded_search import ExtremeName, SearchLimits
from apsp.bounds.few_searches import by_few_searches
from apsp.facts.request import Request
from apsp.graph.degrees import degrees as graph_degrees
from apsp.measures.eccentricities import extremes_of
from apsp.measures.most_central import Centrality, RankingLimits, most_central, with_least_sum
from torture.doors.sets import sets
from torture.judging import Judging
from torture.promise import WrongError, as_float

__all__ = ["measures", "nearest"]

_SMALL = SearchLimits(smallest=1, densest=2)
_RANKING = RankingLimits(_SMALL, largest_share=2, first=1, sample=1, arcs=2)
"""So that small graphs take few searches, too."""

OPTIONS = ("sources", "cutoff", "dtype", "method", "device", "threads", "rows")


def measures(judging: Judging, call: dict[str, Any]) -> None:
    case, hear = judging.case, judging.naming.hear
    options = {name: call[name] for name in OPTIONS if name in call}
    columns = call.get("sources") is None
    summary = apsp.summary(
        judging.fresh_graph(), columns=columns, bins=call.get("bins", 0), **judging.naming.told(options)
    )
    if not judging.judgeable(call, summary.eccentricity.dtype.name):
        return
    if not case.integer:
        _floats(judging, call, summary)
        return
    sources, rows = _rows(judging, call)
    others = [[d for v, d in enumerate(row) if d is not None and v != s] for s, row in zip(sources, rows, strict=True)]
    n = case.n
    _same("sources", hear(summary.sources.tolist()), sources)
    _same("reachable", summary.reachable.tolist(), [len(row) for row in others])
    _same("eccentricity", summary.eccentricity.tolist(), [max([*row, 0]) for row in others])
    _same("total_distance", summary.total_distance, sum(map(sum, others)))
    _same("farness", summary.farness().tolist(), list(map(sum, others)))
    _same("pairs", summary.pairs, sum(map(len, others)))
    near = [sum(1 / d for d in row if d != 0) for row in others]
    _near("harmonic_centrality", summary.harmonic_centrality("out").tolist(), near)
    close = [len(row) / sum(row) * len(row) / max(n - 1, 1) if sum(row) > 0 else 0.0 for row in others]
    _near("closeness_centrality", summary.closeness_centrality("out").tolist(), close)
    if sources:
        pair, largest = summary.farthest_pair, max(max([*row, 0]) for row in others)
        assert pair is not None
        _same("diameter", [summary.diameter, pair.distance], [largest, largest])
        source, target = hear([pair.source, pair.target])
        _same("the distance of the farthest pair", rows[sources.index(source)][target], largest)
        ends = [s for s, row in zip(sources, others, strict=True) if max([*row, 0]) == largest]
        _same("periphery", hear(summary.periphery), ends)
        most = max(map(len, others))
        widest = [(s, max([*row, 0])) for s, row in zip(sources, others, strict=True) if len(row) == most]
        radius = min(size for _, size in widest)
        _same("radius", summary.radius, radius)
        _same("center", hear(summary.center), [s for s, size in widest if size == radius])
        sums = [(s, sum(row)) for s, row in zip(sources, others, strict=True) if len(row) == most]
        least = min(total for _, total in sums)
        _same("barycenter", hear(summary.barycenter), [s for s, total in sums if total == least])
    if columns and n:
        into = [[rows[u][v] for u in range(n) if u != v and rows[u][v] is not None] for v in range(n)]
        _near(
            "harmonic_centrality('in')",
            summary.harmonic_centrality("in").tolist(),
            [sum(1 / d for d in c if d != 0) for c in into],
        )
        _near(
            "closeness_centrality('in')",
            summary.closeness_centrality("in", wf_improved=False).tolist(),
            [len(column) / sum(column) if sum(column) > 0 else 0.0 for column in into],
        )
    if call.get("bins"):
        histogram = summary.histogram()
        edges, counts = histogram.edges.tolist(), histogram.counts.tolist()
        every = [d for row in others for d in row]
        inside = [sum(1 for d in every if low <= d < high) for low, high in itertools.pairwise(edges)]
        _same("histogram", counts, inside)
        _same("the histogram's sum", sum(counts), len(every))
    if columns:
        _indices(judging, options, rows)
    sets(judging, options, dict(zip(sources, rows, strict=True)))
    judging.count(f"dtype {summary.eccentricity.dtype}")
    if not any(name in call for name in ("sources", "cutoff", "dtype", "method", "rows")):
        _few_searches(judging, summary, rows)
        _most_central(judging, summary)
    if call.get("sources") is not None:  # of each source, in the order in which they were given
        found = apsp.eccentricity(judging.fresh_graph(), **judging.naming.told(options)).tolist()
        farthest = {source: max([*row, 0]) for source, row in zip(sources, others, strict=True)}
        _same("eccentricity(sources=...)", found, [farthest[source] for source in call["sources"]])


def _indices(judging: Judging, options: dict[str, Any], rows: list[list[int | None]]) -> None:
    """The relatives of the Wiener index, of undirected graphs."""
    graph = judging.fresh_graph()
    if graph.directed:
        return
    names = ["hyper_wiener_index", "schultz_index", "gutman_index"]
    found = apsp.summary(graph, measures=names, **judging.naming.told(options))
    n, degree = judging.case.n, graph_degrees(graph).tolist()
    pairs = [(u, v, rows[u][v]) for u in range(n) for v in range(u)]
    expected: list[Any] = [math.inf] * 3
    if all(d is not None for _, _, d in pairs):
        known = [(u, v, d) for u, v, d in pairs if d is not None]
        expected = [
            sum(d + d * d for _, _, d in known),
            sum(d * (degree[u] + degree[v]) for u, v, d in known),
            sum(d * degree[u] * degree[v] for u, v, d in known),
        ]
    if found.eccentricity.dtype.kind == "f":
        _near("indices", [float(found[name]) for name in names], [float(value) for value in expected])
    else:
        _same("indices", [found[name] for name in names], expected)


def _few_searches(judging: Judging, summary: Any, rows: list[list[int | None]]) -> None:
    """The extremes by bounds, which small graphs do not use, are those of all rows."""
    wanted: tuple[ExtremeName, ...] = ("diameter", "periphery", "radius", "center", "eccentricity")
    for names in (*((name,) for name in wanted), ("diameter", "radius"), wanted):
        found = by_few_searches(judging.fresh_graph(), Request(), *names, limits=_SMALL)
        if found is None:
            judging.count("extremes from all rows")
            return
        for name in names:
            values = getattr(found, name), getattr(summary, name)
            _same(f"{name} from few searches", *(list(each) if hasattr(each, "__len__") else each for each in values))
    both = extremes_of(judging.fresh_graph(), Request(), _SMALL)
    if both.farthest_pair is not None:
        source, target = judging.naming.hear([both.farthest_pair.source, both.farthest_pair.target])
        _same("the distance of the farthest pair from few searches", rows[source][target], summary.diameter)
        _same("a vertex of the center", both.center_vertex in summary.center, True)
    judging.count("extremes from few searches")


def _most_central(judging: Judging, summary: Any) -> None:
    """The most central vertices in hops by cut searches, which small graphs do not use, are those of all rows."""
    for improved in (True, False):
        kind: Centrality = "closeness_improved" if improved else "closeness"
        found = most_central(judging.fresh_graph(), kind, 2, "out", None, Request(), _RANKING)
        least = with_least_sum(judging.fresh_graph(), Request(), limits=_RANKING)
        if least is not None:
            _same("barycenter", least, summary.barycenter)
        every = summary.closeness_centrality("out", wf_improved=improved).tolist()
        order = sorted(range(len(every)), key=lambda vertex: (-every[vertex], vertex))[:2]
        _same("the most central vertices", judging.naming.hear(found.vertices.tolist()), order)
        _same("their centralities", found.values.tolist(), [every[vertex] for vertex in order])


def nearest(judging: Judging, call: dict[str, Any]) -> None:
    options = {name: call[name] for name in OPTIONS if name in call}
    k = call.get("k", 2)
    found = apsp.k_nearest(judging.fresh_graph(), k, **judging.naming.told(options))
    if not judging.judgeable(call, found.distances.dtype.name):
        return
    if not judging.case.integer:
        _nearest_floats(judging, call, found)
        return
    sources, rows = _rows_as_given(judging, call)
    hear = judging.naming.hear
    _same("sources", hear(found.sources.tolist()), sources)
    none = apsp.unreachable(found.distances.dtype)
    for position, (source, row) in enumerate(zip(sources, rows, strict=True)):
        order = sorted((d, v) for v, d in enumerate(row) if d is not None and v != source)[:k]
        missing = k - len(order)
        vertices = found.vertices[position].tolist()
        _same(f"nearest of {source}", hear(vertices[: len(order)]), [v for _, v in order])
        if judging.case.labels is None:
            _same(f"none nearer to {source}", vertices[len(order) :], [-1] * missing)
        _same(f"distances of {source}", found.distances[position].tolist(), [d for d, _ in order] + [none] * missing)


def _floats(judging: Judging, call: dict[str, Any], summary: Any) -> None:
    """What does not depend on rounding, and of weights of at least 0 the rest, nearly."""
    truth = judging.truth
    if call.get("cutoff") is not None:  # a distance may be on either side of it
        return
    sources, rows = _rows(judging, call)
    others = [[d for v, d in enumerate(row) if d is not None and v != s] for s, row in zip(sources, rows, strict=True)]
    _same("sources", judging.naming.hear(summary.sources.tolist()), sources)
    _same("reachable", summary.reachable.tolist(), [len(row) for row in others])
    if call.get("bins"):
        _same("the histogram's sum", int(summary.histogram().counts.sum()), sum(map(len, others)))
    if truth.has_negative_arc or not 1e-20 < truth.largest * truth.n**2 < 1e30:
        return
    room = 1e-9 if summary.eccentricity.dtype == "float64" and judging.case.dtype == "float64" else 1e-3
    room = 1e-3 if call.get("dtype") == "float32" else room
    _near(
        "eccentricity", summary.eccentricity.tolist(), [as_float(max([*row, 0]), truth.shift) for row in others], room
    )
    _near("total_distance", [summary.total_distance], [as_float(sum(map(sum, others)), truth.shift)], room)
    if sources:
        largest = as_float(max(max([*row, 0]) for row in others), truth.shift)
        _near("diameter", [summary.diameter], [largest], room)
        source, target = judging.naming.hear([summary.farthest_pair.source, summary.farthest_pair.target])
        length = rows[sources.index(source)][target]
        if length is None:
            raise WrongError(f"the farthest pair {source}, {target} has no path")
        _near("the distance of the farthest pair", [as_float(length, truth.shift)], [largest], room)


def _nearest_floats(judging: Judging, call: dict[str, Any], found: Any) -> None:
    """The sorted distances are those of the k nearest, nearly, and belong to the vertices."""
    truth, k = judging.truth, call.get("k", 2)
    if call.get("cutoff") is not None or truth.has_negative_arc or not 1e-20 < truth.largest * truth.n**2 < 1e30:
        return
    narrow = "float32" in (found.distances.dtype.name, judging.case.dtype)
    sources, rows = _rows_as_given(judging, call)
    for position, (source, row) in enumerate(zip(sources, rows, strict=True)):
        order = sorted(d for v, d in enumerate(row) if d is not None and v != source)[:k]
        expected = [as_float(d, truth.shift) for d in order]
        vertices = judging.naming.hear(found.vertices[position].tolist()[: len(order)])
        lengths = [row[v] for v in vertices]
        if len(set(vertices)) != len(vertices) or source in vertices or None in lengths:
            raise WrongError(f"the nearest of {source} are said to be {vertices}")
        room = 1e-3 if narrow else 1e-9
        _near(f"nearest of {source}", found.distances[position].tolist()[: len(order)], expected, room)
        _near(f"the distances of the nearest of {source}", [as_float(d, truth.shift) for d in lengths], expected, room)


def _rows(judging: Judging, call: dict[str, Any]) -> tuple[list[int], list[list[int | None]]]:
    """Sources, each once and ascending, and their exact rows within the cutoff."""
    sources = sorted(set(judging.positions(call.get("sources"))))
    cutoff = call.get("cutoff")
    rows = [judging.truth.exact.row(source) for source in sources]
    if cutoff is not None:
        rows = [[None if d is None or d > cutoff else d for d in row] for row in rows]
    return sources, rows


def _rows_as_given(judging: Judging, call: dict[str, Any]) -> tuple[list[int], list[list[int | None]]]:
    """Sources in the order in which they were given, repeated ones, too, and their exact rows within the cutoff."""
    once, rows = _rows(judging, call)
    of = dict(zip(once, rows, strict=True))
    sources = judging.positions(call.get("sources"))
    return sources, [of[source] for source in sources]


def _same(what: str, found: Any, expected: Any) -> None:
    if found != expected:
        raise WrongError(f"{what} is {found}, not {expected}")


def _near(what: str, found: list[float], expected: list[float], room: float = 1e-9) -> None:
    if len(found) != len(expected) or not all(
        math.isclose(a, b, rel_tol=room, abs_tol=1e-12 * (1 + abs(b))) for a, b in zip(found, expected, strict=True)
    ):
        raise WrongError(f"{what} is {found}, not {expected}")
