"""Plain questions beside NetworkX: single pairs, many pairs, tables."""

from __future__ import annotations

import itertools
import math

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import apsp
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
