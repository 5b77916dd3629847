"""`apsp.summary(measures=...)`: one computation of the distances, the values of the single functions."""

from __future__ import annotations

from unittest import mock

import numpy as np
import pytest

import apsp
from apsp.errors import RequestError
from apsp.facts.request import Request
from apsp.measures import row_summary
from apsp.reductions.histogram import Histogram
from apsp.reductions.summary import MEASURES

RNG = np.random.default_rng(0)
GRAPHS = {
    "directed": apsp.generate("random", 60, m=300, weights=(1, 20), seed=1),
    "undirected": apsp.from_edges(
        [*range(59), *RNG.integers(0, 60, 60)], [*range(1, 60), *RNG.integers(0, 60, 60)], RNG.integers(1, 9, 119),
        directed=False, labels=[f"v{vertex}" for vertex in range(60)],
    ),
}  # fmt: skip
REFUSED = ("hyper_wiener_index", "schultz_index", "gutman_index")


def same(found: object, expected: object) -> bool:
    if isinstance(expected, np.ndarray):
        return np.array_equal(found, expected)
    if isinstance(expected, apsp.DistanceStatistics):
        return np.array_equal(found.mean, expected.mean) and np.array_equal(found.quantiles, expected.quantiles)
    return found == expected


@pytest.mark.parametrize("kind", GRAPHS)
def test_values_are_those_of_the_functions(kind) -> None:
    graph = GRAPHS[kind]
    names = [name for name in MEASURES if not graph.directed or name not in REFUSED]
    groups = np.arange(60) % 3
    with mock.patch.object(row_summary, "reduced_by", wraps=row_summary.reduced_by) as passes:
        found = apsp.summary(graph, measures=names, groups=groups, quantiles=0.5)
    assert passes.call_count == 1
    for name in names:
        arguments = {"groups": groups, "quantiles": 0.5} if name == "distance_statistics" else {}
        expected = getattr(apsp, name)(graph, **arguments)
        if name in ("closeness_centrality", "harmonic_centrality"):
            np.testing.assert_allclose(found[name], expected, rtol=1e-14)
        else:
            assert same(found[name], expected), name


def test_what_sums_over_rows_give_needs_no_rows() -> None:
    graph = GRAPHS["undirected"]
    with mock.patch.object(row_summary, "reduced_by", wraps=row_summary.reduced_by) as passes:
        found = apsp.summary(graph, measures=["diameter", "closeness_centrality", "wiener_index"])
    assert passes.call_count == 0
    assert found["diameter"] == found.diameter
    with pytest.raises(RequestError, match="pass reciprocals=True"):
        found["harmonic_centrality"]
    with pytest.raises(RequestError, match="pass groups to apsp"):
        found.distance_statistics()
    assert isinstance(apsp.summary(graph, measures="distance_histogram")["distance_histogram"], Histogram)


def test_of_an_oracle() -> None:
    graph = GRAPHS["undirected"]
    names = ["gutman_index", "hyper_wiener_index", "global_efficiency", "distance_statistics"]
    groups = ["a"] * 20 + ["b"] * 40
    found = apsp.prepare(graph).summary(measures=names, groups=groups, quantiles=[0.1])
    expected = apsp.summary(graph, measures=names, groups=groups, quantiles=[0.1])
    for name in names:
        assert same(found[name], expected[name])


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"measures": "betweenness_centrality"}, "no measure 'betweenness_centrality'; it may have: average"),
        ({"measures": 3}, "measures must be names"),
        ({"measures": [3]}, "no measure 3"),
        ({"measures": "distance_statistics", "quantiles": 2}, "from 0 to 1"),
        ({"groups": [1]}, "one entry per vertex"),
    ],
)
def test_odd_requests(options, words) -> None:
    with pytest.raises(RequestError, match=words):
        apsp.summary(GRAPHS["undirected"], **options)
    with pytest.raises(RequestError, match="no measure"):
        apsp.summary(GRAPHS["undirected"])["diametre"]


def test_sums_of_rows_have_no_squares() -> None:
    found = apsp.Summary(3, squares=True)
    with pytest.raises(RequestError, match="add blocks of rows"):
        found.add_sums(next(iter(row_summary.stream_sums(apsp.from_edges([0], [1], n=3), None, Request()))))
    for degrees in ([1, 2], [-1, 0, 0], [0.5, 1, 1], "abc"):
        with pytest.raises(RequestError, match="degrees must be n = 3 whole numbers"):
            apsp.Summary(3, degrees=degrees)
