"""Measures of graphs with turns, against the matrix of a plain search on links."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import apsp
from turns_truth import infinite, random_case


def matrix_of(case: Any) -> np.ndarray:
    return np.array([case.distances(source) for source in range(case.n)], float).reshape(case.n, case.n)


def places(case: Any, vertices: Any) -> list[int]:
    return [int(str(vertex)[1:]) for vertex in vertices]


@pytest.fixture(scope="module", params=range(40))
def made(request: pytest.FixtureRequest) -> tuple[Any, apsp.TurnGraph, np.ndarray]:
    case = random_case(np.random.default_rng(request.param), most=9)
    return case, case.turned(), matrix_of(case)


def sums(distances: np.ndarray, axis: int) -> tuple[np.ndarray, np.ndarray]:
    """Numbers of other vertices reached, and sums of their distances."""
    finite = np.isfinite(distances)
    return finite.sum(axis) - 1, np.where(finite, distances, 0).sum(axis)


@pytest.mark.few(13)
def test_extremes(made: Any) -> None:
    _, turned, wanted = made
    largest = np.where(np.isfinite(wanted), wanted, -1).max(1)
    assert np.array_equal(apsp.eccentricity(turned), largest)
    assert apsp.diameter(turned) == largest.max()
    found = apsp.extremes(turned)
    assert found.farthest_pair is None or found.farthest_pair.distance == largest.max()
    reached = np.isfinite(wanted).sum(1)
    radius = largest[reached == reached.max()].min()
    assert apsp.radius(turned) == found.radius == radius
    assert apsp.summary(turned).radius == radius
    center = np.flatnonzero((reached == reached.max()) & (largest == radius)).tolist()
    assert places(made[0], apsp.center(turned)) == center
    assert places(made[0], apsp.periphery(turned)) == np.flatnonzero(largest == largest.max()).tolist()


@pytest.mark.parametrize("direction", ["out", "in"])
def test_sums(made: Any, direction: str) -> None:
    _, turned, wanted = made
    count, total = sums(wanted, 1 if direction == "out" else 0)
    assert np.array_equal(apsp.farness(turned, direction=direction), total)
    with np.errstate(divide="ignore", invalid="ignore"):
        near = 1 / wanted
    near[wanted == 0] = 0
    harmonic = apsp.harmonic_centrality(turned, direction=direction)
    np.testing.assert_allclose(harmonic, near.sum(1 if direction == "out" else 0))
    some = ["v0", f"v{len(wanted) - 1}"]
    assert np.array_equal(apsp.farness(turned, direction=direction, vertices=some), total[[0, -1]])
    with np.errstate(divide="ignore", invalid="ignore"):
        close = np.where(total > 0, count / total * (count / max(len(wanted) - 1, 1)), 0)
    found = apsp.closeness_centrality(turned, direction=direction)
    np.testing.assert_allclose(found[total > 0], close[total > 0])


def test_whole_numbers(made: Any) -> None:
    _, turned, wanted = made
    off = ~np.eye(len(wanted), dtype=bool)
    whole = wanted[off].sum()
    assert apsp.wiener_index(turned) == whole
    reached = wanted[off & np.isfinite(wanted)]
    if len(reached):
        np.testing.assert_allclose(apsp.average_shortest_path_length(turned), reached.mean())
    assert apsp.distance_histogram(turned).counts.sum() == len(reached)
    found = apsp.summary(turned, columns=True)
    assert found.n == len(wanted)
    count, total = sums(wanted, 1)
    best = np.flatnonzero(count == count.max())
    assert places(made[0], apsp.barycenter(turned)) == best[total[best] == total[best].min()].tolist()


def test_the_nearest(made: Any) -> None:
    _, turned, wanted = made
    found = apsp.k_nearest(turned, 3)
    others = np.where(np.eye(len(wanted), dtype=bool), math.inf, wanted)
    nearest = np.sort(np.pad(others, ((0, 0), (0, 3)), constant_values=math.inf), axis=1)[:, :3]
    assert np.array_equal(infinite(found.distances), nearest)
    for row, positions in enumerate(found.positions):
        assert np.array_equal(wanted[row, positions[positions >= 0]], nearest[row, positions >= 0])
    last = apsp.k_nearest(turned, 2, sources=[f"v{len(wanted) - 1}"])
    assert np.array_equal(infinite(last.distances)[0], nearest[-1, :2])


@pytest.mark.few(26)
@pytest.mark.parametrize("direction", ["out", "in"])
def test_accessibility(made: Any, direction: str) -> None:
    _, turned, wanted = made
    n = len(wanted)
    jobs = np.arange(1, n + 1) * 10
    distances = wanted if direction == "out" else wanted.T
    found = apsp.accessibility(turned, jobs, cutoffs=[3, 12], direction=direction)
    expected = np.stack([np.where(distances <= cutoff, jobs, 0).sum(1) for cutoff in (3, 12)], axis=1)
    assert np.array_equal(found.values, expected)
    one = apsp.accessibility(turned, {"v0": 5}, cutoffs=12, sources=[f"v{n - 1}"], direction=direction)
    assert one.values.tolist() == [5.0 * (distances[-1, 0] <= 12)]
    decayed = apsp.accessibility(turned, jobs, decay="exponential", beta=0.1, direction=direction)
    np.testing.assert_allclose(decayed.values, (np.exp(-0.1 * distances) * jobs).sum(1))
    supply, people = {"v0": 2}, np.full(n, 4.0)
    shared = apsp.accessibility(turned, supply, cutoffs=12, competition=people, direction=direction)
    demand = (distances[:, 0] <= 12).sum() * 4
    np.testing.assert_allclose(shared.values, np.where(distances[:, 0] <= 12, 2 / demand, 0))


@pytest.mark.few(40)
@pytest.mark.parametrize("method", ["elimination", "dijkstra", "label-correcting"])
def test_methods_and_blocks(made: Any, method: str) -> None:
    _, turned, wanted = made
    blocks = list(apsp.stream(turned, rows=2, method=method))
    assert np.array_equal(np.concatenate([infinite(block.distances) for block in blocks]), wanted)
    assert [label for block in blocks for label in block.sources] == [f"v{row}" for row in range(len(wanted))]
    assert blocks[0].targets.tolist() == [f"v{row}" for row in range(len(wanted))]
    assert apsp.diameter(turned) == apsp.summary(turned, method=method).diameter
    columns = next(apsp.stream(turned, targets=["v0"], method=method))
    assert np.array_equal(infinite(columns.distances)[:, 0], wanted[: len(columns.distances), 0])


def test_oracles(made: Any) -> None:
    _, turned, wanted = made
    oracle = apsp.prepare(turned)
    blocks = list(oracle.stream(rows=2))
    assert np.array_equal(np.concatenate([infinite(block.distances) for block in blocks]), wanted)
    assert blocks[0].targets.tolist() == [f"v{row}" for row in range(len(wanted))]
    one, other = oracle.summary(), apsp.summary(turned)
    assert np.array_equal(one.eccentricity, other.eccentricity)
    assert one.wiener_index() == other.wiener_index()
    assert oracle.summary(sources=["v0"]).diameter == np.where(np.isfinite(wanted[0]), wanted[0], 0).max()
