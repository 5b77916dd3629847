"""Disks that are full, cannot be written or fail, runs without memory, and what other versions and runs have left."""

from __future__ import annotations

import errno
import os
import resource
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import apsp
from apsp.store import shard
from apsp.store.folder import Folder
from apsp.store.shard import ShardCodec
from apsp.store.writer import BandWriter
from apsp.system.array_device import to_host
from apsp.system.paced import PacedFile
from stored import shards

pytest.importorskip("zarr")
pytestmark = pytest.mark.usefixtures("small_bands")

AGAIN = "ake the same call again"


def left_behind(place: Path) -> list[Path]:
    return [path for path in place.rglob("*") if path.name.endswith(".part") or path.parent.name == ".claims"]


def check_resumed(city: apsp.Graph, place: Path) -> None:
    """The same call goes on: no shard that is there is written again, and the distances are right."""
    assert not left_behind(place)
    before = shards(place, "distances/c/*/0")
    result = apsp.solve(city, store=place, paths=True)
    assert before.items() <= shards(place, "distances/c/*/0").items()
    assert result.info["rows_computed"] <= 16 * (13 - len(before))
    expected = apsp.solve(city, paths=True, method=result.info["method"])
    assert np.array_equal(np.asarray(result), expected.distances)
    assert np.array_equal(np.asarray(result.predecessors), expected.predecessors)
    assert not left_behind(place)


@pytest.mark.few(3)
@pytest.mark.parametrize(
    ("number", "words"),
    [
        (errno.ENOSPC, "No space left on device. Free some of the disk, and make the same call again"),
        (errno.EDQUOT, "uota exceeded. Free some of the quota of this user, or have it raised, and make the same"),
        (errno.EFBIG, r"File too large. Allow larger files \(ulimit -f\), and make the same call again"),
        (errno.EROFS, "Read-only file system. Name a folder on a disk that can be written, and make"),
        (errno.EIO, "nput/output error. Make the same call again: it goes on where it stopped"),
        (errno.ESTALE, "Stale file handle. Make the same call again: it goes on where it stopped"),
    ],
)
@pytest.mark.parametrize("after", [0, 7, 30])
def test_errors_of_the_system(
    number: int, words: str, after: int, city: apsp.Graph, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At the first write (the metadata), and in the middle."""
    writes, write = 0, PacedFile.write

    def fail(self: PacedFile, data: Any, /) -> int:
        nonlocal writes
        writes += 1
        if writes > after:
            raise OSError(number, os.strerror(number))
        return write(self, data)

    with monkeypatch.context() as patch:
        patch.setattr(PacedFile, "write", fail)
        with pytest.raises(apsp.OutputError, match=rf"cannot write {place}/.* \([0-9.]+ (B|KiB)\): .*{words}"):
            apsp.solve(city, store=place, paths=True)
    check_resumed(city, place)


def test_a_system_that_limits_files(city: apsp.Graph, place: Path) -> None:
    apsp.solve(city, store=place, paths=True)
    for name in ("distances", "predecessors"):
        (place / name / "c/2/0").unlink()
    old = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4000, old[1]))
    try:
        with pytest.raises(
            apsp.OutputError, match=rf"{place}/predecessors/c/2/0 \([0-9.]+ KiB\): File too large. Allow"
        ):
            apsp.solve(city, store=place, paths=True)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, old)
    check_resumed(city, place)


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 256 KiB."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mount = shutil.which("mount")
    if mount is None or subprocess.run(
        [mount, "-t", "tmpfs", "-o", "size=256k", "tmpfs", str(disk)], capture_output=True, check=False
    ).returncode:  # fmt: skip
        pytest.skip("only root can mount a small file system")
    yield disk
    subprocess.run(["umount", str(disk)], check=True)


@pytest.mark.parametrize("told", [False, True])
def test_a_full_disk(told: bool, city: apsp.Graph, small_disk: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By the size of the bands that are there, or, where the system does not tell what is free, by its error."""
    filler, place = small_disk / "filler", small_disk / "city.zarr"
    filler.write_bytes(bytes(64 << 10))
    if not told:
        monkeypatch.setattr(Folder, "free_bytes", lambda self: None)
    with pytest.raises(apsp.OutputError, match=f"{place}.*{AGAIN}"):
        apsp.solve(city, store=place, paths=True)
    filler.write_bytes(b"")
    subprocess.run(["mount", "-o", "remount,size=4m", str(small_disk)], check=True)
    check_resumed(city, place)


def test_a_disk_that_becomes_read_only(city: apsp.Graph, small_disk: Path) -> None:
    place = small_disk / "city.zarr"
    subprocess.run(["mount", "-o", "remount,size=4m", str(small_disk)], check=True)
    apsp.solve(city, store=place, paths=True)
    subprocess.run(["mount", "-o", "remount,ro", str(small_disk)], check=True)
    assert apsp.solve(city, store=place, paths=True).info["rows_computed"] == 0  # nothing has to be written
    apsp.load(place).verify()
    with pytest.raises(apsp.OutputError, match=r"Read-only file system\. Name a folder on a disk that can be written"):
        apsp.solve(city, store=small_disk / "other.zarr")
    subprocess.run(["mount", "-o", "remount,rw", str(small_disk)], check=True)
    (place / "distances/c/3/0").unlink()
    subprocess.run(["mount", "-o", "remount,ro", str(small_disk)], check=True)
    with pytest.raises(apsp.OutputError, match="Read-only file system"):
        apsp.solve(city, store=place, paths=True)


def test_a_reader_tells_a_failing_disk_from_damage(
    city: apsp.Graph, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from zarr.storage import LocalStore

    apsp.solve(city, store=place)
    result = apsp.load(place)

    async def fail(*_: Any, **__: Any) -> None:
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    with monkeypatch.context() as patch:
        patch.setattr(LocalStore, "get", fail)
        for read in (lambda: result.row(3), lambda: apsp.load(place)):
            with pytest.raises(apsp.StoreAccessError, match=rf"{place}: .* cannot be read: .*{AGAIN}"):
                read()
    assert np.array_equal(result.row(3), apsp.solve(city).distances[3])


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read anything")
def test_a_store_that_this_user_may_not_read(city: apsp.Graph, place: Path) -> None:
    apsp.solve(city, store=place)
    (place / "distances/c").chmod(0)
    try:
        with pytest.raises(apsp.ApspError, match="ermission denied"):
            apsp.solve(city, store=place)
    finally:
        (place / "distances/c").chmod(0o755)


def test_a_run_without_memory(city: apsp.Graph, place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calls, encode = 0, ShardCodec.encode

    def fail(self: ShardCodec, *arguments: Any) -> list[bytes]:
        nonlocal calls
        calls += 1
        if calls > 6:
            raise MemoryError
        return encode(self, *arguments)

    with monkeypatch.context() as patch:
        patch.setattr(ShardCodec, "encode", fail)
        with pytest.raises(apsp.MemoryLimitError, match=r"apsp\.solve"):
            apsp.solve(city, store=place, paths=True)
    check_resumed(city, place)


def test_blosc_is_not_called_without_memory(city: apsp.Graph, place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It ends the process."""
    with monkeypatch.context() as patch:
        patch.setattr(shard, "_BLOSC_CONTEXT", 1 << 60)
        with pytest.raises(apsp.MemoryLimitError, match=r"apsp\.solve"):
            apsp.solve(city, store=place, paths=True)
    check_resumed(city, place)


STARVED = """
import resource, sys
from pathlib import Path
import apsp, zarr
from apsp.api.stored import solving
solving.band_rows = lambda *_: 16
city = apsp.generate("city", 200, seed=1)
apsp.solve(city, store=sys.argv[2], sources=range(3), threads=2)
used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + int(sys.argv[3]), resource.RLIM_INFINITY))
try:
    apsp.solve(city, store=sys.argv[1], paths=True)
except apsp.ApspError as error:
    print(type(error).__name__)
"""


@pytest.mark.few(1)
@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="needs /proc")
@pytest.mark.parametrize("room", [1 << 16, 1 << 20, 1 << 23, 1 << 25])
def test_little_memory(room: int, city: apsp.Graph, place: Path) -> None:
    """With a limit of the system: a result, or an error of apsp, and a store that is resumed."""
    command = [sys.executable, "-c", STARVED, str(place), str(place.with_name("before.zarr")), str(room)]
    ended = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    assert ended.returncode == 0, ended.stderr
    assert ended.stdout.strip() in ("", "MemoryLimitError")
    check_resumed(city, place)


def test_no_thread_is_started_that_may_be_waited_for_forever(
    city: apsp.Graph, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`threading.Thread.start` never returns if the new thread gets no memory."""
    apsp.solve(city, store=place.with_name("before.zarr"), sources=range(3))  # starts the threads of zarr

    def start(self: threading.Thread) -> None:
        raise AssertionError(f"{self.name} was started by threading.Thread")

    monkeypatch.setattr(threading.Thread, "start", start)
    apsp.solve(city, store=place, paths=True, threads=2)
    monkeypatch.undo()
    check_resumed(city, place)


@pytest.mark.parametrize("name", ["_compressor", "_disk"])
def test_a_band_that_cannot_be_queued_is_not_claimed(
    name: str, city: apsp.Graph, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin = BandWriter.__init__

    def starved(self: BandWriter, *arguments: Any, **options: Any) -> None:
        begin(self, *arguments, **options)

        def submit(*_: Any) -> Any:
            raise MemoryError

        monkeypatch.setattr(getattr(self, name), "submit", submit)

    monkeypatch.setattr(BandWriter, "__init__", starved)
    with pytest.raises(apsp.MemoryLimitError):
        apsp.solve(city, store=place, paths=True)
    monkeypatch.undo()
    check_resumed(city, place)


SHARING = """
import sys, time, apsp
from apsp.api.stored import solving
from apsp.store.folder import Folder
solving.band_rows = lambda *_: 16
city, write = apsp.generate("city", 200, seed=1), Folder.write
def slowly(self, key, pieces):
    if "/c/" in key and not key.startswith("graph"):
        print(key, flush=True)
        time.sleep(0.03)
    write(self, key, pieces)
Folder.write = slowly
apsp.solve(city, store=sys.argv[1], paths=True)
"""


def test_two_processes_share_a_folder(city: apsp.Graph, place: Path) -> None:
    command = [sys.executable, "-c", SHARING, str(place)]
    runs = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    keys = [run.communicate()[0].split() for run in runs]
    assert [run.returncode for run in runs] == [0, 0]
    assert not set(keys[0]) & set(keys[1])  # no shard is written by both
    assert len(keys[0]) + len(keys[1]) == 26
    check_resumed(city, place)


def test_a_store_of_an_older_format(city: apsp.Graph, place: Path) -> None:
    apsp.solve(city, store=place)
    text = (place / "zarr.json").read_text()
    for number in ("0", "-3", "true"):
        (place / "zarr.json").write_text(text.replace('"version": 2', f'"version": {number}'))
        for act in (lambda: apsp.load(place), lambda: apsp.solve(city, store=place)):
            with pytest.raises(apsp.FileFormatError, match=r"its zarr\.json is not that of a store of apsp"):
                act()


def test_shards_of_another_graph_are_not_taken(city: apsp.Graph, place: Path) -> None:
    """The group was removed, as after a message that it is damaged; its shards are there still."""
    apsp.solve(city, store=place, paths=True)
    (place / "zarr.json").unlink()
    other = city.with_weights(city.weights + 1)
    result = apsp.solve(other, store=place, paths=True)
    assert np.array_equal(np.asarray(result), apsp.solve(other).distances)
    result.verify()


def test_a_shard_that_is_removed_is_missing_at_once(city: apsp.Graph, place: Path) -> None:
    apsp.solve(city, store=place)
    result = apsp.load(place)
    assert result.is_complete
    result.row(50)
    (place / "distances/c/3/0").unlink()
    for read in (lambda: result.row(50), lambda: np.asarray(result), lambda: result[:, [0, 1]], result.verify):
        with pytest.raises(apsp.RowsMissingError, match="rows 48 to 63"):
            read()
    assert np.array_equal(result.row(64), apsp.solve(city).distances[64])


def test_a_shard_of_predecessors_is_computed_again(city: apsp.Graph, place: Path) -> None:
    """As requested by the message about a damaged one."""
    apsp.solve(city, store=place, paths=True)
    (place / "predecessors/c/3/0").unlink()
    again = apsp.solve(city, store=place, paths=True)
    assert again.info["rows_computed"] == 16
    again.verify()


def test_a_name_that_the_system_refuses(city: apsp.Graph, tmp_path: Path) -> None:
    with pytest.raises(apsp.StoreAccessError, match="File name too long"):
        apsp.solve(city, store=tmp_path / ("a" * 300))


@pytest.mark.parametrize("call", [apsp.solve, apsp.closeness_centrality])
def test_a_folder_with_other_files_is_not_touched(city: apsp.Graph, place: Path, call: Any) -> None:
    others = {"notes.txt": b"mine", "distances/c/0/0": b"of another program", "graph/zarr.json": b"{}"}
    for name, text in others.items():
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        (place / name).write_bytes(text)
    with pytest.raises(apsp.OutputError, match=r"other files \(distances, notes.txt\), and no store: name a folder"):
        call(city, store=place)
    assert {str(path.relative_to(place)): path.read_bytes() for path in place.rglob("*") if path.is_file()} == others
    assert sorted(path.name for path in place.rglob("*") if path.is_dir()) == ["0", "c", "distances", "graph"]


def test_an_empty_folder_and_what_a_killed_run_has_left_are_used(city: apsp.Graph, place: Path) -> None:
    place.mkdir()
    (place / ".hidden").touch()
    expected = to_host(apsp.solve(city, store=place).distances)
    (place / "zarr.json").unlink()  # written last
    assert apsp.solve(city, store=place).info["rows_computed"] == 200
    assert np.array_equal(to_host(apsp.solve(city, store=place).distances), expected)
