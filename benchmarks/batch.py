"""Many small graphs on the CPU, such as molecules: distances, and their cost with predecessors; SciPy, one by one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np
from scipy.sparse.csgraph import floyd_warshall

import apsp
from benchmarks.harness import Comparison

__all__ = ["check_batch", "comparisons", "molecules"]

PEER = "scipy floyd_warshall with predecessors, 1/40 of them"


def molecules(count: int, n: int, dtype: str, seed: int = 0) -> Any:
    """(count, n, n) lengths of bonds, 1: a random tree with branches nearby, and n / 10 further edges (rings)."""
    rng, graphs = np.random.default_rng(seed), np.arange(count)
    batch = np.full((count, n, n), apsp.unreachable(dtype), dtype=dtype)
    for vertex in range(1, n):
        near = np.maximum(vertex - 1 - rng.integers(0, 3, count), 0)
        batch[graphs, vertex, near] = batch[graphs, near, vertex] = 1
    for _ in range(max(n // 10, 1)):
        one = rng.integers(0, n - 1, count)
        other = rng.integers(one + 1, n)
        batch[graphs, one, other] = batch[graphs, other, one] = 1
    return batch


def check_batch(batch: Any, distances: Any, pred: Any) -> None:
    """The distance to every vertex is that to its predecessor and one arc; predecessors end at the source.

    All arcs are positive, so that distances rise along them, and there are no cycles.
    """
    has_path = pred >= 0
    apart = ~np.eye(batch.shape[1], dtype=bool)
    assert ((distances != apsp.unreachable(distances.dtype)) & apart == has_path).all()
    graph, source, target = np.nonzero(has_path)
    before = pred[graph, source, target]
    lengths = batch[graph, before, target]
    assert (lengths != apsp.unreachable(batch.dtype)).all()
    assert (distances[graph, source, before] + lengths == distances[graph, source, target]).all()


def by_scipy(batch: Any) -> Any:
    """The distances of all graphs, with predecessors."""
    lengths = batch.astype(np.float64)
    lengths[batch == apsp.unreachable(batch.dtype)] = np.inf
    return np.array([floyd_warshall(matrix, return_predecessors=True)[0] for matrix in lengths])


def agree(batch: Any) -> Callable[[Mapping[str, Any]], None]:
    """A check of all distances by SciPy's, and of every predecessor."""

    def check(results: Mapping[str, Any]) -> None:
        distances, pred = results["apsp with paths"]
        np.testing.assert_array_equal(distances, results["apsp distances alone"])
        check_batch(batch, distances, pred)
        expected = results[PEER].copy()
        expected[np.isinf(expected)] = apsp.unreachable(distances.dtype)
        np.testing.assert_array_equal(distances[::40], expected)

    return check


def comparisons(quick: bool) -> Iterator[Comparison]:
    """Molecules of 9 to 50 atoms."""
    for n, dtype in ((9, "float32"), (25, "uint16"), (25, "float32"), (50, "float32")):
        count = 500 if quick else 20_000
        batch = molecules(count, n, dtype)
        yield Comparison(
            f"{count:,} molecules of {n} atoms, {dtype}",
            {
                "apsp with paths": lambda batch=batch: apsp.solve_batch(batch, paths=True),  # type: ignore[misc]
                "apsp distances alone": lambda batch=batch: apsp.solve_batch(batch),  # type: ignore[misc]
                PEER: lambda batch=batch: by_scipy(batch[::40]),  # type: ignore[misc]
            },
            agree(batch),
            facts=lambda seconds, count=count: {"microseconds per graph": round(1e6 * seconds / count, 2)},  # type: ignore[misc]
        )
