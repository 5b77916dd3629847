"""The file of pages: what is refused, and with which words."""

from __future__ import annotations

import errno
import gc
import os
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from apsp.errors import FileFormatError, OutputError, RequestError
from apsp.methods.floyd_warshall.strips import page_file
from apsp.methods.floyd_warshall.strips.page_file import PageFile, fingerprint
from apsp.system.checksums import check_all
from contract import GRAPHS, graph_of

SHAPE = (10, 7)
RUN = {"graph": "abc"}


def make(path: Path, **changes: Any) -> PageFile:
    return PageFile(path, changes.pop("shape", SHAPE), changes.pop("dtype", "int32"), {**RUN, **changes})


def test_rows_come_back(tmp_path: Path) -> None:
    rows = np.arange(70, dtype=np.int32).reshape(SHAPE)
    file = make(tmp_path / "pages")
    assert file.is_new
    file.write(0, rows[:4])
    file.write(4, rows[4:])
    file.commit(5)
    file.close()
    file = make(tmp_path / "pages")
    assert (file.is_new, file.next_pivot, file.finished) == (False, 5, False)
    found = np.empty((3, 7), dtype=np.int32)
    file.read(5, found)
    np.testing.assert_array_equal(found, rows[5:8])
    np.testing.assert_array_equal(file.matrix, rows)
    file.commit(10, finished=True)
    file.close()
    assert make(tmp_path / "pages").finished


@pytest.mark.parametrize(
    ("changes", "word"),
    [({"graph": "other"}, "graph"), ({"dtype": "float32"}, "dtype"), ({"shape": (10, 8)}, "columns")],
)
def test_the_file_of_another_run_is_refused(changes: dict[str, Any], word: str, tmp_path: Path) -> None:
    make(tmp_path / "pages").close()
    before = (tmp_path / "pages").read_bytes()
    with pytest.raises(RequestError, match=f"another run: its {word} is"):
        make(tmp_path / "pages", **changes)
    assert (tmp_path / "pages").read_bytes() == before


def test_other_files_are_refused_and_kept(tmp_path: Path) -> None:
    for content in (b"some text\n", b"\0" * 10_000):
        (tmp_path / "pages").write_bytes(content)
        with pytest.raises(FileFormatError, match="not a file of pages"):
            make(tmp_path / "pages")
        assert (tmp_path / "pages").read_bytes() == content
    with pytest.raises(OutputError, match="is a folder"):
        make(tmp_path)
    with pytest.raises(OutputError, match="does not exist"):
        make(tmp_path / "none" / "pages")


def test_a_cut_file_is_refused(tmp_path: Path) -> None:
    file = make(tmp_path / "pages")
    file.commit(1)
    os.truncate(tmp_path / "pages", 8192 + 100)
    with pytest.raises(FileFormatError, match="ends early"):
        file.read(5, np.empty((5, 7), dtype=np.int32))
    file.close()
    with pytest.raises(FileFormatError, match="is truncated"):
        make(tmp_path / "pages")


def flip(path: Path, place: int) -> None:
    with path.open("r+b") as file:
        file.seek(place)
        byte = file.read(1)[0]
        file.seek(place)
        file.write(bytes([byte ^ 16]))


@pytest.mark.parametrize("finished", [True, False])
def test_a_damaged_row_is_noticed_when_it_is_read(tmp_path: Path, finished: bool) -> None:
    path, rows = tmp_path / "pages", np.arange(70, dtype=np.int32).reshape(SHAPE)
    file = make(path)
    file.write(0, rows)
    file.commit(10, finished=finished)
    file.close()
    flip(path, 8192 + 6 * 28 + 3)
    file = make(path)
    found = np.empty((3, 7), dtype=np.int32)
    file.read(0, found)
    with pytest.raises(FileFormatError, match="row 6 is damaged"):
        file.read(4, found)
    with pytest.raises(FileFormatError, match="a row is damaged, at its element 42 or soon after"):
        check_all(file.unchecked)
    file.write(6, rows[6:7])  # as a step that is done again does
    file.read(4, found)
    np.testing.assert_array_equal(found, rows[4:7])
    file.commit(10, finished=finished)
    file.close()
    file = make(path)
    file.read(4, found)
    check_all(file.unchecked)
    file.close()
    flip(path, 8192 + 280 + 5)
    with pytest.raises(FileFormatError, match="its checksums are damaged"):
        make(path)


def test_a_run_that_was_killed_has_rows_of_two_steps(tmp_path: Path) -> None:
    """They are right, whatever their checksums were."""
    path, rows = tmp_path / "pages", np.arange(70, dtype=np.int32).reshape(SHAPE)
    file = make(path)
    file.write(0, rows)
    file.commit(5)
    file.close()
    file = make(path)
    file.write(0, rows[:4] + 100)
    killed = path.read_bytes()
    file.close()
    path.write_bytes(killed)
    file = make(path)
    assert file.next_pivot == 5
    assert file.unchecked == ()
    found = np.empty(SHAPE, dtype=np.int32)
    file.read(0, found)
    np.testing.assert_array_equal(found[3:5], [rows[3] + 100, rows[4]])
    file.commit(10, finished=True)
    file.close()
    file = make(path)
    check_all(file.unchecked)
    file.read(0, found)
    file.close()


def test_rows_that_were_written_through_the_map(tmp_path: Path) -> None:
    file = make(tmp_path / "pages")
    file.write(0, np.zeros(SHAPE, dtype=np.int32))
    matrix = file.matrix
    matrix[3] = 7
    matrix.flush()
    file.commit(10, finished=True, changed=True)
    file.close()
    file = make(tmp_path / "pages")
    check_all(file.unchecked)
    file.close()


def test_a_file_of_format_1(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It has no checksums; they are made when it is finished."""
    path, rows = tmp_path / "pages", np.arange(70, dtype=np.int32).reshape(SHAPE)
    monkeypatch.setattr(page_file, "VERSION", 1)
    file = make(path)
    file.write(0, rows)
    file.commit(5)
    file.close(keep=True)
    os.truncate(path, 8192 + 280)
    header = path.read_bytes()[:8192].replace(b'"sums": true', b'"sumz": true')
    lines = [slot.split(b"\n", 1)[0][9:] for slot in (header[:4096], header[4096:])]
    with path.open("r+b") as raw:
        for slot, line in enumerate(lines):
            raw.seek(4096 * slot)
            raw.write(b"%08x %s\n" % (zlib.crc32(line), line) if line else b"")
    monkeypatch.undo()
    file = make(path)
    assert (file.next_pivot, file.unchecked) == (5, ())
    file.commit(10, finished=True)
    file.close()
    file = make(path)
    check_all(file.unchecked)
    np.testing.assert_array_equal(file.matrix, rows)
    file.close()


def test_a_file_whose_making_was_stopped_is_made_again(tmp_path: Path) -> None:
    (tmp_path / "pages").touch()
    make(tmp_path / "pages").close()
    assert (tmp_path / "pages").stat().st_size == 8192 + 280 + 40
    make(tmp_path / "pages").close()
    os.truncate(tmp_path / "pages", 8192)
    make(tmp_path / "pages").close()
    assert (tmp_path / "pages").stat().st_size == 8192 + 280 + 40


def test_a_file_system_that_does_not_reserve_room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object) -> None:
        raise OSError(errno.EOPNOTSUPP, "Operation not supported")

    monkeypatch.setattr(os, "posix_fallocate", refused)
    make(tmp_path / "pages").close()
    assert (tmp_path / "pages").stat().st_size == 8192 + 280 + 40


def test_who_forgets_to_close_leaves_no_lock(tmp_path: Path) -> None:
    file = make(tmp_path / "pages")
    del file
    gc.collect()
    make(tmp_path / "pages").close()


def test_half_a_header_leaves_the_other(tmp_path: Path) -> None:
    file = make(tmp_path / "pages")
    file.commit(3)
    file.commit(6)
    file.close()
    for slot, pivot in ((0, 3), (1, 6)):
        broken = bytearray((tmp_path / "pages").read_bytes())
        headers = [bytes(broken[:4096]), bytes(broken[4096:8192])]
        newer = next(number for number in (0, 1) if b'"next_pivot": 6' in headers[number])
        place = 4096 * (newer if slot == 0 else 1 - newer) + 40
        broken[place] ^= 1
        (tmp_path / "broken").write_bytes(broken)
        file = make(tmp_path / "broken")
        assert file.next_pivot == pivot
        file.close()


def test_two_processes(tmp_path: Path) -> None:
    file = make(tmp_path / "pages")
    with pytest.raises(RequestError, match="another process uses"):
        make(tmp_path / "pages")
    file.close()
    make(tmp_path / "pages").close()


def test_a_full_disk_is_an_error_before_the_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "posix_fallocate", full)
    with pytest.raises(OutputError, match="give a file on another disk"):
        make(tmp_path / "pages")
    assert not (tmp_path / "pages").exists()


def test_a_disk_that_fails_later(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = make(tmp_path / "pages")

    def broken(*_: object) -> int:
        raise OSError(errno.EIO, "Input/output error")

    with monkeypatch.context() as patch:
        patch.setattr(os, "pwrite", broken)
        with pytest.raises(OutputError, match="Input/output error"):
            file.write(0, np.zeros((1, 7), dtype=np.int32))
        with pytest.raises(OutputError, match="Input/output error"):
            file.commit(1)
    file.close()


def test_fingerprints_differ() -> None:
    graphs = [GRAPHS[name](dtype) for name in GRAPHS for dtype in ("int32", "float64")]
    graphs += [graph_of(3, [(0, 1, 5)]), graph_of(3, [(0, 1, 5)], zones=np.array([True, False, False]))]
    prints = [fingerprint(graph) for graph in graphs]
    weighted = {print_ for graph, print_ in zip(graphs, prints, strict=True) if graph.m}
    assert len(weighted) == sum(graph.m > 0 for graph in graphs)
