"""Files are written in small pieces that reach the disk as they are written."""

from __future__ import annotations

import errno
import io
import os

import pytest

import apsp
from apsp.system import paced
from apsp.system.replacing import replacing


def test_a_large_write_is_many_small_ones(tmp_path, monkeypatch):
    """Between two of them Python looks at signals; parts that are waited for are a few mebibytes."""
    written, synced = [], []
    write, sync = io.FileIO.write, paced._sync
    monkeypatch.setattr(paced, "_sync", lambda *part: (synced.append(part[1:]), sync(*part)))
    data = os.urandom(1 << 20) * 90

    class Seen(paced.PacedFile):
        def write(self, piece):
            count = super().write(piece)
            written.append(count)
            return count

    monkeypatch.setattr("apsp.system.replacing.PacedFile", Seen)
    out = tmp_path / "out"
    with replacing(out) as file:
        file.write(data)
        assert max(written) <= 1 << 20
        assert max(end - start for start, end, _ in synced) <= 16 << 20
        assert synced[-1][1] > 16 << 20
        assert any(flags & paced._AFTER for *_, flags in synced)
    assert out.read_bytes() == data
    assert write is io.FileIO.write


def test_interrupting_a_large_write_leaves_nothing(tmp_path, monkeypatch):
    calls = 0
    write = paced.PacedFile.write

    def interrupted(self, piece):
        nonlocal calls
        calls += 1
        if calls == 3:
            raise KeyboardInterrupt
        return write(self, piece)

    monkeypatch.setattr(paced.PacedFile, "write", interrupted)
    with pytest.raises(KeyboardInterrupt), replacing(tmp_path / "out") as file:
        file.write(bytes(50 << 20))
    assert not list(tmp_path.iterdir())


def test_parts_that_are_written_twice(tmp_path):
    """Archives go back to their headers."""
    with replacing(tmp_path / "out") as file:
        for _ in range(3):
            file.write(bytes(20 << 20))
            file.seek(5)
            file.write(b"x" * 10)
            file.seek(0, io.SEEK_END)
    data = (tmp_path / "out").read_bytes()
    assert len(data) == 60 << 20
    assert data[:16] == bytes(5) + b"x" * 10 + b"\0"


@pytest.mark.skipif(paced._sync_file_range() is None, reason="a function of Linux")
def test_a_failing_disk_is_told(tmp_path, monkeypatch):
    def failing(*_: int) -> int:
        paced.ctypes.set_errno(errno.EIO)
        return -1

    monkeypatch.setattr(paced, "_sync_file_range", lambda: failing)
    with pytest.raises(apsp.OutputError, match="Input/output error"), replacing(tmp_path / "out") as file:
        file.write(bytes(30 << 20))
    assert not list(tmp_path.iterdir())
