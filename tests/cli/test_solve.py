"""apsp solve: what it writes, and what it says."""

from __future__ import annotations

import csv
import io
import sys

import numpy as np
import pytest

import apsp
from apsp.errors import MemoryLimitError
from apsp.graph.files import read
from apsp.solvers.registry import METHODS


def test_npz_holds_everything(run, tmp_path, roads):
    out = tmp_path / "roads.npz"
    outcome = run("solve", roads, "-o", out)
    assert outcome.code == 0
    assert outcome.out == ""
    assert "5 x 5" in outcome.err
    result = apsp.load(out)
    assert result.distance(0, 3) == 6
    assert result.path(0, 3) == [0, 1, 2, 3]
    assert result.has_predecessors


def test_default_output_is_beside_us_not_beside_the_input(run, tmp_path, roads, monkeypatch):
    folder = tmp_path / "work"
    folder.mkdir()
    monkeypatch.chdir(folder)
    assert run("solve", roads).code == 0
    assert apsp.load(folder / "roads.npz").distance(0, 3) == 6
    assert run("solve", roads).code == 0  # our own result may be replaced
    (folder / "roads.npz").write_text("precious")
    outcome = run("solve", roads)
    assert outcome.code == 6
    assert (folder / "roads.npz").read_text() == "precious"


def test_json_is_one_object(run, tmp_path, roads):
    facts = run("solve", roads, "-o", tmp_path / "r.npz", "--json", "--no-paths").json
    assert (facts["rows"], facts["columns"], facts["paths"]) == (5, 5, False)
    assert facts["graph"]["n"] == 5
    assert facts["bytes"] == (tmp_path / "r.npz").stat().st_size
    assert facts["method"] in METHODS


def test_options_reach_the_solver(run, tmp_path, roads):
    out = tmp_path / "r.npz"
    facts = run(
        "solve", roads, "-o", out, "--sources", "0,3", "--targets", "2,3", "--cutoff", "5", "--dtype", "float64",
        "--method", "dijkstra", "--threads", "1", "--no-progress", "--json",
    ).json  # fmt: skip
    assert (facts["dtype"], facts["method"], facts["threads"]) == ("float64", "dijkstra", 1)
    result = apsp.load(out)
    assert result.distances.tolist() == [[3, float("inf")], [4, 0]]
    assert result.cutoff == 5


def test_reading_options(run, tmp_path, roads):
    out = tmp_path / "r.npz"
    assert run("solve", roads, "-o", out, "--hops", "--undirected").code == 0
    assert apsp.load(out).distance(4, 3) == 2


def test_sources_from_a_file(run, tmp_path, roads):
    (tmp_path / "list").write_text("3\n0\n")
    out = tmp_path / "r.npy"
    assert run("solve", roads, "-o", out, "--sources", f"@{tmp_path / 'list'}").code == 0
    assert np.load(out)[:, 3].tolist() == [0, 6]


def test_verify(run, tmp_path, roads):
    for ending in (".npz", ".npy", ".csv"):
        outcome = run("solve", roads, "-o", tmp_path / f"r{ending}", "--verify", "--json")
        assert outcome.json["verified"] is True


def test_npy_is_the_matrix(run, tmp_path, roads):
    out = tmp_path / "r.npy"
    assert run("solve", roads, "-o", out).code == 0
    assert np.array_equal(np.load(out), apsp.solve(read(roads)).distances)


def test_csv_is_the_long_form(run, tmp_path, roads):
    out = tmp_path / "r.csv"
    assert run("solve", roads, "-o", out).code == 0
    rows = list(csv.reader(io.StringIO(out.read_text())))
    assert rows[0] == ["source", "target", "distance"]
    assert ["0", "3", "6"] in rows
    assert not [row for row in rows[1:] if row[1] == "4" and row[0] != "4"]


@pytest.mark.parametrize("ending", [".npy", ".csv"])
def test_what_does_not_fit_is_written_in_blocks(run, tmp_path, roads, monkeypatch, ending):
    assert run("solve", roads, "-o", tmp_path / f"whole{ending}").code == 0

    def refuse(*_: object, **__: object) -> None:
        raise MemoryLimitError("everything", 2, 1, ["less"])

    monkeypatch.setattr(apsp.api, "solve", refuse)
    outcome = run("solve", roads, "-o", tmp_path / f"blocks{ending}", "--verify")
    assert outcome.code == 0
    assert "blocks of rows" in outcome.err
    assert (tmp_path / f"blocks{ending}").read_bytes() == (tmp_path / f"whole{ending}").read_bytes()


def test_no_room_for_predecessors_is_said(run, tmp_path, roads, monkeypatch):
    plan = apsp.api.plan

    def tight(*arguments: object, **options: object) -> object:
        if options.get("paths"):
            raise MemoryLimitError("predecessors", 2, 1, ["without"])
        return plan(*arguments, **options)

    monkeypatch.setattr(apsp.api, "plan", tight)
    outcome = run("solve", roads, "-o", tmp_path / "r.npz")
    assert outcome.code == 0
    assert "no room for predecessors" in outcome.err
    assert not apsp.load(tmp_path / "r.npz").has_predecessors


def test_full_disk_is_seen_before_the_work(run, tmp_path, roads, monkeypatch):
    from apsp.cli import solve

    class Usage:
        free = 10

    monkeypatch.setattr(solve.shutil, "disk_usage", lambda _: Usage)
    monkeypatch.setattr(apsp.api, "solve", lambda *_, **__: pytest.fail("worked first"))
    outcome = run("solve", roads, "-o", tmp_path / "r.npz")
    assert outcome.code == 6
    assert "10 B left" in outcome.err


def test_standard_input(run, tmp_path, roads, monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(roads.read_bytes())))
    assert run("solve", "-", "-o", tmp_path / "r.npz").code == 0
    assert apsp.load(tmp_path / "r.npz").distance(0, 3) == 6


def test_quiet_says_nothing(run, tmp_path, roads):
    outcome = run("solve", roads, "-o", tmp_path / "r.npz", "-q")
    assert (outcome.out, outcome.err) == ("", "")
