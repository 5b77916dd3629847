"""Points on the command line: apsp table, and --origins, --destinations and --near of other commands."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import apsp
from apsp.cli.main import main

Made = tuple[apsp.Graph, Path, Path, Path]
HOW = ["--crs", "plane", "--speed", "2", "--names", "name", "-q"]


@pytest.fixture(name="made")
def made_fixture(tmp_path: Path) -> Made:
    """A street that bends, with two homes and two shops."""
    graph = apsp.from_edges(
        [0, 1], [1, 2], [60, 80], coordinates=[[0, 0], [100, 0], [100, 200]], directed=False, costs={"toll": [1, 2]}
    )
    apsp.write(graph, tmp_path / "streets.npz")
    homes, shops = tmp_path / "homes.csv", tmp_path / "shops.csv"
    homes.write_text("name,x,y\nAda,25,10\nBob,110,150\n")
    shops.write_text("name,x,y\nbakery,90,0\nmarket,100,100\n")
    return graph, tmp_path / "streets.npz", homes, shops


def rows(path: Path) -> list[list[str]]:
    with path.open(encoding="utf-8") as file:
        return [*csv.reader(file)]


def test_tables(made: Made, tmp_path: Path) -> None:
    _, graph, homes, shops = made
    command = ["table", str(graph), str(homes), str(shops), *HOW]
    assert main([*command, "-o", str(tmp_path / "long.csv")]) == 0
    assert rows(tmp_path / "long.csv") == [
        ["source", "target", "distance"], ["Ada", "bakery", "44.0"], ["Ada", "market", "90.0"],
        ["Bob", "bakery", "71.0"], ["Bob", "market", "25.0"],
    ]  # fmt: skip
    assert main([*command, "--matrix", "-o", str(tmp_path / "wide.csv")]) == 0
    assert rows(tmp_path / "wide.csv") == [
        ["source", "bakery", "market"], ["Ada", "44.0", "90.0"], ["Bob", "71.0", "25.0"],
    ]  # fmt: skip
    assert main(["table", str(graph), str(homes), *HOW, "--matrix", "-o", str(tmp_path / "homes.parquet")]) == 0
    import pyarrow.parquet

    table = pyarrow.parquet.read_table(tmp_path / "homes.parquet")
    assert table.column_names == ["source", "Ada", "Bob"]
    assert main([*command, "-o", str(tmp_path / "table.omx")]) == 0
    read = apsp.read_omx(tmp_path / "table.omx")
    assert read["distance"].tolist() == [[44.0, 90.0], [71.0, 25.0]]
    assert (read.zones.tolist(), read.targets.tolist()) == (["Ada", "Bob"], ["bakery", "market"])


def test_counts(made: Made, capsys: pytest.CaptureFixture[str]) -> None:
    _, graph, homes, shops = made
    how = ["--crs", "plane", "--speed", "2", "--limit", "5", "--unsnapped", "unreachable", "--names", "name"]
    assert main(["table", str(graph), str(homes), str(shops), *how, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["origins"], found["origins_beyond_the_limit"], found["pairs_with_a_path"]) == (2, 2, 0)
    assert main(["table", str(graph), str(homes), str(shops), *how[:-4], "--names", "name"]) == 4
    assert "is beyond the limit" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        (["within", "--cutoff", "50", "--origins", "HOMES", "--destinations", "SHOPS"],
         [["Ada", "bakery", "44.0"], ["Bob", "market", "25.0"]]),
        (["within", "--cutoff", "25", "--origins", "HOMES"],
         [["Ada", "0", "20.0"], ["Bob", "2", "25.0"]]),
        (["k-nearest", "-k", "1", "--origins", "HOMES"], [["Ada", "0", "20.0"], ["Bob", "2", "25.0"]]),
        (["nearest", "--destinations", "SHOPS"],
         [["0", "bakery", "54.0"], ["1", "bakery", "6.0"], ["2", "market", "40.0"]]),
        (["nearest", "--destinations", "SHOPS", "--direction", "from"],
         [["0", "bakery", "54.0"], ["1", "bakery", "6.0"], ["2", "market", "40.0"]]),
        (["access", "--cutoffs", "50", "--origins", "HOMES"], [["Ada", "2.0"], ["Bob", "1.0"]]),
        (["skim", "--along", "toll", "--origins", "HOMES", "--destinations", "SHOPS"],
         [["Ada", "bakery", "44.0", "0.65"], ["Ada", "market", "90.0", "1.75"], ["Bob", "bakery", "71.0", "1.6"],
          ["Bob", "market", "25.0", "0.5"]]),
    ],
)  # fmt: skip
def test_points_of_commands(made: Made, tmp_path: Path, command: list[str], expected: list[list[str]]) -> None:
    _, graph, homes, shops = made
    words = {"HOMES": str(homes), "SHOPS": str(shops)}
    name, *options = (words.get(word, word) for word in command)
    out = tmp_path / "out.csv"
    assert main([name, str(graph), *options, *HOW, "-o", str(out)]) == 0

    def plain(row: list[str]) -> list[Any]:
        return [round(float(each), 9) if each[0].isdigit() else each for each in row]

    assert [*map(plain, rows(out)[1:])] == [*map(plain, expected)]


def test_one_point(made: Made, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _, graph, _, _ = made
    out, how = tmp_path / "near.csv", ["--crs", "plane", "--speed", "2", "-q"]
    assert main(["within", str(graph), "--cutoff", "20", "--near", "25,10", "-o", str(out), *how]) == 0
    assert rows(out)[1:] == [["25,10", "0", "20.0"]]
    for wrong in ("25", "a,b", "nan,1", ""):
        assert main(["within", str(graph), "--cutoff", "20", "--near", wrong, *how]) == 4
        assert "give two numbers" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--origins", "HOMES", "--near", "1,2"], "--origins and --near"),
        (["--origins", "HOMES", "--sources", "0"], "--sources and --origins contradict"),
        (["--destinations", "SHOPS", "--targets", "0"], "--targets and --destinations contradict"),
        (["--speed", "3"], "--speed is about points"),
        (["--to", "vertex"], "--to is about points"),
    ],
)
def test_contradictions(made: Made, capsys: pytest.CaptureFixture[str], options: list[str], words: str) -> None:
    _, graph, homes, shops = made
    given = [{"HOMES": str(homes), "SHOPS": str(shops)}.get(each, each) for each in options]
    assert main(["within", str(graph), "--cutoff", "9", *given]) == 2
    assert words in capsys.readouterr().err
    assert main(["nearest", str(graph)]) == 2
    assert "give the facilities" in capsys.readouterr().err


def test_an_output_does_not_replace_points(made: Made, capsys: pytest.CaptureFixture[str]) -> None:
    _, graph, homes, shops = made
    for command in (["table", str(graph), str(homes), str(shops)], ["within", str(graph), "--cutoff", "9",
                    "--origins", str(homes)]):  # fmt: skip
        assert main([*command, *HOW, "-o", str(homes)]) == 6
    assert "Ada" in homes.read_text()


def test_maps_draw_vertices(made: Made, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _, graph, homes, _ = made
    arguments = ["access", str(graph), "--cutoffs", "9", "--origins", str(homes), *HOW]
    assert main([*arguments, "--plot", str(tmp_path / "map.png")]) == 2
    assert "--plot draws vertices" in capsys.readouterr().err
    assert np.isfinite(apsp.read(graph).weights).all()


@pytest.fixture(name="bent")
def bent_fixture(tmp_path: Path) -> Path:
    """Two streets in degrees, of which the first has a bend, as a file that says so."""
    graph = apsp.from_edges(
        [0, 1], [1, 2], [60, 80], coordinates=[[0, 0], [1, 0], [1, 2]], directed=False, bends=[[[0, 1], [1, 1]], None],
        crs="degrees",
    )  # fmt: skip
    path = tmp_path / "bent.npz"
    apsp.write(graph, path)
    return path


def line_of(path: Path) -> Any:
    (feature,) = json.loads(path.read_text())["features"]
    return np.round(feature["geometry"]["coordinates"], 6).tolist()


def test_a_path_from_a_point(bent: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("shapely")
    out, graph = tmp_path / "path.geojson", apsp.read(bent)
    snapped = graph.snap([[0, 0.5], [1, 1.5]], speed=1.4)
    near = ["path", str(bent), "--near", "0,0.5", "--speed", "1.4"]
    assert main([*near, "--near", "1,1.5", "-o", str(out), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["vertices"] == ["0,0.5", 1, "1,1.5"]
    assert found["distance"] == pytest.approx(apsp.distance(graph, snapped[0], snapped[1]))
    assert line_of(out) == [[0, 0.5], [0, 1], [1, 1], [1, 0], [1, 1.5]]
    apsp.prepare(graph).save(tmp_path / "oracle.npz")
    apsp.solve(graph).save(tmp_path / "result.npz")
    for file in (bent, tmp_path / "oracle.npz", tmp_path / "result.npz"):
        assert main(["path", str(file), *near[2:], "2", "-o", str(out), "--json"]) == 0
        found = json.loads(capsys.readouterr().out)
        assert (found["source"], found["target"]) == ("0,0.5", 2)
        assert found["distance"] == pytest.approx(apsp.distance(graph, snapped[0], 2))
        assert line_of(out) == [[0, 0.5], [0, 1], [1, 1], [1, 0], [1, 2]]
    assert main(["path", str(bent), "2", "0", "-o", str(out), "--json"]) == 0
    assert line_of(out) == [[1, 2], [1, 0], [1, 1], [0, 1], [0, 0]]


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("a.csv", "name,lon,lat\nAda,1,0.5\n\nBob,oops,5\n", "a.csv, line 4: column 'lon' holds 'oops', not a number"),
        ("a.csv", "name,x,y\nAda,1,\n", "a.csv, line 2: column 'y' holds '', not a number"),
        ("a.csv", "name,x,y\nAda,1\n", "a.csv, line 2: 2 fields, and the header has 3"),
        ("a.csv", "name,lon,lat\nAda,1,95\n", "a.csv: point 'Ada', [1.0, 95.0], is not a longitude"),
        ("a.csv", "name,lon,lat\nAda,1,0.5\nAda,0,0.5\n", "a.csv: places need different labels"),
        ("a.csv", "title,lon,lat\nAda,1,0.5\n", "a.csv: there is no column 'name' for labels, only 'title', 'lon'"),
        ("a.csv", "name,east,north\nAda,1,0.5\n", "a.csv: points need two columns"),
        ("a.csv", "name,lon,lat\nAda,1,20\n", "'Ada' is beyond the limit of its snap: --unsnapped unreachable makes"),
        ("a.csv", "name,lon,lat\nAda,1.0001,0.5\n", "is not known: --speed is their length per unit"),
        ("a.geojson", '{"type": "Point", "coordinates": [1, 2]}', "no property 'name' for labels: the points are not"),
        ("a.geojson", '{"type": "FeatureCollection", "features": [{"geometry": {"type": "Line"}}]}', "feature 1: the"),
    ],
)  # fmt: skip
def test_errors_of_files_of_points(
    bent: Path, tmp_path: Path, run: Any, name: str, content: str, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path(name).write_text(content)
    options = ["--names", "name", "--limit", "100"]
    for command in (
        ["solve", bent, "--origins", name, "-o", "out.csv", *options],
        ["isochrone", bent, "--origins", name, "--cutoffs", "9", *options],
        ["table", bent, name, *options],
    ):
        done = run(*command)
        assert done.code in (3, 4)
        assert words in done.err
        assert not Path("out.csv").exists()


def test_all_paths_and_links_from_points(run: Any, tmp_path: Path) -> None:
    """A square of four streets: between the middles of two that are opposite, two paths are equally short."""
    square = apsp.from_edges(
        [0, 1, 2, 3], [1, 2, 3, 0], [4, 4, 4, 4], directed=False, links=True, labels=["a", "b", "c", "4,0"],
        coordinates=[[0, 0], [8, 0], [8, 8], [0, 8]], crs="plane",
    )  # fmt: skip
    apsp.write(square, tmp_path / "square.npz")
    apsp.prepare(square).save(tmp_path / "oracle.npz")
    apsp.solve(square).save(tmp_path / "result.npz")
    for name in ("square.npz", "oracle.npz", "result.npz"):
        command = ["path", tmp_path / name, "--near", "4,0", "--near", "4,8"]
        found = run(*command, "--all", "--links", "--json").json
        assert found["paths"] == [["4,0", "a", "4,0", "4,8"], ["4,0", "b", "c", "4,8"]]
        assert (found["links_of_paths"], found["complete"], found["distance"]) == ([[0, 3, 2], [0, 1, 2]], True, 8)
        assert run(*command, "--all", "--most", "1", "--json").json["complete"] is False
        assert run(*command, "--links", "--json").json["links"] in ([0, 3, 2], [0, 1, 2])
        assert run(*command[:4], "c", "--all", "--json").json["paths"] == [["4,0", "b", "c"]]
        out = tmp_path / "paths.parquet"
        assert run(*command, "--all", "-o", out, "--json").code == 0
        import shapely

        lines = [shapely.from_wkb(line).wkt for line in pyarrow_table(out)["geometry"].to_pylist()]
        assert lines == ["LINESTRING (4 0, 0 0, 0 8, 4 8)", "LINESTRING (4 0, 8 0, 8 8, 4 8)"]


def pyarrow_table(path: Path) -> Any:
    import pyarrow.parquet

    return pyarrow.parquet.read_table(path)


def test_maps_of_paths_from_points(bent: Path, tmp_path: Path, run: Any) -> None:
    pytest.importorskip("matplotlib")
    apsp.prepare(apsp.read(bent)).save(tmp_path / "oracle.npz")
    for file in (bent, tmp_path / "oracle.npz"):
        for end in (["--near", "1,1.5"], ["2"]):
            picture = tmp_path / "map.svg"
            done = run("path", file, "--near", "0.2,0.5", *end, "--speed", "1000", "--unit", "s", "--plot", picture)
            assert done.code == 0, done.err
            assert f"wrote {picture}" in done.err
            text = picture.read_text()
            assert "Distance from 0.2,0.5" in text.replace("<!-- ", "")
            picture.unlink()
    plain = tmp_path / "plain.gr"
    plain.write_text("p sp 2 1\na 1 2 1\n")
    assert "coordinates" in run("path", plain, "--near", "0,0", "2", "--crs", "plane", "--plot", picture).err


def test_a_drawn_route_leads_from_point_to_point() -> None:
    pytest.importorskip("matplotlib")
    street = apsp.from_edges(
        [0], [1], [60], directed=False, coordinates=[[0, 0], [9, 0]], bends=[[[0, 6], [9, 6]]], crs="plane"
    )
    homes = street.snap({"a": [-1, 2], "b": [9, 5]}, speed=1)
    for route, ends, line, names in (
        (["a", "b"], {"sources": homes, "targets": homes}, [[-1, 2], [0, 2], [0, 6], [9, 6], [9, 5], [9, 5]], "ab"),
        ([0, "b"], {"targets": homes}, [[0, 0], [0, 6], [9, 6], [9, 5], [9, 5]], "0b"),
        ([], {"sources": homes}, None, ""),
    ):
        axes = street.plot(route=route, **ends).axes[0]
        drawn = [found.get_xydata().tolist() for found in axes.lines]
        assert drawn == ([] if line is None else [line])
        assert [text.get_text() for text in axes.texts] == [*names, *sorted({"0", "1"} - set(names))]
    with pytest.raises(apsp.GraphError, match="there is no vertex 'c'; labels are for example 'a', 'b'"):
        street.plot(route=["c", "b"], sources=homes, targets=homes)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--near", "0,1"], "--near X,Y and a vertex V, or --near twice"),
        (["1"], "give two vertices, U and V, or none"),
        (["--near", "0,1", "--near", "1,1", "2"], "or --near twice"),
        (["--near", "0,1", "2", "--names", "name"], "no such option"),
        (["0", "2", "--speed", "1"], "--speed is about points, and none are given"),
        (["0", "2", "--crs", "degrees"], "--crs is about points, and none are given"),
        (["--near", "x", "2"], "give two numbers, X,Y"),
        (["--near", "0,1", "2", "-o", "path.csv"], "end the name of the file in .parquet or .geojson"),
    ],
)
def test_wrong_paths_from_points(
    bent: Path, arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["path", str(bent), *arguments]) != 0
    assert words in capsys.readouterr().err


def test_isochrones_of_points(bent: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shapely = pytest.importorskip("shapely")
    homes, out = tmp_path / "homes.csv", tmp_path / "areas.geojson"
    homes.write_text("name,lon,lat\nAda,0,0.5\n")
    how = ["isochrone", str(bent), "--cutoffs", "15", "--speed", "1.4"]
    for points in (["--origins", str(homes), "--names", "name"], ["--near", "0,0.5"]):
        assert main([*how, *points, "--width", "500", "-o", str(out), "-q"]) == 0
        (feature,) = json.loads(out.read_text())["features"]
        area = shapely.geometry.shape(feature["geometry"])
        assert area.covers(shapely.Point(0.2, 1))
        assert feature["properties"]["source"] == ("Ada" if points[0] == "--origins" else "0,0.5")
        assert main([*how, *points, "-o", str(tmp_path / "v.csv"), "-q"]) == 0
        assert [row[1] for row in rows(tmp_path / "v.csv")[1:]] == ["0"]
    assert main([*how, "--sources", "0", "--near", "0,0.5", "--width", "5"]) != 0
    assert "--sources and --near contradict each other" in capsys.readouterr().err
    assert main([*how, "--near", "0,0.5", "-o", "areas.geojson"]) != 0
    assert "areas.geojson: polygons need --width" in capsys.readouterr().err
    assert main([*how, "--near", "0,0.5", "--names", "name"]) != 0
    assert "--names is about files of points, and none are given" in capsys.readouterr().err
    assert main([*how, "--width", "5"]) != 0
    assert "--speed is about points" in capsys.readouterr().err


def test_solve_takes_points(made: Made, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _, graph, homes, shops = made
    command = ["solve", str(graph), "--origins", str(homes), *HOW]
    assert main([*command, "--destinations", str(shops), "-o", str(tmp_path / "d.csv")]) == 0
    assert rows(tmp_path / "d.csv")[1:] == [
        ["Ada", "bakery", "44.0"], ["Ada", "market", "90.0"], ["Bob", "bakery", "71.0"], ["Bob", "market", "25.0"],
    ]  # fmt: skip
    assert main([*command, "--targets", "0,2", "-o", str(tmp_path / "d.npy")]) == 0
    assert np.load(tmp_path / "d.npy").tolist() == [[20, 130], [125, 25]]
    for more, words in (
        (["--cutoff", "5", "-o", "x.csv"], "--cutoff cannot be combined with points"),
        (["--verify", "-o", "x.csv"], "--verify cannot be combined with points"),
        (["-o", "x.npz"], "written to -o OUT.csv (pairs) or OUT.npy"),
        (["--sources", "0", "-o", str(tmp_path / "x.csv")], "--sources and --origins contradict each other"),
    ):
        assert main([*command, *more]) != 0
        assert words in capsys.readouterr().err
    assert main(["solve", str(graph), "--speed", "1", "-o", str(tmp_path / "x.npz")]) != 0
    assert "--speed is about points" in capsys.readouterr().err
