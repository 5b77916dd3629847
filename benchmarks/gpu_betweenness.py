"""Betweenness in hops on one GPU: python -m benchmarks.gpu_betweenness [--quick] [--write FILE] [--caida FILE].

Whole calls, with the arcs copied to the GPU and the sums to the host: the median of five after one that is not counted.
The values from some sources must be those of the CPU, and those of all be the same every time.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

import apsp
from benchmarks.betweenness import collaboration, random_graph
from benchmarks.gpu_run import arguments, document, host_seconds, write

ROUNDS, SAMPLED = 5, 500


def graphs(quick: bool, caida: Path | None) -> Iterator[tuple[str, apsp.Graph]]:
    """What, and the graph."""
    yield "random, m = 4n", random_graph(4096, 4 * 4096)
    if quick:
        return
    yield "collaboration", collaboration(16_000, 1)
    if caida is not None:
        yield "AS graph of CAIDA 2007", apsp.read(caida).unweighted()
    yield "R-MAT, m = 8n", apsp.generate("rmat", 65_536, weights=None, seed=1)
    yield "grid", apsp.generate("grid", 65_536, weights=None)


def of_graph(what: str, graph: apsp.Graph) -> Iterator[dict[str, Any]]:
    """A row for vertices, and one for arcs."""
    works: dict[str, Callable[..., Any]] = {
        "vertices": apsp.betweenness_centrality,
        "arcs": apsp.edge_betweenness_centrality,
    }
    sources = np.sort(np.random.default_rng(0).choice(graph.n, SAMPLED, replace=False))
    for wanted, function in works.items():
        some = function(graph, sources=graph.labels.take(sources), device="cuda")
        expected = function(graph, sources=graph.labels.take(sources), device="cpu")
        np.testing.assert_allclose(some, expected, rtol=1e-11, atol=1e-12 * expected.max())
        first = function(graph, device="cuda")
        np.testing.assert_array_equal(function(graph, device="cuda"), first)
        times = host_seconds(partial(function, graph, device="cuda"), ROUNDS)
        yield {
            "what": what, "n": graph.n, "m": graph.m, "kind": wanted,
            "milliseconds": statistics.median(times) * 1e3, "spread": [min(times) * 1e3, max(times) * 1e3],
            "verified": True,
        }  # fmt: skip


def main() -> None:
    """Run everything, print a table, and write JSON if requested."""
    options = arguments("gpu_betweenness", __doc__, caida="edge list of the AS graph of CAIDA 2007")
    rows: list[dict[str, Any]] = []
    results = document("gpu_betweenness", rows)
    for case in graphs(options.quick, options.caida):
        for row in of_graph(*case):
            rows.append(row)
            words = f"{row['what']:24} n = {row['n']:7,} m = {row['m']:9,} {row['kind']:9}"
            print(f"{words} {row['milliseconds']:9.1f} ms", flush=True)
        write(options.write, results)


if __name__ == "__main__":
    main()
