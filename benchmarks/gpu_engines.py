"""Engines and stores whose rows GPUs compute: python -m benchmarks.gpu_engines [--quick] [--write FILE].

Closeness of a large city by workers with a GPU each (a pool of processes, Dask, MPI), beside one call on the first GPU
and one on all of them. The workers are running, and they and the call have seen the graph before. On one GPU, also the
closeness of half of the vertices, which is what each of two workers would compute. The same by a new process: its first
call, one of an equal graph of which nothing is known, and one more; with and without compiled kernels on the disk. All
distances of a city into a store on the local disk, beside the rows alone, which stay on the GPU. Sums must be equal to
the last bit, and sampled rows to those of the CPU.
"""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import numpy as np

import apsp
from apsp.gpu import jit
from benchmarks.elimination import fresh
from benchmarks.executors import dask, digest, processes
from benchmarks.gpu_run import arguments, document, host_seconds, write
from benchmarks.spmd import ROOT, environment, mpiexec

ROUNDS = 3
ROUNDS_OF_LARGE = 2


def timed(
    rows: list[dict[str, Any]], what: str, graph: apsp.Graph, gpus: int, work: Callable[[], object],
    rounds: int = ROUNDS,
) -> None:  # fmt: skip
    """Measure, print and keep a row."""
    kept(rows, what, graph, gpus, host_seconds(work, rounds))


def kept(rows: list[dict[str, Any]], what: str, graph: apsp.Graph, gpus: int, times: list[float]) -> None:
    """Print and keep a row."""
    seconds = statistics.median(times)
    rows.append({
        "what": what, "n": graph.n, "m": graph.m, "gpus": gpus, "milliseconds": seconds * 1e3,
        "spread": [min(times) * 1e3, max(times) * 1e3], "verified": True,
    })  # fmt: skip
    print(f"{what:40} n = {graph.n:9,} {gpus} GPUs {seconds * 1e3:10.2f} ms", flush=True)


def stored(rows: list[dict[str, Any]], n: int) -> None:
    """All distances into a store."""
    city = apsp.generate("city", n, seed=1)
    named: dict[str, Any] = {"device": "cuda:0", "method": "elimination"}

    def alone() -> None:
        for _ in apsp.stream(city, reuse=True, **named):
            pass

    with tempfile.TemporaryDirectory(prefix="apsp-store-", dir=Path.cwd()) as folder:
        place = Path(folder) / "city.zarr"

        def solved() -> Any:
            shutil.rmtree(place, ignore_errors=True)
            return apsp.solve(city, store=place, **named)

        result = solved()
        sample = np.random.default_rng(0).integers(0, n, 16)
        expected = apsp.solve(city, sources=sample, device="cpu", method="dijkstra").distances
        np.testing.assert_array_equal(result.distances[sample], expected)
        timed(rows, "rows on the GPU", city, 1, alone)
        timed(rows, "rows into a store", city, 1, solved)


def spread(rows: list[dict[str, Any]], n: int) -> None:
    """Closeness by the workers of each engine."""
    city = apsp.generate("city", n, seed=1)
    gpus = int(jit.cupy().cuda.runtime.getDeviceCount())
    found: dict[str, Any] = {}
    if importlib.util.find_spec("mpi4py") and shutil.which("mpiexec"):  # first: as if alone on the machine
        command = [*mpiexec(gpus + 1), "-m", "mpi4py.futures", "-m", "benchmarks.gpu_engines", "--ranks", str(n)]
        found = answered(command)
    expected = closeness(city, device="cuda:0")
    timed(rows, "closeness", city, 1, lambda: closeness(city, device="cuda:0"), ROUNDS_OF_LARGE)
    if gpus > 1:
        every = ",".join(map(str, range(gpus)))

        def in_one() -> None:
            np.testing.assert_array_equal(closeness(city, device=f"cuda:{every}"), expected)

        timed(rows, "closeness, one process", city, gpus, in_one, ROUNDS_OF_LARGE)
    for name, begin in {"pool": processes, "Dask": dask}.items():
        if name == "Dask" and importlib.util.find_spec("distributed") is None:
            continue
        with ExitStack() as stack:
            engine = begin(gpus, stack)

            def spread_over_all(engine: Any = engine) -> None:
                np.testing.assert_array_equal(closeness(city, device="cuda", executor=engine), expected)

            def half_of_it(engine: Any = engine) -> None:
                found = closeness(city, np.arange(n // 2), device="cuda", executor=engine)
                np.testing.assert_array_equal(found, expected[: n // 2])

            timed(rows, f"closeness, {name}", city, gpus, spread_over_all, ROUNDS_OF_LARGE)
            if gpus == 1 and name == "pool":
                timed(rows, "closeness of half, pool", city, 1, half_of_it, ROUNDS_OF_LARGE)
    if found:
        assert found["digest"] == digest(expected)
        kept(rows, "closeness, MPI", city, gpus, found["times"])


def closeness(city: apsp.Graph, vertices: Any = None, **where: Any) -> Any:
    """The values of all vertices, or of some."""
    return apsp.closeness_centrality(city, vertices=vertices, method="elimination", **where)


def ranks(n: int) -> None:
    """The rank of MPI that calls."""
    from mpi4py.futures import MPIPoolExecutor

    city, values = apsp.generate("city", n, seed=1), None

    def call() -> None:
        nonlocal values
        values = closeness(city, device="cuda", executor=executor)

    with MPIPoolExecutor() as executor:
        times = host_seconds(call, ROUNDS_OF_LARGE)
    print(json.dumps({"times": times, "digest": digest(values)}), flush=True)


def answered(command: list[str]) -> dict[str, Any]:
    """What a program prints in its last line, as JSON."""
    done = subprocess.run(command, cwd=ROOT, env=environment(), stdout=subprocess.PIPE, text=True, check=True)
    return {**json.loads(done.stdout.splitlines()[-1])}


# -- first calls ------------------------------------------------------------------------------------------------------


def first_calls(rows: list[dict[str, Any]], n: int) -> None:
    """Calls of a new process, whose kernels are compiled by the first and loaded by those of later processes."""
    city = apsp.generate("city", n, seed=1)
    command = [sys.executable, "-m", "benchmarks.gpu_engines", "--calls", str(n)]
    with tempfile.TemporaryDirectory(prefix="apsp-kernels-") as folder:
        times = [answered([*command, "--kernels", folder])["times"] for _ in range(1 + ROUNDS)]
    for call, words in enumerate(("first call", "equal graph again", "same graph again")):
        kept(rows, f"{words}, no kernels compiled", city, 1, [times[0][call]])
        kept(rows, f"{words}, kernels compiled", city, 1, [each[call] for each in times[1:]])


def calls(n: int) -> None:
    """The first call of this process, one of an equal graph, and one more of this graph."""
    city, times, found = apsp.generate("city", n, seed=1), [], []
    again = fresh(city)
    for graph in (city, again, again):
        started = time.perf_counter()
        found.append(closeness(graph, device="cuda:0"))
        times.append(time.perf_counter() - started)
    assert len(set(map(digest, found))) == 1
    print(json.dumps({"times": times}), flush=True)


def main() -> None:
    """Run everything, print a table, and write JSON if requested; or be a process of it."""
    if "--ranks" in sys.argv:
        return ranks(int(sys.argv[-1]))
    if "--calls" in sys.argv:
        os.environ["CUPY_CACHE_DIR"] = sys.argv[-1]
        return calls(int(sys.argv[sys.argv.index("--calls") + 1]))
    options = arguments("gpu_engines", __doc__)
    rows: list[dict[str, Any]] = []
    # First calls come first: this process does not yet have memory of the GPU.
    for part, n in ((first_calls, 1_000_000), (spread, 1_000_000), (stored, 60_000)):
        part(rows, 3_000 if options.quick else n)
        write(options.write, document("gpu_engines", rows))
    return None


if __name__ == "__main__":
    main()
