"""Changed weights and closed edges of an oracle of the roads of New York, beside preparing it again.

The roads are those of `elimination.py`; a generated city of that size takes their place if the file is not there.
Preparing again takes the order of elimination that is known. Processor times are medians of single updates.
"""

from __future__ import annotations

import itertools
import statistics
import time
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

import numpy as np

import apsp
from apsp.graph.arc_positions import arcs_between
from benchmarks.elimination import fresh, new_york
from benchmarks.harness import Comparison

__all__ = ["comparisons"]

FEW = (1, 100, 10_000)
TARGETS = {
    "100 edges": 2.0, "100 edges by links=": 2.0, "100 edges closed, and opened": 4.0,
    "100 edges closed by inf, and opened": 4.0, "all weights": 60.0,
}  # fmt: skip
"""Milliseconds on two cores."""

Change = Callable[[], apsp.Graph]


class Changes:
    """Random changes of a graph, one after the other, and an oracle that follows them."""

    def __init__(self, graph: apsp.Graph, labels: bool = False) -> None:
        assert graph.weights is not None
        self.graph, self.rng = graph, np.random.default_rng(6)
        self.edges = np.flatnonzero(graph.tails() < graph.indices)
        self.tails, self.heads = graph.tails()[self.edges], graph.indices[self.edges]
        self.oracle = apsp.prepare(graph if graph.links is not None else fresh(graph), labels=labels)
        self.largest = int(graph.weights.max())

    def _some(self, count: int) -> list[tuple[int, int]]:
        chosen = self.rng.choice(len(self.edges), min(count, len(self.edges)), replace=False)
        return list(zip(self.tails[chosen].tolist(), self.heads[chosen].tolist(), strict=True))

    def weights(self, count: int) -> Change:
        """New weights of some edges."""
        given = dict.fromkeys(self._some(count), 0)
        given |= dict(zip(given, self.rng.integers(1, self.largest + 1, len(given)).tolist(), strict=True))
        return partial(self._update, given)

    def links(self, count: int) -> Change:
        """New weights of some links, by their numbers; of a graph that keeps them."""
        links = len(self.oracle.graph.links or ())
        chosen = self.rng.choice(links, min(count, links), replace=False)
        return partial(self._update, self.rng.integers(1, self.largest + 1, len(chosen)), links=chosen)

    def all_weights(self) -> Change:
        """New weights of all arcs."""
        of_edges = self.rng.integers(1, self.largest + 1, len(self.edges))
        weights = np.zeros(self.graph.m, dtype=np.int64)
        weights[self.edges] = of_edges
        weights[arcs_between(self.graph.indptr, self.graph.indices, self.heads, self.tails)] = of_edges
        return partial(self._update, weights)

    def closed(self, count: int) -> Change:
        """The graph without some edges, and with them again."""
        edges = self._some(count)

        def close_and_open() -> apsp.Graph:
            self._update(self.graph.without_edges(edges))
            return self._update(self.graph)

        return close_and_open

    def shut(self, count: int) -> Change:
        """Infinite weights of some edges, and new ones."""
        edges = self._some(count)
        weights = dict(zip(edges, self.rng.integers(1, self.largest + 1, count).tolist(), strict=False))

        def shut_and_open() -> apsp.Graph:
            self._update(dict.fromkeys(edges, np.inf))
            return self._update(weights)

        return shut_and_open

    def _update(self, what: Any, **options: Any) -> apsp.Graph:
        self.oracle.update(what, **options)
        return self.oracle.graph


def processor_ms(changes: Iterator[Change], rounds: int) -> float:
    """The median of single updates, after three that begin."""
    for change in itertools.islice(changes, 3):
        change()
    found = []
    for change in itertools.islice(changes, rounds):
        started = time.process_time()
        change()
        found.append(time.process_time() - started)
    return round(1e3 * statistics.median(found), 2)


def of_change(name: str, what: str, changes: Changes, make: Callable[[], Change], rounds: int) -> Comparison:
    """A kind of change beside a preparation of the graph after it."""
    endless = iter(make, None)
    cpu = processor_ms(endless, rounds)
    ready = [make() for _ in range(9)]

    def prepare() -> apsp.Oracle:
        return apsp.prepare(fresh(changes.oracle.graph), order=order)

    order = changes.oracle.order

    def agree(results: Mapping[str, Any]) -> None:
        prepared: apsp.Oracle = results["apsp.prepare, order known"]
        assert prepared.dtype == changes.oracle.dtype
        np.testing.assert_array_equal(prepared.rows([0, 1, 2]), changes.oracle.rows([0, 1, 2]))

    def facts(_: float) -> dict[str, Any]:
        return {"CPU ms": cpu, "dtype": changes.oracle.dtype.name, "MiB": round(changes.oracle.nbytes / 2**20, 1)} | (
            {"target ms": TARGETS[what]} if what in TARGETS else {}
        )

    contestants = {"Oracle.update": lambda: ready.pop()(), "apsp.prepare, order known": prepare}
    return Comparison(f"{name}, {what}", contestants, agree, facts=facts)


def comparisons(quick: bool) -> Iterator[Comparison]:
    """Weights of some edges and of all, and closed edges; without labels, and with them."""
    roads = None if quick else new_york()
    graph = apsp.generate("city", 2_000 if quick else 264_346, seed=1, weights=(1, 1000)) if roads is None else roads
    name, rounds = "city" if roads is None else "New York", 3 if quick else 31
    tails, heads, weights = graph.to_edges()
    graph = apsp.from_edges(tails, heads, weights, n=graph.n, directed=False)
    changes = Changes(graph)
    for count in FEW:
        if count < graph.n:
            yield of_change(
                name, f"{count:,} edges" if count > 1 else "1 edge", changes, partial(changes.weights, count), rounds
            )
    yield of_change(name, "all weights", changes, changes.all_weights, 3 if quick else 11)
    yield of_change(name, "100 edges closed, and opened", changes, partial(changes.closed, 100), rounds)
    changes = Changes(graph)
    yield of_change(name, "100 edges closed by inf, and opened", changes, partial(changes.shut, 100), rounds)
    linked = Changes(apsp.from_edges(tails, heads, weights, n=graph.n, directed=False, links=True))
    yield of_change(name, "100 edges by links=", linked, partial(linked.links, 100), rounds)
    changes = Changes(graph, labels=True)
    for count in FEW[:2]:
        yield of_change(
            name, f"{count} edges, labels" if count > 1 else "1 edge, labels", changes, partial(changes.weights, count),
            3 if quick else 7,
        )  # fmt: skip
