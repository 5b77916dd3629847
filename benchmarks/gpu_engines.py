"""Stores and engines whose rows GPUs compute: python -m benchmarks.gpu_engines [--quick] [--write FILE].

All distances of a city into a store on the local disk, beside the rows alone, which stay on the GPU; closeness of a
large city by processes with a GPU each, beside one call on the first GPU. The processes are running, and they and the
call have seen the graph before. On one GPU, also the closeness of half of the vertices, which is what each of two
processes would compute. Sums must be equal to the last bit, and sampled rows to those of the CPU.
"""

from __future__ import annotations

import multiprocessing
import shutil
import statistics
import tempfile
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np

import apsp
from apsp.gpu import jit
from benchmarks.gpu_run import arguments, document, host_seconds, write

ROUNDS = 3
ROUNDS_OF_LARGE = 2


def timed(
    rows: list[dict[str, Any]],
    what: str,
    graph: apsp.Graph,
    gpus: int,
    work: Callable[[], object],
    rounds: int = ROUNDS,
) -> None:
    """Measure, print and keep a row."""
    times = host_seconds(work, rounds)
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
        timed(rows, "city, rows on the GPU", city, 1, alone)
        timed(rows, "city, rows into a store", city, 1, solved)


def spread(rows: list[dict[str, Any]], n: int) -> None:
    """Closeness by processes."""
    city = apsp.generate("city", n, seed=1)
    gpus = int(jit.cupy().cuda.runtime.getDeviceCount())

    def closeness(vertices: Any = None, **where: Any) -> Any:
        return apsp.closeness_centrality(city, vertices=vertices, method="elimination", **where)

    expected: Any = None

    def alone() -> None:
        nonlocal expected
        expected = closeness(device="cuda:0")

    timed(rows, "city, closeness", city, 1, alone, ROUNDS_OF_LARGE)
    with ProcessPoolExecutor(gpus, mp_context=multiprocessing.get_context("spawn")) as pool:

        def spread_over_all() -> None:
            np.testing.assert_array_equal(closeness(device="cuda", executor=pool), expected)

        def half_of_it() -> None:
            found = closeness(np.arange(n // 2), device="cuda", executor=pool)
            np.testing.assert_array_equal(found, expected[: n // 2])

        timed(rows, "city, closeness, a process per GPU", city, gpus, spread_over_all, ROUNDS_OF_LARGE)
        if gpus == 1:
            timed(rows, "city, closeness of half, one process", city, 1, half_of_it, ROUNDS_OF_LARGE)


def main() -> None:
    """Run everything, print a table, and write JSON if requested."""
    options = arguments("gpu_engines", __doc__)
    rows: list[dict[str, Any]] = []
    for part, n in ((spread, 1_000_000), (stored, 60_000)):
        part(rows, 3_000 if options.quick else n)
        write(options.write, document("gpu_engines", rows))


if __name__ == "__main__":
    main()
