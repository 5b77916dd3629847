"""Commands honour turns: their answers are those of the functions of Python, and differ from those without turns."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import apsp
from apsp.cli.inputs import RESPECTING_TURNS

CITY = apsp.generate("city", 150, seed=3, turns=True)
POINTS = [[500, 600], [100, 200], [300, 700]]
SNAP = ("--crs", "plane", "--speed", "1.4")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Oracles with turns and without, and points."""
    here = tmp_path_factory.mktemp("turns")
    apsp.prepare(CITY).save(here / "turned.npz")
    apsp.prepare(CITY.graph).save(here / "plain.npz")
    (here / "points.csv").write_text("x,y\n" + "".join(f"{x},{y}\n" for x, y in POINTS))
    return here


def rows_of(path: Path) -> list[tuple[float, ...]]:
    """The rows of a CSV file, all of numbers."""
    with path.open() as file:
        return [tuple(map(float, row)) for row in list(csv.reader(file))[1:]]


def columns_of(table: dict[str, Any]) -> list[tuple[float, ...]]:
    return [tuple(map(float, row)) for row in zip(*(column.tolist() for column in table.values()), strict=True)]


def places(graph: Any) -> apsp.Places:
    return (graph.graph if isinstance(graph, apsp.TurnGraph) else graph).snap(POINTS, crs="plane", speed=1.4)


def matrix_rows(graph: Any) -> list[tuple[float, ...]]:
    return columns_of(apsp.solve(graph, sources=[3, 9]).to_long())


def closeness(measure: Callable[..., Any]) -> Callable[[Any], list[tuple[float, ...]]]:
    return lambda graph: list(enumerate(measure(graph).tolist()))


CASES: dict[str, tuple[tuple[str, ...], Callable[[Any], list[tuple[float, ...]]]]] = {
    "solve": (("--sources", "3,9"), matrix_rows),
    "solve points": (
        ("--origins", "POINTS", *SNAP),
        lambda graph: columns_of(apsp.matrix(graph, places(graph)).to_long()),
    ),
    "access": (
        ("--cutoffs", "60,120"),
        lambda graph: columns_of(apsp.accessibility(graph, {"vertices": np.ones(150)}, cutoffs=[60, 120]).to_dict()),
    ),
    "access of points": (
        ("--cutoffs", "60,120", "--origins", "POINTS", *SNAP),
        lambda graph: columns_of(
            apsp.accessibility(graph, {"vertices": np.ones(150)}, cutoffs=[60, 120], sources=places(graph)).to_dict()
        ),
    ),
    "nearest": (("--facilities", "3-7"), lambda graph: columns_of(apsp.nearest(graph, range(3, 8)).to_long())),
    "k-nearest": (
        ("-k", "9", "--sources", "0-20"),
        lambda graph: columns_of(apsp.k_nearest(graph, 9, sources=range(21)).to_long()),
    ),
    "within": (("--cutoff", "60"), lambda graph: columns_of(apsp.within(graph, 60).to_long())),
    "within of points": (
        ("--cutoff", "120", "--origins", "POINTS", *SNAP),
        lambda graph: columns_of(apsp.within(graph, 120, sources=places(graph)).to_long()),
    ),
    "isochrone": (
        ("--cutoffs", "30,60", "--sources", "0-20"),
        lambda graph: columns_of(apsp.isochrone(graph, range(21), [30, 60]).to_long()),
    ),
    "isochrone of points": (
        ("--cutoffs", "60,120", "--origins", "POINTS", *SNAP),
        lambda graph: columns_of(apsp.isochrone(graph, places(graph), [60, 120]).to_long()),
    ),
    "closeness": ((), closeness(apsp.closeness_centrality)),
    "closeness harmonic": (("--harmonic", "--direction", "out"), closeness(
        lambda graph: apsp.harmonic_centrality(graph, direction="out")
    )),
    "skim": (
        ("--sources", "0-40"), lambda graph: columns_of(apsp.skim(graph, zones=range(41)).to_long())
    ),
    "skim of points": (
        ("--origins", "POINTS", *SNAP), lambda graph: columns_of(apsp.skim(graph, zones=places(graph)).to_long())
    ),
    "table": (("POINTS", *SNAP), lambda graph: columns_of(apsp.table(graph, places(graph)).to_long())),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_tables_are_those_of_the_functions(run, folder, tmp_path, case):
    options, function = CASES[case]
    found = {}
    for name, graph in (("turned", CITY), ("plain", CITY.graph)):
        words = [each.replace("POINTS", str(folder / "points.csv")) for each in options]
        assert run(case.split()[0], folder / f"{name}.npz", *words, "-o", tmp_path / "out.csv").code == 0
        found[name] = rows_of(tmp_path / "out.csv")
        assert found[name] == function(graph)
    assert found["turned"] != found["plain"]


def test_every_command_that_honours_turns_is_tried():
    named = set(re.split(r", | and ", RESPECTING_TURNS.removeprefix("apsp ")))
    assert {case.split()[0] for case in CASES} | {"path", "stats", "plan", "serve", "convert"} == named


def test_outputs_of_solve(run, folder, tmp_path):
    truth = apsp.solve(CITY).distances
    assert (truth != apsp.solve(CITY.graph).distances).any()
    for name in ("out.npy", "out.npz", "out.zarr", "out.csv"):
        paths = ["--paths"] * name.endswith("zarr")
        assert run("solve", folder / "turned.npz", "-o", tmp_path / name, *paths).code == 0
    assert (np.load(tmp_path / "out.npy") == truth).all()
    assert len(rows_of(tmp_path / "out.csv")) == truth.size
    for name in ("out.npz", "out.zarr"):
        loaded = apsp.load(tmp_path / name)
        assert (loaded.distances[:] == truth).all()
        path = run("path", tmp_path / name, 3, 140, "--json").json
        assert (path["distance"], path["vertices"][0], path["vertices"][-1]) == (truth[3, 140], 3, 140)
    for option in ("--verify", "--path-counts", "--counts", "--semiring=max_min"):
        outcome = run("solve", folder / "turned.npz", "-o", tmp_path / "other.npz", option)
        assert (outcome.code, "does not take a graph with turns" in outcome.err) == (4, True)
        assert not (tmp_path / "other.npz").exists()


def test_statistics(run, folder, tmp_path):
    assert run("solve", folder / "turned.npz", "-o", tmp_path / "solved.npz").code == 0
    truth, plain = apsp.summary(CITY), apsp.summary(CITY.graph)
    for file in (folder / "turned.npz", tmp_path / "solved.npz"):
        found = run("stats", file, "--json").json
        assert found["graph"] == {
            "n": 150, "m": CITY.m, "directed": True, "weights": "int32", "labels": False, "coordinates": True,
            "zones": False, "turns": True,
        }  # fmt: skip
        assert found["components"] == {"strong": 1, "largest": 150}
        assert (found["diameter"], found["radius"], found["center"]) == (truth.diameter, truth.radius, truth.center)
        assert found["average_shortest_path_length"] == truth.average_shortest_path_length
        assert found["average_shortest_path_length"] > plain.average_shortest_path_length
        assert found["weights"] == run("stats", folder / "plain.npz", "--json").json["weights"]
        assert "components without turns" in run("stats", file).out
    assert "components without turns" not in run("stats", folder / "plain.npz").out


def test_plans(run, folder):
    for purpose in ("solve", "stream", "summary"):
        found = run("plan", folder / "turned.npz", "--for", purpose, "--json").json
        assert found["plan"]["method"] == apsp.plan(CITY, for_=purpose).method
        assert f"of {CITY.expanded.n} vertices" in found["explanation"]
    for purpose in ("flows", "reachable"):
        outcome = run("plan", folder / "turned.npz", "--for", purpose)
        assert (outcome.code, "does not take a graph with turns" in outcome.err) == (4, True)


def test_polygons_and_maps(run, folder, tmp_path):
    geopandas, _ = pytest.importorskip("geopandas"), pytest.importorskip("matplotlib")
    words = ("--sources", "3", "--cutoffs", "60", "--width", "20", "--crs", "plane")
    for name, graph in (("turned", CITY), ("plain", CITY.graph)):
        assert run("isochrone", folder / f"{name}.npz", *words, "-o", tmp_path / f"{name}.parquet").code == 0
        (area,) = geopandas.read_parquet(tmp_path / f"{name}.parquet").geometry
        (truth,) = apsp.isochrone(graph, 3, 60).areas(width=20, crs="plane").polygons[0]
        assert area.equals(truth)
    drawn = {
        "isochrone": ("--sources", "3", "--cutoffs", "60"), "nearest": ("--facilities", "3"), "closeness": (),
        "access": ("--cutoffs", "60"),
    }  # fmt: skip
    for command, others in drawn.items():
        assert run(command, folder / "turned.npz", *others, "--plot", tmp_path / f"{command}.png").code == 0
        assert (tmp_path / f"{command}.png").stat().st_size > 1000


def test_ranges_of_vertices_name_each_once(run, folder):
    assert run("k-nearest", folder / "turned.npz", "-k", 1, "--sources", "0-149", "--json").json["sources"] == 150
