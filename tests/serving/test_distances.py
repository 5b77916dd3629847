"""Tables with distances along the fastest paths, from the cost that is named as the length."""

from __future__ import annotations

import math
from typing import Any

import networkx as nx
import numpy as np
import pytest

import apsp
from apsp.errors import GraphError, RequestError
from apsp.serving.limits import Limits
from apsp.serving.router import Router
from served import CITY, ORACLE, answered, length_of, path_between, points, refused, timed_city

pytest.importorskip("prometheus_client")


def test_some_streets_are_one_way() -> None:
    back = apsp.Graph(CITY.indptr, CITY.indices, CITY.weights).reversed()
    assert not np.array_equal(back.indices, CITY.indices)


@pytest.mark.parametrize("turns", [False, True])
def test_distances_are_the_lengths_of_the_lines_of_routes(turns: bool) -> None:
    oracle, some = apsp.prepare(timed_city(turns=True), threads=1) if turns else ORACLE, points(8)
    table = answered(oracle, "table", some, annotations="duration,distance", length="metres")
    for i in range(8):
        for j in range(8):
            if i != j:
                reply = answered(oracle, "route", some[[i, j]], geometries="geojson")
                (route,) = reply["routes"]
                assert table["durations"][i, j] == pytest.approx(route["duration"], rel=1e-12)
                assert table["distances"][i, j] == pytest.approx(length_of(route["geometry"]["coordinates"]), rel=1e-9)


def test_distances_of_vertices_are_those_along_the_paths_of_networkx() -> None:
    where = [3, 77, 150, 400]
    reply = answered(ORACLE, "table", CITY.coordinates[where], annotations="distance", length="metres")
    assert "durations" not in reply
    roads = nx.DiGraph()
    for tail, head, seconds, metres in zip(CITY.tails(), CITY.indices, CITY.weights, CITY.costs["metres"], strict=True):
        roads.add_edge(tail, head, seconds=seconds, metres=metres)
    for i, source in enumerate(where):
        for j, target in enumerate(where):
            path = nx.dijkstra_path(roads, source, target, "seconds")
            assert reply["distances"][i, j] == pytest.approx(nx.path_weight(roads, path, "metres"), rel=1e-12, abs=1e-9)


def test_large_tables_in_an_order_of_their_own() -> None:
    some = points(150)  # three pieces
    reply = answered(ORACLE, "table", some, destinations="5;5;9", annotations="distance,duration", length="metres")
    places = CITY.snap(some, crs="plane", speed=math.inf)
    expected = apsp.skim(CITY, ["metres"], zones=places, targets=places[[5, 9]])
    np.testing.assert_allclose(reply["distances"], expected["metres"][:, [0, 0, 1]], rtol=1e-12, atol=1e-9)
    np.testing.assert_array_equal(reply["durations"], ORACLE.matrix(places, places[[5, 9]])[:, [0, 0, 1]])


def test_units_and_ways_to_streets() -> None:
    some = points(6)
    metres = answered(ORACLE, "table", some, annotations="distance", length="metres")["distances"]
    as_km = answered(ORACLE, "table", some, annotations="distance", length="metres", length_unit="km")["distances"]
    np.testing.assert_array_equal(as_km, metres * 1000)
    in_hours = answered(ORACLE, "table", some, annotations="distance", length="metres", unit="h")["distances"]
    np.testing.assert_array_equal(in_hours, metres)
    places = CITY.snap(some, crs="plane", speed=1.5)
    expected = apsp.skim(CITY, ["metres"], zones=places)["metres"]  # ways to streets have no length
    walked = answered(ORACLE, "table", some, annotations="distance", length="metres", speed=1.5)["distances"]
    np.testing.assert_allclose(walked, expected, rtol=1e-12, atol=1e-9)


def test_routes_have_the_length_that_is_named() -> None:
    longer = apsp.prepare(CITY.with_costs(metres=CITY.costs["metres"] * 3), threads=1)
    some = points(3)
    (plain,), (route,) = (answered(longer, "route", some, **how)["routes"] for how in ({}, {"length": "metres"}))
    assert route["distance"] == pytest.approx(3 * plain["distance"], rel=1e-12)
    assert [leg["distance"] for leg in route["legs"]] == pytest.approx([3 * leg["distance"] for leg in plain["legs"]])
    assert route["duration"] == plain["duration"]


def test_a_saved_oracle_has_the_lengths(tmp_path: Any) -> None:
    ORACLE.save(tmp_path / "oracle.npz")
    loaded, some = apsp.Oracle.load(tmp_path / "oracle.npz"), points(3)
    tables = [
        answered(oracle, "table", some, annotations="distance", length="metres")["distances"]
        for oracle in (ORACLE, loaded)
    ]
    np.testing.assert_array_equal(*tables)


def test_an_oracle_with_closed_streets_has_lengths_of_the_others() -> None:
    closed, some = apsp.prepare(CITY, threads=1), points(2)
    before = answered(closed, "table", some, annotations="distance", length="metres")["distances"][0, 1]
    route = path_between(closed, some)
    closed.update({(route[3], route[4]): math.inf})
    after = answered(closed, "table", some, annotations="distance", length="metres")["distances"][0, 1]
    (detour,) = answered(closed, "route", some, geometries="geojson")["routes"]
    assert after != before
    assert after == pytest.approx(length_of(detour["geometry"]["coordinates"]), rel=1e-9)


def test_servers_that_do_not_know_the_lengths() -> None:
    code, words = refused(ORACLE, "table", points(2), annotations="duration,distance")
    assert code == "NotImplemented"
    assert "apsp serve --length NAME names it" in words
    code, words = refused(ORACLE, "table", points(2), annotations="duration", unit="m")
    assert code == "NotImplemented"
    assert "annotations=distance" in words


def test_lengths_that_a_router_does_not_take() -> None:
    with pytest.raises(RequestError, match=r"length='km': the graph has the costs metres"):
        Router(ORACLE, "s", crs="plane", length="km")
    with pytest.raises(RequestError, match="the weights are lengths already"):
        Router(ORACLE, "m", crs="plane", length="metres")
    with pytest.raises(RequestError, match="length_unit must be one of m, km"):
        Router(ORACLE, "s", crs="plane", length="metres", length_unit="mi")
    odd = apsp.prepare(CITY.with_costs(metres=-CITY.costs["metres"]), threads=1)
    with pytest.raises((RequestError, GraphError), match="negative"):
        Router(odd, "s", crs="plane", length="metres")


def test_a_table_with_both_has_twice_as_many_numbers() -> None:
    how = {"limits": Limits(cells=12), "length": "metres"}
    answered(ORACLE, "table", points(3), annotations="distance", **how)
    code, words = refused(ORACLE, "table", points(3), annotations="duration,distance", **how)
    assert code == "TooBig"
    assert "18 numbers" in words
