"""Updates of a few weights: the values are those of a new factor."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import apsp
from apsp.facts.statistics import kept_statistics
from apsp.graph.arc_positions import arcs_between
from apsp.methods.elimination.changes import changed_factor
from apsp.methods.elimination.factor import sound_factor
from examples import examples


def changed(graph: apsp.Graph, rng: np.random.Generator, count: int, most: int = 50) -> npt.NDArray[Any]:
    """The weights of a graph with other ones of some arcs, and of their reverses if it is undirected."""
    assert graph.weights is not None
    weights = graph.weights.copy()
    arcs = rng.choice(graph.m, min(count, graph.m), replace=False)
    weights[arcs] = rng.integers(0, most, len(arcs))
    if not graph.directed:
        back = arcs_between(graph.indptr, graph.indices, graph.indices, graph.tails())
        weights = np.minimum(weights, weights[back])
    return weights


@settings(max_examples=examples(150), deadline=None)
@given(
    n=st.integers(1, 60), m=st.integers(1, 200), seed=st.integers(0, 9999), directed=st.booleans(), zones=st.booleans(),
    dtype=st.sampled_from(["uint16", "int32", "int64", "float32", "float64"]), work=st.sampled_from([0.0, 1e9]),
)  # fmt: skip
def test_any_changes(n: int, m: int, seed: int, directed: bool, zones: bool, dtype: str, work: float) -> None:
    rng, kind = np.random.default_rng(seed), np.dtype(dtype)
    weights = rng.integers(0, 50, m).astype("int32" if dtype == "uint16" else dtype)
    graph = apsp.from_edges(
        rng.integers(0, n, m), rng.integers(0, n, m), weights, n=n, directed=directed,
        zones=rng.random(n) < 0.3 if zones else None,
    )  # fmt: skip
    factor, assembled = sound_factor(graph, kind, apsp.prepare(graph)._now.factor.tree, 1), None
    for _ in range(6):
        graph = graph.with_weights(changed(graph, rng, int(rng.integers(0, 5))))
        factor, assembled = changed_factor(
            factor, assembled, graph, kind, keep=True, threads=1, few=1.0, most_work=work
        )  # fmt: skip
        expected = sound_factor(graph, kind, factor.tree, 1)
        assert np.array_equal(factor.values, expected.values)  # sums of small whole numbers are exact in floats


@pytest.mark.slow
def test_floats_that_are_rounded() -> None:
    rng = np.random.default_rng(1)
    graph = apsp.generate("city", 900, seed=1)
    graph = graph.with_weights(rng.random(graph.m) if graph.directed else graph.weights * 1.1)
    oracle = apsp.prepare(graph)
    for _ in range(20):
        weights = changed(oracle.graph, rng, 6) * 1.1
        oracle.update(np.where(weights == oracle.graph.weights * 1.1, oracle.graph.weights, weights))
        expected = apsp.solve(oracle.graph, method="dijkstra", dtype="float64").distances
        np.testing.assert_allclose(oracle.rows(), expected, rtol=1e-12)


@pytest.mark.few(1)
@pytest.mark.parametrize("labels", [False, True])
@pytest.mark.parametrize("dtype", ["auto", "int32", "float64"])
def test_oracles_of_streets(dtype: str, labels: bool) -> None:
    rng = np.random.default_rng(2)
    oracle = apsp.prepare(apsp.generate("city", 700, seed=1), dtype=dtype, labels=labels)
    factorised = 0
    for _ in range(12):
        held = list(oracle._now._assembled)
        oracle.update(changed(oracle.graph, rng, 6))
        factorised += oracle._now._assembled[0] is not (held or [None])[0]
        assert np.array_equal(oracle.rows(), apsp.solve(oracle.graph, method="dijkstra", dtype=oracle.dtype).distances)
        pairs = rng.integers(0, 700, (2, 100))
        assert np.array_equal(oracle.distances(*pairs), oracle.rows()[pairs[0], pairs[1]])
    assert factorised == 1, "the first update computes all, the others what depends on the changes"
    before = oracle.nbytes
    oracle.update(oracle.graph.weights + 1)
    assert oracle._now._assembled == []
    assert oracle.nbytes <= before - oracle._now.factor.values.nbytes + 8 * oracle.graph.m * labels


def test_the_dtype_widens_and_narrows() -> None:
    graph = apsp.from_edges(range(400), range(1, 401), [100] * 400, directed=False)
    oracle = apsp.prepare(graph)
    assert oracle.dtype == np.uint16
    weights = graph.weights.copy()
    for value, dtype in ((5_000, "uint16"), (5_100, "uint16"), (90_000, "int32"), (100, "uint16")):
        weights[[0, 1]] = value
        oracle.update(weights)
        assert oracle.dtype == dtype
        assert oracle.distance(0, 400) == value + 39_900
    for value in 20 * (5_000, 100):  # the sum of all increases does not fit: a search proves the dtype again
        weights[[0, 1]] = value
        oracle.update(weights)
        assert oracle.dtype == np.uint16
        assert oracle.distance(0, 400) == value + 39_900
    statistics = kept_statistics(oracle.graph)
    assert statistics is not None
    assert statistics.bound.high >= 40_000


def test_a_change_that_fails_leaves_the_oracle_as_it_was() -> None:
    graph = apsp.generate("grid", shape=(25, 24), weights=(1, 50), seed=1)
    oracle, rng = apsp.prepare(graph), np.random.default_rng(3)
    for _ in range(3):
        oracle.update(changed(oracle.graph, rng, 5))
    expected = oracle.rows()
    weights = oracle.graph.weights.copy()
    weights[0] += 1  # of one direction only
    with pytest.raises(apsp.GraphError, match="two arcs of equal weight"):
        oracle.update(weights)
    weights[0] = -5
    with pytest.raises(apsp.GraphError):
        oracle.update(weights)
    assert np.array_equal(oracle.rows(), expected)
    oracle.update(changed(oracle.graph, rng, 5))
    assert np.array_equal(oracle.rows(), apsp.solve(oracle.graph, method="dijkstra").distances)
