"""Sparse graphs on one GPU: python -m benchmarks.gpu_sparse [--quick] [--write FILE] [--caida FILE].

From the graph in host memory to all n x n distances on the device, by the methods that are named: a whole call of
`apsp.solve` with device='cuda', the median of five after one that is not counted (it compiles, and the statistics are
stored with the graph). Closeness is streamed: n x n is never stored. Before it is timed, every method's result is
compared with Dijkstra's method on the CPU in sampled rows, to the last bit.

cuGraph, if it is installed, has no all-pairs call: its single-source search is timed for some sources, and scaled.
"""

from __future__ import annotations

import importlib.util
import statistics
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import apsp
from apsp.gpu import jit
from benchmarks.gpu_run import arguments, document, host_seconds, write

ROUNDS, SAMPLED = 5, 8


class Case(NamedTuple):
    """A graph, the methods to solve it, and whether only closeness is computed."""

    what: str
    graph: apsp.Graph
    dtype: str
    methods: tuple[str, ...]
    closeness: bool = False


def cases(quick: bool, caida: Path | None) -> Iterator[Case]:
    """The inputs, small ones first."""
    scale = 16 if quick else 1
    both = ("label-correcting", "floyd-warshall")
    for n in (4_677 // scale, 16_384 // scale):
        graph = apsp.generate("random", n, seed=1)
        yield Case("random, m = 4n", graph, "int32", both)
        yield Case("random, m = 4n, hops", graph.unweighted(), "int32", ("bit-bfs", "label-correcting"))
    yield Case("grid", apsp.generate("grid", 16_384 // scale, seed=1), "int32", both)
    yield Case("ring", apsp.generate("ring", 4_096 // scale, seed=1), "int32", both)
    yield Case("ring", apsp.generate("ring", 65_536 // scale, seed=1), "int32", ("label-correcting",))
    if caida is not None:
        labelled = apsp.read(caida)
        internet = apsp.Graph(labelled.indptr, labelled.indices, directed=labelled.directed)
        yield Case("AS graph of CAIDA 2007, hops", internet, "int32", ("bit-bfs", "label-correcting"))
    graph = apsp.generate("rmat", 65_536 // scale, seed=1)
    yield Case("R-MAT, m = 8n", graph, "int32", ("label-correcting",))
    yield Case("R-MAT, m = 8n, hops", graph.unweighted(), "int32", ("bit-bfs", "label-correcting"))
    graph = apsp.generate("random", 100_000 // scale, seed=1)
    yield Case("random, m = 4n, closeness", graph, "uint16", ("label-correcting",), closeness=True)


def run(case: Case, method: str) -> dict[str, Any]:
    """One row: verified, timed."""
    options: dict[str, Any] = {"method": method, "device": "cuda", "dtype": case.dtype}
    sources = np.random.default_rng(0).integers(0, case.graph.n, SAMPLED).tolist()
    expected = apsp.solve(case.graph, sources=sources, method="dijkstra", device="cpu", dtype=case.dtype)
    work: Callable[[], Any]
    if case.closeness:
        found = apsp.closeness_centrality(case.graph, direction="out", **options)[sources]
        reached = expected.distances != apsp.unreachable(case.dtype)
        sums = np.where(reached, expected.distances, 0).sum(axis=1, dtype=np.int64)
        counts = reached.sum(axis=1) - 1
        np.testing.assert_allclose(found, counts / sums * (counts / (case.graph.n - 1)), rtol=1e-15)
        work = lambda: apsp.closeness_centrality(case.graph, direction="out", **options)  # noqa: E731
    else:
        rows = apsp.solve(case.graph, **options).distances[sources].get()
        np.testing.assert_array_equal(rows, expected.distances)
        work = lambda: apsp.solve(case.graph, **options)  # noqa: E731
    times = host_seconds(work, ROUNDS)
    return row_of(case, method, times)


def row_of(case: Case, method: str, times: list[float]) -> dict[str, Any]:
    """As it is written to the file."""
    seconds, n, m = statistics.median(times), case.graph.n, case.graph.m
    return {
        "what": case.what, "n": n, "m": m, "method": method, "kind": case.dtype, "milliseconds": seconds * 1e3,
        "spread": [min(times) * 1e3, max(times) * 1e3], "sources x arcs/s": n * m / seconds, "verified": True,
    }  # fmt: skip


def cugraph(case: Case) -> dict[str, Any]:
    """Its single-source searches from some sources, scaled to all; or why it did not run."""
    if importlib.util.find_spec("cugraph") is None:
        return {"what": case.what, "n": case.graph.n, "contestant": "cuGraph", "not run": "it is not installed"}
    import cudf  # type: ignore[import-not-found]
    import cugraph as peer  # type: ignore[import-not-found]

    graph = case.graph
    arcs = cudf.DataFrame({"u": graph.tails(), "v": graph.indices, "w": graph.arc_weights("float32")})
    built = peer.Graph(directed=True)
    built.from_cudf_edgelist(arcs, source="u", destination="v", edge_attr="w")
    search = peer.bfs if not graph.is_weighted else peer.sssp
    sources = list(range(0, graph.n, max(graph.n // 50, 1)))
    search(built, sources[0])
    jit.cupy().cuda.Device().synchronize()
    started = time.perf_counter()
    for source in sources:
        search(built, source)
    jit.cupy().cuda.Device().synchronize()
    seconds = (time.perf_counter() - started) * graph.n / len(sources)
    return row_of(case, f"cuGraph, {len(sources)} sources, scaled", [seconds])


def main() -> None:
    """Run everything, print a table, and write JSON if requested."""
    options = arguments("gpu_sparse", __doc__, caida="AS relationships of 5 November 2007")
    rows: list[dict[str, Any]] = []
    results = document("gpu_sparse", rows)
    for case in cases(options.quick, options.caida):
        for result in (*(run(case, method) for method in case.methods), cugraph(case)):
            rows.append(result)
            if "not run" in result:
                continue
            rate = result["sources x arcs/s"] / 1e9
            print(
                f"{case.what:30} n = {case.graph.n:7,} {result['method']:18} {case.dtype:7} "
                f"{result['milliseconds']:10.2f} ms {rate:8.1f} G sources x arcs/s",
                flush=True,
            )
        write(options.write, results)


if __name__ == "__main__":
    main()
