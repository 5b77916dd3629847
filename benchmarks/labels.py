"""Labels of an oracle: their preparation and memory, one pair per call, and a million random pairs.

Ten million pairs of New York are compared with rows of SciPy's Dijkstra before anything is timed. A call of
`Oracle.distance` and a batch are timed with labels and without them, in turn; the facts have CPU time, too, which other
work of the machine disturbs less.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

import apsp
from benchmarks.elimination import fresh, new_york
from benchmarks.harness import Comparison

__all__ = ["comparisons", "verified"]

BATCH, CALLS, CHECKED = 1_000_000, 10_000, 10_000_000
"""Pairs of a batch, pairs of single calls, and pairs that are checked."""

Pairs = npt.NDArray[np.int64]


def verified(graph: apsp.Graph, oracle: apsp.Oracle, count: int) -> int:
    """Compare so many pairs with rows of SciPy's Dijkstra; return how many."""
    from scipy.sparse.csgraph import dijkstra

    matrix, rng = graph.to_scipy(), np.random.default_rng(7)
    sources = rng.choice(graph.n, -(-count // graph.n), replace=False)
    every = np.arange(graph.n)
    for source in sources.tolist():
        row = dijkstra(matrix, indices=source)
        found = oracle.distances(source, every)
        reached = np.isfinite(row)
        assert (found[reached] == row[reached]).all(), source
        assert (found[~reached] == apsp.unreachable(oracle.dtype)).all(), source
        some = rng.integers(0, graph.n, 10)
        back = oracle.distances(some, source)  # the other direction
        assert graph.directed or (back == found[some]).all(), source
    return len(sources) * graph.n


def calls(oracle: apsp.Oracle, pairs: list[tuple[int, int]]) -> list[int | float]:
    """A call of the oracle per pair."""
    distance = oracle.distance
    return [distance(s, t) for s, t in pairs]


def cpu_seconds(run: Callable[[], Any]) -> float:
    """The CPU time of a call, of all its threads: the lesser of two."""
    found = []
    for _ in range(2):
        started = time.process_time()
        run()
        found.append(time.process_time() - started)
    return min(found)


def same(results: Mapping[str, Any]) -> None:
    """Integers are equal."""
    first, *others = (np.asarray(each) for each in results.values())
    for each in others:
        np.testing.assert_array_equal(each, first)


def preparation(graph: apsp.Graph, order: Any, plain: apsp.Oracle, labelled: apsp.Oracle) -> dict[str, Any]:
    """Memory, and what the labels add to the CPU time of a preparation whose order is known."""
    seconds = [cpu_seconds(partial(apsp.prepare, graph, order=order, labels=labels)) for labels in (False, True)]
    return {
        "MiB without labels": round(plain.nbytes / 2**20, 1),
        "MiB with labels": round(labelled.nbytes / 2**20, 1),
        "CPU s of the labels": round(seconds[1] - seconds[0], 2),
    }


def of_graph(name: str, graph: apsp.Graph, order: Any, checked: int, pairs: tuple[int, int]) -> Iterator[Comparison]:
    """Preparation, single calls, and a batch."""
    plain = apsp.prepare(graph, order=order)
    labelled = apsp.prepare(graph, order=order, labels=True)
    count = verified(graph, labelled, checked)
    name = f"{name}, order '{order}'"
    yield Comparison(
        f"prepare, {name}, n = {graph.n:,}",
        {
            "apsp, labels": lambda: apsp.prepare(fresh(graph), order=order, labels=True).dtype,
            "apsp": lambda: apsp.prepare(fresh(graph), order=order).dtype,
        },
        lambda _: None,
        facts=lambda _: preparation(graph, order, plain, labelled) | {"pairs verified": f"{count:,}"},
    )
    rng = np.random.default_rng(3)
    single = list(zip(*rng.integers(0, graph.n, (2, pairs[0])).tolist(), strict=True))
    batch = rng.integers(0, graph.n, (2, pairs[1]))
    oracles = {"apsp, labels": labelled, "apsp": plain}
    yield Comparison(
        f"{pairs[0]:,} calls of Oracle.distance, {name}",
        {key: partial(calls, oracle, single) for key, oracle in oracles.items()},
        same,
        facts=lambda _: {
            f"CPU us per call {key}": round(1e6 * cpu_seconds(partial(calls, oracle, single)) / len(single), 2)
            for key, oracle in oracles.items()
        },
    )
    yield Comparison(
        f"{pairs[1]:,} random pairs, {name}",
        {key: partial(oracle.distances, *batch) for key, oracle in oracles.items()},
        same,
        facts=lambda _: {
            f"CPU ns per pair {key}": round(1e9 * cpu_seconds(partial(oracle.distances, *batch)) / pairs[1])
            for key, oracle in oracles.items()
        },
    )


def comparisons(quick: bool) -> Iterator[Comparison]:
    """The roads of New York in two orders, a generated city, whose separators are larger, and a country."""
    roads = None if quick else new_york()
    if roads is not None:
        for order in ("fast", "best"):
            yield from of_graph("New York", fresh(roads), order, CHECKED, (CALLS, BATCH))
    n = 2_000 if quick else 200_000
    pairs = (200, 5_000) if quick else (CALLS, BATCH)
    city = apsp.generate("city", n, seed=1)
    yield from of_graph(f"a city of {n:,}", city, "best", n if quick else 10 * n, pairs)
    n = 5_000 if quick else 1_000_000
    country = apsp.generate("country", n, seed=1)
    yield from of_graph(f"a country of {n:,}", country, "best", n if quick else 10 * n, pairs)
