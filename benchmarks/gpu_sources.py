"""Sources shared between GPUs: python -m benchmarks.gpu_sources [--quick] [--write FILE].

Closeness of all vertices, and all distances into an array of the host, on the first GPU and on all of them. Sums of
integers must be the same to the last bit, and so must sampled rows beside Dijkstra's method on the CPU.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

import apsp
from apsp.cuda import jit
from benchmarks.gpu_run import arguments, document, host_seconds, write

ROUNDS = 3


def cases(quick: bool) -> Iterator[tuple[str, apsp.Graph, bool]]:
    """What, on which graph, and whether all distances are wanted."""
    scale = 16 if quick else 1
    rmat, random = apsp.generate("rmat", 65_536 // scale, seed=1), apsp.generate("random", 100_000 // scale, seed=1)
    yield "R-MAT, m = 8n, closeness", rmat, False
    yield "R-MAT, m = 8n, hops, closeness", rmat.unweighted(), False
    yield "random, m = 4n, closeness", random, False
    yield "R-MAT, m = 8n, distances to the host", rmat, True


def run(graph: apsp.Graph, device: str, whole: bool, expected: Any) -> tuple[list[float], Any]:
    """Seconds, and what came out, which must be as on one GPU."""
    out = np.empty((graph.n, graph.n), dtype=np.uint16) if whole else None
    work: Callable[[], Any] = lambda: apsp.closeness(graph, device=device, dtype="uint16")  # noqa: E731
    if whole:
        work = lambda: apsp.solve(graph, device=device, dtype="uint16", out=out).distances  # noqa: E731
    times = host_seconds(work, ROUNDS)
    found = work()
    if whole:
        rows = np.random.default_rng(0).integers(0, graph.n, 8)
        found = found[rows]
        expected = apsp.solve(graph, sources=rows, dtype="uint16", device="cpu", method="dijkstra").distances
    if expected is not None:
        np.testing.assert_array_equal(found, expected)
    return times, found


def main() -> None:
    """Run everything, print a table, write JSON where asked."""
    options = arguments("gpu_sources", __doc__)
    count = int(jit.cupy().cuda.runtime.getDeviceCount())
    rows: list[dict[str, Any]] = []
    results = document("gpu_sources", rows, gpus=count)
    for what, graph, whole in cases(options.quick):
        found: Any = None
        for devices in sorted({1, count}):
            device = "cuda:" + ",".join(map(str, range(devices)))
            times, found = run(graph, device, whole, found)
            seconds = statistics.median(times)
            rows.append({
                "what": what, "n": graph.n, "m": graph.m, "gpus": devices, "milliseconds": seconds * 1e3,
                "spread": [min(times) * 1e3, max(times) * 1e3], "verified": True,
            })  # fmt: skip
            print(f"{what:40} n = {graph.n:7,} {devices} GPUs {seconds * 1e3:10.2f} ms", flush=True)
        write(options.write, results)


if __name__ == "__main__":
    main()
