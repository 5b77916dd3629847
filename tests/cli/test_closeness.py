"""apsp closeness."""

from __future__ import annotations

import csv

import numpy as np
import pytest

import apsp


@pytest.mark.parametrize("words", [[], ["--harmonic"], ["--direction", "out"]])
def test_the_highest_and_a_table(run, roads, tmp_path, words):
    graph = apsp.read(roads)
    measure = apsp.harmonic_centrality if "--harmonic" in words else apsp.closeness_centrality
    values = measure(graph, direction="out" if "out" in words else "in")
    name = "harmonic" if "--harmonic" in words else "closeness"
    out = tmp_path / "out.csv"
    outcome = run("closeness", roads, *words, "--top", "2", "-o", out)
    assert outcome.code == 0, outcome.err
    order = np.argsort(-values, kind="stable")[:2]
    highest = [graph.labels[position] for position in order.tolist()]
    assert [line.split()[0] for line in outcome.out.splitlines()[-2:]] == [str(label) for label in highest]
    with out.open(encoding="utf-8") as file:
        rows = [(int(row["vertex"]), float(row[name])) for row in csv.DictReader(file)]
    assert rows == list(zip(graph.labels, values.tolist(), strict=True))
    few = run("closeness", roads, *words, "--top", "2", "--json").json
    assert [vertex for vertex, _ in few["top"]] == highest
    assert few["of"] == f"{name} centrality"


def test_a_cutoff_and_processes(run, roads):
    expected = apsp.closeness_centrality(apsp.read(roads), cutoff=3).max()
    near = run("closeness", roads, "--cutoff", "3", "--direction", "in", "--json").json
    assert (near["top"][0][1], near["cutoff"], near["direction"]) == (expected, 3, "in")
    everything = run("closeness", roads, "--executor", "processes", "--json").json
    assert everything["cutoff"] is None
    assert everything["top"][0][1] == apsp.closeness_centrality(apsp.read(roads)).max()


def test_maps(run, city, roads, tmp_path):
    pytest.importorskip("matplotlib")
    assert run("closeness", city, "--plot", tmp_path / "map.svg").code == 0
    assert "Closeness centrality" in (tmp_path / "map.svg").read_text()
    assert "--plot needs coordinates" in run("closeness", roads, "--plot", tmp_path / "map.png").err
