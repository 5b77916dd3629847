"""The k nearest vertices on one GPU: python -m benchmarks.gpu_nearest [--quick] [--write FILE].

Of all vertices of a graph, streamed: the median of five whole calls after one that is not counted, beside closeness,
which computes the same rows and sums them up. Sampled rows must be those of the CPU to the last bit. Then for a block
of random distances on the GPU, including the copy of the result to the host: bytes of the block per second.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np

import apsp
from apsp.gpu import jit
from apsp.reductions.kernels.nearest import nearest
from benchmarks.gpu_run import arguments, document, host_seconds, write

ROUNDS, SAMPLED = 5, 64


def graphs(quick: bool) -> Iterator[tuple[str, apsp.Graph, str, str]]:
    """What, the graph, the dtype and the method."""
    rmat = apsp.generate("rmat", 4096 if quick else 65_536, seed=1)
    yield "R-MAT, m = 8n", rmat, "uint16", "label-correcting"
    yield "R-MAT, m = 8n", rmat, "int32", "label-correcting"
    yield "R-MAT, m = 8n, hops", rmat.unweighted(), "uint16", "bit-bfs"


def of_graph(what: str, graph: apsp.Graph, dtype: str, method: str) -> Iterator[dict[str, Any]]:
    """A row for closeness, and one for each k."""
    options: dict[str, Any] = {"dtype": dtype, "method": method, "device": "cuda"}
    works: dict[str, Callable[[], Any]] = {
        "closeness": partial(apsp.closeness_centrality, graph, direction="out", **options)
    }
    sources = np.random.default_rng(0).choice(graph.n, SAMPLED, replace=False)
    for k in (10, 100):
        found = apsp.k_nearest(graph, k, **options)
        expected = apsp.k_nearest(graph, k, sources=np.sort(sources), dtype=dtype, device="cpu")
        np.testing.assert_array_equal(found.vertices[expected.sources], expected.vertices)
        np.testing.assert_array_equal(found.distances[expected.sources], expected.distances)
        works[f"{k} nearest"] = partial(apsp.k_nearest, graph, k, **options)
    for wanted, work in works.items():
        times = host_seconds(work, ROUNDS)
        yield {
            "what": what, "n": graph.n, "m": graph.m, "method": method, "kind": dtype, "wanted": wanted,
            "milliseconds": statistics.median(times) * 1e3, "spread": [min(times) * 1e3, max(times) * 1e3],
            "verified": wanted != "closeness",
        }  # fmt: skip


def of_blocks(quick: bool) -> Iterator[dict[str, Any]]:
    """A row for each dtype and k: rows of 65,536 distances."""
    for dtype in ("uint16", "int32", "float64"):
        for k in (10, 100, 1000):
            yield of_block(dtype, k, 1 << (26 if quick else 30))


def of_block(dtype: str, k: int, size: int, n: int = 65_536) -> dict[str, Any]:
    """Of so many bytes."""
    rows = size // (n * np.dtype(dtype).itemsize)
    dist = jit.cupy().random.default_rng(1).integers(0, 30_000, (rows, n)).astype(dtype)
    sources = np.arange(rows, dtype=np.int32)
    times = host_seconds(lambda: nearest(dist, sources, k), ROUNDS)
    seconds = statistics.median(times)
    return {
        "what": "a block of random distances", "n": n, "rows": rows, "kind": dtype, "wanted": f"{k} nearest",
        "milliseconds": seconds * 1e3, "spread": [min(times) * 1e3, max(times) * 1e3],
        "GB/s": dist.nbytes / seconds / 1e9,
    }  # fmt: skip


def main() -> None:
    """Run everything, print a table, and write JSON if requested."""
    options = arguments("gpu_nearest", __doc__)
    rows: list[dict[str, Any]] = []
    results = document("gpu_nearest", rows)
    every = (of_graph(*case) for case in graphs(options.quick))
    for some in (*every, of_blocks(options.quick)):
        for row in some:
            rows.append(row)
            rate = f"{row['GB/s']:8.0f} GB/s" if "GB/s" in row else ""
            print(
                f"{row['what']:30} n = {row['n']:7,} {row['kind']:8} {row['wanted']:14} {row['milliseconds']:9.2f} ms"
                f" {rate}",
                flush=True,
            )
        write(options.write, results)


if __name__ == "__main__":
    main()
