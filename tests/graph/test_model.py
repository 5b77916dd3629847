"""A graph never changes, wherever its arrays come from and wherever it goes."""

from __future__ import annotations

import copy
import pickle
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pandas as pd
import pytest

import apsp
from apsp import _cpu
from apsp.facts import statistics
from apsp.graph.saved import arrays_of_graph, graph_of_arrays


def arrays(graph: apsp.Graph) -> list[np.ndarray]:
    return [graph.indptr, graph.indices, graph.weights, graph.coordinates, graph.zones]


def with_everything() -> apsp.Graph:
    return apsp.from_edges(
        [0, 1, 2], [1, 2, 0], [1.5, 2.5, 3.5],
        labels=["a", "ß", "東"], coordinates=np.eye(3, 2), zones=[True, False, False],
    )  # fmt: skip


@pytest.mark.parametrize("way", [lambda g: g, copy.copy, copy.deepcopy, lambda g: pickle.loads(pickle.dumps(g))])
def test_arrays_are_read_only(way) -> None:
    graph = way(with_everything())
    for array, expected in zip(arrays(graph), arrays(with_everything()), strict=True):
        np.testing.assert_array_equal(array, expected)
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0
    assert list(graph.labels) == ["a", "ß", "東"]


def test_arrays_of_the_caller_stay_the_callers() -> None:
    given = [np.array([0, 1, 2, 2]), np.array([1, 2], np.int32), np.array([1, 2], np.int32)]
    graph = apsp.Graph(*given)
    given[2][0] = -5
    assert graph.weights.tolist() == [1, 2]
    given[0].flags.writeable = True
    buffer = np.arange(4.0)
    graph = apsp.Graph([0, 1, 1], [1], memoryview(buffer)[1:2])
    buffer[1] = 7
    assert graph.weights.tolist() == [1]


def test_read_only_arrays_are_shared() -> None:
    graph = with_everything()
    assert np.shares_memory(graph.unweighted().indices, graph.indices)


@pytest.mark.parametrize("key", [1.5, 1.0, True, None, np.float32(1), (1,)])
def test_what_is_no_vertex(key: object) -> None:
    with pytest.raises(apsp.GraphError, match="there is no vertex"):
        with_everything().index(key)


def test_masked_entries_are_no_arcs() -> None:
    lengths = np.ma.masked_array([[0.0, 1, 5], [2, 0, 4], [9, 3, 0]], mask=[[0, 1, 0], [0, 0, 0], [0, 0, 0]])
    assert apsp.solve(lengths).distance(0, 1) == 8
    with pytest.raises(apsp.GraphError, match="tails has masked entries"):
        apsp.from_edges(np.ma.masked_array([0, 1], mask=[0, 1]), [1, 2])
    assert apsp.from_edges(np.ma.masked_array([0, 1]), [1, 2]).m == 2


def test_networkx_numbers_in_any_order_are_labels() -> None:
    graph = nx.DiGraph()
    graph.add_edge(1, 0, weight=5)
    graph.add_edge(0, 2, weight=2)
    for node in graph:
        graph.nodes[node]["pos"] = (node, -node)
    found = apsp.from_networkx(graph)
    assert list(found.labels) == list(graph) == [1, 0, 2]
    assert apsp.solve(graph, sources=[1]).distances.tolist() == [[0, 5, 7]]
    assert found.coordinates[found.index(2)].tolist() == [2, -2]


def test_bad_numbers() -> None:
    with pytest.raises(apsp.GraphError, match="coordinates must be numbers"):
        apsp.from_edges([0], [1], coordinates=[["x", 1], [0, 0]])
    with pytest.raises(apsp.GraphError, match="between -2\\^63 and 2\\^63 - 1"):
        apsp.from_edges([0], [1], [10**30])


@pytest.mark.parametrize("position", [-1, 3, 2**64, 0.5, "0", None, [0]])
def test_a_position_that_is_none(position: object) -> None:
    graph = apsp.from_edges([0, 1], [1, 2])
    assert graph.word(2) == "2"
    with pytest.raises(apsp.RequestError, match="position must be a whole number from 0 to 2"):
        graph.word(position)


def test_zones_of_older_files(tmp_path: Path) -> None:
    graph = apsp.from_edges([0, 1], [1, 2], [5, 7], zones=[False, True, False])
    kept = arrays_of_graph(graph)
    kept["terminals"] = kept.pop("zones")
    assert graph_of_arrays(kept, directed=True).zones.tolist() == [False, True, False]
    apsp.write(graph, tmp_path / "g.npz")
    with np.load(tmp_path / "g.npz") as archive:
        arrays = dict(archive)
    arrays["terminals"] = arrays.pop("zones")
    np.savez(tmp_path / "old.npz", **arrays)
    assert apsp.read(tmp_path / "old.npz").zones.tolist() == [False, True, False]
    assert apsp.read(tmp_path / "old.npz", zones=False).zones is None


def test_other_weights() -> None:
    graph = with_everything()
    for weights, dtype in (
        ([1.5, -2.0, 0.5], "float64"),
        (np.array([-3, 4, 0], dtype=np.int8), "int32"),
        (np.array([1, 2, 3], dtype=np.float32), "float32"),
        (np.array([1, 2, 3], dtype=np.int64), "int64"),
    ):
        other = graph.with_weights(weights)
        assert (other.weights.tolist(), other.weights.dtype) == (list(weights), dtype)
        assert other == graph._with(weights=other.weights)
        assert (other.labels, other.coordinates is None, other.zones is None) == (graph.labels, False, False)
    hops = graph.unweighted().with_weights(graph.weights)
    assert hops == graph
    assert apsp.from_edges([], [], n=2).with_weights([]).m == 0


@pytest.mark.parametrize(
    ("weights", "words"),
    [
        ([1.0], "weights must be a vector of 3 numbers"),
        ([[1.0, 2.0]], "weights must be a vector of 3 numbers"),
        (None, "weights must be a vector of 3 numbers"),
        (["x", "y", "z"], "weights must be integers or floats"),
        ([1.0, np.nan, 2.0], "arc 1, from vertex 'ß' to '東', has weight nan"),
        ([-np.inf, 1.0, 1.0], "arc 0, from vertex 'a' to 'ß', has weight -inf"),
    ],
)
def test_weights_that_do_not_fit(weights: object, words: str) -> None:
    with pytest.raises(apsp.GraphError, match=words):
        with_everything().with_weights(weights)


def test_an_edge_has_one_weight_in_both_directions() -> None:
    graph = apsp.from_edges([0, 1], [1, 2], [5, 7], directed=False)
    assert graph.with_weights(graph.weights * 2).to_edges()[2].tolist() == [10, 14]
    with pytest.raises(apsp.GraphError, match="each edge as two arcs of equal weight"):
        graph.with_weights(np.arange(4))


def test_what_is_found_of_the_reversed_graph_is_found_once(monkeypatch):
    graph = apsp.generate("city", 400, seed=2)
    expected = apsp.closeness_centrality(graph, method="elimination")
    monkeypatch.setattr(_cpu, "elimination_tree", None)
    monkeypatch.setattr(statistics, "distance_bound", None)
    np.testing.assert_array_equal(apsp.closeness_centrality(graph, method="elimination"), expected)


def test_facts_of_a_graph_are_not_those_of_the_reversed_one():
    graph = apsp.from_edges([0, 0, 1], [1, 2, 2], [5, 7, 1])
    assert apsp.solve(graph).distance(0, 2) == apsp.solve(graph.reversed()).distance(2, 0) == 6
    assert graph.max_out_degree == 2
    assert graph.reversed().max_out_degree == 2
    assert graph.reversed().reversed() == graph
    star = apsp.from_edges([0, 0, 0], [1, 2, 3])
    assert (star.max_out_degree, star.reversed().max_out_degree, star.max_out_degree) == (3, 1, 3)
    assert star.reversed().__dict__ is star.reversed().__dict__


def test_other_coordinates() -> None:
    links = {"labels": ["a", "b", "c"], "costs": {"toll": [1, 2, 3]}, "zones": [True, False, False], "links": True}
    graph = apsp.from_edges(["a", "a", "b"], ["b", "b", "c"], [5, 4, 2], **links)
    points = np.array([[0.0, 1.0], [2.0, 3.0], [4.0, 5.0]])
    drawn = graph.with_coordinates(points, crs="plane")
    np.testing.assert_array_equal(drawn.coordinates, points)
    assert drawn.crs == "plane"
    assert graph.coordinates is None
    assert drawn == apsp.from_edges(
        ["a", "a", "b"], ["b", "b", "c"], [5, 4, 2], coordinates=points, crs="plane", **links
    )
    assert drawn.with_coordinates(points + 1).crs is None
    frame = pd.DataFrame({"x": [4.0, 0.0, 2.0], "y": [5.0, 1.0, 3.0]}, index=["c", "a", "b"])
    np.testing.assert_array_equal(graph.with_coordinates(frame).coordinates, points)


@pytest.mark.parametrize(
    ("points", "error", "words"),
    [
        (None, apsp.RequestError, "a point per vertex"),
        ([[1, 2]], apsp.GraphError, r"shape \(3, 2\)"),
        ([1, 2, 3], apsp.GraphError, "coordinates"),
        ("points", apsp.GraphError, "coordinates"),
    ],
)
def test_coordinates_that_are_refused(points: Any, error: Any, words: str) -> None:
    with pytest.raises(error, match=words):
        apsp.from_edges([0, 1], [1, 2], [5, 4]).with_coordinates(points)


def test_bends_keep_their_coordinates() -> None:
    ends = [[0, 0], [9, 0]]
    street = apsp.from_edges([0], [1], [60], directed=False, coordinates=ends, bends=[[[0, 6], [9, 6]]])
    with pytest.raises(apsp.RequestError, match="bends of the streets"):
        street.with_coordinates(ends)
