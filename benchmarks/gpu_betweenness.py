"""Betweenness and flows on one GPU.

python -m benchmarks.gpu_betweenness [--quick] [--write FILE] [--caida FILE] [--roads FILE].

In hops; and on the roads of New York (weights 1 to 1,000, see benchmarks.elimination) by elimination: betweenness, and
the flows of 5,000 origins and 5,000 destinations. The order of elimination is stored with the graph. Whole calls, with
the arcs copied to the GPU and the sums to the host: the median of five (of all New York: of two) after one that is not
counted. The values from some sources must be those of the CPU, and in hops those of all be the same every time.
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
from benchmarks.elimination import new_york
from benchmarks.gpu_run import arguments, document, host_seconds, write

ROUNDS, SAMPLED = 5, 500


def graphs(quick: bool, caida: Path | None) -> Iterator[tuple[str, apsp.Graph]]:
    """What, and the graph."""
    yield "random, m = 4n", random_graph(4096, 4 * 4096)
    if quick:
        return
    yield "collaboration", collaboration(16_706, 121_251)
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
        yield row_of(what, graph, wanted, partial(function, graph, device="cuda"), ROUNDS)


def of_roads(city: apsp.Graph) -> Iterator[dict[str, Any]]:
    """Rows for betweenness of all vertices and arcs, and for the flows of a demand."""
    rng = np.random.default_rng(0)
    sources = city.labels.take(np.sort(rng.choice(city.n, SAMPLED, replace=False)))
    for wanted, function in (
        ("vertices", apsp.betweenness_centrality), ("arcs", apsp.edge_betweenness_centrality)
    ):  # fmt: skip
        some, expected = (function(city, sources=sources, device=device) for device in ("cuda", "cpu"))
        np.testing.assert_allclose(some, expected, rtol=1e-11, atol=1e-12 * expected.max())
        yield row_of("New York", city, wanted, partial(function, city, device="cuda"), 2)
    origins, destinations = (city.labels.take(rng.choice(city.n, 5000, replace=False)) for _ in range(2))
    demand = rng.random((5000, 5000))
    load = partial(apsp.arc_flows, city, demand, sources=origins, targets=destinations)
    found, loaded = load(device="cuda"), load(device="cpu")
    np.testing.assert_allclose(found.arcs, loaded.arcs, rtol=1e-11, atol=1e-12 * loaded.arcs.max())
    np.testing.assert_allclose(found.served, loaded.served, rtol=1e-11)
    yield row_of("New York", city, "5,000 x 5,000 flows", partial(load, device="cuda"), ROUNDS)


def row_of(
    what: str, graph: apsp.Graph, wanted: str, work: Callable[[], Any], rounds: int
) -> dict[str, Any]:  # fmt: skip
    """A row with the median time."""
    times = host_seconds(work, rounds)
    return {
        "what": what, "n": graph.n, "m": graph.m, "kind": wanted,
        "milliseconds": statistics.median(times) * 1e3, "spread": [min(times) * 1e3, max(times) * 1e3],
        "verified": True,
    }  # fmt: skip


def main() -> None:
    """Run everything, print a table, and write JSON if requested."""
    options = arguments(
        "gpu_betweenness", __doc__, caida="edge list of the AS graph of CAIDA 2007",
        roads="NY.topology.tw.gr.xz, where it lies elsewhere",
    )  # fmt: skip
    rows: list[dict[str, Any]] = []
    results = document("gpu_betweenness", rows)

    def add(found: Iterator[dict[str, Any]]) -> None:
        for row in found:
            rows.append(row)
            words = f"{row['what']:24} n = {row['n']:7,} m = {row['m']:9,} {row['kind']:20}"
            print(f"{words} {row['milliseconds']:9.1f} ms", flush=True)
        write(options.write, results)

    for case in graphs(options.quick, options.caida):
        add(of_graph(*case))
    city = None if options.quick else new_york(options.roads)
    if city is not None:
        add(of_roads(city))
    elif not options.quick:
        print("roads of New York: not run: the file is not there")


if __name__ == "__main__":
    main()
