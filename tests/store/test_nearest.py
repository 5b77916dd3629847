"""The k nearest vertices in a store: `k_nearest` that goes on where it was, with the same bits."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import apsp
from apsp.measures.neighbours import NearestVertices
from apsp.store.folder import Folder
from apsp.store.header import header_at
from stopping import StopError, stop_after
from stored import bands_of_measures, shards

zarr = pytest.importorskip("zarr")

LAST = "distances/c/*/0"
"""The array that completes a band."""


@pytest.fixture(autouse=True)
def small_bands() -> Iterator[None]:
    with bands_of_measures(seconds=0, least_rows=16):
        yield


def assert_same(found: apsp.Nearest, expected: apsp.Nearest) -> None:
    """To the last bit."""
    assert np.array_equal(found.sources, expected.sources)
    assert np.array_equal(found.positions, expected.positions)
    assert found.distances.dtype == expected.distances.dtype
    assert found.distances.tobytes() == expected.distances.tobytes()


@pytest.mark.few(1)
@pytest.mark.parametrize("dtype", ["int32", pytest.param("float64", marks=pytest.mark.slow)])
@pytest.mark.parametrize("method", ["auto", "dijkstra", "elimination"])
@pytest.mark.parametrize("options", [{}, {"cutoff": 60}])
def test_a_stopped_call_goes_on(dtype: str, method: Any, options: Any, city: apsp.Graph, place: Path) -> None:
    graph = city.with_weights((city.weights * 0.25).astype(dtype) + 1)
    with pytest.raises(StopError):
        apsp.k_nearest(graph, 9, store=place, method=method, progress=stop_after(60), **options)
    before = shards(place)
    assert 0 < len(shards(place, LAST)) < 13
    found = apsp.k_nearest(graph, 9, store=place, method=method, **options)
    assert before.items() <= shards(place).items()
    assert len(shards(place, LAST)) == 13
    assert_same(found, apsp.k_nearest(graph, 9, method=method, **options))
    after = shards(place)
    assert_same(apsp.k_nearest(graph, 9, store=place, method=method, **options), found)
    assert shards(place) == after


def test_the_nearest_by_all_distances(city: apsp.Graph, place: Path) -> None:
    """Against a sort of every row: of equally near vertices the first, and never the source."""
    graph = city.with_weights(city.weights % 3)  # many are equally near, some at distance 0
    found = apsp.k_nearest(graph, 20, store=place)
    far = apsp.solve(graph, method="reference", dtype="int64").distances
    np.fill_diagonal(far, np.iinfo(np.int64).max)
    order = np.argsort(far, axis=1, kind="stable")[:, :20]
    assert np.array_equal(found.positions, order)
    assert np.array_equal(found.distances, np.take_along_axis(far, order, axis=1))


@pytest.mark.parametrize("dtype", ["uint16", "int32", "int64", "float32", "float64"])
def test_other_programs_read_it(dtype: Any, place: Path) -> None:
    """With fewer than k vertices within reach of most sources, and k beyond the number of vertices."""
    rng = np.random.default_rng(3)
    graph = apsp.from_edges(rng.integers(0, 50, 60), rng.integers(0, 50, 60), rng.integers(1, 9, 60), n=50)
    found = apsp.k_nearest(graph, 70, store=place, dtype=dtype)
    group = zarr.open_group(place, mode="r")
    positions, distances = group["positions"], group["distances"]
    assert positions.shape == distances.shape == (50, 70)
    assert positions.dtype == np.int32
    assert distances.dtype == dtype
    assert positions.fill_value == -1
    assert distances.fill_value == apsp.unreachable(dtype)
    assert positions.metadata.dimension_names == distances.metadata.dimension_names == ("source", "rank")
    assert np.array_equal(positions[...], found.positions)
    assert np.array_equal(distances[...], found.distances)
    nothing = positions[...] == -1
    assert nothing[:, 49:].all()  # the source is not one of them
    assert (distances[...][nothing] == distances.fill_value).all()
    assert (distances[...][~nothing] < 500).all()
    assert_same(found, apsp.k_nearest(graph, 70, dtype=dtype))


def test_xarray_reads_it(city: apsp.Graph, place: Path) -> None:
    xarray = pytest.importorskip("xarray")
    graph = apsp.Graph(city.indptr, city.indices, city.weights, labels=[f"v{k}" for k in range(city.n)])
    found = apsp.k_nearest(graph, 4, sources=["v7", "v3"], store=place)
    told = xarray.open_zarr(place, chunks=None)
    assert told.distances.sel(source="v7", rank=0).item() == found.distances[0, 0]
    assert told.target.values[told.positions.sel(source="v7")].tolist() == found.vertices[0].tolist()


def test_some_sources_with_labels(city: apsp.Graph, place: Path) -> None:
    graph = apsp.Graph(city.indptr, city.indices, city.weights, labels=[f"v{k}" for k in range(city.n)])
    some = ["v9", "v3", "v150", "v9"]
    found = apsp.k_nearest(graph, 5, sources=some, store=place)
    assert found.sources.tolist() == some
    assert_same(found, apsp.k_nearest(graph, 5, sources=some))
    assert found.vertices.tolist() == apsp.k_nearest(graph, 5, sources=some).vertices.tolist()
    assert zarr.open_group(place, mode="r")["positions"].shape == (3, 5)
    assert_same(apsp.k_nearest(graph, 5, sources=["v150", "v9", "v3"], store=place).of(found._sources), found)


@pytest.mark.few(2)
@pytest.mark.parametrize("n", [0, 1, 3])
@pytest.mark.parametrize("k", [1, 8])
def test_few_vertices(n: int, k: int, place: Path) -> None:
    graph = apsp.from_edges([0] * (n > 1), [1] * (n > 1), n=n)
    for sources in (None, [], range(0, n, 2)):
        place = place.with_name(f"{place.name}_")
        found = apsp.k_nearest(graph, k, sources=sources, store=place)
        assert found.positions.shape == (len(found.sources), k)
        assert_same(found, apsp.k_nearest(graph, k, sources=sources))


@pytest.mark.slow
def test_integers_go_on_in_another_way(city: apsp.Graph, place: Path) -> None:
    """Their bits depend on neither method, nor device, nor threads."""
    with pytest.raises(StopError):
        apsp.k_nearest(city, 6, store=place, method="dijkstra", threads=2, progress=stop_after(60))
    ways: tuple[Any, ...] = (
        {"method": "elimination", "threads": 1}, {"method": "label-correcting", "device": "emulated"},
    )  # fmt: skip
    for band, way in enumerate(ways):
        (place / "distances" / "c" / str(band) / "0").unlink()
        with pytest.raises(StopError):
            apsp.k_nearest(city, 6, store=place, progress=stop_after(200 - 16 * 6), **way)
    assert 2 < len(shards(place, LAST)) < 13
    assert_same(apsp.k_nearest(city, 6, store=place), apsp.k_nearest(city, 6, device="cpu", method="dijkstra"))


def test_floats_go_on_in_the_same_way(city: apsp.Graph, place: Path) -> None:
    graph = city.with_weights(city.weights * 0.1)
    with pytest.raises(StopError):
        apsp.k_nearest(graph, 6, store=place, method="elimination", threads=2, progress=stop_after(60))
    with pytest.raises(apsp.RequestError, match="it has method='elimination', on which its bits depend, this call"):
        apsp.k_nearest(graph, 6, store=place, method="dijkstra")
    found = apsp.k_nearest(graph, 6, store=place)
    assert_same(found, apsp.k_nearest(graph, 6, method="elimination", threads=2))


@pytest.mark.slow
@pytest.mark.parametrize("dtype", ["int32", "float64"])
def test_several_runs_and_executors_share_a_store(dtype: str, city: apsp.Graph, place: Path) -> None:
    graph = city.with_weights((city.weights * 0.3).astype(dtype) + 1)
    call: Any = {"k": 7, "store": place, "method": "dijkstra", "threads": 1}
    with pytest.raises(StopError):
        apsp.k_nearest(graph, progress=stop_after(40), **call)
    before = shards(place)
    with ThreadPoolExecutor(2) as workers, ThreadPoolExecutor(3) as runs:
        ways = [{"executor": workers}, {}, {"executor": workers}]
        found = [run.result() for run in [runs.submit(apsp.k_nearest, graph, **way, **call) for way in ways]]
    assert before.items() <= shards(place).items()
    assert not list(place.rglob(".claims"))
    for each in found:
        assert_same(each, apsp.k_nearest(graph, 7, method="dijkstra", threads=1))


def test_other_requests(city: apsp.Graph, place: Path) -> None:
    apsp.k_nearest(city, 5, cutoff=90, store=place)
    before, other = shards(place), city.weights.copy()
    other[3] += 1
    for difference, wrong in {
        "it has k=5, this call k=4": {"k": 4},
        "it has other sources": {"sources": [1, 2]},
        "it has cutoff=90, this call cutoff=None": {"cutoff": None},
        "it has dtype='uint16', this call dtype='int64'": {"dtype": "int64"},
        "its arc from .* has the weight": {"graph": city.with_weights(other)},
    }.items():
        with pytest.raises(apsp.RequestError, match=difference):
            apsp.k_nearest(**{"graph": city, "k": 5, "cutoff": 90, **wrong}, store=place)
    for measure, options in ((apsp.farness, {}), (apsp.accessibility, {"weights": np.ones(200), "cutoffs": 9})):
        with pytest.raises(apsp.RequestError, match="holds parts of k_nearest: name another store"):
            measure(city, store=place, **options)
    with pytest.raises(apsp.RequestError, match="holds parts of k_nearest: name another store"):
        apsp.solve(city, store=place)
    with pytest.raises(apsp.FileFormatError, match="a store of k_nearest, not of distances: it is read by the measure"):
        apsp.load(place)
    assert shards(place) == before
    sums = place.with_name("sums.zarr")
    apsp.farness(city, store=sums)
    with pytest.raises(apsp.RequestError, match="holds sums of distances, for measures: name another store"):
        apsp.k_nearest(city, 5, store=sums)
    missing = place.with_name("missing.zarr")
    for words, wrong in (("leave out pages_file, or store", {"pages_file": "pages"}), ("k must", {"k": 0})):
        with pytest.raises(apsp.RequestError, match=words):
            apsp.k_nearest(city, **{"k": 5, **wrong}, store=missing)
    assert not missing.exists()


def test_a_damaged_shard_is_named(city: apsp.Graph, place: Path) -> None:
    apsp.k_nearest(city, 5, store=place)
    shard = place / "positions" / "c" / "3" / "0"
    data = bytearray(shard.read_bytes())
    data[20] ^= 255
    shard.write_bytes(data)
    with pytest.raises(
        apsp.FileFormatError,
        match=r"positions/c/\d+.* is damaged \(a chunk differs .* remove this file, and make the same call",
    ):
        apsp.k_nearest(city, 5, store=place)


@pytest.mark.slow
def test_bands_of_many_columns_have_fewer_rows(city: apsp.Graph, place: Path) -> None:
    for k, rows in ((1, 16), (20, 12), (100, 2), (700, 1)):  # 6 bytes each
        place = place.with_name(f"{k}.zarr")
        with bands_of_measures(seconds=0, least_rows=16, most_bytes=1500):
            found = apsp.k_nearest(city, k, store=place)
        header = header_at(Folder(place))
        assert header is not None
        assert header.band_rows == rows
        assert_same(found, apsp.k_nearest(city, k))


def test_rows_that_a_gpu_computes(city: apsp.Graph, place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found: Any = apsp.k_nearest(city, 5, store=place, method="label-correcting", device="emulated")
    header = header_at(Folder(place))
    assert header is not None
    assert header.device == "emulated"
    assert_same(found, apsp.k_nearest(city, 5, device="cpu"))
    monkeypatch.setattr(NearestVertices, "part", None)  # nothing is left to compute
    assert_same(apsp.k_nearest(city, 5, store=place, method="label-correcting", device="emulated"), found)


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="processes are killed")
def test_workers_write_it_and_one_is_killed(city: apsp.Graph, place: Path) -> None:
    killed: list[int] = []

    def kill(stage: str, done: int, total: int) -> None:
        if not killed:
            killed.append(multiprocessing.active_children()[0].pid or 0)
            os.kill(killed[0], signal.SIGKILL)

    options: Any = {"executor": "processes", "threads": 1}
    found = apsp.k_nearest(city, 6, store=place, progress=kill, **options)
    assert killed
    alone = apsp.k_nearest(city, 6)
    assert_same(found, alone)
    assert not list(place.rglob(".claims"))
    before = shards(place)
    assert len(shards(place, LAST)) > 4
    (place / next(iter(before))).unlink()
    assert_same(apsp.k_nearest(city, 6, store=place, **options), alone)
    assert len(shards(place).items() - before.items()) == 1
