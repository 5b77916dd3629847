"""Graphs from file objects of many kinds, beside the same file by its path."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import os
import sys
import tempfile
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import apsp

WITH_LABELS = apsp.from_edges([("a", "b", 3), ("b", "c", 4), ("c", "a", 5)])
NUMBERED = apsp.from_edges([0, 1, 2, 0], [1, 2, 3, 3], [7, 2, 9, 1], labels=range(1, 5))
FILES = {
    "edge-list": ("links.csv", WITH_LABELS),
    "dimacs": ("roads.gr", NUMBERED),
    "graphml": ("links.graphml", WITH_LABELS),
    "gml": ("links.gml", WITH_LABELS),
    "npz": ("links.npz", WITH_LABELS),
    "matrix-market": ("links.mtx", NUMBERED),
}
TEXT = ("edge-list", "dimacs", "graphml", "gml", "matrix-market")


@pytest.fixture(params=FILES)
def file(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[str, Path, apsp.Graph]:
    name, graph = FILES[request.param]
    written = tmp_path / name
    apsp.write(graph, written)
    return request.param, written, apsp.read(written)


def test_open_files(file: tuple[str, Path, apsp.Graph]) -> None:
    format, path, expected = file  # noqa: A001
    with path.open("rb") as opened:
        assert apsp.read(opened) == expected
        assert not opened.closed
    if format in TEXT:
        with path.open(encoding="utf-8") as opened:
            assert apsp.read(opened) == expected


def test_bytes_and_text_in_memory(file: tuple[str, Path, apsp.Graph]) -> None:
    format, path, expected = file  # noqa: A001
    assert apsp.read(io.BytesIO(path.read_bytes()), format=format) == expected
    if format in TEXT:
        assert apsp.read(io.StringIO(path.read_text()), format=format) == expected
    named = io.BytesIO(path.read_bytes())
    named.name = path.name
    assert apsp.read(named) == expected


def test_members_of_archives(file: tuple[str, Path, apsp.Graph], tmp_path: Path) -> None:
    format, path, expected = file  # noqa: A001
    with zipfile.ZipFile(tmp_path / "all.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.write(path, f"data/{path.name}")
        archive.writestr("data/packed.gz", gzip.compress(path.read_bytes()))
    with zipfile.ZipFile(tmp_path / "all.zip") as archive:
        with archive.open(f"data/{path.name}") as member:
            assert apsp.read(member) == expected
        assert apsp.read(zipfile.Path(archive, f"data/{path.name}")) == expected
        with archive.open("data/packed.gz") as member:
            assert apsp.read(member, format=format) == expected


def test_compressed_and_pipes(file: tuple[str, Path, apsp.Graph], tmp_path: Path) -> None:
    _, path, expected = file
    openers: list[tuple[Any, str]] = [(gzip.open, ".gz"), (bz2.open, ".bz2"), (lzma.open, ".xz")]
    for opener, ending in openers:
        packed = tmp_path / f"{path.name}{ending}"
        with opener(packed, "wb") as into:
            into.write(path.read_bytes())
        with packed.open("rb") as raw:
            assert apsp.read(raw) == expected
        with opener(packed, "rb") as unpacked:
            if hasattr(unpacked, "name"):  # of all since Python 3.13
                assert apsp.read(unpacked) == expected
    reading, writing = os.pipe()
    with os.fdopen(writing, "wb") as into:
        into.write(path.read_bytes())
    with os.fdopen(reading, "rb") as pipe:
        assert apsp.read(pipe, format=file[0]) == expected


def test_it_is_read_from_where_it_is() -> None:
    opened = io.StringIO("a title\nfrom,to,length\na,b,3\n")
    opened.readline()
    assert apsp.read(opened, format="edge-list") == apsp.from_edges([("a", "b", 3)])


def test_a_file_beside_it_is_read_only_if_it_lies_on_a_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "roads.gr"
    apsp.write(NUMBERED, path)
    (tmp_path / "roads.co").write_text("p aux sp co 4\nv 1 5 6\nv 2 5 7\nv 3 5 8\nv 4 5 9\n")
    with path.open("rb") as opened:
        found = apsp.read(opened)
    assert found == apsp.read(path)
    assert found.coordinates is not None
    monkeypatch.chdir(tmp_path)
    named = io.BytesIO(path.read_bytes())
    named.name = "roads.gr"
    assert apsp.read(named).coordinates is None
    assert np.array_equal(apsp.read(named.name).coordinates, found.coordinates)


def test_an_open_file_is_not_written_over(tmp_path: Path) -> None:
    path = tmp_path / "roads.gr"
    apsp.write(NUMBERED, path)
    with path.open("rb") as opened:
        graph = apsp.read(opened)
    with pytest.raises(apsp.OutputError):
        apsp.write(graph, path)


class Odd:
    """An object that reads what it is given."""

    def __init__(self, *parts: Any) -> None:
        self.parts = list(parts)

    def read(self, size: int = -1) -> Any:
        part = self.parts.pop(0)
        if isinstance(part, Exception):
            raise part
        return part


def test_errors(tmp_path: Path) -> None:
    csv = "from,to,length\na,b,3\nb,c,x\n"
    with pytest.raises(apsp.RequestError, match=r"has no name: say with format= what it is, one of .*edge-list, gml"):
        apsp.read(io.StringIO(csv))
    with tempfile.TemporaryFile() as unnamed, pytest.raises(apsp.RequestError, match="has no name"):
        apsp.read(unnamed)
    named = io.StringIO(csv)
    named.name = "links.csv"  # type: ignore[attr-defined]
    with pytest.raises(apsp.FileFormatError, match=r"^links\.csv, line 3"):
        apsp.read(named)
    closed = io.BytesIO()
    closed.close()
    with pytest.raises(apsp.FileFormatError, match=r"file object: cannot be read: .*closed"):
        apsp.read(closed, format="dimacs")
    with pytest.raises(apsp.RequestError, match="must be open for reading bytes or text"):
        apsp.read(Odd(3.5), format="dimacs")
    for fault in (OSError("the line broke"), RuntimeError("encrypted"), EOFError()):
        with pytest.raises(apsp.FileFormatError, match=r"cannot be read: (the line|encrypted|EOF)"):
            apsp.read(Odd(b"p sp 1 0\n", fault), format="dimacs")
    with (tmp_path / "new.gr").open("wb") as writable, pytest.raises(apsp.FileFormatError, match="cannot be read"):
        apsp.read(writable)
    with pytest.raises(apsp.FileFormatError, match=r"the header .* is missing"):
        apsp.read(io.BytesIO(), format="dimacs")
    with zipfile.ZipFile(tmp_path / "all.zip", "w") as archive:
        archive.writestr("data/links.csv", csv)
    with pytest.raises(apsp.FileFormatError, match="cannot be read"):
        apsp.read(zipfile.Path(tmp_path / "all.zip", "data/"))
    for wrong in (3, None, [1]):
        with pytest.raises(apsp.RequestError, match="must be the name of a file"):
            apsp.read(wrong)  # type: ignore[arg-type]


def test_no_copy_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    apsp.read(io.StringIO("a b 3\n"), format="edge-list")
    for odd in (io.StringIO("a b x\n"), Odd(b"p", OSError("broken"))):
        with pytest.raises(apsp.FileFormatError):
            apsp.read(odd, format="dimacs")
    assert not list(tmp_path.iterdir())


def test_the_name_of_standard_input_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    stdin = io.TextIOWrapper(io.BytesIO(b"a,b,3\n"))
    stdin.buffer.name = "<stdin>"  # type: ignore[attr-defined]
    monkeypatch.setattr(sys, "stdin", stdin)
    with pytest.raises(apsp.RequestError, match="has no name"):
        apsp.read(sys.stdin)
    assert apsp.read(sys.stdin, format="edge-list") == apsp.from_edges([("a", "b", 3)])


def test_archives_of_other_files_name_the_call_that_reads_one(tmp_path: Path) -> None:
    place = tmp_path / "links.zip"
    with zipfile.ZipFile(place, "w") as archive:
        archive.writestr("links.csv", "source,target,weight\nRome,Florence,273\n")
    with pytest.raises(apsp.FileFormatError, match=r"such as 'links.csv': apsp.read\(zipfile.Path\(file, "):
        apsp.read(place)
    assert apsp.read(zipfile.Path(place, "links.csv")).m == 1
