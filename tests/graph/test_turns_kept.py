"""Graphs with turns, their results and their oracles: copies, files, other weights and penalties, many paths."""

from __future__ import annotations

import copy
import math
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import apsp
from turns_truth import check_oracle, random_case

STREETS = apsp.from_edges(
    [("a", "b", 5), ("b", "c", 7), ("b", "d", 9), ("c", "d", 1)],
    links=True,
    coordinates=[[0, 0], [0, 1], [1, 1], [2, 0]],
)
SLOW = apsp.with_turns(STREETS, [("a", "b", "c", 20)], forbidden=[[0, 2]], left=1, right=1, crs="plane")


@pytest.mark.few(2)
@pytest.mark.parametrize("block", range(4))
def test_oracles_agree_with_a_search_on_links(block: int, tmp_path: Path) -> None:
    """Paths of all pairs; saved and copied oracles; after new weights, and new penalties."""
    counts = {}
    for seed in range(1000 + 12 * block, 1012 + 12 * block):
        rng = np.random.default_rng(seed)
        case = random_case(rng)
        for kind, count in check_oracle(case, case.turned(), rng, tmp_path).items():
            counts[kind] = counts.get(kind, 0) + count
    assert all(counts[kind] > 12 for kind in ("paths", "weights", "links", "turns", "penalties"))


def test_the_parts_of_a_graph_with_turns_make_it_again() -> None:
    again = apsp.with_turns(SLOW.graph, SLOW.movements, forbidden=SLOW.forbidden, **SLOW.rules)
    assert again == SLOW
    assert SLOW.rules["left"] == 1
    assert SLOW.rules["crs"] == "plane"
    assert pickle.loads(pickle.dumps(SLOW)).rules == SLOW.rules


def test_other_weights_keep_the_turns() -> None:
    assert apsp.distance(SLOW, "a", "d") == 33
    assert apsp.distance(SLOW.with_weights({("a", "b"): 6}), "a", "d") == 34
    assert apsp.distance(SLOW.with_weights([0, 9], links=[0, 1]), "a", "d") == 30
    halves = apsp.with_turns(STREETS, [("a", "b", "c", 0.5)]).with_weights([1, 2, 3, 4], links=True)
    assert apsp.distance(halves, "a", "c") == 3.5
    with pytest.raises(apsp.RequestError, match="turns need weights of at least 0, and the smallest is -1"):
        SLOW.with_weights({("a", "b"): -1})


def test_rules_that_do_not_give_the_expanded_graph_are_refused() -> None:
    """Only graphs that are put together by hand have such."""
    for wrong in (
        apsp.TurnGraph(SLOW.graph, SLOW.expanded, SLOW.vertices, SLOW.links),
        apsp.TurnGraph(
            SLOW.graph, SLOW.expanded, SLOW.vertices, SLOW.links,
            SLOW.movements | {"penalty": SLOW.movements["penalty"] + 1}, SLOW.forbidden, SLOW.rules,
        ),
    ):  # fmt: skip
        assert apsp.distance(wrong, "a", "d") == 33
        with pytest.raises(apsp.GraphError, match=r"apsp\.with_turns makes it again"):
            wrong.with_weights([1, 2, 3, 4])


def test_results_are_saved_and_copied(tmp_path: Path) -> None:
    result = apsp.solve(SLOW, sources=["a", "b"], paths=True)
    result.save(tmp_path / "result.npz")
    for other in (apsp.load(tmp_path / "result.npz"), pickle.loads(pickle.dumps(result)), copy.deepcopy(result)):
        assert other.to_numpy().tolist() == result.to_numpy().tolist()
        assert other.path("a", "d") == result.path("a", "d") == ["a", "b", "c", "d"]
        assert other.path("a", "d", links=True) == [0, 1, 3]
        assert apsp.distance(other.graph, "a", "d") == 33
    backwards = pickle.loads(pickle.dumps(SLOW._searched.reversed()))
    assert backwards == SLOW._searched.reversed()
    assert (backwards._turned.links == SLOW._searched.reversed()._turned.links).all()


def test_damaged_turns_are_found(tmp_path: Path) -> None:
    from apsp.graph.saved import arrays_of_graph, graph_of_arrays

    arrays = arrays_of_graph(SLOW._searched)
    assert graph_of_arrays(arrays, directed=True) == SLOW._searched
    changed: dict[str, Any] = {
        "turn_links": arrays["turn_links"] + 9, "turn_vertices": arrays["turn_vertices"][::-1],
        "turn_indices": arrays["turn_indices"][:-1], "turn_sequences": arrays["turn_sequences"] + 9,
    }  # fmt: skip
    for name, array in changed.items():
        with pytest.raises((apsp.ApspError, ValueError)):
            graph_of_arrays(arrays | {name: array}, directed=True)


def test_updates_that_do_not_fit_are_refused() -> None:
    oracle = apsp.prepare(SLOW)
    oracle.update(SLOW._searched)
    for given, words in (
        (STREETS, "this oracle has turns: give weights, or a graph with turns"),
        (apsp.with_turns(STREETS, [("b", "c", "d", 20)]), "other movements are restricted than when"),
        (apsp.with_turns(apsp.from_edges([0, 1], [1, 2]), [(0, 1, 2, 3)]), "has other vertices"),
    ):
        with pytest.raises(apsp.ApspError, match=words):
            oracle.update(given)
    with pytest.raises(apsp.RequestError, match="links belong to weights"):
        oracle.update(SLOW, links=True)
    with pytest.raises(apsp.RequestError, match=r"this oracle has no turns: apsp\.prepare\(turned\) is one"):
        apsp.prepare(STREETS).update(SLOW)
    assert oracle.distance("a", "d") == 33


def test_a_penalty_becomes_a_closed_movement() -> None:
    oracle = apsp.prepare(apsp.with_turns(STREETS, [("a", "b", "c", 20), ("a", "b", "d", 2)]))
    assert oracle.distance("a", "d") == 16
    oracle.update(apsp.with_turns(STREETS, [("a", "b", "c", 20), ("a", "b", "d")]))
    assert oracle.distance("a", "d") == 33
    oracle.update(apsp.with_turns(STREETS, [("a", "b", "c"), ("a", "b", "d", 1)]))
    assert oracle.distance("a", "c") == math.inf
    assert oracle.turned is not None
    assert oracle.turned.movements["penalty"].tolist() == [math.inf, 1]
    assert apsp.prepare(STREETS).turned is None


def test_labels_of_saved_oracles(tmp_path: Path) -> None:
    oracle = apsp.prepare(SLOW, labels=True)
    oracle.save(tmp_path / "oracle.npz")
    again = apsp.Oracle.load(tmp_path / "oracle.npz")
    assert "labels" in repr(again)
    assert again.distances(["a", "b"], ["d", "d"]).tolist() == [33, 8]


def test_lines_of_many_paths_are_those_of_the_streets() -> None:
    pytest.importorskip("shapely")
    paths = apsp.prepare(SLOW).paths(["a", "d"], ["d", "d"])
    assert list(paths) == [["a", "b", "c", "d"], ["d"]]
    lines = paths._features()
    assert lines.geometries[0].wkt == "LINESTRING (0 0, 0 1, 1 1, 2 0)"
