"""Rows filled with near pairs: by every kind of search the rows of Dijkstra to the last bit, and the choice of them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.executors import AtOnce

import apsp
from apsp.methods.near import matrix
from apsp.methods.near.cost import COSTS
from apsp.methods.problem import Problem
from apsp.result import paths
from apsp.semiring import is_unreachable
from examples import examples

INTEGERS = ("uint16", "int32", "int64")
ORDERED = ("uint16", "int32")
"""Dtypes of elimination."""


def rows_by(
    kind: str, graph: apsp.Graph, dtype: str, sources: Any, *, pred: bool = True, **options: Any
) -> tuple[np.ndarray, np.ndarray]:
    """Rows whose pairs are found by one kind of search, of a few sources at a time."""
    problem = Problem(graph, np.dtype(dtype), **options)
    sources = np.asarray(sources, dtype=np.int32)
    dist = np.full((len(sources), problem.columns), 77, dtype=dtype)
    before = np.full((len(sources), graph.n), -77, dtype=np.int32)
    matrix.prepare(problem, by=kind, most=8).fill(sources, dist, before if pred else None)
    return dist, before


@st.composite
def requests(draw: st.DrawFn) -> tuple[apsp.Graph, dict[str, Any]]:
    n = draw(st.integers(1, 24))
    vertex = st.integers(0, n - 1)
    high = draw(st.sampled_from([0, 1, 3, 60]))
    arcs = draw(st.lists(st.tuples(vertex, vertex, st.integers(0, high)), max_size=5 * n))
    tails, heads, weights = (np.array([arc[k] for arc in arcs], dtype=np.int64) for k in range(3))
    zones = np.array(draw(st.lists(st.booleans(), min_size=n, max_size=n))) if draw(st.booleans()) else None
    graph = apsp.from_edges(tails, heads, weights, n=n, zones=zones, directed=draw(st.booleans()))
    vertices = st.lists(vertex, max_size=2 * n)
    options = {"sources": draw(vertices), "cutoff": draw(st.integers(0, 90)), "threads": draw(st.integers(1, 3))}
    if draw(st.booleans()):
        options["targets"] = np.array(draw(vertices), dtype=np.int32)
    return graph, options


def check_paths(graph: apsp.Graph, sources: Any, dist: np.ndarray, pred: np.ndarray) -> None:
    """Every path that the predecessors name has the distance of the row, of floats up to rounding."""
    rounding = graph.n * np.finfo(dist.dtype).eps if dist.dtype.kind == "f" else 0.0
    for row, source in enumerate(sources):
        assert pred[row, source] == -1
        reached = ~is_unreachable(dist[row])
        assert (pred[row][~reached] == -1).all()
        for v in np.flatnonzero(reached):
            length = 0 if v == source else paths.replay(graph, paths.walk(pred[row], source, v))
            assert abs(length - dist[row, v].item()) <= rounding * length


@pytest.mark.parametrize("kind", COSTS)
@settings(deadline=None, max_examples=examples(60))
@given(given_=requests())
def test_rows_are_those_of_dijkstra(rows: Any, kind: str, given_: tuple[apsp.Graph, dict[str, Any]]) -> None:
    graph, options = given_
    whole = {key: value for key, value in options.items() if key != "targets"}
    for dtype in ORDERED if kind == "elimination" else (*INTEGERS, "float32", "float64"):
        dist, pred = rows_by(kind, graph, dtype, **options)
        alone, _ = rows_by(kind, graph, dtype, pred=False, **options)
        expected, _ = rows(graph, "dijkstra", dtype, **options)
        np.testing.assert_array_equal(dist, expected)
        np.testing.assert_array_equal(alone, expected)
        all_columns, _ = rows(graph, "dijkstra", dtype, **whole)
        check_paths(graph, options["sources"], all_columns, pred)


@pytest.mark.few(1)
@pytest.mark.parametrize("kind", ["searches", "label-correcting"])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_rounded_sums(rows: Any, kind: str, dtype: str) -> None:
    """Arcs that vanish beside others, and decimal fractions: distances to the last bit, and paths that end."""
    random = np.random.default_rng(3)
    n, m = 300, 1500
    weights = random.choice([1e-30, 0.1, 0.3, 1e-9, 0.0, 7.7], m).astype(dtype)
    graph = apsp.from_edges(random.integers(0, n, m), random.integers(0, n, m), weights, n=n)
    sources = np.arange(0, n, 7, dtype=np.int32)
    for cutoff in (0, 0.30000001192092896, 1.7, 20):
        dist, pred = rows_by(kind, graph, dtype, sources, cutoff=cutoff)
        np.testing.assert_array_equal(dist, rows(graph, "dijkstra", dtype, sources, cutoff=cutoff)[0])
        check_paths(graph, sources, dist, pred)


def city(n: int = 6000) -> apsp.Graph:
    return apsp.generate("city", n, seed=2)


def test_it_is_chosen_where_little_is_near() -> None:
    graph = city()
    plan = apsp.plan(graph, cutoff=30)
    assert plan.method == "near-pairs"
    assert "vertices are within the cutoff of each source" in plan.explain()
    assert apsp.plan(graph, cutoff=30, for_="stream").method == "near-pairs"
    for other in (apsp.plan(graph), apsp.plan(graph, cutoff=5000), apsp.plan(graph, cutoff=30, sources=[0])):
        assert other.method != "near-pairs"
        assert "near-pairs - not needed" in other.explain()


def test_results_streams_stores_and_workers_agree(tmp_path: Any) -> None:
    graph = city()
    sources, targets = np.arange(0, graph.n, 5), np.arange(0, graph.n, 7)
    for given_ in ({}, {"targets": targets}):
        options: dict[str, Any] = {"sources": sources, "cutoff": 60, "paths": not given_, **given_}
        expected = apsp.solve(graph, **options, method="dijkstra-buckets")
        options["method"] = "near-pairs"
        result = apsp.solve(graph, **options)
        assert result.distances.dtype == expected.distances.dtype
        np.testing.assert_array_equal(result.distances, expected.distances)
        if not given_:
            result.verify()
        rows = [block.distances.copy() for block in apsp.stream(graph, **options, rows=100)]
        np.testing.assert_array_equal(np.concatenate(rows), expected.distances)
        stored = apsp.solve(graph, **options, store=tmp_path / f"rows{len(given_)}", executor=AtOnce())
        np.testing.assert_array_equal(stored.distances, expected.distances)


def test_progress_rises_to_the_number_of_sources() -> None:
    graph, done = city(), []
    options: dict[str, Any] = {"cutoff": 60, "method": "near-pairs", "progress": lambda _, now, total: done.append(now)}
    apsp.solve(graph, sources=range(500), **options)
    assert done == sorted(done)
    assert done[-1] == 500


def test_a_negative_arc_is_refused() -> None:
    graph = apsp.from_edges([0, 1], [1, 2], [4, -1])
    with pytest.raises(apsp.MethodRefusedError, match="negative arcs"):
        apsp.solve(graph, cutoff=3, method="near-pairs")
