"""Weights of some edges or links, beside the weights of all."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import apsp

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
    oracle.update(list(changes.values()), links=np.array(list(changes), dtype=np.uint8))
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
    np.testing.assert_array_equal(oracle.matrix(), apsp.solve(expected).distances)


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
    ({("a", "d"): 1}, {}, r"there is no edge from 'a' to 'd': with_weights changes those of a graph, it adds none"),
    ({("b", "a"): 1}, {}, r"there is no edge from 'b' to 'a'"),
    ({("a", "x"): 1}, {}, r"there is no vertex 'x'"),
    ({"ab": 1}, {}, r"weights by edge have pairs \(tail, head\) as keys, not 'ab'"),
    ({("a", "b", "c"): 1}, {}, r"pairs \(tail, head\) as keys"),
    ({("a", "b"): 1}, {}, r"several links lead from 'a' to 'b': .*with_weights\(\[weight\], links=\[0\]\)"),
    ({("b", "c"): np.nan}, {}, r"from vertex 'b' to 'c', has weight nan"),
    ({("b", "c"): "far"}, {}, r"weights must be integers or floats"),
    ({("b", "c"): 1}, {"links": True}, r"weights by edge need no links"),
    ({("b", "c"): 1}, {"links": [2]}, r"weights by edge need no links"),
    ([1], {"links": [4]}, r"there is no link 4: the graph has 4 links, numbered from 0"),
    ([1], {"links": [-1]}, r"there is no link -1"),
    ([1, 2], {"links": [1, 1]}, r"link 1 is named twice"),
    ([1, 2], {"links": [1]}, r"weights must be a vector of 1 numbers"),
    ([1], {"links": [True, False]}, r"numpy\.flatnonzero\(mask\)"),
    ([1], {"links": [0.5]}, r"links must be True, or the numbers of some links"),
    ([1], {"links": "km"}, r"links must be True, or the numbers of some links"),
    ([1], {"links": None}, r"links must be True, or the numbers of some links"),
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
