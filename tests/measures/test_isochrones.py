"""Isochrones: vertices, parts of arcs, polygons."""

from __future__ import annotations

import importlib.util

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given, settings

import apsp
from apsp.areas.hulls import hull
from apsp.errors import GraphError, RequestError
from examples import examples
from odd_graphs import graphs


@settings(max_examples=examples(50))
@given(graphs(), st.data())
def test_vertices_and_arcs_are_those_of_all_distances(graph: apsp.Graph, data: st.DataObject) -> None:
    if not graph.n:
        return
    source, cutoff = data.draw(st.integers(0, graph.n - 1)), data.draw(st.integers(0, 12))
    row = apsp.solve(graph, method="reference", sources=source).distances[0]
    within = (row <= cutoff) & (row != apsp.unreachable(row.dtype))
    found = apsp.isochrone(graph, source, [cutoff, cutoff + 3])
    assert found.vertices(cutoff=cutoff).tolist() == np.flatnonzero(within).tolist()
    expected = {}
    for tail in np.flatnonzero(within).tolist():
        if graph.zones is not None and graph.zones[tail] and tail != source:
            continue
        for arc in range(graph.indptr[tail], graph.indptr[tail + 1]):
            length = float(graph.arc_weights(np.float64)[arc])
            left = cutoff - float(row[tail])
            expected[tail, int(graph.indices[arc])] = min(1.0, left / length) if length > 0 else 1.0
    tails, heads, fractions = found.arcs(cutoff=cutoff)
    got = dict(zip(zip(tails.tolist(), heads.tolist(), strict=True), fractions.tolist(), strict=True))
    assert got == pytest.approx(expected)


def test_polygons() -> None:
    points = np.array([[0, 0], [2, 0], [2, 2], [0, 2], [1, 1], [1, 0]], float)
    assert hull(points, 1.0).tolist() == [[0, 0], [2, 0], [2, 2], [0, 2], [0, 0]]
    assert hull(points[:1], 1.0).tolist() == [[0, 0]]
    assert hull(points[[0, 5, 1]], 1.0).tolist() == [[0, 0], [2, 0], [0, 0]]
    city = apsp.generate("city", 900, seed=1)
    found = apsp.isochrone(city, 400, [30, 90])
    corners, wide = found.polygon(cutoff=30, ratio=1), found.polygon(ratio=1)

    def area(ring: np.ndarray) -> float:
        return float(np.dot(ring[:-1, 0], ring[1:, 1]) - np.dot(ring[1:, 0], ring[:-1, 1])) / 2

    assert 0 < area(corners) < area(wide)
    if importlib.util.find_spec("shapely"):
        assert 0 < area(found.polygon()) < area(wide)


def test_what_is_given_back() -> None:
    graph = apsp.from_edges([0, 1], [1, 2], [4, 1], labels=["a", "b", "c"])
    found = apsp.isochrone(graph, ["a", "b"], (1, 4.5))
    assert repr(found) == "Isochrones(2 sources, 2 cutoffs, uint16)"
    assert found.vertices("b", 1).tolist() == ["b", "c"]
    assert found.to_long()["cutoff"].tolist() == [1.0, 4.5, 1.0, 1.0]
    with pytest.raises(RequestError, match="there are 2 sources: name one of them"):
        found.vertices()
    with pytest.raises(RequestError, match="'c' is not one of the sources"):
        found.vertices("c")
    with pytest.raises(RequestError, match=r"cutoff=5 is beyond 4.5"):
        found.arcs("a", 5)
    with pytest.raises(GraphError, match="has no coordinates, which a polygon needs"):
        found.polygon("a")
    with pytest.raises(RequestError, match="ratio must be a number from 0 to 1"):
        found.polygon("a", ratio=2)
    with pytest.raises(RequestError, match="sources must be"):
        apsp.isochrone(graph, None, 3)
