"""Little memory is MemoryLimitError: never an abort, another exception or a wait without end."""

from __future__ import annotations

import errno
import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import apsp
from apsp.system.lack_of_memory import is_lack_of_memory, memory_errors

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="limits of the address space")

CPU = ("floyd-warshall 700 cpu", "dijkstra 700", "label-correcting 700 cpu", "bit-bfs 700 cpu", "johnson 40",
       "elimination 700 cpu")  # fmt: skip
EMULATED = ("floyd-warshall 300 emulated", "label-correcting 40 emulated", "lab-fw-shared 300", "katz-kider 300",
            "counts")  # fmt: skip
REST = ("stream", "reachable", "diameter", "prepare", "oracle", "verify", "save", "load", "read", "generate",
        "from_edges", "solve_batch", "explore")  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize(
    "names",
    [
        pytest.param(CPU, id="cpu"),
        pytest.param(EMULATED, id="emulated", marks=pytest.mark.slow),
        pytest.param(REST, id="rest"),
    ],
)
def test_every_limit_is_met_or_told(names):
    program = Path(__file__).with_name("little_memory.py")
    run = subprocess.run(
        [sys.executable, program, "--short", *names], capture_output=True, text=True, check=True, timeout=300
    )
    outcomes = json.loads(run.stdout)
    assert len(outcomes) >= len(names)
    for name, of_job in outcomes.items():
        assert set(of_job.values()) <= {"done", "refused"}, (name, of_job)
        assert "done" in of_job.values(), name


def test_whatever_says_that_memory_has_ended_is_told():
    @memory_errors
    def fails(error: Exception) -> None:
        raise error

    for error in (
        MemoryError("std::bad_alloc"),
        OSError(errno.ENOMEM, "Cannot allocate memory"),
        ImportError("x.so: failed to map segment from shared object"),
        RuntimeError("can't start new thread"),
    ):
        with pytest.raises(apsp.MemoryLimitError, match=r"during the run: .* What would fit: "):
            fails(error)
    for other in (OSError(errno.ENOENT, "no"), ImportError("no module"), apsp.GraphError("wrong")):
        assert not is_lack_of_memory(other)
        with pytest.raises(type(other)):
            fails(other)


def test_the_bytes_that_numpy_asked_for_are_told():
    @memory_errors
    def fails() -> None:
        np.empty((1 << 40, 1 << 20), np.uint8)

    with pytest.raises(apsp.MemoryLimitError, match="Unable to allocate") as raised:
        fails()
    assert raised.value.needed == 1 << 60


def test_a_generator_that_lacks_memory_tells_it():
    @memory_errors
    def numbers():
        yield 1
        raise MemoryError

    stream = numbers()
    assert next(stream) == 1
    with pytest.raises(apsp.MemoryLimitError):
        next(stream)
