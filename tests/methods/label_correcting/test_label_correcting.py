"""Label correcting where its own ideas could go wrong: widening labels, both orders of work, equal labels, heights."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apsp.errors import NegativeCycleError
from apsp.graph.convert import from_edges
from apsp.graph.generate import generate
from apsp.graph.model import Graph
from apsp.methods import registry
from apsp.methods.problem import Problem
from apsp.result import paths
from apsp.semiring import is_unreachable
from examples import examples


def assert_paths(graph: Graph, dist: np.ndarray, pred: np.ndarray) -> None:
    """Every arc of every tree is tight, and walking up ends at the source."""
    tails, heads = graph.tails(), graph.indices
    length = np.full((graph.n, graph.n), np.nan)
    length[tails, heads] = graph.arc_weights(np.float64)
    for source in range(graph.n):
        reached = np.flatnonzero(~is_unreachable(dist)[source] & (np.arange(graph.n) != source))
        before = pred[source, reached]
        assert (before >= 0).all()
        np.testing.assert_array_equal(dist[source, before] + length[before, reached], dist[source, reached])
        for v in reached[:: max(1, len(reached) // 5)]:
            paths.walk(pred[source], source, int(v))
    assert (pred[is_unreachable(dist)] == -1).all()


@pytest.mark.parametrize("kind", ["random", "rmat", "ring", "grid", "complete", "dag", "negative"])
@pytest.mark.parametrize("dtype", ["int32", "int64"])
def test_kinds_of_graphs(rows: Any, kind: Any, dtype: str) -> None:
    """Several batches, so that both orders of work are tried."""
    graph = generate(kind, 290, seed=4, weights=(0, 60) if kind != "ring" else (900, 1000))
    expected = rows(graph, "johnson", dtype)[0]
    dist, pred = rows(graph, "label-correcting", dtype)
    np.testing.assert_array_equal(dist, expected)
    assert_paths(graph, dist, pred)
    again = rows(graph, "label-correcting", dtype, threads=1)
    np.testing.assert_array_equal(again[0], dist)
    np.testing.assert_array_equal(again[1], pred)


@pytest.mark.parametrize(("low", "high"), [(60_000, 70_000), (1, 3000), (2**31 - 9000, 2**31 - 2), (2**40, 2**41)])
def test_labels_widen_where_sums_leave_their_range(rows: Any, low: int, high: int) -> None:
    n = 300
    rng = np.random.default_rng(3)
    tails, heads = np.arange(n), (np.arange(n) + 1) % n
    graph = from_edges(
        np.concatenate([tails, rng.integers(0, n, n)]),
        np.concatenate([heads, rng.integers(0, n, n)]),
        rng.integers(low, high, 2 * n),
        n=n,
    )
    expected = rows(graph, "dijkstra", "int64")[0]
    np.testing.assert_array_equal(rows(graph, "label-correcting", "int64")[0], expected)
    if high < 2**20:
        np.testing.assert_array_equal(rows(graph, "label-correcting", "int32")[0], expected)


def test_sixteen_bits_to_the_last_value(rows: Any) -> None:
    for last in (65_533, 65_534, 65_535, 65_536):
        graph = from_edges([0, 1, 2], [1, 2, 3], [last - 40_000, 39_999, 1], n=4)
        assert rows(graph, "label-correcting", "int32")[0][0, 3] == last
        near = rows(graph, "label-correcting", "int32", cutoff=last - 1)[0]
        assert near[0, 2] == last - 1
        assert is_unreachable(near)[0, 3]


def test_arcs_that_rounding_swallows(rows: Any) -> None:
    """1e-30 added to 1 is nothing: labels do not rise along a cycle of such arcs, and paths must not go round it."""
    weights = np.array([1.0, 1e-30, 1e-30, 1e-30, 1e-30, 2.0])
    graph = from_edges([0, 1, 2, 3, 3, 2], [1, 2, 3, 1, 2, 4], weights, n=5)
    for dtype in ("float32", "float64"):
        dist, pred = rows(graph, "label-correcting", dtype, [0])
        assert dist.tolist() == [[0.0, 1.0, 1.0, 1.0, 3.0]]
        assert pred.tolist() == [[-1, 0, 1, 2, 2]]


def test_chains_of_zero_arcs(rows: Any) -> None:
    n = 400
    order = np.random.default_rng(5).permutation(n)
    ends = np.concatenate([order[:-1], order[1:]]), np.concatenate([order[1:], order[:-1]])
    graph = from_edges(*ends, np.zeros(2 * (n - 1), dtype=np.int32), n=n)
    dist, pred = rows(graph, "label-correcting", "uint16")
    assert (dist == 0).all()
    assert_paths(graph, dist, pred)


def test_a_negative_cycle_is_named(rows: Any) -> None:
    for dtype in ("int32", "int64", "float64"):
        graph = from_edges([0, 1, 2, 3], [1, 2, 0, 0], np.array([4, -7, 2, 1], dtype=dtype))
        with pytest.raises(NegativeCycleError) as caught:
            rows(graph, "label-correcting", dtype)
        assert sorted(caught.value.cycle) == [0, 1, 2]
        assert caught.value.length == -1


def test_cutoff_below_zero_with_negative_arcs(rows: Any) -> None:
    graph = from_edges([0, 1, 2], [1, 2, 3], np.array([5, -9, 1]), n=4)
    dist, pred = rows(graph, "label-correcting", "int32", [0], cutoff=-3)
    assert is_unreachable(dist).tolist() == [[True, True, False, False]]
    assert pred.tolist() == [[-1, 0, 1, 2]]
    same = rows(graph, "johnson", "int32", [0], cutoff=-3)
    np.testing.assert_array_equal(dist, same[0])
    np.testing.assert_array_equal(pred, same[1])


@settings(deadline=None, max_examples=examples(60))
@given(st.integers(1, 150), st.integers(0, 5), st.integers(0, 2**32 - 1), st.sampled_from([1, 9, 1000, 60_000]))
def test_random_graphs_agree_to_the_last_bit(rows: Any, n: int, degree: int, seed: int, high: int) -> None:
    rng = np.random.default_rng(seed)
    ends = rng.integers(0, n, (2, degree * n))
    height = rng.integers(-high, high + 1, n) if seed % 2 else np.zeros(n, dtype=np.int64)
    graph = from_edges(*ends, rng.integers(0, high + 1, degree * n) + height[ends[0]] - height[ends[1]], n=n)
    sources = rng.integers(0, n, rng.integers(0, 2 * n))
    expected = rows(graph, "johnson", "int32", sources, pred=False)[0]
    np.testing.assert_array_equal(rows(graph, "label-correcting", "int32", sources, pred=False)[0], expected)
    if not graph.has_negative_arc:
        hops = rows(graph.unweighted(), "bfs", "int32", sources, pred=False)[0]
        np.testing.assert_array_equal(rows(graph.unweighted(), "bit-bfs", "int32", sources, pred=False)[0], hops)


@pytest.mark.parametrize("method", ["label-correcting", "bit-bfs"])
def test_a_problem_on_a_gpu_goes_to_the_solver_of_gpus(method: str) -> None:
    module, graph = registry.load(registry.get(method)), generate("random", 50, seed=1).unweighted()
    on_cpu = module.prepare(Problem(graph, np.dtype("int32")))
    on_gpu = module.prepare(Problem(graph, np.dtype("int32"), device="cuda", gpus=(0,)))
    assert [("on_gpu" in type(solver).__module__) for solver in (on_gpu, on_cpu)] == [True, False]
