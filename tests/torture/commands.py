"""The command line under signals, closed streams and odd arguments: documented exit codes, no traceback, no debris."""

from __future__ import annotations

import functools
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np

import apsp
from apsp.cli.exits import CODES
from torture.promise import WrongError

__all__ = ["run"]

_GRAPHS = {"small.gr": 12, "roads.gr": 400, "large.gr": 2500}
_WORKS = (
    ("solve", "GRAPH", "-o", "OUT.npz"), ("solve", "GRAPH", "-o", "OUT.npy"), ("solve", "GRAPH", "-o", "OUT.csv"),
    ("solve", "GRAPH", "-o", "OUT.npz", "--method", "reference"), ("stats", "GRAPH"), ("stats", "GRAPH", "--json"),
    ("reachable", "GRAPH"), ("plan", "GRAPH"), ("convert", "GRAPH", "OUT.mtx"), ("convert", "GRAPH", "OUT.graphml"),
    ("generate", "rmat", "OUT.npz"), ("generate", "country", "-n", "300", "-o", "OUT.npz"),
    ("info",), ("info", "--json"), ("solve", "GRAPH", "-o", "OUT.npz", "--paths",
    "--verify"),
    ("solve", "GRAPH", "-o", "OUT.npz", "--pages-file", "PAGES", "--method", "floyd-warshall"),
)  # fmt: skip
_ODD = (
    "", "-", "--", "-1", "0", "nan", "inf", "1e999", "99999999999999999999999", "x" * 300, "\udcff", "/", "/dev/null",
    "auto", "cpu", "emulated:99", "cuda:-1", "3,4,x", "@", "@/dev/null", "1" * 5000, "None", "{}", "é", "a b",
    "1-2-3", "0-99999999999",
)  # fmt: skip
_OPTIONS = ("--sources", "--targets", "--cutoff", "--dtype", "--method", "--device", "--gpu-memory", "--threads",
            "--semiring", "--format", "--cost", "--columns", "--coordinates", "--parallel", "--absent", "--relations",
            "--pages-file", "-o", "--json", "--quiet", "--nonsense", "--paths", "--verify")  # fmt: skip


@functools.cache
def _graph_bytes(n: int) -> bytes:
    rng = np.random.default_rng(n)
    graph = apsp.from_edges(rng.integers(0, n, 4 * n), rng.integers(0, n, 4 * n), rng.integers(1, 1000, 4 * n), n=n)
    with tempfile.TemporaryDirectory() as folder:
        apsp.write(graph, Path(folder) / "g.gr")
        return (Path(folder) / "g.gr").read_bytes()


def run(seed: int, options: dict[str, Any], counts: Counter[str]) -> dict[str, Any] | None:
    """One command in a folder of its own."""
    rng = random.Random(seed)
    what = rng.choices(("signal", "arguments", "streams"), (4, 5, 2))[0]
    work = rng.choice(_WORKS)
    name = rng.choice(list(_GRAPHS)) if what == "signal" else "small.gr"
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        (place / name).write_bytes(_graph_bytes(_GRAPHS[name]))
        words = [
            word.replace("GRAPH", name).replace("OUT", "out").replace("PAGES", "pages") for word in work
        ]  # fmt: skip
        if what == "arguments":
            words = _odd(words, rng)
        try:
            code = {"signal": _signalled, "arguments": _left_alone, "streams": _closed}[what](words, place, rng)
            counts[f"{what} exit {code}"] += 1
            _check_left(place, {name}, code)
        except WrongError as error:
            return {"what": "wrong", "where": f"command {what}", "words": f"apsp {' '.join(map(repr, words))}: {error}"}
        except subprocess.TimeoutExpired:
            return {"what": "hang", "where": f"command {what}", "words": f"apsp {' '.join(map(repr, words))}"}
    return None


def _odd(words: list[str], rng: random.Random) -> list[str]:
    for _ in range(rng.choice((1, 1, 2))):
        if rng.random() < 0.3 and len(words) > 1:
            words = [*words]
            words[rng.randrange(1, len(words))] = rng.choice(_ODD)
        else:
            option = rng.choice(_OPTIONS)
            words = [*words, option, *([rng.choice(_ODD)] if rng.random() < 0.9 else [])]
    return [word.replace("\0", "") for word in words]


def _command(words: list[str], place: Path, **streams: Any) -> subprocess.Popen[bytes]:
    environment = os.environ | {"APSP_NUM_THREADS": "2"}
    return subprocess.Popen([sys.executable, "-m", "apsp", *words], cwd=place, env=environment, **streams)


def _signalled(words: list[str], place: Path, rng: random.Random) -> int:
    """A signal at some time: it ends soon, says so by its exit code, and leaves nothing."""
    sent = rng.choice((signal.SIGINT, signal.SIGINT, signal.SIGTERM, signal.SIGHUP))
    process = _command(words, place, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    time.sleep(rng.uniform(0, 2.5))
    process.send_signal(sent)
    _out, err = process.communicate(timeout=60)
    code = process.returncode
    started = b"Traceback" in err and b"apsp/" not in err  # before the command line was there to catch it
    if code < 0 or started:
        if code not in (-sent, 1, 130, 0) and not started:
            raise WrongError(f"signal {sent.name}: ended with {code}: {err[-600:]!r}")
        return code
    return _checked(code, err)


def _left_alone(words: list[str], place: Path, rng: random.Random) -> int:
    process = _command(words, place, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    try:
        _, err = process.communicate(timeout=60)
    finally:
        process.kill()
    return _checked(process.returncode, err)


def _closed(words: list[str], place: Path, rng: random.Random) -> int:
    """Standard output that is full, closed, or closed by its reader; standard input that is closed."""
    shell = rng.choice((">/dev/full", ">&-", "| true", "<&-", ">&- <&-", "</dev/null >/dev/full"))
    quoted = " ".join("'" + word.replace("'", "'\\''") + "'" for word in words)
    pipe = shell.startswith("|")
    line = f'"$PYTHON" -m apsp {quoted} {shell}; exit {"${PIPESTATUS[0]}" if pipe else "$?"}'
    done = subprocess.run(
        ["bash", "-c", line], cwd=place, env=os.environ | {"PYTHON": sys.executable}, stdin=subprocess.DEVNULL,
        capture_output=True, timeout=60, check=False,
    )  # fmt: skip
    return _checked(done.returncode, done.stderr)


def _checked(code: int, err: bytes) -> int:
    if b"Traceback" in err or b"Exception ignored" in err:
        raise WrongError(f"a traceback: {err[-1200:].decode(errors='replace')}")
    if code == 1 or code not in (*CODES, 129):
        raise WrongError(f"exit code {code}: {err[-800:].decode(errors='replace')}")
    if len(err) > 20_000:
        raise WrongError(f"{len(err)} bytes on standard error")
    return code


def _check_left(place: Path, given: set[str], code: int) -> None:
    left = {path.name for path in place.iterdir()} - given
    debris = {name for name in left if name.endswith(".part") or name.startswith(".")}
    if debris and code != -signal.SIGKILL and code >= 0:
        raise WrongError(f"left behind: {sorted(debris)}")
