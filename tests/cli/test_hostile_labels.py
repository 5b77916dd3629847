"""Commands refuse labels and names that their output cannot hold before they compute anything."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import apsp
from cli.conftest import Run


@pytest.mark.parametrize("name", ["out.csv", "out.parquet"])
@pytest.mark.parametrize(
    "words",
    [
        ("k-nearest", "IN", "-k", "1"), ("nearest", "IN", "--facilities", "b"), ("access", "IN", "--cutoffs", "3"),
        ("betweenness", "IN"), ("skim", "IN"), ("solve", "IN"),
    ],
    ids=lambda words: words[0],
)  # fmt: skip
def test_labels(run: Run, tmp_path: Path, monkeypatch: Any, words: tuple[str, ...], name: str) -> None:
    if words[0] == "solve" and name != "out.csv":
        pytest.skip("solve writes no Parquet")
    apsp.write(apsp.from_edges([0, 1], [1, 0], [1, 2], labels=["\ud800", "b"]), tmp_path / "graph.npz")

    def never(*args: Any, **kwargs: Any) -> None:
        raise AssertionError("computed before the labels were checked")

    for module in ("k_nearest.k_nearest", "nearest.nearest", "access.accessibility", "skim.skim"):
        monkeypatch.setattr(f"apsp.cli.{module}", never)
    monkeypatch.setattr("apsp.cli.betweenness.betweenness_centrality", never)
    monkeypatch.setattr("apsp.api.solve", never)
    output = ("-o", tmp_path / name)
    done = run(*(tmp_path / "graph.npz" if word == "IN" else word for word in words), *output)
    assert done.code == 4
    assert "\\ud800" in done.err
    assert not (tmp_path / name).exists()


def test_names_of_costs(run: Run, tmp_path: Path, monkeypatch: Any) -> None:
    graph = apsp.from_edges([0, 1], [1, 0], [1, 2], costs={"a/b": np.array([1, 2])})
    apsp.write(graph, tmp_path / "graph.npz")
    monkeypatch.setattr("apsp.cli.skim.skim", None)
    done = run("skim", tmp_path / "graph.npz", "--along", "a/b", "-o", tmp_path / "skims.omx")
    assert done.code == 4
    assert "cannot hold the cost 'a/b'" in done.err
    assert not (tmp_path / "skims.omx").exists()
