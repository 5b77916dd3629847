"""Alternatives of routes: those of apsp.alternatives, between places."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

import apsp
from apsp.serving.limits import Limits
from served import CITY, ORACLE, TURNED, answered, length_of, on_streets, points, refused

pytest.importorskip("prometheus_client")


def test_between_vertices_they_are_those_of_the_function() -> None:
    ends = [3, 400]
    routes = answered(ORACLE, "route", CITY.coordinates[ends], alternatives="3", annotations="nodes")["routes"]
    expected = apsp.alternatives(CITY, *ends, 4)
    assert len(routes) > 1
    assert [route["legs"][0]["annotation"]["nodes"] for route in routes] == list(expected)
    assert [route["duration"] for route in routes] == pytest.approx(expected.distances)


def test_limits_hold_between_places() -> None:
    some = on_streets(2, seed=10)
    places = CITY.snap(some, crs="plane", speed=math.inf)
    least = ORACLE.distance(places[0], places[1])
    routes = answered(
        ORACLE, "route", some, alternatives="3", steps="true", annotations="true", geometries="geojson"
    )["routes"]  # fmt: skip
    assert len(routes) > 1
    assert routes[0]["duration"] == pytest.approx(least)
    seconds = dict(zip(zip(CITY.tails().tolist(), CITY.indices.tolist(), strict=True), CITY.weights, strict=True))
    taken: set[tuple[int, int]] = set()
    for number, route in enumerate(routes):
        (leg,) = route["legs"]
        line, nodes = np.array(route["geometry"]["coordinates"]), leg["annotation"]["nodes"]
        assert line[0].tolist() == places.on_street[0].tolist()
        assert line[-1].tolist() == places.on_street[1].tolist()
        assert route["distance"] == pytest.approx(length_of(line))
        assert sum(step["duration"] for step in leg["steps"]) == pytest.approx(route["duration"])
        assert len(set(nodes)) == len(nodes)
        arcs = set(itertools.pairwise(nodes))
        parts = leg["annotation"]["duration"]
        assert parts[1:-1] == pytest.approx([seconds[arc] for arc in itertools.pairwise(nodes)])
        assert route["duration"] <= 1.25 * least * (1 + 1e-12)
        if number:
            assert sum(seconds[arc] for arc in arcs & taken) <= 0.8 * least * (1 + 1e-12)
        taken |= arcs


def test_true_is_one_alternative() -> None:
    counts = [
        len(answered(ORACLE, "route", on_streets(2, seed=10), alternatives=text)["routes"])
        for text in ("false", "0", "true", "1")
    ]
    assert counts == [1, 1, 2, 2]


def test_places_on_one_street() -> None:
    tail, head = CITY.coordinates[CITY.tails()[7]], CITY.coordinates[CITY.indices[7]]
    some = np.array([tail + part * (head - tail) for part in (0.25, 0.75)])
    (route, *_) = answered(ORACLE, "route", some, alternatives="true", geometries="geojson")["routes"]
    assert route["duration"] == pytest.approx(CITY.weights[7] / 2)
    np.testing.assert_allclose(route["geometry"]["coordinates"], some)


def test_what_is_refused() -> None:
    assert refused(ORACLE, "route", points(2), alternatives="9")[0] == "TooBig"
    assert refused(ORACLE, "route", points(2), alternatives="1", limits=Limits(alternatives=0))[0] == "TooBig"
    code, words = refused(ORACLE, "route", points(3), alternatives="true")
    assert (code, "two points" in words) == ("NotImplemented", True)
    code, words = refused(TURNED, "route", points(2), alternatives="true")
    assert (code, "turns" in words) == ("NotImplemented", True)
    assert refused(ORACLE, "route", points(2), alternatives="few")[0] == "InvalidOptions"


def test_no_path() -> None:
    islands = apsp.from_edges([0, 2], [1, 3], [5, 5], coordinates=[[0, 0], [9, 0], [0, 50], [9, 50]])
    code, _ = refused(apsp.prepare(islands), "route", [[1, 0], [1, 50]], alternatives="true")
    assert code == "NoRoute"


def test_no_route_passes_a_zone() -> None:
    """The short way from a to d leads through b, where paths may only begin and end."""
    labels = ["s", "a", "b", "c", "d", "t"]
    streets = apsp.from_edges(
        ["s", "a", "b", "a", "c", "d"], ["a", "b", "d", "c", "d", "t"], [1, 1, 1, 2, 2, 1], directed=False,
        labels=labels, zones=[label == "b" for label in labels],
        coordinates=[[-1, 0], [0, 0], [1, 1], [1, -1], [2, 0], [3, 0]],
    )  # fmt: skip
    oracle = apsp.prepare(streets)
    for how in ({}, {"alternatives": "2"}):
        routes = answered(oracle, "route", [[-0.5, 0], [2.5, 0]], annotations="nodes", **how)["routes"]
        assert [route["legs"][0]["annotation"]["nodes"] for route in routes] == [["a", "c", "d"]]
        assert routes[0]["duration"] == 5


def test_from_a_place_to_itself() -> None:
    for where in (CITY.coordinates[3], on_streets(1)[0]):
        (route,) = answered(ORACLE, "route", [where, where], alternatives="2", steps="true")["routes"]
        assert (route["duration"], len(route["legs"][0]["steps"])) == (0, 2)
