"""Several Python threads solve at once, and calls inside calls: results do not depend on it."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

import apsp
from apsp.result.paths import replay

WORKERS = 6


def at_once(calls: list[Callable[[], Any]]) -> list[Any]:
    """Call each in a thread of its own, all released together."""
    gate = threading.Barrier(len(calls))

    def call(work: Callable[[], Any]) -> Any:
        gate.wait()
        return work()

    with ThreadPoolExecutor(len(calls)) as pool:
        return list(pool.map(call, calls))


def graphs() -> list[apsp.Graph]:
    """Graphs of different weights and methods, made at each call: nothing of them is cached."""
    given = apsp.from_edges([0, 1, 2, 0], [1, 2, 3, 3], [4, -2, 3, 9])
    return [
        apsp.generate("grid", 400, seed=1), apsp.generate("random", 300, seed=2),
        apsp.generate("city", 400, seed=3), given, apsp.generate("random", 200, seed=4).unweighted(),
        apsp.from_edges(np.arange(99), np.arange(1, 100), np.full(99, 0.5)),
    ]  # fmt: skip


@pytest.mark.parametrize("threads", [1, 2])
def test_graphs_of_their_own(threads: int) -> None:
    expected = [apsp.solve(graph, paths=True).distances for graph in graphs()]
    found = at_once([lambda g=graph: apsp.solve(g, paths=True, threads=threads) for graph in graphs()])
    for result, distances in zip(found, expected, strict=True):
        np.testing.assert_array_equal(result.distances, distances)
        result.verify()


@pytest.mark.parametrize("number", [0, 3])
def test_one_graph_whose_facts_are_not_known_yet(number: int) -> None:
    graph = graphs()[number]
    calls: list[Callable[[], Any]] = [
        lambda: apsp.solve(graph).distances.tolist(),
        lambda: apsp.solve(graph, sources=[3], targets=[0, 2]).distances.tolist(),
        lambda: apsp.k_nearest(graph, 2).positions.tolist(),
        lambda: apsp.diameter(graph),
        lambda: apsp.components(graph).sizes.tolist(),
        lambda: apsp.prepare(graph).distance(0, 3),
        lambda: hash(graph),
    ]
    expected = [call() for call in calls]
    graph = graphs()[number]
    assert at_once(calls) == expected


def test_one_oracle() -> None:
    graph = apsp.generate("city", 400, seed=3)
    oracle, expected = apsp.prepare(graph), apsp.solve(graph)
    calls = [lambda s=source: [oracle.distance(s, t) for t in range(1, 60)] for source in range(1, WORKERS + 1)]
    assert at_once(calls) == [[expected.distance(s, t) for t in range(1, 60)] for s in range(1, WORKERS + 1)]
    rows = at_once([lambda s=source: oracle.rows([s]).tolist() for source in range(1, WORKERS + 1)])
    assert rows == [expected.distances[[s]].tolist() for s in range(1, WORKERS + 1)]


def test_one_result_whose_paths_are_found_from_its_distances() -> None:
    graph = apsp.generate("grid", 400, seed=1)
    result, kept = apsp.solve(graph), apsp.solve(graph, paths=True)
    found = at_once([lambda t=target: result.path(0, t) for target in range(1, WORKERS + 1)])
    assert [replay(graph, path) for path in found] == [kept.distance(0, t) for t in range(1, WORKERS + 1)]


def test_a_call_inside_the_progress_of_another() -> None:
    inner, outer = apsp.generate("grid", 100, seed=1), apsp.generate("random", 2000, m=8000, seed=1)
    expected, seen = apsp.solve(inner).distances, []
    result = apsp.solve(outer, progress=lambda *_: seen.append(apsp.solve(inner, threads=2).distances))
    assert seen
    assert all(np.array_equal(distances, expected) for distances in seen)
    np.testing.assert_array_equal(result.distances, apsp.solve(outer).distances)
