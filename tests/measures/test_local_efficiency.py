"""Local efficiency beside NetworkX's, and beside a global efficiency per vertex where NetworkX has none."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest

import apsp
from apsp.errors import RequestError


def by_definition(graph: nx.Graph, weight: str | None) -> list[float]:
    """The global efficiency of the subgraph of neighbours, vertex by vertex."""
    found = []
    for v in graph:
        inside = graph.subgraph(set(graph[v]) | (set(graph.pred[v]) if graph.is_directed() else set()))
        pairs = len(inside) * (len(inside) - 1)
        lengths = nx.shortest_path_length(inside, weight=weight)
        total = sum(1 / d for _, row in lengths for d in row.values() if d)
        found.append(total / pairs if pairs else 0.0)
    return found


def with_weights(graph: nx.Graph, seed: int, floats: bool) -> nx.Graph:
    rng = np.random.default_rng(seed)
    for *_, data in graph.edges(data=True):
        data["weight"] = float(rng.random()) if floats else int(rng.integers(0, 9))
    return graph


@pytest.mark.parametrize("seed", range(3))
def test_values_of_networkx(seed: int) -> None:
    """Also vertices without neighbours, with one, and with a self-loop, which are neighbours of themselves."""
    graph = nx.gnp_random_graph(40, 0.15, seed=seed)
    graph.add_node("alone")
    graph.add_edge("end", 0)
    graph.add_edge(3, 3)
    assert apsp.local_efficiency(graph) == pytest.approx(nx.local_efficiency(graph), rel=1e-13)
    assert apsp.local_efficiencies(graph).tolist() == pytest.approx(by_definition(graph, None), rel=1e-13)


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("floats", [False, True])
def test_weights_and_directions(directed: bool, floats: bool) -> None:
    graph = with_weights(nx.gnp_random_graph(30, 0.3, seed=5, directed=directed), 6, floats)
    expected = by_definition(graph, "weight")
    assert apsp.local_efficiencies(graph).tolist() == pytest.approx(expected, rel=1e-12)
    chosen = [17, 2, 17]
    assert apsp.local_efficiencies(graph, vertices=chosen).tolist() == pytest.approx([expected[v] for v in chosen])
    assert apsp.local_efficiency(graph, vertices=4) == pytest.approx(expected[4])


@pytest.mark.slow
def test_neighbourhoods_in_several_parts() -> None:
    """Those of 3000 vertices with about 40 neighbours are looked at in parts, of which each vertex has its own."""
    graph = apsp.generate("random", 3000, m=120_000, directed=False, weights=(1, 9), seed=3)
    whole = apsp.local_efficiencies(graph)
    for v in range(0, 3000, 300):
        assert whole[v] == apsp.local_efficiency(graph, vertices=v)
    chosen = list(range(0, 3000, 1500))
    theirs = graph.to_networkx()
    for v in chosen:
        inside = theirs.subgraph(theirs[v])
        lengths = nx.shortest_path_length(inside, weight="weight")
        total = sum(1 / d for _, row in lengths for d in row.values() if d)
        assert whole[v] == pytest.approx(total / (len(inside) * (len(inside) - 1)), rel=1e-12)


def test_many_neighbours() -> None:
    """A wheel: the neighbours of the hub are solved as a graph of their own."""
    graph = nx.wheel_graph(301)
    assert apsp.local_efficiencies(graph).tolist() == pytest.approx(by_definition(graph, None), rel=1e-12)


def test_lengths_wider_than_16_bits() -> None:
    graph = apsp.from_edges([0, 0, 1], [1, 2, 2], [70_000, 10**12, 2**40], directed=False)
    assert apsp.local_efficiencies(graph)[0] == pytest.approx(2.0**-40)
    narrow = apsp.from_edges([0, 0, 0, 1, 2], [1, 2, 3, 2, 3], [1, 1, 1, 65_534, 65_534], directed=False)
    assert apsp.local_efficiencies(narrow)[0] == pytest.approx((2 / 65_534 + 1 / 131_068) / 3)


def test_zones_are_not_passed() -> None:
    arcs = [0, 0, 0, 1, 2], [1, 2, 3, 2, 3]
    open_ = apsp.from_edges(*arcs, directed=False)
    closed = apsp.from_edges(*arcs, directed=False, zones=[False, False, True, False])
    assert apsp.local_efficiencies(open_)[0] == pytest.approx((1 + 1 + 1 / 2) / 3)
    assert apsp.local_efficiencies(closed)[0] == pytest.approx(2 / 3)


def test_small_graphs_and_negative_weights() -> None:
    assert apsp.local_efficiency(apsp.from_edges([], [], n=0)) == 0
    assert apsp.local_efficiencies(apsp.from_edges([], [], n=2)).tolist() == [0, 0]
    with pytest.raises(RequestError, match="not negative; the smallest is -2"):
        apsp.local_efficiency(apsp.from_edges([0, 1], [1, 2], [-2, 5]))


def test_reciprocals_beyond_float64_are_infinite() -> None:
    graph = apsp.from_edges([0, 0, 1], [1, 2, 2], [1e-308, 1e-308, 1e-308], directed=False)
    zones = apsp.from_edges([0, 0, 1], [1, 2, 2], [1e-308] * 3, directed=False, zones=[True, False, False])
    for each in (graph, zones):
        assert apsp.local_efficiencies(each).tolist() == [np.inf] * 3
        assert apsp.local_efficiency(each) == np.inf
    assert apsp.global_efficiency(graph) == np.inf


def test_large_integers_of_many_neighbours() -> None:
    heads = np.arange(1, 300)
    hub = apsp.from_edges(
        np.concatenate([np.zeros(299, int), heads[:-1]]), np.concatenate([heads, heads[1:]]), np.full(597, 1 << 50),
        directed=False,
    )  # fmt: skip
    assert apsp.local_efficiencies(hub, vertices=0)[0] == pytest.approx(
        sum(2 * (299 - d) / d for d in range(1, 299)) / (299 * 298) / 2**50
    )


LARGEST = [65_533, 65_534, 65_535, 65_536, 2**31 - 2, 2**31 - 1, 2**31, 2**53 + 1, 2**62, 2**63 - 2, 2**63 - 1]


@pytest.mark.parametrize("largest", LARGEST)
@pytest.mark.parametrize("dtype", ["int32", "int64", "float32", "float64"])
@pytest.mark.parametrize("many", [False, True])
def test_an_arc_as_long_as_the_largest_number_of_a_dtype(largest: int, dtype: str, many: bool) -> None:
    """It is an arc, not "no path"; also beside more neighbours than are solved together."""
    if dtype == "int32" and largest >= 2**31:
        pytest.skip("int32 does not hold it")
    more = np.arange(3, 303) if many else np.empty(0, np.int64)
    tails, heads = np.append([0, 0, 1], np.zeros_like(more)), np.append([1, 2, 2], more)
    weights = np.append(np.array([1, 1, largest], dtype), np.ones(len(more), dtype))
    graph = apsp.from_edges(tails, heads, weights, directed=False)
    neighbours = 2 + len(more)
    expected = 2 / float(weights[2]) / (neighbours * (neighbours - 1))
    assert apsp.local_efficiencies(graph)[0] == pytest.approx(expected, rel=1e-15)


@pytest.mark.parametrize("largest", LARGEST)
def test_sums_that_are_as_long_as_the_largest_number_of_a_dtype(largest: int) -> None:
    """Two arcs of a path among the neighbours add up to it."""
    first = largest // 2
    graph = apsp.from_edges(
        [0, 0, 0, 1, 2], [1, 2, 3, 2, 3], np.array([1, 1, 1, first, largest - first]), directed=False
    )
    expected = sum(2 / length for length in (first, largest - first, largest)) / 6
    assert apsp.local_efficiencies(graph)[0] == pytest.approx(expected, rel=1e-15)


@pytest.mark.parametrize("many", [False, True])
def test_reciprocals_of_float32_are_float64(many: bool) -> None:
    rng = np.random.default_rng(4)
    graph = nx.gnp_random_graph(300 if many else 30, 0.95 if many else 0.4, seed=5)
    for *_, data in graph.edges(data=True):
        data["weight"] = np.float32(rng.random())
    tails, heads = np.array(graph.edges).T
    weights = np.array([data["weight"] for *_, data in graph.edges(data=True)])
    made = apsp.from_edges(tails, heads, weights, directed=False)
    assert made.weights is not None
    assert made.weights.dtype == np.float32
    for *_, data in graph.edges(data=True):
        data["weight"] = float(data["weight"])
    chosen = [0, 7]
    expected = [by_definition(graph, "weight")[v] for v in chosen] if not many else None
    found = apsp.local_efficiencies(made, vertices=chosen)
    wide = apsp.local_efficiencies(made.with_weights(made.weights.astype(np.float64)), vertices=chosen)
    np.testing.assert_array_equal(found, wide)
    assert expected is None or found.tolist() == pytest.approx(expected, rel=1e-14)
