"""Several costs between places from one factor: those of apsp.skim, which has the places as vertices."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

import apsp
from apsp.methods.skims.arc_costs import costs_along
from apsp.methods.skims.between_places import CostsBetweenPlaces


def between(graph: Any, sources: apsp.Places, targets: apsp.Places, names: list[str]) -> npt.NDArray[np.float64]:
    now = apsp.prepare(graph, threads=1)._now
    costs = costs_along(now.graph, names, "weights")
    return CostsBetweenPlaces(now.graph, now.factor.tree, costs).matrices(sources, targets)


def city(*, directed: bool, seed: int = 3) -> apsp.Graph:
    """Streets, a part of them one-way, with lengths; several paths are equally fast."""
    made = apsp.generate("city", 400, seed=seed, directed=directed)
    ways = made.coordinates[made.tails()] - made.coordinates[made.indices]
    slow = apsp.Graph(
        made.indptr, made.indices, np.ceil(made.weights / 20).astype(int), coordinates=made.coordinates,
        directed=made.directed,
    )  # fmt: skip
    return slow.with_costs(metres=np.ceil(np.hypot(*ways.T)).astype(int), stairs=made.indices % 3 * made.tails() % 3)


def points(graph: apsp.Graph, count: int, seed: int) -> npt.NDArray[np.float64]:
    """Some on the map, some on one street, and some at vertices."""
    rng, where = np.random.default_rng(seed), graph.coordinates
    some = rng.uniform(where.min(axis=0), where.max(axis=0), (count, 2))
    ends = where[[graph.tails()[7], graph.indices[7]]]
    return np.concatenate([some, ends, [ends.mean(axis=0), 0.25 * ends[0] + 0.75 * ends[1]]])


@pytest.mark.parametrize("directed", [True, False])
@pytest.mark.parametrize("speed", [math.inf, 2.0])
def test_streets(directed: bool, speed: float) -> None:
    graph = city(directed=directed)
    some, others = (graph.snap(points(graph, count, count), crs="plane", speed=speed) for count in (30, 40))
    found = between(graph, some, others, ["metres"])
    expected = apsp.skim(graph, ["metres"], zones=some, targets=others)
    for matrix, cost in zip(found, expected.values(), strict=True):
        np.testing.assert_allclose(matrix, cost, rtol=1e-12, atol=1e-9)


def test_three_costs() -> None:
    graph = city(directed=True)
    some = graph.snap(points(graph, 20, 1), crs="plane", speed=math.inf)
    found = between(graph, some, some, ["stairs", "metres"])
    for matrix, cost in zip(found, apsp.skim(graph, ["stairs", "metres"], zones=some).values(), strict=True):
        np.testing.assert_allclose(matrix, cost, rtol=1e-12, atol=1e-9)


@pytest.mark.parametrize("to", ["edge", "vertex"])
def test_turns(to: Any) -> None:
    turned = apsp.generate("city", 400, seed=5, turns=True)
    ways = turned.graph.coordinates[turned.graph.tails()] - turned.graph.coordinates[turned.graph.indices]
    graph = apsp.with_turns(turned.graph.with_costs(metres=np.hypot(*ways.T)), turned.movements)
    some = turned.graph.snap(points(turned.graph, 40, 2), crs="plane", speed=math.inf, to=to)
    found = between(graph, some[:20], some, ["metres"])
    expected = apsp.skim(graph, ["metres"], zones=some[:20], targets=some)
    for matrix, cost in zip(found, expected.values(), strict=True):
        np.testing.assert_allclose(matrix, cost, rtol=1e-12, atol=1e-9)


def test_of_parallel_links_that_are_equally_fast_the_shorter_one_counts() -> None:
    streets = apsp.from_edges(
        ["a", "b", "b", "c"], ["b", "c", "c", "d"], [10, 10, 10, 10], links=True,
        costs={"metres": [5, 9, 7, 3]}, coordinates=[[0, 0], [10, 0], [20, 0], [30, 0]],
    )  # fmt: skip
    some = streets.snap([[5, 0], [30, 0]], crs="plane", speed=math.inf)
    assert between(streets, some, some, ["metres"])[:, 0, 1].tolist() == [25, 12.5]


def test_no_path_and_no_places() -> None:
    streets = apsp.from_edges(
        [0, 2], [1, 3], [5, 5], costs={"metres": [8, 9]}, coordinates=[[0, 0], [9, 0], [0, 50], [9, 50]]
    )
    some = streets.snap([[6, 0], [3, 0], [3, 50]], crs="plane", speed=math.inf)
    found = between(streets, some, some, ["metres"])
    np.testing.assert_allclose(found[1], [[0, math.inf, math.inf], [8 / 3, 0, math.inf], [math.inf, math.inf, 0]])
    assert between(streets, some[:0], some, ["metres"]).shape == (2, 0, 3)
    assert between(streets, some, some[:0], ["metres"]).shape == (2, 3, 0)
