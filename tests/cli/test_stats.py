"""apsp stats: the same numbers from a graph, from a result and from SciPy."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.sparse.csgraph import dijkstra

import apsp
from apsp.cli import histogram
from apsp.graph.files import read


def test_numbers_agree_with_scipy(run, tmp_path, city):
    out = tmp_path / "city.npz"
    assert run("solve", city, "-o", out, "-q").code == 0
    expected = dijkstra(read(city).to_scipy())
    pairs = expected[~np.eye(len(expected), dtype=bool)]
    pairs = pairs[np.isfinite(pairs)]
    from_graph, from_result = run("stats", city, "--json").json, run("stats", out, "--json").json
    assert from_graph == from_result
    assert from_graph["pairs"] == len(pairs)
    assert from_graph["diameter"] == from_graph["farthest_pair"]["distance"] == pairs.max()
    assert from_graph["total_distance"] == pairs.sum()
    assert from_graph["average_shortest_path_length"] == pytest.approx(pairs.mean())
    counts, _ = np.histogram(pairs, from_graph["histogram"]["edges"])
    assert from_graph["histogram"]["counts"] == counts.tolist()


def test_words(run, roads):
    outcome = run("stats", roads, "-q")
    assert outcome.code == 0
    assert "diameter" in outcome.out
    assert "strongly connected" in outcome.out
    assert max(map(len, outcome.out.splitlines())) <= 80


@pytest.mark.parametrize("arcs", ["", "a 1 1 4\n"])
def test_graphs_without_paths(run, tmp_path, arcs):
    for n in (1, 3):
        path = tmp_path / "lonely.gr"
        path.write_text(f"p sp {n} {arcs.count('a')}\n{arcs}")
        assert run("stats", path).code == 0
        facts = run("stats", path, "--json").json
        average = 0 if n == 1 else None
        assert (facts["pairs"], facts["average_shortest_path_length"]) == (0, average)
        assert facts["components"]["strong"] == n


def test_some_sources_and_cutoff_are_said(run, roads):
    outcome = run("stats", roads, "--sources", "1,2", "--cutoff", "5")
    assert "2 of 5" in outcome.out
    assert "longer paths are ignored" in outcome.out


def test_results_without_all_columns_are_refused(run, tmp_path, roads):
    out = tmp_path / "r.npz"
    assert run("solve", roads, "-o", out, "--targets", "1").code == 0
    outcome = run("stats", out)
    assert outcome.code == 4
    assert "targets" in outcome.err
    assert run("solve", roads, "-o", out, "--semiring", "max_min").code == 0
    assert "max_min" in run("stats", out).err


def test_options_that_come_too_late(run, tmp_path, roads):
    out = tmp_path / "r.npz"
    assert run("solve", roads, "-o", out, "-q").code == 0
    outcome = run("stats", out, "--hops", "--cutoff", "3")
    assert outcome.code == 4
    assert "--hops, --cutoff must be given to apsp solve" in outcome.err
    assert run("path", out, 0, 3, "--undirected").code == 4


def test_plot(run, tmp_path, city):
    figure = tmp_path / "histogram.png"
    assert run("stats", city, "--plot", figure, "--unit", "s").code == 0
    assert figure.read_bytes()[:4] == b"\x89PNG"


@pytest.mark.parametrize("dtype", [np.int64, np.float64])
@pytest.mark.parametrize("most", [1, 3, 18])
def test_merged_bins_keep_every_count(dtype, most):
    rng = np.random.default_rng(most)
    for first, width, bins in [(0, 1, 5), (-7, 1, 40), (0, 8, 5000), (-3, 64, 700)]:
        counts = rng.integers(0, 9, bins)
        edges, sums = histogram.merged(((first + np.arange(bins + 1)) * width).astype(dtype), counts, most)
        assert sums.sum() == counts.sum()
        assert len(edges) == len(sums) + 1
        assert len(sums) <= 2 * most + 2
        assert edges.dtype == dtype
        assert (np.diff(edges) == edges[1] - edges[0]).all()


def test_bars():
    text = histogram.draw(["a", "b", "c"], [8, 0, 1], width=40)
    assert [line.count("█") for line in text.splitlines()] == [25, 0, 3]
    assert histogram.draw(["a", "b"], [10_000, 1], width=40, unicode=False).splitlines()[1].endswith(".")
    assert histogram.bin_words(np.array([0, 1, 2])) == ["0", "1"]
    assert histogram.bin_words(np.array([0, 10, 20])) == ["0 - 9", "10 - 19"]
    assert histogram.bin_words(np.array([0.0, 0.5])) == ["0 - 0.5"]


def test_of_an_oracle(run, tmp_path, city):
    file = tmp_path / "city.npz"
    apsp.prepare(read(city)).save(file)
    assert run("stats", file, "--json").json == run("stats", city, "--json").json
    some = ("--sources", "1-20", "--threads", "1", "--json")
    assert run("stats", file, *some).json == run("stats", city, *some).json
    outcome = run("stats", file, "--method", "dijkstra", "--cutoff", "9")
    assert outcome.code == 4
    assert "is an oracle, whose graph and distances are fixed: --cutoff, --method cannot be used" in outcome.err


def test_solve_does_not_overwrite_an_oracle(run, tmp_path, city, monkeypatch):
    monkeypatch.chdir(tmp_path)
    apsp.prepare(read(city)).save(tmp_path / "city.npz")
    assert run("solve", city).code == 6
    assert apsp.Oracle.load(tmp_path / "city.npz").graph.n == 150


@pytest.fixture
def large(tmp_path, monkeypatch):
    """A file of a grid whose statistics of all distances count as dear."""
    monkeypatch.setattr("apsp.cli.cheap_stats.CHEAP", 0.0)
    path = tmp_path / "grid.gr"
    apsp.write(apsp.generate("grid", shape=(70, 70), weights=(1, 9), seed=1), path)
    return path


def test_what_is_cheap_and_what_the_rest_would_take(run, large):
    facts, whole = run("stats", large, "--json").json, run("stats", large, "--all", "--json").json
    for name in ("graph", "components", "degrees", "weights", "diameter", "radius"):
        assert facts[name] == whole[name], name
    assert facts["farthest_pair"]["distance"] == facts["diameter"]
    assert facts["diameter_bounds"] == [facts["diameter"]] * 2
    assert facts["searches"] < 200
    more = facts["not_computed"]
    assert (whole["not_computed"], more["option"]) == (None, "--all")
    assert more["seconds"] > 0
    assert "histogram" in more["measures"]
    assert "diameter" not in more["measures"]
    words = run("stats", large).out
    assert "a vertex of the center" in words
    assert "center, average distance, global efficiency, histogram: about" in " ".join(words.split())
    assert "weights" in words
    assert "histogram" not in run("stats", large, "--all").out


def test_bounds_where_a_few_searches_are_not_enough(run, large, monkeypatch):
    monkeypatch.setattr("apsp.cli.cheap_stats._MOST_SEARCHES", 2)
    facts, whole = run("stats", large, "--json").json, run("stats", large, "--all", "--json").json
    least, most = facts["diameter_bounds"]
    assert facts["diameter"] is facts["radius"] is None
    assert least <= whole["diameter"] <= most
    assert {"diameter", "radius"} <= set(facts["not_computed"]["measures"])
    assert "at least" in run("stats", large).out


def test_graphs_that_need_all_rows(run, roads, monkeypatch):
    """Small graphs, and requests that prescribe the way, have no extremes from a few searches."""
    monkeypatch.setattr("apsp.cli.cheap_stats.CHEAP", 0.0)
    assert run("stats", roads, "--json").json["diameter_bounds"] is None
    assert run("stats", roads, "--sources", "1", "--json").json["searches"] is None
    assert "diameter, radius, center" in " ".join(run("stats", roads).out.split())


def test_statistics_with_turns_that_are_not_cheap(run, tmp_path, monkeypatch):
    """Few searches prove nothing where there are turns; all distances do."""
    monkeypatch.setattr("apsp.cli.cheap_stats.CHEAP", -1.0)
    turned = apsp.generate("city", 150, seed=3, turns=True)
    apsp.write(turned, tmp_path / "city.npz")
    found = run("stats", tmp_path / "city.npz", "--turns", "--json").json
    assert (found["graph"]["n"], found["graph"]["turns"], found["diameter"]) == (150, True, None)
    assert "diameter" in found["not_computed"]["measures"]
    found = run("stats", tmp_path / "city.npz", "--turns", "--json", "--all").json
    assert found["diameter"] == apsp.diameter(turned)
