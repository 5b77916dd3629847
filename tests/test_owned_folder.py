"""Temporary folders: removed after their process was killed, and never while it lives."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import apsp
from apsp.system import owned_folder
from apsp.system.owned_folder import OwnedFolder

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="locks and signals of POSIX systems")


@pytest.fixture(autouse=True)
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of temporary files, here and in other processes."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    return tmp_path


SCRIPT = """
import time, apsp
if __name__ == "__main__":
    graph = apsp.generate("random", 300, m=900, seed=5)
    apsp.summary(graph, executor="processes", method="reference", progress=lambda *told: time.sleep(60))
"""


@pytest.mark.slow
def test_the_next_job_removes_the_folder_of_a_caller_that_was_killed(temporary: Path, tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(SCRIPT)
    with subprocess.Popen([sys.executable, script]) as caller:
        while not list(temporary.glob("apsp-job-*/job")):
            assert caller.poll() is None
            time.sleep(0.02)
        graph = apsp.generate("random", 60, m=200, seed=5)
        apsp.eccentricity(graph, executor="processes")
        assert len(list(temporary.glob("apsp-job-*/job"))) == 1  # that of a caller that lives stays
        caller.send_signal(signal.SIGKILL)
    assert len(list(temporary.glob("apsp-job-*"))) == 1
    apsp.eccentricity(graph, executor="processes")
    assert not list(temporary.glob("apsp-job-*"))


def dying(prefix: str) -> Path:
    """The folder of a process that was killed."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.write(writing, bytes(OwnedFolder.create(prefix).path))
        os.kill(os.getpid(), signal.SIGKILL)
    os.waitpid(child, 0)
    os.close(writing)
    with os.fdopen(reading, "rb") as stream:
        return Path(os.fsdecode(stream.read()))


def test_folders_of_others_stay(temporary: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    abandoned = dying("some-")
    (abandoned / "file").touch()
    other = dying("others-")
    elsewhere = temporary / f"some-{'0' * 8}-abcdefgh"  # of another host
    elsewhere.mkdir()
    link = abandoned.with_name(abandoned.name[:-8] + "linklink")
    link.symlink_to(elsewhere)
    with monkeypatch.context() as context:
        context.setattr(os, "getuid", lambda: 12345)
        OwnedFolder.create("some-").remove()
    assert (abandoned / "file").exists()  # of another user
    mine = OwnedFolder.create("some-")
    assert set(temporary.iterdir()) == {mine.path, other, elsewhere, link}
    mine.remove()
    mine.remove()
    assert not mine.path.exists()


def test_a_forked_child_neither_removes_nor_keeps_a_folder(temporary: Path) -> None:
    mine = OwnedFolder.create("some-")
    child = os.fork()
    if child == 0:
        mine.remove()
        os._exit(0)
    os.waitpid(child, 0)
    assert mine.path.exists()
    OwnedFolder.create("some-").remove()
    assert mine.path.exists()
    reading, writing = os.pipe()
    owner = os.fork()
    if owner == 0:
        abandoned = OwnedFolder.create("some-")
        if os.fork() == 0:  # it lives longer than the owner
            os.close(writing)
            os.read(reading, 1)
            os._exit(0)
        (temporary / "name").write_text(str(abandoned.path))
        os.kill(os.getpid(), signal.SIGKILL)
    os.waitpid(owner, 0)
    abandoned_path = Path((temporary / "name").read_text())
    assert abandoned_path.exists()
    OwnedFolder.create("some-").remove()
    assert not abandoned_path.exists()
    os.close(writing)
    os.close(reading)
    mine.remove()


def test_folders_that_are_made_at_the_same_time(temporary: Path) -> None:
    """By threads here, and by processes, each of which sees its own until it removes it."""

    def some(count: int) -> None:
        for _ in range(count):
            folder = OwnedFolder.create("some-")
            (folder.path / "file").touch()
            time.sleep(0.001)
            assert (folder.path / "file").exists()
            folder.remove()

    children = []
    for _ in range(3):
        child = os.fork()
        if child == 0:
            code = 1
            try:
                some(150)
                code = 0
            finally:
                os._exit(code)
        children.append(child)
    with ThreadPoolExecutor(3) as threads:
        for found in [threads.submit(some, 100) for _ in range(3)]:
            found.result()
    assert [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children] == [0, 0, 0]
    assert not list(temporary.iterdir())


def test_a_folder_that_is_removed_before_it_is_locked(monkeypatch: pytest.MonkeyPatch) -> None:
    locked, looked = owned_folder._locked, []

    def late(path: Path) -> int | None:
        if not looked:
            looked.append(path)
            owned_folder._remove_if_abandoned(str(path))
        return locked(path)

    monkeypatch.setattr(owned_folder, "_locked", late)
    mine = OwnedFolder.create("some-")
    assert mine.path.exists()
    mine.remove()


def test_a_file_system_without_locks(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(handle: int) -> bool:
        raise OSError("no locks")

    monkeypatch.setattr(owned_folder, "locked", refuse)
    mine, other = OwnedFolder.create("some-"), OwnedFolder.create("some-")
    assert mine.path.exists()
    for folder in (mine, other):
        folder.remove()
        assert not folder.path.exists()
