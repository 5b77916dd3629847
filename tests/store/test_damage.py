"""Damaged files of every kind of store: an error that names the file, and the right bits from the same call again."""

from __future__ import annotations

import json
import os
import shutil
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import apsp
from apsp.running import in_store
from apsp.store.bucket import Bucket
from apsp.store.folder import Folder
from apsp.store.header import header_at
from apsp.store.reading import StoredArrays
from apsp.system.array_device import to_host
from apsp.system.paced import PacedFile

zarr = pytest.importorskip("zarr")
obstore = pytest.importorskip("obstore.store")

pytestmark = pytest.mark.usefixtures("small_bands", "small_blocks", "small_skims", "small_rows")

Arrays = tuple[Any, ...]

CALLS: dict[str, Callable[..., Arrays]] = {
    "solve": lambda graph, store: (to_host(apsp.solve(graph, store=store, paths=True).distances),),
    "closeness": lambda graph, store: (apsp.closeness_centrality(graph, direction="out", store=store),),
    "eccentricity": lambda graph, store: (apsp.eccentricity(graph, store=store),),
    "hyper_wiener": lambda graph, store: (apsp.hyper_wiener_index(graph, store=store),),
    "histogram": lambda graph, store: _histogram(graph, store),
    "statistics": lambda graph, store: (
        apsp.distance_statistics(graph, np.arange(graph.n) % 3, per="source", store=store).total,
    ),
    "accessibility": lambda graph, store: (
        apsp.accessibility(graph, np.arange(graph.n), cutoffs=[40, 90], store=store).values,
    ),
    "k_nearest": lambda graph, store: (apsp.k_nearest(graph, 5, store=store).distances,),
    "betweenness": lambda graph, store: (apsp.betweenness_centrality(graph, store=store),),
    "flows": lambda graph, store: (apsp.arc_flows(graph, np.ones((graph.n, graph.n)), store=store).arcs,),
    "skim": lambda graph, store: tuple(np.asarray(cost) for cost in _skim(graph, store).values()),
}

DAMAGE: dict[str, Callable[[bytes], bytes]] = {
    "empty": lambda data: b"",
    "short": lambda data: data[:-1],
    "half": lambda data: data[: len(data) // 2],
    "longer": lambda data: data + b"\0",
    "moved": lambda data: b"\0" * 8 + data,
    "zeros": lambda data: bytes(len(data)),
}


def _histogram(graph: apsp.Graph, store: Any) -> Arrays:
    found = apsp.distance_histogram(graph, bins=8, store=store)
    return found.counts, found.edges


def _skim(graph: apsp.Graph, store: Any) -> Any:
    return apsp.skim(graph, {"toll": np.arange(graph.m) % 3}, store=store)


@pytest.fixture
def small_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bands of 16 rows in stores of measures."""
    monkeypatch.setattr(in_store, "rows_of_band", lambda *_: 16)


@pytest.fixture
def graph() -> apsp.Graph:
    numbers = np.random.default_rng(2)
    ends, labels = numbers.integers(0, 60, (2, 100)), [f"stop {k}" for k in range(60)]
    return apsp.from_edges(*ends, numbers.integers(1, 40, 100), n=60, directed=False, labels=labels)


def shards(place: Path) -> dict[str, Path]:
    found = {path.relative_to(place).as_posix(): path for path in sorted(place.glob("*/c/**/*")) if path.is_file()}
    return {key: path for key, path in found.items() if not key.startswith(("source/", "target/"))}


def fixed(place: Path) -> dict[str, Path]:
    found = {path.relative_to(place).as_posix(): path for path in sorted(place.rglob("*")) if path.is_file()}
    return {key: path for key, path in found.items() if key not in shards(place) and key != "zarr.json"}


def same(one: Arrays, other: Arrays) -> bool:
    return all(np.array_equal(a, b, equal_nan=True) for a, b in zip(one, other, strict=True))


def by_array(paths: dict[str, Path]) -> list[Path]:
    """One shard of every array, in the middle."""
    groups: dict[str, list[Path]] = {}
    for key, path in paths.items():
        groups.setdefault(key.split("/")[0], []).append(path)
    return [group[len(group) // 2] for group in groups.values()]


@pytest.mark.few(6)
@pytest.mark.parametrize("kind", DAMAGE)
@pytest.mark.parametrize("name", CALLS)
def test_damaged_shards_are_computed_again(name: str, kind: str, graph: apsp.Graph, place: Path) -> None:
    """In every array of every kind of store. The expected bits are those of the first call."""
    expected = CALLS[name](graph, place)
    before = {key: path.read_bytes() for key, path in shards(place).items()}
    assert len(by_array(shards(place))) < len(before)
    for path in by_array(shards(place)):
        path.write_bytes(DAMAGE[kind](path.read_bytes()))
    assert same(CALLS[name](graph, place), expected)
    assert {key: path.read_bytes() for key, path in shards(place).items()} == before


@pytest.mark.few(2)
@pytest.mark.parametrize("name", CALLS)
def test_swapped_shards_are_computed_again(name: str, graph: apsp.Graph, place: Path) -> None:
    """With another one of the same array, of another array, and of a store of another graph."""
    expected = CALLS[name](graph, place)
    other = place.with_name("other.zarr")
    CALLS[name](graph.with_weights(graph.weights + 1), other)
    before = {key: path.read_bytes() for key, path in shards(place).items()}
    keys = list(before)
    of_array = [key for key in keys if key.split("/")[0] == keys[0].split("/")[0]]
    (place / of_array[0]).write_bytes(before[of_array[1]])
    (place / of_array[1]).write_bytes(before[of_array[0]])
    shutil.copyfile(other / of_array[2], place / of_array[2])
    (place / of_array[3]).write_bytes(before[keys[-1]])
    assert same(CALLS[name](graph, place), expected)
    assert {key: path.read_bytes() for key, path in shards(place).items()} == before


@pytest.mark.few(3)
@pytest.mark.parametrize("kind", [*DAMAGE, "swapped", "of another store"])
@pytest.mark.parametrize("name", ["distances", "predecessors", "toll"])
def test_readers_name_damaged_shards(name: str, kind: str, graph: apsp.Graph, place: Path) -> None:
    """They are never read as "no path"; other rows are read."""
    call = "skim" if name == "toll" else "solve"
    CALLS[call](graph, place)
    path, later = place / name / "c/1/0", apsp.load(place)
    if kind in DAMAGE:
        path.write_bytes(DAMAGE[kind](path.read_bytes()))
    elif kind == "swapped":
        shutil.copyfile(place / name / "c/2/0", path)
    else:
        CALLS[call](graph.with_weights(graph.weights + 1), place.with_name("other.zarr"))
        shutil.copyfile(place.with_name("other.zarr") / name / "c/1/0", path)
    opened = apsp.load(place)
    for found in (opened, later):
        array = found["toll"] if name == "toll" else getattr(found, name)
        reads = [lambda array=array: array[20], lambda array=array: array[:], lambda array=array: array[[20, 40], 3]]
        for read in (*reads, lambda found=found: list(found.blocks()), lambda: apsp.load(place, check=True)):
            words = rf"{name}/c/1/0 is damaged \(.*\): call apsp\.{call}\(graph, store=\.\.\.\) again"
            with pytest.raises(apsp.FileFormatError, match=words):
                read()
        assert not found.is_complete
        assert array[0].shape == array[59].shape
    CALLS[call](graph, place)
    assert opened.is_complete
    apsp.load(place, check=True)


def test_a_shard_that_is_emptied_while_it_is_read(graph: apsp.Graph, place: Path) -> None:
    result = apsp.solve(graph, store=place)
    result.row("stop 20")
    (place / "distances/c/1/0").write_bytes(b"")
    for read in (lambda: result.row("stop 20"), lambda: result[:, ["stop 3"]], result.verify, result.summary):
        with pytest.raises(apsp.FileFormatError, match=r"distances/c/1/0"):
            read()


def test_missing_sources_are_those_of_damaged_shards_too(graph: apsp.Graph, place: Path) -> None:
    apsp.solve(graph, store=place, paths=True)
    (place / "predecessors/c/2/0").write_bytes(b"")
    found = apsp.load(place)
    assert list(found.missing_sources) == [f"stop {k}" for k in range(32, 48)]
    assert apsp.solve(graph, store=place, paths=True).info["rows_computed"] == 16
    assert found.is_complete


@pytest.mark.few(2)
@pytest.mark.parametrize("damage", ["empty", "missing", "text", "changed", "swapped"])
@pytest.mark.parametrize("name", ["solve", "closeness", "flows", "skim"])
def test_fixed_files_are_written_again(name: str, damage: str, graph: apsp.Graph, place: Path) -> None:
    """Labels, metadata of arrays and the graph: each file alone is noticed by readers, and all of them are repaired."""
    expected = CALLS[name](graph, place)
    before = {key: path.read_bytes() for key, path in fixed(place).items()}
    assert {"source/c/0", "target/zarr.json", "graph/weights/c/0"} < before.keys()
    for key, data in before.items():
        _damage_fixed(place / key, damage, place)
        if name in ("solve", "skim"):
            with pytest.raises(apsp.FileFormatError, match=rf"{key} is damaged .* made again, repairs it"):
                apsp.load(place)
        (place / key).write_bytes(data)
    for key in before:
        _damage_fixed(place / key, damage, place)
    assert same(CALLS[name](graph, place), expected)
    assert {key: path.read_bytes() for key, path in fixed(place).items()} == before


def _damage_fixed(path: Path, damage: str, place: Path) -> None:
    data = path.read_bytes()
    if damage == "missing":
        path.unlink()
    elif damage == "swapped":
        other = next(other for other in fixed(place).values() if other.name == path.name and other.read_bytes() != data)
        path.write_bytes(other.read_bytes())
    elif path.name == "zarr.json" and damage == "changed":
        node = json.loads(data)
        node["node_type"] = "other"
        path.write_text(json.dumps(node))
    else:
        path.write_bytes({"empty": b"", "text": b"{]", "changed": data[:-1] + bytes([data[-1] ^ 1])}[damage])


def test_damaged_files_of_another_graph_are_not_written(graph: apsp.Graph, place: Path) -> None:
    apsp.solve(graph, store=place)
    (place / "graph/weights/c/0").write_bytes(b"")
    other = graph.with_weights(graph.weights + 1)
    with pytest.raises(
        apsp.FileFormatError, match=r"graph/weights/c/0 is damaged \(it is empty\), and was written for"
    ):
        apsp.solve(other, store=place)
    assert (place / "graph/weights/c/0").read_bytes() == b""


@pytest.mark.few(3)
@pytest.mark.parametrize(
    "change", ["a digit", "the copy of metadata", "a name in the copy", "empty", "cut", "of another store"]
)
def test_damaged_metadata_of_the_group(change: str, graph: apsp.Graph, place: Path) -> None:
    expected = to_host(apsp.solve(graph, store=place).distances)
    path, other = place / "zarr.json", place.with_name("other.zarr")
    root = json.loads(path.read_text())
    apsp.solve(graph.with_weights(graph.weights + 1), store=other)
    text = {
        "a digit": lambda: json.dumps(root).replace('"cutoff": null', '"cutoff": 7'),
        "the copy of metadata": lambda: json.dumps(root).replace('"fill_value": 65535', '"fill_value": 65534'),
        "a name in the copy": lambda: json.dumps(root).replace('"graph/indptr"', '"graph/intptr"', 2),
        "empty": lambda: "",
        "cut": lambda: json.dumps(root)[:-1],
        "of another store": (other / "zarr.json").read_text,
    }[change]()
    path.write_text(text)
    with pytest.raises(apsp.FileFormatError):
        apsp.load(place)
    with pytest.raises(apsp.ApspError, match=r"zarr\.json|of another request|graph/.*is damaged"):
        apsp.solve(graph, store=place)
    path.unlink()
    assert np.array_equal(to_host(apsp.solve(graph, store=place).distances), expected)


@pytest.mark.filterwarnings("ignore:Consolidated metadata")
def test_what_other_programs_add_is_no_damage(graph: apsp.Graph, place: Path) -> None:
    """Attributes, arrays, and another consolidated metadata."""
    expected = to_host(apsp.solve(graph, store=place).distances)
    group = zarr.open_group(str(place), mode="r+")
    group.attrs["title"] = "travel times"
    group["distances"].attrs["units"] = "seconds"
    group.create_array("mine", data=np.arange(5))
    for _ in range(2):
        assert np.array_equal(to_host(apsp.load(place).distances), expected)
        assert apsp.solve(graph, store=place).info["rows_computed"] == 0
        _check_packed(place, expected)
        zarr.consolidate_metadata(str(place))


def test_without_a_copy_of_the_metadata(graph: apsp.Graph, place: Path) -> None:
    """Zarr does not require it."""
    expected = to_host(apsp.solve(graph, store=place).distances)
    root = json.loads((place / "zarr.json").read_text())
    for left in ({}, {"consolidated_metadata": None}):
        rest = {name: value for name, value in root.items() if name != "consolidated_metadata"}
        (place / "zarr.json").write_text(json.dumps(rest | left))
        assert np.array_equal(to_host(apsp.load(place).distances), expected)
        assert apsp.solve(graph, store=place).info["rows_computed"] == 0
        _check_packed(place, expected)


def _check_packed(place: Path, expected: Any) -> None:
    file = place.with_name("packed.zarr.zip")
    apsp.load(place).save(file)
    assert np.array_equal(to_host(apsp.load(file).distances), expected)


@pytest.mark.few(2)
@pytest.mark.parametrize("kind", [*DAMAGE, "swapped"])
def test_buckets(kind: str, graph: apsp.Graph) -> None:
    """The same, in the memory of this process."""
    for name in ("solve", "closeness"):
        objects = obstore.MemoryStore()
        expected = CALLS[name](graph, objects)
        place = Bucket(objects)
        array = "distances" if name == "solve" else "total"
        keys = sorted(place.keys(f"{array}/c"))
        data = place.read(keys[1])
        assert data is not None
        place.write(keys[1], [DAMAGE[kind](data) if kind in DAMAGE else place.read(keys[2]) or b""])
        place.write("graph/weights/c/0", [b""])
        assert same(CALLS[name](graph, objects), expected)
        assert place.read(keys[1]) == data


@pytest.mark.few(2)
@pytest.mark.parametrize("kind", [*DAMAGE, "swapped"])
@pytest.mark.parametrize("compression", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
def test_packed_stores(compression: int, kind: str, graph: apsp.Graph, place: Path) -> None:
    """A file of damaged shards is read up to them; a call that would have to write it names them."""
    for name in ("solve", "closeness"):
        shutil.rmtree(place, ignore_errors=True)
        expected = CALLS[name](graph, place)
        file = place.with_name(f"{name}.zarr.zip")
        _zip(place, file, compression)
        assert same(CALLS[name](graph, file), expected)
        path = place / ("distances/c/1/0" if name == "solve" else "total/c/1")
        other = path.with_name("2") if name == "closeness" else place / "distances/c/2/0"
        path.write_bytes(DAMAGE[kind](path.read_bytes()) if kind in DAMAGE else other.read_bytes())
        _zip(place, file, compression)
        with pytest.raises(apsp.FileFormatError, match=rf"{path.relative_to(place)} is damaged"):
            CALLS[name](graph, file)
        if name == "solve":
            assert apsp.load(file).row("stop 0").shape == (60,)
            with pytest.raises(apsp.FileFormatError, match=r"distances/c/1/0 is damaged"):
                apsp.load(file).row("stop 20")
        (place / "graph/indices/c/0").write_bytes(b"")
        _zip(place, file, compression)
        with pytest.raises(apsp.FileFormatError, match=r"graph/indices/c/0 is damaged"):
            CALLS[name](graph, file)


def _zip(place: Path, file: Path, compression: int) -> None:
    with zipfile.ZipFile(file, "w", compression) as archive:
        for path in sorted(place.rglob("*")):
            if path.is_file():
                archive.write(path, path.relative_to(place).as_posix())


def test_a_damaged_store_is_not_packed(graph: apsp.Graph, place: Path) -> None:
    result = apsp.solve(graph, store=place)
    (place / "distances/c/1/0").write_bytes(b"")
    with pytest.raises(apsp.FileFormatError, match="distances/c/1/0 is damaged"):
        result.save(place.with_name("packed.zarr.zip"))
    assert not place.with_name("packed.zarr.zip").exists()


@pytest.mark.slow
def test_workers_compute_damaged_shards_again(graph: apsp.Graph, place: Path) -> None:
    expected = CALLS["closeness"](graph, place)
    for key in ("total/c/1", "reached/c/2", "total/c/3"):
        (place / key).write_bytes(b"")
    found = apsp.closeness_centrality(graph, direction="out", store=place, executor="processes")
    assert np.array_equal(found, expected[0])


def test_shards_are_on_the_disk_before_they_have_their_name(
    graph: apsp.Graph, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A crash of the machine may else leave an empty file under it."""
    synced: list[int] = []
    sync, rename = PacedFile.sync, os.replace

    def syncs(self: PacedFile) -> None:
        sync(self)
        synced.append(os.fstat(self.fileno()).st_ino)

    def renames(source: Any, target: Any) -> None:
        state = Path(source).stat()
        assert state.st_size > 0
        assert state.st_ino in synced
        rename(source, target)

    monkeypatch.setattr(PacedFile, "sync", syncs)
    monkeypatch.setattr("os.replace", renames)
    apsp.solve(graph, store=place, paths=True)
    assert len(synced) >= len(shards(place)) + len(fixed(place)) + 1


def test_a_store_of_version_1(tmp_path: Path) -> None:
    """Written by the version before: its shards do not name their place, but empty and cut files are noticed."""
    with zipfile.ZipFile(Path(__file__).with_name("version_1.zarr.zip")) as archive:
        archive.extractall(tmp_path / "old.zarr")
    place = tmp_path / "old.zarr"
    result = apsp.load(place)
    expected = to_host(result.distances)
    result.verify()
    graph = result.graph
    for kind in ("empty", "short", "half", "zeros"):
        path = place / "distances/c/1/0"
        path.write_bytes(DAMAGE[kind](path.read_bytes()))
        with pytest.raises(apsp.FileFormatError, match=r"distances/c/1/0 is damaged"):
            apsp.load(place, check=True)
        again = apsp.solve(graph, store=place)
        assert again.info["rows_computed"] == 4
        assert np.array_equal(to_host(again.distances), expected)
    for key in ("source/zarr.json", "distances/zarr.json"):
        (place / key).write_bytes(b"")
        with pytest.raises(apsp.FileFormatError, match=f"{key} is damaged"):
            apsp.load(place)
        assert np.array_equal(to_host(apsp.solve(graph, store=place).distances), expected)
        apsp.load(place)
    (place / "graph/weights/c/0").write_bytes(b"")
    with pytest.raises(apsp.FileFormatError, match="graph/weights/c/0 is damaged"):
        apsp.solve(graph, store=place)


def test_zarr_and_this_package_read_the_same_rows(graph: apsp.Graph, place: Path) -> None:
    """Shards are decoded here for measures, by zarr-python for matrices."""
    for name in ("accessibility", "k_nearest", "flows", "closeness"):
        shutil.rmtree(place, ignore_errors=True)
        CALLS[name](graph, place)
        header = header_at(Folder(place))
        assert header is not None
        for array in header.arrays:
            theirs = zarr.open_group(str(place), mode="r")[array][...]
            assert np.array_equal(StoredArrays(Folder(place), header).array(array), theirs)
            assert np.array_equal(np.concatenate(list(StoredArrays(Folder(place), header).bands(array))), theirs)
            assert StoredArrays(Folder(place), header).array(array).dtype == theirs.dtype
