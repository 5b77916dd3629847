"""apsp betweenness."""

from __future__ import annotations

import csv

import pytest

import apsp


def test_the_highest_and_a_table(run, roads, tmp_path):
    graph = apsp.read(roads)
    values = apsp.betweenness_centrality(graph)
    out = tmp_path / "out.csv"
    outcome = run("betweenness", roads, "--top", "2", "-o", out)
    assert outcome.code == 0, outcome.err
    assert [line.split()[0] for line in outcome.out.splitlines()[-2:]] == ["1", "2"]
    with out.open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert [(int(row["vertex"]), float(row["betweenness"])) for row in rows] == list(
        zip(graph.labels, values.tolist(), strict=True)
    )
    facts = run("betweenness", roads, "--sums", "--sources", "1,2", "--endpoints", "--cutoff", "5", "--json").json
    assert facts["cutoff"] == 5
    expected = apsp.betweenness_centrality(graph, sources=[1, 2], cutoff=5, normalized=False, endpoints=True)
    assert facts["top"][0] == [graph.labels[int(expected.argmax())], expected.max()]
    pytest.importorskip("pyarrow")
    assert run("betweenness", roads, "-o", tmp_path / "out.parquet").code == 0


@pytest.mark.parametrize("directed", [False, True])
def test_edges(run, roads, tmp_path, directed):
    out = tmp_path / "out.csv"
    way = "--directed" if directed else "--undirected"
    outcome = run("betweenness", roads, "--edges", way, "-o", out)
    assert outcome.code == 0
    assert (" -> " if directed else " - ") in outcome.out
    graph = apsp.read(roads, directed=directed)
    values = apsp.edge_betweenness_centrality(graph)
    expected = {
        (graph.labels[int(tail)], graph.labels[int(head)]): value
        for tail, head, value in zip(graph.tails(), graph.indices, values.tolist(), strict=True)
        if directed or tail <= head
    }
    with out.open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert {(int(row["source"]), int(row["target"])): float(row["betweenness"]) for row in rows} == expected


def test_estimates(run, city, tmp_path):
    outcome = run("betweenness", city, "--approximate", "40", "--seed", "1", "--confidence", "0.9")
    assert "with probability 0.9" in outcome.out
    facts = run("betweenness", city, "--approximate", "40", "--seed", "1", "--json").json
    expected = apsp.approximate_betweenness_centrality(apsp.read(city), 40, seed=1)
    assert facts["error"] == expected.error
    assert facts["top"][0][1] == expected.values.max()
    assert run("betweenness", city, "--approximate", "1000", "--json").json["error"] == 0


def test_maps(run, city, roads, tmp_path):
    pytest.importorskip("matplotlib")
    assert run("betweenness", city, "--plot", tmp_path / "map.svg").code == 0
    assert (tmp_path / "map.svg").stat().st_size > 1000
    assert "--plot needs coordinates" in run("betweenness", roads, "--plot", tmp_path / "map.png").err


def test_errors(run, roads, tmp_path):
    for options, words in (
        (["--approximate", "3", "--edges", "--sums"], "leave out --edges and --sums"),
        (["--approximate", "3", "--cutoff", "2"], "leave out --cutoff"),
        (["--edges", "--endpoints"], "--endpoints is for vertices"),
        (["--edges", "--plot", "x.png"], "--plot draws vertices"),
        (["-o", tmp_path / "x.xls"], "end the name of the file in .csv or .parquet"),
        (["--approximate", "3", "--confidence", "2"], "confidence must lie between 0 and 1"),
    ):
        outcome = run("betweenness", roads, *options)
        assert outcome.code == 4, outcome.err
        assert words in outcome.err
