"""Extremes from a few searches are those of all rows."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any, get_args

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import apsp
from apsp.bounds import few_searches
from apsp.bounds.bounded_search import ExtremeName, SearchLimits
from apsp.facts.request import Request
from apsp.measures.eccentricities import extremes_of
from apsp.methods.searches.few_sources import FewSources
from apsp.reductions.eccentricity_bounds import EccentricityBounds
from apsp.reductions.joined_bounds import JoinedBounds
from apsp.reductions.strong_parts import StrongParts
from apsp.semiring import unreachable
from examples import examples
from extreme_graphs import graphs

WANTED: tuple[ExtremeName, ...] = get_args(ExtremeName)


SMALL = SearchLimits(smallest=1, densest=10, few_pairs=0)
by_few_searches = partial(few_searches.by_few_searches, limits=SMALL)


@given(
    graphs(), st.sampled_from([2, 1000]), st.sampled_from([1, 64]), st.sampled_from([1, 100]),
    st.sets(st.sampled_from(WANTED), min_size=1),
)  # fmt: skip
@settings(max_examples=examples(150), deadline=None)
def test_as_all_rows(graph: apsp.Graph, first: int, few: int, word: int, names: set[ExtremeName]) -> None:
    limits = replace(SMALL, word=word, first=first, few=few)
    found = by_few_searches(graph, Request(), *names, limits=limits)
    assert found is not None
    assert found.searches <= graph.n
    every = apsp.summary(graph)
    for name in names:
        values = getattr(found, name), getattr(every, name)
        assert np.array_equal(*values), name
        assert type(values[0]) is type(values[1])


@given(graphs(), st.sampled_from([2, 1000]), st.sampled_from([1, 64]), st.sampled_from([1, 100]))
@settings(max_examples=examples(100), deadline=None)
def test_extremes_are_at_their_vertices(graph: apsp.Graph, first: int, few: int, word: int) -> None:
    found = extremes_of(graph, Request(), replace(SMALL, word=word, first=first, few=few))
    every = apsp.summary(graph)
    assert (found.diameter, found.radius) == (every.diameter, every.radius)
    assert found.center_vertex in every.center
    pair = found.farthest_pair
    assert pair is not None
    assert apsp.solve(graph).distance(pair.source, pair.target) == pair.distance
    assert 0 < found.searches <= graph.n


def test_extremes_speak_labels() -> None:
    graph = apsp.from_edges([0, 1, 2], [1, 2, 3], [4, 1, 2], directed=False, labels=["a", "b", "c", "d"])
    found = extremes_of(graph, Request(), SMALL)
    assert found.farthest_pair is not None
    assert {found.farthest_pair.source, found.farthest_pair.target} == {"a", "d"}
    assert found.center_vertex == "b"
    others = apsp.extremes(graph, method="dijkstra")  # all rows
    assert others == apsp.Extremes(apsp.Extreme(7, "a", "d"), 4, "b", 4)
    assert repr(others) == "Extremes(diameter=7 from 'a' to 'd', radius=4 of 'b', searches=4)"


def test_an_empty_graph_has_no_extremes() -> None:
    found = apsp.extremes(apsp.from_edges([], [], n=0))
    assert found == apsp.Extremes(None, None, None, 0)
    assert found.diameter is None
    assert repr(found) == "Extremes(no vertices)"


def test_many_vertices_outside_the_largest_component_take_few_searches() -> None:
    """A graph of a power law, of which many vertices reach the rest and may reach the most."""
    graph = apsp.generate("rmat", 1 << 13, seed=1)
    found = apsp.extremes(graph)
    every = apsp.summary(graph)
    assert (found.diameter, found.radius) == (every.diameter, every.radius)
    assert found.searches < 100


@pytest.mark.parametrize("name", WANTED)
@pytest.mark.parametrize("directed", [True, False])
def test_the_measures_return_what_all_rows_give(name: ExtremeName, directed: bool) -> None:
    rng = np.random.default_rng(7)
    labels = [f"v{i}" for i in range(60)]
    graph = apsp.from_edges(
        rng.integers(0, 60, 130),
        rng.integers(0, 60, 130),
        rng.integers(0, 9, 130),
        n=60,
        directed=directed,
        labels=labels,
    )
    every = getattr(apsp.summary(graph), name)
    for found in (getattr(by_few_searches(graph, Request(), name), name), getattr(apsp, name)(graph)):
        assert np.array_equal(found, every)
        assert type(found) is type(every)


def test_the_diameter_of_a_tree_takes_few_searches() -> None:
    n = 4096
    heads = np.arange(1, n)
    tree = apsp.from_edges(heads // 2, heads, directed=False)
    found = by_few_searches(tree, Request(), "diameter", "radius")
    assert found is not None
    assert found.searches < 50
    assert (found.diameter, found.radius) == (22, 11)


@pytest.mark.parametrize("name", ["radius", "center"])
def test_the_radius_alone_takes_few_searches(name: ExtremeName) -> None:
    graph = apsp.generate("rmat", 1 << 13, seed=1, directed=False)
    found = by_few_searches(graph, Request(), name)
    assert found is not None
    assert getattr(found, name) == getattr(apsp.summary(graph), name)
    assert found.searches < 20


@given(graphs())
@settings(max_examples=examples(150), deadline=None)
def test_components_beside_a_known_one(graph: apsp.Graph) -> None:
    few = FewSources(graph.unweighted(), np.dtype(np.int32), 1)
    start = np.array([np.diff(graph.indptr).argmax()], dtype=np.int32)
    out, into = few.distances_from(start)[0], few.distances_to(start)[0]
    dtype, none = np.dtype(np.int64), unreachable(out.dtype)
    alone = StrongParts(graph, dtype)
    beside = StrongParts(graph, dtype, ends=(out != none, into != none))
    number = np.empty(alone.count, dtype=np.int64)
    number[alone.part] = beside.part
    np.testing.assert_array_equal(number[alone.part], beside.part)
    for name in ("sizes", "roots", "reach_known"):
        np.testing.assert_array_equal(getattr(beside, name)[number], getattr(alone, name), name)


def test_vertices_that_are_all_alike_are_left_to_all_rows_soon() -> None:
    vertices = np.arange(5000)  # all alike, with two arcs out of each
    tails, heads = np.r_[vertices, vertices], np.r_[(vertices + 1) % 5000, (vertices + 70) % 5000]
    searched = by_few_searches(apsp.from_edges(tails, heads), Request(), "periphery")
    assert searched is not None
    assert searched.searches == 5000
    assert searched.periphery == list(range(5000))


@pytest.mark.parametrize(
    "options",
    [
        {"cutoff": 3}, {"dtype": "int64"}, {"dtype": np.dtype("int32")}, {"method": "dijkstra"}, {"rows": 7},
        {"gpu_memory": 1 << 30},
    ],
)  # fmt: skip
def test_requests_that_need_all_rows(options: dict[str, Any]) -> None:
    assert by_few_searches(apsp.generate("grid", 25), Request(**options), "diameter") is None


@pytest.mark.parametrize(
    "graph",
    [
        apsp.from_edges([0, 1, 2], [1, 2, 0], [3, -1, 2]),
        apsp.from_edges([0, 1], [1, 2], [2**61, 2**61]),
        apsp.from_edges([0, 1], [1, 2], [0.5, 3.0]),
        apsp.from_edges([0, 1], [1, 2], np.array([2**22, 2**23], np.float32)),
        apsp.Graph([0, 1, 2, 2], [1, 2], zones=[False, True, False]),
        apsp.from_edges([], [], n=0),
    ],
    ids=["negative arc", "beyond int64", "floats", "beyond float32", "zones", "empty"],
)
def test_graphs_that_need_all_rows(graph: apsp.Graph) -> None:
    assert by_few_searches(graph, Request(), "diameter", "radius") is None


def test_a_deep_graph_of_components_takes_few_searches() -> None:
    chain = apsp.from_edges(np.arange(999), np.arange(1, 1000))
    found = by_few_searches(chain, Request(), "diameter", "eccentricity", "center")
    assert found is not None
    assert found.searches < 10
    assert found.eccentricity.tolist() == list(range(999, -1, -1))
    assert (found.diameter, found.center) == (999, [0])


def test_a_vertex_without_an_upper_bound_has_none_among_components() -> None:
    arc, dtype = apsp.from_edges([0], [1]), np.dtype(np.int32)
    bounds = EccentricityBounds(arc, StrongParts(arc, dtype), dtype)
    assert bounds.upper.tolist() == [2**31 - 1] * 2
    joined = JoinedBounds(apsp.from_edges([1], [2], n=4))
    joined.add(np.array([1, 2], dtype=np.int32), bounds)
    assert joined.upper.tolist() == [0, 2**63 - 1, 2**63 - 1, 0]


def test_invalid_threads_are_refused() -> None:
    with pytest.raises(apsp.RequestError, match="threads"):
        apsp.diameter(apsp.generate("grid", 25), threads=0)


def test_progress_is_reported() -> None:
    calls: list[tuple[str, int, int]] = []
    by_few_searches(apsp.generate("grid", 100), Request(progress=lambda *call: calls.append(call)), "diameter")
    assert calls
    assert calls[-1][1] == calls[-1][2]


def test_words_of_searches_are_searches() -> None:
    graph = apsp.generate("random", 300, m=700, weights=None, seed=1)  # several words of sources
    searches = FewSources(graph, np.dtype(np.int32), 2)
    rows = searches.distances_from(np.arange(graph.n, dtype=np.int32))
    expected = np.where(rows == apsp.unreachable(rows.dtype), 0, rows).max(axis=1)
    np.testing.assert_array_equal(searches.farthest_from(np.arange(graph.n, dtype=np.int32)), expected)
