"""Straightness centrality against plain code on NetworkX's distances."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pytest

import apsp
from executors import AtOnce


def by_networkx(graph: apsp.Graph, straight: Any, cutoff: float | None = None) -> list[float]:
    """The formula of the paper, over the vertices that are reached."""
    G = graph.to_networkx()
    names = list(G)
    found = []
    for source in range(graph.n):
        lengths = nx.single_source_dijkstra_path_length(G, names[source], cutoff=cutoff)
        ratios = [
            straight(graph.coordinates[source], graph.coordinates[names.index(target)]) / length
            for target, length in lengths.items()
            if length > 0
        ]
        found.append(sum(ratios) / len(ratios) if ratios else 0.0)
    return found


def on_sphere(a: Any, b: Any) -> float:
    """The haversine formula."""
    (x, y), (u, v) = np.radians(a), np.radians(b)
    half = math.sin((v - y) / 2) ** 2 + math.cos(y) * math.cos(v) * math.sin((u - x) / 2) ** 2
    return 2 * 6_371_008.8 * math.asin(math.sqrt(half))


def streets(n: int, seed: int, *, directed: bool, metres: bool = True) -> apsp.Graph:
    city = apsp.generate("city", n, seed=seed, directed=directed)
    return city.with_weights(np.ceil(city.weights * 1.5) if metres else city.weights / 7)


@pytest.mark.parametrize("cutoff", [None, 40.0])
@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("metres", [False, True])
def test_a_city(directed: bool, metres: bool, cutoff: float | None) -> None:
    graph = streets(90, 2, directed=directed, metres=metres)
    found = apsp.straightness_centrality(graph, crs="plane", cutoff=cutoff)
    np.testing.assert_allclose(found, by_networkx(graph, math.dist, cutoff), rtol=1e-12)


def test_degrees() -> None:
    city = streets(60, 3, directed=False)
    graph = apsp.Graph(
        city.indptr, city.indices, city.weights, directed=False, coordinates=city.coordinates / 40 + [9, 45]
    )
    expected = by_networkx(graph, on_sphere)
    np.testing.assert_allclose(apsp.straightness_centrality(graph, crs="degrees"), expected, rtol=1e-9)
    micro = apsp.Graph(graph.indptr, graph.indices, graph.weights, directed=False, coordinates=graph.coordinates * 1e6)
    np.testing.assert_allclose(apsp.straightness_centrality(micro, crs="microdegrees"), expected, rtol=1e-9)


def test_components_and_vertices_without_paths() -> None:
    rng = np.random.default_rng(4)
    tails = np.concatenate([np.arange(40), np.arange(41, 60)])
    graph = apsp.from_edges(
        tails, tails + 1, rng.integers(1, 9, len(tails)), n=70, directed=False, coordinates=rng.random((70, 2))
    )
    found = apsp.straightness_centrality(graph, crs="plane")
    np.testing.assert_allclose(found, by_networkx(graph, math.dist), rtol=1e-12)
    assert not found[61:].any()
    some = [65, 3, 50, 3]
    assert apsp.straightness_centrality(graph, crs="plane", vertices=some).tolist() == found[some].tolist()


def test_straight_streets_have_one_and_distances_of_zero_do_not_count() -> None:
    line = apsp.from_edges(
        [0, 1, 2], [1, 2, 3], [3, 0, 4], directed=False, coordinates=[[0, 0], [3, 0], [3, 0], [7, 0]]
    )
    assert apsp.straightness_centrality(line, crs="plane").tolist() == [1, 1, 1, 1]
    alone = apsp.from_edges([], [], [], n=1, coordinates=[[2, 3]])
    assert apsp.straightness_centrality(alone, crs="plane").tolist() == [0]


def test_a_store_is_of_one_map(tmp_path: Path) -> None:
    graph = streets(80, 5, directed=False)
    expected = apsp.straightness_centrality(graph, crs="plane").tolist()
    kept = {"crs": "plane", "store": tmp_path / "straight.zarr"}
    for _ in range(2):
        assert apsp.straightness_centrality(graph, executor=AtOnce(), **kept).tolist() == expected
    moved = apsp.Graph(
        graph.indptr, graph.indices, graph.weights, directed=False, labels=graph.labels,
        coordinates=graph.coordinates * [1, 2],
    )  # fmt: skip
    with pytest.raises(apsp.RequestError, match="store"):
        apsp.straightness_centrality(moved, **kept)


@pytest.mark.parametrize(
    ("coordinates", "weight", "crs", "error", "words"),
    [
        (None, 1, "plane", apsp.GraphError, "the graph has no coordinates: "),
        ([[0, 0], [math.nan, 1]], 1, "plane", apsp.GraphError, "vertex 'b' has no coordinates"),
        ([[0, 0], [0, 91]], 1, "degrees", apsp.RequestError, "crs='plane' is for projected"),
        ([[0, 0], [0, 1]], -1, "plane", apsp.GraphError, "lengths of 0 and more"),
        ([[0, 0], [0, 1]], 1, None, apsp.RequestError, "crs= is missing"),
    ],
)
def test_refused(coordinates: Any, weight: int, crs: Any, error: type[Exception], words: str) -> None:
    graph = apsp.from_edges(["a"], ["b"], [weight], coordinates=coordinates)
    with pytest.raises(error, match=words):
        apsp.straightness_centrality(graph, crs=crs)
