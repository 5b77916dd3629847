"""What is written can be read without this package: by zarr-python, xarray, Dask and tensorstore."""

from __future__ import annotations

import json
import math
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import apsp
from apsp.store.folder import Folder
from apsp.store.header import header_at
from apsp.store.layout import Bands, Chunks, band_rows
from apsp.store.shard import ShardCodec
from stopping import StopError, stop_after

zarr = pytest.importorskip("zarr")

WEIGHTS = {
    "uint16": np.arange(1, 601) % 7 + 1,
    "int32": np.arange(1, 601) * 50_000,
    "int64": np.arange(1, 601) * 2**40,
    "float32": (np.arange(1, 601) / 7).astype(np.float32),
    "float64": np.arange(1, 601) / 7,
}


def graph_of(dtype: str) -> apsp.Graph:
    """A graph in which many pairs have no path."""
    numbers = np.random.default_rng(3)
    return apsp.from_edges(numbers.integers(0, 300, 600), numbers.integers(0, 300, 600), WEIGHTS[dtype], n=300)


@pytest.mark.few(1)
@pytest.mark.usefixtures("small_bands")
@pytest.mark.parametrize("dtype", WEIGHTS)
def test_zarr_reads_distances_and_predecessors(dtype: str, place: Path) -> None:
    graph = graph_of(dtype)
    apsp.solve(graph, store=place, paths=True)
    expected = apsp.solve(graph, paths=True)
    group = zarr.open_group(str(place), mode="r")
    distances, predecessors = group["distances"], group["predecessors"]
    assert distances.dtype == dtype
    assert np.array_equal(distances[...], expected.distances)
    assert distances.fill_value == apsp.unreachable(dtype)
    assert distances.shards[0] == 16
    assert distances.metadata.dimension_names == ("source", "target")
    assert predecessors.fill_value == -1
    again = apsp.Result(graph, distances[...], pred=predecessors[...])
    again.verify()


@pytest.mark.usefixtures("small_bands")
def test_zarr_reads_rows_that_are_split_into_several_chunks(place: Path) -> None:
    graph = apsp.generate("random", 700, m=3000, seed=1, weights=(1, 10**6))
    result = apsp.solve(graph, store=place, sources=range(50), dtype="int64")
    array = zarr.open_group(str(place), mode="r")["distances"]
    assert array.chunks[1] < 700
    assert array.nchunks_initialized >= 4
    expected = apsp.solve(graph, sources=range(50), dtype="int64").distances
    assert np.array_equal(array[...], expected)
    assert np.array_equal(result[range(3, 40), range(0, 700, 7)], expected[3:40, ::7])


@pytest.mark.usefixtures("small_bands")
def test_zarr_writes_the_same_shards(city: apsp.Graph, place: Path, tmp_path: Path) -> None:
    """The metadata of the store describes its shards: zarr-python, with this metadata, writes arrays that are equal."""
    apsp.solve(city, store=place)
    mine = zarr.open_group(str(place), mode="r")["distances"]
    other = tmp_path / "other.zarr" / "zarr.json"
    other.parent.mkdir()
    other.write_bytes((place / "distances" / "zarr.json").read_bytes())
    theirs = zarr.open_array(str(other.parent), mode="r+")
    theirs[...] = mine[...]
    shard = (other.parent / "c" / "0" / "0").read_bytes()
    assert abs(len(shard) - len((place / "distances" / "c" / "0" / "0").read_bytes())) < 64
    (place / "distances" / "c" / "0" / "0").write_bytes(shard)
    assert np.array_equal(zarr.open_group(str(place), mode="r")["distances"][...], apsp.solve(city).distances)
    with pytest.raises(apsp.FileFormatError, match=r"distances/c/0/0 is damaged \(it is another file than"):
        apsp.load(place).row(0)


@pytest.mark.few(1)
@pytest.mark.usefixtures("small_bands")
@pytest.mark.parametrize("kind", ["positions", "integers", "text", "tuples"])
def test_xarray_reads_labels_as_coordinates(kind: str, city: apsp.Graph, place: Path) -> None:
    xarray = pytest.importorskip("xarray")
    names = {
        "positions": None,
        "integers": list(range(1000, 1200)),
        "text": [f"stop {number}" for number in range(200)],
        "tuples": [(number, "a") for number in range(200)],
    }[kind]
    graph = apsp.Graph(city.indptr, city.indices, city.weights, directed=city.directed, labels=names)
    apsp.solve(graph, store=place)
    found = xarray.open_zarr(str(place), chunks=None)
    expected = apsp.solve(graph).distances
    assert np.array_equal(found.distances.values, expected)
    if kind in ("integers", "text"):
        assert found.distances.sel(source=names[3], target=names[5]).item() == expected[3, 5]
    assert apsp.load(place).graph == graph


@pytest.mark.usefixtures("small_bands")
def test_dask_reads_a_component(city: apsp.Graph, place: Path) -> None:
    array = pytest.importorskip("dask.array")
    apsp.solve(city, store=place)
    found = array.from_zarr(str(place), component="distances")
    assert found.max().compute(scheduler="synchronous") == apsp.diameter(city)


def tensor(url: str) -> Any:
    """An array of a store, opened by tensorstore."""
    return pytest.importorskip("tensorstore").open({"driver": "zarr3", "kvstore": url}).result()


@pytest.mark.few(2)
@pytest.mark.usefixtures("small_bands")
@pytest.mark.parametrize("dtype", WEIGHTS)
def test_tensorstore_reads_distances_and_predecessors(dtype: str, place: Path) -> None:
    graph = graph_of(dtype)
    stored = apsp.solve(graph, store=place, paths=True)
    expected = apsp.solve(graph, paths=True, method=stored.info["method"])
    distances, predecessors = (tensor(f"file://{place}/{name}/") for name in ("distances", "predecessors"))
    assert distances.dtype.numpy_dtype == dtype
    assert distances.domain.labels == ("source", "target")
    assert np.array_equal(distances.read().result(), expected.distances)
    assert np.array_equal(distances[3:40, ::7].read().result(), expected.distances[3:40, ::7])
    apsp.Result(graph, distances.read().result(), pred=predecessors.read().result()).verify()


@pytest.mark.usefixtures("small_bands")
def test_tensorstore_reads_rows_that_are_split_into_several_chunks(place: Path) -> None:
    graph = apsp.generate("random", 700, m=3000, seed=1, weights=(1, 10**6))
    apsp.solve(graph, store=place, sources=range(50), dtype="int64")
    array = tensor(f"file://{place}/distances/")
    assert array.chunk_layout.read_chunk.shape[1] < 700
    assert np.array_equal(array.read().result(), apsp.solve(graph, sources=range(50), dtype="int64").distances)


@pytest.mark.few(1)
@pytest.mark.usefixtures("small_bands")
@pytest.mark.parametrize("dtype", ["uint16", "int64", "float32"])
def test_tensorstore_reads_shards_that_are_missing_as_no_path(dtype: str, place: Path) -> None:
    graph = graph_of(dtype)
    with pytest.raises(StopError):
        apsp.solve(graph, store=place, paths=True, progress=stop_after(60))
    stored = apsp.load(place)
    missing = stored.missing_sources
    assert 0 < len(missing) < graph.n
    expected = apsp.solve(graph, paths=True, method=stored.info["method"])
    expected.distances[missing] = apsp.unreachable(dtype)
    assert np.array_equal(tensor(f"file://{place}/distances/").read().result(), expected.distances)
    assert (tensor(f"file://{place}/predecessors/").read().result()[missing] == -1).all()


@pytest.mark.usefixtures("small_bands")
def test_tensorstore_reads_a_packed_store(city: apsp.Graph, place: Path, tmp_path: Path) -> None:
    packed = tmp_path / "packed.zarr.zip"
    apsp.solve(city, store=place, paths=True).save(packed)
    distances, predecessors = (tensor(f"file://{packed}|zip:{name}/") for name in ("distances", "predecessors"))
    assert np.array_equal(distances.read().result(), apsp.solve(city).distances)
    apsp.Result(city, distances.read().result(), pred=predecessors.read().result()).verify()


def test_attributes_describe_the_run(city: apsp.Graph, place: Path) -> None:
    apsp.solve(city, store=place, cutoff=math.inf)
    told = json.loads((place / "zarr.json").read_text())["attributes"]["apsp"]
    assert told["apsp"] == apsp.__version__
    assert told["dtype"] == "uint16"
    assert told["plan"]["method"] == told["method"]
    assert told["cutoff"] == "Infinity"
    assert apsp.load(place).cutoff == math.inf


@pytest.mark.parametrize("rows", [0, 1, 3])
def test_graphs_of_few_vertices(rows: int, place: Path) -> None:
    graph = apsp.from_edges([], [], n=rows)
    result = apsp.solve(graph, store=place, paths=True)
    assert result.is_complete
    assert np.array_equal(np.asarray(apsp.load(place).distances), apsp.solve(graph).distances)
    result.verify()


def test_a_damaged_chunk_is_named(city: apsp.Graph, place: Path) -> None:
    apsp.solve(city, store=place)
    shard = place / "distances" / "c" / "0" / "0"
    data = bytearray(shard.read_bytes())
    data[40] ^= 255
    shard.write_bytes(data)
    with pytest.raises(apsp.FileFormatError, match=r"shard of distances, .*remove the files distances/c/0/0"):
        apsp.load(place).row(0)
    shard.unlink()
    apsp.solve(city, store=place).verify()


def test_metadata_of_another_layout_is_not_written_to(city: apsp.Graph, place: Path) -> None:
    apsp.solve(city, store=place)
    folder = Folder(place)
    header = header_at(folder)
    assert header is not None
    path = place / "distances" / "zarr.json"
    text = path.read_text()
    for before, after in (('"crc32c"', '"crc64"'), ('"end"', '"start"'), ('"bitshuffle"', '"new"'), ("{", "")):
        path.write_text(text.replace(before, after, 3))
        with pytest.raises(
            apsp.FileFormatError, match=r"distances/zarr\.json is damaged, or written by another version"
        ):
            ShardCodec(folder, header, "distances")


@pytest.mark.usefixtures("small_bands")
def test_threads_that_compress_make_the_same_shards(place: Path) -> None:
    """Chunks of rows and of parts of rows, at the edges too, in whatever order the threads compress them."""
    graph = apsp.generate("random", 700, m=3000, seed=1, weights=(1, 10**6))
    rows = apsp.solve(graph, store=place, sources=range(27), dtype="int64")[range(27), :]
    header = header_at(Folder(place))
    assert header is not None
    encoder = ShardCodec(Folder(place), header, "distances")
    with ThreadPoolExecutor(4) as threads:
        for part in (rows[:16], rows[16:]):
            assert encoder.encode(0, part, threads.map, bytes_at_once=4000) == encoder.encode(0, part)
    for band, part in enumerate((rows[:16], rows[16:])):
        assert (place / encoder.key(band)).read_bytes() == b"".join(encoder.encode(band, part))


def test_bands_and_chunks() -> None:
    assert band_rows(60_000, 60_000, 2, 10**6) == 512
    assert band_rows(10**6, 10**6, 2, 10**6) == 64
    assert band_rows(10**6, 10**6, 2, 20) == 20
    assert band_rows(300, 300, 2, 300) == 300
    assert Bands(1000, 300).count == 4
    assert Bands(1000, 300).slice(3) == slice(900, 1000)
    chunks = Chunks.of(512, 60_000, 2)
    assert chunks.chunk == (2, 60_000)
    wide = Chunks.of(64, 10**6, 4)
    assert wide.chunk == (1, 250_000)
    assert wide.shard == (64, 10**6)
    assert Chunks.of(64, 10**6 + 1, 4).shard[1] >= 10**6 + 1
