"""Stores and engines whose rows GPUs compute: python -m benchmarks.gpu_engines [--quick] [--write FILE].

All distances of a city into a store on the local disk, beside the rows alone; closeness of a large city by processes
with a GPU each, beside one call on the first GPU. The order of elimination is computed before, and the processes are
started in the measured time. Sums must be equal to the last bit, and sampled rows to those of the CPU.
"""

from __future__ import annotations

import shutil
import statistics
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import apsp
from apsp.gpu import jit
from benchmarks.gpu_run import arguments, document, host_seconds, write

ROUNDS = 3


def timed(rows: list[dict[str, Any]], what: str, graph: apsp.Graph, gpus: int, work: Callable[[], object]) -> float:
    """Measure, print and keep a row; return the seconds."""
    times = host_seconds(work, ROUNDS)
    seconds = statistics.median(times)
    rows.append({
        "what": what, "n": graph.n, "m": graph.m, "gpus": gpus, "milliseconds": seconds * 1e3,
        "spread": [min(times) * 1e3, max(times) * 1e3], "verified": True,
    })  # fmt: skip
    print(f"{what:40} n = {graph.n:9,} {gpus} GPUs {seconds * 1e3:10.2f} ms", flush=True)
    return seconds


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
        timed(rows, "city, rows to the host", city, 1, alone)
        timed(rows, "city, rows into a store", city, 1, solved)


def spread(rows: list[dict[str, Any]], n: int) -> None:
    """Closeness by processes."""
    city = apsp.generate("city", n, seed=1)
    gpus = int(jit.cupy().cuda.runtime.getDeviceCount())
    named: dict[str, Any] = {"method": "elimination"}
    expected = apsp.closeness_centrality(city, device="cuda:0", **named)
    found = apsp.closeness_centrality(city, device="cuda", executor="processes", **named)
    np.testing.assert_array_equal(found, expected)
    timed(rows, "city, closeness", city, 1, lambda: apsp.closeness_centrality(city, device="cuda:0", **named))
    timed(
        rows, "city, closeness, a process per GPU", city, gpus,
        lambda: apsp.closeness_centrality(city, device="cuda", executor="processes", **named),
    )  # fmt: skip


def main() -> None:
    """Run everything, print a table, and write JSON if requested."""
    options = arguments("gpu_engines", __doc__)
    rows: list[dict[str, Any]] = []
    stored(rows, 3_000 if options.quick else 60_000)
    spread(rows, 3_000 if options.quick else 1_000_000)
    write(options.write, document("gpu_engines", rows))


if __name__ == "__main__":
    main()
