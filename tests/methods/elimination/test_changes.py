"""Updates of a few weights: the values are those of a new factor."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import apsp
from apsp.facts.statistics import kept_statistics
from apsp.graph.arc_positions import arcs_between
from apsp.graph.some_edges import closed_or_opened
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


def longest_distance(oracle: apsp.Oracle) -> int | float:
    found = oracle.rows()
    longest: int | float = found[found != apsp.unreachable(oracle.dtype)].max().item()
    return longest


@settings(max_examples=examples(150), deadline=None)
@given(
    n=st.integers(1, 60), m=st.integers(1, 200), seed=st.integers(0, 9999), directed=st.booleans(), zones=st.booleans(),
    dtype=st.sampled_from(["uint16", "int32", "int64", "float32", "float64"]), work=st.sampled_from([0.0, 1e9]),
)  # fmt: skip
def test_any_changes(n: int, m: int, seed: int, directed: bool, zones: bool, dtype: str, work: float) -> None:
    rng, kind = np.random.default_rng(seed), np.dtype(dtype)
    weights = rng.integers(0, 50, m).astype("int32" if dtype == "uint16" else dtype)
    whole = apsp.from_edges(
        rng.integers(0, n, m), rng.integers(0, n, m), weights, n=n, directed=directed,
        zones=rng.random(n) < 0.3 if zones else None,
    )  # fmt: skip
    graph, factor, changes = whole, sound_factor(whole, kind, apsp.prepare(whole)._now.factor.tree, 1), None
    for step in range(9):
        if step % 3 == 2:
            graph = without_some(whole, rng, int(rng.integers(0, 4)))
        else:
            graph = graph.with_weights(changed(graph, rng, int(rng.integers(0, 5))))
        old, before = factor.values, factor.values.copy()
        factor, changes, renewed = changed_factor(
            factor, changes, graph, kind, keep=True, threads=1, few=1.0, most_work=work
        )  # fmt: skip
        expected = sound_factor(graph, kind, factor.tree, 1)
        assert np.array_equal(factor.values, expected.values)  # sums of small whole numbers are exact in floats
        assert np.array_equal(old, before), "readers hold the old values"
        if renewed is not None:
            differ = np.flatnonzero(before != factor.values)
            panels = np.searchsorted(factor.tree.panel_start, differ, "right") - 1
            assert set(panels.tolist()) == set(renewed.tolist())


def without_some(graph: apsp.Graph, rng: np.random.Generator, count: int) -> apsp.Graph:
    arcs = rng.choice(graph.m, min(count, graph.m), replace=False)
    return graph.without_edges(list(zip(graph.tails()[arcs].tolist(), graph.indices[arcs].tolist(), strict=True)))


@settings(max_examples=examples(60), deadline=None)
@given(
    n=st.integers(2, 40), m=st.integers(1, 120), seed=st.integers(0, 9999), directed=st.booleans(),
    zones=st.booleans(), dtype=st.sampled_from(["int32", "int64", "float64"]), labels=st.booleans(),
)  # fmt: skip
def test_weights_of_edges_and_closed_edges(
    n: int, m: int, seed: int, directed: bool, zones: bool, dtype: str, labels: bool
) -> None:
    rng = np.random.default_rng(seed)
    whole = apsp.from_edges(
        rng.integers(0, n, m), rng.integers(0, n, m), rng.integers(0, 50, m).astype(dtype), n=n, directed=directed,
        zones=rng.random(n) < 0.2 if zones else None,
    )  # fmt: skip
    oracle = apsp.prepare(whole, labels=labels)
    held: list[tuple[Any, ...]] = []
    for step in range(12):
        graph = oracle.graph
        held.append((oracle._now, oracle._now.factor.values.copy(), graph.weights, np.array(graph.weights)))
        arcs = rng.choice(graph.m, min(int(rng.integers(0, 4)), graph.m), replace=False)
        ends = zip(graph.tails()[arcs].tolist(), graph.indices[arcs].tolist(), strict=True)
        if step % 4 == 2:
            oracle.update(without_some(graph, rng, 2))
        elif step == 7:
            oracle.update(whole)
        else:
            oracle.update({tuple(sorted(each)) if not directed else each: int(rng.integers(0, 60)) for each in ends})
        graph = oracle.graph
        fresh = apsp.Graph(graph.indptr, graph.indices, graph.weights, directed=directed, zones=graph.zones)
        assert graph == fresh
        assert graph._arc_facts == pytest.approx(fresh._arc_facts)
        assert graph.weight_range == fresh.weight_range
        assert graph.has_zero_arc == fresh.has_zero_arc
        again = apsp.prepare(fresh, order=oracle.order)
        assert oracle.dtype == again.dtype
        assert np.array_equal(oracle.rows(), again.rows())
        if statistics := kept_statistics(graph):
            assert statistics.bound.least <= longest_distance(oracle) <= statistics.bound.high
        pairs = rng.integers(0, n, (2, 20))
        assert np.array_equal(oracle.distances(*pairs), again.distances(*pairs))
        assert [oracle.distance(*pair) for pair in pairs.T.tolist()] == [
            again.distance(*pair) for pair in pairs.T.tolist()
        ]
        if step % 3 == 0:
            held = held[-1:]  # the others go, so that their memory is used again
        for snapshot, values, weights, copy in held:
            assert np.array_equal(snapshot.factor.values, values)
            assert np.array_equal(weights, copy)


@pytest.mark.parametrize("directed", [True, False])
@pytest.mark.parametrize("weighted", [True, False])
def test_edges_that_close_and_open(directed: bool, weighted: bool) -> None:
    city = apsp.generate("city", 400, seed=2)
    tails, heads, weights = city.to_edges()
    graph = apsp.from_edges(tails, heads, weights if weighted else None, n=400, directed=directed)
    oracle, rng = apsp.prepare(graph), np.random.default_rng(5)
    oracle.update(graph)
    assert closed_or_opened(graph, graph.reversed()) is None
    for _ in range(6):
        whole = oracle.graph
        part = without_some(whole, rng, 5)
        for old, new, has_weights in ((whole, part, False), (part, whole, True)):
            known = closed_or_opened(old, new)
            assert known is not None
            assert known.shut.all() != has_weights
            assert known.was_shut.all() == has_weights
            oracle.update(new)
            assert oracle.graph is new
            assert np.array_equal(oracle.rows(), apsp.solve(new, method="dijkstra", dtype=oracle.dtype).distances)
        if weighted:
            edge = (int(whole.tails()[7]), int(whole.indices[7]))
            oracle.update({edge: int(rng.integers(1, 90))})
            assert closed_or_opened(oracle.graph, part) is None, "of a graph with other weights"
            oracle.update(part)
            assert np.array_equal(oracle.rows(), apsp.solve(part, method="dijkstra", dtype=oracle.dtype).distances)


@pytest.mark.slow
def test_ten_thousand_changes_of_new_york(shared_data: Path) -> None:
    topology, rng = apsp.read(shared_data / "roads" / "NY.topology.tw.gr.xz"), np.random.default_rng(4)
    edges = np.flatnonzero(topology.tails() < topology.indices)
    graph = apsp.from_edges(
        topology.tails()[edges],
        topology.indices[edges],
        rng.integers(1, 1001, len(edges)),
        n=topology.n,
        directed=False,
    )
    edges = np.flatnonzero(graph.tails() < graph.indices)
    tails, heads = graph.tails()[edges], graph.indices[edges]
    oracle = apsp.prepare(graph)
    closed = np.zeros(0, dtype=np.int64)
    for step in range(100):
        chosen = rng.choice(len(edges), 100, replace=False)
        if step % 10 == 9:
            closed = chosen
            oracle.update(oracle.graph.without_edges(np.stack([tails[closed], heads[closed]], axis=1)))
        else:
            chosen = np.setdiff1d(chosen, closed)
            pairs = zip(tails[chosen].tolist(), heads[chosen].tolist(), strict=True)
            oracle.update(dict(zip(pairs, rng.integers(1, 1001, len(chosen)).tolist(), strict=True)))
        if step % 10 == 9:
            fresh = sound_factor(oracle.graph, oracle.dtype, oracle._now.factor.tree, 2)
            assert np.array_equal(oracle._now.factor.values, fresh.values)
            oracle.update(graph)
            closed = closed[:0]


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
        held = list(oracle._now._changes)
        oracle.update(changed(oracle.graph, rng, 6))
        factorised += oracle._now._changes[0] is not (held or [None])[0]
        assert np.array_equal(oracle.rows(), apsp.solve(oracle.graph, method="dijkstra", dtype=oracle.dtype).distances)
        pairs = rng.integers(0, 700, (2, 100))
        assert np.array_equal(oracle.distances(*pairs), oracle.rows()[pairs[0], pairs[1]])
    assert factorised == 1, "the first update computes all, the others what depends on the changes"


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


@pytest.mark.parametrize("kind", ["directed", "undirected", "apart", "zones"])
def test_all_weights_have_the_dtype_of_a_new_oracle(kind: str) -> None:
    rng = np.random.default_rng(7)
    tails, heads, _ = apsp.generate("grid", shape=(30, 30), seed=1).to_edges()
    if kind == "apart":
        tails, heads = np.append(tails, 900), np.append(heads, 901)
    zones = np.arange(902) % 90 == 5 if kind == "zones" else None
    graph = apsp.from_edges(tails, heads, np.ones(len(tails), int), n=902, directed=kind == "directed", zones=zones)
    if kind in ("directed", "undirected"):
        graph = apsp.from_edges(tails, heads, np.ones(len(tails), int), n=900, directed=kind == "directed")
    if kind == "directed":
        graph = apsp.from_edges(
            *([*one, *other] for one, other in ((tails, heads), (heads, tails))), 2 * [1] * len(tails)
        )
    oracle, reasons = apsp.prepare(graph), []
    for low, high in ((1, 5), (1, 3_000), (2_000, 3_000), (1, 2**22), (1, 4), (2**20, 2**24), (1, 2**27), (900, 2_500)):
        weights = rng.integers(low, high + 1, graph.m)
        if not graph.directed:
            weights = np.minimum(weights, weights[graph._reverse])
        oracle.update(weights)
        fresh = apsp.Graph(graph.indptr, graph.indices, weights, directed=graph.directed, zones=graph.zones)
        expected = apsp.prepare(fresh, order=oracle.order)
        assert oracle.dtype == expected.dtype
        assert np.array_equal(oracle.rows(), expected.rows())
        statistics = kept_statistics(oracle.graph)
        assert statistics is not None
        assert statistics.bound.least <= longest_distance(oracle) <= statistics.bound.high
        reasons.append(statistics.bound.reason)
    if kind in ("directed", "undirected"):
        assert sum("between any two vertices" in reason for reason in reasons) >= 2, "without a search"


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


@pytest.mark.parametrize("kind", ["int32", "float64"])
@pytest.mark.parametrize("parts", [1, 3])
def test_any_number_of_threads_changes_the_same(kind: str, parts: int) -> None:
    city = apsp.generate("city", 1_500, seed=4, weights=(1, 99))
    tails, heads, weights = city.to_edges()
    n, ends = (
        city.n * parts,
        [np.concatenate([each + part * city.n for part in range(parts)]) for each in (tails, heads)],
    )
    graph = apsp.from_edges(*ends, np.tile(weights, parts).astype(kind), n=n)
    first = sound_factor(graph, np.dtype(kind), apsp.prepare(graph)._now.factor.tree, 1)
    states: dict[int, Any] = dict.fromkeys((1, 2, 3, 8), (first, None))
    for step in range(6):
        graph = graph.with_weights(changed(graph, np.random.default_rng(step), 60 if step % 2 else 9, 99))
        found = {
            threads: changed_factor(*state, graph, np.dtype(kind), keep=True, threads=threads, few=1.0, most_work=1e9)
            for threads, state in states.items()
        }
        expected = sound_factor(graph, np.dtype(kind), first.tree, 1).values
        for each in found.values():
            assert np.array_equal(each.factor.values, expected)
            assert (each.renewed is None) == (step == 0)
            if each.renewed is not None:
                assert each.renewed.tolist() == found[1].renewed.tolist()
        states = {threads: (each.factor, each.changes) for threads, each in found.items()}


def test_too_much_work_for_any_number_of_threads() -> None:
    graph = apsp.generate("city", 1_500, seed=4, weights=(1, 99))
    first = sound_factor(graph, np.dtype("int32"), apsp.prepare(graph)._now.factor.tree, 1)
    other = graph.with_weights(changed(graph, np.random.default_rng(1), 400, 99))
    for threads in (1, 3):
        state = changed_factor(first, None, graph, np.dtype("int32"), keep=True, threads=threads)
        again = changed_factor(
            state.factor, state.changes, other, np.dtype("int32"), keep=True, threads=threads, few=1.0, most_work=1e-3
        )
        assert again.renewed is None
        assert np.array_equal(again.factor.values, sound_factor(other, np.dtype("int32"), first.tree, 1).values)
