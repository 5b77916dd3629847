"""apsp nearest."""

from __future__ import annotations

import csv

import pytest

import apsp
from apsp.graph.files import read


def test_tables(run, roads, tmp_path):
    out = tmp_path / "out.csv"
    outcome = run("nearest", roads, "--facilities", "1,3", "-o", out)
    assert outcome.code == 0
    assert "vertices with a facility" in outcome.out
    expected = apsp.nearest(read(roads), [1, 3]).to_long()
    with out.open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert {name: [int(row[name]) for row in rows] for name in rows[0]} == {
        name: column.tolist() for name, column in expected.items()
    }


def test_facts(run, roads):
    found = apsp.nearest(read(roads), [1], direction="from", cutoff=4)
    facts = run("nearest", roads, "--facilities", "1", "--direction", "from", "--cutoff", "4", "--json").json
    reached = found.distances[found.positions[:, 0] >= 0]
    assert facts["vertices_with_a_facility"] == len(reached)
    assert facts["longest_distance"] == reached.max()
    assert run("nearest", roads, "--facilities", "77777").code != 0
    assert run("nearest", roads, "--facilities", "1", "-o", "out.xls").code == 4


def test_maps(run, city, roads, tmp_path):
    pytest.importorskip("matplotlib")
    out = tmp_path / "map.svg"
    outcome = run("nearest", city, "--facilities", "1,40", "--plot", out)
    assert outcome.code == 0, outcome.err
    assert str(out) in outcome.err
    assert "Distance to the nearest facility" in out.read_text()
    assert run("nearest", city, "--facilities", "1", "--cutoff", "0", "--direction", "from", "--plot", out).code == 0
    assert "Distance from the nearest facility" in out.read_text()
    assert "--plot needs coordinates" in run("nearest", roads, "--facilities", "1", "--plot", tmp_path / "m.png").err
