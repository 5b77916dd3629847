"""Requests in the forms of OSRM: what is read, and what is refused by which code."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from apsp.serving.osrm import RefusedError, parsed
from apsp.serving.polylines import polyline

EXAMPLE = np.array([[-120.2, 38.5], [-120.95, 40.7], [-126.453, 43.252]])
"""The example of Google's description of the format."""


def test_coordinates_and_options() -> None:
    request = parsed("table", "1,2;3.5,-4e0;5,6", {"sources": "2;0", "radiuses": ";unlimited;7.5"}, ("duration",))
    assert request.points.tolist() == [[1, 2], [3.5, -4], [5, 6]]
    assert (request.sources, request.targets, request.radiuses) == ([2, 0], [0, 1, 2], [None, None, 7.5])
    route = parsed("route", "1,2;3,4.json", {"overview": "false", "geometries": "geojson"}, ("duration",))
    assert (route.has_steps, route.annotations, route.alternatives) == (False, (), 0)
    assert (route.points.tolist(), route.has_overview, route.geometries) == ([[1, 2], [3, 4]], False, "geojson")


@pytest.mark.parametrize(("name", "digits"), [("polyline", 5), ("polyline6", 6)])
def test_encoded_coordinates(name: str, digits: int) -> None:
    request = parsed("route", f"{name}({polyline(EXAMPLE, digits)})", {}, ("duration",))
    np.testing.assert_array_equal(request.points, EXAMPLE)


def test_the_example_of_encoded_lines() -> None:
    assert polyline(EXAMPLE, 5) == "_p~iF~ps|U_ulLnnqC_mqNvxq`@"


@given(st.lists(st.tuples(st.integers(-18000000, 18000000), st.integers(-9000000, 9000000)), min_size=2))
def test_encoded_lines_are_decoded(corners: list[tuple[int, int]]) -> None:
    points = np.array(corners) / 1e5
    found = parsed("route", f"polyline({polyline(points, 5)})", {}, ("duration",)).points
    np.testing.assert_allclose(found, points, atol=1e-9, rtol=0)


@pytest.mark.parametrize(
    ("service", "coordinates", "options", "code", "words"),
    [
        ("trip", "1,2;3,4", {}, "InvalidService", "nearest, table, route"),
        ("table", "1,2;3", {}, "InvalidUrl", "x,y;x,y"),
        ("table", "1,2;3,nan", {}, "InvalidUrl", "finite"),
        ("table", "1,2;3,4,5", {}, "InvalidUrl", "x,y;x,y"),
        ("table", "", {}, "InvalidUrl", "x,y;x,y"),
        ("table", "polyline(_p~iF~ps|U_)", {}, "InvalidUrl", "damaged"),
        ("table", "polyline(\x01)", {}, "InvalidUrl", "damaged"),
        ("table", "1,2;3,4", {"sources": "0;2"}, "InvalidOptions", "sources has 2"),
        ("table", "1,2;3,4", {"destinations": "-1"}, "InvalidOptions", "from 0"),
        ("table", "1,2;3,4", {"annotations": "distance"}, "NotImplemented", "apsp serve --length"),
        ("table", "1,2;3,4", {"annotations": "duration,distance"}, "NotImplemented", "apsp serve --length"),
        ("table", "1,2;3,4", {"annotations": "speed"}, "InvalidOptions", "duration, distance"),
        ("table", "1,2;3,4", {"annotations": ""}, "InvalidOptions", "duration, distance"),
        ("table", "1,2;3,4", {"fallback_speed": "3"}, "InvalidOptions", "does not take 'fallback_speed'"),
        ("table", "1,2;3,4", {"radiuses": "5"}, "InvalidOptions", "2 points and 1 radiuses"),
        ("table", "1,2;3,4", {"radiuses": "5;-1"}, "InvalidOptions", "numbers of metres"),
        ("nearest", "1,2;3,4", {}, "InvalidQuery", "one point, not 2"),
        ("nearest", "1,2", {"number": "3"}, "InvalidOptions", "number may be 1"),
        ("nearest", "1,2", {"bearings": "0,20"}, "InvalidOptions", "does not take 'bearings'"),
        ("route", "1,2", {}, "InvalidQuery", "two points or more"),
        ("route", "1,2;3,4", {"steps": "yes"}, "InvalidOptions", "steps may be true, false"),
        ("route", "1,2;3,4", {"annotations": "nodes,speed"}, "InvalidOptions", "duration, distance, weight, nodes"),
        ("route", "1,2;3,4", {"annotations": "true,nodes"}, "InvalidOptions", "annotations=true,nodes"),
        ("route", "1,2;3,4;5,6", {"alternatives": "3"}, "NotImplemented", "two points"),
        ("route", "1,2;3,4", {"alternatives": "-1"}, "InvalidOptions", "true, false or a number"),
        ("route", "1,2;3,4", {"geometries": "wkt"}, "InvalidOptions", "geojson"),
    ],
)
def test_what_is_refused(service: str, coordinates: str, options: dict[str, str], code: str, words: str) -> None:
    with pytest.raises(RefusedError, match=words) as refusal:
        parsed(service, coordinates, options, ("duration",))
    assert (refusal.value.code, refusal.value.status) == (code, 400)
