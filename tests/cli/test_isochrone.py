"""apsp isochrone: the files are those of the library."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import apsp
from apsp.cli.main import main


@pytest.fixture(name="city")
def city_fixture(tmp_path: Path) -> tuple[str, apsp.Graph]:
    graph = apsp.generate("city", 400, seed=1)
    path = tmp_path / "city.npz"
    apsp.write(graph, path)
    return str(path), graph


def test_a_table_of_vertices(city: tuple[str, apsp.Graph], tmp_path: Path, capsys: Any) -> None:
    path, graph = city
    out = tmp_path / "reached.csv"
    assert main(["isochrone", path, "--sources", "3,17", "--cutoffs", "20,45", "-o", str(out), "--json"]) == 0
    expected = apsp.isochrone(graph, [3, 17], [20, 45])
    expected.write(tmp_path / "expected.csv")
    assert out.read_text() == (tmp_path / "expected.csv").read_text()
    facts = json.loads(capsys.readouterr().out)
    assert (facts["sources"], facts["cutoffs"]) == (2, 2)
    assert facts["vertices_within_the_longest"] == len(expected.positions)


def test_polygons(city: tuple[str, apsp.Graph], tmp_path: Path) -> None:
    shapely = pytest.importorskip("shapely")
    parquet = pytest.importorskip("pyarrow.parquet")
    path, graph = city
    out = tmp_path / "areas.parquet"
    command = ["isochrone", path, "--sources", "3,17", "--cutoffs", "20,45", "--width", "30", "--crs", "plane"]
    assert main([*command, "--no-holes", "-o", str(out)]) == 0
    expected = apsp.isochrone(graph, [3, 17], [20, 45]).areas(width=30, crs="plane", holes=False)
    shapes = shapely.from_wkb(parquet.read_table(out)["geometry"].to_pylist())
    assert shapely.equals_exact(shapes, expected.polygons.ravel(), 0).all()


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--cutoffs", "20"], "--sources LIST"),
        (["--sources", "3", "--cutoffs", "20,x"], "such as 900,1800"),
        (["--sources", "3", "--cutoffs", "20", "--width", "3"], "polygons need --crs"),
        (["--sources", "3", "--cutoffs", "20", "--targets", "4"], "leave it out"),
        (
            ["--sources", "3", "--cutoffs", "20", "--width", "3", "--crs", "plane", "-o", "x.csv"],
            ".parquet or .geojson",
        ),
        (["--sources", "3", "--cutoffs", "20", "--width", "3", "--crs", "plane", "-o", "x.geojson"], "RFC 7946"),
    ],
)
def test_invalid(city: tuple[str, apsp.Graph], capsys: Any, options: list[str], words: str) -> None:
    pytest.importorskip("shapely")
    assert main(["isochrone", city[0], *options]) == 4
    assert words in capsys.readouterr().err


@pytest.mark.parametrize("words", [[], ["--width", "30", "--crs", "plane"]])
def test_maps(run, city, roads, tmp_path, words):
    pytest.importorskip("matplotlib")
    if words:
        pytest.importorskip("shapely")
    out = tmp_path / "map.svg"
    outcome = run("isochrone", city[0], "--sources", "1", "--cutoffs", "60,120", *words, "--plot", out)
    assert outcome.code == 0, outcome.err
    assert str(out) in outcome.err
    text = out.read_text()
    assert "Distance from the source" in text
    assert [f"<!-- {limit} -->" in text for limit in (0, 60, 120)] == [True] * 3  # of the bar of colours
    assert run("isochrone", city[0], "--sources", "1,40,3", "--cutoffs", "60", *words, "--plot", out).code == 0
    assert "Distance from the nearest source" in out.read_text()
    for limits in ("0", "60,inf", "inf", "9" * 400):
        assert run("isochrone", city[0], "--sources", "1", "--cutoffs", limits, "--plot", out).code == 0
    outcome = run("isochrone", roads, "--sources", "1", "--cutoffs", "3", "--plot", tmp_path / "m.png")
    assert "--plot needs coordinates" in outcome.err
