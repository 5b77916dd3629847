"""Every function beside NetworkX's own, on random graphs: values, types, order of keys, errors."""

from __future__ import annotations

from itertools import pairwise
from typing import Any, get_args

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apsp.bounds.bounded_search import ExtremeName, SearchLimits
from apsp.compat.networkx.converted import Converted
from apsp.measures.most_central import RankingLimits
from compat.networkx_backend.calling import Left, equally_long, ours, same, theirs, unordered
from compat.networkx_backend.random_graphs import CLASSES, graphs
from examples import examples

EXAMPLES = settings(max_examples=examples(40), deadline=None)
MEASURES = [
    "average_shortest_path_length", "barycenter", "center", "diameter", "eccentricity", "periphery", "radius",
    "wiener_index",
]  # fmt: skip


def compare(name: str, G: Any, *args: Any, **kwargs: Any) -> None:
    mine = ours(name, G, *args, **kwargs)
    if isinstance(mine, Left):
        assert "method for trees" in mine.reason, mine.reason
    else:
        values = nx.get_edge_attributes(G, "w").values()
        floats = any(type(value) is float for value in values)
        floats |= name == "floyd_warshall" and len(values) < G.number_of_edges()  # the length of the others is 1.0
        same(mine, theirs(name, G, *args, **kwargs), floats=floats)


@given(graphs(complete=True))
@EXAMPLES
def test_measures_of_connected_graphs(G: Any) -> None:
    for name in MEASURES:
        compare(name, G)
        compare(name, G, weight="w")
    if hasattr(nx, "hyper_wiener_index"):  # and with it the weight of harmonic_diameter
        compare("harmonic_diameter", G, weight="w")
    compare("harmonic_diameter", G)
    if not G.is_directed():
        compare("global_efficiency", G)
        compare("local_efficiency", G)
        compare("diameter", G, usebounds=True)
    if type(G) is nx.Graph:
        for name in ("schultz_index", "gutman_index", "hyper_wiener_index"):
            if hasattr(nx, name):
                compare(name, G)
                compare(name, G, weight="w")


@pytest.mark.parametrize("complete", [True, False])
def test_extremes_from_few_searches(complete: bool) -> None:
    """As they are for large graphs."""
    small = SearchLimits(smallest=1, densest=10)

    @given(graphs(complete=complete))
    @settings(max_examples=examples(25), deadline=None)
    def run(G: Any) -> None:
        for weight in (None, "w"):
            few, every = Converted(G), Converted(G)  # whose values are those of NetworkX, see above
            for name in get_args(ExtremeName):
                (found, connected), (other, expected) = few.extremes(weight, name, small), every.extremes(weight, name)
                assert connected == expected
                np.testing.assert_array_equal(getattr(found, name), getattr(other, name))
            assert few.least_sum(weight, RankingLimits(searches=small, smallest=1)) == every.least_sum(weight)

    run()


@given(graphs(), st.data())
@EXAMPLES
def test_measures_of_any_graphs(G: Any, data: st.DataObject) -> None:
    for name in MEASURES:
        compare(name, G)
    node = data.draw(st.sampled_from(list(G)))
    some = data.draw(st.lists(st.sampled_from(list(G)), unique=True))
    for weight in (None, "w"):
        for improved in (True, False):
            compare("closeness_centrality", G, distance=weight, wf_improved=improved)
        compare("closeness_centrality", G, node, distance=weight)
        for odd in ([node], {node}, (node,), slice(1), "x", float("nan")):
            compare("closeness_centrality", G, odd, distance=weight)
        compare("harmonic_centrality", G, distance=weight)
        compare("harmonic_centrality", G, some, distance=weight)
        compare("harmonic_centrality", G, some, distance=weight, sources=[node])
        compare("harmonic_centrality", G, sources=some, distance=weight)
        compare("eccentricity", G, node, weight=weight)
        compare("eccentricity", G, some, weight=weight)
        for method in ("dijkstra", "bellman-ford", "floyd-warshall", "floyd-warshall-numpy"):
            compare("average_shortest_path_length", G, weight=weight, method=method)


@given(graphs(), st.data())
@EXAMPLES
def test_groups_and_reach(G: Any, data: st.DataObject) -> None:
    some = data.draw(st.lists(st.sampled_from(list(G)), unique=True))
    for weight in (None, "w"):
        compare("group_closeness_centrality", G, some, weight=weight)
    compare("global_reaching_centrality", G)


@given(graphs())
@EXAMPLES
def test_closures(G: Any) -> None:
    for reflexive in (True, False, None):
        mine, expected = (each("transitive_closure", G, reflexive=reflexive) for each in (ours, theirs))
        assert type(mine) is type(expected)
        assert nx.utils.graphs_equal(mine, expected)
    assert isinstance(ours("transitive_closure", G, reflexive=1), Left)


@given(st.integers(0, 4), st.integers(1, 9), st.integers(0, 9))
@settings(max_examples=examples(60), deadline=None)
def test_distance_regular_graphs(degree: int, n: int, seed: int) -> None:
    """Random regular graphs, some of which are distance-regular, and the errors of the others."""
    if degree < n and degree * n % 2 == 0:
        check_intersection_array(nx.random_regular_graph(degree, n, seed=seed))


@pytest.mark.parametrize("make", [
    nx.petersen_graph, nx.icosahedral_graph, nx.heawood_graph, nx.cubical_graph, nx.pappus_graph, nx.frucht_graph,
    lambda: nx.cycle_graph(5), lambda: nx.cycle_graph(40), lambda: nx.hypercube_graph(4), lambda: nx.complete_graph(1),
    lambda: nx.path_graph(4), lambda: nx.circulant_graph(30, [1, 2]),
    lambda: nx.disjoint_union(nx.cycle_graph(3), nx.cycle_graph(3)),
])  # fmt: skip
def test_intersection_arrays(make: Any) -> None:
    check_intersection_array(make())


def check_intersection_array(G: Any) -> None:
    if any(degree != 2 for _, degree in G.degree):
        compare("intersection_array", G)
        compare("is_distance_regular", G)
    else:
        assert isinstance(ours("is_distance_regular", G), Left)


@given(graphs(), st.one_of(st.none(), st.integers(-1, 12), st.floats(-1, 12)))
@EXAMPLES
def test_distances(G: Any, cutoff: float | None) -> None:
    first, *_, last = [*G, *G]
    for name, node in (("single_source", first), ("single_target", last)):
        compare(f"{name}_shortest_path_length", G, node, cutoff=cutoff)
    compare("all_pairs_shortest_path_length", G, cutoff=cutoff)
    for weight in (None, "w"):
        compare("all_pairs_dijkstra_path_length", G, cutoff=cutoff, weight=weight)
        compare("single_source_dijkstra_path_length", G, first, cutoff=cutoff, weight=weight)
        compare("multi_source_dijkstra_path_length", G, {first, last}, cutoff=cutoff, weight=weight)
        compare("dijkstra_path_length", G, first, last, weight=weight)
        for name in ("single_source_bellman_ford_path_length", "bellman_ford_path_length"):
            compare(name, G, *[first, last][: 1 + name.startswith("bell")], weight=weight)
        compare("all_pairs_bellman_ford_path_length", G, weight=weight)
        compare("floyd_warshall", G, weight=weight)
        compare("shortest_path_length", G, target=last, weight=weight)
        compare("shortest_path_length", G, first, last, weight=weight)
    compare("has_path", G, first, last)


@given(graphs(), st.one_of(st.none(), st.integers(-1, 12)))
@EXAMPLES
def test_paths(G: Any, cutoff: int | None) -> None:
    first, *_, last = [*G, *G]

    def check(name: str, *args: Any, part: int | None = None, weight: str | None = None, **kwargs: Any) -> None:
        kwargs |= {} if weight is None else {"weight": weight}
        mine, expected = ours(name, G, *args, **kwargs), theirs(name, G, *args, **kwargs)
        if part is not None and isinstance(expected, tuple):
            same(mine[0], expected[0], floats=True)
            mine, expected = mine[part], expected[part]
        equally_long(G, mine, expected, weight, args[0] if name.startswith("multi") else ())

    check("single_source_shortest_path", first, cutoff=cutoff)
    check("single_target_shortest_path", last, cutoff=cutoff)
    check("all_pairs_shortest_path", cutoff=cutoff)
    check("bidirectional_shortest_path", first, last)
    check("shortest_path", first, last)
    check("shortest_path", target=last, weight="w")
    check("dijkstra_path", first, last, weight="w")
    check("single_source_dijkstra", first, weight="w", cutoff=cutoff, part=1)
    check("multi_source_dijkstra", {first, last}, weight="w", cutoff=cutoff, part=1)
    check("multi_source_dijkstra", {first}, last, weight="w", part=1)
    compare("multi_source_dijkstra", G, "x", weight="w")  # whose test for a target is one for text in text
    check("multi_source_dijkstra_path", {first, last}, weight="w", cutoff=cutoff)
    check("all_pairs_dijkstra_path", weight="w", cutoff=cutoff)
    check("single_source_bellman_ford", first, last, weight="w", part=1)
    check("all_pairs_bellman_ford_path", weight="w")
    check("johnson", weight="w")
    for lengths, paths in ours("all_pairs_dijkstra", G, weight="w").values():
        assert lengths.keys() == paths.keys()


@given(graphs(missing=False))
@EXAMPLES
def test_predecessors(G: Any) -> None:
    first, *_, last = [*G, *G]
    for name, args, kwargs in (
        ("predecessor", (first,), {}),
        ("predecessor", (first,), {"cutoff": 1, "return_seen": True}),
        ("predecessor", (first, last), {"return_seen": True}),
        ("dijkstra_predecessor_and_distance", (first,), {"weight": "w"}),
        ("dijkstra_predecessor_and_distance", (first,), {"weight": "w", "cutoff": 3}),
        ("bellman_ford_predecessor_and_distance", (first,), {"weight": "w"}),
    ):
        mine, expected = ours(name, G, *args, **kwargs), theirs(name, G, *args, **kwargs)
        same(unordered(mine), unordered(expected), floats=True)


@given(graphs(weights=st.integers(-2, 12), missing=False, classes=[nx.DiGraph, nx.MultiDiGraph, nx.Graph]))
@settings(max_examples=examples(80), deadline=None)
def test_negative_weights(G: Any) -> None:
    first, *_, last = [*G, *G]
    compare("single_source_bellman_ford_path_length", G, first, weight="w")
    compare("bellman_ford_path_length", G, first, last, weight="w")
    compare("negative_edge_cycle", G, weight="w")
    compare("all_pairs_bellman_ford_path_length", G, weight="w")
    for name, args in (("single_source_bellman_ford_path", (first,)), ("johnson", ())):
        equally_long(G, ours(name, G, *args, weight="w"), theirs(name, G, *args, weight="w"), "w")
    mine, expected = (each("goldberg_radzik", G, first, weight="w") for each in (ours, theirs))
    if isinstance(expected, Exception):
        same(mine, expected)
    else:
        same(mine[1], expected[1])
        assert mine[0].keys() == expected[0].keys()
        assert mine[0][first] is None
    if min(nx.get_edge_attributes(G, "w").values(), default=0) < 0:
        assert isinstance(ours("single_source_dijkstra_path_length", G, first, weight="w"), Left)


@given(graphs(classes=[nx.Graph, nx.DiGraph]))
@EXAMPLES
def test_functions_as_weights(G: Any) -> None:
    def weight(u: Any, v: Any, data: dict[str, Any]) -> Any:
        length = data.get("w", 2)
        return None if length == 3 else length + (repr(u) < repr(v))

    first = next(iter(G))
    compare("all_pairs_dijkstra_path_length", G, weight=weight)
    compare("single_source_dijkstra_path_length", G, first, weight=weight)
    compare("closeness_centrality", G, distance=weight)
    compare("eccentricity", G, weight=weight)
    compare("shortest_path_length", G, target=first, weight=weight)


@given(graphs())
@settings(max_examples=15, deadline=None)
def test_distances_come_in_their_order(G: Any) -> None:
    for lengths in ours("all_pairs_dijkstra_path_length", G, weight="w").values():
        assert list(lengths.values()) == sorted(lengths.values())
    mine, expected = ours("floyd_warshall_numpy", G, weight="w"), theirs("floyd_warshall_numpy", G, weight="w")
    assert mine.dtype == expected.dtype
    assert (mine == expected).all()


@pytest.mark.parametrize("kind", CLASSES)
def test_all_shortest_paths(kind: Any) -> None:
    G = kind([(0, 1), (1, 3), (0, 2), (2, 3), (3, 0)])
    for weight in (None, "weight"):
        mine = sorted(backend_list("all_shortest_paths", G, 0, 3, weight))
        assert mine == sorted(nx.all_shortest_paths(G, 0, 3, weight))
    assert dict(ours("single_source_all_shortest_paths", G, 0)).keys() == set(G)
    assert dict(ours("all_pairs_all_shortest_paths", G)).keys() == set(G)


@pytest.mark.parametrize("kind", [nx.Graph, nx.DiGraph])
def test_shortest_simple_paths(kind: Any) -> None:
    G = kind(nx.gnm_random_graph(9, 22, seed=3))
    G.add_node("alone")
    for u, v, data in G.edges(data=True):
        data["weight"] = (3 * u + v) % 5 + 1
    for weight in (None, "weight", lambda u, v, data: None if u + v == 5 else data["weight"] / 8):
        mine = backend_list("shortest_simple_paths", G, 0, 7, weight)
        expected = list(nx.shortest_simple_paths(G, 0, 7, weight, backend="networkx"))
        assert len(mine) > 64
        assert sorted(mine) == sorted(expected)
        lengths = [[sum_along(G, path, weight) for path in paths] for paths in (mine, expected)]
        assert lengths[0] == lengths[1]
        assert backend_list("shortest_simple_paths", G, 3, 3, weight) == [[3]]
        for ends in ((0, "alone"), (0, "none"), ("none", 0)):
            with pytest.raises(nx.NetworkXException) as theirs:
                list(nx.shortest_simple_paths(G, *ends, weight, backend="networkx"))
            with pytest.raises(theirs.type, match=str(theirs.value)):
                backend_list("shortest_simple_paths", G, *ends, weight)
    G.add_edge(0, 1, weight=-0.5)
    with pytest.raises(NotImplementedError):
        backend_list("shortest_simple_paths", G, 0, 7, "weight")
    with pytest.raises(nx.NetworkXNotImplemented):
        nx.shortest_simple_paths(nx.MultiGraph(G), 0, 7, backend="apsp")


def sum_along(G: Any, path: list[Any], weight: Any) -> Any:
    """The length of a path."""
    if weight is None:
        return len(path)
    return sum(weight(u, v, G[u][v]) if callable(weight) else G[u][v][weight] for u, v in pairwise(path))


def backend_list(name: str, G: Any, *args: Any) -> list[Any]:
    from apsp.compat.networkx import backend

    return list(getattr(backend, name)(backend.convert_from_nx(G), *args))


@pytest.mark.parametrize("name", ["average_shortest_path_length", "wiener_index"])
def test_sums_with_edges_without_a_length_are_left_to_networkx(name: str) -> None:
    """NetworkX adds up the distances that exist if the graph is connected by all of its edges."""
    G = nx.path_graph(4)
    nx.set_edge_attributes(G, 2, "w")
    G[0][1]["w"] = None
    assert isinstance(ours(name, G, weight="w"), Left)


def test_mean_distance_by_the_rules_of_the_method() -> None:
    G = nx.path_graph(4)
    for method in ("floyd-warshall", "floyd-warshall-numpy"):  # for which NetworkX calls no function
        mine = ours("average_shortest_path_length", G, weight=lambda *_: 2, method=method)
        assert isinstance(mine, Left)
    G.add_edge(0, 1, w=-1)
    compare("average_shortest_path_length", G, weight="w", method="bellman-ford")
    G.add_node(4)
    compare("average_shortest_path_length", G, weight="w", method="bellman-ford")
