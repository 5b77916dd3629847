"""Diameter and radius from few searches, beside all rows (`apsp.summary`) and, for hops, NetworKit's exact diameter."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import apsp
from benchmarks.betweenness import collaboration, undirected_caida
from benchmarks.elimination import new_york
from benchmarks.harness import Comparison

__all__ = ["comparisons"]

PEER = "networkit Diameter (exact)"


def agree(results: Mapping[str, Any]) -> None:
    """All contestants that computed a diameter found the same."""
    assert len({int(found) for found in results.values()}) == 1, results


def networkit_diameter(graph: apsp.Graph) -> Callable[[], int]:
    """The largest distance over connected pairs by NetworKit, on its own graph."""
    import networkit as nk

    theirs = nk.Graph(graph.n, directed=False)
    for tail, head in zip(graph.tails().tolist(), graph.indices.tolist(), strict=True):
        if tail < head:
            theirs.addEdge(tail, head)

    def run() -> int:
        found = nk.distance.Diameter(theirs, algo=nk.distance.DiameterAlgo.EXACT)
        found.run()
        return int(found.getDiameter()[0])

    return run


def inputs(quick: bool) -> Iterator[tuple[str, apsp.Graph, bool]]:
    """Names, graphs, and whether all rows are computed too."""
    side = 70 if quick else 500
    rmat = apsp.generate("rmat", 1 << (13 if quick else 20), seed=1)
    social = apsp.generate("rmat", 1 << (13 if quick else 15), seed=1, directed=False, weights=None)
    yield f"undirected R-MAT, n = {social.n}, hops", social, True
    if not quick:
        yield "collaboration (generated), n = 16706, hops", collaboration(16_706, 121_251), False
        systems = undirected_caida()
        if systems is not None:
            yield f"autonomous systems of 2007, n = {systems.n}, hops", systems, False
    yield f"R-MAT, n = {rmat.n}, m = 8n, hops", rmat.unweighted(), quick
    yield f"R-MAT, n = {rmat.n}, m = 8n, weighted", rmat, quick
    yield f"grid, n = {side * side}, weights 1..1000", apsp.generate("grid", shape=(side, side), seed=1), quick
    roads = None if quick else new_york()
    if roads is not None:
        yield f"New York, n = {roads.n}", roads, False


def comparisons(quick: bool) -> Iterator[Comparison]:
    """Graphs of a power law, a grid and roads."""
    for name, graph, all_rows in inputs(quick):
        calls: dict[str, Callable[[], Any]] = {
            "apsp.diameter": lambda graph=graph: apsp.diameter(graph),  # type: ignore[misc]
            "apsp.extremes": lambda graph=graph: apsp.extremes(graph).diameter,  # type: ignore[misc]
        }
        if all_rows:
            calls["apsp.summary, all rows"] = lambda graph=graph: apsp.summary(graph).diameter  # type: ignore[misc]
        targets = {}
        if not graph.directed and not graph.is_weighted and importlib.util.find_spec("networkit"):
            calls[PEER], targets = networkit_diameter(graph), {PEER: 2.0}
        searches = apsp.extremes(graph).searches
        facts = {"searches, with the radius": searches}
        yield Comparison(name, calls, agree, targets, facts=lambda seconds, facts=facts: facts)  # type: ignore[misc]
