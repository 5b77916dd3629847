"""Flows of an origin-destination matrix on the arcs, beside trees of SciPy whose flows are added up level by level."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

import numpy as np

import apsp
from benchmarks.elimination import new_york
from benchmarks.harness import Comparison

__all__ = ["comparisons"]


def by_trees(graph: apsp.Graph, demand: np.ndarray, zones: np.ndarray, share: int) -> np.ndarray:
    """Dijkstra's method of SciPy with predecessors; from the deepest level up, a vertex passes its flow on."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import dijkstra

    matrix: Any = csr_array((graph.arc_weights(np.float64), graph.indices, graph.indptr), shape=(graph.n, graph.n))
    keys = graph.tails().astype(np.int64) * graph.n + graph.indices
    along = np.zeros(graph.m)
    for row in range(0, len(zones), share):
        _, parents = dijkstra(matrix, indices=zones[row], return_predecessors=True)
        has_parent = parents >= 0
        up = np.where(has_parent, parents, np.arange(graph.n))
        depth = has_parent.astype(np.int64)
        while has_parent[up].any():  # twice as many arcs per round
            depth, up = depth + depth[up], up[up]
        flow = np.zeros(graph.n)
        flow[zones] = demand[row]
        order = np.argsort(depth, kind="stable")
        for level in np.split(order, np.cumsum(np.bincount(depth))[:-1])[:0:-1]:
            np.add.at(flow, parents[level], flow[level])
        heads = np.flatnonzero(has_parent)
        along[np.searchsorted(keys, parents[heads].astype(np.int64) * graph.n + heads)] += flow[heads]
    return along


def same_length(graph: apsp.Graph, demand: np.ndarray, zones: np.ndarray, share: int) -> Callable[..., None]:
    """A check of total lengths, which are equal however ties are broken: of SciPy's sources, and of all sources."""

    def check(results: Mapping[str, Any]) -> None:
        weights = graph.arc_weights(np.float64)
        theirs = next(value for name, value in results.items() if name.startswith("scipy"))
        part = apsp.arc_flows(graph, demand[::share], sources=zones[::share], targets=zones)
        np.testing.assert_allclose(part.arcs @ weights, theirs @ weights, rtol=1e-12)
        totals = [value.arcs @ weights for name, value in results.items() if name.startswith("apsp")]
        np.testing.assert_allclose(totals, totals[0], rtol=1e-12)

    return check


def comparisons(quick: bool) -> Iterator[Comparison]:
    """A small city, and the roads of New York if their file is there."""
    city = apsp.generate("city", 2000 if quick else 20_000, seed=1, weights=(1, 1000))
    inputs = [("city", city, 100 if quick else 500, 10)]
    roads = None if quick else new_york()
    if roads is not None:
        inputs.append(("New York", roads, 5000, 500))
    for name, graph, count, share in inputs:
        random = np.random.default_rng(2)
        zones = np.sort(random.choice(graph.n, count, replace=False))
        demand = random.integers(0, 20, (count, count)).astype(np.float64)
        flows = partial(apsp.arc_flows, graph, demand, sources=zones, targets=zones)
        calls: dict[str, Callable[[], Any]] = {"apsp.arc_flows": flows}
        if graph is city:
            calls["apsp.arc_flows, ties='first'"] = partial(flows, ties="first")
        calls[f"scipy dijkstra and sums, 1/{share} of them"] = partial(by_trees, graph, demand, zones, share)
        title = f"{name}, n = {graph.n:,}, {count:,} x {count:,} zones"
        yield Comparison(title, calls, same_length(graph, demand, zones, share))
