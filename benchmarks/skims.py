"""Skims: several costs along the fastest paths between the zones of a city, beside paths from predecessors of SciPy."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

import apsp
from benchmarks.harness import Comparison

__all__ = ["comparisons"]

INPUTS = ((20_000, 1000, 2, 1), (250_000, 5000, 10, 100))
"""Vertices, zones, costs besides the time, and the part of the sources that SciPy computes (one of so many)."""


def by_predecessors(city: apsp.Graph, along: np.ndarray, zones: np.ndarray, share: int) -> np.ndarray:
    """Dijkstra's method of SciPy with predecessors; then sums along the parents, by pointer jumping."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import dijkstra

    matrix: Any = csr_array((city.arc_weights(np.float64), city.indices, city.indptr), shape=(city.n, city.n))
    found = np.empty((along.shape[1] + 1, len(zones[::share]), len(zones)))
    keys = city.tails().astype(np.int64) * city.n + city.indices
    for row, source in enumerate(zones[::share]):
        distances, parents = dijkstra(matrix, indices=source, return_predecessors=True)
        found[0, row] = distances[zones]
        root = parents < 0
        arcs = np.searchsorted(keys, np.where(root, 0, parents).astype(np.int64) * city.n + np.arange(city.n))
        sums = np.where(root[:, None], 0, along[np.minimum(arcs, city.m - 1)]).astype(np.float64)
        up = np.where(root, np.arange(city.n), parents)
        while not root[up].all():  # twice as many arcs per round
            sums, up = sums + sums[up], up[up]
        found[1:, row] = sums[zones].T
    return found


def to_file(city: apsp.Graph, columns: dict[str, np.ndarray], zones: np.ndarray) -> Any:
    """The matrices, which are written to a file."""
    skims = apsp.skim(city, columns, zones=zones)
    with tempfile.TemporaryDirectory() as folder:
        skims.to_omx(Path(folder) / "skims.omx")
    return skims


def same(results: Mapping[str, Any]) -> None:
    """The times are equal. The costs of SciPy's paths are not less, since ties are broken by the first of them."""
    ours = next(result.matrices for name, result in results.items() if name.startswith("apsp"))
    for name, theirs in results.items():
        if name.startswith("apsp"):
            np.testing.assert_array_equal(ours, theirs.matrices)
        else:
            step = ours.shape[1] // theirs.shape[1]
            np.testing.assert_array_equal(ours[0, ::step], theirs[0])
            assert (ours[1, ::step] <= theirs[1]).all()


def comparisons(quick: bool) -> Iterator[Comparison]:
    """A small city and a large one."""
    for n, count, kinds, share in INPUTS:
        n, count = (n // 10, count // 10) if quick else (n, count)
        city = apsp.generate("city", n, seed=1, weights=(1, 1000))
        rng = np.random.default_rng(2)
        zones = np.sort(rng.choice(city.n, count, replace=False))
        columns = {f"cost {k + 1}": rng.integers(1, 100, city.m) for k in range(kinds)}
        along = np.stack(list(columns.values()), axis=1)
        part = f", 1/{share} of them" if share > 1 else ""
        contestants = {
            "apsp.skim": partial(apsp.skim, city, columns, zones=zones),
            "apsp.skim and to_omx": partial(to_file, city, columns, zones),
            f"scipy dijkstra and sums{part}": partial(by_predecessors, city, along, zones, share),
        }
        yield Comparison(f"city, n = {n:,}, {count:,} zones, {kinds} costs", contestants, same)
