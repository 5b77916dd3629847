"""Places on the streets of graphs with turns: a movement from or to a part of a link is that of the link."""

from __future__ import annotations

import math
import pickle
from pathlib import Path

import numpy as np
import pytest

import apsp
from apsp.graph.places.placed import placed
from apsp.graph.saved import arrays_of_graph, graph_of_arrays
from turns_places_truth import check_isochrones_of_places, check_oracle_of_places, check_places
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


@pytest.mark.few(2)
@pytest.mark.parametrize("seed", range(4100, 4112))
def test_oracles_agree_with_a_search_on_links(seed: int, tmp_path: Path) -> None:
    rng = np.random.default_rng(seed)
    case = random_case(rng)
    case.dtype = ["int64", "float64", "float32"][seed % 3]
    check_oracle_of_places(case, case.turned(), rng, tmp_path)


def test_oracles_find_distances_and_paths_of_places() -> None:
    oracle = apsp.prepare(TURNED)
    assert oracle.matrix(HOMES, SHOPS).tolist() == [[5 + 7 + 5, 5 + 10], [3 + 7 + 5, 3 + 10], [5, 10]]
    assert oracle.rows(HOMES[:1]).tolist() == [[5, 5, 5 + 7 + 10, 5 + 20]]
    assert oracle.distance(HOMES[0], "c") == 22
    assert oracle.distances(SHOPS, HOMES[:2]).tolist() == [10, 13]
    assert oracle.path(SHOPS[0], "d") == ["s", "b", "a", "b", "d"]
    assert oracle.path(SHOPS[0], "d", links=True) == [1, 0, 0, 2]
    assert list(oracle.paths(SHOPS, HOMES[:2])) == [["s", "b", "h"], ["t", "b", "i"]]
    oracle.update({("a", "b"): 30})
    assert oracle.distance(HOMES[0], SHOPS[0]) == 15 + 7 + 5


def test_closed_streets_are_closed_for_places() -> None:
    oracle = apsp.prepare(TURNED)
    oracle.update({("a", "b"): math.inf})
    for table in (oracle.matrix(HOMES, SHOPS), apsp.matrix(oracle.graph, HOMES, SHOPS).distances):
        assert table.tolist() == [[math.inf, math.inf], [math.inf, math.inf], [5, 10]]
    assert math.isinf(oracle.distance(HOMES[0], HOMES[0]))
    assert oracle.path(HOMES[2], SHOPS[0]) == ["j", "b", "s"]
    oracle.update({("a", "b"): 10})
    assert oracle.distance(HOMES[0], SHOPS[0]) == 17


def test_of_parallel_links_a_place_is_on_the_best_that_is_open() -> None:
    streets = apsp.from_edges([0, 0, 1], [1, 1, 2], [8, 20, 5], links=True, coordinates=[[0, 0], [8, 0], [8, 5]])
    oracle = apsp.prepare(apsp.with_turns(streets, {"from_link": [0, 1], "to_link": [2, 2], "penalty": [1, 2]}))
    homes = streets.snap([[4, 0]], crs="plane")
    assert oracle.distance(homes[0], 2) == 4 + 1 + 5
    oracle.update([math.inf], links=[0])
    assert oracle.distance(homes[0], 2) == 10 + 2 + 5
    assert oracle.path(homes[0], 2, links=True) == [1, 2]
    assert apsp.distance(oracle.graph, homes[0], 2) == 17


def test_a_place_and_itself_are_one() -> None:
    oracle = apsp.prepare(TURNED)
    for path in (apsp.shortest_path(TURNED, HOMES[0], HOMES[0]), oracle.path(HOMES[0], HOMES[0])):
        assert path == ["h"]


def test_graphs_that_have_places_as_vertices_take_no_others() -> None:
    inside = apsp.solve(TURNED, sources=HOMES, targets=SHOPS).graph
    with pytest.raises(apsp.RequestError, match="these places are on the streets of another graph"):
        apsp.matrix(inside, HOMES, SHOPS)


@pytest.mark.few(2)
@pytest.mark.parametrize("block", range(4))
def test_isochrones_agree_with_a_search_on_links(block: int) -> None:
    found = 0
    for seed in range(4200 + 10 * block, 4210 + 10 * block):
        rng = np.random.default_rng(seed)
        case = random_case(rng)
        case.dtype = ["int64", "float64", "float32"][seed % 3]
        found += check_isochrones_of_places(case, case.turned(), rng)
    assert found > 80


def test_isochrones_begin_at_places() -> None:
    found = apsp.isochrone(TURNED, HOMES, [4, 13])
    assert found.vertices("h", 4).tolist() == []
    assert found.vertices("h").tolist() == ["a", "b"]
    arcs = found.arcs("h")
    assert list(zip(arcs.tails, arcs.heads, arcs.fractions, strict=True)) == [
        ("a", "b", 0.5), ("b", "c", 0.1), ("b", "d", 0.4), ("h", "a", 1.0), ("h", "b", 1.0)
    ]  # fmt: skip
    assert found.polygon("h", ratio=1).tolist() == [[0, 0], [110, 0], [100, 80], [0, 0]]
    assert found.to_long()["source"].tolist() == ["h", "h", "i", "i", "j", "j", "j"]
    again = pickle.loads(pickle.dumps(found))
    assert [each.tolist() for each in again.arcs("h")] == [each.tolist() for each in arcs]


def test_polygons_are_those_without_turns_where_turns_do_not_matter() -> None:
    shapely = pytest.importorskip("shapely")
    city = apsp.generate("city", 100, seed=1)
    turned = apsp.with_turns(city, u_turns=math.inf)
    points = np.random.default_rng(0).uniform(0, city.coordinates.max(), (5, 2))
    homes = city.snap(points, crs="plane", speed=1.4)
    plain, found = (
        apsp.isochrone(graph, homes, [30, 90]).areas(width=20, crs="plane").polygons for graph in (city, turned)
    )
    assert (shapely.area(shapely.symmetric_difference(plain, found)) < 1e-4 * shapely.area(plain)).all()
    blocks = apsp.stream_isochrones(turned, homes, [30, 90], width=20, crs="plane", rows=2)
    assert shapely.equals(np.concatenate([block.polygons for block in blocks]), found).all()


def test_penalties_make_polygons_smaller() -> None:
    shapely = pytest.importorskip("shapely")
    plain, found = (
        apsp.isochrone(graph, HOMES, 13).areas(width=1, crs="plane").polygons[0, 0] for graph in (STREETS, TURNED)
    )
    assert plain.bounds[2] == pytest.approx(181, abs=0.1)
    assert found.bounds[2] == pytest.approx(111, abs=0.1)
    assert shapely.area(shapely.difference(found, plain)) < 1e-9


def test_isochrones_of_results_of_places_are_refused() -> None:
    inside = apsp.solve(TURNED, sources=HOMES).graph
    with pytest.raises(apsp.RequestError, match="give the graph with turns itself, and the places as sources"):
        apsp.isochrone(inside, "a", 9)


def test_results_are_copied_and_saved(tmp_path: Path) -> None:
    result = apsp.solve(TURNED, sources=HOMES, targets=SHOPS, paths=True)
    result.save(tmp_path / "result.npz")
    for again in (pickle.loads(pickle.dumps(result)), apsp.load(tmp_path / "result.npz")):
        assert again.distance("h", "s") == 17
        assert again.path("h", "s") == result.path("h", "s") == ["h", "b", "s"]
        assert again.path("h", "s", links=True) == result.path("h", "s", links=True) == [0, 1]
        assert again.graph == result.graph
        assert again.to_long()["target"].tolist() == result.to_long()["target"].tolist()


def test_costs_and_labels_of_places_are_saved(tmp_path: Path) -> None:
    streets = STREETS.with_costs(toll=[1, 1, 2, 3, 2, 3])
    turned = apsp.with_turns(streets, [("a", "b", "c", 7)])
    homes = streets.snap({"name": ["a", "b"], "x": [50, 100], "y": [9, 0]}, labels="name", crs="plane", speed=3)
    result = apsp.solve(turned, sources=homes)
    result.save(tmp_path / "result.npz")
    again = apsp.load(tmp_path / "result.npz")
    assert again.graph == result.graph
    assert list(again.graph.costs) == ["toll"]
    assert again.distance("a", "c") == result.distance("a", "c") == 3 + 5 + 7 + 10


def test_without_turns_only_places_are_there_again() -> None:
    home = STREETS.snap([[50, 9]], crs="plane", speed=1)
    arrays = arrays_of_graph(placed(STREETS, leaving=(home,), entering=(), on_streets=True))
    assert arrays["place_again"].tolist() == [4]
    with pytest.raises(apsp.GraphError, match="labels are damaged"):
        graph_of_arrays(arrays | {"place_again": np.zeros(1, np.int32)}, directed=True)


@pytest.mark.parametrize("damage", ["placed_links", "whole_turn_vertices", "whole_turn_indptr", "place_again"])
def test_damaged_places_are_an_error(damage: str) -> None:
    graph = apsp.solve(TURNED, sources=HOMES).graph
    arrays = arrays_of_graph(graph)
    assert graph_of_arrays(arrays, directed=True) == graph
    with pytest.raises(apsp.GraphError):
        graph_of_arrays(arrays | {damage: arrays[damage] + 1}, directed=True)
