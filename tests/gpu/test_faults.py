"""A GPU that is too small, taken by others, or stopped in the middle: clear errors, and nothing is left behind."""

from __future__ import annotations

import gc
import json
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import apsp
from apsp.planning import attempts, planner
from apsp.system.array_device import to_host
from contract import GRAPHS, graph_of, random_edges

pytestmark = pytest.mark.gpu

GRAPH = graph_of(2000, random_edges(2000, 16_000, 1, 1000, 3), dtype="int32")


def held(cupy: Any) -> int:
    """Bytes of the device that CuPy's pool has taken."""
    return int(cupy.get_default_memory_pool().total_bytes())


def test_auto_takes_the_gpu_and_gives_its_memory_back(cupy: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    cpu = apsp.solve(GRAPH, device="cpu", method="floyd-warshall")
    cupy.get_default_memory_pool().free_all_blocks()
    before = held(cupy)
    monkeypatch.setattr(planner, "LOOK_FROM", 0.0)
    result = apsp.solve(GRAPH, method="floyd-warshall", threads=1)
    assert result.info["device"] == apsp.plan(GRAPH, method="floyd-warshall", threads=1).device
    assert isinstance(result.distances, np.ndarray)
    np.testing.assert_array_equal(result.distances, cpu.distances)
    assert held(cupy) <= before


def test_small_work_with_auto_stays_on_the_cpu(cupy: Any) -> None:
    assert apsp.solve(GRAPHS["several panels"]("int32")).info["device"] == "cpu"


@pytest.fixture
def full(cupy: Any) -> Iterator[Any]:
    """CuPy's pool, with room for 1 MiB more: no plan knows of that."""
    pool = cupy.get_default_memory_pool()
    gc.collect()
    pool.free_all_blocks()
    pool.set_limit(size=pool.used_bytes() + (1 << 20))
    yield pool
    pool.set_limit(size=0)


def test_memory_that_runs_out_during_the_work(full: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    before = full.used_bytes()
    monkeypatch.setattr(attempts, "_another_way", lambda *_: None)
    with pytest.raises(apsp.MemoryLimitError, match=r"GPU 0"):
        apsp.solve(GRAPH, method="floyd-warshall", device="cuda")
    assert full.used_bytes() == before
    assert full.total_bytes() <= before + (1 << 20)
    full.set_limit(size=0)
    assert apsp.solve(GRAPH, method="floyd-warshall", device="cuda").info["device"] == "cuda"


def test_memory_that_runs_out_is_tried_once_more_in_pages(full: Any) -> None:
    """Or, where there is too little even for them, the error says so."""
    before, result = full.used_bytes(), None
    try:
        result = apsp.solve(GRAPH, method="floyd-warshall", device="cuda")
    except apsp.MemoryLimitError as error:
        told = str(error)
    else:
        told = result.info["note"]
        assert result.info["matrix_in"] == "host"
        cpu = apsp.solve(GRAPH, method="floyd-warshall", device="cpu")
        np.testing.assert_array_equal(to_host(result.distances), cpu.distances)
    assert "GPU 0" in told
    del result
    gc.collect()
    assert full.used_bytes() == before


def test_a_limit_that_is_asked_for(cupy: Any) -> None:
    words = apsp.plan(GRAPH, device="cuda", gpu_memory="1GiB").explain()
    assert "GPU 0, " in words
    with pytest.raises(apsp.DeviceError, match=r"there is no GPU 99; there (is|are) 0 \("):
        apsp.solve(GRAPH, device="cuda:99")


HOLDER = """
import sys, cupy
free, _ = cupy.cuda.runtime.memGetInfo()
taken = cupy.cuda.alloc(free - (3 << 30)) if free > (4 << 30) else None
print("held", flush=True)
sys.stdin.readline()
"""


def test_another_process_holds_the_memory(cupy: Any) -> None:
    holder = subprocess.Popen([sys.executable, "-c", HOLDER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert holder.stdin is not None
    assert holder.stdout is not None
    try:
        assert holder.stdout.readline() == "held\n"
        large = apsp.Graph(np.zeros(60_001, dtype=np.int64), np.zeros(0, dtype=np.int32), np.zeros(0, dtype=np.int32))
        told, where = "", "device"
        try:
            where = apsp.plan(large, method="floyd-warshall", device="cuda", dtype="int32").matrix_in
        except apsp.MemoryLimitError as error:
            told = str(error)
        assert "other programs hold" in told or where == "host", "an error that says why, or pages"
    finally:
        holder.communicate("\n")


STOPPED = """
import json, sys
import numpy as np
import apsp, cupy

n = 45_000
graph = apsp.Graph(np.arange(n + 1), (np.arange(n) + 1) % n, np.ones(n, dtype=np.int32))
told = []
def report(stage, done, total):
    if not told:
        print("started", flush=True)
    told.append(done)
try:
    apsp.solve(graph, method="floyd-warshall", device="cuda", dtype="int32", progress=report)
except KeyboardInterrupt:
    left = cupy.get_default_memory_pool().total_bytes()
    print(json.dumps({"pivots": told[-1], "left": left}), flush=True)
    raise
"""


def test_ctrl_c_stops_the_work_and_frees_the_memory(cupy: Any) -> None:
    child = subprocess.Popen([sys.executable, "-c", STOPPED], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert child.stdout is not None
    assert child.stdout.readline() == "started\n"
    time.sleep(0.7)
    child.send_signal(signal.SIGINT)
    out, err = child.communicate(timeout=60)
    assert child.returncode in (-signal.SIGINT, 130), err
    told = json.loads(out)
    assert 0 < told["pivots"] < 45_000
    assert told["left"] < 1 << 20, "the matrix of 8 GB is freed"
