"""All shortest paths between places, beside those that an enumeration in exact arithmetic finds; and their links."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import apsp
from apsp.api.pair_answers import pair_answers
from apsp.api.places.place_paths import all_paths_of_places
from places_truth import Arcs, ends_of, graph_of_case, placed, usable

PLACE = st.tuples(st.integers(0, 30), st.sampled_from([0.0, 0.25, 0.5, 0.75, 1.0]), st.sampled_from([0.0, 1.5, 7.0]))
CASE = st.tuples(
    st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5), st.integers(0, 3)), min_size=1, max_size=14),
    st.booleans(),
    PLACE,
    PLACE,
)


def simple_paths(best: dict[tuple[int, int], int], zones: set[int], start: int, end: int) -> Any:
    """All paths that visit no vertex twice, and pass no zone, with their lengths."""
    waiting = [([start], 0)]
    while waiting:
        path, far = waiting.pop()
        if path[-1] == end:
            yield path, far
            continue
        if path[-1] in zones and len(path) > 1:
            continue
        for (tail, head), length in best.items():
            if tail == path[-1] and head not in path:
                waiting.append(([*path, head], far + length))


def enumerated(graph: apsp.Graph, both: Arcs, zones: set[int], one: apsp.Places, other: apsp.Places) -> Any:
    """The least length, and the vertices of all paths that have it."""
    best: dict[tuple[int, int], int] = {}
    for tail, head, length in both:
        if tail != head:
            best[tail, head] = min(best.get((tail, head), length), length)
    found: list[tuple[Any, list[int]]] = []
    ends = [ends_of(graph, best, one, leaving=True), ends_of(graph, best, other, leaving=False)]
    for (start, before), (end, after) in itertools.product(*ends):
        found += [(before + far + after, path) for path, far in simple_paths(best, zones, start, end)]
    costs = Fraction(float(one.costs[0])) + Fraction(float(other.costs[0]))
    if one.arcs[0] >= 0 and one.arcs[0] == other.arcs[0]:
        tail, head = int(one.vertices[0]), int(graph.indices[one.arcs[0]])
        ahead = Fraction(float(other.fractions[0])) - Fraction(float(one.fractions[0]))
        way = best[tail, head] if ahead >= 0 else best.get((head, tail))
        if ahead == 0 or way is not None:
            found.append((costs + abs(ahead) * (way or 0), []))
    if one.costs[0] > 0 and other.costs[0] > 0 and (one.points == other.points).all():
        found = [each for each in found if each[1]] + [(Fraction(0), [])]
    least = min((far for far, _ in found), default=None)
    return least, sorted(path for far, path in found if far == least)


@settings(deadline=None)
@given(CASE, st.none() | st.sets(st.integers(0, 5), max_size=2))
def test_all_paths_between_places(case: Any, zones: set[int] | None) -> None:
    arcs, directed, start, end = case
    graph, both = graph_of_case(arcs, directed, zones)
    if not usable(graph):
        return
    one, other = placed(graph, [start], "s"), placed(graph, [end], "t")
    least, expected = enumerated(graph, both, zones or set(), one, other)
    length_of = pair_answers(graph).distance
    if least is None:
        with pytest.raises(apsp.NoPathError):
            all_paths_of_places(graph, one, other, length_of)
        return
    found = list(all_paths_of_places(graph, one, other, length_of))
    assert apsp.distance(graph, one, other) == float(least)
    assert all(path[0] == "s0" and path[-1] == "t0" for path in found)
    assert sorted(path[1:-1] for path in found) == expected
    assert apsp.shortest_path(graph, one, other) in found


def test_paths_between_a_place_and_a_vertex() -> None:
    ring = apsp.from_edges(
        [0, 1, 2, 3], [1, 2, 3, 0], [4, 4, 4, 4], directed=False, coordinates=[[0, 0], [8, 0], [8, 8], [0, 8]]
    )
    middle = ring.snap({"home": (4, 0)}, crs="plane")
    length_of = pair_answers(ring).distance
    assert list(all_paths_of_places(ring, middle, 2, length_of)) == [["home", 1, 2]]
    assert list(all_paths_of_places(ring, 3, middle, length_of)) == [[3, 0, "home"]]
    across = ring.snap({"shop": (4, 8)}, crs="plane")
    assert list(all_paths_of_places(ring, middle, across, length_of)) == [
        ["home", 0, 3, "shop"], ["home", 1, 2, "shop"],
    ]  # fmt: skip


def test_paths_between_places_where_every_street_is_closed() -> None:
    graph = apsp.from_edges([0], [1], [60], links=True, directed=False, coordinates=[[0, 0], [100, 0]])
    places, oracle = graph.snap({"a": (25, 0), "b": (75, 0), "v": (-10, 0)}, crs="plane", speed=1), apsp.prepare(graph)
    oracle.update([math.inf], links=[0])
    found = oracle.paths(places.at("a"), places)
    assert found.distances.tolist() == oracle.distances(places.at("a"), places).tolist() == [math.inf] * 3
    assert list(found) == list(oracle.paths(places.at("a"), places, links=True)) == [[], [], []]
    assert list(oracle.paths(places.at("v"), [0, 1])) == [["v", 0], []]


def test_links_of_paths_between_places() -> None:
    """Rows 0 and 1 are one street in two directions, rows 2 and 3 parallel."""
    graph = apsp.from_edges(
        [0, 1, 1, 1, 2], [1, 0, 2, 2, 3], [60, 60, 90, 80, 10], links=True,
        coordinates=[[0, 0], [100, 0], [200, 0], [300, 0]],
    )  # fmt: skip
    places = graph.snap({"a": (25, 0), "b": (75, 0), "c": (150, 0), "v": (200, 0), "d": (250, 0)}, crs="plane")
    oracle = apsp.prepare(graph)
    length_of = pair_answers(graph).distance
    for start, end, rows in (
        ("a", "b", [0]), ("b", "a", [1]), ("a", "a", []), ("a", "c", [0, 3]), ("a", "d", [0, 3, 4]),
        ("c", "d", [3, 4]), ("c", "v", [3]), ("v", "d", [4]),
    ):  # fmt: skip
        one, other = places.at(start), places.at(end)
        assert oracle.path(one, other, links=True) == rows
        assert list(all_paths_of_places(graph, one, other, length_of, links=True)) == [rows]
    assert oracle.path(places.at("b"), 0, links=True) == [1]
    assert oracle.path(0, places.at("c"), links=True) == [0, 3]
    many = oracle.paths(places.at("a"), places, links=True)
    assert many.of == "links"
    assert list(many) == [[], [0], [0, 3], [0, 3], [0, 3, 4]]
    assert [list(oracle.paths(*each, links=True)) for each in ((places.at("b"), [0]), ([0], places.at("c")))] == [
        [[1]], [[0, 3]],
    ]  # fmt: skip
    none = apsp.from_edges([0], [1], [60], directed=False, coordinates=[[0, 0], [100, 0]])
    homes = none.snap([[25, 0], [75, 0]], crs="plane")
    with pytest.raises(apsp.RequestError, match="keeps no links"):
        apsp.prepare(none).path(homes[0], homes[1], links=True)
    with pytest.raises(apsp.RequestError, match="keeps no links"):
        all_paths_of_places(none, homes[0], homes[1], pair_answers(none).distance, links=True)
