"""Distances between points between the ends of arcs: one search for both ends, beside rows of all vertices."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import apsp
from apsp.graph.places.ends import Ends
from apsp.methods.elimination.factor import factorise
from apsp.methods.elimination.tree import elimination_tree


def ends(rng: np.random.Generator, n: int, count: int, most: float) -> Ends:
    """Some points use one end, and some none."""
    lengths = np.round(rng.uniform(0, most, (2, count)) * 8) / 8
    lengths[rng.random((2, count)) < 0.2] = np.inf
    return Ends(rng.integers(0, n, (2, count)).astype(np.int32), lengths)


@pytest.mark.parametrize("dtype", ["uint16", "int32", "int64", "float32", "float64"])
@pytest.mark.parametrize("scale", [1, 1000])
@pytest.mark.parametrize("count", [1, 300])
def test_as_the_least_over_both_ends(dtype: str, scale: int, count: int) -> None:
    city = apsp.generate("city", 400, seed=3)
    rng = np.random.default_rng(7)
    weights = city.weights * (1 if dtype == "uint16" else scale)
    kept = rng.random(city.m) < 0.8  # some vertices are not reached
    graph = apsp.from_edges(city.tails()[kept], city.indices[kept], weights[kept], n=city.n)
    graph = graph.with_weights(graph.weights.astype("float64" if dtype == "float64" else "int32"))
    tree = elimination_tree(graph)
    assert tree is not None
    factor = factorise(graph, np.dtype(dtype), tree)
    assert factor is not None
    assert factor.has_between
    most = 40.0 * (1 if dtype == "uint16" else scale)
    sources, targets = ends(rng, graph.n, count, most), ends(rng, graph.n, 77, most)
    found = np.full((count, 80), -1.0)
    factor.between(sources, targets, found[:, :77], threads=2)
    assert (found[:, 77:] == -1).all()
    rows: Any = apsp.solve(graph, dtype="float64").distances
    expected = np.full((count, 77), np.inf)
    for a in (0, 1):
        for b in (0, 1):
            between = rows[sources.vertices[a][:, None], targets.vertices[b][None, :]]
            way = sources.lengths[a][:, None] + between + targets.lengths[b][None, :]
            expected = np.minimum(expected, way)
    assert np.isinf(expected).any() or count == 1
    if dtype == "float32":
        np.testing.assert_allclose(found[:, :77], expected, rtol=1e-6)
    else:
        np.testing.assert_array_equal(found[:, :77], expected)  # of eighths exact


def test_distances_that_a_dtype_holds_only_once_are_doubled_in_the_next_one() -> None:
    line = apsp.from_edges(range(3), range(1, 4), [20_000, 20_000, 20_000], n=5, directed=False)
    tree = elimination_tree(line)
    assert tree is not None
    factor = factorise(line, np.dtype("uint16"), tree)
    assert factor is not None
    found = np.zeros((1, 2))
    one = Ends(np.array([[0], [1]], np.int32), np.array([[5_000.5], [14_999.5]]))
    two = Ends(np.array([[3, 4], [3, 4]], np.int32), np.array([[0.25, 1], [np.inf, 1]]))
    factor.between(one, two, found)
    assert found.tolist() == [[14_999.5 + 40_000 + 0.25, np.inf]]


@pytest.mark.parametrize("dtype", ["int32", "int64"])
def test_arcs_that_are_longer_than_any_distance(dtype: str) -> None:
    graph = apsp.from_edges([0, 1, 0], [1, 2, 2], [3, 4, 65_536 + 1])
    tree = elimination_tree(graph)
    assert tree is not None
    factor = factorise(graph, np.dtype(dtype), tree)
    assert factor is not None
    found = np.zeros((1, 1))
    one, two = (Ends(np.array([[end], [end]], np.int32), np.array([[0.5], [np.inf]])) for end in (0, 2))
    factor.between(one, two, found)
    assert found.tolist() == [[8.0]]


def test_what_it_does_not_take() -> None:
    tree = elimination_tree(apsp.from_edges([0, 1], [1, 2], [3, -1]))
    assert tree is not None
    negative = factorise(apsp.from_edges([0, 1], [1, 2], [3, -1]), np.dtype("int32"), tree)
    zones = factorise(apsp.from_edges([0, 1], [1, 2], [3, 1], zones=[True, False, False]), np.dtype("int32"), tree)
    assert negative is not None
    assert zones is not None
    assert not negative.has_between
    assert not zones.has_between
