from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_array
from scipy.sparse.csgraph import shortest_path

import apsp
from apsp.errors import DtypeRangeError, NegativeCycleError
from apsp.facts import statistics
from apsp.facts.bounds import DistanceBound, coarse_bound, distance_bound
from apsp.facts.depth import with_depth
from apsp.facts.statistics import statistics_of
from apsp.graph.convert import from_edges
from apsp.graph.model import Graph
from apsp.methods.problem import Problem
from apsp.methods.reference import prepare
from apsp.semiring import is_unreachable
from examples import examples


def finite_distances(graph: Graph) -> np.ndarray:
    """By SciPy, which knows neither arcs of weight 0 nor zones, or by the plain method, which is slow."""
    if graph.weights is not None and graph.zones is None and (graph.weights > 0).all():
        dist = shortest_path(csr_array((graph.weights, graph.indices, graph.indptr), shape=(graph.n, graph.n)))
        return dist[np.isfinite(dist)]
    dtype = np.dtype(np.int64 if graph.has_integer_weights else np.float64)
    dist = np.empty((graph.n, graph.n), dtype=dtype)
    prepare(Problem(graph, dtype)).fill(np.arange(graph.n, dtype=np.int32), dist, None)
    return dist[~is_unreachable(dist)]


@st.composite
def graphs(draw: st.DrawFn) -> Graph:
    n = draw(st.integers(1, 20))
    vertex = st.integers(0, n - 1)
    arcs = draw(st.lists(st.tuples(vertex, vertex, st.integers(0, 90)), max_size=4 * n))
    tails, heads, weights = (np.array([arc[k] for arc in arcs], dtype=np.int64) for k in range(3))
    if draw(st.booleans()):
        height = np.array(draw(st.lists(st.integers(-50, 50), min_size=n, max_size=n)))
        weights = weights + height[tails] - height[heads]
    zones = np.array(draw(st.lists(st.booleans(), min_size=n, max_size=n))) if draw(st.booleans()) else None
    dtype = draw(st.sampled_from(["hops", "int32", "int64", "float32", "float64"]))
    lengths = None if dtype == "hops" else weights.astype(dtype) * (0.1 if dtype[0] == "f" else 1)
    return from_edges(tails, heads, lengths, n=n, zones=zones)


@settings(deadline=None, max_examples=examples(300))
@given(graphs())
def test_every_distance_is_within_the_bound(graph: Graph) -> None:
    bound = distance_bound(graph)
    distances = finite_distances(graph)
    assert bound.low <= 0 <= bound.high
    assert bound.low <= distances.min() <= distances.max() <= bound.high
    assert bound.reason
    if graph.has_integer_weights:
        assert isinstance(bound.low, int)
        assert isinstance(bound.high, int)


def test_two_searches_prove_more_than_the_number_of_arcs() -> None:
    rng = np.random.default_rng(1)
    ring = rng.permutation(2000)
    tails, heads = np.concatenate([ring, np.roll(ring, -1)]), np.concatenate([np.roll(ring, -1), ring])
    graph = from_edges(tails, heads, rng.integers(1, 1001, 4000), n=2000)
    bound = distance_bound(graph)
    assert bound.high < 3 * finite_distances(graph).max()
    assert bound.low == 0
    assert "component" in bound.reason


@pytest.mark.slow
def test_a_few_sweeps_prove_it_where_paths_have_few_arcs() -> None:
    """Also if some vertices do not reach the others, or are not reached."""
    rng = np.random.default_rng(1)
    graph = from_edges(rng.integers(0, 2000, 8000), rng.integers(0, 2000, 8000), rng.integers(1, 1001, 8000), n=2000)
    assert len(finite_distances(graph)) < 2000**2
    bound = distance_bound(graph)
    assert finite_distances(graph).max() <= bound.high < 65_535
    assert "what paths through vertex" in bound.reason


def test_one_search_proves_it_where_the_graph_is_undirected() -> None:
    rng = np.random.default_rng(1)
    ring = rng.permutation(2000)
    graph = from_edges(ring, np.roll(ring, -1), rng.integers(1, 1001, 2000), directed=False)
    longest = finite_distances(graph).max()
    bound = distance_bound(graph)
    assert longest <= bound.high <= 2 * longest
    assert "twice the longest distance from vertex 0" in bound.reason
    apart = from_edges(np.append(ring, 2000), np.append(np.roll(ring, -1), 2001), [*[1000] * 2000, 5], directed=False)
    assert 1_000_000 <= distance_bound(apart).high <= 2_000_000


def test_an_arc_beyond_uint16_needs_no_proof_for_uint16() -> None:
    graph = from_edges([0, 1, 2], [1, 2, 0], [70_000, 1, 1])
    assert distance_bound(graph).reason == "n - 1 times the longest arc"
    assert apsp.solve(graph).distances.dtype == np.int32


def test_a_chain_of_components() -> None:
    rings = [(5 * k + i, 5 * k + (i + 1) % 5, 3_000) for k in range(4) for i in range(5)]
    steps = [(5 * k, 5 * k + 7, 60_000) for k in range(3)]
    graph = from_edges(*(np.array(column) for column in zip(*rings, *steps, strict=True)), n=20)
    assert finite_distances(graph).max() <= distance_bound(graph).high <= 180_000 + 4 * 24_000


def test_a_path_through_zones_is_no_path() -> None:
    graph = from_edges([0, 1, 2, 3], [1, 2, 3, 0], [50_000] * 4, zones=np.ones(4, dtype=bool))
    assert distance_bound(graph).high == 50_000


def test_a_complete_graph_is_bounded_by_its_longest_arc() -> None:
    matrix = np.full((50, 50), 40_000)
    bound = distance_bound(apsp.from_dense(matrix))
    assert bound.high == 40_000
    assert "every vertex has an arc to every other" in bound.reason
    matrix[2, 3] = apsp.unreachable(matrix.dtype)
    loops = apsp.from_dense(matrix)
    with_loop = apsp.from_edges([*loops.tails(), 4], [*loops.indices, 4], [*loops.weights, 0])  # as many arcs
    assert distance_bound(with_loop).high > 40_000


def test_extremes() -> None:
    assert distance_bound(from_edges([], [], [], n=0)).high == 0
    assert distance_bound(from_edges([], [], None, n=3)).high == 0
    top = 2**63 - 1
    bound = distance_bound(from_edges([0, 1], [1, 2], [top, top]))
    assert bound.high >= 2 * top
    bound = distance_bound(from_edges([0, 1], [1, 2], [-top, -top]))
    assert bound.low <= -2 * top
    with pytest.raises(NegativeCycleError):
        distance_bound(from_edges([0, 1], [1, 0], [1, -2]))


@pytest.mark.parametrize("integers", [True, False])
def test_the_bound_holds_where_sums_leave_the_range_of_a_search(integers: bool) -> None:
    """Few arcs of about an eighth of the range: about one graph in a hundred has such a sum, and no smaller bound."""
    most: Any = 2**63 - 1 if integers else float(np.finfo(np.float64).max)
    lengths = [1, most // 8 + 1, most // 8 + 1, most // 4] if integers else [1.0, most / 8, most / 7, most / 4]
    for seed in range(1_000):
        rng = random.Random(seed)
        n = rng.randint(3, 4)
        tails, heads, weights = zip(
            *((rng.randrange(n), rng.randrange(n), rng.choice(lengths)) for _ in range(rng.randint(2, n))), strict=True
        )
        zones = np.array([rng.random() < 0.3 for _ in range(n)]) if rng.random() < 0.3 else None
        graph = from_edges(tails, heads, np.array(weights), n=n, zones=zones, directed=rng.random() < 0.7)
        assert max(exact_distances(graph)) <= distance_bound(graph).high, seed


def exact_distances(graph: Graph) -> list[Fraction]:
    """Floyd-Warshall in exact numbers."""
    n = graph.n
    closed = [False] * n if graph.zones is None else graph.zones.tolist()
    dist: list[list[Fraction | None]] = [[Fraction(0) if u == v else None for v in range(n)] for u in range(n)]
    assert graph.weights is not None
    for u, v, w in zip(graph.tails().tolist(), graph.indices.tolist(), graph.weights.tolist(), strict=True):
        if u != v and (dist[u][v] is None or Fraction(w) < dist[u][v]):
            dist[u][v] = Fraction(w)
    for k in range(n):
        for u in range(n):
            if (first := dist[u][k]) is None or closed[k]:
                continue
            for v in range(n):
                if (second := dist[k][v]) is not None and (dist[u][v] is None or first + second < dist[u][v]):
                    dist[u][v] = first + second
    return [d for row in dist for d in row if d is not None]


def test_sums_beyond_the_range_of_the_search_prove_nothing() -> None:
    length = 2**60 + 1
    graph = from_edges([0, 2], [2, 1], [length, length], n=3)
    assert distance_bound(graph).high == 2 * length
    with pytest.raises(DtypeRangeError, match="no integer dtype"):
        apsp.solve(graph)
    back = from_edges([1, 2, 0], [2, 0, 3], [length, length, 1], n=4)
    assert distance_bound(back).high == 2 * length + 1
    most = float(np.finfo(np.float64).max)
    floats = from_edges([0, 2, 1, 1], [2, 1, 3, 3], [0.2 * most, 0.3 * most, 0.6 * most, 0.6 * most], n=4)
    assert distance_bound(floats).high > most
    with pytest.raises(DtypeRangeError, match="may overflow"):
        apsp.solve(floats)


def test_a_coarse_bound_takes_no_searches_and_stays_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    graph = apsp.generate("rmat", 256, seed=1)
    fine = distance_bound(graph)

    def refused(_: Graph) -> DistanceBound:
        raise AssertionError("a search for the bound")

    with monkeypatch.context() as changed:
        changed.setattr(statistics, "distance_bound", refused)
        coarse = with_depth(statistics_of(graph, coarse=True), graph)
        assert coarse.bound == DistanceBound(0, 255 * graph.longest_arc, "n - 1 times the longest arc", is_coarse=True)
        assert statistics_of(graph, coarse=True) == coarse
    assert statistics_of(graph).bound == fine
    assert statistics_of(graph, coarse=True).bound == fine
    assert not fine.is_coarse


@given(graphs())
def test_coarse_bounds_hold(graph: Graph) -> None:
    if not graph.has_negative_arc:
        found = coarse_bound(graph)
        assert found.low == 0
        assert (finite_distances(graph) <= found.high).all()
