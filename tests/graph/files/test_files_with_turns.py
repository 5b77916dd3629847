"""Graphs with turns in .npz files: what was written is read, or an error says what is not kept."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import apsp
from apsp.errors import ApspWarning, FileFormatError, GraphError, RequestError
from apsp.graph.files import losses
from turns_truth import random_case

STREETS = apsp.from_edges(
    ["a", "b", "b", "c"], ["b", "c", "d", "d"], [5, 7, 9, 1], costs={"km": [1, 2, 3, 4]},
    coordinates=[[0, 0], [0, 1], [1, 1], [2, 0]], crs="plane",
)  # fmt: skip
CLOSED = apsp.with_turns(STREETS, [("a", "b", "c")])
SLOW = apsp.with_turns(STREETS, [("a", "b", "c", 20)], forbidden=[[0, 2]], left=1, right=1)


def written(turned: Any, path: Path, **options: Any) -> apsp.TurnGraph:
    apsp.write(turned, path)
    return apsp.read(path, turns=True, **options)


@pytest.mark.parametrize("seed", range(40))
def test_files_hold_the_same_turns(seed: int, tmp_path: Path) -> None:
    turned = random_case(np.random.default_rng(seed)).turned()
    found = written(turned, tmp_path / "turned.npz")
    assert found == turned
    assert found.expanded.weights.dtype == turned.expanded.weights.dtype
    assert (found.forbidden, found.rules) == (turned.forbidden, turned.rules)
    for name, column in turned.movements.items():
        assert found.movements[name].tolist() == column.tolist()


def test_all_else_is_kept(tmp_path: Path) -> None:
    found = written(SLOW, tmp_path / "slow.npz.gz")
    assert (found, found.graph.crs, found.graph.costs["km"].tolist()) == (SLOW, "plane", [1, 2, 3, 4])
    assert written(SLOW._searched, tmp_path / "again.npz") == SLOW
    assert written(apsp.with_turns(STREETS), tmp_path / "none.npz") == apsp.with_turns(STREETS)
    for directed in (True, False):  # without links
        city = apsp.generate("city", 60, seed=1, turns=True, directed=directed)
        assert written(city, tmp_path / "city.npz") == city
        assert apsp.read(tmp_path / "city.npz", turns=True).graph.links is None


def test_without_the_option_a_warning_says_that_turns_are_not_read(tmp_path: Path) -> None:
    apsp.write(SLOW, tmp_path / "slow.npz")
    with pytest.warns(
        ApspWarning, match=r"slow\.npz has turns, which are not read; turns=True \(--turns\) honours them"
    ):
        assert apsp.read(tmp_path / "slow.npz") == STREETS


def test_zones_that_are_not_read_forbid_no_movement(tmp_path: Path) -> None:
    zoned = apsp.from_edges([0, 1, 1], [1, 2, 3], [5, 7, 9], zones=[False, True, False, False])
    turned = written(apsp.with_turns(zoned, [(0, 1, 2, 4)]), tmp_path / "zoned.npz", zones=False)
    assert (apsp.distance(turned, 0, 2), apsp.distance(turned, 0, 3)) == (16, 14)


def test_other_weights(tmp_path: Path) -> None:
    """Movements stay forbidden with any weights; penalties have the unit of those of the file."""
    found = written(CLOSED, tmp_path / "closed.npz", cost="km")
    assert (found.graph.weights.tolist(), apsp.distance(found, "a", "d")) == ([1, 2, 3, 4], 4)
    assert math.isinf(apsp.distance(found, "a", "c"))
    assert apsp.distance(written(CLOSED, tmp_path / "closed.npz", weighted=False), "a", "d") == 2
    for options, message in (({"cost": "km"}, "cost='km'"), ({"weighted": False}, "weighted=False")):
        with pytest.raises(RequestError, match=f"{message}: the penalties of the turns are in the unit of the weights"):
            written(SLOW, tmp_path / "slow.npz", **options)
        with pytest.warns(ApspWarning, match="has turns"):
            assert apsp.read(tmp_path / "slow.npz", **options).n == 4


def test_what_is_refused(tmp_path: Path) -> None:
    for options in ({"directed": False}, {"parallel": "first"}):
        with pytest.raises(
            RequestError, match="turns=True needs the links of the file: leave out directed and parallel"
        ):
            written(SLOW, tmp_path / "slow.npz", **options)
    apsp.write(STREETS, tmp_path / "plain.npz")
    with pytest.raises(RequestError, match=r"turns=True: .*plain\.npz holds a graph without turns"):
        apsp.read(tmp_path / "plain.npz", turns=True)
    (tmp_path / "plain.csv").write_text("a,b,1\n")
    with pytest.raises(RequestError, match="turns= is an option of osm, overture, npz; this file is read as edge-list"):
        apsp.read(tmp_path / "plain.csv", turns=True)
    before = sorted(each.name for each in tmp_path.iterdir())
    for name, word in (("x.gr", "dimacs"), ("x.csv", "edge-list"), ("x.npy", "npy"), ("x.npy.gz", "npy")):
        with pytest.raises(GraphError, match=rf"a {word} file cannot hold turns; write \.npz"):
            apsp.write(SLOW, tmp_path / name)
    homes = STREETS.snap([[0, 0.5]], speed=1)
    for other in (SLOW._searched.reversed(), apsp.solve(SLOW, sources=homes).graph):
        with pytest.raises(RequestError, match="hold neither a reversed graph with turns nor its places"):
            apsp.write(other, tmp_path / "x.npz")
    wrong = apsp.TurnGraph(SLOW.graph, SLOW.expanded, SLOW.vertices, SLOW.links)
    with pytest.raises(GraphError, match="the expanded graph is not that of these turns"):
        apsp.write(wrong, tmp_path / "x.npz")
    assert sorted(each.name for each in tmp_path.iterdir()) == before


@pytest.mark.parametrize(
    ("name", "array"),
    [
        ("turn_from_link", np.array([9])), ("turn_via", np.array([9])), ("turn_penalty", np.array([-1.0])),
        ("turn_penalty", np.array([np.nan])), ("turn_sequences", np.array([0, 9])), ("turn_rules", np.zeros(2)),
        ("turn_sequence_ends", np.array([7])), ("turn_crs", np.frombuffer(b"moon", np.uint8)), ("turn_rules", None),
        ("apsp_graph", np.int64(3)),
    ],
)  # fmt: skip
def test_damaged_files(name: str, array: Any, tmp_path: Path) -> None:
    apsp.write(SLOW, tmp_path / "slow.npz")
    with np.load(tmp_path / "slow.npz") as kept:
        arrays = dict(kept)
    assert name in arrays
    arrays.pop(name)
    np.savez(tmp_path / "other.npz", **arrays | ({} if array is None else {name: array}))
    with pytest.raises(
        FileFormatError, match=r"other\.npz: (its |row 0 |the NumPy file is damaged|saved by another version)"
    ):
        apsp.read(tmp_path / "other.npz", turns=True)


def test_a_matrix_keeps_the_weights_alone(tmp_path: Path) -> None:
    """Zones in a .npy file would be lost, and with them the distances."""
    zoned = apsp.from_edges([0, 1], [1, 2], [5, 7], zones=[False, True, False])
    with pytest.raises(GraphError, match=r"a npy file cannot say that paths may not pass through zones; write \.npz"):
        apsp.write(zoned, tmp_path / "zoned.npy")
    assert list(tmp_path.iterdir()) == []
    assert losses(STREETS, "a.npy") == ["labels", "coordinates", "costs"]
    assert losses(STREETS, "a.npz") == losses(SLOW._searched, "a.npz") == []
