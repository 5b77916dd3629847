"""Accessibility and the nearest facilities in a generated city, beside truncated searches of SciPy."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

import numpy as np

import apsp
from benchmarks.harness import Comparison

__all__ = ["comparisons"]

INPUTS = ((20_000, 300, 20), (200_000, 900, 1000), (1_300_000, 1800, 40_000))
"""Vertices, the longest cutoff in seconds, and the part of the sources that SciPy computes (one of so many)."""


def by_scipy(city: apsp.Graph, amounts: np.ndarray, cutoffs: list[float], share: int) -> np.ndarray:
    """Searches of SciPy with a limit, a few sources at a time, then sums in NumPy; (sources, kinds, cutoffs)."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import dijkstra

    matrix: Any = csr_array((city.arc_weights(np.float64), city.indices, city.indptr), shape=(city.n, city.n))
    sources = np.arange(0, city.n, share)
    step = max(1, 4_000_000 // city.n)
    found = []
    for start in range(0, len(sources), step):
        rows = dijkstra(matrix, indices=sources[start : start + step], limit=cutoffs[-1])
        found.append(np.stack([(rows <= cutoff) @ amounts for cutoff in cutoffs], axis=2))
    return np.concatenate(found)


def nearest_by_scipy(city: apsp.Graph, facilities: np.ndarray) -> np.ndarray:
    """One search of SciPy from all facilities, on the reversed graph."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import dijkstra

    matrix: Any = csr_array((city.arc_weights(np.float64), city.indices, city.indptr), shape=(city.n, city.n))
    found: np.ndarray = dijkstra(matrix.T.tocsr(), indices=facilities, min_only=True)
    return found


def same(share: int, results: Mapping[str, Any]) -> None:
    """Sums of integers are exact, so they are equal; SciPy has one source of `share`."""
    ours = results["apsp.accessibility"].values
    theirs = next(value for name, value in results.items() if name.startswith("scipy"))
    np.testing.assert_array_equal(ours[::share], theirs)


def same_distances(results: Mapping[str, Any]) -> None:
    """The distances to the nearest facility are equal."""
    np.testing.assert_array_equal(results["apsp.nearest"].distances[:, 0], results["scipy dijkstra(min_only)"])


def comparisons(quick: bool) -> Iterator[Comparison]:
    """Three kinds of amounts and four cutoffs, and 1,000 facilities."""
    for n, longest, share in INPUTS[: 1 if quick else None]:
        city = apsp.generate("city", n, seed=1)
        rng = np.random.default_rng(2)
        amounts = rng.integers(0, 50, (city.n, 3)).astype(np.float64)
        cutoffs = [longest / 4, longest / 2, 3 * longest / 4, longest]
        part = f", 1/{share} of them" if share > 1 else ""
        yield Comparison(
            f"accessibility of a city, n = {n:,}, {longest} s, 3 kinds, 4 cutoffs",
            {
                "apsp.accessibility": partial(apsp.accessibility, city, amounts, cutoffs=cutoffs),
                f"scipy dijkstra(limit){part}": partial(by_scipy, city, amounts, cutoffs, share),
            },
            partial(same, share),
        )
        facilities = np.sort(rng.choice(city.n, 1000, replace=False))
        yield Comparison(
            f"nearest of 1,000 facilities, n = {n:,}",
            {
                "apsp.nearest": partial(apsp.nearest, city, facilities),
                "scipy dijkstra(min_only)": partial(nearest_by_scipy, city, facilities),
            },
            same_distances,
        )
