"""The tools of language models: the same answers over the Model Context Protocol."""

from __future__ import annotations

import asyncio
from typing import Any

import numpy as np
import pytest

import apsp
from apsp.serving.application import Service
from apsp.serving.limits import Limits
from apsp.serving.router import Router

mcp = pytest.importorskip("mcp")

from apsp.serving.tools import tools  # noqa: E402 - the package is needed

STREETS = apsp.generate("city", 400, seed=3)
CITY = STREETS.with_costs(
    metres=np.hypot(*(STREETS.coordinates[STREETS.tails()] - STREETS.coordinates[STREETS.indices]).T)
)
POINTS = [[10.0, 20.0], [-300.0, 400.0], [200.0, -100.0]]


def called(name: str, arguments: dict[str, Any]) -> Any:
    async def run() -> Any:
        service = Service(lambda: Router(apsp.prepare(CITY), "s", crs="plane", length="metres"), Limits(), 1)
        try:
            async with mcp.Client(tools(service)) as client:
                return await client.call_tool(name, arguments)
        finally:
            service.close()

    return asyncio.run(run())


def test_tables_routes_and_nearest_streets() -> None:
    places = CITY.snap(POINTS, crs="plane", speed=np.inf)
    table = called("table", {"origins": POINTS[:1], "destinations": POINTS[1:]}).structured_content
    expected = apsp.matrix(CITY, places[:1], places[1:]).distances
    assert table["durations"] == expected.tolist()
    route = called("route", {"points": POINTS}).structured_content["routes"][0]
    assert route["legs"][0]["duration"] == expected[0, 0]
    assert route["geometry"]["coordinates"][0] == places.on_street[0].tolist()
    near = called("nearest", {"point": POINTS[0]}).structured_content
    assert near["waypoints"][0]["location"] == places.on_street[0].tolist()


def test_distances_steps_and_alternatives() -> None:
    places = CITY.snap(POINTS, crs="plane", speed=np.inf)
    ends = {"origins": POINTS[:1], "destinations": POINTS[1:], "annotations": "duration,distance"}
    table = called("table", ends).structured_content
    skims = apsp.skim(CITY, ["metres"], zones=places[:1], targets=places[1:])
    for name, cost in (("durations", "cost"), ("distances", "metres")):
        np.testing.assert_allclose(table[name], skims[cost], rtol=1e-12)
    found = called("route", {"points": POINTS[:2], "steps": True, "alternatives": 2}).structured_content["routes"]
    assert found[0]["duration"] == pytest.approx(skims["cost"][0, 0])
    assert [route["legs"][0]["steps"][-1]["maneuver"]["type"] for route in found] == ["arrive"] * len(found)


def test_errors_say_what_is_wrong() -> None:
    reply = called("route", {"points": POINTS[:1]})
    assert reply.is_error
    assert "two points or more" in reply.content[0].text
