"""Betweenness through the backend beside NetworkX's own, on random graphs of all classes."""

from __future__ import annotations

import random
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from compat.networkx_backend.calling import Left, ours, theirs
from compat.networkx_backend.random_graphs import graphs
from examples import examples

EXAMPLES = settings(max_examples=examples(40), deadline=None)
POSITIVE = st.integers(1, 3) | st.integers(1, 3).map(lambda halves: halves / 2)


def near(mine: Any, expected: Any) -> None:
    """The same, up to rounding of sums around 0."""
    assert not isinstance(mine, Left), mine.reason
    assert list(mine) == list(expected)
    np.testing.assert_allclose(list(mine.values()), list(expected.values()), rtol=1e-12, atol=1e-12)
    assert all(type(value) is float for value in mine.values())


@given(graphs(weights=POSITIVE), st.data())
@EXAMPLES
def test_values_are_those_of_networkx(G: Any, data: st.DataObject) -> None:
    normalized = data.draw(st.booleans())
    some = st.lists(st.sampled_from(list(G)), max_size=4)
    sources, targets = data.draw(some), data.draw(some)
    k = data.draw(st.integers(1, len(G)))
    for weight in (None, "w"):
        options = {"weight": weight, "normalized": normalized}
        subsets = options | {"sources": sources, "targets": targets}
        for endpoints in (False, True):
            for pivots in (None, k):
                both = options | {"endpoints": endpoints, "k": pivots}
                near(
                    ours("betweenness_centrality", G, seed=random.Random(3), **both),
                    theirs("betweenness_centrality", G, seed=random.Random(3), **both),
                )
        near(
            ours("edge_betweenness_centrality", G, seed=random.Random(4), k=k, **options),
            theirs("edge_betweenness_centrality", G, seed=random.Random(4), k=k, **options),
        )
        near(ours("edge_betweenness_centrality", G, **options), theirs("edge_betweenness_centrality", G, **options))
        near(ours("betweenness_centrality_subset", G, **subsets), theirs("betweenness_centrality_subset", G, **subsets))


def test_the_dispatcher_samples_the_same_nodes() -> None:
    for seed in (7, np.random.RandomState(5), np.random.default_rng(6)):
        again = 7 if seed == 7 else np.random.RandomState(5) if hasattr(seed, "rand") else np.random.default_rng(6)
        G = nx.gnm_random_graph(60, 150, seed=1)
        mine = nx.betweenness_centrality(G, k=9, seed=seed, backend="apsp")
        near(mine, nx.betweenness_centrality(G, k=9, seed=again, backend="networkx"))


def test_what_is_left_to_networkx() -> None:
    G = nx.path_graph(4)
    nx.set_edge_attributes(G, {(0, 1): 0, (1, 2): 1, (2, 3): 1}, "w")
    nx.set_edge_attributes(G, {(0, 1): 1e30, (1, 2): 1.0, (2, 3): 1.0}, "far")
    for call, reason in (
        ({"weight": "w"}, "some weights are 0"),
        ({"weight": "far"}, "lost in rounding"),
        ({"k": 2, "seed": 1}, "generator of random numbers"),
    ):
        left = ours("betweenness_centrality", G, **call)
        assert isinstance(left, Left), call
        assert reason in left.reason
    for sources, reason in (([9], "not in the graph"), (iter([1]), "not lists"), ([[1]], "cannot be hashed")):
        left = ours("betweenness_centrality_subset", G, sources=sources, targets=[1])
        assert isinstance(left, Left), sources
        assert reason in left.reason


@pytest.mark.parametrize("k", [-1, 5])
def test_samples_of_an_impossible_size(k: int) -> None:
    with pytest.raises(ValueError, match="Sample larger than population or is negative"):
        nx.betweenness_centrality(nx.path_graph(4), k=k, backend="apsp")
