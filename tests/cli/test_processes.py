"""What only a real process shows: signals, full disks, broken pipes, colours."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from apsp.graph.convert import from_edges
from apsp.graph.files import write

APSP = [sys.executable, "-m", "apsp"]


def apsp(*arguments: object, **options: object) -> subprocess.CompletedProcess[str]:
    command = [*APSP, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=60, **options)


@pytest.fixture
def slow(tmp_path: Path) -> Path:
    """A graph that keeps the reference solver busy for minutes."""
    rng = np.random.default_rng(1)
    path = tmp_path / "slow.gr"
    write(from_edges(rng.integers(0, 3000, 12_000), rng.integers(0, 3000, 12_000), rng.integers(1, 99, 12_000)), path)
    return path


@pytest.mark.slow
def test_exit_codes_of_a_real_process(tmp_path, roads, cyclic):
    out = tmp_path / "out.npz"
    assert apsp("solve", roads, "-o", out).returncode == 0
    assert apsp("path", out, 1, 4).stdout.split()[:4] == ["from", "1", "to", "4"]
    assert apsp("path", out, 1, 5).returncode == 7
    assert apsp("solve", cyclic, "-o", out).returncode == 5
    assert apsp("solve", tmp_path / "nothing", "-o", out).returncode == 3
    assert apsp("solve", roads, "-o", "/proc/out.npz").returncode == 6
    assert apsp("nonsense").returncode == 2


@pytest.mark.few(1)
@pytest.mark.parametrize(("sent", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)])
def test_a_signal_leaves_nothing_behind(tmp_path, slow, sent, code):
    out = tmp_path / "out.npz"
    before = set(tmp_path.iterdir())
    process = subprocess.Popen(
        [*APSP, "solve", slow, "-o", out, "--method", "reference"], stderr=subprocess.PIPE, text=True,
        preexec_fn=lambda: signal.signal(sent, signal.SIG_DFL),  # the tests themselves may run under nohup
    )  # fmt: skip
    assert process.stderr is not None
    assert "read in" in process.stderr.readline()
    time.sleep(0.3)
    process.send_signal(sent)
    _, words = process.communicate(timeout=60)
    assert process.returncode == code
    assert "Traceback" not in words
    assert set(tmp_path.iterdir()) == before


@pytest.mark.slow
def test_nohup_is_respected(tmp_path, slow):
    out = tmp_path / "out.npz"
    process = subprocess.Popen(
        [*APSP, "solve", slow, "-o", out], stderr=subprocess.PIPE, text=True,
        preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN),
    )  # fmt: skip
    assert process.stderr is not None
    assert "read in" in process.stderr.readline()
    process.send_signal(signal.SIGHUP)
    process.communicate(timeout=60)
    assert process.returncode == 0
    assert out.exists()


def test_a_full_disk_leaves_the_old_file(tmp_path, slow):
    out = tmp_path / "out.npy"
    out.write_text("precious")
    before = set(tmp_path.iterdir())

    def small_files_only() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))

    done = apsp("solve", slow, "-o", out, "-q", preexec_fn=small_files_only)
    assert done.returncode == 6, done.stderr
    assert done.stderr.startswith(f"apsp: error: cannot write {out}: ")
    assert "as it was before" in done.stderr
    assert out.read_text() == "precious"
    assert set(tmp_path.iterdir()) == before


def test_the_output_is_checked_before_the_work(tmp_path, slow):
    done = apsp("solve", slow, "-o", tmp_path / "missing" / "out.npz", "--method", "reference")
    assert done.returncode == 6
    assert "read in" not in done.stderr


def test_input_from_pipes(tmp_path, roads):
    done = apsp("stats", "-", "--json", input=roads.read_text())
    assert done.returncode == 0
    fifo = tmp_path / "pipe"
    os.mkfifo(fifo)
    with subprocess.Popen(["cp", roads, fifo]):
        assert apsp("stats", fifo, "--json").stdout == done.stdout
    broken = apsp("stats", "-", input="p sp 2 1\na 1 2 x\n")
    assert broken.stderr.startswith("apsp: error: -, line 2")


def test_a_broken_pipe_is_quiet(roads):
    process = subprocess.Popen([*APSP, "info"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()
    words = process.stderr.read()
    process.stderr.close()
    assert process.wait(timeout=20) == 141
    assert words == b""


def test_pipes_get_no_colours_and_no_bars(tmp_path, roads):
    done = apsp("stats", roads, env={**os.environ, "COLUMNS": "80"})
    assert "\x1b" not in done.stdout + done.stderr
    assert max(map(len, done.stdout.splitlines())) <= 80
