"""Output files: complete or absent, whatever the name leads to and whatever was killed before."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from apsp.errors import OutputError, RequestError
from apsp.system.replacing import check_free, check_writable, replacing

LINUX = pytest.mark.skipif(sys.platform == "win32", reason="files of POSIX systems")


def put(path: Path, content: bytes = b"new") -> None:
    with replacing(path) as file:
        file.write(content)


def test_missing_folder_and_folder(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match=r"the folder .* does not exist"):
        check_writable(tmp_path / "missing" / "result.npz")
    with pytest.raises(OutputError, match="is a folder"):
        check_writable(tmp_path)
    (tmp_path / "file").touch()
    with pytest.raises(OutputError, match="does not exist"):
        check_writable(tmp_path / "file" / "result.npz")


@pytest.mark.parametrize("name", [None, 3, "", "a\0b", b"bytes", "\ud800", object()])
def test_what_is_no_name_of_a_file(name: object) -> None:
    with pytest.raises(RequestError, match="path "):
        check_writable(name)  # type: ignore[arg-type]
    with pytest.raises(RequestError, match="path "), replacing(name):  # type: ignore[arg-type]
        raise AssertionError("it was opened")


@pytest.mark.parametrize("name", ["x" * 250, "ü" * 127, "x" * 100])
def test_long_names(tmp_path: Path, name: str) -> None:
    put(tmp_path / name)
    assert (tmp_path / name).read_bytes() == b"new"
    assert len(list(tmp_path.iterdir())) == 1


def test_names_that_are_too_long(tmp_path: Path) -> None:
    for act in (check_writable, put):
        with pytest.raises(OutputError, match="name too long"):
            act(tmp_path / ("x" * 256))
        with pytest.raises(RequestError, match="too long for the name of a file, with"):
            act(tmp_path / "/".join(["x" * 200] * 30))


@LINUX
def test_a_symbolic_link_stays(tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    target, link = tmp_path / "there" / "target", tmp_path / "link"
    link.symlink_to(Path("there") / "target")
    put(link, b"first")  # a link to what is not there yet
    assert target.read_bytes() == b"first"
    target.chmod(0o640)
    put(link, b"second")
    assert link.is_symlink()
    assert target.read_bytes() == b"second"
    assert target.stat().st_mode & 0o777 == 0o640
    assert not list(tmp_path.glob(".*"))
    with pytest.raises(KeyError), replacing(link):
        raise KeyError
    assert target.read_bytes() == b"second"
    assert os.listdir(target.parent) == ["target"]  # noqa: PTH208


@LINUX
def test_links_that_lead_nowhere(tmp_path: Path) -> None:
    (tmp_path / "circle").symlink_to("circle")
    (tmp_path / "lost").symlink_to("missing/file")
    for name in ("circle", "lost"):
        for act in (check_writable, put):
            with pytest.raises(OutputError, match="cannot write"):
                act(tmp_path / name)
        assert (tmp_path / name).is_symlink()


@LINUX
def test_pipes_and_devices_are_written_not_replaced(tmp_path: Path) -> None:
    fifo, found = tmp_path / "fifo", []
    os.mkfifo(fifo)
    reader = threading.Thread(target=lambda: found.append(fifo.read_bytes()))
    reader.start()
    put(fifo, b"x" * 100_000)
    reader.join()
    assert found == [b"x" * 100_000]
    assert fifo.is_fifo()
    put(Path("/dev/null"))
    assert Path("/dev/null").is_char_device()
    with pytest.raises(OutputError, match="cannot write /dev/full: No space left"):
        put(Path("/dev/full"))


@LINUX
@pytest.mark.parametrize("where", ["pipe", "file"])
def test_standard_output(tmp_path: Path, where: str) -> None:
    program = "from apsp.system.replacing import replacing\nwith replacing('/dev/stdout') as file: file.write(b'new')"
    with (tmp_path / "out").open("wb") as out:
        done = subprocess.run(
            [sys.executable, "-c", program], check=True, timeout=60, stdout=subprocess.PIPE if where == "pipe" else out
        )
    assert (done.stdout if where == "pipe" else (tmp_path / "out").read_bytes()) == b"new"
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


KILLED = """
import os, signal, sys
from apsp.system.replacing import replacing
with replacing(sys.argv[1]) as file:
    file.write(b"half")
    file.flush()
    print("there", flush=True)
    if sys.argv[2] == "killed":
        os.kill(os.getpid(), signal.SIGKILL)
    sys.stdin.read()
"""


@LINUX
@pytest.mark.parametrize("name", ["out", "y" * 240])
def test_what_a_killed_run_left_is_removed(tmp_path: Path, name: str) -> None:
    out, other = tmp_path / name, tmp_path / f"{name[:200]}.other"
    for path in (out, other):
        subprocess.run([sys.executable, "-c", KILLED, path, "killed"], check=False, timeout=60, stdout=subprocess.PIPE)
    left = {path for path in tmp_path.iterdir() if path.suffix == ".part"}
    assert len(left) == 2
    check_writable(out)
    (rest,) = tmp_path.iterdir()
    assert rest in left
    put(other)
    assert list(tmp_path.iterdir()) == [other]


@LINUX
def test_what_another_run_writes_is_left_alone(tmp_path: Path) -> None:
    out = tmp_path / "out"
    with subprocess.Popen(
        [sys.executable, "-c", KILLED, out, "waits"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "there\n"
        put(out, b"mine")
        process.communicate("")
        assert process.returncode == 0
    assert out.read_bytes() == b"half", "who ends last has the last word"
    assert list(tmp_path.iterdir()) == [out]


def test_a_file_system_without_locks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fcntl = pytest.importorskip("fcntl")

    def refused(*_: object) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    abandoned = tmp_path / ".out.abcdefgh.part"
    abandoned.touch()
    monkeypatch.setattr(fcntl, "flock", refused)
    put(tmp_path / "out")
    assert (tmp_path / "out").read_bytes() == b"new"
    assert abandoned.exists(), "it may belong to a living process"


def test_room(tmp_path: Path) -> None:
    check_free(tmp_path / "out", 1000)
    with pytest.raises(OutputError, match=r"needs 8\.0 TiB, but its disk has .* left: choose --sources, or write"):
        check_free(tmp_path / "out", 8 << 40, ["choose --sources"])
