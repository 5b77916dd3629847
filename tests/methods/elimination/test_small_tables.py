"""Small tables of an oracle, which read the ancestors of their vertices alone, beside whole rows; updates follow."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import apsp

CITY = apsp.generate("city", 3000, seed=5)
DTYPES = ("uint16", "int32", "int64", "float32", "float64")


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", [(1, 1), (1, 40), (40, 1), (3, 200), (130, 7)])
def test_small_tables_are_parts_of_large_ones(dtype: str, shape: tuple[int, int]) -> None:
    graph = CITY if dtype[0] != "f" else CITY.with_weights(np.asarray(CITY.weights).astype(dtype) / 3)
    oracle = apsp.prepare(graph, dtype=dtype)
    rng = np.random.default_rng(shape)
    sources, targets = (rng.integers(0, graph.n, count) for count in shape)
    whole = oracle.rows(sources)
    np.testing.assert_array_equal(oracle.matrix(sources, targets), whole[:, targets])


@given(st.integers(0, 2**32 - 1))
def test_random_graphs_with_many_parts(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 60))
    arcs = rng.integers(0, n, (2, int(rng.integers(0, 2 * n + 1))))
    graph = apsp.from_edges(*arcs, rng.integers(0, 9, arcs.shape[1]), n=n, directed=bool(rng.integers(2)))
    oracle = apsp.prepare(graph)
    sources, targets = (rng.integers(0, n, int(rng.integers(1, 6))) for _ in range(2))
    found = oracle.matrix(sources, targets)
    expected = apsp.solve(graph, method="dijkstra").to_numpy()[np.ix_(sources, targets)]
    np.testing.assert_array_equal(np.where(found == apsp.unreachable(found.dtype), np.inf, found), expected)


def snapped(graph: apsp.Graph, count: int = 9) -> apsp.Places:
    corners = np.asarray(graph.coordinates)
    points = np.random.default_rng(0).uniform(corners.min(axis=0), corners.max(axis=0), (count, 2))
    return graph.snap(points, crs="plane", speed=2)


def test_doubled_values_are_kept_until_the_weights_change() -> None:
    oracle, places = apsp.prepare(CITY), snapped(CITY)
    before = oracle.nbytes
    first = oracle.matrix(places, places)
    assert oracle.nbytes > before
    after = oracle.nbytes
    np.testing.assert_array_equal(oracle.matrix(places, places), first)
    assert oracle.nbytes == after
    for longest in (90, 9000):
        weights = np.random.default_rng(longest).integers(1, longest, CITY.m)
        oracle.update(weights)
        expected = apsp.prepare(CITY.with_weights(weights)).matrix(places, places)
        np.testing.assert_array_equal(oracle.matrix(places, places), expected)


def test_few_pairs_of_places_and_many() -> None:
    oracle, places = apsp.prepare(CITY), snapped(CITY, 120)
    many = oracle.distances(places, places[::-1])
    few = [oracle.distances(places[i : i + 5], places[::-1][i : i + 5]) for i in range(0, 120, 5)]
    np.testing.assert_array_equal(np.concatenate(few), many)


@pytest.mark.parametrize("count", [1, 5, 500])
def test_pairs_tell_their_progress(count: int) -> None:
    oracle, rng, told = apsp.prepare(CITY), np.random.default_rng(0), list[int]()
    starts, ends = rng.integers(0, CITY.n, (2, count))
    oracle.distances(starts, ends, progress=lambda _, done, __: told.append(done))
    assert told[-1] == count
