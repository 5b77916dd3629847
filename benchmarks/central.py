"""The ten vertices with the largest closeness centralities, in hops, beside NetworKit's `TopCloseness`."""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

import apsp
from benchmarks.harness import Comparison

__all__ = ["comparisons"]

OURS, PEER, EVERY = "apsp.closeness_centrality(top=10)", "networkit TopCloseness", "apsp.closeness_centrality"
TOP = 10


def by_networkit(graph: apsp.Graph) -> Callable[[], Any]:
    """The largest centralities by NetworKit, on its own graph, with as many threads as this package uses."""
    import networkit as nk

    nk.setNumberOfThreads(int(os.environ.get("APSP_NUM_THREADS", len(os.sched_getaffinity(0)))))
    theirs = nk.Graph(graph.n, directed=False)
    for tail, head in zip(graph.tails().tolist(), graph.indices.tolist(), strict=True):
        if tail < head:
            theirs.addEdge(tail, head)
    return lambda: np.array(nk.centrality.TopCloseness(theirs, TOP).run().topkScoresList())


def agree(results: Mapping[str, Any]) -> None:
    """All centralities are equal up to rounding."""
    for values in results.values():
        np.testing.assert_allclose(np.sort(values)[::-1][:TOP], results[OURS], rtol=1e-12)


def comparisons(quick: bool) -> Iterator[Comparison]:
    """Undirected graphs of a power law; without all rows and NetworKit where these take minutes."""
    for exponent in (13,) if quick else (15, 18):
        graph = apsp.generate("rmat", 1 << exponent, seed=1, directed=False, weights=None)
        calls: dict[str, Callable[[], Any]] = {
            OURS: lambda graph=graph: apsp.closeness_centrality(graph, top=TOP).values,  # type: ignore[misc]
        }
        targets = {}
        if exponent < 18:
            calls[EVERY] = lambda graph=graph: apsp.closeness_centrality(graph)  # type: ignore[misc]
            if importlib.util.find_spec("networkit"):
                calls[PEER], targets = by_networkit(graph), {PEER: 10.0}
        searches = apsp.closeness_centrality(graph, top=TOP).searches
        yield Comparison(
            f"undirected R-MAT, n = {graph.n}", calls, agree, targets,
            facts=lambda seconds, searches=searches: {"searches": searches},  # type: ignore[misc]
        )  # fmt: skip
