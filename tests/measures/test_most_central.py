"""The most central vertices by cut searches are those of all rows."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import apsp
from apsp.bounds.bounded_search import SearchLimits
from apsp.facts.request import Request
from apsp.measures.most_central import Centrality, RankingLimits, most_central, with_least_sum
from apsp.running.arguments import positions_of
from examples import examples

MEASURES: list[tuple[str, dict[str, Any]]] = [
    ("closeness_centrality", {}),
    ("closeness_centrality", {"wf_improved": False}),
    ("harmonic_centrality", {}),
]


SMALL = RankingLimits(
    SearchLimits(smallest=1, densest=10), largest_share=10, first=1, sample=2, arcs=2, smallest=1, wave=4, closed=0
)


@st.composite
def graphs(draw: st.DrawFn, longest: tuple[int, ...] = ()) -> apsp.Graph:
    n = draw(st.integers(1, 40))
    m = draw(st.integers(0, 3 * n))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    weights = rng.integers(0, draw(st.sampled_from(longest)), m, endpoint=True) if longest else None
    tails, heads = rng.integers(0, n, (2, m))
    if draw(st.booleans()):  # a path through the vertices
        tails[: n - 1], heads[: n - 1] = np.arange(n - 1)[:m], np.arange(1, n)[:m]
    return apsp.from_edges(tails, heads, weights, n=n, directed=draw(st.booleans()))


def check(
    graph: apsp.Graph, name: str, options: dict[str, Any], top: int, limits: RankingLimits = SMALL
) -> apsp.MostCentral:
    """The vertices and values are those of all rows; of a harmonic centrality but for roundings."""
    kind: Centrality = "closeness_improved" if options.get("wf_improved", True) else "closeness"
    kind = "harmonic" if name == "harmonic_centrality" else kind
    some = positions_of(graph, options.get("vertices"), "vertices")
    found = most_central(graph, kind, top, options.get("direction", "in"), some, Request(), limits)
    every = getattr(apsp, name)(graph, **options)
    vertices = options.get("vertices")
    positions = np.arange(graph.n) if vertices is None else np.array(vertices)
    order = np.lexsort((positions, -every))[:top]
    if name == "closeness_centrality":
        assert np.array_equal(found.values, every[order])
        assert np.array_equal(found.vertices, graph.labels.take(positions[order]))
    else:
        np.testing.assert_allclose(found.values, every[order], rtol=1e-13)
        of = dict(zip(positions.tolist(), every.tolist(), strict=True))
        np.testing.assert_allclose([of[vertex] for vertex in found.vertices.tolist()], every[order], rtol=1e-13)
        assert len(set(found.vertices.tolist())) == len(order)
    assert 0 < found.searches <= len(positions)
    return found


def check_barycenter(graph: apsp.Graph, limits: RankingLimits) -> None:
    found = with_least_sum(graph, Request(), limits=limits)
    assert found is None or found == apsp.summary(graph).barycenter


@given(
    graphs(),
    st.sampled_from(MEASURES),
    st.sampled_from(["in", "out"]),
    st.integers(1, 12),
    st.sampled_from([0, 0.2, 2]),
    st.booleans(),
)
@settings(max_examples=examples(200), deadline=None)
def test_as_all_rows(
    graph: apsp.Graph, measure: tuple[str, dict[str, Any]], direction: str, top: int, arcs: float, some: bool
) -> None:
    name, options = measure
    options = {**options, "direction": direction}
    if some:
        options["vertices"] = list(range(0, graph.n, 2))
    check(graph, name, options, top, replace(SMALL, arcs=arcs))  # the fewer, the more rows are whole


WEIGHTED = graphs((0, 1, 5, 1000))


@given(
    WEIGHTED,
    st.sampled_from(MEASURES),
    st.sampled_from(["in", "out"]),
    st.integers(1, 12),
    st.sampled_from([0, 100]),
    st.booleans(),
)
@settings(max_examples=examples(150), deadline=None)
def test_weighted_as_all_rows(
    graph: apsp.Graph, measure: tuple[str, dict[str, Any]], direction: str, top: int, closed: int, some: bool
) -> None:
    name, options = measure
    options = {**options, "direction": direction}
    if some:
        options["vertices"] = list(range(0, graph.n, 2))
    check(graph, name, options, top, replace(SMALL, closed=closed))  # the more, the more rows are computed at once


@given(WEIGHTED)
@settings(max_examples=examples(100), deadline=None)
def test_the_weighted_barycenter_is_that_of_all_rows(graph: apsp.Graph) -> None:
    check_barycenter(graph, SMALL)


def test_a_grid_with_weights_takes_few_rows() -> None:
    grid = apsp.generate("grid", shape=(40, 40), seed=1)
    found = check(grid, "closeness_centrality", {}, 5)
    assert found.searches < 600
    assert apsp.closeness_centrality(grid, vertices=[], top=3).searches == 0


@pytest.mark.parametrize(("name", "options"), MEASURES)
@pytest.mark.parametrize("directed", [True, False])
def test_a_graph_of_a_power_law_takes_few_searches(name: str, options: dict[str, Any], directed: bool) -> None:
    graph = apsp.generate("rmat", 4096, seed=1, weights=None, directed=directed)
    found = check(graph, name, options, 5)
    if options == {}:
        assert found.searches < 1000


@pytest.mark.parametrize("direction", ["in", "out"])
def test_a_deep_graph_of_components(direction: str) -> None:
    chain = apsp.from_edges(np.arange(999), np.arange(1, 1000))
    check(chain, "closeness_centrality", {"direction": direction}, 3)


def test_labels_weights_and_few_vertices() -> None:
    graph = apsp.from_edges([0, 1, 2], [1, 2, 3], [4, 1, 2], directed=False, labels=["a", "b", "c", "d"])
    found = apsp.closeness_centrality(graph, top=9)
    assert found.vertices.tolist() == ["b", "c", "d", "a"]
    assert found.searches == 4
    assert repr(found) == "MostCentral(4 vertices, 'b': 0.375, ..., searches=4)"
    assert apsp.closeness_centrality(graph, top=1, vertices=["d", "a"]).vertices.tolist() == ["d"]


def test_an_empty_graph_has_none() -> None:
    found = apsp.closeness_centrality(apsp.from_edges([], [], n=0), top=3)
    assert repr(found) == "MostCentral(no vertices)"
    assert found.values.dtype == np.float64


def test_of_equal_centralities_the_first_in_the_graph_come_first() -> None:
    assert apsp.closeness_centrality(apsp.generate("ring", 50, weights=None), top=3).vertices.tolist() == [0, 1, 2]


@pytest.mark.parametrize("top", [0, -1, 1.5, "3", True])
def test_an_invalid_number_is_refused(top: Any) -> None:
    with pytest.raises(apsp.RequestError, match="top must be a whole number"):
        apsp.closeness_centrality(apsp.generate("ring", 50), top=top)


def test_progress_is_reported() -> None:
    calls: list[tuple[str, int, int]] = []
    graph = apsp.generate("rmat", 4096, seed=1, weights=None)
    apsp.closeness_centrality(graph, top=3, progress=lambda *call: calls.append(call))
    assert calls[-1][1] == calls[-1][2]


@given(graphs(), st.sampled_from([0, 0.2, 2]))
@settings(max_examples=examples(100), deadline=None)
def test_the_barycenter_is_that_of_all_rows(graph: apsp.Graph, arcs: float) -> None:
    check_barycenter(graph, replace(SMALL, arcs=arcs))


def test_the_barycenter_of_a_graph_of_a_power_law() -> None:
    graph = apsp.generate("rmat", 4096, seed=1, weights=None, directed=False)
    found = with_least_sum(graph, Request(), limits=SMALL)
    assert found == apsp.summary(graph).barycenter
