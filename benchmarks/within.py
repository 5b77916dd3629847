"""All pairs within a cutoff, and the k nearest vertices, beside searches of SciPy with a limit."""

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

CITIES = ((20_000, 110), (160_000, 110))
"""Vertices, and the cutoff in seconds."""

SHARE = 100
"""SciPy, and whole rows, compute one of so many sources of a city."""


def geometric(n: int, degree: int, seed: int) -> apsp.Graph:
    """Random points in a square; those close to each other have an edge of their distance."""
    from scipy.spatial import KDTree

    points = np.random.default_rng(seed).random((n, 2))
    ends = KDTree(points).query_pairs(np.sqrt(degree / (np.pi * n)), output_type="ndarray")
    lengths = np.linalg.norm(points[ends[:, 0]] - points[ends[:, 1]], axis=1)
    return apsp.from_edges(ends[:, 0], ends[:, 1], lengths, n=n, directed=False)


def by_scipy(graph: apsp.Graph, cutoff: float, sources: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Pairs of each source in the order of the targets: their counts, targets and distances."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import dijkstra

    matrix: Any = csr_array((graph.arc_weights(np.float64), graph.indices, graph.indptr), shape=(graph.n, graph.n))
    step = max(1, 4_000_000 // graph.n)
    found = []
    for start in range(0, len(sources), step):
        rows = dijkstra(matrix, indices=sources[start : start + step], limit=cutoff)
        near, targets = np.nonzero(np.isfinite(rows))
        found.append((np.bincount(near, minlength=len(rows)), targets, rows[near, targets]))
    counts, targets, distances = (np.concatenate(part) for part in zip(*found, strict=True))
    return counts, targets, distances


def same(sources: np.ndarray, share: int, results: Mapping[str, Any]) -> None:
    """Counts, targets and distances are equal, floats up to rounding; SciPy has one source of `share`."""
    ours, (counts, targets, distances) = results["apsp.within"], results[_scipy(share)]
    assert results_equal(results)
    expected = np.split(np.arange(len(targets)), np.cumsum(counts)[:-1])
    for place, pairs in zip(range(0, len(sources), share), expected, strict=True):
        row = slice(ours.indptr[place], ours.indptr[place + 1])
        order = np.argsort(ours.positions[row])
        np.testing.assert_array_equal(ours.positions[row][order], targets[pairs])
        np.testing.assert_allclose(ours.distances[row][order], distances[pairs], rtol=1e-9)


def results_equal(results: Mapping[str, Any]) -> bool:
    """Whether all of ours have the same number of pairs."""
    counts = {found if isinstance(found, int) else found.pairs for name, found in results.items() if "apsp" in name}
    return len(counts) == 1


def same_nearest(share: int, results: Mapping[str, Any]) -> None:
    """Positions and distances are equal; whole rows have one source of `share`."""
    ours, theirs = results.values()
    np.testing.assert_array_equal(ours.positions[::share], theirs.positions)
    np.testing.assert_array_equal(ours.distances[::share], theirs.distances)


def into_parquet(graph: apsp.Graph, cutoff: float) -> int:
    """Write all pairs with next hops; return their number, as the file has it."""
    import pyarrow.parquet

    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "pairs.parquet"
        apsp.stream_within(graph, cutoff, next_hop=True).write(place)
        return int(pyarrow.parquet.read_metadata(place).num_rows)


def rates(count: int, seconds: float) -> dict[str, Any]:
    """The time of a source."""
    return {"us per source": round(1e6 * seconds / count, 2)}


def _scipy(share: int) -> str:
    return "scipy dijkstra(limit)" + (f", 1/{share} of them" if share > 1 else "")


def comparisons(quick: bool) -> Iterator[Comparison]:
    """A random geometric graph on one core, and cities on all."""
    n = 10_000 if quick else 100_000
    graph, cutoff = geometric(n, 8, 1), 6.2 / np.sqrt(n)
    sources = np.arange(0, n, 10)
    yield Comparison(
        f"within, random geometric graph, n = {n:,}, {len(sources):,} sources, one thread",
        {
            "apsp.within": partial(apsp.within, graph, cutoff, sources=sources, threads=1),
            _scipy(1): partial(by_scipy, graph, cutoff, sources),
        },
        partial(same, sources, 1),
        {_scipy(1): 10.0},
        partial(rates, len(sources)),
    )
    for count, longest in CITIES[: 1 if quick else None]:
        city = apsp.generate("city", count, seed=1)
        every = np.arange(city.n)
        yield Comparison(
            f"within {longest} s of all vertices of a city, n = {count:,}",
            {
                "apsp.within": partial(apsp.within, city, longest),
                "apsp.within, next hops": partial(apsp.within, city, longest, next_hop=True),
                "apsp.stream_within into Parquet, next hops": partial(into_parquet, city, longest),
                _scipy(SHARE): partial(by_scipy, city, longest, every[::SHARE]),
            },
            partial(same, every, SHARE),
            facts=partial(rates, city.n),
        )
        yield Comparison(
            f"10 nearest of all vertices of a city, n = {count:,}",
            {
                "apsp.k_nearest": partial(apsp.k_nearest, city, 10),
                f"apsp.k_nearest of whole rows, 1/{SHARE} of them": partial(
                    apsp.k_nearest, city, 10, sources=every[::SHARE], method="dijkstra-buckets"
                ),
            },
            partial(same_nearest, SHARE),
            facts=partial(rates, city.n),
        )
