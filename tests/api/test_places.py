"""Places on streets, beside a plain reference: the places inserted as vertices, in exact arithmetic."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import apsp
from apsp.graph.labels import labels_of
from places_truth import CASE, graph_of_case, placed, reference, usable


@settings(deadline=None)
@given(CASE, st.none() | st.sets(st.integers(0, 5), max_size=2))
def test_matrix_as_in_exact_arithmetic(case: Any, zones: set[int] | None) -> None:
    arcs, directed, starts, ends = case
    graph, both = graph_of_case(arcs, directed, zones)
    if not usable(graph):
        return
    sources, targets = placed(graph, starts, "s"), placed(graph, ends, "t")
    expected = reference(both, sources, targets, zones or set(), graph.indices, graph.tails())
    found = apsp.matrix(graph, sources, targets)
    assert found.distances.dtype == np.float64
    np.testing.assert_allclose(found.distances, expected, rtol=1e-14, atol=1e-14)
    rows, columns = np.indices(expected.shape).reshape(2, -1)
    if len(rows):
        pairs = apsp.distances(graph, repeated(sources, rows), repeated(targets, columns))
        np.testing.assert_allclose(pairs, expected.ravel(), rtol=1e-14, atol=1e-14)
        one = apsp.distance(graph, sources[0], targets[-1])
        np.testing.assert_allclose(one, expected[0, -1], rtol=1e-14, atol=1e-14)


def repeated(places: apsp.Places, rows: np.ndarray) -> apsp.Places:
    names = [f"{row}.{number}" for number, row in enumerate(rows.tolist())]
    fields = ("points", "arcs", "vertices", "fractions", "on_street", "legs")
    return replace(places, labels=labels_of(names), **{name: getattr(places, name)[rows] for name in fields})


@pytest.mark.parametrize(
    ("name", "value"),
    [("crs", "plane"), ("speed", 1), ("limit", 3), ("to", "vertex"), ("labels", "a"), ("largest_component", True)],
)
def test_options_of_snapping_are_refused_for_places(name: str, value: Any) -> None:
    street = apsp.from_edges([0], [1], [60], directed=False, coordinates=[[0, 0], [100, 0]])
    homes = street.snap([[25, 0], [50, 0]], crs="plane")
    assert apsp.table(street, homes).distances.tolist() == [[0.0, 15.0], [15.0, 0.0]]
    with pytest.raises(apsp.RequestError, match=f"{name} is for points"):
        apsp.table(street, homes, **{name: value})
