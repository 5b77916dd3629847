"""A store that was not completed: resumed, refused, shared, read while it is written."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import threading
import time
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import apsp
from apsp.api.stored import solving
from apsp.store.folder import Folder
from apsp.store.leases import Leases
from apsp.store.locks import Lock
from stopping import StopError, stop_after
from stored import shards

pytest.importorskip("zarr")
pytestmark = pytest.mark.usefixtures("small_bands")


@pytest.mark.few(1)
@pytest.mark.parametrize("paths", [False, True])
@pytest.mark.parametrize("stopped_at", [0, 50, 120])
def test_the_same_call_goes_on(paths: bool, stopped_at: int, city: apsp.Graph, place: Path) -> None:
    with pytest.raises(StopError):
        apsp.solve(city, store=place, paths=paths, progress=stop_after(stopped_at))
    before = shards(place)
    assert not list(place.rglob("*.part"))
    result = apsp.solve(city, store=place, paths=paths)
    after = shards(place)
    assert before.items() <= after.items()  # none was computed twice
    expected = apsp.solve(city, paths=paths, method=result.info["method"])
    assert np.array_equal(np.asarray(result.distances), expected.distances)
    if paths:
        assert np.array_equal(np.asarray(result.predecessors), expected.predecessors)
    assert result.info["rows_computed"] < 200 or not before
    assert apsp.solve(city, store=place, paths=paths).info["rows_computed"] == 0


def test_other_threads_and_methods_continue_integers(city: apsp.Graph, place: Path) -> None:
    with pytest.raises(StopError):
        apsp.solve(city, store=place, method="dijkstra", threads=1, progress=stop_after(40))
    result = apsp.solve(city, store=place, method="johnson", threads=2)
    assert np.array_equal(np.asarray(result.distances), apsp.solve(city).distances)


def test_another_device_continues_integers(city: apsp.Graph, place: Path) -> None:
    with pytest.raises(StopError):
        apsp.solve(city, store=place, progress=stop_after(40))
    before = shards(place)
    result = apsp.solve(city, store=place, device="emulated")
    assert before.items() <= shards(place).items()
    assert np.array_equal(np.asarray(result.distances), apsp.solve(city).distances)


def test_method_and_threads_of_floats_stay(city: apsp.Graph, place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    graph = city.with_weights(city.weights * 0.1)
    with pytest.raises(StopError):
        apsp.solve(graph, store=place, threads=1, method="dijkstra", progress=stop_after(40))
    with pytest.raises(apsp.RequestError, match=r"method='dijkstra', on which its bits depend, this call method='john"):
        apsp.solve(graph, store=place, method="johnson")
    with pytest.raises(apsp.RequestError, match=r"threads=1, on which its bits depend, this call threads=2"):
        apsp.solve(graph, store=place, threads=2)
    with monkeypatch.context() as patch:
        patch.setattr(apsp, "__version__", "9.9")
        with pytest.raises(apsp.RequestError, match=r"begun by apsp 0\.1\.0, on which its bits .* this is 9\.9"):
            apsp.solve(graph, store=place)
    result = apsp.solve(graph, store=place)
    assert np.array_equal(np.asarray(result.distances), apsp.solve(graph, method="dijkstra", threads=1).distances)


def test_rows_that_are_missing_are_named(city: apsp.Graph, place: Path) -> None:
    with pytest.raises(StopError):
        apsp.solve(city, store=place, progress=stop_after(60))
    result = apsp.load(place)
    assert not result.is_complete
    assert "of 13 shards" in repr(result)
    assert " are missing" in result._repr_html_()
    expected = apsp.solve(city)
    assert result.distance(3, 7) == expected.distance(3, 7)
    missing = result.missing_sources.tolist()
    assert missing == list(range(missing[0], 200))
    for read in (
        lambda: result.row(199), lambda: result.distance(199, 0), lambda: result.path(199, 0),
        lambda: result[:, 3], lambda: list(result.blocks()), lambda: np.asarray(result), result.verify, result.summary,
        lambda: result.save(place.with_suffix(".npz")),
    ):  # fmt: skip
        with pytest.raises(apsp.RowsMissingError, match=r"rows \d+ to \d+ \(sources \d+ to \d+\) of the store .* have"):
            read()
    there = np.concatenate([block.distances for block in result.blocks(skip_missing=True)])
    assert np.array_equal(there, expected.distances[: len(there)])
    apsp.solve(city, store=place)
    assert result.is_complete  # the same object finds the rows that were written since


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"dtype": "int32"}, "it has dtype='uint16', this call dtype='int32'"),
        ({"paths": True}, "it has paths=False, this call paths=True"),
        ({"cutoff": 100}, "it has cutoff=None, this call cutoff=100"),
        ({"sources": [1, 2]}, "it has other sources"),
        ({"targets": [1, 2]}, "it has other targets"),
    ],
)
def test_another_request_is_refused(change: dict[str, Any], words: str, city: apsp.Graph, place: Path) -> None:
    apsp.solve(city, store=place)
    before = shards(place)
    with pytest.raises(apsp.RequestError, match=words) as raised:
        apsp.solve(city, store=place, **change)
    assert "Name another store, or remove this one" in str(raised.value)
    assert shards(place) == before


def test_another_graph_is_refused(city: apsp.Graph, place: Path) -> None:
    apsp.solve(city, store=place)
    weights = city.weights.copy()
    weights[17] += 1
    arcs, heads = city.indices.copy(), city.indices
    arcs[0] = next(vertex for vertex in range(3, 200) if vertex not in heads[city.indptr[0] : city.indptr[1]])
    cases = {
        "has the weight": city.with_weights(weights),
        "its graph has 200 vertices and .* this one 100": apsp.generate("city", 100, seed=1),
        "other arcs": apsp.Graph(city.indptr, arcs, city.weights, directed=True),
        "its arcs have weights, these have none": city.unweighted(),
        "other labels": apsp.Graph(
            city.indptr, city.indices, city.weights, directed=city.directed, labels=range(1, 201)
        ),
    }
    for words, other in cases.items():
        with pytest.raises(apsp.RequestError, match=words):
            apsp.solve(other, store=place)


def test_negative_cycles_are_found_before_there_is_a_store(place: Path) -> None:
    graph = apsp.from_edges([0, 1, 2, 3], [1, 2, 0, 0], [1, -4, 2, 1])
    with pytest.raises(apsp.NegativeCycleError):
        apsp.solve(graph, store=place)
    assert not (place / "zarr.json").exists()
    negative = apsp.from_edges([0, 1, 2, 3], [1, 2, 0, 0], [1, -4, 5, 1])
    result = apsp.solve(negative, store=place, paths=True)
    assert np.array_equal(np.asarray(result.distances), apsp.solve(negative).distances)
    assert result.path(0, 2) == [0, 1, 2]
    assert apsp.load(place).graph == negative


def test_arguments_that_a_store_cannot_have(city: apsp.Graph, place: Path) -> None:
    for wrong in ({"counts": True}, {"semiring": "max_min"}, {"out": np.empty((200, 200), dtype=np.uint16)}):
        with pytest.raises(apsp.RequestError, match="a store holds shortest distances and predecessors: leave out"):
            apsp.solve(city, store=place, **wrong)
    for wrong in (3, b"bytes", object()):
        with pytest.raises(apsp.RequestError, match="store must be a path, a URL or a store of obstore"):
            apsp.solve(city, store=wrong)
    with pytest.raises(apsp.OutputError, match="does not exist"):
        apsp.solve(city, store=place / "no" / "folder.zarr")
    place.write_text("a file")
    with pytest.raises(apsp.ApspError):
        apsp.solve(city, store=place)
    assert place.read_text() == "a file"


def test_what_is_not_a_store(city: apsp.Graph, place: Path) -> None:
    place.mkdir()
    (place / "zarr.json").write_text('{"zarr_format": 3, "node_type": "group"}')
    for act in (lambda: apsp.solve(city, store=place), lambda: apsp.load(place)):
        with pytest.raises(apsp.FileFormatError, match="not that of a store of apsp"):
            act()
    (place / "zarr.json").unlink()
    with pytest.raises(apsp.FileFormatError):
        apsp.load(place)
    file = place.with_name("file")
    file.write_text("words")
    with pytest.raises(
        apsp.FileFormatError, match=r"neither a folder nor a \.zip file of a store .*name another place"
    ):
        apsp.solve(city, store=file)


def test_newer_stores_are_named(city: apsp.Graph, place: Path) -> None:
    apsp.solve(city, store=place)
    text = (place / "zarr.json").read_text()
    (place / "zarr.json").write_text(text.replace('"version": 2', '"version": 99'))
    with pytest.raises(apsp.FileFormatError, match="newer version of apsp"):
        apsp.load(place)
    (place / "zarr.json").write_text(text.replace('"band_rows": 16', '"band_rows": 0'))
    with pytest.raises(apsp.FileFormatError, match="damaged"):
        apsp.load(place)


def test_a_full_disk_is_noticed_after_the_first_band(
    city: apsp.Graph, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(Folder, "free_bytes", lambda self: 10_000)
        with pytest.raises(apsp.OutputError, match=r"for the 184 rows that are left .* disk has 9.8 KiB left"):
            apsp.solve(city, store=place)
        patch.setattr(Folder, "free_bytes", lambda self: 10)
        with pytest.raises(apsp.OutputError, match="a band"):
            apsp.solve(city, store=place)
    assert len(shards(place)) == 1
    assert np.array_equal(np.asarray(apsp.solve(city, store=place).distances), apsp.solve(city).distances)


def test_a_band_that_cannot_be_written_stops_the_run(
    city: apsp.Graph, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write = Folder.write

    def fail(self: Folder, key: str, pieces: Any) -> None:
        if key == "distances/c/3/0":
            raise apsp.OutputError("cannot write: no space left on device")
        write(self, key, pieces)

    with monkeypatch.context() as patch:
        patch.setattr(Folder, "write", fail)
        with pytest.raises(apsp.OutputError, match="no space left"):
            apsp.solve(city, store=place)
    assert "distances/c/3/0" not in shards(place)
    claims = place / "distances" / ".claims"
    assert not claims.exists() or not list(claims.iterdir())
    assert apsp.solve(city, store=place).is_complete


def test_two_runs_share_the_bands(city: apsp.Graph, place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[str] = []
    write = Folder.write

    def record(self: Folder, key: str, pieces: Any) -> None:
        if "/c/" in key and key.startswith("distances"):
            written.append(key)
            time.sleep(0.002)
        write(self, key, pieces)

    monkeypatch.setattr(Folder, "write", record)
    found: list[Any] = []
    runs = [threading.Thread(target=lambda: found.append(apsp.solve(city, store=place))) for _ in range(3)]
    for run in runs:
        run.start()
    for run in runs:
        run.join()
    assert len(found) == 3
    assert all(result.is_complete for result in found)
    assert len(written) == len(set(written)) == 13
    assert sum(result.info["rows_computed"] for result in found) == 200
    assert not (place / "distances" / ".claims").exists()


def test_a_claim_ends_with_its_owner(city: apsp.Graph, place: Path) -> None:
    with pytest.raises(StopError):
        apsp.solve(city, store=place, progress=stop_after(20))
    held = Folder(place).claim("7")
    assert held is not None
    assert Folder(place).claim("7") is None
    found: list[Any] = []
    run = threading.Thread(target=lambda: found.append(apsp.solve(city, store=place)))
    run.start()
    while len(shards(place)) < 12:
        time.sleep(0.01)
    assert not found  # it waits for the last band
    held.release()
    run.join()
    assert found[0].is_complete


CHILD = """
import sys, time, apsp
from apsp.api.stored import solving
from apsp.store.folder import Folder
solving.band_rows = lambda *_: 16
write = Folder.write
def slowly(self, key, pieces):
    write(self, key, pieces)
    print(key, flush=True)
    time.sleep(0.003)
Folder.write = slowly
apsp.solve(apsp.generate("city", 200, seed=1), store=sys.argv[1], paths=True)
"""


def test_killed_runs_are_resumed(city: apsp.Graph, place: Path) -> None:
    """kill -9 at a random moment; scripts/torture does this many times."""
    child = subprocess.Popen([sys.executable, "-c", CHILD, str(place)], stdout=subprocess.PIPE)
    assert child.stdout is not None
    while b"/c/" not in child.stdout.readline():
        pass
    time.sleep(random.random() * 0.04)
    child.send_signal(signal.SIGKILL)
    child.wait()
    child.stdout.close()
    before = {key: state for key, state in shards(place).items() if key.startswith("distances")}
    result = apsp.solve(city, store=place, paths=True)
    assert before.items() <= shards(place).items()
    expected = apsp.solve(city, paths=True, method=result.info["method"])
    assert np.array_equal(np.asarray(result.distances), expected.distances)
    assert np.array_equal(np.asarray(result.predecessors), expected.predecessors)
    assert not list(place.rglob("*.part"))
    assert not list(place.rglob(".claims"))


@pytest.mark.parametrize("taken", [1, 2, 3])  # the claim to create the store, and those of the first bands
def test_ctrl_c_before_the_caller_has_its_claim(
    taken: int, city: apsp.Graph, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A notebook keeps the exception, and with it all that the call held; the next call must not wait for that."""
    monkeypatch.setattr(solving, "band_rows", lambda *_: 16)
    take, count = Lock.take, 0

    def stopped(lock: Lock) -> bool:
        nonlocal count
        count += 1
        mine = take(lock)
        if count == taken:
            raise KeyboardInterrupt
        return mine

    monkeypatch.setattr(Lock, "take", stopped)
    with pytest.raises(KeyboardInterrupt) as kept:
        apsp.solve(city, store=place)
    assert not [path for path in place.rglob("*") if path.parent.name == ".claims"]
    assert np.array_equal(apsp.solve(city, store=place).distances, apsp.solve(city).distances)
    assert kept.value is not None


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_without_permission(city: apsp.Graph, place: Path) -> None:
    place.mkdir(mode=0o500)
    with pytest.raises(apsp.OutputError, match="cannot write"):
        apsp.solve(city, store=place)


@pytest.mark.slow
def test_object_stores(city: apsp.Graph) -> None:
    obstore = pytest.importorskip("obstore.store")
    bucket = obstore.MemoryStore()
    with pytest.raises(StopError):
        apsp.solve(city, store=bucket, progress=stop_after(60))
    partly = apsp.load(bucket)
    assert not partly.is_complete
    with pytest.raises(apsp.RowsMissingError):
        partly.row(199)
    result = apsp.solve(city, store=bucket)
    assert np.array_equal(np.asarray(result.distances), apsp.solve(city).distances)
    keys = [each["path"] for part in bucket.list() for each in part]
    assert not [key for key in keys if ".claims" in key]
    with pytest.raises(apsp.RequestError, match="store='nowhere://bucket'"):
        apsp.solve(city, store="nowhere://bucket")


def test_requests_that_are_lost(city: apsp.Graph, monkeypatch: pytest.MonkeyPatch) -> None:
    """A run ends with an error that names the bucket; the same call goes on, until all is there."""
    pytest.importorskip("obstore")
    from obstore.store import MemoryStore

    from apsp.store.bucket import Bucket

    numbers, write, objects = random.Random(3), Bucket.write, MemoryStore()

    def lost(self: Bucket, key: str, pieces: Any) -> None:
        with self._writing():
            if "/c/" in key and numbers.random() < 0.2:
                raise OSError("connection reset by peer")
        write(self, key, pieces)

    monkeypatch.setattr(Bucket, "write", lost)
    for _ in range(100):
        try:
            result = apsp.solve(city, store=objects, paths=True)
            break
        except apsp.OutputError as error:
            assert "cannot write MemoryStore: connection reset by peer" in str(error)  # noqa: PT017
    expected = apsp.solve(city, paths=True, method=result.info["method"])
    assert np.array_equal(np.asarray(result.distances), expected.distances)
    assert np.array_equal(np.asarray(result.predecessors), expected.predecessors)


def test_leases_of_killed_runs_end() -> None:
    pytest.importorskip("obstore")
    from obstore.store import MemoryStore

    from apsp.store.bucket import Bucket

    bucket, now = Bucket(MemoryStore()), [0.0]
    dead = Leases(bucket, "claims", lambda: now[0]).take("7")
    assert dead is not None
    dead.leases._stop.set()  # as after kill -9: it stays, and does not change
    others = [Leases(bucket, "claims", lambda: now[0]) for _ in range(2)]
    assert [other.take("7") for other in others] == [None, None]
    now[0] = 59.0
    assert others[0].take("7") is None
    bucket.write(dead.key, [b"changed"])  # it was alive
    now[0] = 80.0
    assert others[0].take("7") is None
    now[0] = 200.0
    mine = others[0].take("7")
    assert mine is not None
    assert others[1].take("7") is None
    mine.release()
    assert [key for key in bucket.keys("claims") if key.endswith("/1")] == []


def test_no_warnings_for_readers(city: apsp.Graph, place: Path) -> None:
    xarray = pytest.importorskip("xarray")
    with pytest.raises(StopError):
        apsp.solve(city, store=place, progress=stop_after(60))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        xarray.open_zarr(str(place), chunks=None)


@pytest.mark.parametrize("n", [0, 3])
def test_threads_that_a_method_does_not_use(n: int, tmp_path: Path) -> None:
    graph = apsp.from_edges([], [], n=n)
    for threads in (2, 3, None):
        stored = apsp.solve(graph, store=tmp_path / "d.zarr", method="fw-sequential", threads=threads, paths=True)
        assert stored.is_complete
