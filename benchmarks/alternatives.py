"""Alternatives of pairs of New York that differ much, per pair, and all compromises of two costs.

The roads are those of `elimination.py`; a generated city of that size takes their place if the file is not there. The
second cost of an edge is its length times a random number from 0.5 to 2. No other package computes either.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

import numpy as np

import apsp
from benchmarks.elimination import fresh, new_york
from benchmarks.harness import Comparison

__all__ = ["comparisons"]

PAIRS = 100

Lengths = list[list[int]]


def alternatives(graph: apsp.Graph, sources: Any, targets: Any) -> Lengths:
    """All pairs in one call, of a graph that keeps nothing of earlier ones."""
    found = apsp.alternatives(fresh(graph), sources, targets)
    return [found.of_pair(number).distances.tolist() for number in range(len(sources))]


def compromises(graph: apsp.Graph, sources: Any, targets: Any) -> Lengths:
    """All pairs in one call."""
    found = apsp.pareto(graph, "other", sources, targets)
    return [found.of_pair(number).distances.tolist() for number in range(len(sources))]


def shortest_first(graph: apsp.Graph, sources: Any, targets: Any, results: Mapping[str, Lengths]) -> None:
    """The first path of every pair is a shortest one."""
    expected = apsp.distances(graph, sources, targets).tolist()
    for name, found in results.items():
        assert [lengths[0] for lengths in found] == expected, name


def comparisons(quick: bool) -> Iterator[Comparison]:
    """Random pairs of the roads of New York, or of a city."""
    roads = None if quick else new_york()
    graph = roads or apsp.generate("city", 2000 if quick else 264_346, seed=0, directed=False)
    name = "a city" if roads is None else "New York"
    rng = np.random.default_rng(0)
    sources, targets = rng.integers(0, graph.n, (2, PAIRS))
    tails, factors = graph.tails(), rng.uniform(0.5, 2, graph.m)
    opposite = np.lexsort((tails, graph.indices))
    other = np.rint(graph.weights * np.where(tails < graph.indices, factors, factors[opposite])).astype(int)
    both = graph.with_costs(other=other)
    yield Comparison(
        f"3 alternatives of {PAIRS} pairs of {name}, n = {graph.n:,}",
        {"apsp.alternatives": partial(alternatives, graph, sources, targets)},
        partial(shortest_first, graph, sources, targets),
    )
    yield Comparison(
        f"all compromises of {PAIRS} pairs of {name}, n = {graph.n:,}",
        {"apsp.pareto": partial(compromises, both, sources, targets)},
        partial(shortest_first, graph, sources, targets),
    )
