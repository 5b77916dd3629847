"""Every method on graphs of extreme shapes, with as many vertices as there are lanes, and one more or less.

If all vertices lie in one level, the arrays of a search are full; sizes beside a power of two fill vectors in part.
"""

from __future__ import annotations

import functools

import numpy as np
import pytest
from scipy.sparse import csgraph

import apsp
from apsp.methods.registry import METHODS
from benchmarks.extreme_shapes import SHAPES
from contract import assert_paths_replay, assert_same_distances
from test_contract import RUNS, WEIGHTS, device_of, solve_or_refuse

pytestmark = pytest.mark.contract

SIZES = (63, 64, 65, 127)
LARGE = (4093, 4094, 4095, 4096, 4097, 4098, 4099)
FEW_EDGES = [shape for shape in SHAPES if shape not in ("complete bipartite", "lollipop", "clique chain")]
SEARCHES = [name for name, row in METHODS.items() if row.family == "sparse"]


@functools.cache
def shaped(shape: str, n: int, weights: str | None) -> apsp.Graph:
    """A shape whose edges have integer weights from 0 on; None: hops."""
    n, tails, heads = SHAPES[shape](n)
    drawn = None if weights is None else np.random.default_rng(n).integers(0, 90, len(tails)).astype(weights)
    return apsp.from_edges(tails, heads, drawn, n=n, directed=False)


@functools.cache
def by_scipy(shape: str, n: int, weights: str | None, *, step: int) -> np.ndarray:
    graph = shaped(shape, n, weights)
    return csgraph.dijkstra(graph.to_scipy(), unweighted=weights is None, indices=range(0, graph.n, step))


@pytest.mark.few(26)
@pytest.mark.parametrize("run", RUNS)
@pytest.mark.parametrize(
    "weights",
    [None, WEIGHTS[0], *(pytest.param(dtype, marks=pytest.mark.slow) for dtype in WEIGHTS[1:-1]), WEIGHTS[-1]],
)
@pytest.mark.parametrize("shape", SHAPES)
def test_around_lanes(shape: str, weights: str | None, run: str) -> None:
    if device_of(run) != "cpu" and (
        weights in WEIGHTS[:3] or (list(SHAPES).index(shape) % 2 == 0) != (weights is None)
    ):
        pytest.skip("methods on GPUs meet every other shape in hops, and the others with the widest dtype")
    for n in SIZES if device_of(run) == "cpu" else SIZES[2:3]:
        result = solve_or_refuse(shaped(shape, n, weights), run, paths=True)
        if result is not None:
            assert_same_distances(result.distances, by_scipy(shape, n, weights, step=1))
            assert_paths_replay(result)


@pytest.mark.few(4)
@pytest.mark.parametrize("weights", [None, "int32"])
@pytest.mark.parametrize("n", [*LARGE[2:5], *(pytest.param(n, marks=pytest.mark.slow) for n in LARGE[:2] + LARGE[5:])])
@pytest.mark.parametrize("shape", FEW_EDGES)
def test_around_4096(shape: str, n: int, weights: str | None) -> None:
    """From more sources than bit-bfs takes at once, by each method that works source by source."""
    graph = shaped(shape, n, weights)
    for method in SEARCHES:
        result = solve_or_refuse(graph, method, sources=range(0, graph.n, 7))
        if result is not None:
            assert_same_distances(result.distances[::77], by_scipy(shape, n, weights, step=539))


def test_all_vertices_in_one_level() -> None:
    """A grid below a hub, which was more than an array of bit-bfs had room for: every vertex, and one arc more."""
    graph = shaped("hub over grid", 77 * 77 + 1, None)
    distances = apsp.solve(graph, method="bit-bfs", threads=1).distances
    assert distances.max() == 2
    assert (distances == 1).sum() == graph.m
