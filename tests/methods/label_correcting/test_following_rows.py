"""Rows that follow from those of other vertices: all distances without predecessors, where few sources are searched."""

from __future__ import annotations

import itertools
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import apsp
from apsp.graph.convert import from_edges
from apsp.graph.generate import generate
from apsp.graph.model import Graph

DTYPES = ["uint16", "int32", "int64", "float32", "float64"]


def assert_same(rows: Any, graph: Graph, dtype: str, sources: Any = None, **options: Any) -> None:
    """Integers, also those in floats, are equal to those of Dijkstra's method."""
    expected = rows(graph, "dijkstra", dtype, sources, pred=False, **options)[0]
    found = rows(graph, "label-correcting", dtype, sources, pred=False, **options)[0]
    np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("kind", ["random", "rmat", "ring", "grid", "complete", "dag"])
@pytest.mark.parametrize("dtype", DTYPES)
def test_kinds_of_graphs(rows: Any, kind: Any, dtype: str) -> None:
    assert_same(rows, generate(kind, 290, seed=4, weights=(0, 60)), dtype)


@pytest.mark.parametrize("dtype", DTYPES)
def test_a_star_is_searched_from_its_hub(rows: Any, dtype: str) -> None:
    leaves = np.arange(1, 200)
    assert_same(rows, from_edges(np.zeros(199, int), leaves, leaves, n=200, directed=False), dtype)


@pytest.mark.parametrize("dtype", DTYPES)
def test_some_sources_in_any_order_and_repeated(rows: Any, random_graph: Any, dtype: str) -> None:
    graph = random_graph(300, 900, 0, 50, seed=1)
    rng = np.random.default_rng(2)
    for sources in (rng.permutation(300), rng.permutation(300)[:200], rng.integers(0, 300, 500)):
        assert_same(rows, graph, dtype, sources)


@pytest.mark.parametrize("dtype", DTYPES)
def test_no_row_follows_where_a_request_is_limited(rows: Any, random_graph: Any, dtype: str) -> None:
    graph = random_graph(300, 900, 0, 50, seed=3)
    assert_same(rows, graph, dtype, cutoff=40)
    assert_same(rows, graph, dtype, targets=np.array([5, 3, 5], dtype=np.int32))
    zones = random_graph(300, 900, 0, 50, seed=3, zones=np.arange(300) % 7 == 0)
    assert_same(rows, zones, dtype)


@pytest.mark.parametrize("dtype", DTYPES)
def test_loops_parallel_arcs_and_missing_paths(rows: Any, dtype: str) -> None:
    # 0 -> 1 -> 2 -> 0 and 3 <-> 4 in many copies, with loops, a longer parallel arc, and no path between them
    copies = np.arange(0, 300, 5)
    tails = np.concatenate([copies + k for k in (0, 1, 2, 3, 4, 0, 3)])
    heads = np.concatenate([copies + k for k in (1, 2, 0, 4, 3, 1, 3)])
    weights = np.repeat(np.array([1, 2, 3, 0, 7, 9, 1], dtype=np.int32), len(copies))
    assert_same(rows, from_edges(tails, heads, weights, n=300), dtype)


def test_long_integers_and_saturating_ones(rows: Any, random_graph: Any) -> None:
    assert_same(rows, random_graph(300, 900, 2**40, 2**41, seed=5, dtype="int64"), "int64")
    assert_same(rows, random_graph(300, 900, 2**24, 2**25, seed=6), "int32")
    assert_same(rows, random_graph(300, 1200, 4000, 5000, seed=7), "uint16")


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("exponents", [0, 12])
def test_reals_are_within_rounding_and_the_same_for_any_number_of_threads(
    rows: Any, dtype: str, exponents: int
) -> None:
    rng = np.random.default_rng(exponents)
    n = 200
    weights = (rng.random(3 * n) * 10.0 ** rng.integers(-exponents, exponents + 1, 3 * n)).astype(dtype)
    graph = from_edges(*rng.integers(0, n, (2, 3 * n)), weights, n=n)
    found = rows(graph, "label-correcting", dtype, pred=False, threads=1)[0]
    for threads in (2, 3):
        np.testing.assert_array_equal(rows(graph, "label-correcting", dtype, pred=False, threads=threads)[0], found)
    expected = rows(graph, "dijkstra", dtype, pred=False)[0]
    np.testing.assert_allclose(found, expected, rtol=50 * float(np.finfo(dtype).eps))


def test_paths_are_read_off_the_distances() -> None:
    rng = np.random.default_rng(8)
    graph = from_edges(*rng.integers(0, 200, (2, 600)), rng.random(600), n=200)
    found = apsp.solve(graph, method="label-correcting")
    found.verify()
    assert graph.weights is not None
    lengths = dict(zip(zip(graph.tails().tolist(), graph.indices.tolist(), strict=True), graph.weights, strict=True))
    for source, target in rng.integers(0, 200, (30, 2)).tolist():
        if source == target or not np.isfinite(found.distances[source, target]):
            continue
        path = found.path(source, target)
        total = sum(Fraction(float(lengths[arc])) for arc in itertools.pairwise(path))
        assert float(found.distances[source, target]) == pytest.approx(float(total), rel=1e-13)
