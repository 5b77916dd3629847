"""apsp access."""

from __future__ import annotations

import csv

import pytest

import apsp
from apsp.graph.files import read


def test_tables(run, roads, tmp_path):
    graph = read(roads)
    (tmp_path / "jobs.csv").write_text("vertex,jobs,people\n1,5,10\n3,7,20\n", encoding="utf-8")
    out = tmp_path / "out.csv"
    outcome = run("access", roads, "--cutoffs", "3,9.5", "--weights", tmp_path / "jobs.csv", "-o", out)
    assert outcome.code == 0
    expected = apsp.accessibility(graph, {"jobs": {1: 5, 3: 7}, "people": {1: 10, 3: 20}}, cutoffs=[3, 9.5]).to_dict()
    with out.open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert {name: [float(row[name]) for row in rows] for name in rows[0]} == {
        name: column.tolist() for name, column in expected.items()
    }
    shared = run(
        "access", roads, "--cutoffs", "9", "--weights", tmp_path / "jobs.csv", "--competition", "people", "--json"
    )
    assert list(shared.json["means"]) == ["jobs_9"]
    assert "mean per vertex" in run("access", roads, "--cutoffs", "4").out
    pytest.importorskip("pyarrow")
    assert run("access", roads, "--cutoffs", "3", "-o", tmp_path / "out.parquet").code == 0


def test_maps(run, city, roads, tmp_path):
    pytest.importorskip("matplotlib")
    picture = tmp_path / "map.svg"
    assert run("access", city, "--cutoffs", "60,120", "--sources", "1-40", "--plot", picture).code == 0
    assert picture.stat().st_size > 1000
    assert "--plot needs coordinates" in run("access", roads, "--cutoffs", "3", "--plot", picture).err
    assert run("access", city, "--cutoffs", "60", "--plot", tmp_path / "map.xls").code == 4


def test_errors(run, roads, tmp_path):
    assert run("access", roads).code == 4
    assert run("access", roads, "--cutoffs", "3", "-o", tmp_path / "out.xls").code == 4
    assert "such as 900,1800" in run("access", roads, "--cutoffs", "3,x").err
    bad = tmp_path / "bad.csv"
    for text, message in (
        ("vertex,jobs\n1,x\n", "line 2: 'x' is not a number"),
        ("vertex,jobs\n1,2\n1,3\n", "has a row already"),
        ("vertex,jobs\n1\n", "1 fields instead of 2"),
        ("", "a header"),
    ):
        bad.write_text(text, encoding="utf-8")
        assert message in run("access", roads, "--cutoffs", "3", "--weights", bad).err
