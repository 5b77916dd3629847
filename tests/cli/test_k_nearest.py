"""apsp k-nearest, beside the sorted rows of SciPy's Dijkstra."""

from __future__ import annotations

import csv
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.sparse import csr_array
from scipy.sparse.csgraph import dijkstra

import apsp
from apsp.cli.exits import in_options

Rows = list[tuple[Any, Any, float]]


def arcs_of(n: int, count: int, weights: Any, seed: int) -> dict[tuple[int, int], Any]:
    """Random arcs from 0 to n - 1, at most one from a vertex to another."""
    rng = np.random.default_rng(seed)
    ends = rng.integers(0, n, (count, 2)).tolist()
    return {(tail, head): weights(rng) for tail, head in ends if tail != head}


def nearest(
    n: int, arcs: dict[tuple[int, int], Any], k: int, directed: bool, sources: Any = None, cutoff: float = np.inf
) -> Rows:
    """By a stable sort of whole rows."""
    tails, heads = np.array(list(arcs)).T
    dist = dijkstra(csr_array((list(arcs.values()), (tails, heads)), shape=(n, n)), directed=directed)
    np.fill_diagonal(dist, np.inf)
    rows = []
    for source in range(n) if sources is None else sources:
        order = np.argsort(dist[source], kind="stable")[:k].tolist()
        rows += [(source, target, dist[source, target]) for target in order if dist[source, target] <= cutoff]
    return [row for row in rows if np.isfinite(row[2])]


def table(path: Path) -> list[tuple[str, str, float]]:
    with path.open(encoding="utf-8") as file:
        head, *rows = csv.reader(file)
    assert head == ["source", "target", "distance"]
    return [(source, target, float(distance)) for source, target, distance in rows]


@pytest.fixture
def ties(tmp_path: Path) -> tuple[Path, dict[tuple[int, int], int]]:
    """Vertices 1 to 80, of which some reach few others, and many are equally near."""
    arcs = arcs_of(80, 130, lambda rng: int(rng.integers(1, 4)), seed=5)
    path = tmp_path / "ties.gr"
    lines = [f"a {tail + 1} {head + 1} {weight}" for (tail, head), weight in arcs.items()]
    path.write_text("\n".join([f"p sp 80 {len(arcs)}", *lines, ""]))
    return path, arcs


@pytest.mark.parametrize("k", [1, 6, 100])
@pytest.mark.parametrize(
    ("words", "options"),
    [
        ((), {}),
        (("--sources", "9,3,40-70,3"), {"sources": [8, 2, *range(39, 70), 2]}),
        (("--cutoff", "4", "--device", "emulated", "--method", "label-correcting"), {"cutoff": 4}),
    ],
)
def test_tables(run, ties, tmp_path, k, words, options):
    path, arcs = ties
    out = tmp_path / "near.csv"
    outcome = run("k-nearest", path, "-k", k, "-o", out, *words)
    assert outcome.code == 0, outcome.err
    expected = nearest(80, arcs, k, True, **options)
    assert len(expected) < 80 * k  # some reach fewer
    assert table(out) == [(str(source + 1), str(target + 1), distance) for source, target, distance in expected]
    pyarrow = pytest.importorskip("pyarrow.parquet")
    again = tmp_path / "near.parquet"
    assert run("k-nearest", path, "-k", k, "-o", again, *words).code == 0
    rows = pyarrow.read_table(again).to_pydict()
    assert list(rows) == ["source", "target", "distance"]
    assert list(zip(*rows.values(), strict=True)) == [(a + 1, b + 1, distance) for a, b, distance in expected]


@pytest.mark.parametrize("directed", [False, True])
def test_names_of_vertices(run, tmp_path, directed):
    arcs = arcs_of(30, 60, lambda rng: float(rng.random() + 0.1), seed=2)
    if not directed:
        arcs = {(tail, head): weight for (tail, head), weight in arcs.items() if tail < head}
    names = [f"town, {k}" for k in range(30)]
    path, out = tmp_path / "towns.csv", tmp_path / "near.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["from", "to", "km"])
        writer.writerows((names[tail], names[head], repr(weight)) for (tail, head), weight in arcs.items())
    some = [max(arcs)[0], min(arcs)[0]]
    (tmp_path / "some.txt").write_text("".join(f"{names[source]}\n" for source in some))
    way = "--directed" if directed else "--undirected"
    outcome = run("k-nearest", path, way, "-k", "5", "--sources", f"@{tmp_path / 'some.txt'}", "-o", out)
    assert outcome.code == 0, outcome.err
    found, expected = table(out), nearest(30, arcs, 5, directed, some)
    assert [row[:2] for row in found] == [(names[source], names[target]) for source, target, _ in expected]
    assert [row[2] for row in found] == pytest.approx([row[2] for row in expected], rel=1e-12)
    assert f"{names[some[0]]} -> {names[expected[0][1]]} " in outcome.out


@pytest.mark.parametrize("first", [0, 1, 7, 10, 10_000])
def test_facts_and_first_rows(run, ties, first):
    path, arcs = ties
    expected = [(a + 1, b + 1, distance) for a, b, distance in nearest(80, arcs, 6, True)]
    words = ("k-nearest", path, "-k", "6", *(() if first == 10 else ("--first", first)))
    facts = run(*words, "--json").json
    lengths = [distance for *_, distance in expected]
    assert (facts["k"], facts["sources"], facts["pairs"]) == (6, 80, len(expected))
    counts = np.bincount([source for source, *_ in expected], minlength=81)
    assert facts["sources_with_k_vertices"] == (counts == 6).sum()
    none = np.flatnonzero(counts[1:] == 0) + 1  # sources without a row
    after_it = run("k-nearest", path, "-k", "6", "--sources", f"{none[0]},{expected[0][0]}", "--first", "1", "--json")
    assert after_it.json["first"] == [list(expected[0])]
    assert facts["mean_distance"] == pytest.approx(np.mean(lengths))
    assert facts["longest_distance"] == max(lengths)
    assert facts["first"] == [list(row) for row in expected[:first]]
    lines = run(*words).out.splitlines()
    shown = [f"{source} -> {target} {distance:.0f}" for source, target, distance in expected[:first]]
    assert [" ".join(line.split()) for line in lines if " -> " in line] == shown
    assert (f"{len(shown)} of {len(expected)} pairs" in lines) == bool(shown)


def test_nothing_is_near(run, roads, tmp_path):
    out = tmp_path / "out.csv"
    words = ("k-nearest", roads, "-k", "2", "--cutoff", "0.5")
    facts = run(*words, "-o", out, "--json").json
    assert (facts["pairs"], facts["mean_distance"], facts["longest_distance"], facts["first"]) == (0, None, None, [])
    assert out.read_text() == "source,target,distance\n"
    assert "longest distance         -" in run(*words).out


def test_a_graph_from_a_pipe_and_of_a_result(run, roads, tmp_path):
    expected = run("k-nearest", roads, "-k", "2", "--json").json["first"]
    assert expected[:2] == [[1, 2, 1], [1, 3, 3]]
    command = [sys.executable, "-m", "apsp", "k-nearest", "-", "-k", "2", "--quiet"]
    piped = subprocess.run(command, input=roads.read_bytes(), capture_output=True, check=True)
    assert b"1 -> 2" in piped.stdout
    assert piped.stderr == b""
    assert run("solve", roads, "-o", tmp_path / "roads.npz").code == 0
    assert run("k-nearest", tmp_path / "roads.npz", "-k", "2", "--json").json["first"] == expected


def test_errors(run, roads, tmp_path):
    for words, code, message in (
        ((), 2, "missing option '-k'"),
        (("-k", "0"), 2, "0 is not in the range x>=1"),
        (("-k", "two"), 2, "'two' is not a valid integer"),
        (("-k", "9000000000"), 4, "k must be a whole number from 1 to 2147483646"),
        (("-k", "2", "--first", "-1"), 2, "-1 is not in the range x>=0"),
        (("-k", "2", "-o", tmp_path / "x.npz"), 4, "end the name of the file in .csv or .parquet"),
        (("-k", "2", "-o", tmp_path / "no" / "x.csv"), 6, "the folder"),
        (("-k", "2", "--sources", "77"), 3, "there is no vertex 77"),
        (("-k", "2", "--cutoff", "nan"), 4, "cutoff must be a number of at least 0"),
        (("-k", "2", "--method", "dijsktra"), 4, "did you mean 'dijkstra'"),
    ):
        outcome = run("k-nearest", roads, *words)
        assert outcome.code == code, outcome.err
        assert message in outcome.err
        assert outcome.out == ""
    assert "no command 'k_nearest'; did you mean 'k-nearest'?" in run("k_nearest", roads).err
    assert not list(tmp_path.glob("x.*"))


def test_more_than_memory_has_room_for(run, city):
    outcome = run("k-nearest", city, "-k", "2147483646")
    assert outcome.code == 4
    assert outcome.err.endswith(f"What would fit: -k {apsp.read(city).n - 1}, which is all of them\n")


def test_names_that_look_like_the_option_stay():
    told = in_options("there is no vertex 'k=4'; leave out x, or k=1")
    assert told == "there is no vertex 'k=4'; leave out x, or -k 1"
