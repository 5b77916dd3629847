"""Sources shared between GPUs: python -m benchmarks.gpu_sources [--quick] [--write FILE] [--roads FILE].

Closeness of all vertices, and all distances into a host array, on the first GPU and on all of them. Sums of
integers must be the same to the last bit, and so must sampled rows beside Dijkstra's method on the CPU. The roads are
those of New York, as in benchmarks.elimination; every run computes the factor again.
"""

from __future__ import annotations

import statistics
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import apsp
from apsp.gpu import jit
from benchmarks.elimination import forget_order, new_york
from benchmarks.gpu_run import arguments, document, host_seconds, write

ROUNDS = 3


class Case(NamedTuple):
    """A graph, its method, whether all distances are computed, and whether the order of elimination is kept."""

    what: str
    graph: apsp.Graph
    method: str = "auto"
    dtype: str = "uint16"
    whole: bool = False
    ordered: bool = False


def cases(quick: bool, roads: Path | None) -> Iterator[Case]:
    """The inputs."""
    scale = 16 if quick else 1
    rmat, random = apsp.generate("rmat", 65_536 // scale, seed=1), apsp.generate("random", 100_000 // scale, seed=1)
    yield Case("R-MAT, m = 8n, closeness", rmat)
    yield Case("R-MAT, m = 8n, hops, closeness", rmat.unweighted())
    yield Case("random, m = 4n, closeness", random)
    yield Case("R-MAT, m = 8n, distances to the host", rmat, whole=True)
    city = None if quick else new_york(roads)
    if city is None:
        print(f"roads of New York: not run: {'too large' if quick else 'the file is not there'}")
    else:
        yield Case("New York, closeness", city, "elimination", "int32")
        yield Case("New York, closeness, ordered before", city, "elimination", "int32", ordered=True)


def run(case: Case, device: str, expected: Any) -> tuple[list[float], Any]:
    """Seconds, and the result, which must be equal to that of one GPU."""
    graph = case.graph
    options: dict[str, Any] = {"device": device, "method": case.method, "dtype": case.dtype}
    out = np.empty((graph.n, graph.n), dtype=case.dtype) if case.whole else None

    def work() -> Any:
        if not case.ordered:
            forget_order(graph)
        if out is not None:
            return apsp.solve(graph, out=out, **options).distances
        return apsp.closeness_centrality(graph, direction="out", **options)

    times = host_seconds(work, ROUNDS)
    found = work()
    if case.whole:
        rows = np.random.default_rng(0).integers(0, graph.n, 8)
        found = found[rows]
        expected = apsp.solve(graph, sources=rows, dtype=case.dtype, device="cpu", method="dijkstra").distances
    if expected is not None:
        np.testing.assert_array_equal(found, expected)
    return times, found


def main() -> None:
    """Run everything, print a table, and write JSON if requested."""
    options = arguments("gpu_sources", __doc__, roads="NY.topology.tw.gr.xz, where it lies elsewhere")
    count = int(jit.cupy().cuda.runtime.getDeviceCount())
    rows: list[dict[str, Any]] = []
    results = document("gpu_sources", rows, gpus=count)
    for case in cases(options.quick, options.roads):
        found: Any = None
        for devices in sorted({1, count}):
            device = "cuda:" + ",".join(map(str, range(devices)))
            times, found = run(case, device, found)
            seconds = statistics.median(times)
            rows.append({
                "what": case.what, "n": case.graph.n, "m": case.graph.m, "gpus": devices, "milliseconds": seconds * 1e3,
                "spread": [min(times) * 1e3, max(times) * 1e3], "verified": True,
            })  # fmt: skip
            print(f"{case.what:40} n = {case.graph.n:7,} {devices} GPUs {seconds * 1e3:10.2f} ms", flush=True)
        write(options.write, results)


if __name__ == "__main__":
    main()
