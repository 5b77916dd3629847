"""Weights of some edges or links, and graphs without some, beside graphs that are built with them."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import apsp
from apsp.graph.arc_positions import indptr_without, left_of

LINKS = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4), st.integers(1, 9)), min_size=1, max_size=12)
CHANGES = st.dictionaries(st.integers(0, 11), st.integers(0, 40), max_size=4)


@settings(deadline=None)
@given(LINKS, CHANGES, st.booleans(), st.booleans())
def test_some_links_as_all_links(links: Any, changes: dict[int, int], directed: bool, labelled: bool) -> None:
    tails, heads, weights = (np.array(each) for each in zip(*links, strict=True))
    labels = list("abcde") if labelled else None
    graph = apsp.from_edges(tails, heads, weights, n=5, directed=directed, links=True, labels=labels)
    changes = {number: weight for number, weight in changes.items() if number < len(links)}
    every = weights.copy()
    every[list(changes)] = list(changes.values())
    expected = graph.with_weights(every.astype(graph.weights.dtype), links=True)  # type: ignore[union-attr]
    found = graph.with_weights(list(changes.values()), links=list(changes))
    assert found == expected
    assert found.weights.dtype == graph.weights.dtype  # type: ignore[union-attr]
    oracle = apsp.prepare(graph)
    for _ in range(3):  # the third time, only what depends on these links
        oracle.update(weights, links=True)
        oracle.update(list(changes.values()), links=np.array(list(changes), dtype=np.uint8))
        assert oracle.graph == expected
        np.testing.assert_array_equal(oracle.matrix(), apsp.solve(expected).distances)
    if changes and not graph.links.are_parallel:  # type: ignore[union-attr]
        other = apsp.prepare(graph)
        other.update(list(changes.values()), links=list(changes))
        assert np.shares_memory(other.graph.indices, graph.indices), "only these links are looked at"


@settings(deadline=None)
@given(LINKS, CHANGES, st.lists(st.booleans(), min_size=12, max_size=12))
def test_some_links_of_which_some_are_one_way(links: Any, changes: dict[int, int], one_way: list[bool]) -> None:
    tails, heads, weights = (np.array(each) for each in zip(*links, strict=True))
    graph = apsp.from_edges(tails, heads, weights, n=5, directed=np.array(one_way[: len(links)]), links=True)
    changes = {number: weight for number, weight in changes.items() if number < len(links)}
    every = weights.copy()
    every[list(changes)] = list(changes.values())
    oracle = apsp.prepare(graph)
    oracle.update(list(changes.values()), links=list(changes))
    expected = graph.with_weights(every.astype(graph.weights.dtype), links=True)  # type: ignore[union-attr]
    assert oracle.graph == expected
    np.testing.assert_array_equal(oracle.matrix(), apsp.solve(expected).distances)


@settings(deadline=None)
@given(LINKS, CHANGES, st.booleans(), st.booleans(), st.booleans())
def test_some_edges_as_all_arcs(
    links: Any, changes: dict[int, int], directed: bool, labelled: bool, keeps_links: bool
) -> None:
    one = {((a, b) if directed else (min(a, b), max(a, b))): weight for a, b, weight in links}
    tails, heads = (np.array(each) for each in zip(*one, strict=True))
    names: Any = list("abcde") if labelled else list(range(5))
    about: dict[str, Any] = {"n": 5, "directed": directed, "links": keeps_links, "labels": names if labelled else None}
    graph = apsp.from_edges(tails, heads, list(one.values()), **about)
    pairs = list(one)
    new = {pairs[number]: weight for number, weight in changes.items() if number < len(pairs)}
    expected = apsp.from_edges(tails, heads, list((one | new).values()), **about)
    # a pair may be given either way if the graph is undirected
    turned = {pair[:: 1 if directed or weight % 2 else -1]: weight for pair, weight in new.items()}
    found = graph.with_weights({(names[a], names[b]): weight for (a, b), weight in turned.items()})
    assert found == expected
    oracle = apsp.prepare(graph)
    oracle.update({(names[a], names[b]): weight for (a, b), weight in turned.items()})
    assert oracle.graph == expected
    np.testing.assert_array_equal(oracle.matrix(), apsp.solve(expected).distances)


@settings(deadline=None)
@given(st.integers(1, 3000), st.integers(0, 9), st.integers(0, 2**31))
def test_arrays_without_some_entries(m: int, count: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    array, places = rng.random(m), np.sort(rng.choice(m, min(count, m), replace=False))
    assert left_of(array, places).tolist() == np.delete(array, places).tolist()
    indptr = np.concatenate([[0], np.sort(rng.integers(0, m + 1, 20)), [m]])
    tails = np.searchsorted(indptr, places, "right") - 1
    counts = np.diff(indptr) - np.bincount(tails, minlength=21)
    assert indptr_without(indptr, tails).tolist() == [0, *np.cumsum(counts).tolist()]


@settings(deadline=None)
@given(LINKS, st.sets(st.integers(0, 11), max_size=4), st.booleans(), st.booleans(), st.booleans())
def test_without_some_edges(links: Any, closed: set[int], directed: bool, labelled: bool, keeps_links: bool) -> None:
    names: Any = list("abcde") if labelled else list(range(5))
    if not keeps_links:  # one of each edge: graphs with parallel links keep them
        links = list(
            {((a, b) if directed else (min(a, b), max(a, b))): (a, b, weight) for a, b, weight in links}.values()
        )
    tails, heads, weights = (np.array(each) for each in zip(*links, strict=True))
    closed = {number for number in closed if number < len(links)}

    def built(numbers: Any) -> apsp.Graph:
        return apsp.from_edges(
            tails[numbers], heads[numbers], weights[numbers], n=5, directed=directed, costs={"km": np.array(numbers)},
            labels=names if labelled else None, links=keeps_links,
        )  # fmt: skip

    whole = built(np.arange(len(links)))
    if keeps_links:
        found = whole.without_edges(sorted(closed), links=True)
    else:
        pairs = [(names[a], names[b])[:: 1 if directed or a % 2 else -1] for a, b in ((links[k][:2]) for k in closed)]
        found = whole.without_edges(pairs)
    assert found == built(np.array([number for number in range(len(links)) if number not in closed], dtype=int))
    oracle = apsp.prepare(whole, labels=labelled)
    for graph in (found, whole, found):
        oracle.update(graph)
        assert oracle.graph == graph
        np.testing.assert_array_equal(oracle.matrix(), apsp.solve(graph).distances)
    every = found.weights if found.links is None else found.links.weights
    assert every is not None
    oracle.update(every * 2, links=keeps_links)
    np.testing.assert_array_equal(oracle.matrix(), apsp.solve(oracle.graph).distances)


def test_an_oracle_takes_graphs_of_its_vertices_and_edges(tmp_path: Any) -> None:
    ring = apsp.from_edges(
        [*range(30)], [*range(1, 30), 0], [1] * 30, directed=False, labels=[f"v{k}" for k in range(30)]
    )
    oracle = apsp.prepare(ring)
    oracle.update(ring.without_edges([("v0", "v1")]))
    assert oracle.distance("v0", "v1") == 29
    assert oracle.path("v1", "v0") == [f"v{k % 30}" for k in range(1, 31)]
    assert oracle.distances(["v1"], ["v0"]).tolist() == [29]
    oracle.save(tmp_path / "oracle.npz")
    loaded = apsp.Oracle.load(tmp_path / "oracle.npz")
    assert loaded.distance("v0", "v1") == 29
    loaded.update(ring)
    assert loaded.distance("v0", "v1") == 1, "the order is still that of the whole ring"
    oracle.update({("v1", "v2"): 5})
    assert oracle.distance("v0", "v1") == 33
    more = apsp.from_edges([*range(30), 0], [*range(1, 30), 0, 15], [1] * 31, directed=False, labels=ring.labels)
    wrong: list[tuple[Any, str]] = [
        (more, "prepare the oracle again"),
        (apsp.generate("ring", 31), r"has other vertices \(31\) than that of the oracle \(30\)"),
        (apsp.generate("ring", 30), "has other vertices"),
        (
            apsp.from_edges([0], [1], [1], n=30, labels=ring.labels, zones=np.arange(30) == 3),
            "other vertices of the graph are zones",
        ),
    ]
    for graph, words in wrong:
        with pytest.raises(apsp.GraphError, match=words):
            oracle.update(graph)
    with pytest.raises(apsp.RequestError, match="links belong to weights"):
        oracle.update(ring, links=True)
    assert oracle.distance("v0", "v1") == 33


def test_edges_that_are_not_there_are_not_left_out() -> None:
    graph = apsp.from_edges([0, 0, 1, 2], [1, 1, 2, 3], [10, 12, 5, 1], links=True, labels=list("abcd"))
    wrong: list[tuple[Any, dict[str, Any], str]] = [
        ([("a", "d")], {}, r"there is no edge from 'a' to 'd' in this graph"),
        ([("a", "b")], {}, r"several links lead from 'a' to 'b': .* number: 0, 1"),
        ("ab", {}, r"edges must be a sequence of pairs"),
        (7, {}, r"edges must be a sequence of pairs"),
        ([1, 2], {}, r"edges are pairs"),
        ([4], {"links": True}, r"there is no link 4"),
        ([("b", "c")], {"links": True}, r"links must be numbers of links"),
        ([1], {"links": "yes"}, r"links must be True or False"),
    ]  # fmt: skip
    for edges, options, words in wrong:
        with pytest.raises((apsp.GraphError, apsp.RequestError), match=words):
            graph.without_edges(edges, **options)
    assert graph.without_edges([("b", "c")]).links == graph.without_edges([2], links=True).links
    assert graph.without_edges([]) == graph
    assert graph.without_edges(np.array([[0, 1]])[:0]) == graph
    plain = apsp.from_edges([0, 1], [1, 2], [1, 1], costs={"km": [3, 4]}, coordinates=[[0, 0], [1, 0], [2, 0]])
    less = plain.without_edges(np.array([[0, 1]]))
    assert (less.m, less.costs["km"].tolist(), less.coordinates.tolist()) == (1, [4], [[0, 0], [1, 0], [2, 0]])  # type: ignore[union-attr]


def test_the_dtype_stays_if_it_holds_the_weights() -> None:
    def changed(dtype: str, weight: Any) -> Any:
        graph = apsp.from_edges([0, 1], [1, 2], np.array([4, 5], dtype=dtype))
        weights = graph.with_weights({(0, 1): weight}).weights
        assert weights is not None
        assert weights.tolist() == [weight, 5]
        return weights.dtype.name

    assert changed("int32", 7) == changed("int32", -7) == "int32"
    assert changed("int32", 2**40) == changed("int64", 3) == "int64"
    assert changed("int32", 0.5) == changed("int64", 2.0) == "float64"
    assert changed("float32", 0.5) == changed("float32", 7) == "float32"
    assert changed("float32", 0.1) == changed("float32", 2**24 + 1) == changed("float64", 3) == "float64"
    hops = apsp.from_edges([0, 1], [1, 2]).with_weights({(0, 1): 3})
    assert hops.weights is not None
    assert (hops.weights.tolist(), hops.weights.dtype) == ([3, 1], np.int32)
    graph = apsp.from_edges([0, 1], [1, 2], [4, 5])
    assert graph.with_weights({}) == graph
    assert graph.weights is not None
    assert graph.weights.tolist() == [4, 5], "the old graph stays"


def test_costs_and_turns_stay() -> None:
    graph = apsp.from_edges([0, 0, 1], [1, 1, 2], [10, 12, 5], costs={"km": [30, 9, 2]})
    slower = graph.with_weights([20], links=[0])
    assert slower.costs["km"].tolist() == [9, 2], "the other link is the best now"
    assert slower.links is not None
    assert slower.links.weights.tolist() == [20, 12, 5]
    two_way = apsp.from_edges([0, 1], [1, 2], [3, 4], directed=False, links=True)
    assert apsp.solve(two_way.with_weights({(1, 0): 8})).distance(0, 2) == 12


WRONG: list[tuple[Any, dict[str, Any], str]] = [
    ({("a", "d"): 1}, {}, r"there is no edge from 'a' to 'd' in this graph"),
    ({("b", "a"): 1}, {}, r"there is no edge from 'b' to 'a'"),
    ({("a", "x"): 1}, {}, r"there is no vertex 'x'"),
    ({"ab": 1}, {}, r"edges are pairs \(tail, head\), not 'ab'"),
    ({("a", "b", "c"): 1}, {}, r"edges are pairs \(tail, head\)"),
    ({("a", "b"): 1}, {}, r"several links lead from 'a' to 'b': .* the parameter links and the number: 0, 1$"),
    ({("b", "c"): np.nan}, {}, r"from vertex 'b' to 'c', has weight nan"),
    ({("b", "c"): "far"}, {}, r"weights must be integers or floats"),
    ({("b", "c"): 1}, {"links": True}, r"weights by edge need no links"),
    ({("b", "c"): 1}, {"links": [2]}, r"weights by edge need no links"),
    ([1], {"links": [4]}, r"there is no link 4: the graph has 4 links, numbered from 0"),
    ([1], {"links": [-1]}, r"there is no link -1"),
    ([1, 2], {"links": [1, 1]}, r"link 1 is named twice"),
    ([1, 2], {"links": [1]}, r"weights must be a vector of 1 numbers"),
    ([1], {"links": [True, False]}, r"numpy\.flatnonzero\(mask\)"),
    ([1], {"links": [0.5]}, r"links must be numbers of links"),
    ([1], {"links": "km"}, r"links must be numbers of links"),
    ([1], {"links": None}, r"links must be numbers of links"),
]  # fmt: skip


@pytest.mark.parametrize(("weights", "options", "words"), WRONG, ids=itertools.count())
def test_what_is_wrong_is_named(weights: Any, options: dict[str, Any], words: str) -> None:
    graph = apsp.from_edges([0, 0, 1, 2], [1, 1, 2, 3], [10, 12, 5, 1], links=True, labels=list("abcd"))
    oracle = apsp.prepare(graph)
    for change in (graph.with_weights, oracle.update):
        with pytest.raises((apsp.GraphError, apsp.RequestError), match=words):
            change(weights, **options)
    assert oracle.distance("a", "d") == 16


def test_both_directions_of_an_edge_have_one_weight() -> None:
    for links in (False, True):
        graph = apsp.from_edges([0, 1, 2], [1, 2, 2], [3, 4, 1], directed=False, links=links)
        with pytest.raises(apsp.GraphError, match=r"the edge between (0 and 1|1 and 0) has two weights"):
            graph.with_weights({(2, 2): 1, (0, 1): 5, (1, 0): 6})
        assert apsp.solve(graph.with_weights({(0, 1): 5, (1, 0): 5})).distance(0, 2) == 9
    plain = apsp.from_edges([0, 1], [1, 2], [3, 4])
    with pytest.raises(apsp.RequestError, match="keeps no links"):
        plain.with_weights([5], links=[0])
