"""A server of an oracle with turns: tables and routes honour them, also at the points where paths begin and end."""

from __future__ import annotations

import asyncio
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import apsp
from apsp.cli.options import Reading
from apsp.cli.serve import prepared_oracle
from apsp.cli.terminal import Show
from apsp.serving.application import Service
from apsp.serving.limits import Limits
from apsp.serving.osrm import RefusedError
from apsp.serving.router import Router

pytest.importorskip("prometheus_client")

TURNED = apsp.generate("city", 900, seed=3, turns=True)
STREETS = TURNED.graph


@pytest.fixture(name="oracle", scope="module")
def oracle_fixture(tmp_path_factory: pytest.TempPathFactory) -> apsp.Oracle:
    """A saved one."""
    path = tmp_path_factory.mktemp("turns") / "city.oracle.npz"
    apsp.prepare(TURNED).save(path)
    return prepared_oracle(str(path), Reading(), Show(quiet=True))


def answered(oracle: apsp.Oracle, name: str, points: Any, crs: str | None = "plane", **options: str) -> dict[str, Any]:
    """The reply to one request."""
    where = ";".join(f"{x!r},{y!r}" for x, y in np.asarray(points, dtype=float).tolist())

    async def ask() -> dict[str, Any]:
        service = Service(lambda: Router(oracle, "s", crs=crs), Limits(), 1)
        try:
            return await service.answer(name, where, options)
        finally:
            service.close()

    return asyncio.run(ask())


def some_points(count: int) -> np.ndarray[Any, Any]:
    low, high = STREETS.coordinates.min(axis=0), STREETS.coordinates.max(axis=0)
    return np.random.default_rng(1).uniform(low, high, (count, 2))


def test_tables(oracle: apsp.Oracle) -> None:
    points = some_points(100)  # two pieces
    durations = answered(oracle, "table", points)["durations"]
    places = STREETS.snap(points, crs="plane", speed=math.inf)
    np.testing.assert_array_equal(durations, oracle.matrix(places, places))
    np.testing.assert_allclose(durations, apsp.matrix(TURNED, places, places).distances, rtol=1e-12)
    assert (durations != apsp.matrix(STREETS, places, places).distances).mean() > 0.2


def test_routes(oracle: apsp.Oracle) -> None:
    points = some_points(30)
    reply = answered(oracle, "route", points, geometries="geojson")
    places = STREETS.snap(points, crs="plane", speed=math.inf)
    (route,) = reply["routes"]
    lengths = [oracle.distance(places[i], places[i + 1]) for i in range(29)]
    assert [leg["duration"] for leg in route["legs"]] == lengths
    np.testing.assert_allclose(lengths, [apsp.distance(TURNED, places[i], places[i + 1]) for i in range(29)])
    assert sum(lengths) > sum(apsp.distance(STREETS, places[i], places[i + 1]) for i in range(29))
    line = route["geometry"]["coordinates"]
    assert line[[0, -1]].tolist() == places.on_street[[0, -1]].tolist()
    assert route["distance"] == pytest.approx(np.hypot(*np.diff(line, axis=0).T).sum())


def test_nearest_streets_are_those_without_turns(oracle: apsp.Oracle) -> None:
    (point,) = some_points(1)
    found = answered(oracle, "nearest", [point])
    assert found == answered(apsp.prepare(STREETS), "nearest", [point])


def crossing(**movements: Any) -> apsp.TurnGraph:
    """Streets from b, at the origin, to a in the west, c in the east and d in the north, 10 long each."""
    streets = apsp.from_edges(
        [("a", "b", 10), ("b", "c", 10), ("b", "d", 10)],
        directed=False,
        coordinates=[[-10, 0], [0, 0], [10, 0], [0, 10]],
    )
    return apsp.with_turns(streets, **movements)


def test_the_movements_of_the_streets_of_both_points_count() -> None:
    """From the middle of a street to that of another, where the movement between them is dear, and then forbidden."""
    west, north, east, middle = [-5, 0], [0, 5], [5, 0], [0, 0]
    dear = apsp.prepare(crossing(movements=[("a", "b", "d", 7)]))
    durations = answered(dear, "table", [west, north, east, middle])["durations"]
    assert durations.tolist() == [[0, 17, 10, 5], [10, 0, 10, 5], [10, 10, 0, 5], [5, 5, 5, 0]]
    forbidden = apsp.prepare(crossing(movements=[("a", "b", "d")]))
    route = answered(forbidden, "route", [west, north], geometries="geojson")["routes"][0]
    assert (route["duration"], route["distance"]) == (30, 30)
    assert route["geometry"]["coordinates"].tolist() == [west, [0, 0], [10, 0], [0, 0], north]


def test_points_without_a_path() -> None:
    streets = apsp.from_edges(["a", "b"], ["b", "c"], [10, 10], coordinates=[[-10, 0], [0, 0], [10, 0]])
    oracle = apsp.prepare(apsp.with_turns(streets, [("a", "b", "c")]))
    assert np.isinf(answered(oracle, "table", [[-5, 0], [5, 0]])["durations"][0, 1])
    with pytest.raises(RefusedError, match="there is no path from point 0 to point 1") as refusal:
        answered(oracle, "route", [[-5, 0], [5, 0]])
    assert refusal.value.code == "NoRoute"


def test_lines_follow_the_parallel_street_that_turns_leave() -> None:
    """Of two streets from b to c, the shorter one may not be entered from a."""
    streets = apsp.from_edges(
        ["a", "b", "b", "c"], ["b", "c", "c", "d"], [10, 10, 14, 10], links=True,
        coordinates=[[0, 0], [10, 0], [20, 0], [30, 0]], bends=[[], [], [[10, 2], [20, 2]], [[30, 5]]],
    )  # fmt: skip
    turned = apsp.with_turns(streets, {"from_link": [0], "to_link": [1], "penalty": [math.inf]})
    for graph, duration, line in (
        (streets, 25, [[5, 0], [10, 0], [20, 0], [30, 5], [30, 0]]),
        (turned, 29, [[5, 0], [10, 0], [10, 2], [20, 2], [20, 0], [30, 5], [30, 0]]),
    ):
        (route,) = answered(apsp.prepare(graph), "route", [[5, 0], [30, 0]], geometries="geojson")["routes"]
        assert (route["duration"], route["geometry"]["coordinates"].tolist()) == (duration, line)
        assert route["distance"] == pytest.approx(np.hypot(*np.diff(line, axis=0).T).sum())


def test_a_graph_that_is_read_with_its_restrictions(tmp_path: Path) -> None:
    pytest.importorskip("osmium")
    (tmp_path / "crossing.osm").write_text(MAP)
    for turns, times in ((False, 1), (True, 2)):
        oracle = prepared_oracle(str(tmp_path / "crossing.osm"), Reading(cost="length", turns=turns), Show(quiet=True))
        (route,) = answered(oracle, "route", [[-0.001, 0], [0, 0.001]], crs=None)["routes"]
        assert route["duration"] == pytest.approx(times * 222.39, rel=1e-4)


MAP = """<osm version="0.6">
<node id="1" lon="-0.001" lat="0"/><node id="2" lon="0.001" lat="0"/><node id="4" lon="0" lat="0.001"/>
<node id="5" lon="0" lat="0"/>
<way id="10"><nd ref="1"/><nd ref="5"/><tag k="highway" v="residential"/></way>
<way id="20"><nd ref="5"/><nd ref="2"/><tag k="highway" v="residential"/></way>
<way id="40"><nd ref="5"/><nd ref="4"/><tag k="highway" v="residential"/></way>
<relation id="7"><member type="way" ref="10" role="from"/><member type="node" ref="5" role="via"/>
<member type="way" ref="40" role="to"/><tag k="type" v="restriction"/><tag k="restriction" v="no_left_turn"/>
</relation></osm>
"""
