"""Places on the streets of graphs with turns: a movement from or to a part of a link is that of the link."""

from __future__ import annotations

import math
import pickle

import numpy as np
import pytest

import apsp
from turns_places_truth import check_places
from turns_truth import random_case

STREETS = apsp.from_edges(
    [("a", "b", 10), ("b", "c", 10), ("b", "d", 20)], directed=False,
    coordinates=[[0, 0], [100, 0], [200, 0], [100, 200]],
)  # fmt: skip
TURNED = apsp.with_turns(STREETS, [("a", "b", "c", 7), ("c", "b", "d")], u_turns=math.inf, dead_ends=3)
HOMES = STREETS.snap({"name": ["h", "i", "j"], "x": [50, 70, 100], "y": [0, 0, 0]}, labels="name", crs="plane")
SHOPS = STREETS.snap({"name": ["s", "t"], "x": [150, 100], "y": [0, 100]}, labels="name", crs="plane")


@pytest.mark.few(2)
@pytest.mark.parametrize("block", range(6))
def test_they_agree_with_a_search_on_links(block: int) -> None:
    found = 0
    for seed in range(4000 + 8 * block, 4008 + 8 * block):
        rng = np.random.default_rng(seed)
        case = random_case(rng)
        found += check_places(case, case.turned(), rng)
    assert found > 48


def test_the_first_and_the_last_part_of_a_link_turn_like_the_link() -> None:
    table = apsp.matrix(TURNED, HOMES, SHOPS)
    assert table.distances.tolist() == [[5 + 7 + 5, 5 + 10], [3 + 7 + 5, 3 + 10], [5, 10]]
    assert table.to_pandas().loc["h", "s"] == 17
    back = apsp.matrix(TURNED, SHOPS, HOMES)
    assert back.distances.tolist() == [[10, 8, 5], [15, 13, 10]]
    assert apsp.matrix(TURNED, SHOPS, SHOPS).distances.tolist() == [[0, 5 + 10 + 3 + 10 + 10], [15, 0]]
    assert apsp.shortest_path(TURNED, HOMES[0], SHOPS[0]) == ["h", "b", "s"]


def test_a_forbidden_movement_is_driven_around() -> None:
    """By the dead end at a; along one street nothing is forbidden."""
    assert apsp.distance(TURNED, HOMES[0], HOMES[1]) == pytest.approx(2)
    assert apsp.distance(TURNED, SHOPS[0], "d") == 5 + 10 + 3 + 10 + 20
    assert apsp.distance(TURNED, "d", SHOPS[0]) == 25
    assert apsp.shortest_path(TURNED, SHOPS[0], "d") == ["s", "b", "a", "b", "d"]


def test_tables_of_points() -> None:
    homes, shops = {"name": ["h"], "x": [50], "y": [0]}, {"name": ["s"], "x": [150], "y": [0]}
    assert apsp.table(TURNED, homes, shops, crs="plane", labels="name").distances.tolist() == [[17]]
    assert apsp.table(STREETS, homes, shops, crs="plane", labels="name").distances.tolist() == [[10]]


def test_places_of_other_streets_are_refused() -> None:
    others = TURNED._searched.snap([[50, 0]], crs="plane")
    with pytest.raises(apsp.RequestError, match="these places are on the streets of another graph"):
        apsp.distance(TURNED, others[0], "a")


def test_oracles_and_isochrones_take_vertices() -> None:
    oracle = apsp.prepare(TURNED)
    for call in (
        lambda: oracle.distance(HOMES[0], "c"),
        lambda: oracle.distances(HOMES, "c"),
        lambda: oracle.matrix(HOMES, SHOPS),
        lambda: oracle.rows(HOMES),
        lambda: oracle.path(HOMES[0], "c"),
        lambda: oracle.paths(HOMES, "c"),
    ):
        with pytest.raises(apsp.RequestError, match=r"apsp\.matrix, distances and shortest_path take places, too"):
            call()
    for call in (
        lambda: apsp.isochrone(TURNED, HOMES, 9),
        lambda: apsp.stream_isochrones(TURNED, HOMES, 9, width=1, crs="plane"),
    ):
        with pytest.raises(apsp.RequestError, match="isochrones of a graph with turns take vertices, not places, yet"):
            call()


def test_results_are_copied_and_not_saved(tmp_path) -> None:
    result = apsp.solve(TURNED, sources=HOMES, targets=SHOPS, paths=True)
    again = pickle.loads(pickle.dumps(result))
    assert again.distance("h", "s") == 17
    assert again.path("h", "s") == result.path("h", "s") == ["h", "b", "s"]
    assert again.path("h", "s", links=True) == result.path("h", "s", links=True) == [0, 1]
    with pytest.raises(apsp.RequestError, match="places in a graph with turns are not saved yet"):
        result.save(tmp_path / "result.npz")
    assert list(tmp_path.iterdir()) == []
