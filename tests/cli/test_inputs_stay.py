"""No command and no function writes over one of its inputs, under whatever name the file goes."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import click
import numpy as np
import pytest

import apsp
from apsp.cli.files import InputFile, OutputFile
from apsp.cli.main import COMMANDS, cli
from apsp.system.inputs import check_no_input, inputs_among, read_input, recorded_inputs

ARCS = "from,to,length,km\n1,2,3,5\n2,3,4,6\n3,1,5,7\n"
JOBS = "vertex,jobs\n1,10\n2,20\n3,30\n"
STREETS = "p sp 3 3\na 1 2 3\na 2 3 4\na 3 1 5\n"
PLACES = "p aux sp co 3\nv 1 0 0\nv 2 1 0\nv 3 0 1\n"


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, text in (
        ("t.csv", ARCS),
        ("j.csv", JOBS),
        ("some.csv", "1\n2\n"),
        ("places.co", PLACES),
        ("s.gr", STREETS),
    ):
        Path(name).write_text(text, encoding="utf-8")
    Path("soft.csv").symlink_to("t.csv")
    os.link("t.csv", "hard.csv")
    Path("sub").mkdir()
    Path("sub/up").symlink_to("..")
    return {path: path.read_bytes() for path in tmp_path.glob("*.c*")}


def unchanged(files):
    return all(path.read_bytes() == data for path, data in files.items())


OTHER_NAMES = ("t.csv", "./t.csv", "soft.csv", "hard.csv", "sub/../t.csv", "sub/up/t.csv")
WRITING = {
    "solve": ["solve", "t.csv", "-o"],
    "access": ["access", "t.csv", "--cutoffs", "9", "-o"],
    "nearest": ["nearest", "t.csv", "--facilities", "1", "-o"],
    "k-nearest": ["k-nearest", "t.csv", "-k", "1", "-o"],
    "skim": ["skim", "t.csv", "--sources", "1,2", "-o"],
    "betweenness": ["betweenness", "t.csv", "-o"],
    "closeness": ["closeness", "t.csv", "-o"],
    "convert": ["convert", "t.csv"],
    "explore": ["explore", "t.csv", "-o"],
}


@pytest.mark.parametrize("name", OTHER_NAMES)
@pytest.mark.parametrize("command", WRITING)
def test_the_graph_is_not_overwritten(run, files, command, name):
    outcome = run(*WRITING[command], name)
    assert outcome.code == 6, outcome
    assert f"{name} is an input, which is not overwritten: name another output" in outcome.err
    assert unchanged(files)


@pytest.mark.parametrize(
    "arguments",
    [
        ["access", "t.csv", "--weights", "j.csv", "-o", "j.csv"],
        ["access", "-o", "j.csv", "--weights", "j.csv", "t.csv"],
        ["nearest", "t.csv", "--facilities", "@some.csv", "-o", "some.csv"],
        ["skim", "t.csv", "--sources", "@some.csv", "-o", "some.csv"],
        ["solve", "t.csv", "--targets", "@some.csv", "-o", "some.csv"],
        ["solve", "t.csv", "--method", "floyd-warshall", "--pages-file", "t.csv", "-o", "d.npz"],
        ["stats", "t.csv", "--all", "--pages-file", "t.csv"],
        ["convert", "s.gr", "--coordinates", "places.co", "places.co", "--to", "dimacs"],
        ["convert", "s.gr", "--coordinates", "places.co", "places.gr"],
    ],
)
def test_other_inputs_are_not_overwritten(run, files, arguments):
    outcome = run(*arguments)
    assert outcome.code != 0
    assert unchanged(files)
    assert not Path("d.npz").exists()
    assert not Path("places.gr").exists()


@pytest.mark.parametrize("command", ["access", "path", "stats", "betweenness"])
def test_figures_replace_no_input(run, tmp_path, command):
    figure = tmp_path / "map.png"  # a graph under the name of a figure
    figure.write_text(ARCS, encoding="utf-8")
    options = {"access": ["--cutoffs", "9"], "path": ["1", "3"], "stats": ["--all"], "betweenness": []}[command]
    outcome = run(command, figure, *options, "--plot", figure)
    assert (outcome.code, "is an input" in outcome.err) == (6, True)
    assert figure.read_text(encoding="utf-8") == ARCS


def test_a_result_is_not_replaced_by_that_of_its_graph(run, files):
    assert run("solve", "t.csv", "--no-paths").code == 0
    before = Path("t.npz").read_bytes()
    for arguments in (["solve", "t.npz"], ["solve", "t.npz", "-o", "t.npz"], ["convert", "t.npz", "t.npz"]):
        outcome = run(*arguments)
        assert (outcome.code, "is an input" in outcome.err) == (6, True), outcome
    assert Path("t.npz").read_bytes() == before


def test_stores_that_are_inputs(run, files):
    pytest.importorskip("zarr")
    assert run("solve", "t.csv", "-o", "d.zarr").code == 0
    listed = sorted(Path("d.zarr").rglob("*"))
    Path("other.zarr").symlink_to("d.zarr")
    for output in (
        "d.zarr",
        "other.zarr",
        "d.zarr/more.csv",
        "other.zarr/graph/more.npz",
        f"file://{Path.cwd()}/d.zarr",
    ):
        outcome = run("solve", "d.zarr", "-o", output)
        assert (outcome.code, "input" in outcome.err) == (6, True), outcome
    for command in (["access", "d.zarr", "--cutoffs", "9"], ["stats", "d.zarr"]):
        assert run(*command, "--store", "other.zarr").code == 6
    assert sorted(Path("d.zarr").rglob("*")) == listed
    assert run("solve", "t.csv", "-o", "d.zarr").code == 0  # the graph is the input: the store is complete


def test_urls():
    with recorded_inputs():
        read_input("s3://bucket/d.zarr/")
        check_no_input("s3://bucket/d.zarr.zip")
        for output in ("s3://bucket/d.zarr", "s3://bucket/d.zarr/", "s3://bucket/d.zarr/more.zarr"):
            with pytest.raises(apsp.OutputError, match="input"):
                check_no_input(output)
    check_no_input("s3://bucket/d.zarr")


def test_functions_do_not_write_over_the_file_of_the_graph(files):
    graph = apsp.read("t.csv", cost="length")
    for name in OTHER_NAMES:
        with pytest.raises(apsp.OutputError, match="is an input"):
            apsp.write(graph, name)
        with pytest.raises(apsp.OutputError, match="is an input"):
            apsp.solve(graph).save(name)
    with pytest.raises(apsp.ApspError):
        apsp.solve(graph, method="floyd-warshall", pages_file="t.csv")
    with pytest.raises(apsp.ApspError):
        apsp.solve(graph, store="t.csv")
    assert unchanged(files)
    apsp.write(graph.with_costs(km=[1, 2, 3]), "t.csv")  # a changed graph may replace it
    apsp.write(graph, "t.csv")  # which is another file now


def test_saved_results_and_oracles_stay(files):
    graph = apsp.read("t.csv", cost="length")
    apsp.solve(graph).save("r.npz")
    result = apsp.load("r.npz")
    before = Path("r.npz").read_bytes()
    for write in (lambda: result.save("r.npz"), lambda: apsp.write(result.graph, "r.npz")):
        with pytest.raises(apsp.OutputError, match="is an input"):
            write()
    assert Path("r.npz").read_bytes() == before
    result.save("again.npz")
    assert np.array_equal(apsp.load("again.npz").distances, result.distances)
    apsp.solve(graph).save("r.npz")  # another result may replace it
    apsp.prepare(graph).save("o.npz")
    oracle = apsp.Oracle.load("o.npz")
    with pytest.raises(apsp.OutputError, match="is an input"):
        oracle.save("o.npz")
    oracle.update(oracle.graph.weights * 2)
    oracle.save("o.npz")  # with other weights
    assert apsp.Oracle.load("o.npz").distance(1, 3) == 14


def test_inputs_are_those_of_the_block(tmp_path):
    path = tmp_path / "a"
    path.write_text("1", encoding="utf-8")
    with recorded_inputs() as found:
        read_input(path)
    check_no_input(path)
    with inputs_among(found):
        with pytest.raises(apsp.OutputError):
            check_no_input(path)
        path.unlink()
        path.write_text("other", encoding="utf-8")
        check_no_input(path)  # it is another file, perhaps with the inode of the first


NO_FILES = {"[U V]", "NAME", "LOW,HIGH", "AxB", "KIND"}


def test_every_file_of_every_command_is_an_input_or_an_output():
    """So that a new option cannot forget the check."""
    for name in COMMANDS:
        command = cli.get_command(click.Context(cli), name)
        for each in command.params:
            metavar = each.metavar or ""
            words = {"FILE", "FOLDER", "DIR", "OUT", "IN"} & set(metavar.replace(".", " ").split())
            if words or "@FILE" in (getattr(each, "help", None) or ""):
                assert isinstance(each.type, (InputFile, OutputFile)), (name, each.name)


def piped(*arguments, text=ARCS):
    return subprocess.run(
        [sys.executable, "-m", "apsp", *arguments], input=text.encode(), capture_output=True, check=False, timeout=120
    )


@pytest.mark.few(1)
@pytest.mark.parametrize("command", ["solve", "access", "nearest", "k-nearest", "skim", "betweenness", "closeness"])
def test_tables_go_to_standard_output(run, files, command):
    arguments = [("-" if each == "t.csv" else each) for each in WRITING[command]]
    done = piped(*arguments, "-", "--cost", "length")
    assert done.returncode == 0, done.stderr
    assert run(*WRITING[command], "named.csv", "--cost", "length").code == 0
    assert done.stdout.decode() == Path("named.csv").read_text(encoding="utf-8")
    assert b"output.csv" not in done.stderr


@pytest.mark.slow
def test_graphs_and_bits_go_to_standard_output(files, tmp_path):
    done = piped("convert", "-", "-", "--to", "dimacs")
    assert done.returncode == 0, done
    (tmp_path / "again.gr").write_bytes(done.stdout)
    assert apsp.read("again.gr").m == 3
    assert piped("convert", "-", "-").returncode == 2
    done = piped("reachable", "-", "-o", "-")
    assert done.stdout.startswith(b"\x93NUMPY")
    both = piped("solve", "-", "-o", "-", "--json")
    assert (both.returncode, both.stdout) == (2, b"")
    failed = piped("solve", "-", "-o", "-", text="nothing")
    assert failed.returncode != 0
    assert failed.stdout == b""


def test_coordinates_that_go_nowhere_are_named(files):
    done = piped("convert", "s.gr", "-", "--to", "dimacs", "--coordinates", "places.co")
    assert done.returncode == 0
    assert b"does not store" in done.stderr
    assert b"coordinates" in done.stderr


TABLES = {
    "k_nearest": lambda graph: apsp.k_nearest(graph, 1),
    "nearest": lambda graph: apsp.nearest(graph, [0]),
    "accessibility": lambda graph: apsp.accessibility(graph, [1, 1, 1], cutoffs=3),
    "isochrone": lambda graph: apsp.isochrone(graph, 0, 3),
    "distance_statistics": lambda graph: apsp.distance_statistics(graph, groups=["a", "a", "b"]),
    "summary": lambda graph: apsp.summary(graph, groups=["a", "a", "b"]).distance_statistics(),
    "skim": lambda graph: apsp.skim(graph, cost="minutes"),
    "paths": lambda graph: apsp.prepare(graph).paths([0], [2]),
    "links": lambda graph: apsp.prepare(graph).paths([0], [2], links=True),
}


@pytest.mark.parametrize("kind", TABLES)
def test_tables_do_not_replace_the_file_of_the_graph(tmp_path, kind):
    path = tmp_path / "roads.csv"
    path.write_text(text := "from,to,minutes,km\n0,1,2,3\n1,2,2,5\n2,0,1,1\n")
    graph = apsp.read(path, cost="minutes", links=True)
    (tmp_path / "link.csv").symlink_to(path)
    for given in (graph, graph.with_weights("km"), graph.reversed()):
        for place in (path, tmp_path / "link.csv"):
            with pytest.raises(apsp.OutputError, match="is an input, which is not overwritten"):
                TABLES[kind](given).write(place)
        assert path.read_text() == text
        TABLES[kind](given).write(tmp_path / "other.csv")


def test_skims_in_stores_do_not_replace_the_file_of_the_graph(tmp_path):
    pytest.importorskip("zarr")
    path = tmp_path / "roads.npz"
    apsp.write(apsp.from_edges([0, 1], [1, 2], [2, 3]), path)
    found = apsp.skim(apsp.read(path), {"km": [1, 2]}, store=tmp_path / "skims.zarr")
    with pytest.raises(apsp.OutputError, match="is an input, which is not overwritten"):
        found.write(path)
    assert apsp.read(path).m == 2
