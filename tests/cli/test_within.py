"""apsp within, beside the rows of SciPy's Dijkstra with a limit."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.sparse import csr_array
from scipy.sparse.csgraph import dijkstra

from apsp.cli.main import main

Rows = list[tuple[str, str, float]]


@pytest.fixture(name="graph")
def graph_fixture(tmp_path: Path) -> tuple[Path, Any]:
    """Vertices 1 to 60, and their matrix."""
    rng = np.random.default_rng(5)
    ends = np.unique(rng.integers(0, 60, (150, 2)), axis=0)
    ends = ends[ends[:, 0] != ends[:, 1]]
    weights = rng.integers(1, 9, len(ends))
    path = tmp_path / "graph.gr"
    arcs = [f"a {a + 1} {b + 1} {w}" for (a, b), w in zip(ends.tolist(), weights.tolist(), strict=True)]
    path.write_text("\n".join([f"p sp 60 {len(arcs)}", *arcs, ""]))
    return path, csr_array((weights, (ends[:, 0], ends[:, 1])), shape=(60, 60))


def expected(matrix: Any, cutoff: float, sources: list[int] | None = None, k: int | None = None) -> Rows:
    dist = dijkstra(matrix, limit=cutoff)
    rows: Rows = []
    for source in range(60) if sources is None else sources:
        order = [int(v) for v in np.argsort(dist[source], kind="stable") if np.isfinite(dist[source, v])]
        rows += [(str(source + 1), str(v + 1), float(dist[source, v])) for v in order[:k]]
    return rows


def table(path: Path) -> tuple[list[str], Rows]:
    with path.open(encoding="utf-8") as file:
        head, *rows = csv.reader(file)
    return head, [(row[0], row[1], float(row[2])) for row in rows]


def test_pairs_are_written(graph: tuple[Path, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, matrix = graph
    out = tmp_path / "pairs.csv"
    assert main(["within", str(path), "--cutoff", "11", "-o", str(out)]) == 0
    assert table(out) == (["source", "target", "distance"], expected(matrix, 11))
    assert f"{len(expected(matrix, 11)):,} pairs" in capsys.readouterr().out


def test_options(graph: tuple[Path, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, matrix = graph
    out = tmp_path / "pairs.csv"
    command = ["within", str(path), "--cutoff", "20", "--sources", "7,3", "-k", "4", "--next-hop", "--first", "5"]
    assert main([*command, "-o", str(out), "--json"]) == 0
    rows = expected(matrix, 20, [6, 2], 4)
    head, found = table(out)
    assert (head, found) == (["source", "target", "distance", "next_hop"], rows)
    facts = json.loads(capsys.readouterr().out)
    assert [[str(row[0]), str(row[1]), float(row[2])] for row in facts["first"]] == [list(row) for row in rows[:5]]
    assert (facts["sources"], facts["pairs"], facts["most_pairs_of_a_source"]) == (2, 8, 4)


def test_without_a_file(graph: tuple[Path, Any], capsys: pytest.CaptureFixture[str]) -> None:
    path, matrix = graph
    assert main(["within", str(path), "--cutoff", "5", "--targets", "1-9", "--first", "0"]) == 0
    pairs = sum(int(row[1]) <= 9 for row in expected(matrix, 5))
    assert str(pairs) in capsys.readouterr().out


def test_a_store_and_other_costs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("zarr")
    pytest.importorskip("pyarrow")
    path, store, out = tmp_path / "roads.csv", tmp_path / "near.zarr", tmp_path / "pairs.csv"
    path.write_text("source,target,minutes,km\na,b,3,7\na,c,9,1\nb,c,4,2\n")
    command = ["within", str(path), "--cost", "minutes", "--along", "km", "--cutoff", "8", "--store", str(store)]
    for _ in range(2):
        assert main([*command, "-o", str(out), "--json"]) == 0
        facts = json.loads(capsys.readouterr().out)
        assert (facts["pairs"], facts["store"]) == (6, str(store))
        head, *rows = out.read_text().splitlines()
        assert head == "source,target,distance,km"
        assert rows == ["a,a,0,0", "a,b,3,7", "a,c,7,9", "b,b,0,0", "b,c,4,2", "c,c,0,0"]
    assert main([*command[:-3], "6", "--store", str(store)]) == 4
    assert "is of another request" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("options", "code", "words"),
    [
        ([], 2, "--cutoff"),
        (["--cutoff", "-3"], 4, "cutoff must be"),
        (["--cutoff", "3", "--device", "emulated:0,1"], 4, "one GPU"),
        (["--cutoff", "3", "-o", "pairs.txt"], 4, ".csv or .parquet"),
    ],
)
def test_invalid(
    graph: tuple[Path, Any], capsys: pytest.CaptureFixture[str], options: list[str], code: int, words: str
) -> None:
    assert main(["within", str(graph[0]), *options]) == code
    assert words in capsys.readouterr().err
