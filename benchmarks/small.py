"""Small calls: the overhead of a call. Every contestant is called many times, a new graph each time."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np
import scipy.sparse as sp
from scipy.sparse.csgraph import shortest_path

import apsp
from benchmarks.harness import Comparison

__all__ = ["comparisons"]


def random_rows(n: int, dtype: str) -> Any:
    """A csr_array with 4 arcs per vertex."""
    random = np.random.default_rng(n)
    tails, heads = random.integers(0, n, (2, 4 * n))
    weights = random.integers(1, 100, 4 * n).astype(dtype)
    return sp.csr_array(sp.coo_array((weights, (tails, heads)), shape=(n, n)).todense())


def many(call: Callable[[], Any], times: int) -> Callable[[], Any]:
    """The last result of many calls."""

    def run() -> Any:
        for _ in range(times - 1):
            call()
        return call()

    return run


def agree(results: Mapping[str, Any]) -> None:
    """All distances are those of SciPy, and the diameter is the largest of them."""
    expected = results["scipy shortest_path"]
    for name in ("apsp.solve(csr_array)", "apsp.solve(Graph)"):
        distances = results[name].distances
        ours = np.where(distances == apsp.unreachable(distances.dtype), np.inf, distances)
        np.testing.assert_array_equal(ours, expected)
    assert float(results["apsp.diameter(csr_array)"]) == expected[np.isfinite(expected)].max()


def comparisons(quick: bool) -> Iterator[Comparison]:
    """Random graphs of 10 to 100 vertices."""
    for n in (10, 30, 100):
        for dtype in ("float64", "int32"):
            rows = random_rows(n, dtype)
            graph = apsp.from_scipy(rows)
            times = 10 if quick else 500
            calls: dict[str, Callable[[], Any]] = {
                "apsp.solve(csr_array)": lambda rows=rows: apsp.solve(rows),  # type: ignore[misc]
                "apsp.solve(Graph)": lambda graph=graph: apsp.solve(graph),  # type: ignore[misc]
                "apsp.diameter(csr_array)": lambda rows=rows: apsp.diameter(rows),  # type: ignore[misc]
                "scipy shortest_path": lambda rows=rows: shortest_path(rows),  # type: ignore[misc]
            }
            yield Comparison(
                f"{dtype}, n = {n}, m = {4 * n}: {times} calls",
                {name: many(call, times) for name, call in calls.items()},
                agree,
                {"scipy shortest_path": 1.0} if n == 100 else {},
                facts=lambda seconds, times=times: {"microseconds per call": round(1e6 * seconds / times, 1)},  # type: ignore[misc]
            )
