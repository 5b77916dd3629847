"""A disk that becomes full in the middle: one line, and whatever was there before, of every command that writes."""

from __future__ import annotations

import resource
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from apsp.graph.files import write
from apsp.graph.generate import generate

APSP = [sys.executable, "-m", "apsp"]
COMMANDS = [
    ("solve", "IN", "-o", "out.npz", "--no-paths"), ("solve", "IN", "-o", "out.npy"), ("solve", "IN", "-o", "out.csv"),
    ("reachable", "IN", "-o", "out.npy"), ("convert", "IN", "out.csv"), ("convert", "IN", "out.npz"),
    ("generate", "random", "-n", "2000", "-o", "out.gr"),
    ("k-nearest", "IN", "-k", "20", "-o", "out.csv"), ("explore", "IN", "-o", "out.html"),
    ("solve", "IN", "-o", "small.csv", "--sources", "1", "--method", "floyd-warshall", "--pages-file", "out.pages"),
]  # fmt: skip


def small_files_only() -> None:
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (3_000, 3_000))


@pytest.mark.few(1)
@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: "-".join(command[:4:3]))
def test_nothing_is_half_written(tmp_path: Path, command: tuple[str, ...]) -> None:
    graph = tmp_path / "graph.gr"
    write(generate("city", 300, seed=1), graph)
    out = tmp_path / next(word for word in command if word.startswith("out"))
    if out.suffix != ".pages":
        out.write_text("precious")
    before = {path: path.read_bytes() for path in tmp_path.iterdir()}
    done = subprocess.run(
        [*APSP, *(str(graph) if word == "IN" else word for word in command), "-q"],
        cwd=tmp_path, capture_output=True, text=True, check=False, timeout=60, preexec_fn=small_files_only,
    )  # fmt: skip
    assert done.returncode == 6, done.stderr
    assert done.stderr.startswith("apsp: error: ")
    assert len(done.stderr.splitlines()) == 1
    assert {path: path.read_bytes() for path in tmp_path.iterdir()} == before
