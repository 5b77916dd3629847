"""Measures have NetworkX's names, and where NetworkX gives a number it is the same."""

from __future__ import annotations

import inspect
import math

import networkx as nx
import numpy as np
import pytest

import apsp
from apsp.errors import NegativeCycleError

N = 40
PER_GRAPH = ["average_shortest_path_length", "barycenter", "center", "diameter", "periphery", "radius", "wiener_index"]


def random_graph(seed: int, *, directed: bool, weighted: bool, connected: bool) -> nx.Graph:
    """Nodes that are strings, in no order; a cycle through all of them where it is to be connected."""
    rng = np.random.default_rng(seed)
    nodes = [f"node {k}" for k in rng.permutation(N)]
    arcs = rng.integers(0, N, (2 * N if connected else N // 2, 2)).tolist()
    arcs += [(k, (k + 1) % N) for k in range(N)] if connected else []
    graph = nx.DiGraph() if directed else nx.Graph()
    graph.add_nodes_from(nodes)
    for u, v in arcs:
        graph.add_edge(nodes[u], nodes[v], **({"weight": int(rng.integers(1, 9))} if weighted else {}))
    return graph


def same(found: object, expected: object) -> bool:
    if isinstance(expected, list):
        return sorted(found) == sorted(expected)
    return found == pytest.approx(expected, rel=1e-14)


def in_order(values: dict[str, float], graph: nx.Graph) -> list[float]:
    return [values[node] for node in graph]


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("seed", range(3))
def test_values_of_connected_graphs(directed: bool, weighted: bool, seed: int) -> None:
    graph = random_graph(seed, directed=directed, weighted=weighted, connected=True)
    weight = "weight" if weighted else None
    for name in PER_GRAPH:
        assert same(getattr(apsp, name)(graph), getattr(nx, name)(graph, weight=weight)), name
    assert apsp.eccentricity(graph).tolist() == list(nx.eccentricity(graph, weight=weight).values())


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("connected", [False, True])
def test_values_of_vertices(directed: bool, weighted: bool, connected: bool) -> None:
    graph = random_graph(7, directed=directed, weighted=weighted, connected=connected)
    weight, some = "weight" if weighted else None, ["node 3", "node 20", "node 3"]
    for improved in (True, False):
        expected = nx.closeness_centrality(graph, distance=weight, wf_improved=improved)
        found = apsp.closeness_centrality(graph, wf_improved=improved)
        np.testing.assert_allclose(found, in_order(expected, graph), rtol=1e-14)
        found = apsp.closeness_centrality(graph, vertices=some, wf_improved=improved)
        np.testing.assert_allclose(found, [expected[node] for node in some], rtol=1e-14)
    expected = nx.harmonic_centrality(graph, distance=weight)
    np.testing.assert_allclose(apsp.harmonic_centrality(graph), in_order(expected, graph), rtol=1e-13)
    turned = graph.reverse() if directed else graph
    expected = nx.harmonic_centrality(turned, distance=weight)
    np.testing.assert_allclose(apsp.harmonic_centrality(graph, direction="out"), in_order(expected, graph), rtol=1e-13)
    sums = {node: sum(row.values()) for node, row in nx.shortest_path_length(graph, weight=weight)}
    assert apsp.farness(graph).tolist() == list(sums.values())
    sums = {node: sum(row.values()) for node, row in nx.shortest_path_length(turned, weight=weight)}
    assert apsp.farness(graph, direction="in", vertices=some).tolist() == [sums[node] for node in some]


@pytest.mark.parametrize("connected", [False, True])
def test_global_efficiency(connected: bool) -> None:
    graph = random_graph(8, directed=False, weighted=False, connected=connected)
    assert apsp.global_efficiency(graph) == pytest.approx(nx.global_efficiency(graph), rel=1e-14)


@pytest.mark.parametrize("directed", [False, True])
def test_pairs_without_a_path_are_left_out(directed: bool) -> None:
    """NetworkX raises an error for these graphs; only the Wiener index is a number there, too."""
    graph = random_graph(9, directed=directed, weighted=True, connected=False)
    rows = dict(nx.shortest_path_length(graph, weight="weight"))
    others = [d for node, row in rows.items() for other, d in row.items() if other != node]
    assert apsp.average_shortest_path_length(graph) == pytest.approx(sum(others) / len(others), rel=1e-14)
    assert apsp.diameter(graph) == max(others)
    assert apsp.wiener_index(graph) == nx.wiener_index(graph, weight="weight") == math.inf
    most = max(map(len, rows.values()))
    widest = {node: row.values() for node, row in rows.items() if len(row) == most}
    assert apsp.radius(graph) == min(map(max, widest.values()))
    assert apsp.center(graph) == [node for node, row in widest.items() if max(row) == apsp.radius(graph)]
    least = min(map(sum, widest.values()))
    assert apsp.barycenter(graph) == [node for node, row in widest.items() if sum(row) == least]


def test_one_vertex_and_none() -> None:
    one, none = apsp.from_edges([], [], n=1), apsp.from_edges([], [], n=0)
    assert apsp.average_shortest_path_length(one) == nx.average_shortest_path_length(nx.empty_graph(1)) == 0
    assert (apsp.diameter(one), apsp.center(one), apsp.periphery(one), apsp.barycenter(one)) == (0, [0], [0], [0])
    assert (apsp.diameter(none), apsp.center(none), apsp.periphery(none), apsp.barycenter(none)) == (None, [], [], [])
    assert apsp.farness(none).tolist() == apsp.closeness_centrality(none).tolist() == []


def test_a_summary_says_the_same() -> None:
    graph = apsp.from_networkx(random_graph(10, directed=True, weighted=True, connected=True))
    whole = apsp.summary(graph, columns=True)
    for direction in ("in", "out"):
        np.testing.assert_array_equal(whole.farness(direction), apsp.farness(graph, direction=direction))
        found = apsp.closeness_centrality(graph, direction=direction)
        np.testing.assert_array_equal(whole.closeness_centrality(direction), found)
        found = apsp.harmonic_centrality(graph, direction=direction)
        np.testing.assert_allclose(whole.harmonic_centrality(direction), found, rtol=1e-14)
    np.testing.assert_array_equal(apsp.prepare(graph).summary(columns=True).farness("in"), whole.farness("in"))


def test_sums_are_exact_integers() -> None:
    graph = apsp.from_edges([0, 1, 2], [1, 2, 0], [2**53, 1, 1])
    assert apsp.farness(graph).tolist() == [2**54 + 1, 2**53 + 3 - 2**53, 2**53 + 2]


def test_a_negative_cycle_is_one_of_the_graph() -> None:
    """Incoming distances are those of the reversed graph, but the cycle is not."""
    graph = apsp.from_edges([0, 1, 2], [1, 2, 0], [1, -5, 2], labels=["a", "b", "c"])
    with pytest.raises(NegativeCycleError) as caught:
        apsp.closeness_centrality(graph)
    start = caught.value.cycle.index("a")
    assert caught.value.cycle[start:] + caught.value.cycle[:start] == ["a", "b", "c"]
    assert caught.value.length == -2


def test_vertices_from_an_iterator() -> None:
    graph = apsp.from_edges([0, 1, 2], [1, 2, 0], [4, 1, 2])
    assert apsp.eccentricity(graph, sources=iter([2, 0])).tolist() == [6, 5]
    assert apsp.farness(graph, vertices=iter([2, 0])).tolist() == [8, 9]
    found = apsp.prepare(graph).summary(sources=iter([2, 0, 2]))
    assert (found.sources.tolist(), found.farness().tolist()) == ([0, 2], [9, 8])


def test_every_option_is_visible() -> None:
    for name in apsp.__all__:
        thing = getattr(apsp, name)
        functions = {name: thing} if inspect.isfunction(thing) else {}
        if thing in (apsp.Oracle, apsp.Result, apsp.Summary, apsp.Components):
            functions = dict(inspect.getmembers(thing, inspect.isfunction))
        for each in functions.values():
            kinds = {parameter.kind for parameter in inspect.signature(each).parameters.values()}
            assert inspect.Parameter.VAR_KEYWORD not in kinds, each
    for name in (*PER_GRAPH, "eccentricity", "farness", "summary", "k_nearest", "distance_histogram"):
        words = inspect.getdoc(getattr(apsp, name)) or ""
        assert "{" not in words.replace("{'", "")
        for option in ("cutoff", "dtype", "method", "device", "gpu_memory", "pages_file", "threads", "rows"):
            assert option in inspect.signature(getattr(apsp, name)).parameters
            assert f"\n{option} : " in words
