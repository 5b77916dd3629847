"""Elimination: all pairs of grids and roads beside NetworKit's and SciPy's Dijkstra; an oracle of New York's roads.

The roads are read from NY.topology.tw.gr.xz (the road graph of New York of the 9th DIMACS challenge, as converted for
PACE 2016: 264,346 vertices, 365,050 edges, no lengths) in shared/data/roads beside the repository, if there is such a
folder; edge lengths are 1 to 1,000 from a fixed seed.
"""

from __future__ import annotations

import functools
import itertools
import lzma
import statistics
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

import apsp
from apsp.graph.arc_positions import arcs_between
from benchmarks.harness import ROOT, Comparison
from benchmarks.sparse import networkit_apsp, same_distances


def new_york(path: Path | None = None) -> apsp.Graph | None:
    """The roads, from a file or from its usual place; None if it does not exist."""
    places = [folder / "shared" / "data" / "roads" / "NY.topology.tw.gr.xz" for folder in ROOT.parents[:2]]
    path = path or next((place for place in places if place.exists()), None)
    if path is None:
        return None
    with lzma.open(path, "rt") as file:
        _, _, n, _ = file.readline().split()
        ends = np.loadtxt(file, dtype=np.int64) - 1
    lengths = np.random.default_rng(1).integers(1, 1001, len(ends)).astype(np.int32)
    return apsp.from_edges(ends[:, 0], ends[:, 1], lengths, n=int(n), directed=False)


def fresh(graph: apsp.Graph) -> apsp.Graph:
    """The same graph, without the data that is stored with it."""
    return apsp.Graph(graph.indptr, graph.indices, graph.weights, directed=graph.directed)


def forget_order(graph: apsp.Graph) -> None:
    """Remove only the stored order of elimination."""
    graph.__dict__.pop("_elimination_tree", None)


def grids(quick: bool) -> Iterator[Comparison]:
    """A grid of streets: all pairs into an n x n matrix, ordering and factor included."""
    from scipy.sparse.csgraph import dijkstra

    side = 32 if quick else 128
    graph = apsp.generate("grid", side * side, seed=1, weights=(1, 1000))
    matrix = graph.to_scipy()
    networkit_run = networkit_apsp(graph)

    def agree(results: dict[str, Any]) -> None:
        rows = np.asarray(results["networkit APSP"].getDistances())
        same_distances({**results, "apsp elimination": results["apsp elimination"].distances, "networkit APSP": rows})

    yield Comparison(
        f"grid {side} x {side}, weighted",
        {
            "apsp": lambda: apsp.solve(fresh(graph), dtype="int32"),
            "apsp elimination": lambda: apsp.solve(fresh(graph), method="elimination", dtype="int32"),
            "networkit APSP": networkit_run,
            "scipy dijkstra": lambda: dijkstra(matrix),
        },
        agree,  # type: ignore[arg-type]
        {"networkit APSP": 25.0},
    )


def roads(quick: bool) -> Iterator[Comparison]:
    """New York: rows of distances to all its vertices, and times of an oracle."""
    from scipy.sparse.csgraph import dijkstra

    graph = new_york()
    if graph is None:
        print("roads of New York: not run: the file is not there")
        return
    rows = 64 if quick else 1024
    sources = np.random.default_rng(2).integers(0, graph.n, rows)
    matrix = graph.to_scipy()
    oracle = apsp.prepare(graph)

    def of_scipy() -> Any:
        some = max(rows // 32, 1)
        return dijkstra(matrix, indices=sources[:some])

    def agree(results: dict[str, Any]) -> None:
        some = results["scipy dijkstra, 1/32 of them"]
        np.testing.assert_array_equal(results["apsp oracle"][: len(some)], some)
        np.testing.assert_array_equal(results["apsp dijkstra-buckets"].distances, results["apsp oracle"])

    yield Comparison(
        f"New York, {rows:,} rows of {graph.n:,}",
        {
            "apsp oracle": lambda: oracle.rows(sources),
            "apsp dijkstra-buckets": lambda: apsp.solve(graph, sources=sources, method="dijkstra-buckets"),
            "scipy dijkstra, 1/32 of them": of_scipy,
        },
        agree,  # type: ignore[arg-type]
        facts=lambda _: oracle_facts(graph),
    )


def oracle_facts(graph: apsp.Graph) -> dict[str, Any]:
    """Seconds of preparing, of one distance, of a matrix, of other weights; the size."""
    facts: dict[str, Any] = {}

    def timed(name: str, run: Any) -> Any:
        started = time.perf_counter()
        result = run()
        facts[name] = round(time.perf_counter() - started, 6)
        return result

    again = fresh(graph)
    oracle = timed("prepare, s", lambda: apsp.prepare(again))
    pairs = np.random.default_rng(3).integers(0, graph.n, (2000, 2)).tolist()
    timed("2,000 distances, s", lambda: [oracle.distance(s, t) for s, t in pairs])
    many = np.random.default_rng(5).integers(0, graph.n, (2, 10**6))
    lengths = timed("1,000,000 pairs of vertices, s", lambda: oracle.distances(*many))
    oracle.path(0, 1)
    timed("2,000 paths one by one, s", lambda: [oracle.path(s, t) for s, t in pairs])
    timed("2,000 paths, s", lambda: oracle.paths(*zip(*pairs, strict=True)))
    timed("10,000 paths, steps of all values included, s", lambda: oracle.paths(*many[:, :10_000]))
    paths = timed("1,000,000 paths and their lengths, s", lambda: oracle.paths(*many))
    np.testing.assert_array_equal(paths.distances, lengths)
    facts["vertices of a path"] = round(len(paths.positions) / len(paths), 1)
    del paths
    some = np.random.default_rng(4).integers(0, graph.n, (2, 1000))
    timed("1,000 x 1,000 distances, s", lambda: oracle.matrix(*some))
    timed("sums over 16,384 rows, s", lambda: oracle.summary(sources=range(16_384)))
    assert graph.weights is not None
    timed("other weights, s", lambda: oracle.update(graph.weights + 1))
    few = few_others(graph)
    oracle.update(next(few))  # the first one of few weights computes all
    facts["100 other weights, s"] = statistics.median(
        seconds(functools.partial(oracle.update, weights)) for weights in itertools.islice(few, 5)
    )
    facts["MiB"] = round(oracle.nbytes / 2**20, 1)
    return facts


def few_others(graph: apsp.Graph) -> Iterator[npt.NDArray[Any]]:
    """Weights of which 100 arcs and their reverses differ from those before."""
    assert graph.weights is not None
    rng, weights, tails = np.random.default_rng(6), graph.weights + 1, graph.tails()
    while True:
        weights = weights.copy()
        arcs = rng.integers(0, graph.m, 100)
        back = arcs_between(graph.indptr, graph.indices, graph.indices[arcs], tails[arcs])
        once = ~np.isin(back, arcs)
        arcs, back = arcs[once], back[once]
        weights[arcs] = rng.permutation(weights[arcs])
        weights[back[back >= 0]] = weights[arcs[back >= 0]]
        yield weights


def seconds(run: Callable[[], object]) -> float:
    """Wall time."""
    started = time.perf_counter()
    run()
    return round(time.perf_counter() - started, 6)


def comparisons(quick: bool) -> Iterator[Comparison]:
    """All of them."""
    yield from grids(quick)
    yield from roads(quick)
