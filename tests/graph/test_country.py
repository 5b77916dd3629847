"""A generated country: its shape, its roads, and how its order of elimination grows."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from scipy.sparse.csgraph import connected_components

import apsp
from apsp.methods.elimination.tree import elimination_tree


def speeds(graph: apsp.Graph) -> np.ndarray:
    """Metres per second of each arc."""
    metres = np.hypot(*(graph.coordinates[graph.tails()] - graph.coordinates[graph.indices]).T)
    return metres / graph.weights


def undirected(graph: apsp.Graph) -> nx.Graph:
    found = nx.Graph(zip(graph.tails().tolist(), graph.indices.tolist(), strict=True))
    found.add_nodes_from(range(graph.n))
    return found


@pytest.fixture(scope="module")
def country() -> apsp.Graph:
    return apsp.generate("country", 30_000, seed=4)


@pytest.mark.parametrize("directed", [True, False])
@pytest.mark.parametrize("n", [0, 1, 2, 4, 5, 79, 80, 81, 250, 2999, 3000, 7001])
def test_every_size(n: int, directed: bool) -> None:
    for seed in range(3):
        graph = apsp.generate("country", n, seed=seed, directed=directed)
        assert (graph.n, graph.directed) == (n, directed)
        assert n == 0 or connected_components(graph.to_scipy(), connection="strong")[0] == 1
        assert graph.weights.dtype == np.int32
        assert not n or np.isfinite(graph.coordinates).all()
        assert not (graph.tails() == graph.indices).any()
        assert n < 2 or (graph.weights.min() >= 1 and speeds(graph).max() < 34)


def test_the_same_seed() -> None:
    graph, again, other = (apsp.generate("country", 5000, seed=seed) for seed in (1, 1, 2))
    assert graph == again
    assert graph != other


def test_degrees(country: apsp.Graph) -> None:
    degrees = np.array([degree for _, degree in undirected(country).degree()])
    assert 2.4 < degrees.mean() < 2.8
    assert 0.12 < (degrees == 1).mean() < 0.2
    assert 0.15 < (degrees == 2).mean() < 0.25
    assert degrees.max() < 12


def test_streets_lie_in_the_plane() -> None:
    """Only motorways cross other roads, on bridges."""
    country = apsp.generate("country", 8000, seed=3)
    assert not nx.check_planarity(undirected(country))[0]
    assert nx.check_planarity(without_motorways(country))[0]
    for seed in range(5):
        assert nx.check_planarity(undirected(apsp.generate("country", 2500, seed=seed)))[0]


def without_motorways(graph: apsp.Graph) -> nx.Graph:
    fast = speeds(graph) > 24
    found = undirected(graph)
    found.remove_nodes_from(np.append(graph.tails()[fast], graph.indices[fast]).tolist())
    return found


def test_motorways(country: apsp.Graph) -> None:
    fast = np.flatnonzero(speeds(country) > 24)
    ends = set(zip(country.tails()[fast].tolist(), country.indices[fast].tolist(), strict=True))
    assert len(ends) > 20
    metres = np.hypot(*(country.coordinates[country.tails()] - country.coordinates[country.indices]).T)
    assert np.median(metres[fast]) > 50 * np.median(metres)
    arcs = set(zip(country.tails().tolist(), country.indices.tolist(), strict=True))
    assert not any((head, tail) in arcs for tail, head in ends), "carriageways are one-way"
    both = apsp.generate("country", 30_000, seed=4, directed=False)
    assert (speeds(both) > 24).sum() >= 2 * len(ends)


def test_some_streets_are_one_way(country: apsp.Graph) -> None:
    arcs = set(zip(country.tails().tolist(), country.indices.tolist(), strict=True))
    share = np.mean([(head, tail) not in arcs for tail, head in arcs])
    assert 0.01 < share < 0.15


def test_sizes_follow_a_power_law() -> None:
    """The largest piece that short streets make has about 7% of all vertices, the tenth a tenth of that."""
    graph = apsp.generate("country", 100_000, seed=1)
    metres = np.hypot(*(graph.coordinates[graph.tails()] - graph.coordinates[graph.indices]).T)
    short = graph.to_scipy()
    short.data[metres[np.argsort(np.lexsort((graph.indices, graph.tails())))] > 180] = 0
    short.eliminate_zeros()
    sizes = np.sort(np.bincount(connected_components(short, directed=False)[1]))[::-1]
    assert 0.06 < sizes[0] / graph.n < 0.12
    assert 5 < sizes[0] / sizes[9] < 20
    assert 50 < sizes[0] / sizes[99] < 200


def depth(graph: apsp.Graph) -> float:
    """The mean number of ancestors of a vertex in the best order."""
    tree = elimination_tree(graph, order="best", threads=1)
    widths, found = np.diff(tree.first), np.zeros(len(tree.parent))
    for node in range(len(tree.parent) - 1, -1, -1):
        above = tree.parent[node]
        found[node] = widths[node] + (found[above] if above >= 0 else 0)
    return float(found @ widths / graph.n)


def test_separators_grow_as_those_of_roads() -> None:
    """About n^(1/3): twice as deep with eight times as many vertices; a city is deeper, and grows faster."""
    small, large = (depth(apsp.generate("country", n, seed=2)) for n in (5000, 40_000))
    assert large / small < 8**0.45
    assert depth(apsp.generate("city", 40_000, seed=2)) > 2 * large


def test_other_weights_and_arguments() -> None:
    assert apsp.generate("country", 500, weights=None).weights is None
    other = apsp.generate("country", 500, seed=3, weights=(2.0, 3.0))
    plain = apsp.generate("country", 500, seed=3)
    assert np.array_equal(other.indices, plain.indices)
    assert np.array_equal(other.coordinates, plain.coordinates)
    for wrong in ({"m": 7}, {"shape": (3, 4)}):
        with pytest.raises(apsp.RequestError):
            apsp.generate("country", 500, **wrong)
