"""Paths through arcs of length zero: components in which they lead both ways, and arcs that lead one way."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import apsp
from apsp.methods.registry import METHODS
from benchmarks.extreme_shapes import SHAPES
from contract import assert_paths_replay, assert_same_distances

METHODS_OF_PATHS = [name for name, row in METHODS.items() if row.weighted and row.automatic]
EMULATED = [name for name in METHODS_OF_PATHS if "emulated" in METHODS[name].devices]
RUNS = [(name, "cpu") for name in METHODS_OF_PATHS] + [(name, "emulated") for name in EMULATED]


def drawn(rng: np.random.Generator, n: int, *, tiny: bool = False) -> apsp.Graph:
    """Zero cycles, zero edges both ways, zero arcs one way, and longer arcs; with `tiny`, arcs lost in rounding."""
    m = int(n * rng.choice([1, 2, 4]))
    tails, heads = rng.integers(0, n, m), rng.integers(0, n, m)
    weights = rng.integers(0, int(rng.choice([2, 3, 10, 1000])), m).astype(np.float64)
    for _ in range(int(rng.integers(0, 5))):
        cycle = rng.choice(n, min(n, int(rng.integers(2, 9))), replace=False)
        ends = (cycle, np.roll(cycle, 1)) if rng.random() < 0.5 else (cycle[1:], cycle[:-1])
        both = rng.random() < 0.5
        tails = np.concatenate([tails, ends[0], *([ends[1]] if both else [])])
        heads = np.concatenate([heads, ends[1], *([ends[0]] if both else [])])
        weights = np.concatenate([weights, np.zeros(len(tails) - len(weights))])
    if tiny:
        lost = rng.random(len(weights)) < 0.3
        weights[lost] = rng.choice([0.0, 1e-30, 1e-18, 0.1], int(lost.sum()))
    elif rng.random() < 0.3:
        weights *= rng.random() < 0.5
    zones = rng.random(n) < 0.3 if rng.random() < 0.4 else None
    weights = weights if tiny else weights.astype(np.int32)
    graph = apsp.from_edges(tails, heads, weights, n=n, directed=rng.random() < 0.6)
    return apsp.Graph(graph.indptr, graph.indices, graph.weights, directed=graph.directed, zones=zones)


def options_of(rng: np.random.Generator, graph: apsp.Graph) -> dict[str, Any]:
    """All rows or some, with a cutoff or without."""
    chosen: dict[str, Any] = {}
    if rng.random() < 0.5:
        chosen["sources"] = rng.permutation(graph.n)[: max(int(rng.integers(1, graph.n + 1)), 1)]
    if rng.random() < 0.3:
        chosen["cutoff"] = float(rng.integers(0, 12))
    return chosen


def agree(graph: apsp.Graph, method: str, device: str, tolerance: float = 0.0, **options: Any) -> None:
    expected = apsp.solve(graph, method="reference", **options).distances
    try:
        result = apsp.solve(graph, method=method, device=device, paths=True, threads=2, **options)
    except apsp.MethodRefusedError:
        return
    if tolerance:
        np.testing.assert_allclose(result.distances, expected, rtol=tolerance, atol=1e-12)
    else:
        assert_same_distances(result.distances, expected)
    assert_paths_replay(result, tolerance)


@pytest.mark.few(20)
@pytest.mark.parametrize("seed", range(24))
@pytest.mark.parametrize(("method", "device"), RUNS)
def test_components_of_integers(method: str, device: str, seed: int) -> None:
    rng = np.random.default_rng(seed)
    graph = drawn(rng, int(rng.choice([2, 5, 13, 40, 70])))
    agree(graph, method, device, **options_of(rng, graph))


@pytest.mark.few(14)
@pytest.mark.parametrize("seed", range(16))
@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize(("method", "device"), RUNS)
def test_components_of_floats(method: str, device: str, dtype: str, seed: int) -> None:
    """Arcs of 1e-18 beside those of 1 are lost in rounding, where they may lead back into a component."""
    rng = np.random.default_rng(1000 + seed)
    graph = drawn(rng, int(rng.choice([5, 13, 40, 70])), tiny=True)
    graph = apsp.Graph(
        graph.indptr, graph.indices, graph.arc_weights(dtype), directed=graph.directed, zones=graph.zones
    )  # fmt: skip
    agree(graph, method, device, 1e-5 if dtype == "float32" else 1e-13)


@pytest.mark.few(10)
@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize(("method", "device"), RUNS)
def test_negative_arcs_whose_reduced_lengths_are_zero(method: str, device: str, seed: int) -> None:
    rng = np.random.default_rng(seed)
    graph = drawn(rng, int(rng.choice([5, 13, 40])))
    height = rng.integers(0, 20, graph.n)
    weights = graph.weights + height[graph.tails()] - height[graph.indices]
    graph = apsp.Graph(graph.indptr, graph.indices, weights.astype(np.int32), directed=True, zones=graph.zones)
    agree(graph, method, device)


@pytest.mark.few(14)
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("most", [0, 1])
@pytest.mark.parametrize("directed", [True, False])
@pytest.mark.parametrize(("method", "device"), RUNS)
def test_extreme_shapes(method: str, device: str, directed: bool, most: int, shape: str) -> None:
    n, tails, heads = SHAPES[shape](37)
    weights = np.random.default_rng(n).integers(0, most, len(tails), endpoint=True)
    agree(apsp.from_edges(tails, heads, weights, n=n, directed=directed), method, device)
