"""Files that expand to far more than their size: refused before they fill the memory."""

from __future__ import annotations

import bz2
import gzip
import lzma
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from apsp.cli.main import main
from apsp.errors import FileFormatError, MemoryLimitError, RequestError
from apsp.graph.convert import from_edges
from apsp.graph.files import expansion, read, source, write

COMPRESSORS = {"gz": gzip.compress, "bz2": bz2.compress, "xz": lzma.compress}
BODY = b"1 2\n" * 100_000


@pytest.fixture(autouse=True)
def _little(monkeypatch: pytest.MonkeyPatch) -> None:
    """What larger files show, in small ones."""
    monkeypatch.setattr(source, "Expansion", partial(expansion.Expansion, free=300_000))
    monkeypatch.delenv(expansion.VARIABLE, raising=False)


@pytest.mark.few(1)
@pytest.mark.parametrize("ending", COMPRESSORS)
def test_a_bomb_is_refused_unless_it_is_allowed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], ending: str
) -> None:
    path = tmp_path / f"bomb.txt.{ending}"
    path.write_bytes(COMPRESSORS[ending](BODY))
    with pytest.raises(FileFormatError, match=r"over 200 times as much.* max_expansion= or the environment variable"):
        read(path)
    assert read(path, max_expansion=100_000).m == 1
    assert main(["stats", str(path), "-q"]) == 3
    assert "--max-expansion or the environment variable APSP_MAX_EXPANSION allows more" in capsys.readouterr().err
    assert main(["stats", str(path), "-q", "--max-expansion", "100000"]) == 0
    monkeypatch.setenv(expansion.VARIABLE, "1e6")
    assert read(path).m == 1


def test_usual_files_are_read(tmp_path: Path) -> None:
    path, rng = tmp_path / "graph.gr.xz", np.random.default_rng(1)
    write(from_edges(rng.integers(0, 9000, 60_000), rng.integers(0, 9000, 60_000), rng.integers(1, 9, 60_000)), path)
    assert read(path).m > 50_000


def test_an_archive(tmp_path: Path) -> None:
    path = tmp_path / "zeros.npz"
    np.savez_compressed(path, matrix=np.zeros((1000, 1000)))
    with pytest.raises(FileFormatError, match=r"expand to more than"):
        read(path)
    assert read(path, max_expansion=2000, absent=0).n == 1000


@pytest.mark.parametrize("value", ["", "much", "nan", "0", "-3"])
def test_odd_limits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    path = tmp_path / "graph.txt"
    path.write_text("0 1\n1 2\n")
    if value:
        monkeypatch.setenv(expansion.VARIABLE, value)
        with pytest.raises(RequestError, match=r"APSP_MAX_EXPANSION must be a number of at least 1"):
            read(path)
    with pytest.raises(RequestError, match="max_expansion must be a number of at least 1"):
        read(path, max_expansion=value)


@pytest.mark.parametrize("make", [lambda text: text, gzip.compress], ids=["plain", "gzip"])
def test_files_that_are_read_as_a_whole_must_fit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, make: Callable[[bytes], bytes]
) -> None:
    monkeypatch.setattr(expansion, "allowed_memory", lambda: (10**6, 700_000))
    path = tmp_path / "graph.gml"
    path.write_bytes(make(b"graph [\n" + b"# \n" * 150_000 + b"]\n"))
    with pytest.raises(MemoryLimitError, match="which is read as a whole, needs"):
        read(path, max_expansion=10**6)
    path.write_bytes(b"1 2\n" + b"1 " * 400_000)
    with pytest.raises(MemoryLimitError, match=r"a line of .* needs"):
        read(path, format="edge-list")
