"""The k shortest simple paths: as those of an enumeration, NetworkX and SciPy; ties, zones, odd weights, many pairs."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from functools import cache
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import apsp
from examples import examples

Edges = dict[tuple[int, int], Any]


def enumerated(edges: Edges, source: int, target: int, zones: frozenset[int] = frozenset()) -> list[tuple[Any, Any]]:
    """All simple paths with their lengths, ascending by both; a length is the sum in the order of the path."""
    after: dict[int, list[tuple[int, Any]]] = {}
    for (tail, head), weight in edges.items():
        after.setdefault(tail, []).append((head, weight))

    def extended(path: list[int], length: Any) -> Iterator[tuple[Any, list[int]]]:
        if path[-1] == target:
            yield length, path
        elif path[-1] not in zones or len(path) == 1:
            for head, weight in after.get(path[-1], []):
                if head not in path:
                    yield from extended([*path, head], length + weight)

    return sorted(extended([source], 0))


def check(found: apsp.ManyPaths, every: list[tuple[Any, list[int]]], k: int) -> None:
    """The k shortest lengths; all paths of a length, but for the last one, of which some may be missing."""
    paths = list(zip(found.distances.tolist(), found, strict=True))
    assert [length for length, _ in paths] == [length for length, _ in every[:k]]
    assert paths == sorted(paths)
    assert all(path in every for path in paths)
    assert len({tuple(path) for _, path in paths}) == len(paths)
    if len(every) > k and every[k][0] == every[k - 1][0]:
        last = every[k][0]
        assert [path for path in paths if path[0] != last] == [path for path in every[:k] if path[0] != last]
    else:
        assert paths == every[:k]


def graph_like(edges: Edges, n: int, **options: Any) -> apsp.Graph:
    tails, heads = np.array(list(edges), dtype=int).reshape(-1, 2).T
    return apsp.from_edges(tails, heads, np.array(list(edges.values())), n=n, **options)


INTEGERS = st.integers(0, 4)
FLOATS = st.sampled_from([0.0, 0.1, 0.2, 0.3, 0.7, 1e-300, 1 / 3, 1e16, 1e307])


@st.composite
def graphs(draw: st.DrawFn) -> tuple[int, Edges, bool, frozenset[int]]:
    n = draw(st.integers(1, 7))
    weights = draw(st.sampled_from([INTEGERS, st.just(0), FLOATS, st.integers(0, 3).map(float)]))
    pairs = st.tuples(st.integers(0, n - 1), st.integers(0, n - 1))
    directed = draw(st.booleans())
    edges: Edges = draw(st.dictionaries(pairs, weights, min_size=1, max_size=40))
    if not directed:
        edges = {(min(pair), max(pair)): weight for pair, weight in edges.items()}
    zones = draw(st.sampled_from([frozenset(), frozenset({0}), frozenset(range(0, n, 2))]))
    return n, edges, directed, zones


@settings(deadline=None, max_examples=examples(300))
@given(graphs(), st.sampled_from([1, 2, 3, 7, 10_000]), st.integers(1, 2))
def test_as_an_enumeration(drawn: tuple[int, Edges, bool, frozenset[int]], k: int, threads: int) -> None:
    n, edges, directed, zones = drawn
    marks = np.isin(np.arange(n), list(zones)) if zones else None
    graph = graph_like(edges, n, directed=directed, zones=marks)
    arcs = edges if directed else {**edges, **{(v, u): weight for (u, v), weight in edges.items()}}
    pairs = list(itertools.product(range(n), repeat=2))
    found = apsp.shortest_simple_paths(graph, *zip(*pairs, strict=True), k, threads=threads)
    for number, (source, target) in enumerate(pairs):
        every = enumerated(arcs, source, target, zones)
        check(found.of_pair(number), [(length, path) for length, path in every if length != math.inf], k)


@settings(deadline=None, max_examples=examples(100))
@given(st.integers(2, 6), st.data())
def test_negative_arcs(n: int, data: st.DataObject) -> None:
    """With heights that lengths of arcs are changed by, so that there is no negative cycle."""
    heights = data.draw(st.lists(st.integers(-9, 9), min_size=n, max_size=n))
    pairs = st.tuples(st.integers(0, n - 1), st.integers(0, n - 1))
    drawn = data.draw(st.dictionaries(pairs, INTEGERS, min_size=1, max_size=25))
    edges = {(u, v): weight + heights[u] - heights[v] for (u, v), weight in drawn.items()}
    found = apsp.shortest_simple_paths(graph_like(edges, n), [0] * n, range(n), 9, threads=1)
    for target in range(n):
        check(found.of_pair(target), enumerated(edges, 0, target), 9)


def generated(shape: str) -> apsp.Graph:
    size = {"shape": (9, 9)} if shape == "grid" else {"n": 90}
    return apsp.generate(shape, **size, seed=4, weights=(1, 60))


@cache
def lengths_of_networkx(shape: str, hops: bool) -> list[tuple[int, int, list[int]]]:
    """The 40 shortest of some pairs, sums of Python's integers: source, target, lengths."""
    graph = generated(shape)
    theirs = graph.to_networkx()
    for _, _, data in theirs.edges(data=True):
        data["weight"] = 1 if hops else int(data["weight"])
    found = []
    for source, target in np.random.default_rng(2).integers(0, graph.n, (2, 12)).T.tolist():
        try:
            paths = itertools.islice(nx.shortest_simple_paths(theirs, source, target, weight="weight"), 40)
            lengths = [nx.path_weight(theirs, path, "weight") for path in paths]
        except nx.NetworkXNoPath:
            lengths = []
        found.append((source, target, lengths))
    return found


@pytest.mark.parametrize("weights", ["int32", "int64", "float32", "float64", "hops"])
@pytest.mark.parametrize("shape", ["grid", "city", "random"])
def test_as_networkx(shape: str, weights: str) -> None:
    """Floats are the integers in units of 1 / 64, so that their sums are exact."""
    graph, unit = generated(shape), 64 if weights.startswith("float") else 1
    graph = graph.unweighted() if weights == "hops" else graph.with_weights(graph.arc_weights(weights))
    if unit > 1:
        graph = graph.with_weights((graph.arc_weights("float64") / unit).astype(weights))
    expected = lengths_of_networkx(shape, weights == "hops")
    found = apsp.shortest_simple_paths(
        graph, [each[0] for each in expected], [each[1] for each in expected], 40, threads=2
    )
    for number, (source, target, lengths) in enumerate(expected):
        ours = found.of_pair(number)
        assert ours.distances.tolist() == [length / unit for length in lengths]
        for path, length in zip(ours, ours.distances, strict=True):
            assert (path[0], path[-1], len(set(path))) == (source, target, len(path))
            assert apsp.result.paths.replay(graph, path) == length


def test_as_scipy_yen() -> None:
    yen = pytest.importorskip("scipy.sparse.csgraph").__dict__.get("yen")
    if yen is None:
        pytest.skip("an old SciPy")
    graph = apsp.generate("city", 400, seed=2, weights=(1, 9), directed=False)
    for source, target in [(0, 399), (17, 230)]:
        theirs = yen(graph.to_scipy().astype(float), source, target, 60, directed=True)
        assert apsp.shortest_simple_paths(graph, source, target, 60).distances.tolist() == theirs.tolist()


def test_threads_and_the_order_of_pairs_do_not_matter() -> None:
    graph = apsp.generate("city", 900, seed=3, weights=(1, 4))
    sources, targets = np.random.default_rng(1).integers(0, 900, (2, 60))
    found = apsp.shortest_simple_paths(graph, sources, targets, 30, threads=1)
    again = apsp.shortest_simple_paths(graph, sources, targets, 30, threads=3)
    assert list(found) == list(again)
    order = np.random.default_rng(2).permutation(60)
    other = apsp.shortest_simple_paths(graph, sources[order], targets[order], 30)
    for place, pair in enumerate(order.tolist()):
        assert list(other.of_pair(place)) == list(found.of_pair(pair))


def test_one_vertex_and_unreachable_ones() -> None:
    graph = apsp.from_edges([("a", "b", 1), ("b", "b", 1), ("c", "a", 1)])
    assert list(apsp.shortest_simple_paths(graph, "a", "a", 3)) == [["a"]]
    found = apsp.shortest_simple_paths(graph, ["a", "c", "c"], ["c", "b", "c"], 3)
    assert [list(found.of_pair(number)) for number in range(3)] == [[], [["c", "a", "b"]], [["c"]]]
    assert found.distances.tolist() == [2, 0]
    assert len(apsp.shortest_simple_paths(graph, [], [], 3)) == 0


def test_columns_and_links() -> None:
    graph = apsp.from_edges(
        {"u": ["a", "a", "b", "a"], "v": ["b", "c", "c", "b"], "w": [5, 9, 1, 2]}, source="u", target="v", weight="w",
        links=True,
    )  # fmt: skip
    found = apsp.shortest_simple_paths(graph, ["a", "b"], ["c", "c"], 4)
    assert {name: values.tolist() for name, values in found.to_long().items()} == {
        "pair": [0, 0, 0, 0, 0, 1, 1], "path": [0, 0, 0, 1, 1, 0, 0], "vertex": ["a", "b", "c", "a", "c", "b", "c"],
    }  # fmt: skip
    links = apsp.shortest_simple_paths(graph, ["a", "b"], "c", 4, links=True)
    assert list(links) == [[3, 2], [1], [2]]
    assert list(links.of_pair(1)) == [[2]]
    with pytest.raises(apsp.RequestError, match="index"):
        links.of_pair(2)


def test_refusals() -> None:
    graph = apsp.from_edges([0, 1], [1, 0], [1, -2])
    with pytest.raises(apsp.NegativeCycleError):
        apsp.shortest_simple_paths(graph, 0, 1, 2)
    with pytest.raises(apsp.RequestError, match="use integer weights"):
        apsp.shortest_simple_paths(graph.with_weights([2.0, -1.5]), 0, 1, 2)
    with pytest.raises(apsp.DtypeRangeError, match="longer"):
        apsp.shortest_simple_paths(graph.with_weights([2**62, 1]), 0, 1, 2)
    for k in (0, -1, 1.5, None):
        with pytest.raises(apsp.RequestError, match="k must"):
            apsp.shortest_simple_paths(graph, 0, 1, k)
    turned = apsp.with_turns(apsp.from_edges([0, 1], [1, 2], [1, 1]), forbidden=[[0, 1]])
    with pytest.raises(apsp.RequestError, match="turns"):
        apsp.shortest_simple_paths(turned, 0, 1, 2)


def test_long_lengths() -> None:
    graph = apsp.from_edges([0, 1, 0], [1, 2, 2], [2**58, 2**58 + 1, 7])
    assert apsp.shortest_simple_paths(graph, 0, 2, 2).distances.tolist() == [7, 2**59 + 1]


def test_floats_are_summed_in_the_order_of_the_path() -> None:
    """The least of the rounded sums, which need not be that of the shortest rest of the path."""
    rng = np.random.default_rng(5)
    for _ in range(20):
        edges = {(u, v): float(rng.choice([0.1, 0.2, 0.3, 1e-17, 1 / 3])) for u in range(6) for v in range(6) if u != v}
        check(apsp.shortest_simple_paths(graph_like(edges, 6), 0, 5, 50), enumerated(edges, 0, 5), 50)


def test_float32_is_rounded_once() -> None:
    weights = np.array([0.1, 0.2, 0.7], dtype=np.float32)
    found = apsp.shortest_simple_paths(apsp.from_edges([0, 1, 2], [1, 2, 3], weights), 0, 3, 1)
    assert found.distances.dtype == np.float32
    assert found.distances[0] == np.float32(float(weights[0]) + float(weights[1]) + float(weights[2]))


def test_progress() -> None:
    graph = apsp.generate("city", 3000, seed=3, weights=(1, 40))
    sources, targets = np.random.default_rng(1).integers(0, 3000, (2, 50))
    seen: list[tuple[str, int, int]] = []
    apsp.shortest_simple_paths(graph, sources, targets, 20, progress=lambda *said: seen.append(said))
    assert seen[-1] == ("simple paths", 50, 50)
