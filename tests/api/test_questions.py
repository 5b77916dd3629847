"""Plain questions beside NetworkX: single pairs, many pairs, tables."""

from __future__ import annotations

import copy
import itertools
import math
import os
import pickle
import threading
import warnings
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import apsp
from apsp.api.pair_answers import pair_answers
from apsp.methods.searches.bidirectional import BidirectionalSearch

ARCS = st.lists(st.tuples(st.integers(0, 7), st.integers(0, 7), st.integers(0, 9)), max_size=30)


@given(ARCS, st.booleans(), st.sets(st.integers(0, 7), max_size=3), st.booleans())
def test_search_of_every_pair(arcs: list, directed: bool, zones: set, floats: bool) -> None:
    weights = np.array([w for *_, w in arcs], float if floats else int)
    graph = apsp.from_edges([u for u, *_ in arcs], [v for _, v, _ in arcs], weights, n=8, directed=directed,
                            zones=[v in zones for v in range(8)])  # fmt: skip
    search = BidirectionalSearch(graph)
    for s in range(8):
        peer = nx.MultiDiGraph() if directed else nx.MultiGraph()
        peer.add_nodes_from(range(8))
        peer.add_weighted_edges_from(arcs)
        for t in range(8):
            part = peer.subgraph([v for v in range(8) if v in (s, t) or v not in zones])
            try:
                expected = nx.dijkstra_path_length(part, s, t)
            except nx.NetworkXNoPath:
                assert search.distance(s, t) is None
                assert search.path(s, t) is None
                continue
            assert search.distance(s, t) == expected
            path = search.path(s, t)
            assert path is not None
            assert path[0] == s
            assert path[-1] == t
            assert len(set(path)) == len(path)
            assert sum(graph[u][v] for u, v in itertools.pairwise(path)) == expected


@pytest.mark.parametrize("negative", [False, True])
def test_questions(negative: bool) -> None:
    arcs = [("a", "b", 4), ("b", "c", -1 if negative else 1), ("d", "a", 2)]
    graph = apsp.from_edges(arcs)
    peer = nx.DiGraph()
    peer.add_weighted_edges_from(arcs)
    lengths = dict(nx.all_pairs_bellman_ford_path_length(peer))
    for _ in range(2):  # before and after an oracle is kept
        for s in "abcd":
            for t in "abcd":
                expected = lengths[s].get(t, math.inf)
                assert apsp.distance(graph, s, t) == expected
                if math.isinf(expected):
                    with pytest.raises(apsp.NoPathError):
                        apsp.shortest_path(graph, s, t)
                else:
                    assert nx.path_weight(peer, apsp.shortest_path(graph, s, t), "weight") == expected
    found = apsp.distances(apsp.from_edges(arcs), ["d", "a"], ["c", "c"])
    assert found.tolist() == [lengths["d"]["c"], lengths["a"]["c"]]
    assert apsp.matrix(graph, ["d"], ["a", "c"]).distances.tolist() == [[2, lengths["d"]["c"]]]


def test_container_as_networkx() -> None:
    arcs = [("a", "b", 3), ("b", "c", 4), ("c", "c", 1)]
    for kind, directed in ((nx.Graph(), False), (nx.DiGraph(), True)):
        kind.add_weighted_edges_from(arcs)
        graph = apsp.from_edges(arcs, directed=directed)
        assert (len(graph), list(graph), "a" in graph, "z" in graph) == (3, ["a", "b", "c"], True, False)
        assert list(graph.edges) == list(kind.edges)
        assert len(graph.edges) == kind.number_of_edges()
        assert list(graph.edges.data()) == list(kind.edges.data("weight"))
        assert list(graph.degree) == list(kind.degree)
        assert set(graph["b"]) == set(kind["b"])
        assert list(graph.subgraph(["c", "b"]).edges) == list(kind.subgraph(["c", "b"]).edges)


def test_plain_python() -> None:
    expected = apsp.from_edges([("a", "b", 3), ("b", "c", 4)])
    assert apsp.as_graph({"a": {"b": 3}, "b": {"c": {"weight": 4}}}) == expected
    assert apsp.as_graph([("a", "b", 3), ("b", "c", 4)]) == expected
    assert apsp.as_graph({"a": ["b"], "b": ["c"], "c": []}) == expected.unweighted()
    for odd in ([[1, 2, 3]] * 3, [(0, 1), (1, 2)], {"a": ["b"]}, [(1, 2), (1, 2, 3)], [(1, 2, "x")]):
        with pytest.raises(apsp.GraphError):
            apsp.as_graph(odd)


def test_ends_that_are_equal_or_not_connected() -> None:
    graph = apsp.from_edges([("a", "b", 3), ("b", "c", 4), ("d", "a", 1), ("c", "c", 2)])
    for _ in range(3):  # searches, and then an oracle
        assert (apsp.distance(graph, "c", "c"), apsp.shortest_path(graph, "c", "c")) == (0, ["c"])
        assert apsp.distance(graph, "c", "a") == math.inf
        with pytest.raises(apsp.NoPathError, match="no path from 'c' to 'a'"):
            apsp.shortest_path(graph, "c", "a")
        found = apsp.distances(graph, ["c", "c", "d"], ["a", "c", "b"])
        assert np.where(found == apsp.unreachable(found.dtype), -1, found.astype(float)).tolist() == [-1, 0, 4]
        assert apsp.distances(graph, [], []).shape == (0,)
        assert apsp.distances(graph, "d", ["a", "b", "c"]).tolist() == [1, 4, 8]
    alone = apsp.from_edges([], [], n=1)
    assert (apsp.distance(alone, 0, 0), apsp.shortest_path(alone, 0, 0)) == (0, [0])


@pytest.mark.parametrize("named", [False, True])
def test_vertices_that_do_not_exist(named: bool) -> None:
    graph = apsp.from_edges([0, 1], [1, 2], [3, 4], labels=["a", "b", "c"] if named else None)
    known: list = ["a", "b", "c"] if named else [0, 1, 2]
    wrong: list = ["z", 0, None, ["z"], np.nan] if named else ["a", 3, -1, None, [3], 0.5]
    for odd in wrong:
        for call in (
            lambda odd=odd: apsp.distance(graph, known[0], odd),
            lambda odd=odd: apsp.distance(graph, odd, known[0]),
            lambda odd=odd: apsp.shortest_path(graph, odd, known[0]),
            lambda odd=odd: apsp.distances(graph, [known[0], odd], known[:2]),
            lambda odd=odd: apsp.distances(graph, known[:2], odd),
            lambda odd=odd: apsp.matrix(graph, [odd], known),
            lambda odd=odd: graph[odd],
            lambda odd=odd: graph.degree[odd],
            lambda odd=odd: graph.subgraph([odd]),
        ):
            with pytest.raises((apsp.GraphError, apsp.RequestError)):
                call()
        assert odd not in graph
        assert odd not in graph.nodes
        assert (odd, known[0]) not in graph.edges
        assert (known[0], odd) not in graph.edges


def test_negative_arcs_and_cycles_beside_networkx() -> None:
    arcs = [("a", "b", 3), ("b", "c", -4), ("c", "b", 1), ("d", "b", 3), ("e", "f", -2), ("b", "f", 1), ("g", "e", 5)]
    graph = apsp.from_edges(arcs)
    peer = nx.DiGraph()
    peer.add_weighted_edges_from(arcs)
    for s in "abcdefg":
        try:
            lengths, paths = nx.single_source_bellman_ford(peer, s)
        except nx.NetworkXUnbounded:
            for call in (apsp.distance, apsp.shortest_path):
                with pytest.raises(apsp.NegativeCycleError):
                    call(graph, s, "f")
            with pytest.raises(apsp.NegativeCycleError):
                apsp.distances(graph, [s, s], ["f", "e"])
            continue
        for t in "abcdefg":
            assert apsp.distance(graph, s, t) == lengths.get(t, math.inf)
            if t in lengths:
                assert apsp.shortest_path(graph, s, t) == paths[t]
                assert apsp.distances(graph, [s], [t]).tolist() == [lengths[t]]
    assert apsp.distances(graph, [], []).shape == (0,)
    edge = apsp.from_edges([0, 1], [1, 2], [1, -1], directed=False)  # there and back is a negative cycle
    with pytest.raises(apsp.NegativeCycleError):
        apsp.distance(edge, 0, 0)


def test_pairs_in_any_order_and_number() -> None:
    rng = np.random.default_rng(3)
    for low in (1, -2):
        tails, heads = np.sort(rng.integers(0, 60, (2, 200)), axis=0)  # without cycles
        keep = tails < heads
        graph = apsp.from_edges(tails[keep], heads[keep], rng.integers(low, 9, keep.sum()), n=60)
        table = apsp.solve(graph, dtype="int64").to_numpy()
        for count in (1, 2, 7, 300):
            for few in (1, 3, 60):
                sources, targets = rng.integers(0, few, count), rng.integers(0, 60, count)
                again = apsp.Graph(graph.indptr, graph.indices, graph.weights)  # nothing is kept with it
                for _ in range(3):
                    found = apsp.distances(again, sources, targets)
                    floats = np.where(found == apsp.unreachable(found.dtype), np.inf, found)
                    np.testing.assert_array_equal(floats, table[sources, targets])


def test_container_without_vertices() -> None:
    graph = apsp.from_edges([], [])
    assert (len(graph), bool(graph), list(graph), 0 in graph) == (0, True, [], False)
    for view in (graph.nodes, graph.edges, graph.degree):
        assert len(view) == 0
        assert list(view) == []
    assert list(graph.edges.data()) == []
    assert graph.subgraph([]) == graph
    assert apsp.matrix(graph).distances.shape == (0, 0)
    for call in (lambda: graph[0], lambda: graph.degree[0], lambda: apsp.distance(graph, 0, 0)):
        with pytest.raises(apsp.GraphError, match="the graph has no vertices"):
            call()


@pytest.mark.parametrize("directed", [False, True])
def test_container_of_parallel_arcs(directed: bool) -> None:
    ends = [("a", "b", 5), ("a", "b", 2), ("a", "b", 7), ("b", "b", 1), ("b", "b", 3)]
    graph = apsp.from_edges(
        [u for u, *_ in ends], [v for _, v, _ in ends], [w for *_, w in ends], costs={"km": [10, 20, 30, 40, 50]},
        directed=directed,
    )  # fmt: skip
    assert graph.links is not None
    assert list(graph.edges) == [("a", "b"), ("b", "b")]  # of parallel links the best
    assert list(graph.edges.data()) == [("a", "b", 2), ("b", "b", 1)]
    assert list(graph.edges.data("km")) == [("a", "b", 20), ("b", "b", 40)]
    with pytest.raises(apsp.RequestError, match="costs km"):
        graph.edges.data("toll")
    assert dict(graph["a"]) == {"b": 2}
    assert dict(graph["b"]) == ({"b": 1} if directed else {"a": 2, "b": 1})
    assert list(graph.degree) == [("a", 1), ("b", 3)]
    assert (graph["a"]["b"], graph["b"].get("z"), graph["a"].get("a", 9), "b" in graph["b"]) == (2, None, 9, True)
    for error in (KeyError, apsp.GraphError, apsp.NoArcError):
        with pytest.raises(error, match="no arc from 'a' to 'z'"):
            graph["a"]["z"]
    with pytest.raises(apsp.NoArcError, match=r"^there is no arc from 'a' to 'a'$"):
        graph["a"]["a"]


def test_threads_and_forks_while_an_oracle_is_prepared() -> None:
    city = apsp.generate("city", 3000, seed=1)
    table = apsp.solve(city, sources=range(40)).to_numpy()
    for trial in range(3):
        graph = apsp.Graph(city.indptr, city.indices, city.weights)
        wrong: list[tuple[int, int]] = []
        start = threading.Barrier(8)

        def ask(seed: int, graph: apsp.Graph = graph, start: threading.Barrier = start, wrong: list = wrong) -> None:
            rng = np.random.default_rng(seed)
            start.wait()
            for s, t in zip(rng.integers(0, 40, 30).tolist(), rng.integers(0, graph.n, 30).tolist(), strict=True):
                path = apsp.shortest_path(graph, s, t)
                length = sum(graph[u][v] for u, v in itertools.pairwise(path))
                if not apsp.distance(graph, s, t) == apsp.distances(graph, s, [t])[0] == length == table[s, t]:
                    wrong.append((s, t))

        threads = [threading.Thread(target=ask, args=(10 * trial + i,)) for i in range(8)]
        for thread in threads:
            thread.start()
        with warnings.catch_warnings(action="ignore"):  # of forks beside threads
            child = os.fork()
        if child == 0:
            right = all(apsp.distance(graph, s, s + 9) == table[s, s + 9] for s in range(8))
            os._exit(0 if right else 1)
        assert os.waitpid(child, 0)[1] == 0
        for thread in threads:
            thread.join()
        assert not wrong
        assert pair_answers(graph).oracle is not None


@pytest.mark.parametrize(
    ("graph", "expected"),
    [
        (apsp.generate("city", 3000, seed=1), True),
        (apsp.generate("grid", 2500, seed=1, weights=(1, 9)), True),
        (apsp.from_edges(np.arange(9000), np.arange(9000) + 1, np.ones(9000)), True),
        (apsp.from_edges(*np.random.default_rng(1).integers(0, 3000, (2, 12_000)), np.ones(12_000), n=3000), False),
        (apsp.generate("rmat", 2048, seed=1), False),
    ],
    ids=["city", "grid", "path", "random", "rmat"],
)
def test_no_oracle_is_sought_where_searches_are_short(graph: apsp.Graph, expected: bool) -> None:
    graph = apsp.Graph(graph.indptr, graph.indices, graph.weights)
    for t in range(1, 5):
        apsp.distance(graph, 0, t)
    assert (pair_answers(graph).oracle is not None) == expected
    assert bool({"_elimination_tree", "_no_elimination_tree"} & vars(graph).keys()) == expected


def test_what_is_kept_stays_with_its_graph() -> None:
    city = apsp.generate("city", 500, seed=1)
    lengths = [apsp.distance(city, 0, t) for t in range(5)]
    assert pair_answers(city).oracle is not None
    twice = city.with_weights(2 * city.weights)
    assert [apsp.distance(twice, 0, t) for t in range(5)] == [2 * length for length in lengths]
    for other in (pickle.loads(pickle.dumps(city)), copy.copy(city), copy.deepcopy(city)):
        assert other == city
        assert pair_answers(other).oracle is None
        assert [apsp.distance(other, 0, t) for t in range(5)] == lengths


@pytest.mark.gpu
@pytest.mark.parametrize("negative", [False, True])
def test_matrix_on_a_gpu(cupy: Any, negative: bool) -> None:
    lengths = np.array(
        [[0, 3, np.inf, 9], [np.inf, 0, 4, np.inf], [2, -1 if negative else 1, 0, 1], [np.inf] * 3 + [0]]
    )
    on_host, on_gpu = apsp.from_dense(lengths), apsp.as_graph(cupy.asarray(lengths))
    for _ in range(4):
        for s in range(4):
            for t in range(4):
                assert apsp.distance(on_gpu, s, t) == apsp.distance(on_host, s, t)
        assert apsp.shortest_path(on_gpu, 0, 3) == apsp.shortest_path(on_host, 0, 3)
        with pytest.raises(apsp.NoPathError):
            apsp.shortest_path(on_gpu, 3, 0)
        pairs = [0, 1, 2, 3, 0], [3, 0, 1, 0, 0]
        assert apsp.distances(on_gpu, *pairs).tolist() == apsp.distances(on_host, *pairs).tolist()
    assert np.array_equal(apsp.matrix(on_gpu, [2], [0, 1]).to_numpy(), apsp.matrix(on_host, [2], [0, 1]).to_numpy())
    assert (len(on_gpu), 3 in on_gpu, 4 in on_gpu, list(on_gpu)) == (4, True, False, [0, 1, 2, 3])
    assert list(on_gpu.edges.data()) == list(on_host.edges.data())
    assert dict(on_gpu[2]) == dict(on_host[2])
    assert list(on_gpu.degree) == list(on_host.degree)
    assert list(on_gpu.subgraph([0, 1]).edges) == list(on_host.subgraph([0, 1]).edges)
