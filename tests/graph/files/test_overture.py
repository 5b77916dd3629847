"""Segments of Overture Maps: split at connectors, with their rules of access and speed, and prohibited transitions."""

from __future__ import annotations

import gzip
import heapq
import itertools
import math
import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import apsp
from apsp.graph.files.overture_rules import HEADINGS, stretches
from apsp.graph.sphere import metres_between

pa = pytest.importorskip("pyarrow")

from overture_files import SCHEMA, line, segment, write_segments  # noqa: E402

DENIED_BACK = {"access_type": "denied", "when": {"heading": "backward"}}


HEAVY = {"dimension": "weight", "comparison": "greater_than", "value": 3, "unit": "t"}


def access(kind: str, **when: Any) -> dict[str, Any]:
    return {"access_type": kind, "when": when or None}


def mph(value: int, **more: Any) -> Any:
    return {"max_speed": {"value": value, "unit": "mph"}} | more


def steps(*pairs: tuple[str | None, str]) -> list[dict[str, str | None]]:
    return [{"connector_id": connector, "segment_id": name} for connector, name in pairs]


def no_turn(*pairs: tuple[str | None, str], final: str = "forward", when: Any = None, between: Any = None) -> Any:
    return {"sequence": steps(*pairs), "final_heading": final, "when": when, "between": between}


def crossing(**of_first: Any) -> list[Any]:
    """From w by the crossing x to e, where s leads from the south to n; the first road is one-way to the east."""
    return [
        segment("road", [(0, 0), (0.01, 0)], {"w": 0.0, "x": 1.0}) | of_first,
        segment("east", [(0.01, 0), (0.02, 0)], {"x": 0.0, "e": 1.0}),
        segment("across", [(0.01, -0.01), (0.01, 0), (0.01, 0.01)], {"s": 0.0, "x": 0.5, "n": 1.0}),
    ]


def read(tmp_path: Path, rows: list[Any], **options: Any) -> Any:
    return apsp.read(write_segments(tmp_path / "segment.parquet", rows), **options)


def number(graph: apsp.Graph, tail: str, head: str, name: str) -> float:
    """A cost of the arc between two vertices."""
    ends = graph.index(tail), graph.index(head)
    (arc,) = np.flatnonzero((graph.tails() == ends[0]) & (graph.indices == ends[1]))
    return float(graph.costs[name][arc])


def test_segments_are_split_at_connectors(tmp_path: Path) -> None:
    points = [(9.0, 45.0), (9.0, 45.001), (9.001, 45.001), (9.001, 45.002)]
    rows = [segment("s", points, [("c", 1.0), ("a", 0.0), ("b", 0.369075)], access_restrictions=[DENIED_BACK])]
    rows += [
        segment("t", [(9.001, 45.002), (9.0, 45.0)], {"c": 0.0, "a": 1.0}),
        segment("r", points, {"a": 0.0, "q": 1.0}, subtype="rail", **{"class": "tram"}),
    ]
    notes: list[str] = []
    graph = read(tmp_path, rows, notes=notes)
    assert (graph.crs, list(graph.labels)) == ("degrees", ["a", "b", "c"])
    assert [tuple(np.round(point, 9)) for point in graph.coordinates] == [(9.0, 45.0), (9.0, 45.001), (9.001, 45.002)]
    steps = metres_between(np.array(points[:-1]), np.array(points[1:]))
    assert number(graph, "a", "b", "length") == pytest.approx(steps[0])
    assert number(graph, "b", "c", "length") == pytest.approx(steps[1] + steps[2])
    assert ("b" in graph["c"], "a" in graph["c"], "c" in graph["a"]) == (False, True, True)
    assert [bends.tolist() for bends in graph.links.bends] == [[], [[9.001, 45.001]], [], []]
    assert apsp.shortest_path(graph, "a", "c") == ["a", "c"]
    assert notes == ["streets for car; arcs are metres long", "segments that are no roads are not read: 1 rail"]
    assert number(graph, "a", "b", "time") == pytest.approx(steps[0] * 3.6 / 25)


def test_connectors_beside_the_points_of_a_line(tmp_path: Path) -> None:
    """A fraction of the length, where the line has no point."""
    graph = read(tmp_path, [segment("s", [(0, 0), (0.04, 0)], {"a": 0.0, "b": 0.25, "c": 1.0})])
    assert graph.coordinates.tolist() == [[0, 0], [pytest.approx(0.01), 0], [0.04, 0]]
    assert number(graph, "b", "c", "length") == pytest.approx(3 * number(graph, "a", "b", "length"))


def test_ends_beyond_connectors_are_noted(tmp_path: Path) -> None:
    rows = [
        segment("s", [(0, 0), (0.04, 0)], {"a": 0.25, "b": 1.0}), segment("t", [(0.04, 0), (0.05, 0)], {"b": 0.0}),
        segment("u", [(0.04, 0), (0.05, 0)], {"b": 0.0, "c": 1.0}),
    ]  # fmt: skip
    notes: list[str] = []
    graph = read(tmp_path, rows, notes=notes)
    assert graph.m == 4
    assert notes[1:] == ["2 segments without a connector at both ends: what is beyond these is not read"]


@pytest.mark.parametrize(
    ("rules", "car", "bike", "foot"),
    [
        (None, (25, 25), (15, 15), (5, 5)),
        ([], (25, 25), (15, 15), (5, 5)),
        ([DENIED_BACK], (25, 0), (15, 0), (5, 0)),
        ([access("denied")], (0, 0), (0, 0), (0, 0)),
        ([access("denied", mode=["motor_vehicle"])], (0, 0), (15, 15), (5, 5)),
        ([access("denied", mode=["vehicle"])], (0, 0), (0, 0), (5, 5)),
        ([access("denied", mode=["truck", "hgv"])], (25, 25), (15, 15), (5, 5)),
        ([DENIED_BACK, access("allowed", heading="backward", mode=["bicycle"])], (25, 0), (15, 15), (5, 0)),
        ([access("allowed", mode=["bicycle"]), DENIED_BACK], (25, 0), (15, 0), (5, 0)),
        ([access("denied", during="Mo-Fr 15:00-18:00")], (25, 25), (15, 15), (5, 5)),
        ([access("denied"), access("allowed", using=["to_deliver"])], (0, 0), (0, 0), (0, 0)),
        ([access("denied", vehicle=[HEAVY])], (25, 25), (15, 15), (5, 5)),
        ([{"access_type": "denied", "between": [0.2, 0.3]}], (0, 0), (0, 0), (0, 0)),
    ],
)  # fmt: skip
def test_the_last_rule_of_access_that_matches_decides(rules: Any, car: Any, bike: Any, foot: Any) -> None:
    row = {"id": "s", "class": "residential", "access_restrictions": rules}
    for mode, speeds in (("car", car), ("bike", bike), ("foot", foot)):
        found = [(each.along, each.against) for each in stretches(row, mode)[0]]
        assert speeds in found
        assert set(found) <= {speeds, (25, 25), (15, 15), (5, 5)}


@pytest.mark.parametrize(
    ("name", "rules", "car", "bike", "foot"),
    [
        ("motorway", None, 90, 0, 0), ("unknown", None, 25, 15, 5), ("sidewalk", None, 0, 0, 5),
        ("alley", None, 15, 15, 5), ("footway", None, 0, 0, 5), ("footway", [access("allowed")], 0, 0, 5),
        ("footway", [access("designated", mode=["foot", "bicycle"])], 0, 8, 5),
        ("track", [access("allowed", mode=["motor_vehicle"])], 15, 12, 5), ("bridleway", None, 0, 0, 5),
        ("steps", None, 0, 0, 3), ("standard_gauge", None, 0, 0, 0),
    ],
)  # fmt: skip
def test_classes_of_streets(name: str, rules: Any, car: int, bike: int, foot: int) -> None:
    row = {"id": "s", "class": name, "access_restrictions": rules}
    for mode, speed in (("car", car), ("bike", bike), ("foot", foot)):
        assert [tuple(each) for each in stretches(row, mode)[0]] == [(0, 1, speed, speed)]


def test_links_are_slower() -> None:
    of_mode = [stretches({"id": "s", "class": "motorway", "subclass": "link"}, "car")[0]]
    of_mode.append(stretches({"id": "s", "class": "motorway", "subclass_rules": [{"value": "link"}]}, "car")[0])
    assert [[each.along for each in found] for found in of_mode] == [[45], [45]]
    part = [{"value": "link", "between": [0.0, 0.25]}]
    (link, rest), _ = stretches({"id": "s", "class": "motorway", "subclass_rules": part}, "car")
    assert (link.end, link.along, rest.along) == (0.25, 45, 90)
    assert stretches({"id": "s", "class": "service", "subclass": "link"}, "car")[0][0].along == 15


def test_speeds_are_those_of_the_last_rule_that_matches(tmp_path: Path) -> None:
    limits = [
        mph(30), mph(10, when={"during": "Mo-Fr 08:00-09:00"}), mph(20, when={"heading": "backward"}),
        {"max_speed": {"value": 50, "unit": "km/h"}, "between": [0.5, 1.0]}, {"min_speed": {"value": 5, "unit": "mph"}},
        mph(5, when={"mode": ["hgv"]}),
    ]  # fmt: skip
    notes: list[str] = []
    rows = [segment("s", [(0, 0), (0.01, 0), (0.02, 0)], {"a": 0.0, "b": 1.0}, speed_limits=limits)]
    graph = read(tmp_path, rows, cost="time", notes=notes)
    half = number(graph, "a", "b", "length") / 2 * 3.6
    assert number(graph, "a", "b", "time") == pytest.approx(half / (30 * 1.609344) + half / 50)
    assert number(graph, "b", "a", "time") == pytest.approx(half / (20 * 1.609344) + half / 50)
    assert notes == [
        "streets for car; arcs are seconds long",
        "rules of 1 segment for certain times, purposes, permits or vehicles are not considered",
    ]
    bike = apsp.read(tmp_path / "segment.parquet", mode="bike", cost="time")
    assert number(bike, "a", "b", "time") == pytest.approx(2 * half / 15)


def test_a_part_is_closed_where_some_of_it_is(tmp_path: Path) -> None:
    """Rounding at a connector closes nothing."""
    rules = [{"access_type": "denied", "when": {"heading": "backward"}, "between": [0.25, 0.500000004]}]
    rows = [segment("s", [(0, 0), (0.01, 0), (0.02, 0)], {"a": 0.0, "b": 0.5, "c": 1.0}, access_restrictions=rules)]
    graph = read(tmp_path, rows)
    assert [(pair in (("a", "b"), ("b", "c"), ("c", "b"))) for pair in graph.edges] == [True] * 3


@pytest.mark.few(2)
@pytest.mark.parametrize("seed", range(20))
def test_rules_agree_with_a_look_at_single_points(seed: int) -> None:
    rng = np.random.default_rng(seed)
    whens = [
        None,
        {"heading": "forward"},
        {"heading": "backward"},
        {"mode": ["car"]},
        {"mode": ["foot"]},
        {"using": ["as_customer"]},
    ]

    def rule(kind: str) -> Any:
        ends = sorted(rng.integers(0, 11, 2) / 10)
        found = {
            "when": whens[rng.integers(len(whens))],
            "between": ends if ends[0] < ends[1] and rng.random() < 0.7 else None,
        }
        value = int(rng.integers(1, 200))
        return found | (
            {"access_type": ["allowed", "denied"][value % 2]}
            if kind == "access"
            else {"max_speed": {"value": value, "unit": "km/h"}}
        )

    row = {"id": "s", "class": "primary"}
    row |= {
        "access_restrictions": [rule("access") for _ in range(5)],
        "speed_limits": [rule("speed") for _ in range(5)],
    }
    found, _ = stretches(row, "car")
    assert (found[0].begin, found[-1].end) == (0, 1)
    for at, (side, heading) in itertools.product(rng.random(20), enumerate(HEADINGS)):
        (stretch,) = [each for each in found if each.begin <= at < each.end]
        values = {}
        for name in ("access_restrictions", "speed_limits"):
            for one in row[name]:
                begin, end = one["between"] or (0, 1)
                matches = one["when"] in (None, {"heading": heading}, {"mode": ["car"]}) and begin <= at <= end
                values[name] = one if matches else values.get(name)
        limit = values["speed_limits"]["max_speed"]["value"] if values["speed_limits"] else 65
        is_open = not values["access_restrictions"] or values["access_restrictions"]["access_type"] == "allowed"
        assert stretch[2 + side] == (limit if is_open else 0)


def test_prohibited_transitions_are_turns(tmp_path: Path) -> None:
    path = write_segments(
        tmp_path / "segment.parquet",
        crossing(prohibited_transitions=[no_turn(("x", "across"), when={"heading": "forward"})]),
    )
    notes: list[str] = []
    graph = apsp.read(path, notes=notes)
    assert notes[1:] == ["1 prohibited transition is not read; turns=True honours what holds at all times"]
    assert apsp.shortest_path(graph, "w", "n") == ["w", "x", "n"]
    notes = []
    turned = apsp.read(path, turns=True, notes=notes)
    assert notes[1:] == ["1 prohibited transition; movements forbidden: 1"]
    assert apsp.shortest_path(turned, "w", "n") == ["w", "x", "e", "x", "n"]
    assert apsp.shortest_path(turned, "w", "s") == ["w", "x", "s"]
    assert apsp.shortest_path(turned, "e", "n") == ["e", "x", "n"]


@pytest.mark.parametrize(
    ("rule", "path"),
    [
        (no_turn(("x", "across"), final="backward"), ["w", "x", "n"]),
        (no_turn(("x", "across"), when={"heading": "backward"}), ["w", "x", "n"]),
        (no_turn(("x", "across"), when={"mode": ["motor_vehicle"]}), ["w", "x", "e", "x", "n"]),
        (no_turn(("x", "across"), when={"mode": ["bicycle"]}), ["w", "x", "n"]),
        (no_turn(("x", "across"), between=[0.0, 1.0]), ["w", "x", "e", "x", "n"]),
    ],
)  # fmt: skip
def test_scopes_of_transitions(tmp_path: Path, rule: Any, path: list[str]) -> None:
    turned = read(tmp_path, crossing(prohibited_transitions=[rule]), turns=True)
    assert apsp.shortest_path(turned, "w", "n") == path


@pytest.mark.parametrize("final", ["forward", "backward"])
def test_to_go_straight_on_is_no_transition(tmp_path: Path, final: str) -> None:
    """To turn round is prohibited on a segment, in whichever heading: who goes on in the final one does not turn."""
    turn = no_turn(("x", "across"), final=final)
    rows = crossing()
    rows[2]["prohibited_transitions"] = [turn]
    turned = read(tmp_path, rows, turns=True)
    assert apsp.shortest_path(turned, "s", "n") == ["s", "x", "n"]
    assert apsp.shortest_path(turned, "n", "s") == ["n", "x", "s"]
    pairs = zip(turned.movements["from_link"].tolist(), turned.movements["to_link"].tolist(), strict=True)
    links = turned.graph.links
    ends = {turned.labels[links.tails[one]] + turned.labels[links.heads[other]] for one, other in pairs}
    assert ends == {"ss" if final == "backward" else "nn"}


def test_transitions_through_segments_and_turning_back(tmp_path: Path) -> None:
    """Two carriageways, joined in the middle: the street between them may not be used to turn round."""
    rows = [
        segment("out", [(0, 0), (0.01, 0), (0.02, 0)], {"a": 0.0, "b": 0.5, "c": 1.0},
                access_restrictions=[DENIED_BACK],
                prohibited_transitions=[no_turn(("b", "joint"), ("y", "back"))]),
        segment("joint", [(0.01, 0), (0.01, 0.001), (0.01, 0.002)], {"b": 0.0, "m": 0.5, "y": 1.0}),
        segment("back", [(0.02, 0.002), (0.01, 0.002), (0, 0.002)], {"z": 0.0, "y": 0.5, "x": 1.0},
                access_restrictions=[DENIED_BACK]),
        segment("end", [(0.02, 0), (0.02, 0.002)], {"c": 0.0, "z": 1.0},
                prohibited_transitions=[no_turn(("z", "end"), final="backward", when={"heading": "forward"})]),
    ]  # fmt: skip
    turned = read(tmp_path, rows, turns=True)
    assert apsp.shortest_path(turned, "a", "x") == ["a", "b", "m", "b", "m", "y", "x"]
    no_back = apsp.with_turns(turned.graph, turned.movements, forbidden=turned.forbidden, u_turns=math.inf)
    assert apsp.shortest_path(no_back, "a", "x") == ["a", "b", "c", "z", "y", "x"]
    assert apsp.shortest_path(no_back, "b", "x") == ["b", "m", "y", "x"]
    pairs = set(zip(turned.movements["from_link"].tolist(), turned.movements["to_link"].tolist(), strict=True))
    assert len(pairs) == 1
    assert [len(each) for each in turned.forbidden] == [4]


APART = "segments do not meet at the connectors, or not in this heading"


def test_what_is_not_clear_is_noted(tmp_path: Path) -> None:
    rows = crossing(prohibited_transitions=[
        no_turn(("x", "across"), when={"during": "Mo-Fr 07:00-09:00"}),
        no_turn(("x", "elsewhere")),
        no_turn(("w", "east")),
        no_turn(("x", "path")),
        no_turn(("x", "across"), between=[0.5, 1.0]),
        no_turn(("x", "ring"), ("r", "across")),
    ])  # fmt: skip
    rows.append(segment("path", [(0.01, 0), (0.02, 0.02)], {"x": 0.0, "p": 1.0}, **{"class": "footway"}))
    rows.append(segment("ring", [(0.01, 0), (0.03, 0), (0.03, 0.01), (0.01, 0)], [("x", 0.0), ("r", 0.5), ("x", 1.0)]))
    notes: list[str] = []
    read(tmp_path, rows, turns=True, notes=notes)
    assert notes[1:] == [
        "6 prohibited transitions; movements forbidden: 0",
        "prohibited transitions for certain times, purposes, permits or vehicles are not considered (of segment road)",
        "prohibited transitions are not applied: segments are missing (of segment road)",
        f"prohibited transitions are not applied: {APART} (of segment road)",
        "prohibited transitions are not applied: several parts of a segment may be meant (of segment road)",
    ]


def random_rows(rng: np.random.Generator) -> list[Any]:
    """Segments between six connectors, each of which has other connectors, one-way streets and transitions."""
    names, spots = list("abcdef"), rng.integers(0, 20, (6, 2)) / 1000
    rows = []
    for number in range(int(rng.integers(4, 9))):
        chosen = rng.permutation(6)[: int(rng.integers(2, 4))]
        points = spots[chosen] + [[0, 0], *rng.integers(1, 9, (len(chosen) - 1, 2)) / 1e5]
        far = np.append(0, np.cumsum(np.hypot(*np.diff(points, axis=0).T)))
        if far[-1] == 0 or (np.diff(far) == 0).any():
            continue
        rows.append(segment(
            f"s{number}", points, [(names[each], at) for each, at in zip(chosen, far / far[-1], strict=True)],
            access_restrictions=[[DENIED_BACK], None, None][rng.integers(3)],
        ))  # fmt: skip
    for row in rows:
        row["prohibited_transitions"] = [rule for _ in range(3) if (rule := _random_rule(rng, row, rows))]
    return rows


def _random_rule(rng: np.random.Generator, row: Any, rows: list[Any]) -> Any:
    here, pairs = row, []
    for _ in range(int(rng.integers(1, 3))):
        known = [each["connector_id"] for each in here["connectors"]]
        connector = known[rng.integers(len(known))]
        there = [each for each in rows if connector in [one["connector_id"] for one in each["connectors"]]]
        here = there[rng.integers(len(there))]
        pairs.append((connector, here["id"]))
    heading = [None, {"heading": "forward"}, {"heading": "backward"}][rng.integers(3)]
    return no_turn(*pairs, final=HEADINGS[rng.integers(2)], when=heading)


Move = tuple[str, int, int]
"""A segment, and the numbers of the connectors from which and to which it is travelled."""


def forbids(rule: Any, name: str, connectors: dict[str, list[str]], moves: list[Move]) -> bool:
    """Whether a transition of a segment forbids the last of some moves."""
    left, pairs = list(moves), [(each["connector_id"], each["segment_id"]) for each in rule["sequence"]]
    street, begin, end = left.pop()
    heading = HEADINGS[end < begin]
    if (street, heading, connectors[street][begin]) != (pairs[-1][1], rule["final_heading"], pairs[-1][0]):
        return False
    for (connector, middle), (after, _) in zip(pairs[-2::-1], pairs[:0:-1], strict=True):
        first = connectors[middle].index(connector) if connector in connectors[middle] else -1
        last = connectors[middle].index(after) if after in connectors[middle] else -1
        step = 1 if last > first else -1
        for at in range(last, first, -step):
            if not left or left.pop() != (middle, at - step, at):
                return False
        if first == last:
            return False
    if not left:
        return False
    street, begin, end = left.pop()
    wanted = (rule["when"] or {}).get("heading")
    if wanted is None and [each for _, each in pairs] == [name] and HEADINGS[end < begin] == heading:
        return False  # straight on
    return (street, connectors[street][end]) == (name, pairs[0][0]) and wanted in (None, HEADINGS[end < begin])


class Search:
    """A plain search over the last three moves of a path, which are as many as a transition here needs."""

    def __init__(self, rows: list[Any], lengths: dict[tuple[str, int], float]) -> None:
        self.lengths = lengths
        self.connectors = {row["id"]: [each["connector_id"] for each in row["connectors"]] for row in rows}
        self.rules = [(rule, row["id"]) for row in rows for rule in row["prohibited_transitions"]]
        self.one_way = {row["id"] for row in rows if row["access_restrictions"]}
        self.known: dict[tuple[Move, ...], bool] = {}

    def is_open(self, moves: tuple[Move, ...]) -> bool:
        if moves not in self.known:
            self.known[moves] = not any(forbids(rule, of, self.connectors, list(moves)) for rule, of in self.rules)
        return self.known[moves]

    def moves_from(self, here: str) -> list[Move]:
        return [
            (name, at, at + step)
            for name, known in self.connectors.items()
            for at, each in enumerate(known)
            for step in (1, -1)
            if each == here and 0 <= at + step < len(known) and (step > 0 or name not in self.one_way)
        ]

    def distances(self, source: str) -> dict[str, float]:
        best: dict[tuple[Move, ...], float] = {}
        found: dict[str, float] = {}
        queue: list[tuple[float, tuple[Move, ...]]] = [(0.0, ())]
        while queue:
            length, moves = heapq.heappop(queue)
            if best.get(moves, math.inf) < length:
                continue
            here = self.connectors[moves[-1][0]][moves[-1][2]] if moves else source
            found.setdefault(here, length)
            for move in self.moves_from(here):
                state = (*moves, move)[-3:]
                longer = length + self.lengths[move[0], min(move[1:])]
                if longer < best.get(state, math.inf) and self.is_open((*moves, move)):
                    best[state] = longer
                    heapq.heappush(queue, (longer, state))
        return found


@pytest.mark.few(2)
@pytest.mark.parametrize("block", range(5))
def test_transitions_agree_with_a_search_on_moves(tmp_path: Path, block: int) -> None:
    forbidden = 0
    for seed in range(8 * block, 8 * block + 8):
        rows = random_rows(np.random.default_rng(seed))
        if not rows:
            continue
        turned = read(tmp_path, rows, turns=True)
        forbidden += len(turned.movements["from_link"]) + len(turned.forbidden)
        lengths = {}
        number = 0
        for row in rows:
            for part in range(len(row["connectors"]) - 1):
                lengths[row["id"], part] = turned.graph.links.weights[number].item()
                number += 1
        found, search = apsp.matrix(turned), Search(rows, lengths)
        for source in turned.labels:
            wanted = search.distances(source)
            for target in turned.labels:
                assert found.distance(source, target) == pytest.approx(wanted.get(target, math.inf))
    assert forbidden > 10


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"access_restrictions": [access("maybe")]}, "an access_type is allowed, denied, designated, not 'maybe'"),
        ({"access_restrictions": [access("denied") | {"between": [0.7, 0.2]}]}, "between has two numbers from 0 to 1"),
        ({"access_restrictions": [access("denied", heading="north")]}, "a heading is forward or backward, not 'north'"),
        ({"speed_limits": [{"max_speed": {"value": 30, "unit": "knots"}}]}, "a unit, km/h or mph, not .*knots"),
        ({"speed_limits": [mph(0)]}, "a max_speed has a value from 1 to 350"),
        ({"speed_limits": [mph(351)]}, "a max_speed has a value from 1 to 350"),
        ({"access_restrictions": [access("denied", mode=["motorVehicle"])]}, "modes are .*, not 'motorVehicle'"),
        ({"access_restrictions": [access("denied", mode=["car", None])]}, "modes are .*, not None"),
        ({"connectors": [{"connector_id": "w", "at": at} for at in (0.0, 0.0, 1.0)]}, "'w' twice in one place"),
        ({"prohibited_transitions": [no_turn(("x", "east"), final="up")]}, "forward or backward, not .*'up'"),
        ({"prohibited_transitions": [no_turn()]}, "a prohibited transition has a sequence"),
        ({"prohibited_transitions": [no_turn((None, "east"))]}, "has a connector_id and a segment_id, not .*None"),
        ({"connectors": [{"connector_id": "w", "at": None}]}, "a connector has a connector_id, and at"),
        ({"connectors": [{"connector_id": "w", "at": 1.5}]}, "a connector has a connector_id, and at"),
        ({"connectors": [{"connector_id": None, "at": 0.5}]}, "a connector has a connector_id, and at"),
        ({"geometry": None}, "a geometry is not Well-Known Binary"),
        ({"geometry": b"nonsense that is long"}, "a geometry is not Well-Known Binary"),
        ({"geometry": line([(0, 0), (1, 1)])[:-3]}, "a geometry is cut short"),
        ({"geometry": line([(0, 0), (1, 1)]).replace(b"\x02", b"\x01", 1)}, "of kind 1, and segments are lines, 2"),
        ({"geometry": line([(0, 0), (math.nan, 1)])}, "not two finite numbers"),
        ({"geometry": line([(0, 0), (180.1, 1)])}, r"the point \(180.1, 1\): .* in degrees"),
        ({"geometry": line([(1e6, 5e6), (1e6, 6e6)])}, "in degrees"),
        ({"geometry": line([(0, 90.1), (0, 89)])}, "in degrees"),
        ({"type": None}, "its type is segment or connector, not None"),
        ({"type": "Segment"}, "its type is segment or connector, not 'Segment'"),
        ({"id": "east"}, "its id is missing, or that of another segment"),
        ({"id": None}, "its id is missing"),
    ],
)  # fmt: skip
def test_what_is_not_of_the_schema_is_an_error(tmp_path: Path, change: Any, words: str) -> None:
    with pytest.raises(apsp.FileFormatError, match=rf"segment\.parquet: segment .*{words}"):
        read(tmp_path, crossing(**change), turns=True)


@pytest.mark.parametrize("speed", [math.nan, math.inf, 1e-320])
def test_speeds_that_are_no_speeds_are_an_error(tmp_path: Path, speed: float) -> None:
    speeds = lists(max_speed=pa.struct([("value", pa.float64()), ("unit", pa.string())]))
    schema = SCHEMA.set(SCHEMA.get_field_index("speed_limits"), pa.field("speed_limits", speeds))
    rows = crossing(speed_limits=[{"max_speed": {"value": speed, "unit": "mph"}}])
    with pytest.raises(apsp.FileFormatError, match="segment 'road': a max_speed has a value from 1 to 350"):
        apsp.read(write_segments(tmp_path / "segment.parquet", rows, schema))


def test_connectors_that_are_not_where_other_segments_have_them_are_noted(tmp_path: Path) -> None:
    """As of lines that were clipped: the fractions are those of the whole lines."""
    rows = [
        segment("whole", [(0, 0), (0.01, 0), (0.02, 0)], {"a": 0.0, "b": 0.5, "c": 1.0}),
        segment("clipped", [(0.01, 0.01), (0.01, 0.005)], {"d": 0.0, "b": 1.0}),
        segment("near", [(0.02, 0.000001), (0.02, 0.01)], {"c": 0.0, "e": 1.0}),
    ]
    notes: list[str] = []
    read(tmp_path, rows, notes=notes)
    assert notes[1:] == [
        "1 connector is not in one place on its segments, but up to 556 m apart (b): were lines or fractions changed?"
    ]


def test_a_line_over_the_180th_meridian_is_short(tmp_path: Path) -> None:
    points = [(179.99, 0), (-179.99, 0)]
    graph = read(tmp_path, [segment("s", points, {"a": 0.0, "b": 0.25, "c": 0.75, "d": 1.0})])
    assert graph.coordinates.tolist() == [[179.99, 0], [pytest.approx(179.995), 0], [pytest.approx(-179.995), 0],
                                          [-179.99, 0]]  # fmt: skip
    assert number(graph, "a", "b", "length") == pytest.approx(556, abs=1)
    assert number(graph, "b", "c", "length") == pytest.approx(1112, abs=1)
    points = [(-80, 0), (80, 0), (179, 0), (-179, 0), (-80, 0)]
    assert read(tmp_path, [segment("round", points, {"a": 0.0, "b": 0.5, "c": 1.0})]).coordinates[1].tolist() == [
        pytest.approx(100),
        0,
    ]


def test_roads_under_construction_and_abandoned_ones_are_closed(tmp_path: Path) -> None:
    first, east, across = crossing(road_flags=[{"values": ["is_bridge"]}])
    east["road_flags"] = [{"values": ["is_under_construction", "is_bridge"]}]
    across["road_flags"] = [{"values": ["is_abandoned"], "between": [0.5, 1.0]}]
    notes: list[str] = []
    graph = read(tmp_path, [first, east, across], notes=notes)
    assert sorted(graph.edges) == [("s", "x"), ("w", "x"), ("x", "s"), ("x", "w")]
    assert notes[1:] == ["2 segments under construction or abandoned, or partly so, are closed there"]
    link = {"id": "s", "class": "motorway", "road_flags": [{"values": ["is_link"]}]}
    assert stretches(link, "car")[0][0].along == 45


def test_columns_of_rules_that_are_not_there_are_noted(tmp_path: Path) -> None:
    """Streets whose rules are not known are open in both directions."""
    schema, notes = SCHEMA, []
    for name in ("access_restrictions", "prohibited_transitions", "subclass"):
        schema = schema.remove(schema.get_field_index(name))
    apsp.read(write_segments(tmp_path / "some.parquet", crossing(), schema), turns=True, notes=notes)
    assert notes[1:] == ["it has no columns access_restrictions, prohibited_transitions: such rules are not known"]


def test_segments_without_two_connectors_are_no_streets(tmp_path: Path) -> None:
    rows = [row | {"connectors": row["connectors"][:1]} for row in crossing()]
    words = "no streets for mode='car' in it; subtypes of segments: 4 road; 3 segments have fewer than two connectors"
    with pytest.raises(apsp.FileFormatError, match=words):
        read(tmp_path, [*rows, crossing()[0] | {"id": "closed", "access_restrictions": [access("denied")]}])


def test_other_files_are_errors_that_list_what_is_there(tmp_path: Path) -> None:
    older = SCHEMA.remove(SCHEMA.get_field_index("connectors")).append(pa.field("connector_ids", pa.list_(pa.string())))
    path = write_segments(tmp_path / "older.parquet", crossing(), older)
    with pytest.raises(
        apsp.FileFormatError,
        match=r"have the column connectors; it has id, geometry, .*connector_ids",
    ):
        apsp.read(path)
    texts = SCHEMA.set(SCHEMA.get_field_index("connectors"), pa.field("connectors", pa.string()))
    path = write_segments(tmp_path / "texts.parquet", [row | {"connectors": "[]"} for row in crossing()], texts)
    with pytest.raises(apsp.FileFormatError, match="column 'connectors' holds string, and not lists of structures"):
        apsp.read(path)
    rails = [row | {"subtype": "rail"} for row in crossing()]
    with pytest.raises(apsp.FileFormatError, match="no streets for mode='car' in it; subtypes of segments: 3 rail"):
        read(tmp_path, rails)
    with pytest.raises(apsp.FileFormatError, match="no streets for mode='foot' in it; subtypes of segments: 3 road"):
        read(
            tmp_path,
            crossing(**{"class": "motorway"})[:1] + [row | {"class": "motorway"} for row in crossing()[1:]],
            mode="foot",
        )
    path = write_segments(tmp_path / "segment.parquet", crossing())
    with pytest.raises(apsp.RequestError, match=r"segment\.parquet: .*columns"):
        apsp.read(path, format="parquet")
    with pytest.raises(
        apsp.RequestError, match="columns= is an option of edge-list, parquet; this file is read as overture"
    ):
        apsp.read(path, columns=("id", "subtype"))
    with pytest.raises(apsp.RequestError, match="cost='tolls': streets have 'length'"):
        apsp.read(path, cost="tolls")
    with pytest.raises(apsp.RequestError, match="leave out directed and parallel"):
        apsp.read(path, turns=True, directed=False)
    notes: list[str] = []
    read(
        tmp_path,
        [*crossing(), segment("odd", [(0, 0), (1, 1)], {"w": 0.0, "q": 1.0}, **{"class": "runway"})],
        notes=notes,
    )
    assert notes[1:] == ["segments of classes that are not known are not read: runway (1)"]


def test_forms_of_files_and_lines(tmp_path: Path) -> None:
    """Compressed, as Arrow, with rows of connectors, in the other order of bytes, with heights, and of PostGIS."""
    path = write_segments(tmp_path / "segment.parquet", crossing())
    graph = apsp.read(path)
    (tmp_path / "packed.parquet.gz").write_bytes(gzip.compress(path.read_bytes()))
    assert apsp.read(tmp_path / "packed.parquet.gz") == apsp.read(path, format="overture") == graph
    import pyarrow.feather as feather

    feather.write_feather(
        pa.Table.from_pylist(crossing(), schema=SCHEMA), str(tmp_path / "segment.arrow"), compression="uncompressed"
    )
    assert apsp.read(tmp_path / "segment.arrow") == graph
    with path.open("rb") as stream:
        assert apsp.read(stream) == graph
    mixed = [*crossing(), {"id": "w", "type": "connector", "geometry": b"", "theme": "transportation"}]
    assert read(tmp_path, mixed) == graph
    flat = [(0, 0), (0.01, 0)]
    body = struct.pack("<6d", 0, 0, 5, 0.01, 0, 6)
    for geometry in (
        line(flat, ">"), struct.pack("<BII", 1, 1002, 2) + body, struct.pack("<BII", 1, 2 | 0x80000000, 2) + body,
        struct.pack("<BIII", 1, 2 | 0x20000000, 4326, 2) + body[:16] + struct.pack("<dd", 0.01, 0),
    ):  # fmt: skip
        assert read(tmp_path, crossing(geometry=geometry)) == graph


def test_large_types_and_loops(tmp_path: Path) -> None:
    ring = segment("ring", [(0.02, 0), (0.03, 0), (0.03, 0.01), (0.02, 0)], [("e", 0.0), ("e", 1.0)])
    path = write_segments(tmp_path / "segment.parquet", [*crossing(), ring])
    assert apsp.read(path).m == 8
    turned = apsp.read(path, turns=True)
    assert len(turned.graph.links) == 10
    no_back = apsp.with_turns(turned.graph, u_turns=math.inf, dead_ends=math.inf)
    assert apsp.shortest_path(no_back, "w", "s") == ["w", "x", "s"]
    assert len(apsp.shortest_walks(no_back, "w", "w", 3)) == 3


def lists(**fields: Any) -> Any:
    return pa.list_(pa.struct(list(fields.items())))


RULES_OF_ONE_MODE = lists(access_type=pa.string(), when=pa.struct([("mode", pa.string())]))
RULES_OF_HORSES = lists(access_type=pa.string(), when=pa.struct([("horses", pa.int8())]))


@pytest.mark.parametrize(
    ("name", "kind", "value"),
    [
        ("connectors", lists(connector_id=pa.string(), at=pa.string()), [{"connector_id": "w", "at": "0"}]),
        ("connectors", lists(connector_id=pa.string(), at=pa.float64()), [None]),
        ("access_restrictions", lists(access_type=pa.string(), when=pa.string()), [access("denied") | {"when": "Mo"}]),
        ("access_restrictions", RULES_OF_ONE_MODE, [access("denied", mode="car")]),
        ("access_restrictions", RULES_OF_HORSES, [access("denied", horses=2)]),
        ("speed_limits", lists(max_speed=pa.int32()), [{"max_speed": 30}]),
        ("class", pa.struct([("a", pa.int8())]), {"a": 1}),
    ],
)  # fmt: skip
def test_columns_of_other_types_are_an_error(tmp_path: Path, name: str, kind: Any, value: Any) -> None:
    schema = SCHEMA.set(SCHEMA.get_field_index(name), pa.field(name, kind))
    path = write_segments(tmp_path / "segment.parquet", [row | {name: value} for row in crossing()], schema)
    with pytest.raises(apsp.FileFormatError, match=r"segment\.parquet: segment 'road': "):
        apsp.read(path)


@pytest.mark.few(2)
@pytest.mark.parametrize("seed", range(8))
def test_damaged_bytes_are_errors(tmp_path: Path, seed: int) -> None:
    rng = np.random.default_rng(seed)
    rules = {
        "prohibited_transitions": [no_turn(("x", "across"))],
        "access_restrictions": [DENIED_BACK],
        "speed_limits": [mph(3)],
    }
    whole = write_segments(tmp_path / "segment.parquet", crossing(**rules)).read_bytes()
    found = 0
    for _ in range(60):
        damaged = bytearray(whole)
        for place in rng.integers(0, len(whole), int(rng.integers(1, 4))).tolist():
            damaged[place] = int(rng.integers(256))
        (tmp_path / "damaged.parquet").write_bytes(bytes(damaged))
        try:
            apsp.read(tmp_path / "damaged.parquet", turns=True)
        except apsp.ApspError:
            found += 1
    assert found > 5
