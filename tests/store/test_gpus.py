"""Stores whose rows a GPU computes: the values of the CPU, also after a stop, and from workers."""

from __future__ import annotations

import multiprocessing
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import apsp
from apsp.system.array_device import to_host
from stopping import StopError, stop_after
from stored import bands_of_measures

pytest.importorskip("zarr")
pytestmark = [pytest.mark.gpu, pytest.mark.usefixtures("cupy", "small_bands")]


@pytest.fixture(autouse=True)
def small_sums() -> Iterator[None]:
    with bands_of_measures(seconds=0, least_rows=16):
        yield


def graph_of(kind: str) -> apsp.Graph:
    city = apsp.generate("city", 600, seed=1)
    return city.unweighted() if kind == "hops" else city.with_weights((city.weights * 0.25 + 1).astype(kind))


@pytest.mark.parametrize("paths", [False, True])
@pytest.mark.parametrize(
    ("kind", "method"),
    [
        ("int32", "floyd-warshall"),
        ("float32", "floyd-warshall"),
        ("int32", "elimination"),
        ("float64", "elimination"),
        ("int32", "label-correcting"),
        ("float32", "label-correcting"),
        ("hops", "bit-bfs"),
    ],
)
def test_distances(place: Path, kind: str, method: Any, paths: bool) -> None:
    graph = graph_of(kind)
    named: dict[str, Any] = {"method": method, "device": "cuda", "paths": paths}
    whole = method == "floyd-warshall"
    if not whole:
        with pytest.raises(StopError):
            apsp.solve(graph, store=place, progress=stop_after(100), **named)
    result = apsp.solve(graph, store=place, **named)
    assert 0 < result.info["rows_computed"] <= (600 if whole else 584)
    again = np.array(to_host(result.distances))
    (place / "distances/c/3/0").unlink()
    assert apsp.solve(graph, store=place, **named).info["rows_computed"] == 16
    loaded: Any = apsp.load(place, check=True)
    np.testing.assert_array_equal(to_host(loaded.distances), again)
    expected = apsp.solve(graph, method="dijkstra", device="cpu").distances
    np.testing.assert_allclose(again, expected, rtol=0 if expected.dtype.kind != "f" else 1e-5)
    assert loaded.info["device"] == "cuda"
    loaded.verify()


@pytest.mark.parametrize("kind", ["int32", "float64"])
@pytest.mark.parametrize("method", ["elimination", "label-correcting"])
def test_sums(place: Path, kind: str, method: Any) -> None:
    graph = graph_of(kind)
    named: dict[str, Any] = {"method": method, "device": "cuda"}
    with pytest.raises(StopError):
        apsp.closeness_centrality(graph, store=place, progress=stop_after(100), **named)
    found = apsp.closeness_centrality(graph, store=place, **named)
    np.testing.assert_allclose(found, apsp.closeness_centrality(graph, device="cpu"), rtol=1e-12)


def test_other_measures(tmp_path: Path) -> None:
    graph, jobs = graph_of("int32"), np.arange(600)
    named: dict[str, Any] = {"device": "cuda"}
    found: Any = apsp.k_nearest(graph, 5, store=tmp_path / "nearest.zarr", **named)
    expected: Any = apsp.k_nearest(graph, 5, device="cpu")
    np.testing.assert_array_equal(found.distances, expected.distances)
    reached = apsp.accessibility(graph, weights=jobs, cutoffs=[50, 200], store=tmp_path / "jobs.zarr", **named)
    np.testing.assert_array_equal(reached, apsp.accessibility(graph, weights=jobs, cutoffs=[50, 200], device="cpu"))
    between = apsp.betweenness_centrality(graph.unweighted(), store=tmp_path / "between.zarr", **named)
    np.testing.assert_allclose(between, apsp.betweenness_centrality(graph.unweighted(), device="cpu"), rtol=1e-9)


@pytest.mark.parametrize("workers", ["processes", 2])
def test_workers(place: Path, workers: Any, cupy: Any) -> None:
    if workers == 2 and cupy.cuda.runtime.getDeviceCount() < 2:
        pytest.skip("a pool has a GPU per worker")
    graph = graph_of("int32")
    expected = apsp.solve(graph, method="dijkstra", device="cpu").distances
    if workers == "processes":
        result = apsp.solve(graph, store=place, device="cuda", executor=workers)
    else:
        context = multiprocessing.get_context("spawn")  # CUDA does not work in forked processes
        with ProcessPoolExecutor(workers, mp_context=context) as pool:
            result = apsp.solve(graph, store=place, device="cuda", executor=pool)
    np.testing.assert_array_equal(to_host(result.distances), expected)
