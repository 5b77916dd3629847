from __future__ import annotations

import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from apsp import _cpu
from apsp.errors import MethodRefusedError
from apsp.graph.convert import from_edges
from apsp.graph.model import Graph

METHODS = ("dijkstra", "dijkstra-buckets")


def grid(side: int, high: int, seed: int) -> Graph:
    rng = np.random.default_rng(seed)
    place = rng.permutation(side * side).reshape(side, side)
    tails = np.concatenate([place[:, :-1].ravel(), place[:-1].ravel()])
    heads = np.concatenate([place[:, 1:].ravel(), place[1:].ravel()])
    return from_edges(tails, heads, rng.integers(1, high + 1, len(tails)), n=side * side, directed=False)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("high", [1, 3, 1000, 4094, 4095, 5000, 10**6, 10**9])
def test_buckets_of_every_width(rows: Any, as_float: Any, scipy_distances: Any, method: str, high: int) -> None:
    for graph in (grid(15, high, high), from_edges([0, 1, 2, 2], [1, 2, 0, 3], [high, 1, 0, high], n=5)):
        expected = scipy_distances(graph)
        for dtype in ("int64", "float64"):
            np.testing.assert_array_equal(as_float(rows(graph, method, dtype)[0]), expected)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("scale", [1, 1000])
def test_the_ring_of_buckets_turns_in_order(rows: Any, method: str, scale: int) -> None:
    """A length of the next turn waits in the open word, before the open bucket; another one in a later word."""
    weights = np.array([70, 200, 4091, 1]) * scale
    graph = from_edges([0, 0, 1, 2], [1, 2, 3, 3], weights)
    dist, _ = rows(graph, method, "int32", sources=[0], targets=np.array([3], dtype=np.int32), pred=False)
    assert dist[0, 0] == 201 * scale


@pytest.mark.parametrize("method", METHODS)
def test_skewed_floats(rows: Any, scipy_distances: Any, method: str) -> None:
    rng = np.random.default_rng(5)
    weights = 10.0 ** rng.uniform(-12, 12, 900)
    graph = from_edges(rng.integers(0, 150, 900), rng.integers(0, 150, 900), weights, n=150)
    np.testing.assert_array_equal(rows(graph, method, "float64")[0], scipy_distances(graph))
    tiny = graph._with(weights=np.full(graph.m, 5e-324))
    dist = rows(tiny, method, "float64")[0]
    hops = rows(graph.unweighted(), "bfs", "int64")[0]
    finite = np.isfinite(dist)
    np.testing.assert_array_equal(dist[finite] / 5e-324, hops[finite])


@pytest.mark.parametrize("method", METHODS)
def test_negative_arcs_are_refused(rows: Any, method: str) -> None:
    with pytest.raises(MethodRefusedError, match="negative arcs"):
        rows(from_edges([0], [1], [-1]), method, "int32")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"indptr": np.array([0, 2, 1], dtype=np.int64)}, "indptr"),
        ({"indptr": np.array([0, 3, 2], dtype=np.int64)}, "indptr must never fall"),
        ({"indices": np.array([1, 2], dtype=np.int32)}, "vertex 2"),
        ({"weights": np.array([1, -1], dtype=np.int32)}, "shorter than zero"),
        ({"weights": np.array([1], dtype=np.int32)}, "weights must have 2"),
        ({"sources": np.array([2], dtype=np.int32)}, "sources: vertex 2"),
        ({"targets": np.array([-1, 0], dtype=np.int32)}, "targets: vertex -1"),
        ({"dist": np.empty((1, 3), dtype=np.int32)}, "dist must have shape"),
        ({"dist": np.empty((1, 4), dtype=np.int32)[:, ::2]}, "contiguous rows"),
        ({"pred": np.empty((2, 2), dtype=np.int32)}, "pred must have shape"),
        ({"zones": np.zeros(3, dtype=bool)}, "zones must have 2"),
    ],
)
@pytest.mark.parametrize("kernel", [_cpu.dijkstra_rows, _cpu.bucket_rows])
def test_kernels_refuse_what_is_no_graph(kernel: Any, change: dict[str, Any], message: str) -> None:
    arguments: dict[str, Any] = {
        "indptr": np.array([0, 1, 2], dtype=np.int64),
        "indices": np.array([1, 0], dtype=np.int32),
        "weights": np.array([1, 2], dtype=np.int32),
        "sources": np.array([0], dtype=np.int32),
        "dist": np.empty((1, 2), dtype=np.int32),
    }

    def run(indptr: Any, indices: Any, weights: Any, zones: Any = None, **rows: Any) -> None:
        kernel(_cpu.ArcArrays(indptr, indices, weights, zones), _cpu.RowArrays(**rows))

    run(**arguments)
    with pytest.raises(ValueError, match=message):
        run(**{**arguments, **change})


def test_kernels_never_write_into_a_copy() -> None:
    arcs = _cpu.ArcArrays(np.zeros(2, dtype=np.int64), np.empty(0, dtype=np.int32), np.empty(0, dtype=np.int32))
    sources = np.array([0], dtype=np.int32)
    with pytest.raises(ValueError, match="the same dtype"):
        _cpu.dijkstra_rows(arcs, _cpu.RowArrays(sources, np.empty((1, 1), dtype=np.float64)))
    with pytest.raises(TypeError):
        _cpu.RowArrays(sources.astype(np.int64), np.empty((1, 1), dtype=np.int32))
    frozen = np.empty((1, 1), dtype=np.int32)
    frozen.flags.writeable = False
    with pytest.raises(TypeError):
        _cpu.RowArrays(sources, frozen)


@pytest.mark.few(1)
@pytest.mark.parametrize("method", METHODS)
def test_targets_stop_the_search_early(rows: Any, method: str) -> None:
    graph = grid(150, 100, 1)
    near = np.array([int(graph.indices[0])], dtype=np.int32)
    started = time.thread_time()
    few = rows(graph, method, "int32", sources=np.zeros(300), pred=False, targets=near, threads=1)[0]
    early = time.thread_time() - started
    started = time.thread_time()
    all_ = rows(graph, method, "int32", sources=np.zeros(300), pred=False, threads=1)[0]
    assert early < 0.5 * (time.thread_time() - started)
    np.testing.assert_array_equal(few[:, 0], all_[:, near[0]])


def thread_count() -> int:
    return len(list(Path("/proc/self/task").iterdir()))


@pytest.mark.few(1)
@pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="counts threads in /proc")
@pytest.mark.parametrize("threads", [1, 3])
def test_threads_are_obeyed_and_leave(rows: Any, threads: int) -> None:
    graph = grid(60, 100, 2)
    most, running = 0, True

    def watch() -> None:
        nonlocal most
        while running:
            most = max(most, thread_count())
            time.sleep(0.001)

    before = thread_count()
    watcher = threading.Thread(target=watch)
    watcher.start()
    rows(graph, "dijkstra", "int32", threads=threads)
    running = False
    watcher.join()
    assert most <= before + threads + 1  # the watcher, and the team: the leader is one of it
    patience = time.monotonic() + 2  # a joined thread stays in /proc for a moment
    while thread_count() > before and time.monotonic() < patience:
        time.sleep(0.01)
    assert thread_count() <= before


INTERRUPTED = """
import sys, numpy as np
from apsp.graph.convert import from_edges
from apsp.methods import registry
from apsp.methods.problem import Problem

n, method = 40_000, sys.argv[1]
rng = np.random.default_rng(1)
tails, heads = rng.integers(0, n, 10 * n), rng.integers(0, n, 10 * n)
weights = None if method in ("bfs", "bit-bfs") else rng.integers(1, 1000, 10 * n)
graph = from_edges(tails, heads, weights, n=n)
solver = registry.prepare(registry.get(method))(Problem(graph, np.dtype(np.uint16), threads=2))
dist = np.empty((3000, n), dtype=np.uint16)
print("ready", flush=True)
try:
    while True:
        solver.fill(np.arange(3000, dtype=np.int32), dist, None)
except KeyboardInterrupt:
    print("stopped", flush=True)
"""


@pytest.mark.few(1)
@pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals")
@pytest.mark.parametrize("method", ["dijkstra", "dijkstra-buckets", "johnson", "label-correcting", "bfs", "bit-bfs"])
def test_an_interrupt_stops_the_work(method: str) -> None:
    with subprocess.Popen([sys.executable, "-c", INTERRUPTED, method], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=60)  # the work itself has no end
        assert (process.returncode, out) == (0, "stopped\n")
