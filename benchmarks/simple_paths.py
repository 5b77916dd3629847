"""The k shortest simple paths beside SciPy's yen and NetworkX: of a city, and 100 of 1,000 pairs of New York.

The roads are those of `elimination.py`; a generated city of that size takes their place if the file is not there. There
SciPy computes two paths of one pair, which takes half a minute.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

import numpy as np

import apsp
from benchmarks.elimination import fresh, new_york
from benchmarks.harness import Comparison

__all__ = ["comparisons"]

K, PAIRS = 100, 1000
SECONDS = 5.0
"""The target for so many paths of so many pairs."""

Lengths = list[list[int]]


def by_apsp(graph: apsp.Graph, sources: Any, targets: Any, k: int) -> Lengths:
    """All pairs in one call, of a graph that keeps nothing of earlier ones."""
    found = apsp.shortest_simple_paths(fresh(graph), sources, targets, k)
    return [found.of_pair(number).distances.tolist() for number in range(len(sources))]


def by_scipy(matrix: Any, sources: Any, targets: Any, k: int) -> Lengths:
    """A call per pair."""
    from scipy.sparse.csgraph import yen

    return [yen(matrix, s, t, k).astype(int).tolist() for s, t in zip(sources.tolist(), targets.tolist(), strict=True)]


def by_networkx(graph: Any, sources: Any, targets: Any, k: int) -> Lengths:
    """A generator per pair."""
    import networkx as nx

    found = []
    for s, t in zip(sources.tolist(), targets.tolist(), strict=True):
        paths = itertools.islice(nx.shortest_simple_paths(graph, s, t, weight="weight"), k)
        found.append([nx.path_weight(graph, path, "weight") for path in paths])
    return found


def same(results: Mapping[str, Lengths]) -> None:
    """The lengths are integers, so they are equal; the others have the first pairs and paths."""
    ours = next(iter(results.values()))
    for name, found in results.items():
        for mine, theirs in zip(ours, found, strict=False):
            assert mine[: len(theirs)] == theirs, name


def facts(graph: apsp.Graph, sources: Any, targets: Any, k: int, seconds: float) -> dict[str, Any]:
    """Processor time, which other work on the machine does not change, and vertices per path."""
    started = time.process_time()
    found = apsp.shortest_simple_paths(fresh(graph), sources, targets, k)
    used = time.process_time() - started
    return {
        "CPU s": round(used, 2),
        "ms per pair": round(1e3 * seconds / len(sources), 2),
        "vertices per path": round(len(found.positions) / max(len(found), 1)),
    } | ({"target s": SECONDS} if len(sources) == PAIRS else {})


def comparisons(quick: bool) -> Iterator[Comparison]:
    """A city, where others compute as much; and New York."""
    city = apsp.generate("city", 500 if quick else 2_000, seed=1, weights=(1, 1000))
    sources, targets = np.random.default_rng(3).integers(0, city.n, (2, 2 if quick else 10))
    others = {
        "scipy yen": partial(by_scipy, city.to_scipy().astype(float), sources, targets, 10),
        "networkx shortest_simple_paths": partial(by_networkx, city.to_networkx(), sources, targets, 10),
    }
    yield _comparison("a city", city, sources, targets, 10, others)
    if quick:
        return
    roads = new_york()
    place = "New York" if roads is not None else "a city"
    roads = roads or apsp.generate("city", 264_346, seed=1, weights=(1, 1000))
    sources, targets = np.random.default_rng(3).integers(0, roads.n, (2, PAIRS))
    matrix = roads.to_scipy().astype(float)
    others = {"scipy yen, 1 pair, k = 2": partial(by_scipy, matrix, sources[:1], targets[:1], 2)}
    yield _comparison(place, roads, sources, targets, K, others)


def _comparison(place: str, graph: apsp.Graph, sources: Any, targets: Any, k: int, others: Any) -> Comparison:
    return Comparison(
        f"{k} simple paths of {len(sources):,} pairs of {place}, n = {graph.n:,}",
        {"apsp.shortest_simple_paths": partial(by_apsp, graph, sources, targets, k), **others},
        same,
        facts=partial(facts, graph, sources, targets, k),
    )
