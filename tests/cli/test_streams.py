"""Standard output that is closed or full, in real processes."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

APSP = [sys.executable, "-m", "apsp"]
PRINTING = {
    "version": ["--version"], "help": ["solve", "--help"], "path": ["path", "IN", "1", "4"],
    "json": ["stats", "IN", "--json"], "info": ["info"], "output": ["solve", "IN", "-o", "OUT", "--json", "-q"],
}  # fmt: skip

pytestmark = pytest.mark.skipif(not Path("/dev/full").exists(), reason="files of Linux")


def apsp(arguments: list[str], redirected: str) -> subprocess.CompletedProcess[str]:
    shell = ["sh", "-c", f'exec "$@" {redirected}', "sh"]
    return subprocess.run([*shell, *APSP, *arguments], text=True, check=False, timeout=60, stderr=subprocess.PIPE)


@pytest.mark.few(2)
@pytest.mark.parametrize(("redirected", "why"), [(">&-", "it is closed"), (">/dev/full", "No space left on device")])
@pytest.mark.parametrize("name", PRINTING)
def test_output_that_cannot_be_written(tmp_path: Path, roads: Path, name: str, redirected: str, why: str) -> None:
    named = {"IN": str(roads), "OUT": str(tmp_path / "out.npz")}
    done = apsp([named.get(word, word) for word in PRINTING[name]], redirected)
    assert done.stderr == f"apsp: error: cannot write standard output: {why}\n"
    assert done.returncode == 6


@pytest.mark.slow
def test_commands_that_print_nothing_do_not_mind(tmp_path: Path, roads: Path) -> None:
    for redirected in (">&-", ">/dev/full", ">&- 2>&- <&-", "2>/dev/full"):
        out = tmp_path / "out.npz"
        done = apsp(["solve", str(roads), "-o", str(out)], redirected)
        assert done.returncode == 0, redirected
        assert apsp(["path", str(out), "1", "4"], ">/dev/null").returncode == 0, "no other bytes came into the file"
        out.unlink()


def test_errors_that_cannot_be_told(roads: Path) -> None:
    for redirected in ("2>&-", "2>/dev/full", ">&- 2>&- <&-"):
        assert apsp(["path", str(roads), "0", "99"], redirected).returncode == 3


def test_input_that_is_closed() -> None:
    done = apsp(["stats", "-"], "<&-")
    assert (done.returncode, done.stderr) == (4, "apsp: error: standard input is closed: name a file\n")


def test_a_stream_that_outlives_its_module(tmp_path: Path) -> None:
    """Python 3.13 empties the modules that something else holds, and the stream is ended after that."""
    program = tmp_path / "program.py"
    program.write_text(
        "import sys, __main__\n"
        "import apsp.cli.streams as streams\n"
        "sys.kept = __main__, streams\n"
        "words = streams._Words(sys.stderr)\n"
    )
    done = subprocess.run([sys.executable, program], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
