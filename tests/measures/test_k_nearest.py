"""The k nearest vertices by searches that end when they are found, beside whole rows."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import apsp
from apsp.measures import neighbours
from examples import examples
from executors import AtOnce
from stopping import StopError, stop_after


def by_rows(graph: apsp.Graph, k: int, sources: Any = None, cutoff: float = math.inf) -> tuple[Any, Any]:
    """Positions and distances by a stable sort of whole rows, (S, k)."""
    dist = apsp.solve(graph, dtype="float64" if graph.weights is not None else "int64").to_numpy()
    np.fill_diagonal(dist, np.inf)
    dist[dist > cutoff] = np.inf
    dist = dist if sources is None else dist[sources]
    order = np.argsort(dist, axis=1, kind="stable")[:, :k].astype(np.int32)
    near = np.take_along_axis(dist, order, axis=1)
    order[np.isinf(near)] = -1
    missing = ((0, 0), (0, k - order.shape[1]))
    return np.pad(order, missing, constant_values=-1), np.pad(near, missing, constant_values=np.inf)


@settings(max_examples=examples(120), deadline=None)
@given(st.integers(1, 30), st.integers(0, 2**20), st.booleans(), st.booleans(), st.data())
def test_searches_find_what_rows_have(n: int, seed: int, directed: bool, hops: bool, data: st.DataObject) -> None:
    rng = np.random.default_rng(seed)
    tails, heads = rng.integers(0, n, (2, 3 * n))
    zones = rng.random(n) < 0.2 if data.draw(st.booleans()) else None
    weights = None if hops else rng.integers(0, 6, 3 * n)
    graph = apsp.from_edges(tails, heads, weights, n=n, directed=directed, zones=zones)
    k, cutoff = data.draw(st.integers(1, 8)), data.draw(st.sampled_from([math.inf, 0, 3, 7.5]))
    sources = data.draw(st.none() | st.lists(st.integers(0, n - 1), min_size=1, max_size=9))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(neighbours, "_searches_win", lambda *_: True)
        found = apsp.k_nearest(graph, k, sources=sources, cutoff=cutoff)
    positions, distances = by_rows(graph, k, sources, cutoff)
    np.testing.assert_array_equal(found.positions, positions)
    np.testing.assert_array_equal(found.to_numpy(), distances)


CITY = apsp.generate("city", 3000, seed=4)


def test_searches_are_chosen_where_little_is_near() -> None:
    wins = neighbours._searches_win
    auto = neighbours.Request()
    assert wins(CITY, 10, None, auto)
    assert wins(CITY, 10, np.array([5, 7], dtype=np.int32), auto)
    assert not wins(CITY, 1000, None, auto)
    assert not wins(CITY, 10, None, neighbours.Request(method="elimination"))
    assert not wins(CITY, 10, None, neighbours.Request(device="emulated"))
    hub = apsp.from_edges(np.zeros(2999, dtype=int), np.arange(1, 3000), directed=False)
    assert not wins(hub, 2, None, auto)  # all leaves are equally near: a search for two of them settles them all


@pytest.mark.parametrize("place", ["workers", "store", "workers into a store"])
def test_every_runner_searches(place: str, tmp_path: Path) -> None:
    options: dict[str, Any] = {}
    if "workers" in place:
        options["executor"] = AtOnce()
    if "store" in place:
        pytest.importorskip("zarr")
        options["store"] = tmp_path / "near.zarr"
    expected, found = apsp.k_nearest(CITY, 5), apsp.k_nearest(CITY, 5, **options)
    np.testing.assert_array_equal(found.positions, expected.positions)
    np.testing.assert_array_equal(found.distances, expected.distances)
    rows = apsp.k_nearest(CITY, 5, method="dijkstra-buckets")
    np.testing.assert_array_equal(rows.positions, expected.positions)
    assert rows.distances.dtype == expected.distances.dtype


def test_a_search_stops() -> None:
    with pytest.raises(StopError):
        apsp.k_nearest(CITY, 5, progress=stop_after(0))
