"""--turns: commands respect the turn restrictions of OpenStreetMap, or refuse them before any work."""

from __future__ import annotations

import json
import math
import re

import click
import pytest

import apsp
from apsp.cli.inputs import RESPECTING_TURNS
from apsp.cli.main import COMMANDS, cli

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
REFUSING = {"betweenness": (), "reachable": (), "explore": ("-o", "out.html")}
"""The commands that take no turns, with what else they need."""


@pytest.fixture
def crossing(tmp_path, monkeypatch):
    pytest.importorskip("osmium")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "crossing.osm").write_text(MAP)
    return "crossing.osm"


def test_paths(run, crossing):
    assert run("path", crossing, 1, 4, "--json").json["vertices"] == [1, 5, 4]
    found = run("path", crossing, 1, 4, "--turns", "--links", "--json").json
    assert found["vertices"] == [1, 5, 2, 5, 4]
    assert len(found["links"]) == 4
    outcome = run("path", crossing, 1, 4, "--turns", "--all")
    assert (outcome.code, "--all does not respect turns yet" in outcome.err) == (2, True)
    walks = run("path", crossing, 1, 4, "--turns", "-k", 2, "--loops", "--json").json
    assert walks["paths"][0] == [1, 5, 2, 5, 4]
    assert walks["distances"][0] == walks["distance"] < walks["distances"][1]
    outcome = run("path", crossing, 1, 4, "--turns", "-k", 2)
    assert (outcome.code, "-k N with --loops does" in outcome.err) == (2, True)


def test_paths_from_points(run, crossing):
    words = ("path", crossing, "--near", "-0.0005,0", 4, "--speed", "1.4", "--links", "--json")
    assert run(*words).json["vertices"][1:] == [5, 4]
    found = run(*words, "--turns").json
    assert found["vertices"][1:] == [5, 2, 5, 4]
    assert len(found["links"]) == 4


def test_paths_of_saved_oracles_and_results(run, tmp_path):
    streets = apsp.from_edges([("a", "b", 5), ("b", "c", 7), ("c", "d", 1), ("b", "d", 9)], links=True)
    turned = apsp.with_turns(streets, [("a", "b", "c", 20), ("a", "b", "d")])
    apsp.prepare(turned).save(tmp_path / "oracle.npz")
    apsp.solve(turned, paths=True).save(tmp_path / "result.npz")
    for name in ("oracle.npz", "result.npz"):
        found = run("path", tmp_path / name, "a", "d", "--links", "--json").json
        assert (found["vertices"], found["links"], found["distance"]) == (["a", "b", "c", "d"], [0, 1, 2], 33)
        outcome = run("path", tmp_path / name, "a", "d", "--all")
        assert outcome.code != 0
        assert "does not take a graph with turns yet" in outcome.err


def test_paths_of_saved_oracles_from_points(run, tmp_path):
    places = [[0, 0], [100, 0], [200, 0], [100, 200]]
    streets = apsp.from_edges([("a", "b", 10), ("b", "c", 10), ("b", "d", 20)], directed=False, coordinates=places)
    turned = apsp.with_turns(streets, [("a", "b", "c", 7), ("a", "b", "d")])
    apsp.prepare(turned).save(tmp_path / "oracle.npz")
    words = ("path", tmp_path / "oracle.npz", "--near", "50,0", "--crs", "plane")
    found = run(*words, "--near", "150,0", "--links", "--json").json
    assert (found["vertices"], found["links"], found["distance"]) == (["50,0", "b", "150,0"], [0, 1], 17)
    found = run(*words, "d", "--json").json
    assert (found["vertices"], found["distance"]) == (["50,0", "b", "c", "b", "d"], 5 + 7 + 10 + 10 + 20)
    assert run(*words, "b", "--json").json["vertices"] == ["50,0", "b"]
    outcome = run(*words, "b", "--all")
    assert (outcome.code, "does not take a graph with turns yet" in outcome.err) == (4, True)


def test_maps_of_saved_oracles_from_points(run, tmp_path):
    pytest.importorskip("matplotlib")
    places = [[0, 0], [100, 0], [200, 0], [100, 200]]
    streets = apsp.from_edges([("a", "b", 10), ("b", "c", 10), ("b", "d", 20)], directed=False, coordinates=places)
    apsp.prepare(apsp.with_turns(streets, [("a", "b", "d")])).save(tmp_path / "oracle.npz")
    words = ("path", tmp_path / "oracle.npz", "--near", "50,0", "d", "--crs", "plane", "--plot", tmp_path / "map.png")
    assert run(*words).code == 0
    assert (tmp_path / "map.png").stat().st_size > 1000


def test_lines_and_maps_of_paths(run, crossing, tmp_path):
    pytest.importorskip("shapely")
    pytest.importorskip("matplotlib")
    for words in ((), ("-k", 2, "--loops")):
        run("path", crossing, 1, 4, "--turns", *words, "-o", "line.geojson", "--plot", "map.png")
        first = json.loads((tmp_path / "line.geojson").read_text())["features"][0]
        assert first["geometry"]["coordinates"] == [[-0.001, 0], [0, 0], [0.001, 0], [0, 0], [0, 0.001]]
        assert (first["properties"]["source"], first["properties"]["target"]) == (1, 4)
        assert (tmp_path / "map.png").stat().st_size > 1000
        for name in ("line.geojson", "map.png"):
            (tmp_path / name).unlink()
    near = ("--near", "-0.0005,0", "--speed", "1.4")
    for words in ((), ("-k", 2, "--loops")):
        run("path", crossing, *near, 4, "--turns", *words, "-o", "line.geojson", "--plot", "map.png")
        first = json.loads((tmp_path / "line.geojson").read_text())["features"][0]
        route = first["geometry"]["coordinates"]
        assert route[0] == pytest.approx([-0.0005, 0])
        assert route[1:] == [[0, 0], [0.001, 0], [0, 0], [0, 0.001]]
        assert (tmp_path / "map.png").stat().st_size > 1000


@pytest.mark.parametrize("name", ["oracle.npz", "result.npz", "streets.npz"])
def test_lines_and_maps_follow_the_parallel_street_that_is_taken(run, tmp_path, monkeypatch, name):
    """The shorter of two streets from b to c may not be entered from a; its bends are on the other side."""
    pytest.importorskip("shapely")
    pytest.importorskip("matplotlib")
    streets = apsp.from_edges(
        ["a", "b", "b", "c"], ["b", "c", "c", "d"], [5, 3, 4, 2], links=True, crs="degrees",
        coordinates=[[0, 0], [1, 0], [2, 0], [3, 0]], bends=[[], [[1.5, 1]], [[1.5, -1]], []],
    )  # fmt: skip
    turned = apsp.with_turns(streets, {"from_link": [0], "to_link": [1], "penalty": [math.inf]})
    turns = () if name != "streets.npz" else ("--turns",)
    if name == "oracle.npz":
        apsp.prepare(turned).save(tmp_path / name)
    elif name == "result.npz":
        apsp.solve(turned, paths=True).save(tmp_path / name)
    else:
        apsp.write(turned, tmp_path / name)
    drawn = []
    monkeypatch.setattr("apsp.figures.files.save", lambda figure, path: drawn.append(figure))
    ways = [("a", "d"), ("a", "d", "-k", 1, "--loops")]
    if name != "result.npz":
        near = "--speed", "inf", "--near", "0.5,0"
        ways += [(*near, "d"), (*near, "--near", "2.5,0"), (*near, "d", "-k", 1, "--loops")]
    for number, words in enumerate(ways):
        outcome = run("path", tmp_path / name, *words, *turns, "-o", tmp_path / "line.geojson", "--plot", "map.svg")
        assert (outcome.code, outcome.err) == (0, outcome.err)
        (line,) = json.loads((tmp_path / "line.geojson").read_text())["features"]
        route = line["geometry"]["coordinates"]
        assert route[1:4] == [[1, 0], [1.5, -1], [2, 0]]
        on_map = [each.get_xydata().tolist() for each in drawn[number].axes[0].lines]
        assert any([1.5, -1] in points and [1.5, 1] not in points for points in on_map)
        (tmp_path / "line.geojson").unlink()


def test_segments_of_overture_maps(run, tmp_path):
    pytest.importorskip("pyarrow")
    from overture_files import segment, write_segments

    rule = {"sequence": [{"connector_id": "x", "segment_id": "up"}], "final_heading": "forward"}
    rule["when"] = {"heading": "forward"}
    rows = [
        segment("main", [(0, 0), (0.01, 0), (0.02, 0)], {"w": 0.0, "x": 0.5, "e": 1.0}, prohibited_transitions=[rule]),
        segment("up", [(0.01, 0), (0.01, 0.01)], {"x": 0.0, "n": 1.0}),
    ]
    path = write_segments(tmp_path / "segment.parquet", rows)
    assert run("stats", path, "--json").json["graph"]["n"] == 4
    outcome = run("path", path, "w", "n", "--json")
    assert (outcome.json["vertices"], outcome.json["distance"]) == (["w", "x", "n"], pytest.approx(2223.9, abs=0.1))
    assert "1 prohibited transition is not read" in outcome.err
    found = run("path", path, "w", "n", "--turns", "--links", "--cost", "time", "--mode", "bike", "--json").json
    assert (found["vertices"], len(found["links"])) == (["w", "x", "e", "x", "n"], 4)
    assert found["distance"] == pytest.approx(2 * 2223.9 * 3.6 / 15, rel=1e-4)
    near = run("path", path, "--near", "0.005,0", "n", "--speed", "inf", "--turns", "--json").json
    assert near["vertices"][1:] == ["x", "e", "x", "n"]


def test_nearest(run, crossing, tmp_path):
    for turns, metres in ((), 2), (("--turns",), 4):
        options = ["--cost", "length", *turns, "-o", "near.csv", "-q"]
        for command in (["nearest", crossing, "--facilities", "4"], ["k-nearest", crossing, "-k", "3"]):
            assert run(*command, *options).code == 0
            rows = dict(line.rsplit(",", 1) for line in (tmp_path / "near.csv").read_text().splitlines()[1:])
            assert round(float(rows["1,4"]) / 111.195) == metres
            assert len(rows) == (4 if command[0] == "nearest" else 12)


def test_a_note_without_the_option(run, crossing):
    outcome = run("path", crossing, 1, 4)
    assert "1 turn restriction is not read; turns=True honours what holds at all times" in outcome.err


@pytest.mark.parametrize("command", REFUSING)
def test_other_commands_refuse_it(run, crossing, command, tmp_path):
    outcome = run(command, crossing, *REFUSING[command], "--turns")
    assert outcome.code != 0
    assert "this command does not respect turns yet; apsp solve, path, stats, access, nearest," in outcome.err
    assert [each.name for each in tmp_path.iterdir()] == ["crossing.osm"]


def test_every_command_with_the_option_honours_or_refuses_it():
    named = set(re.split(r", | and ", RESPECTING_TURNS.removeprefix("apsp ")))
    having = {name for name in COMMANDS if "turns" in [each.name for each in command_of(name).params]}
    assert named | set(REFUSING) == having - {"generate"}


def command_of(name: str) -> click.Command:
    found = cli.get_command(click.Context(cli), name)
    assert found is not None
    return found


def test_costs_along_paths(run, tmp_path):
    streets = apsp.from_edges(["a", "b", "b", "d"], ["b", "c", "d", "c"], [5, 7, 9, 9], costs={"toll": [1, 2, 4, 8]})
    turned = apsp.with_turns(streets, [("a", "b", "c", 20)])
    for name, graph, sums in (("turned", turned, (23, 13)), ("plain", streets, (12, 3))):
        apsp.prepare(graph).save(tmp_path / f"{name}.npz")
        words = (tmp_path / f"{name}.npz", "--along", "toll", "--sources", "a", "--targets", "c")
        assert run("skim", *words, "-o", tmp_path / "skims.csv").code == 0
        assert run("within", *words, "--cutoff", 99, "-o", tmp_path / "near.csv").code == 0
        for found in ("skims.csv", "near.csv"):
            (row,) = (tmp_path / found).read_text().splitlines()[1:]
            assert row.startswith("a,c,")
            assert tuple(float(each) for each in row.split(",")[2:]) == sums


def test_costs_of_a_file(run, tmp_path):
    """The fastest path respects turns, and the weights have the name that --cost gives them."""
    streets = apsp.from_edges(
        ["a", "b", "b", "d"], ["b", "c", "d", "c"], [5, 7, 9, 9], costs={"minutes": [5, 7, 9, 9], "km": [1, 2, 4, 8]}
    )
    apsp.write(apsp.with_turns(streets, [("a", "b", "c")]), tmp_path / "streets.npz")
    for turns, sums in (("--turns",), "23.0,13.0"), ((), "12.0,3.0"):
        words = ("--cost", "minutes", "--along", "km", "--sources", "a", "--targets", "c", "-o", tmp_path / "skims.csv")
        assert run("skim", tmp_path / "streets.npz", *turns, *words).code == 0
        assert (tmp_path / "skims.csv").read_text().splitlines() == ["origin,destination,minutes,km", f"a,c,{sums}"]


def test_solve_by_several_processes_refuses_it(run, crossing):
    outcome = run("solve", crossing, "--turns", "--spmd", "-o", "out.npy")
    assert (outcome.code, "--spmd does not respect turns yet" in outcome.err) == (2, True)


def test_other_formats_refuse_it(run, tmp_path):
    (tmp_path / "a.csv").write_text("a,b,1\n")
    assert "is an option of osm" in run("path", tmp_path / "a.csv", "a", "b", "--turns").err
