from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csgraph

from apsp import _cpu
from apsp.errors import GraphError, NoPathError, VerificationError
from apsp.graph.convert import from_edges
from apsp.graph.csr import arc_arrays
from apsp.graph.model import Graph
from apsp.result import paths
from apsp.semiring import bound_in

INF = np.iinfo(np.int32).max


def reference(graph: Graph, dtype: str = "int64") -> tuple[np.ndarray, np.ndarray]:
    from apsp.methods.problem import Problem
    from apsp.methods.reference import prepare

    dist = np.empty((graph.n, graph.n), dtype=dtype)
    pred = np.empty((graph.n, graph.n), dtype=np.int32)
    prepare(Problem(graph, np.dtype(dtype))).fill(np.arange(graph.n, dtype=np.int32), dist, pred)
    return dist, pred


def verified(graph: Graph, dist: np.ndarray, pred: np.ndarray | None = None, **options: Any) -> tuple[int, int]:
    weights = graph.arc_weights(np.int64 if dist.dtype.kind in "iu" else np.float64)
    sources = np.arange(graph.n, dtype=np.int32)
    cutoff, tolerance = options.get("cutoff"), options.get("tolerance", 0.0)
    limit = None if cutoff is None else bound_in(cutoff, dist.dtype)
    return _cpu.verify_rows(arc_arrays(graph, weights), sources, dist, pred, limit, 0.0, tolerance, 2)


@st.composite
def graphs(draw: st.DrawFn) -> Graph:
    n = draw(st.integers(1, 14))
    vertex = st.integers(0, n - 1)
    arcs = draw(st.lists(st.tuples(vertex, vertex, st.integers(0, draw(st.sampled_from([0, 1, 30])))), max_size=4 * n))
    tails, heads, weights = (np.array([arc[k] for arc in arcs], dtype=np.int64) for k in range(3))
    if draw(st.booleans()):
        height = np.array(draw(st.lists(st.integers(-20, 20), min_size=n, max_size=n)))
        weights = weights + height[tails] - height[heads]
    zones = np.array(draw(st.lists(st.booleans(), min_size=n, max_size=n))) if draw(st.booleans()) else None
    return from_edges(tails, heads, weights, n=n, zones=zones)


def test_walk() -> None:
    pred = np.array([-1, 0, 1, -1, 3], dtype=np.int32)
    assert paths.walk(pred, 0, 2) == [0, 1, 2]
    assert paths.walk(pred, 3, 3) == [3]
    assert paths.walk(pred, 3, 4) == [3, 4]
    for source, target in ((0, 3), (1, 4), (2, 0)):
        with pytest.raises(NoPathError):
            paths.walk(pred, source, target)


@pytest.mark.parametrize("corrupt", [[1, 0, -1], [0, 1, -1], [7, -1, -1], [-5, -1, -1]])
def test_walk_in_a_corrupt_row(corrupt: list[int]) -> None:
    with pytest.raises(VerificationError, match="corrupt"):
        paths.walk(np.array(corrupt, dtype=np.int32), 2, 0)


def test_replay() -> None:
    graph = from_edges([0, 1, 1], [1, 2, 0], [2, 3, 10**12], n=4, labels=["a", "b", "c", "d"])
    assert paths.replay(graph, ["a", "b", "c"]) == 5
    assert paths.replay(graph, "d") == 0
    assert paths.replay(graph, ("b", "a")) == 10**12
    assert paths.replay(graph.unweighted(), ["a", "b", "c"]) == 2
    with pytest.raises(GraphError, match="no arc from 'c' to 'd'"):
        paths.replay(graph, "abcd")
    with pytest.raises(GraphError, match="no arc from 'a' to 'c'"):
        paths.replay(graph, "ac")
    with pytest.raises(GraphError, match="at least one"):
        paths.replay(graph, [])
    closed = graph._with(zones=np.arange(4) == 1)
    with pytest.raises(GraphError, match="passes through 'b'"):
        paths.replay(closed, "abc")


@settings(deadline=None)
@given(graphs())
def test_trees_hops_and_verification(graph: Graph) -> None:
    dist, pred = reference(graph)
    assert verified(graph, dist, pred) == (-1, -1)
    hops = paths.next_hop(pred)
    for source in range(graph.n):
        tree = paths.predecessors_from_distances(graph, source, dist[source])
        for v in range(graph.n):
            if v == source or dist[source, v] == np.iinfo(np.int64).max:
                assert hops[source, v] == tree[v] == -1
                continue
            path = paths.walk(tree, source, v)
            assert paths.replay(graph, path) == dist[source, v]
            assert hops[source, v] == paths.walk(pred[source], source, v)[1]


@settings(deadline=None)
@given(graphs(), st.data())
def test_verification_finds_every_wrong_number(graph: Graph, data: st.DataObject) -> None:
    dist, pred = reference(graph)
    row, v = data.draw(st.integers(0, graph.n - 1)), data.draw(st.integers(0, graph.n - 1))
    none = np.iinfo(np.int64).max
    for wrong in {0, 1, -3, none} | ({int(dist[row, v]) + 1, int(dist[row, v]) - 1} if dist[row, v] != none else set()):
        changed = dist.copy()
        changed[row, v] = wrong
        if wrong != dist[row, v]:
            assert verified(graph, changed)[0] == row, (wrong, dist[row, v])
    for wrong in range(-2, graph.n + 1):
        changed = pred.copy()
        changed[row, v] = wrong
        if verified(graph, dist, changed) == (-1, -1) and dist[row, v] != none:
            assert paths.replay(graph, paths.walk(changed[row], row, v)) == dist[row, v]


def test_verification_of_floats_within_a_tolerance() -> None:
    rng = np.random.default_rng(2)
    graph = from_edges(rng.integers(0, 60, 300), rng.integers(0, 60, 300), rng.random(300), n=60)
    dist = csgraph.floyd_warshall(graph.to_scipy())
    assert verified(graph, dist, tolerance=1e-13) == (-1, -1)
    assert verified(graph, dist.astype(np.float32), tolerance=1e-5) == (-1, -1)
    dist[3, 5] *= 1 + 1e-9
    assert verified(graph, dist, tolerance=1e-13)[0] == 3
    for wrong in (np.nan, -np.inf, np.inf):
        dist[3, 5] = wrong
        assert verified(graph, dist, tolerance=1e-13)[0] == 3


def test_verification_with_a_cutoff() -> None:
    graph = from_edges([0, 1, 2], [1, 2, 3], [2, 2, 2], n=4)
    dist = np.array([[0, 2, 4, INF], [INF, 0, 2, 4], [INF, INF, 0, 2], [INF, INF, INF, 0]], dtype=np.int32)
    assert verified(graph, dist, cutoff=4) == (-1, -1)
    assert verified(graph, dist, cutoff=5.5) == (-1, -1)
    assert verified(graph, dist) == (0, 3)
    assert verified(graph, dist, cutoff=3) == (0, 2)
    assert verified(graph, np.full((4, 4), INF, dtype=np.int32), cutoff=-1) == (-1, -1)
    with pytest.raises(ValueError, match="negative arcs"):
        verified(from_edges([0, 1], [1, 0], [-1, 2]), dist[:2, :2], cutoff=4)


def test_trees_from_rounded_distances() -> None:
    rng = np.random.default_rng(3)
    graph = from_edges(rng.integers(0, 80, 400), rng.integers(0, 80, 400), rng.random(400), n=80)
    exact = csgraph.floyd_warshall(graph.to_scipy())
    for dist in (exact, exact.astype(np.float32)):
        for source in range(graph.n):
            tree = paths.predecessors_from_distances(graph, source, dist[source])
            for v in np.flatnonzero(np.isfinite(dist[source])):
                length = paths.replay(graph, paths.walk(tree, source, int(v)))
                assert length == pytest.approx(exact[source, v], rel=1e-5)


def test_distances_of_another_graph() -> None:
    graph = from_edges([0, 1], [1, 2], [1, 1], n=3)
    with pytest.raises(VerificationError, match="from 0 to 2"):
        paths.predecessors_from_distances(graph, 0, np.array([0, 1, 7]))


@pytest.mark.parametrize("distances", [[0.0, 0.0], [1.0, 0.0]])
def test_float_distances_of_another_graph_with_negative_arcs(distances: list[float]) -> None:
    graph = from_edges([0, 1], [1, 0], [1, -2])
    with pytest.raises(VerificationError, match="no path has the distance from 0 to"):
        paths.predecessors_from_distances(graph, 0, np.array(distances))


def test_next_hops_of_a_corrupt_row() -> None:
    with pytest.raises(VerificationError, match="row 1"):
        paths.next_hop(np.array([[-1, 0, 1], [-1, 2, 1]], dtype=np.int32))
    with pytest.raises(VerificationError, match="row 0"):
        paths.next_hop(np.array([[-1, 9, 1]], dtype=np.int32))


def via_matrix(graph: Graph) -> tuple[np.ndarray, np.ndarray]:
    """Textbook Floyd-Warshall with the intermediate vertex of the last improvement."""
    n = graph.n
    dist = np.full((n, n), np.inf)
    dist[graph.tails(), graph.indices] = graph.weights
    np.fill_diagonal(dist, 0)
    via = np.full((n, n), -1, dtype=np.int32)
    for k in range(n):
        better = dist[:, k : k + 1] + dist[k] < dist
        via[better] = k
        dist = np.where(better, dist[:, k : k + 1] + dist[k], dist)
    return dist, via


@settings(deadline=None)
@given(graphs())
def test_via(graph: Graph) -> None:
    graph = graph._with(zones=None)
    dist, via = via_matrix(graph)
    for u in range(graph.n):
        for v in range(graph.n):
            if np.isfinite(dist[u, v]):
                assert paths.replay(graph, paths.expand_via(via, u, v)) == dist[u, v]


def test_corrupt_via() -> None:
    via = np.array([[-1, 2, 1], [-1, -1, -1], [0, 0, -1]], dtype=np.int32)
    with pytest.raises(VerificationError, match="corrupt"):
        paths.expand_via(via, 0, 1)
    with pytest.raises(VerificationError, match="corrupt"):
        paths.expand_via(np.full((2, 2), 1, dtype=np.int32), 0, 1)
