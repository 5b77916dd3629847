"""The Wiener index and its relatives: NetworkX's values, and exact integers where NetworkX has floats."""

from __future__ import annotations

import itertools
import math

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import apsp
from apsp.errors import RequestError

NAMES = ["wiener_index", "hyper_wiener_index", "schultz_index", "gutman_index"]


def graph_of(seed: int, *, weighted: bool, connected: bool) -> nx.Graph:
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 25))
    graph = nx.Graph()
    graph.add_nodes_from(f"v{node}" for node in range(n))
    ends = rng.integers(0, n, (n, 2)).tolist() + [(node, node + 1) for node in range(n - 1) if connected]
    for u, v in ends:
        graph.add_edge(f"v{u}", f"v{v}", **({"weight": int(rng.integers(0, 9))} if weighted else {}))
    return graph


@given(seed=st.integers(0, 10**6), weighted=st.booleans(), connected=st.booleans())
def test_equals_networkx(seed, weighted, connected) -> None:
    graph = graph_of(seed, weighted=weighted, connected=connected)
    weight = "weight" if weighted else None
    for name in NAMES:
        if hasattr(nx, name):
            assert getattr(apsp, name)(graph) == getattr(nx, name)(graph, weight=weight), name


@pytest.mark.parametrize("dtype", ["uint16", "int32", "int64", "float32", "float64"])
@pytest.mark.parametrize("factor", [1, 2**20, 2**44, 2**55])
def test_sums_are_exact(dtype, factor) -> None:
    """Squares of long distances fit neither int64 nor, in the last case, the 128 bits of the kernel."""
    if factor > {"uint16": 1, "float32": 1, "int32": 2**20, "float64": 2**44, "int64": 2**55}[dtype]:
        pytest.skip("the distances do not fit")
    graph = apsp.from_edges([0, 1, 2, 0], [1, 2, 3, 3], [3 * factor, factor, 2 * factor, 9 * factor], directed=False)
    dist = [[int(d) for d in row] for row in apsp.solve(graph, dtype=dtype).distances]
    pairs = list(itertools.combinations(range(4), 2))
    found = apsp.summary(graph, measures=NAMES, dtype=dtype, rows=3)
    degrees = [2, 2, 2, 2]
    expected = [
        sum(dist[u][v] for u, v in pairs),
        sum(dist[u][v] ** 2 + dist[u][v] for u, v in pairs),
        sum(dist[u][v] * (degrees[u] + degrees[v]) for u, v in pairs),
        sum(dist[u][v] * degrees[u] * degrees[v] for u, v in pairs),
    ]
    for name, value in zip(NAMES, expected, strict=True):
        if dtype.startswith("float"):
            assert found[name] == pytest.approx(value, rel=1e-15)
        else:
            assert found[name] == value
            assert type(found[name]) is int


def test_self_loops_count_twice_and_pairs_without_a_path_are_infinite() -> None:
    graph = nx.Graph([(0, 1), (1, 1), (1, 2)])
    assert apsp.gutman_index(graph) == nx.gutman_index(graph) == 4 + 4 + 2
    graph.add_node(3)
    for name in NAMES:
        assert getattr(apsp, name)(graph) == math.inf


def test_directed_graphs_are_refused_as_in_networkx() -> None:
    graph = nx.DiGraph([(0, 1), (1, 0)])
    for name in NAMES[1:]:
        with pytest.raises(RequestError, match=f"{name} is of undirected graphs"):
            getattr(apsp, name)(graph)
        with pytest.raises(nx.NetworkXNotImplemented):
            getattr(nx, name)(graph)
    assert apsp.wiener_index(graph) == nx.wiener_index(graph)


def test_one_vertex_and_none() -> None:
    for n in (0, 1):
        graph = apsp.from_edges([], [], n=n, directed=False)
        assert [getattr(apsp, name)(graph) for name in NAMES] == [0, 0, 0, 0]


def test_what_was_not_kept_is_said() -> None:
    graph = apsp.from_edges([0, 1], [1, 2], directed=False)
    found = apsp.summary(graph)
    for name in NAMES[1:]:
        with pytest.raises(RequestError, match=f"pass measures='{name}'"):
            found[name]
    part = apsp.summary(graph, measures=NAMES, sources=[0])
    for name in NAMES:
        with pytest.raises(RequestError, match="needs the rows of all 3 vertices; 1 were added"):
            part[name]
