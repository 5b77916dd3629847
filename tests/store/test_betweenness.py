"""Betweenness whose sums lie in a store, and that goes on where it was."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import apsp
from flow_stores import ARRIVED, graph_of
from stopping import StopError, stop_after
from stored import shards

zarr = pytest.importorskip("zarr")
networkx = pytest.importorskip("networkx")
pytestmark = pytest.mark.usefixtures("small_blocks")


@pytest.mark.few(1)
@pytest.mark.parametrize("kind", ["hops", "int32", "float64"])
@pytest.mark.parametrize("measure", [apsp.betweenness_centrality, apsp.edge_betweenness_centrality])
@pytest.mark.parametrize("some", [False, True])
def test_a_stopped_measure_goes_on(kind: str, measure: Any, some: bool, city: apsp.Graph, place: Path) -> None:
    graph = graph_of(city, kind)
    options = {"sources": range(150, 0, -1), "targets": [3, 90, 17, 3], "cutoff": 100} if some else {}
    alone = measure(graph, store=place.with_name("alone.zarr"), **options)
    with pytest.raises(StopError):
        measure(graph, store=place, progress=stop_after(60), **options)
    before = shards(place, ARRIVED)
    assert 0 < len(before) < 10
    found = measure(graph, store=place, **options)
    assert before.items() <= shards(place, ARRIVED).items()
    assert len(shards(place, ARRIVED)) == (10 if some else 13)
    assert np.array_equal(found, alone)  # to the last bit
    assert np.allclose(found, measure(graph, **options), rtol=1e-12, atol=1e-15)
    assert np.array_equal(measure(graph, store=place, **options), found)
    assert not list(place.rglob(".claims"))


def test_networkx(city: apsp.Graph, place: Path) -> None:
    graph = graph_of(city, "int32")
    expected = networkx.betweenness_centrality(graph.to_networkx(), weight="weight", endpoints=True)
    found = apsp.betweenness_centrality(graph, endpoints=True, store=place)
    assert np.allclose(found, list(expected.values()), rtol=1e-12)
    assert zarr.open_group(place, mode="r")["through"].shape == (13, 200)


def test_a_store_with_arcs_has_vertices_too(city: apsp.Graph, place: Path) -> None:
    with pytest.raises(StopError):
        apsp.edge_betweenness_centrality(city, store=place, progress=stop_after(60))
    found = apsp.betweenness_centrality(city, store=place)
    assert np.allclose(found, apsp.betweenness_centrality(city), rtol=1e-12)
    before = shards(place, ARRIVED)
    arcs = apsp.edge_betweenness_centrality(city, store=place)
    assert np.allclose(arcs, apsp.edge_betweenness_centrality(city), rtol=1e-12)
    assert shards(place, ARRIVED) == before
    other = place.with_name("other.zarr")
    apsp.betweenness_centrality(city, store=other)
    with pytest.raises(apsp.RequestError, match="it has no arcs"):
        apsp.edge_betweenness_centrality(city, store=other)


def test_runs_share_the_blocks(city: apsp.Graph, place: Path) -> None:
    found: list[Any] = []
    runs = [
        threading.Thread(target=lambda: found.append(apsp.betweenness_centrality(city, store=place))) for _ in range(3)
    ]
    for run in runs:
        run.start()
    for run in runs:
        run.join()
    assert len(found) == 3
    assert all(np.array_equal(each, found[0]) for each in found)
    assert np.allclose(found[0], apsp.betweenness_centrality(city), rtol=1e-12)


def test_other_requests(city: apsp.Graph, place: Path) -> None:
    apsp.betweenness_centrality(city, store=place, sources=[1, 2])
    for wrong in ({"sources": [1]}, {"sources": [1, 2], "targets": [3]}, {"sources": [1, 2], "cutoff": 9}):
        with pytest.raises(apsp.RequestError, match="is of another request"):
            apsp.betweenness_centrality(city, store=place, **wrong)
    with pytest.raises(apsp.RequestError, match="holds parts of betweenness"):
        apsp.solve(city, store=place)
    with pytest.raises(apsp.FileFormatError, match="a store of betweenness, not of distances"):
        apsp.load(place)
    damaged = place / "through" / "c" / "0" / "0"
    data = bytearray(damaged.read_bytes())
    data[20] ^= 255
    damaged.write_bytes(data)
    with pytest.raises(
        apsp.FileFormatError,
        match=r"through/c/\d+.* is damaged \(a chunk differs .* remove this file, and make the same call",
    ):
        apsp.betweenness_centrality(city, store=place, sources=[1, 2])


def test_errors_leave_no_blocks(place: Path) -> None:
    with pytest.raises(apsp.NegativeCycleError):
        apsp.betweenness_centrality(apsp.from_edges([0, 1], [1, 0], [1, -2]), store=place)
    assert not shards(place, ARRIVED)


@pytest.mark.parametrize("n", [0, 1, 5])
def test_few_vertices(n: int, place: Path) -> None:
    graph = apsp.from_edges([], [], n=n)
    assert np.array_equal(apsp.betweenness_centrality(graph, store=place), np.zeros(n))
    assert np.array_equal(apsp.edge_betweenness_centrality(graph, store=place.with_name("arcs.zarr")), np.zeros(0))


@pytest.mark.few(1)
@pytest.mark.parametrize("kind", ["hops", "int32", "float64"])
def test_the_bits_do_not_depend_on_who_computes(kind: str, city: apsp.Graph, place: Path) -> None:
    graph = graph_of(city, kind)
    with ThreadPoolExecutor(2) as engine:
        found = [
            apsp.edge_betweenness_centrality(graph, store=place.with_name(f"{k}.zarr"), **options)
            for k, options in enumerate(({"threads": 1}, {"threads": 3}, {"executor": engine}))
        ]
        found.append(apsp.edge_betweenness_centrality(graph, executor=engine))
    assert all(np.array_equal(each, found[0]) for each in found[1:])


def test_a_stopped_estimate_goes_on(city: apsp.Graph, place: Path) -> None:
    with pytest.raises(StopError):
        apsp.approximate_betweenness_centrality(city, 120, seed=3, store=place, progress=stop_after(40))
    before = shards(place, ARRIVED)
    assert before
    with ThreadPoolExecutor(2) as workers:
        found = apsp.approximate_betweenness_centrality(city, 120, seed=3, store=place, executor=workers)
        spread = apsp.approximate_betweenness_centrality(city, 120, seed=3, executor=workers)
    assert before.items() < shards(place, ARRIVED).items()
    assert found == spread
    expected = apsp.approximate_betweenness_centrality(city, 120, seed=3)
    assert np.allclose(found.values, expected.values, rtol=1e-12, atol=1e-15)
    assert (found.error, found.sources.tolist()) == (expected.error, expected.sources.tolist())
    for wrong in ({"k": 120, "seed": 4}, {"k": 121, "seed": 3}):
        with pytest.raises(apsp.RequestError, match="it has other sources"):
            apsp.approximate_betweenness_centrality(city, store=place, **wrong)
    with pytest.raises(apsp.RequestError, match="pass seed"):
        apsp.approximate_betweenness_centrality(city, 120, store=place)
    exact = apsp.approximate_betweenness_centrality(city, 200, store=place.with_name("exact.zarr"))
    assert exact.error == 0
