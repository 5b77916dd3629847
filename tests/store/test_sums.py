"""Measures that keep sums of rows in a store, and go on where they were."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import apsp
from apsp.reductions.moments import LIMBS, Moments
from apsp.store.folder import Folder
from apsp.store.shards import Shards
from apsp.store.storage import CLAIMS
from stopping import StopError, stop_after
from stored import bands_of_measures, shards

zarr = pytest.importorskip("zarr")


@pytest.fixture(autouse=True)
def small_bands() -> Iterator[None]:
    with bands_of_measures(seconds=0, least_rows=16):
        yield


@pytest.mark.few(1)
@pytest.mark.parametrize("dtype", ["int32", "float64"])
@pytest.mark.parametrize("method", ["auto", "dijkstra", "elimination"])
def test_a_stopped_measure_goes_on(dtype: str, method: Any, city: apsp.Graph, place: Path) -> None:
    graph = city.with_weights((city.weights * 0.25).astype(dtype) + 1)
    with pytest.raises(StopError):
        apsp.harmonic_centrality(graph, store=place, method=method, progress=stop_after(60))
    before = shards(place, "largest/c/*")
    assert 0 < len(before) < 13
    found = apsp.harmonic_centrality(graph, store=place, method=method)
    after = shards(place, "largest/c/*")
    assert before.items() <= after.items()
    assert len(after) == 13
    expected = apsp.harmonic_centrality(graph, method=method)
    assert np.allclose(found, expected, rtol=1e-14)
    # Sums of 1 / distance are enough for the others.
    assert np.array_equal(
        apsp.closeness_centrality(graph, store=place, method=method), apsp.closeness_centrality(graph, method=method)
    )


def test_all_of_a_summary(city: apsp.Graph, place: Path) -> None:
    found, expected = apsp.summary(city, store=place), apsp.summary(city)
    assert found.diameter == expected.diameter
    assert found.radius == expected.radius
    assert found.center == expected.center
    assert found.farthest_pair == expected.farthest_pair
    assert found.average_shortest_path_length == expected.average_shortest_path_length
    assert np.array_equal(found.eccentricity, expected.eccentricity)
    assert found.global_efficiency() == pytest.approx(expected.global_efficiency(), rel=1e-14)
    group = zarr.open_group(str(place), mode="r")
    assert np.array_equal(group["total"][...], expected.farness("out"))


def test_other_measures_read_the_same_sums(city: apsp.Graph, place: Path) -> None:
    assert apsp.global_efficiency(city, store=place) == pytest.approx(apsp.global_efficiency(city), rel=1e-14)
    before = shards(place, "*/c/*")
    assert np.array_equal(apsp.eccentricity(city, store=place), apsp.eccentricity(city))
    assert apsp.average_shortest_path_length(city, store=place) == apsp.average_shortest_path_length(city)
    assert apsp.wiener_index(city, store=place) == apsp.wiener_index(city)
    assert shards(place, "*/c/*") == before


def test_some_vertices_with_labels(city: apsp.Graph, place: Path) -> None:
    names = [f"v{number}" for number in range(200)]
    graph = apsp.Graph(city.indptr, city.indices, city.weights, directed=True, labels=names)
    chosen = ["v7", "v3", *names[50:120]]
    found = apsp.farness(graph, vertices=chosen, store=place)
    assert np.array_equal(found, apsp.farness(graph, vertices=chosen))
    with pytest.raises(apsp.RequestError, match="it has other sources"):
        apsp.farness(graph, store=place)


def test_pairs_without_a_path_and_few_vertices(place: Path) -> None:
    for number, graph in enumerate(
        [apsp.from_edges([], [], n=0), apsp.from_edges([], [], n=1), apsp.from_edges([0, 1], [1, 2], n=40)]
    ):
        found = apsp.closeness_centrality(graph, store=place.with_name(f"{number}.zarr"))
        assert np.array_equal(found, apsp.closeness_centrality(graph))


def test_runs_share_the_work(city: apsp.Graph, place: Path) -> None:
    found: list[Any] = []
    runs = [threading.Thread(target=lambda: found.append(apsp.farness(city, store=place))) for _ in range(3)]
    for run in runs:
        run.start()
    for run in runs:
        run.join()
    assert len(found) == 3
    assert all(np.array_equal(each, apsp.farness(city)) for each in found)
    assert not list(place.rglob(".claims"))


def test_the_folder_of_claims_may_go_at_any_time(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another run that ends removes it after this one has made it, or while it does so."""
    mkdir, calls = Path.mkdir, []
    (place / CLAIMS).parent.mkdir(parents=True)

    def gone(path: Path, *arguments: Any, **options: Any) -> None:
        calls.append(path)
        mkdir(path, *arguments, **options)
        if len(calls) == 1:
            path.rmdir()
        elif len(calls) == 2:
            raise FileExistsError(17, "File exists")

    monkeypatch.setattr(Path, "mkdir", gone)
    claim = Folder(place).claim("3")
    assert claim is not None
    assert Folder(place).claim("3") is None
    claim.release()
    monkeypatch.setattr(Path, "mkdir", lambda *_, **__: None)
    with pytest.raises(apsp.OutputError, match="No such file or directory"):
        Folder(place.with_name("other.zarr")).claim("3")


def test_a_run_that_finds_all_bands_written_leaves_no_claims(
    city: apsp.Graph, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those that another run has written since it looked."""
    expected, looks = apsp.farness(city, store=place), iter([[0, 2], []])
    monkeypatch.setattr(Shards, "missing", lambda _: next(looks))
    assert np.array_equal(apsp.farness(city, store=place), expected)
    assert not list(place.rglob(".claims"))


def test_claims_of_a_run_that_was_killed_after_its_last_band(
    city: apsp.Graph, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The next call removes them, if it can."""
    expected = apsp.farness(city, store=place)

    def refused(folder: Folder, key: str) -> None:
        raise apsp.OutputError(f"cannot write {folder.path / key}")

    (place / CLAIMS).mkdir()
    (place / CLAIMS / "12").touch()
    with monkeypatch.context() as patched:
        patched.setattr(Folder, "claim", refused)
        assert np.array_equal(apsp.farness(city, store=place), expected)
    assert list(place.rglob(".claims"))
    assert np.array_equal(apsp.farness(city, store=place), expected)
    assert not list(place.rglob(".claims"))


def test_what_a_store_of_sums_is_not_for(city: apsp.Graph, place: Path) -> None:
    apsp.farness(city, store=place)
    with pytest.raises(apsp.RequestError, match="it has no sums of 1 / distance"):
        apsp.harmonic_centrality(city, store=place, direction="out")
    with pytest.raises(apsp.RequestError, match="holds sums of distances, for measures"):
        apsp.solve(city, store=place)
    with pytest.raises(apsp.FileFormatError, match="a store of sums, not of distances"):
        apsp.load(place)
    other = place.with_name("distances.zarr2")
    apsp.solve(city, store=other)
    with pytest.raises(apsp.RequestError, match="holds distances: name another store"):
        apsp.farness(city, store=other)
    with pytest.raises(apsp.RequestError, match="a store keeps sums and extremes of rows"):
        apsp.summary(city, store=place, columns=True)
    with pytest.raises(apsp.RequestError, match="it has no groups"):
        apsp.summary(city, store=place, reciprocals=False, groups=[0] * 200)
    with pytest.raises(apsp.RequestError, match="leave out quantiles, or store"):
        apsp.summary(city, store=place, quantiles=0.5)
    with pytest.raises(apsp.RequestError, match="leave out store, or top"):
        apsp.closeness_centrality(city, store=place, top=3)


def test_a_damaged_shard_is_named(city: apsp.Graph, place: Path) -> None:
    apsp.farness(city, store=place)
    shard = place / "total" / "c" / "3"
    data = bytearray(shard.read_bytes())
    data[20] ^= 255
    shard.write_bytes(data)
    with pytest.raises(
        apsp.FileFormatError,
        match=r"total/c/\d+.* is damaged \(a chunk differs .* remove this file, and make the same call",
    ):
        apsp.farness(city, store=place)


@pytest.mark.few(1)
@pytest.mark.parametrize("kind", ["int32", pytest.param("float64", marks=pytest.mark.slow)])
@pytest.mark.parametrize("options", [{"bins": 8}, {"bins": 300}, {"edges": [0, 3, 17.5, 60]}, {"edges": [5, np.inf]}])
@pytest.mark.parametrize("executor", [False, True])
def test_a_stopped_histogram_goes_on(kind: str, options: Any, executor: bool, city: apsp.Graph, place: Path) -> None:
    graph = city.with_weights((city.weights * 0.25).astype(kind))
    with pytest.raises(StopError):
        apsp.distance_histogram(graph, store=place, progress=stop_after(60), **options)
    before = shards(place, "histogram/c/*/0")
    assert 0 < len(before) < 13
    with ThreadPoolExecutor(2) as workers:
        found = apsp.distance_histogram(graph, store=place, executor=workers if executor else None, **options)
    after = shards(place, "histogram/c/*/0")
    assert before.items() <= after.items()
    assert len(after) == 13
    assert found == apsp.distance_histogram(graph, **options)
    # The same store has the sums, too.
    assert np.array_equal(apsp.eccentricity(graph, store=place), apsp.eccentricity(graph))
    assert shards(place, "histogram/c/*/0") == after


def test_another_histogram_is_refused(city: apsp.Graph, place: Path) -> None:
    apsp.distance_histogram(city, bins=8, store=place)
    for wrong, words in (({"bins": 9}, "it has bins=8, this call bins=9"), ({"edges": [0, 5]}, "it has no edges")):
        with pytest.raises(apsp.RequestError, match=words):
            apsp.distance_histogram(city, store=place, **wrong)
    other = place.with_name("sums.zarr")
    apsp.farness(city, store=other)
    with pytest.raises(apsp.RequestError, match="it has no bins"):
        apsp.distance_histogram(city, store=other)
    found = apsp.summary(city, bins=8, store=place.with_name("all.zarr"))
    assert found.histogram() == apsp.distance_histogram(city, bins=8)
    assert found.center == apsp.center(city)
    few = apsp.from_edges([], [], n=0)
    assert apsp.distance_histogram(few, store=place.with_name("0.zarr")) == apsp.distance_histogram(few)


INDICES = ("hyper_wiener_index", "schultz_index", "gutman_index")


def undirected(city: apsp.Graph, kind: str) -> apsp.Graph:
    tails, heads = city.tails(), city.indices
    lengths = (city.weights * 0.25).astype(kind) + 1
    return apsp.from_edges(tails, heads, lengths, n=city.n, directed=False)


@pytest.mark.few(1)
@pytest.mark.parametrize("kind", [pytest.param("int32", marks=pytest.mark.slow), "float64"])
@pytest.mark.parametrize("name", INDICES)
@pytest.mark.parametrize("executor", [False, True])
def test_a_stopped_index_goes_on(kind: str, name: str, executor: bool, city: apsp.Graph, place: Path) -> None:
    graph, measure = undirected(city, kind), getattr(apsp, name)
    array = "squares" if name == "hyper_wiener_index" else "products"
    with pytest.raises(StopError):
        measure(graph, store=place, progress=stop_after(60))
    before = shards(place, f"{array}/c/*/0")
    assert 0 < len(before) < 13
    with ThreadPoolExecutor(2) as workers:
        found = measure(graph, store=place, executor=workers if executor else None)
        spread = measure(graph, executor=workers)
    after = shards(place, f"{array}/c/*/0")
    assert before.items() <= after.items()
    assert len(after) == 13
    for each in (found, spread, measure(graph, store=place)):
        if kind == "float64":
            assert each == pytest.approx(measure(graph), rel=1e-13)
        else:
            assert each == measure(graph)
            assert type(each) is int
    # The same store has the sums, too.
    assert apsp.wiener_index(graph, store=place) == pytest.approx(apsp.wiener_index(graph), rel=1e-14)
    assert shards(place, f"{array}/c/*/0") == after


def test_indices_of_large_numbers(place: Path) -> None:
    far = 2**57
    graph = apsp.from_edges([0, 1, 2], [1, 2, 3], [far, 1, far - 5], n=4, directed=False)
    for name in INDICES:
        measure, store = getattr(apsp, name), place.with_name(f"{name}.zarr")
        assert measure(graph, store=store) == measure(graph) == measure(graph, store=store)
    at = [0, far, far + 1, 2 * far - 4]
    distances = [abs(a - b) for a in at for b in at]
    assert sum(d * d for d in distances) > 2**117
    assert apsp.hyper_wiener_index(graph, store=place) == sum(d + d * d for d in distances) // 2
    cut = apsp.from_edges([0, 2], [1, 3], n=5, directed=False)
    assert apsp.gutman_index(cut, store=place.with_name("cut.zarr")) == apsp.gutman_index(cut) == np.inf


@pytest.mark.parametrize("number", [0, -1, 2**64, -(2**64) - 3, 2**188 + 2**70 + 9, -(2**188)])
def test_large_numbers_in_a_row(number: int) -> None:
    moments = Moments(squares=True, degrees=None)
    moments.parts["squares"].append(number)
    row = moments.to_rows()["squares"]
    assert (row.shape, row.dtype) == ((1, LIMBS), np.dtype("int64"))
    moments.merge_row("squares", row[0])
    assert moments.squares == 2 * number


def test_a_store_of_another_index_is_refused(city: apsp.Graph, place: Path) -> None:
    graph = undirected(city, "int32")
    apsp.schultz_index(graph, store=place)
    with pytest.raises(apsp.RequestError, match="it has no squares"):
        apsp.hyper_wiener_index(graph, store=place)
    with pytest.raises(apsp.RequestError, match=r"its arc .* has the weight"):
        apsp.schultz_index(graph.with_weights(graph.weights + 1), store=place)
    with pytest.raises(apsp.RequestError, match="is of undirected graphs"):
        apsp.schultz_index(city, store=place.with_name("directed.zarr"))
    sums = place.with_name("sums.zarr")
    apsp.wiener_index(graph, store=sums)
    with pytest.raises(apsp.RequestError, match="it has no degrees"):
        apsp.schultz_index(graph, store=sums)
    names = [*INDICES, "distance_histogram", "closeness_centrality"]
    found = apsp.summary(graph, measures=names, store=place.with_name("all.zarr"))
    for name in ("hyper_wiener_index", "schultz_index", "gutman_index", "distance_histogram"):
        assert found[name] == getattr(apsp, name)(graph)
