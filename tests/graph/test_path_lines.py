"""Paths as lines: along the bends of the links that they take, and from places on their streets."""

from __future__ import annotations

import copy
import math
import pickle
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import apsp
from apsp.errors import GraphError, NoPathError, RequestError
from apsp.graph.places.frames import frame_of
from apsp.graph.places.street_lines import StreetLines
from apsp.graph.saved import arrays_of_graph, graph_of_arrays
from examples import examples

shapely = pytest.importorskip("shapely")
ops = pytest.importorskip("shapely.ops")

Line = list[tuple[float, float]]

POINT = st.tuples(st.integers(0, 12), st.integers(0, 12))
LINK = st.tuples(
    st.integers(0, 5), st.integers(0, 5), st.integers(1, 9), st.lists(POINT, max_size=4), st.booleans()
)  # fmt: skip


class City:
    """Links with bends, one-way and two-way, some of them parallel, and what plain code says of their lines."""

    def __init__(self, links: list[Any], corners: list[Any]) -> None:
        self.links, self.corners = links, [tuple(map(float, corner)) for corner in corners]
        tails, heads, weights, bends, one_way = zip(*links, strict=True)
        self.graph = apsp.from_edges(
            tails, heads, weights, n=6, directed=np.array(one_way), coordinates=corners, crs="plane",
            bends=[list(each) for each in bends],
        )  # fmt: skip

    def line(self, tail: int, head: int) -> Line:
        """The line of the best link from one vertex to another: of equally long ones the first."""
        found = []
        for number, (u, v, weight, bends, one_way) in enumerate(self.links):
            whole = [self.corners[u], *(tuple(map(float, point)) for point in bends), self.corners[v]]
            if (u, v) == (tail, head):
                found.append((weight, number, whole))
            elif (v, u) == (tail, head) and not one_way:
                found.append((weight, number, whole[::-1]))
        return min(found)[2]

    def street(self, places: apsp.Places, row: int) -> tuple[int, int, Line]:
        arc = int(places.arcs[row])
        tail, head = int(places.vertices[row]), int(self.graph.indices[arc])
        return tail, head, self.line(tail, head)


def part(line: Line, begin: float, end: float) -> Line:
    """A part of a line, as shapely finds it; in the direction from begin to end."""
    if shapely.length(shapely.LineString(line)) == 0:
        return [line[0]]
    found = list(ops.substring(shapely.LineString(line), min(begin, end), max(begin, end), normalized=True).coords)
    return found if begin <= end else found[::-1]


def expected(city: City, path: list[Any], sources: apsp.Places | None, targets: apsp.Places | None) -> Line:
    """The line of a path, piece by piece."""
    found: Line = []
    inner = path[1 if sources is not None else 0 : len(path) - (targets is not None)]
    start = None if sources is None else sources.labels.index(path[0])
    end = None if targets is None else targets.labels.index(path[-1])
    if not inner:
        assert sources is not None
        assert targets is not None
        assert start is not None
        assert end is not None
        assert sources.arcs[start] == targets.arcs[end] >= 0
        return part(city.street(sources, start)[2], sources.fractions[start], targets.fractions[end])
    if sources is not None and start is not None and sources.arcs[start] >= 0:
        _, head, line = city.street(sources, start)
        found += part(line, sources.fractions[start], float(head == inner[0]))
    found.append(city.corners[inner[0]])
    for tail, head in pairwise(inner):
        found += city.line(tail, head)
    if targets is not None and end is not None and targets.arcs[end] >= 0:
        _, head, line = city.street(targets, end)
        found += part(line, float(head == inner[-1]), targets.fractions[end])
    return found


def without_repeats(line: Any) -> np.ndarray:
    """The points of a line, of those that follow each other at one place the first."""
    points = np.asarray(line, dtype=float)
    apart = np.linalg.norm(np.diff(points, axis=0), axis=1) > 1e-6
    return points[np.append(True, apart)]


def assert_same(found: Any, line: Line) -> None:
    ours, theirs = without_repeats(found.coords), without_repeats(line)
    assert ours.shape == theirs.shape, (ours.tolist(), theirs.tolist())
    np.testing.assert_allclose(ours, theirs, atol=1e-6)


@settings(max_examples=examples(50), deadline=None)
@given(
    st.lists(LINK, min_size=1, max_size=10),
    st.lists(POINT, min_size=6, max_size=6, unique=True),
    st.lists(st.tuples(st.floats(0, 12, width=16), st.floats(0, 12, width=16)), min_size=2, max_size=5, unique=True),
    st.booleans(),
)
def test_lines_follow_the_links_of_paths(links: list[Any], corners: list[Any], points: Any, is_turned: bool) -> None:
    links = [(u, v, weight, bends, one_way) for u, v, weight, bends, one_way in links if u != v]
    if not links:
        return
    city = City(links, corners)
    if is_turned:
        turned = city.graph.reversed()
        city = City([(v, u, weight, bends[::-1], one_way) for u, v, weight, bends, one_way in links], corners)
        assert turned == city.graph
        city.graph = turned
    graph = city.graph
    places = graph.snap(points, speed=2, labels=[f"p{number}" for number in range(len(points))])
    for u in range(len(places)):
        for v in range(len(places)):
            for source, target in ((places[u], places[v]), (places[u], v), (u, places[v]), (u, v)):
                ends = [places if isinstance(each, apsp.Places) else None for each in (source, target)]
                try:
                    path = apsp.shortest_path(graph, source, target)
                except NoPathError:
                    continue
                (found,) = graph.path_features([path], sources=ends[0], targets=ends[1]).geometries
                if len(path) == 1:
                    assert shapely.length(found) == 0
                    continue
                assert_same(found, expected(city, path, *ends))
    oracle = apsp.prepare(graph)
    pairs = [(u, v) for u in range(6) for v in range(6)]
    paths = oracle.paths(*map(list, zip(*pairs, strict=True)))
    for path, found in zip(paths, paths.features().geometries, strict=True):
        assert (found is None) == (not path)
        if len(path) > 1:
            assert_same(found, expected(city, path, None, None))
    tails = graph.tails().tolist()
    for arc, found in enumerate(graph.features(of="arcs").geometries):
        assert_same(found, city.line(tails[arc], int(graph.indices[arc])))


@settings(max_examples=examples(100), deadline=None)
@given(
    st.lists(st.lists(POINT, min_size=2, max_size=6), min_size=1, max_size=4),
    st.lists(st.tuples(st.integers(0, 20), st.floats(0, 1), st.floats(0, 1)), min_size=1, max_size=12),
)
def test_parts_of_streets_as_in_shapely(lines: list[Any], parts: list[Any]) -> None:
    tails = 2 * np.arange(len(lines))
    graph = apsp.from_edges(
        tails, tails + 1, coordinates=[line[at] for line in lines for at in (0, -1)], crs="plane",
        bends=[line[1:-1] for line in lines],
    )  # fmt: skip
    streets = StreetLines.of(graph, frame_of("plane"), np.arange(len(lines)))
    number = np.array([street % len(lines) for street, *_ in parts])
    begins, ends = (np.array([each[at] for each in parts]) for at in (1, 2))
    points = streets.at(number, begins)
    bends = streets.bends_between(number, begins, ends)
    beyond = streets.at(number, ends)
    for row, street in enumerate(number.tolist()):
        line = shapely.LineString(lines[street])
        if line.length == 0:
            continue
        np.testing.assert_allclose(points[row], line.interpolate(begins[row], normalized=True).coords[0], atol=1e-9)
        found = [points[row], *bends[row], beyond[row]]
        theirs = part(lines[street], begins[row], ends[row])
        np.testing.assert_allclose(without_repeats(found), without_repeats(theirs), atol=1e-5)


def crossing(**options: Any) -> apsp.Graph:
    """Two parallel streets from a to b, of which the slower one is straight, and one on to c."""
    return apsp.from_edges(
        [0, 0, 1], [1, 1, 2], [9, 5, 5], labels=["a", "b", "c"], coordinates=[[0, 0], [9, 0], [9, 9]], crs="plane",
        bends=[None, [[0, 4], [9, 4]], [[12, 5]]], costs={"km": [2, 8, 3]}, links=True, directed=False, **options,
    )  # fmt: skip


def test_the_chosen_of_parallel_links() -> None:
    def line(graph: apsp.Graph) -> str:
        path = apsp.shortest_path(graph, "c", "a")
        found = apsp.prepare(graph).paths(["c"], ["a"]).features().geometries[0]
        assert found == graph.path_features([path]).geometries[0]
        return str(found.wkt)

    assert line(crossing()) == "LINESTRING (9 9, 12 5, 9 0, 9 4, 0 4, 0 0)"
    assert line(crossing().with_weights("km")) == "LINESTRING (9 9, 12 5, 9 0, 0 0)"
    oracle = apsp.prepare(crossing())
    before = oracle.paths(["c"], ["a"])
    oracle.update(weights=[1, 5, 5], links=True)
    assert oracle.paths(["c"], ["a"]).features().geometries[0].wkt == "LINESTRING (9 9, 12 5, 9 0, 0 0)"
    for again in (before, copy.deepcopy(before), pickle.loads(pickle.dumps(before))):
        assert again.features().geometries[0].wkt == "LINESTRING (9 9, 12 5, 9 0, 9 4, 0 4, 0 0)"


def test_every_way_out_has_the_bends(tmp_path: Path) -> None:
    geopandas = pytest.importorskip("geopandas")
    paths = apsp.prepare(crossing()).paths(["b", "a"], ["a", "c"])
    wkt = ["LINESTRING (9 0, 9 4, 0 4, 0 0)", "LINESTRING (0 0, 0 4, 9 4, 9 0, 12 5, 9 9)"]
    assert [shape.wkt for shape in paths.to_geopandas().geometry] == wkt
    shapes = [each["geometry"] for each in paths.__geo_interface__["features"]]
    assert [shapely.geometry.shape(each).wkt for each in shapes] == wkt
    paths.features().write(tmp_path / "paths.parquet")
    assert [shape.wkt for shape in geopandas.read_parquet(tmp_path / "paths.parquet").geometry] == wkt


def test_vertices_that_no_arc_joins_are_joined_by_a_straight_line() -> None:
    assert crossing().path_features([["a", "c"]]).geometries[0].wkt == "LINESTRING (0 0, 9 9)"


def test_places_at_one_point_and_beside_a_vertex() -> None:
    graph = crossing()
    one, other = (graph.snap({name: (3, 5)}, speed=1) for name in ("home", "shop"))
    path = apsp.shortest_path(graph, one, other)
    assert path == ["home", "shop"]
    found = graph.path_features([path, []], sources=one, targets=other)
    assert [shape and shape.wkt for shape in found.geometries] == ["LINESTRING (3 4, 3 4)", None]
    assert found.table.to_dict()["source"].tolist() == ["home", None]
    corner = graph.snap({"corner": (-1, 0)}, speed=1, to="vertex")
    path = apsp.shortest_path(graph, corner, one)
    assert path == ["corner", "a", "home"]
    assert graph.path_features([path], sources=corner, targets=one).geometries[0].wkt == "LINESTRING (0 0, 0 4, 3 4)"


def test_degrees_and_microdegrees() -> None:
    made = apsp.from_edges(
        [0], [1], [8], coordinates=[[9e6, 45e6], [10e6, 45e6]], crs="microdegrees", bends=[[[9e6, 46e6], [10e6, 46e6]]]
    )
    place = made.snap({"p": (9e6, 45.5e6)}, speed=1)
    path = apsp.shortest_path(made, place, 1)
    (found,) = made.path_features([path], sources=place).geometries
    np.testing.assert_allclose(found.coords, [[9, 45.5], [9, 46], [10, 46], [10, 45]], atol=1e-9)


def test_wrong_paths_of_places() -> None:
    graph = crossing()
    homes = graph.snap({"p": (3, 4), "q": (12, 5)}, speed=1)
    for path, ends, words in (
        (["p", "c"], {"sources": homes}, "the place 'p' is not on a street of 'c', the vertex next to it"),
        (["p"], {"sources": homes}, "a path between a place and a vertex has both, not only 'p'"),
        (["p", "q"], {"sources": homes, "targets": homes}, "passes no vertex: they are on two streets"),
        (["x", "a"], {"sources": homes}, "'x'"),
    ):
        with pytest.raises(GraphError, match=words):
            graph.path_features([path], **ends)
    with pytest.raises(RequestError, match="sources must be Places, which"):
        graph.path_features([["p", "a"]], sources=["p"])
    with pytest.raises(RequestError, match="streets of another graph"):
        graph.subgraph(["a", "b"]).path_features([["p", "a"]], sources=homes)


def test_maps_follow_the_bends() -> None:
    pytest.importorskip("matplotlib")
    graph = crossing()
    figure = apsp.solve(graph, sources=["c"], paths=True).plot("c", "a")
    (route,) = figure.axes[0].lines
    assert route.get_xydata().tolist() == [[9, 9], [12, 5], [9, 0], [9, 4], [0, 4], [0, 0]]
    drawn = [line.tolist() for each in figure.axes[0].collections for line in getattr(each, "get_segments", list)()]
    assert [[0, 0], [0, 4], [9, 4], [9, 0]] in drawn
    assert [[9, 0], [12, 5], [9, 9]] in drawn


def two_ways() -> tuple[apsp.Graph, apsp.TurnGraph]:
    """From a, the shorter of two streets from b to c may not be entered; from b, both may."""
    streets = apsp.from_edges(
        ["a", "b", "b", "c"], ["b", "c", "c", "d"], [5, 3, 4, 2], links=True, directed=False, crs="plane",
        coordinates=[[0, 0], [10, 0], [20, 0], [30, 0]], bends=[[[5, 5]], [[15, 5]], [[15, -5], [16, -5]], []],
    )  # fmt: skip
    turned = apsp.with_turns(streets, {"from_link": [0, 1], "to_link": [1, 0], "penalty": [math.inf, math.inf]})
    return streets, turned


UPPER, LOWER = [[15, 5]], [[15, -5], [16, -5]]
"""The bends of the shorter and the longer street from b to c."""


def test_lines_with_turns_follow_the_parallel_link_that_is_taken() -> None:
    streets, turned = two_ways()
    expected = [
        [[0, 0], [5, 5], [10, 0], *LOWER, [20, 0], [30, 0]], [[10, 0], *UPPER, [20, 0]], [],
        [[30, 0], [20, 0], *LOWER[::-1], [10, 0], [5, 5], [0, 0]], [[20, 0], *UPPER, [10, 0]],
    ]  # fmt: skip
    paths = apsp.prepare(turned).paths(["a", "b", "c", "d", "c"], ["d", "c", "c", "a", "b"])
    lines = [shapely.get_coordinates(line).tolist() for line in paths.features().geometries]
    expected[2] = [[20, 0], [20, 0]]  # a path of one vertex
    assert lines == expected
    for number in range(5):
        (line,) = paths.of_pair(number).features().geometries
        assert shapely.get_coordinates(line).tolist() == expected[number]
    walks = apsp.shortest_walks(turned, ["a"], ["d"], 1)
    assert shapely.get_coordinates(walks.features().geometries[0]).tolist() == expected[0]
    assert apsp.prepare(streets).paths(["a"], ["d"]).links_between is None


def test_lines_between_places_follow_the_parallel_link_that_is_taken() -> None:
    """Between the corner of the street from a to b, the vertex b, and two places on the street from c to d."""
    streets, turned = two_ways()
    places = streets.snap({"p": (5, 5), "q": (10, 0), "r": (25, 0), "s": (27, 0)})
    pairs = [("p", "r"), ("r", "p"), ("q", "r"), ("r", "s")]
    expected = [
        [[5, 5], [10, 0], *LOWER, [20, 0], [25, 0]], [[25, 0], [20, 0], *LOWER[::-1], [10, 0], [5, 5]],
        [[10, 0], [10, 0], *UPPER, [20, 0], [25, 0]], [[25, 0], [27, 0]],
    ]  # fmt: skip
    oracle = apsp.prepare(turned)
    for names, points in zip(pairs, expected, strict=True):
        ends = [places.at(name) for name in names]
        for paths in (oracle.paths(*ends), apsp.shortest_walks(turned, *ends, 1)):
            assert [shapely.get_coordinates(line).tolist() for line in paths.features().geometries] == [points]
    starts, ends = places[[1, 0]], places[[3, 2]]
    for paths in (oracle.paths(starts, ends), apsp.shortest_walks(turned, starts, ends, 1)):
        (line,) = paths.of_pair(1).features().geometries
        assert shapely.get_coordinates(line).tolist() == expected[0]
    (line,) = apsp.prepare(streets).paths(places[0], places[2]).features().geometries
    assert shapely.get_coordinates(line).tolist() == [[5, 5], [10, 0], *UPPER, [20, 0], [25, 0]]


@pytest.mark.parametrize(("bends", "links"), [([[[2, 2], [8, 2]], []], True), (None, True), (None, False)])
def test_lines_reach_the_street_of_a_place_beside_it(bends: list[list[list[int]]] | None, links: bool) -> None:
    graph = apsp.from_edges(
        ["a", "b"], ["b", "c"], [10, 10], directed=False, crs="plane", links=links,
        coordinates=[[0, 0], [10, 0], [20, 0]], bends=bends,
    )  # fmt: skip
    places, oracle = graph.snap({"p": (5, 6), "q": (15, 3), "r": (18, 3)}, speed=1), apsp.prepare(graph)
    first = [[5, 6], *([[5, 2], [8, 2]] if bends else [[5, 0]]), [10, 0]]
    expected = {"q": [*first, [15, 0], [15, 3]], "r": [*first, [18, 0], [18, 3]]}
    for name, points in expected.items():
        for ends, there in ((("p", name), points), ((name, "p"), points[::-1])):
            (line,) = oracle.paths(*map(places.at, ends)).features().geometries
            assert shapely.get_coordinates(line).tolist() == there
    (line,) = oracle.paths(places.at("q"), places.at("r")).features().geometries
    assert shapely.get_coordinates(line).tolist() == [[15, 3], [15, 0], [18, 0], [18, 3]]
    (line,) = oracle.paths(places.at("q"), places.at("q")).features().geometries
    assert shapely.get_coordinates(line).tolist() == [[15, 3], [15, 3]]


@pytest.mark.parametrize("directed", [False, True])
def test_lines_between_places_at_one_point_of_a_street_pass_it(directed: bool) -> None:
    street = apsp.from_edges(
        [0], [1], [9], directed=directed, crs="plane", links=True, coordinates=[[0, 0], [9, 0]], bends=[[[9, 9]]]
    )
    corner = {"p": (12, 10), "q": (10, 12)}  # both are nearest to the bend
    places, oracle = street.snap({**corner, "r": (6, 4), "s": (4, 6), "again": (4, 6)}, speed=1), apsp.prepare(street)
    for one, other, middle in (("p", "q", [[9, 9]]), ("r", "s", [[5, 5]]), ("s", "again", [])):
        for ends in ((one, other), (other, one)):
            (line,) = oracle.paths(*map(places.at, ends)).features().geometries
            first, last = (places.at(end).points[0].tolist() for end in ends)
            np.testing.assert_allclose(shapely.get_coordinates(line), [first, *middle, last], atol=1e-12)


def test_a_place_lies_on_the_open_one_of_parallel_links() -> None:
    """Both streets from b to c pass (15, y); the upper one, which is shorter, is closed."""
    streets, turned = two_ways()
    place, oracle = streets.snap({"p": (15, 5)}, crs="plane"), apsp.prepare(turned)
    upper, lower = oracle.path(place, "c", links=True), [2]
    assert upper == [1]
    oracle.update([math.inf], links=upper)
    assert oracle.path(place, "c", links=True) == lower
    paths = oracle.paths(place, ["c"])
    assert list(oracle.paths(place, ["c"], links=True)) == [lower]
    line = shapely.get_coordinates(paths.features().geometries[0]).tolist()
    assert line[1:] == [[16, -5], [20, 0]]


def test_links_of_paths_are_drawn() -> None:
    """The path that turns leave is not that of the best links, which their vertices alone say."""
    streets, turned = two_ways()
    result = apsp.solve(turned, paths=True)
    path, links = result.path("a", "d"), result.path("a", "d", links=True)
    assert links == [0, 2, 3]
    lower = [[0, 0], [5, 5], [10, 0], *LOWER, [20, 0], [30, 0]]
    for taken, bends in ((links, LOWER), ([0, 1, 3], UPPER), (None, UPPER)):
        found = streets.path_features([path, []], links=None if taken is None else [taken, []])
        points = [[0, 0], [5, 5], [10, 0], *bends, [20, 0], [30, 0]]
        assert shapely.get_coordinates(found.geometries[0]).tolist() == points
    places = streets.snap({"p": (5, 5), "r": (25, 0), "s": (27, 0)})
    ends = places[0], places[1]
    route = apsp.prepare(turned).path(*ends), apsp.prepare(turned).path(*ends, links=True)
    (line,) = streets.path_features([route[0]], links=[route[1]], sources=places, targets=places).geometries
    assert shapely.get_coordinates(line).tolist() == [[5, 5], [10, 0], *LOWER, [20, 0], [25, 0]]
    (line,) = streets.path_features([["r", "s"]], links=[[3]], sources=places, targets=places).geometries
    assert shapely.get_coordinates(line).tolist() == [[25, 0], [27, 0]]
    pytest.importorskip("matplotlib")
    for figure in (streets.plot(route=path, links=links), result.plot("a", "d")):
        assert figure.axes[0].lines[0].get_xydata().tolist() == lower
    figure = streets.plot(route=route[0], links=route[1], sources=places, targets=places)
    assert figure.axes[0].lines[0].get_xydata().tolist() == [[5, 5], [5, 5], [10, 0], *LOWER, [20, 0], [25, 0], [25, 0]]


@pytest.mark.parametrize(
    ("links", "error", "words"),
    [
        ([[0, 2]], GraphError, "the path 0 takes 3 links, not 2"),
        ([[0, 2, 0]], GraphError, "the link 0 of the path 0 does not lead from 'c' to 'd'"),
        ([[0, 2, 4]], RequestError, "a link must be a whole number"),
        ([[0, 2, 3], []], RequestError, "there are links of 2 paths, not of 1"),
        ([0], RequestError, "links of the path 0 must be a sequence, not 0"),
        (3, RequestError, "links must be a sequence per path, not 3"),
    ],
)
def test_wrong_links_of_paths(links: object, error: type[Exception], words: str) -> None:
    streets, _ = two_ways()
    with pytest.raises(error, match=words):
        streets.path_features([["a", "b", "c", "d"]], links=links)  # type: ignore[arg-type]


def test_links_of_a_graph_that_keeps_none_or_has_one_way_streets() -> None:
    plain = apsp.from_edges([0, 1], [1, 2], [1, 1], coordinates=[[0, 0], [1, 0], [2, 0]])
    with pytest.raises(RequestError, match="keeps no links"):
        plain.path_features([[0, 1]], links=[[0]])
    one_way = apsp.from_edges([0, 1], [1, 0], [1, 1], coordinates=[[0, 0], [1, 0]], links=True)
    with pytest.raises(GraphError, match="the link 1 of the path 0 does not lead from 0 to 1"):
        one_way.path_features([[0, 1]], links=[[1]])


def test_compromises_follow_the_parallel_link_that_they_take() -> None:
    """The shorter of two streets costs more."""
    streets, _ = two_ways()
    found = apsp.pareto(streets.with_costs(links=True, toll=[0, 9, 1, 0]), "toll", "a", "d")
    lines = [shapely.get_coordinates(line).tolist() for line in found.features().geometries]
    assert list(found.links) == [[0, 1, 3], [0, 2, 3]]
    assert lines == [[[0, 0], [5, 5], [10, 0], *bends, [20, 0], [30, 0]] for bends in (UPPER, LOWER)]
    (line,) = found.of_pair(0).paths.of_pair(0).features().geometries[1:]
    assert shapely.get_coordinates(line).tolist() == lines[1]


@pytest.mark.parametrize("with_turns", [False, True])
def test_links_of_paths_between_places_are_rows_of_the_input(tmp_path: Path, with_turns: bool) -> None:
    """Also in results that were copied or read again: a part of a street is the street."""
    streets, turned = two_ways()
    places = streets.snap({"p": (5, 6), "q": (10, 0), "r": (25, 0)}, speed=1)
    graph, middle = (turned, 2) if with_turns else (streets, 1)
    result = apsp.solve(graph, sources=places, targets=places, paths=True)
    result.save(tmp_path / "result.npz")
    for each in (result, pickle.loads(pickle.dumps(result)), apsp.load(tmp_path / "result.npz")):
        assert each.path("p", "r", links=True) == [0, middle, 3]
        assert each.paths(["q", "r"], ["r", "p"], links=True) == [[1, 3], [3, middle, 0]]
        assert each.path("q", "q", links=True) == []
        assert each.graph == result.graph
    walks = apsp.shortest_walks(graph, places[0], places[2], 1, links=True)
    assert list(walks) == [[0, middle, 3]]
    if not with_turns:
        assert list(apsp.shortest_simple_paths(streets, places[0], places[2], 1, links=True)) == [[0, 1, 3]]
        stored = apsp.solve(graph, sources=places, targets=places, paths=True, store=tmp_path / "stored.zarr")
        assert stored.path("p", "r", links=True) == [0, 1, 3]


def test_links_of_a_part_of_a_graph_with_places_have_its_own_numbers() -> None:
    streets, _ = two_ways()
    part = apsp.solve(streets, sources=streets.snap({"p": (25, 0)})).graph.subgraph(["p", "c", "d"])
    (number,) = apsp.solve(part).path("p", "d", links=True)
    assert number < len(part.links)
    assert part.labels[int(part.links.heads[number])] == "d"


def test_damaged_links_of_places_are_an_error() -> None:
    streets, _ = two_ways()
    graph = apsp.solve(streets, sources=streets.snap({"p": (5, 6)}, speed=1)).graph
    arrays = arrays_of_graph(graph)
    assert graph_of_arrays(arrays, directed=graph.directed) == graph
    for damaged in (arrays["link_streets"] + 99, arrays["link_streets"][1:], arrays["link_streets"].astype(float)):
        with pytest.raises(GraphError, match="links of places are damaged"):
            graph_of_arrays(arrays | {"link_streets": damaged}, directed=graph.directed)
