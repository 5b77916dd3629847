"""Summaries of parts of the rows, merged, are the summary of all rows."""

import itertools
import pickle
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import apsp
from apsp import RequestError
from apsp.reductions import Summary
from examples import examples


def parts_of(graph, cuts, **kept):
    bounds = [0, *sorted(cuts), graph.n]
    for start, stop in itertools.pairwise(bounds):
        part = Summary(graph.n, directed=graph.directed, labels=None, **kept)
        if stop > start:
            for block in apsp.stream(graph, sources=graph.labels.take(np.arange(start, stop)), rows=3):
                part.add(block)
        yield pickle.loads(pickle.dumps(part))


@given(
    n=st.integers(1, 12), m=st.integers(0, 40), seed=st.integers(0, 99), cuts=st.lists(st.integers(0, 12), max_size=4),
    floats=st.booleans(), directed=st.booleans(), edges=st.booleans(), order=st.randoms(),
)  # fmt: skip
@settings(max_examples=examples(60), deadline=None)
def test_merged_parts_are_the_whole(n, m, seed, cuts, floats, directed, edges, order):
    rng = np.random.default_rng(seed)
    weights = rng.integers(0, 9, m) * (0.37 if floats else 1)
    graph = apsp.from_edges(rng.integers(0, n, m), rng.integers(0, n, m), weights, n=n, directed=directed)
    kept = {"columns": True, "squares": True, "degrees": np.arange(n)} | (
        {"edges": [0, 2.5, 7]} if edges else {"bins": 4}
    )
    whole = Summary(n, directed=directed, **kept)
    for block in apsp.stream(graph):
        whole.add(block)
    merged = Summary(n, directed=directed, **kept)
    parts = list(parts_of(graph, [min(cut, n) for cut in cuts], **kept))
    order.shuffle(parts)
    for part in parts:
        merged.merge(part)
    for direction in ("in", "out"):
        np.testing.assert_allclose(
            merged.harmonic_centrality(direction), whole.harmonic_centrality(direction), rtol=1e-14
        )
        np.testing.assert_allclose(merged.farness(direction), whole.farness(direction), rtol=1e-14)
        if not floats:
            assert np.array_equal(merged.farness(direction), whole.farness(direction))
    assert np.array_equal(merged.eccentricity, whole.eccentricity)
    assert merged.farthest_pair == whole.farthest_pair
    assert merged.histogram() == whole.histogram()
    if not directed:
        assert merged.hyper_wiener_index() == pytest.approx(whole.hyper_wiener_index(), nan_ok=True)


@pytest.mark.parametrize("bins", [1, 4, 1000])
@pytest.mark.parametrize("size", [1e-300, 1e-100, 0.25, 1.0])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_bins_of_negative_distances_far_below_their_width(dtype, size, bins):
    """They are below zero, whatever comes before them."""
    largest = np.dtype(dtype).type(1e30 if dtype == "float32" else 1e300)
    small = max(np.dtype(dtype).type(size), np.finfo(dtype).smallest_subnormal)
    rows = np.array([[0, -small, small], [largest, 0, -largest], [-small, -small, 0]], dtype)
    found = []
    for order in itertools.permutations(range(3)):
        summary = Summary(3, bins=bins)
        for row in order:
            summary.add(SimpleNamespace(source_positions=np.array([row], np.int32), distances=rows[[row]]))
        found.append(summary.histogram())
    whole = Summary(3, bins=bins)
    whole.add(SimpleNamespace(source_positions=np.arange(3, dtype=np.int32), distances=rows))
    found.append(whole.histogram())
    for histogram in found:
        assert histogram == found[0]
        below = histogram.edges[1:] <= 0
        assert histogram.counts[below].sum() == 4
        assert histogram.counts.sum() == 6


def test_a_source_in_both():
    graph = apsp.generate("ring", 4)
    found = apsp.summary(graph, sources=[0, 1])
    with pytest.raises(RequestError, match="source 1 was added twice"):
        found.merge(apsp.summary(graph, sources=[1, 2]))


@pytest.mark.parametrize(
    ("one", "other"),
    [({}, {"bins": 4}), ({"edges": [0, 1]}, {"edges": [0, 2]}), ({"columns": True}, {}), ({"reciprocals": False}, {})],
)
def test_other_numbers(one, other):
    graph = apsp.generate("ring", 4)
    with pytest.raises(RequestError, match="can be merged if"):
        apsp.summary(graph, sources=[0], **one).merge(apsp.summary(graph, sources=[1], **other))
    with pytest.raises(RequestError, match="not with 3"):
        apsp.summary(graph, sources=[0], **one).merge(3)


def test_only_the_rows_that_were_added_are_pickled():
    graph = apsp.generate("random", 5_000, m=10_000, seed=1)
    few = apsp.summary(graph, sources=range(10), reciprocals=False)
    few._totals.feed.labels = None
    assert len(pickle.dumps(few)) < 5_000
