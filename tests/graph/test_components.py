"""Components: as SciPy and NetworkX find them, with the vertices that the graph has."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from scipy.sparse.csgraph import connected_components

import apsp


def random_graph(seed: int, n: int = 60, *, directed: bool = True) -> apsp.Graph:
    rng = np.random.default_rng(seed)
    tails, heads = rng.integers(0, n, (2, n + 10))
    labels, points = [f"v{k}" for k in range(n)], rng.random((n, 2))
    lengths = rng.integers(0, 9, len(tails))
    return apsp.from_edges(tails, heads, lengths, n=n, directed=directed, labels=labels, coordinates=points)


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("connection", ["strong", "weak"])
@pytest.mark.parametrize("seed", range(3))
def test_as_scipy_and_networkx(directed: bool, connection: str, seed: int) -> None:
    graph = random_graph(seed, directed=directed)
    found = apsp.components(graph, connection=connection)
    ones = graph.unweighted().to_scipy()
    count, labels = connected_components(ones, directed=directed, connection=connection)
    assert found.count == count == len(set(zip(labels.tolist(), found.membership.tolist(), strict=True)))
    search = nx.connected_components
    if directed:
        search = nx.strongly_connected_components if connection == "strong" else nx.weakly_connected_components
    expected = {frozenset(part) for part in search(graph.to_networkx())}
    assert {frozenset(found.members(k).tolist()) for k in range(found.count)} == expected
    assert found.sizes.tolist() == [len(found.members(k)) for k in range(found.count)]
    firsts = [found.membership.tolist().index(k) for k in range(found.count)]
    assert firsts == sorted(firsts)


def test_the_subgraph_is_a_part_of_the_graph() -> None:
    graph = random_graph(3)
    found = apsp.components(graph)
    part, members = found.subgraph(), found.members(found.largest)
    assert part.n == found.sizes.max() > 1
    assert list(part.labels) == members.tolist()
    theirs = graph.to_networkx().subgraph(members.tolist())
    assert nx.utils.graphs_equal(part.to_networkx(), theirs)
    inside = apsp.solve(part).distances
    np.testing.assert_array_equal(inside, apsp.solve(graph, sources=members, targets=members).distances)
    assert apsp.summary(part).unreachable_pairs == 0


def test_positions_are_kept_as_labels() -> None:
    graph = apsp.from_edges([4, 2, 2], [2, 4, 0], zones=np.arange(5) == 2)
    found = apsp.components(graph)
    part = found.subgraph(found.of(4))
    assert list(part.labels) == [2, 4]
    assert part.zones.tolist() == [True, False]
    assert found.subgraph(found.of(0)).m == 0
    whole = apsp.from_edges([0, 1], [1, 0])
    assert apsp.components(whole).subgraph() is whole


def test_zero_lengths_connect() -> None:
    found = apsp.components(apsp.from_edges([0, 1, 2], [1, 0, 3], [0, 0, 1]))
    assert (found.count, found.sizes.tolist(), found.largest) == (3, [2, 1, 1], 0)
    assert repr(found) == "Components(n=4, 3 strong components, largest=2)"


def test_no_vertices() -> None:
    found = apsp.components(np.empty((0, 0)))
    assert (found.count, found.largest, found.membership.shape, found.sizes.tolist()) == (0, None, (0,), [])
    assert repr(found) == "Components(n=0, 0 strong components)"
    with pytest.raises(apsp.RequestError, match="no component"):
        found.subgraph()


def test_what_is_refused() -> None:
    found = apsp.components(apsp.from_edges([0], [1]))
    with pytest.raises(apsp.RequestError, match="component must be a whole number from 0 to 1"):
        found.members(2)
    with pytest.raises(apsp.RequestError, match="connection must be one of strong, weak"):
        apsp.components(found.graph, connection="both")
    with pytest.raises(apsp.GraphError, match="no vertex 7"):
        found.of(7)
