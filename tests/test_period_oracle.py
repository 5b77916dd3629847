"""Oracles of several periods: each answers as a search in the graph of that period alone."""

from __future__ import annotations

import math
import pickle
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import apsp
from apsp import DtypeRangeError, GraphError, MemoryLimitError, NegativeCycleError, RequestError
from apsp.methods.elimination.factor import sound_factor
from apsp.methods.elimination.period_factors import factors_of_periods
from apsp.methods.elimination.tree import elimination_tree
from examples import examples


def weights_of(graph: apsp.Graph, count: int, rng: np.random.Generator, most: int = 50) -> np.ndarray:
    """(count, m) weights, the same in both directions of an edge."""
    tails, heads = graph.tails(), graph.indices
    if graph.directed:
        return rng.integers(0, most, (count, graph.m))
    edges = np.minimum(tails, heads).astype(np.int64) * graph.n + np.maximum(tails, heads)
    different, which = np.unique(edges, return_inverse=True)
    return rng.integers(0, most, (count, len(different)))[:, which]


@st.composite
def cases(draw: st.DrawFn) -> tuple[apsp.Graph, int, str]:
    n = draw(st.integers(1, 25))
    vertex = st.integers(0, n - 1)
    arcs = draw(st.lists(st.tuples(vertex, vertex), max_size=60))
    zones = draw(st.one_of(st.none(), st.lists(st.booleans(), min_size=n, max_size=n)))
    tails, heads = zip(*arcs, strict=True) if arcs else ((), ())
    ones = np.ones(len(arcs), dtype=np.int64)
    graph = apsp.from_edges(tails, heads, ones, n=n, zones=zones, directed=draw(st.booleans()))
    return graph, draw(st.integers(1, 40)), draw(st.sampled_from(["uint16", "int32", "int64", "float32", "float64"]))


@settings(max_examples=examples(80), deadline=None)
@given(cases(), st.integers(1, 3), st.integers(0, 2**32), st.sampled_from([1, 6]))
def test_factors_have_the_bits_of_separate_ones(
    case: tuple[apsp.Graph, int, str], threads: int, seed: int, few: int
) -> None:
    graph, count, dtype = case
    day = graph.with_periods(weights_of(graph, count, np.random.default_rng(seed)))
    tree = elimination_tree(graph)
    assert tree is not None
    found = factors_of_periods(day.values(), np.dtype(dtype), tree, threads, few=few)
    for factor, each in zip(found, day.values(), strict=True):
        assert factor.graph is each
        np.testing.assert_array_equal(factor.values, sound_factor(each, np.dtype(dtype), tree, 1).values)


@pytest.mark.parametrize("make", [
    lambda: apsp.generate("city", 900, seed=3),
    lambda: apsp.generate("grid", shape=(30, 40), weights=(1, 9), seed=1),
    lambda: apsp.generate("random", 200, seed=2),
])  # fmt: skip
@pytest.mark.parametrize("most", [40, 100_000, 2**40])
def test_periods_agree_with_separate_searches(make: Callable[[], apsp.Graph], most: int) -> None:
    graph, rng = make(), np.random.default_rng(most)
    weights = weights_of(graph, 39, rng, most)
    day = graph.with_periods({f"slice {number}": row for number, row in enumerate(weights)})
    oracle = apsp.prepare(day, threads=2)
    assert oracle.dtype == {40: np.uint16, 100_000: np.int32, 2**40: np.int64}[most]
    sources, targets = (rng.integers(0, graph.n, count) for count in (7, 5))
    matrices = oracle.matrix(sources, targets)
    assert matrices.shape == (39, 7, 5)
    assert matrices.dtype == oracle.dtype
    pairs = oracle.distances(sources[:5], targets)
    for number, (name, each) in enumerate(day.items()):
        expected = apsp.solve(each, sources=sources, method="dijkstra", dtype=oracle.dtype.name).distances[:, targets]
        np.testing.assert_array_equal(matrices[number], expected)
        np.testing.assert_array_equal(pairs[number], np.diagonal(expected))
        if number % 16 == 0:
            np.testing.assert_array_equal(oracle.matrix(sources, targets, period=name), expected)
            np.testing.assert_array_equal(oracle.rows(sources, period=name)[:, targets], expected)
            np.testing.assert_array_equal(oracle.distances(sources[:5], targets, period=name), np.diagonal(expected))
            assert oracle.distance(sources[0], targets[0], period=name) == expected[0, 0]
            path = oracle[name].path(sources[0], targets[0])
            assert (path[0], path[-1]) == (sources[0], targets[0])
    np.testing.assert_array_equal(oracle.rows(sources[:1])[:, :, targets], matrices[:, :1])


def test_the_longest_weights_decide_the_dtype() -> None:
    # Each period alone fits 16 bits, and so do the longest weights of both; three of them do not.
    graph = apsp.from_edges([0, 1], [1, 2], [1, 1])
    assert apsp.prepare(graph.with_periods([[60_000, 1], [2, 5_000]])).dtype == np.uint16
    assert apsp.prepare(graph.with_periods([[60_000, 1], [2, 5_000], [1, 6_000]])).dtype == np.int32
    assert apsp.prepare(graph.with_periods([[60_000, 1], [2, 6_000]]), dtype="int64").dtype == np.int64
    with pytest.raises(DtypeRangeError):
        apsp.prepare(graph.with_periods([[60_000, 1], [2, 6_000]]), dtype="uint16")


def test_parallel_links_labels_and_no_paths() -> None:
    streets = apsp.from_edges(
        [0, 0, 1, 3], [1, 1, 2, 0], [10, 12, 5, 3], costs={"km": [30, 9, 2, 1]}, labels=list("abcd")
    )
    oracle = apsp.prepare(streets.with_periods({"am": [20, 12, 5, 3], "km": "km"}, links=True))
    assert [oracle.distance("a", "c", period=name) for name in oracle] == [17, 11]
    assert oracle["am"].path("a", "c", links=True) == [1, 2]
    assert oracle.distance("c", "a", period="km") == math.inf
    assert oracle.matrix(["c", "d"], "c").tolist() == [[[0], [20]], [[0], [12]]]
    assert (len(oracle), list(oracle), "am" in oracle, "pm" in oracle) == (2, ["am", "km"], True, False)


def test_floats_negative_weights_and_their_cycles() -> None:
    graph = apsp.from_edges([0, 1, 2], [1, 2, 0], [4, 5, 6])
    oracle = apsp.prepare(graph.with_periods({"down": [4, -5, 6], "up": [0.5, 0.25, 1], "plain": [1, 2, 3]}))
    assert oracle.dtype == np.float64
    assert oracle.distances(0, [2, 1]).tolist() == [[-1, 4], [0.75, 0.5], [3, 1]]
    whole = apsp.prepare(graph.with_periods({"down": [4, -5, 6], "plain": [1, 2, 3]}))
    assert whole.dtype == np.int32
    assert whole.distances(0, [2, 1]).tolist() == [[-1, 4], [3, 1]]
    with pytest.raises(NegativeCycleError):
        apsp.prepare(graph.with_periods({"up": [1, 2, 3], "down": [4, -50, 6]}))


def test_places() -> None:
    ends = [[0, 0], [100, 0], [100, 100]]
    streets = apsp.from_edges([0, 1], [1, 2], [60, 80], directed=False, coordinates=ends)
    homes = streets.snap([[25, 0], [100, 50]], crs="plane", speed=math.inf)
    day = streets.with_periods({"am": [60, 60, 80, 80], "noon": [40, 40, 20, 20]})
    oracle = apsp.prepare(day)
    expected = [apsp.matrix(graph, homes, homes).distances for graph in day.values()]
    np.testing.assert_array_equal(oracle.matrix(homes, homes), expected)
    np.testing.assert_array_equal(oracle.distances(homes, homes), np.diagonal(expected, axis1=1, axis2=2))
    assert oracle.distance(homes[0], homes[1], period="noon") == expected[1][0, 1]


def test_an_update_of_one_period_changes_it_alone() -> None:
    graph = apsp.from_edges([0, 1], [1, 2], [1, 1])
    oracle = apsp.prepare(graph.with_periods({"am": [4, 5], "pm": [6, 7]}))
    mine = oracle["am"]
    mine.update([100, 100])
    assert mine.distance(0, 2) == 200
    assert oracle.distance(0, 2, period="am") == oracle["am"].distance(0, 2) == 9
    again = pickle.loads(pickle.dumps(oracle))
    assert again.distances(0, 2).tolist() == oracle.distances(0, 2).tolist() == [[9], [13]]


def test_what_is_refused() -> None:
    day = apsp.from_edges([0, 1], [1, 2], [1, 1]).with_periods({"am": [4, 5], 7: [6, 7]})
    oracle = apsp.prepare(day)
    for call in (
        lambda: oracle["noon"],
        lambda: oracle.distance(0, 1, period="7"),
        lambda: oracle.distances(0, 1, period="noon"),
        lambda: oracle.matrix(0, 1, period="noon"),
    ):
        with pytest.raises(RequestError, match=r"there is no period .*; there are 'am', 7"):
            call()
    with pytest.raises(RequestError, match=r"takes no labels=True: .*apsp.prepare\(periods\[name\]\)"):
        apsp.prepare(day, labels=True)  # type: ignore[call-overload]
    with pytest.raises(RequestError, match=r"periods are several graphs.*periods\[name\]"):
        apsp.solve(day)
    with pytest.raises(RequestError, match="periods are several graphs"):
        apsp.diameter(day)
    with pytest.raises(GraphError, match="zoo"):
        oracle.matrix(["zoo"])


def test_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    day = apsp.generate("grid", shape=(30, 30)).with_periods(np.ones((40, 4 * 30 * 29), dtype=np.int64))
    oracle = apsp.prepare(day)
    monkeypatch.setattr("apsp.system.machine.usable", lambda _machine: 1_000_000)
    with pytest.raises(MemoryLimitError, match=r"factors of 40 periods in uint16(.|\n)*some of the periods at a time"):
        apsp.prepare(day)
    with pytest.raises(MemoryLimitError, match=r"40 matrices of 900 x 900(.|\n)*one period at a time: period="):
        oracle.matrix()
    assert oracle.matrix([3], [4]).shape == (40, 1, 1)
