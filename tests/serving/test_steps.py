"""Steps and annotations of routes: sums, lines, directions and the roads at crossings."""

from __future__ import annotations

import itertools
import math
from typing import Any

import networkx as nx
import numpy as np
import numpy.typing as npt
import pytest

import apsp
from apsp.serving.limits import Limits
from apsp.serving.polylines import decoded
from apsp.serving.steps import modifier
from served import CITY, ORACLE, TURNED, answered, length_of, on_streets, path_between, points, refused

pytest.importorskip("prometheus_client")


def direction(line: Any) -> float:
    (x, y), (u, v) = line
    return math.degrees(math.atan2(u - x, v - y)) % 360


def apart(one: float, other: float) -> float:
    return abs((one - other + 180) % 360 - 180)


def lines_of(steps: list[dict[str, Any]]) -> list[npt.NDArray[np.float64]]:
    return [np.array(step["geometry"]["coordinates"]) for step in steps]


@pytest.mark.parametrize("oracle", [ORACLE, TURNED], ids=["streets", "turns"])
@pytest.mark.parametrize("how", [{}, {"length": "metres"}, {"unit": "m"}, {"speed": 1.5, "length": "metres"}])
def test_steps_add_up_to_their_leg(oracle: apsp.Oracle, how: dict[str, Any]) -> None:
    reply = answered(oracle, "route", points(4), steps="true", geometries="geojson", **how)
    (route,) = reply["routes"]
    for leg in route["legs"]:
        for name in ("distance", "duration", "weight"):
            if leg[name] is not None:
                assert sum(step[name] for step in leg["steps"]) == pytest.approx(leg[name], rel=1e-9)
    every = [line for leg in route["legs"] for line in lines_of(leg["steps"])]
    for before, after in itertools.pairwise(every):
        assert before[-1].tolist() == pytest.approx(after[0].tolist())
    assert sum(map(length_of, every)) == pytest.approx(length_of(route["geometry"]["coordinates"]), rel=1e-9)


@pytest.mark.parametrize("oracle", [ORACLE, TURNED], ids=["streets", "turns"])
def test_maneuvers(oracle: apsp.Oracle) -> None:
    some = on_streets(2, seed=4)
    steps = answered(oracle, "route", some, steps="true", geometries="geojson")["routes"][0]["legs"][0]["steps"]
    path = path_between(oracle, some)
    assert len(steps) == len(path)  # a link each between the vertices and places, and the arrival
    assert [step["maneuver"]["type"] for step in steps] == ["depart", *["turn"] * (len(path) - 2), "arrive"]
    lines = lines_of(steps)
    assert lines[-1][0].tolist() == lines[-1][1].tolist() == lines[-2][-1].tolist()
    for number, (step, line) in enumerate(zip(steps, lines, strict=True)):
        found = step["maneuver"]
        assert found["location"] == line[0].tolist()
        before = direction(lines[number - 1][-2:]) if number else 0.0
        after = direction(line[:2]) if number < len(steps) - 1 else 0.0
        assert apart(found["bearing_before"], before) <= 0.5
        assert apart(found["bearing_after"], after) <= 0.5
        assert all(isinstance(found[each], int) for each in ("bearing_before", "bearing_after"))
        if found["type"] == "turn":
            assert found["modifier"] == modifier(after - before)
        else:
            assert "modifier" not in found


def test_durations_of_steps_are_those_of_streets() -> None:
    where = [3, 400]
    leg = answered(ORACLE, "route", CITY.coordinates[where], steps="true")["routes"][0]["legs"][0]
    roads = nx.DiGraph()
    for tail, head, seconds in zip(CITY.tails(), CITY.indices, CITY.weights, strict=True):
        roads.add_edge(tail, head, seconds=seconds)
    path = nx.dijkstra_path(roads, *where, "seconds")
    seconds = [roads[tail][head]["seconds"] for tail, head in itertools.pairwise(path)]
    assert [step["duration"] for step in leg["steps"]] == pytest.approx([*seconds, 0])


@pytest.mark.parametrize("oracle", [ORACLE, TURNED], ids=["streets", "turns"])
def test_roads_at_crossings(oracle: apsp.Oracle) -> None:
    """The neighbours of each vertex, and whether a path that comes from the vertex before may go on to them."""
    some = on_streets(2, seed=5)
    path = path_between(oracle, some)[1:-1]
    steps = answered(oracle, "route", some, steps="true", geometries="geojson")["routes"][0]["legs"][0]["steps"]
    tails, heads = CITY.tails().tolist(), CITY.indices.tolist()
    turned = oracle.turned
    forbidden = set()
    if turned is not None:
        links = [(int(a), int(b)) for a, b in zip(tails, heads, strict=True)]
        columns = (turned.movements[name].tolist() for name in ("from_link", "to_link"))
        forbidden = {(*links[a], links[b][1]) for a, b in zip(*columns, strict=True)}
        assert forbidden
    arcs = set(zip(tails, heads, strict=True))
    for i, (vertex, step) in enumerate(zip(path, steps[1:-1], strict=True)):
        (crossing,) = step["intersections"]
        assert crossing["location"] == CITY.coordinates[vertex].tolist()
        beside = {b for a, b in arcs if a == vertex} | {a for a, b in arcs if b == vertex}
        roads = sorted((direction(CITY.coordinates[[vertex, each]]), each) for each in beside)
        assert len(crossing["bearings"]) == len(roads)
        assert all(apart(one, other) <= 0.5 for one, (other, _) in zip(crossing["bearings"], roads, strict=True))
        before = step["maneuver"]["bearing_before"] + 180
        assert apart(crossing["bearings"][crossing["in"]], before) <= 1
        assert apart(crossing["bearings"][crossing["out"]], step["maneuver"]["bearing_after"]) <= 1
        assert crossing["entry"][crossing["out"]]
        if i:
            may = [(vertex, each) in arcs and (path[i - 1], vertex, each) not in forbidden for _, each in roads]
            assert crossing["entry"] == may


def test_roads_that_may_not_be_entered() -> None:
    streets = apsp.from_edges(
        ["a", "b", "c", "b", "b"], ["b", "c", "b", "d", "e"], [10, 10, 10, 10, 10],
        coordinates=[[-10, 0], [0, 0], [10, 0], [0, 10], [0, -10]], labels=["a", "b", "c", "d", "e"],
    )  # fmt: skip
    turned = apsp.with_turns(streets, [("a", "b", "d")])
    for graph, north in ((streets, True), (turned, False)):
        reply = answered(apsp.prepare(graph), "route", [[-5, 0], [5, 0]], steps="true")
        crossing = reply["routes"][0]["legs"][0]["steps"][1]["intersections"][0]
        assert (crossing["bearings"], crossing["in"], crossing["out"]) == ([0, 90, 180, 270], 3, 1)
        assert crossing["entry"] == [north, True, True, False]  # a one-way street leads from a


def test_penalties_are_in_the_step_that_begins_with_the_movement() -> None:
    streets = apsp.from_edges(
        ["a", "b", "b"], ["b", "c", "d"], [10, 10, 10], directed=False, coordinates=[[-10, 0], [0, 0], [10, 0], [0, 10]]
    )
    oracle = apsp.prepare(apsp.with_turns(streets, [("a", "b", "d", 7)]))
    (leg,) = answered(oracle, "route", [[-5, 0], [0, 5]], steps="true", annotations="true")["routes"][0]["legs"]
    assert [step["duration"] for step in leg["steps"]] == [5, 12, 0]
    assert [step["maneuver"].get("modifier") for step in leg["steps"]] == [None, "left", None]
    assert leg["annotation"]["duration"].tolist() == [5, 12]
    far = answered(oracle, "route", [[-5, 0], [0, 10]], steps="true")["routes"][0]["legs"][0]
    assert [step["duration"] for step in far["steps"]] == [5, 17, 0]


@pytest.mark.parametrize(
    ("angle", "word"),
    [(0, "straight"), (20, "straight"), (-19, "straight"), (30, "slight right"), (-40, "slight left"), (90, "right"),
     (-90, "left"), (150, "sharp right"), (-150, "sharp left"), (180, "uturn"), (-180, "uturn"), (270, "left"),
     (-350, "straight")],
)  # fmt: skip
def test_modifiers(angle: float, word: str) -> None:
    assert modifier(angle) == word


def bent(**turns: Any) -> Any:
    """Streets from a by b to c with bends, and a further one to b."""
    graph = apsp.from_edges(
        ["a", "b", "d"], ["b", "c", "b"], [12, 20, 5], links=True, costs={"metres": [240, 100, 90]},
        coordinates=[[0, 0], [40, 0], [80, 0], [40, 50]], labels=["a", "b", "c", "d"],
        bends=[[[0, 10], [40, 10]], [], []],
    )  # fmt: skip
    return apsp.with_turns(graph, **turns) if turns else graph


@pytest.mark.parametrize("turns", [{}, {"movements": [("d", "b", "c")]}], ids=["streets", "turns"])
def test_annotations_along_bends(turns: dict[str, Any]) -> None:
    oracle = apsp.prepare(bent(**turns))
    some = [[0, 5], [60, 0]]  # 5 of the 60 metres of the line of the first street, and half of the second one
    for names, length in (("true", None), ("duration,nodes,distance", "metres")):
        reply = answered(oracle, "route", some, annotations=names, geometries="geojson", length=length)
        (route,) = reply["routes"]
        line = [[0, 5], [0, 10], [40, 10], [40, 0], [60, 0]]
        assert np.array(route["geometry"]["coordinates"]).tolist() == line
        (leg,) = route["legs"]
        found = leg["annotation"]
        assert np.array(found["duration"]).tolist() == pytest.approx([1, 8, 2, 10])
        metres = [5, 40, 10, 20] if length is None else [20, 160, 40, 50]
        assert np.array(found["distance"]).tolist() == pytest.approx(metres)
        assert found["nodes"] == ["b"]
        assert ("weight" in found) == (names == "true")
        assert sum(found["distance"]) == pytest.approx(route["distance"])
        assert leg["steps"] == []
    (step, _, _) = answered(oracle, "route", some, steps="true")["routes"][0]["legs"][0]["steps"]
    assert decoded(step["geometry"], 5).tolist() == line[:4]
    assert step["maneuver"]["bearing_after"] == 0


@pytest.mark.parametrize("oracle", [ORACLE, TURNED], ids=["streets", "turns"])
def test_annotations_add_up(oracle: apsp.Oracle) -> None:
    some = points(3, seed=6)
    how = {"annotations": "true", "geometries": "geojson", "speed": 2.0, "length": "metres"}
    (route,) = answered(oracle, "route", some, **how)["routes"]
    places = CITY.snap(some, crs="plane", speed=2.0)
    for i, leg in enumerate(route["legs"]):
        found = leg["annotation"]
        assert set(found) == {"duration", "distance", "weight", "nodes"}
        assert found["nodes"] == oracle.path(places[i], places[i + 1])[1:-1]
        for name in ("duration", "distance", "weight"):
            assert sum(found[name]) == pytest.approx(leg[name], rel=1e-9)
    counts = [len(leg["annotation"]["duration"]) for leg in route["legs"]]
    assert sum(counts) == len(route["geometry"]["coordinates"]) - 1


def test_annotations_of_weights_that_are_lengths() -> None:
    (route,) = answered(ORACLE, "route", points(2), annotations="true", unit="km")["routes"]
    found = route["legs"][0]["annotation"]
    assert set(found) == {"distance", "weight", "nodes"}
    assert sum(found["distance"]) == pytest.approx(route["distance"])
    assert refused(ORACLE, "route", points(2), annotations="duration", unit="km")[0] == "NotImplemented"


@pytest.mark.parametrize("oracle", [ORACLE, TURNED], ids=["streets", "turns"])
def test_places_at_vertices_and_on_one_street(oracle: apsp.Oracle) -> None:
    where = CITY.coordinates
    tail, head = CITY.tails()[7], CITY.indices[7]
    third, half = (where[tail] + part * (where[head] - where[tail]) for part in (1 / 3, 1 / 2))
    for some, count in (
        ([where[tail], where[tail]], 1), ([third, third], 1), ([third, half], 1), ([where[tail], half], 1),
        ([half, where[head]], 1), ([where[tail], where[head]], None),
    ):  # fmt: skip
        reply = answered(oracle, "route", some, steps="true", annotations="true", geometries="geojson")
        (route,) = reply["routes"]
        (leg,) = route["legs"]
        first, second = CITY.snap(some, crs="plane", speed=math.inf)[[0]], None
        second = CITY.snap(some, crs="plane", speed=math.inf)[[1]]
        assert leg["duration"] == oracle.distance(first, second)
        assert sum(leg["annotation"]["duration"]) == pytest.approx(leg["duration"], abs=1e-9)
        assert sum(step["distance"] for step in leg["steps"]) == pytest.approx(leg["distance"], abs=1e-9)
        assert len(route["geometry"]["coordinates"]) >= 2
        assert count is None or len(leg["steps"]) == count + 1


def test_points_of_lines_are_limited() -> None:
    few = Limits(corners=5)
    answered(ORACLE, "route", points(2), limits=few)
    for how in ({"steps": "true"}, {"annotations": "nodes"}):
        code, words = refused(ORACLE, "route", points(2), limits=few, **how)
        assert code == "TooBig"
        assert "5 points on their lines" in words


def test_directions_on_the_earth_are_those_at_the_crossing() -> None:
    """Far in the north, a great circle to the east turns to the south."""
    streets = apsp.from_edges(
        ["a", "b"], ["b", "c"], [10, 10], coordinates=[[0, 70], [10, 70], [10, 60]], crs="degrees"
    )
    leg = answered(apsp.prepare(streets), "route", [[0, 70], [10, 65]], steps="true", crs=None)["routes"][0]["legs"][0]
    found, (crossing,) = leg["steps"][1]["maneuver"], leg["steps"][1]["intersections"]
    assert (leg["steps"][0]["maneuver"]["bearing_after"], found["bearing_before"]) == (85, 95)
    assert (crossing["bearings"], crossing["in"], crossing["out"]) == ([180, 275], 1, 0)


@pytest.mark.parametrize("turns", [False, True])
def test_closed_streets_are_not_entered(turns: bool) -> None:
    streets = apsp.from_edges(
        ["a", "b", "b", "b"], ["b", "c", "d", "e"], [10, 10, 10, 10], links=True, directed=False,
        coordinates=[[-10, 0], [0, 0], [10, 0], [0, 10], [0, -10]],
    )  # fmt: skip
    oracle = apsp.prepare(apsp.with_turns(streets, [("a", "b", "e")]) if turns else streets)
    oracle.update([math.inf], links=[2])
    steps = answered(oracle, "route", [[-5, 0], [5, 0]], steps="true")["routes"][0]["legs"][0]["steps"]
    (crossing,) = steps[1]["intersections"]
    may = {bearing for bearing, entry in zip(crossing["bearings"], crossing["entry"], strict=True) if entry}
    assert may == {90, 270} | (set() if turns else {180})
