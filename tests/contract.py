"""The graphs that every method must get right, and how a result is judged."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from apsp import Graph, Result
from apsp.graph.convert import from_edges
from apsp.semiring import is_unreachable
from apsp.system.array_device import to_host

EdgeList = list[tuple[int, int, int]]


def graph_of(n: int, edges: EdgeList, *, directed: bool = True, dtype: str = "int32", **properties: object) -> Graph:
    tails, heads, weights = (np.array([edge[k] for edge in edges], dtype=np.int64) for k in range(3))
    return from_edges(tails, heads, weights.astype(dtype), n=n, directed=directed, **properties)


def random_edges(n: int, m: int, low: int, high: int, seed: int) -> EdgeList:
    rng = np.random.default_rng(seed)
    columns = rng.integers(0, n, m), rng.integers(0, n, m), rng.integers(low, high + 1, m)
    return list(zip(*(column.tolist() for column in columns), strict=True))


def shifted(n: int, edges: EdgeList, seed: int, size: int) -> EdgeList:
    """Negative arcs without a negative cycle: the potential differences of a random height are added."""
    height = np.random.default_rng(seed).integers(-size, size + 1, n).tolist()
    return [(u, v, w + height[u] - height[v]) for u, v, w in edges]


def ring(n: int, weight: int) -> EdgeList:
    return [(v, (v + 1) % n, weight) for v in range(n)]


GRAPHS: dict[str, Callable[[str], Graph]] = {
    "no vertex": lambda dtype: graph_of(0, [], dtype=dtype),
    "one vertex": lambda dtype: graph_of(1, [], dtype=dtype),
    "one vertex with a loop": lambda dtype: graph_of(1, [(0, 0, 3)], dtype=dtype),
    "two vertices, no arc": lambda dtype: graph_of(2, [], dtype=dtype),
    "a tile and one": lambda dtype: graph_of(65, random_edges(65, 260, 1, 100, 1), dtype=dtype),
    "not a multiple of anything": lambda dtype: graph_of(131, random_edges(131, 800, 1, 50, 2), dtype=dtype),
    "several panels": lambda dtype: graph_of(300, random_edges(300, 1500, 0, 1000, 3), dtype=dtype),
    "complete": lambda dtype: graph_of(40, random_edges(40, 6000, 1, 1000, 4), dtype=dtype),
    "zero weights": lambda dtype: graph_of(50, random_edges(50, 160, 0, 1, 5), dtype=dtype),
    "only zero weights": lambda dtype: graph_of(30, random_edges(30, 70, 0, 0, 6), dtype=dtype),
    "zero cycle": lambda dtype: graph_of(6, [*ring(4, 0), (1, 4, 2), (4, 5, 0), (5, 4, 0), (5, 1, 0)], dtype=dtype),
    "self-loops": lambda dtype: graph_of(20, [*ring(20, 3), *[(v, v, v) for v in range(20)]], dtype=dtype),
    "parallel arcs": lambda dtype: graph_of(3, [(0, 1, 9), (0, 1, 4), (0, 1, 7), (1, 2, 5), (1, 2, 5)], dtype=dtype),
    "several components": lambda dtype: graph_of(
        90, [(u + 30 * k, v + 30 * k, w) for k in range(3) for u, v, w in random_edges(30, 60, 1, 9, k)], dtype=dtype
    ),
    "isolated vertices": lambda dtype: graph_of(70, random_edges(35, 100, 1, 9, 7), dtype=dtype),
    "one way": lambda dtype: graph_of(40, [(v, v + 1, 2) for v in range(39)], dtype=dtype),
    "undirected": lambda dtype: graph_of(80, random_edges(80, 150, 1, 30, 8), directed=False, dtype=dtype),
    "ring": lambda dtype: graph_of(150, ring(150, 7), dtype=dtype),
    "star": lambda dtype: graph_of(100, [(0, v, v) for v in range(1, 100)], directed=False, dtype=dtype),
    "wide weights": lambda dtype: graph_of(60, random_edges(60, 240, 1, 50_000, 9), dtype=dtype),
    "zones": lambda dtype: graph_of(60, random_edges(60, 240, 1, 100, 10), dtype=dtype, zones=np.arange(60) < 12),
    "zones only": lambda dtype: graph_of(
        20, random_edges(20, 80, 1, 100, 11), dtype=dtype, zones=np.ones(20, dtype=bool)
    ),
    "negative arcs": lambda dtype: graph_of(80, shifted(80, random_edges(80, 400, 0, 50, 12), 12, 40), dtype=dtype),
    "negative arcs, several components": lambda dtype: graph_of(
        90, shifted(90, random_edges(60, 150, 0, 20, 13), 13, 9), dtype=dtype
    ),
    "negative and zero cycles": lambda dtype: graph_of(
        40, shifted(40, random_edges(40, 200, 0, 1, 14), 14, 30), dtype=dtype
    ),
    "negative into nowhere": lambda dtype: graph_of(4, [(0, 1, -5), (1, 2, -6), (3, 1, 2)], dtype=dtype),
}
"""Every graph has integer weights, so that floats (which hold them exactly) can be compared to the last bit too."""

HOP_GRAPHS: dict[str, Callable[[], Graph]] = {
    name: (lambda make=make: make("int32").unweighted())  # type: ignore[misc]
    for name, make in GRAPHS.items()
    if "negative" not in name
}


def assert_same_distances(actual: np.ndarray, expected: np.ndarray) -> None:
    """Equal to the last bit, whatever the two dtypes call "no path"."""
    actual, expected = to_host(actual), to_host(expected)
    assert actual.shape == expected.shape
    none = is_unreachable(expected)
    np.testing.assert_array_equal(is_unreachable(actual), none)
    np.testing.assert_array_equal(actual[~none].astype(np.float64), expected[~none].astype(np.float64))


def assert_paths_replay(result: Result, tolerance: float = 0.0) -> None:
    """Every kept path starts and ends where it should and has its distance, arc by arc over the graph.

    All paths are walked at once, by pointer doubling: after k rounds, `step[row, v]` is 2^k vertices before v.
    """
    graph, source = result.graph, result.sources[:, np.newaxis]
    length = np.float64 if result.distances.dtype.kind == "f" else np.int64
    weight = np.zeros((graph.n, graph.n), dtype=length)
    arc = np.zeros((graph.n, graph.n), dtype=bool)
    weight[graph.tails(), graph.indices] = graph.arc_weights(length)
    arc[graph.tails(), graph.indices] = True
    passable = np.ones(graph.n, dtype=bool) if graph.zones is None else ~graph.zones
    everyone = np.arange(graph.n)
    before, distances = to_host(result.predecessors), to_host(result.distances)
    ends = is_unreachable(distances) | (everyone == source)
    np.testing.assert_array_equal(before == -1, ends)
    rows, heads = np.nonzero(~ends)
    tails, sources = before[rows, heads], result.sources[rows]
    assert arc[tails, heads].all(), "a predecessor without an arc"
    assert (passable[tails] | (tails == sources)).all(), "a path through a zone"
    total, step = np.zeros(before.shape, dtype=length), np.broadcast_to(everyone, before.shape).copy()
    total[rows, heads], step[rows, heads] = weight[tails, heads], tails
    for _ in range(max(1, graph.n).bit_length()):
        total, step = total + np.take_along_axis(total, step, 1), np.take_along_axis(step, step, 1)
    assert (step[rows, heads] == sources).all(), "the predecessors form a cycle"
    error = np.abs(total[rows, heads] - distances[rows, heads].astype(length))
    assert (error <= tolerance * np.maximum(1, np.abs(total[rows, heads]))).all()
