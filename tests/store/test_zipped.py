"""Stores in `.zip` files."""

from __future__ import annotations

import os
import signal
import threading
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import apsp
from stopping import StopError, stop_after

zarr = pytest.importorskip("zarr")
pytestmark = pytest.mark.usefixtures("small_bands")


def test_zip_files_are_read(city: apsp.Graph, place: Path) -> None:
    stored = apsp.solve(city, store=place, paths=True)
    by_hand, packed = place.with_suffix(".zip"), place.with_name("packed.zip")
    with zipfile.ZipFile(by_hand, "w") as archive:
        for path in place.rglob("*"):
            if path.is_file():
                archive.write(path, path.relative_to(place))
    told: list[tuple[object, ...]] = []
    stored.save(packed, progress=lambda *words: told.append(words))
    assert dict(members(packed)) == dict(members(by_hand))
    assert told[-1] == ("files packed", len(list(members(packed))), len(list(members(packed))))
    for each in (by_hand, packed):
        result = apsp.load(each)
        assert result.path(3, 150) == apsp.load(place).path(3, 150)
        assert np.array_equal(np.asarray(result.distances), apsp.solve(city).distances)
        assert apsp.solve(city, store=each, paths=True).is_complete
    with pytest.raises(apsp.RequestError, match="can be read, but a run that stops could not go on in it"):
        apsp.solve(city, store=packed.with_name("new.zip"))


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="POSIX")
@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")
def test_a_fork_while_other_threads_read(city: apsp.Graph, place: Path) -> None:
    """The child has a handle of its own: one position for two processes would read the bytes of another member."""
    apsp.solve(city, store=place).save(place.with_suffix(".zip"))
    result, expected = apsp.load(place.with_suffix(".zip")), apsp.solve(city).distances
    wrong, is_over = [], threading.Event()

    def right(row: int) -> bool:
        return np.array_equal(result.distances[row : row + 1], expected[row : row + 1])

    def read() -> None:
        number = 0
        while not is_over.is_set():
            number += 1
            try:
                if not right(number * 37 % city.n):
                    wrong.append(number)
            except apsp.ApspError as error:
                wrong.append(error)

    threads = [threading.Thread(target=read) for _ in range(2)]
    for thread in threads:
        thread.start()
    codes = []
    for _ in range(12):
        child = os.fork()
        if child == 0:
            code = 1
            try:
                code = 0 if all(right(row) for row in range(0, city.n, 9)) else 2
            finally:
                os._exit(code)
        codes.append(ended(child))
    is_over.set()
    for thread in threads:
        thread.join()
    assert (codes, wrong) == ([0] * 12, [])


def ended(child: int) -> int:
    """The exit code of a forked process, which is killed if it hangs: it may do so before os.fork returns."""
    killing = threading.Timer(20, os.kill, (child, signal.SIGKILL))
    killing.start()
    try:
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    finally:
        killing.cancel()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="POSIX")
@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")
def test_a_fork_while_zarr_has_locked_the_store(city: apsp.Graph, place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The thread that holds the lock is not in the child, which would wait forever."""
    parent, kept = os.getpid(), zarr.storage.ZipStore.__getstate__

    def locked(store: Any) -> Any:
        if os.getpid() != parent:
            os._exit(3)
        return kept(store)

    monkeypatch.setattr(zarr.storage.ZipStore, "__getstate__", locked)
    apsp.solve(city, store=place).save(place.with_suffix(".zip"))
    result = apsp.load(place.with_suffix(".zip"))
    row = result.distances[:1]
    child = os.fork()
    if child == 0:
        code = 1
        try:
            code = 0 if np.array_equal(result.distances[:1], row) else 2
        finally:
            os._exit(code)
    assert ended(child) == 0


def members(path: Path) -> Iterator[tuple[str, bytes]]:
    """The names and bytes of the members of a `.zip` file."""
    with zipfile.ZipFile(path) as archive:
        for each in archive.infolist():
            assert each.compress_type == zipfile.ZIP_STORED
            yield each.filename, archive.read(each)


@pytest.mark.few(1)
def test_a_store_is_packed(city: apsp.Graph, place: Path, tmp_path: Path) -> None:
    packed = tmp_path / "packed.zip"
    with pytest.raises(StopError):
        apsp.solve(city, store=place, progress=stop_after(60))
    with pytest.raises(apsp.RowsMissingError, match=r"have not been computed yet: apsp\.solve"):
        apsp.load(place).save(packed)
    assert not packed.exists()
    stored = apsp.solve(city, store=place)
    (place / "graph/indptr/.claims").mkdir()
    (place / "graph/indptr/.claims/distances-3").touch()  # of a run that was killed
    stored.save(packed)
    assert not any(".claims" in name for name, _ in members(packed))
    once = packed.read_bytes()
    apsp.load(packed).save(packed)
    assert packed.read_bytes() == once
    with pytest.raises(apsp.OutputError, match=r"the folder .* does not exist"):
        stored.save(tmp_path / "none" / "packed.zip")
    (place / "distances/c/0/0").unlink()
    with pytest.raises(apsp.RowsMissingError, match="have not been computed yet"):
        stored.save(packed)
    assert packed.read_bytes() == once
    apsp.load(packed).save(tmp_path / "whole.npz")
    assert np.array_equal(apsp.load(tmp_path / "whole.npz").distances, apsp.solve(city).distances)


def test_a_bucket_is_packed(city: apsp.Graph, tmp_path: Path) -> None:
    obstore = pytest.importorskip("obstore.store")
    result = apsp.solve(city, store=obstore.MemoryStore())
    result.save(tmp_path / "packed.zip")
    assert np.array_equal(np.asarray(apsp.load(tmp_path / "packed.zip").distances), np.asarray(result.distances))


def test_zarr_reads_what_was_packed(city: apsp.Graph, place: Path, tmp_path: Path) -> None:
    apsp.solve(city, store=place).save(tmp_path / "packed.zip")
    with zarr.storage.ZipStore(tmp_path / "packed.zip", mode="r") as packed:
        group = zarr.open_group(packed, mode="r")
        assert np.array_equal(group["distances"][...], apsp.solve(city).distances)
