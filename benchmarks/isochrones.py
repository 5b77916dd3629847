"""Isochrones of many origins: distances within cutoffs, and polygons around streets into one GeoParquet file."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

import apsp
from benchmarks.harness import Comparison

__all__ = ["comparisons"]

CUTOFFS = (30, 60, 90, 120)
"""Seconds."""

WIDTH = 25.0
"""Metres around streets."""

SHARE = 500
"""The peer computes one of so many origins."""


def by_scipy(graph: apsp.Graph, sources: np.ndarray) -> np.ndarray:
    """The usual recipe: Dijkstra with a limit, parts of streets, and a buffer around them."""
    import shapely
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import dijkstra

    weights, tails = graph.arc_weights(np.float64), graph.tails()
    matrix: Any = csr_array((weights, graph.indices, graph.indptr), shape=(graph.n, graph.n))
    places = graph.coordinates
    assert places is not None
    found = []
    for source in sources.tolist():
        row = dijkstra(matrix, indices=source, limit=CUTOFFS[-1])
        for cutoff in CUTOFFS:
            arcs = np.flatnonzero(row[tails] <= cutoff)
            parts = np.minimum((cutoff - row[tails[arcs]]) / weights[arcs], 1.0)
            begins = places[tails[arcs]]
            ends = begins + parts[:, None] * (places[graph.indices[arcs]] - begins)
            lines = shapely.multilinestrings(shapely.linestrings(np.stack([begins, ends], axis=1)))
            found.append(shapely.buffer(lines, WIDTH, quad_segs=4))
    return np.array(found, dtype=object).reshape(len(sources), len(CUTOFFS))


def into_parquet(graph: apsp.Graph, sources: np.ndarray, processor: list[float]) -> np.ndarray:
    """Write the file, and return the polygons of those origins that the peer computes, as the file has them.

    `processor` receives the seconds of all cores, which other programs change less than the time of the clock.
    """
    import pyarrow.parquet
    import shapely

    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "isochrones.parquet"
        started = time.process_time()
        apsp.stream_isochrones(graph, sources, CUTOFFS, width=WIDTH, crs="plane").write(place)
        processor.append(time.process_time() - started)
        column = pyarrow.parquet.read_table(place, columns=["geometry"])["geometry"]
        assert len(column) == len(sources) * len(CUTOFFS)
        rows = np.arange(len(column)).reshape(-1, len(CUTOFFS))[::SHARE]
        found: np.ndarray = shapely.from_wkb(column.take(rows.ravel()).to_pylist()).reshape(rows.shape)
        return found


def same_areas(results: Mapping[str, Any]) -> None:
    """Polygons of the same origins differ by less than the corners of circles, 4% of the area."""
    import shapely

    *ours, theirs = results.values()
    for found in ours:
        other = shapely.area(shapely.symmetric_difference(found, theirs))
        assert (other < 0.04 * shapely.area(theirs)).all()


def same_distances(results: Mapping[str, Any]) -> None:
    """Vertices and distances are equal; whole rows have one origin of `SHARE`."""
    ours, rows = results.values()
    for number, source in enumerate(rows.sources.tolist()):
        assert ours.vertices(source).tolist() == rows.vertices(source).tolist()
        one, other = (
            slice(each.indptr[at], each.indptr[at + 1]) for each, at in ((ours, number * SHARE), (rows, number))
        )
        np.testing.assert_array_equal(ours.distances[one], rows.distances[other])


def rates(count: int, seconds: float) -> dict[str, Any]:
    """The time of an origin."""
    return {"ms per origin": round(1e3 * seconds / count, 3)}


def processor_rates(count: int, processor: list[float], seconds: float) -> dict[str, Any]:
    """The time of an origin, and that of all cores."""
    least = min(processor)
    return rates(count, seconds) | {"CPU s": round(least, 1), "CPU ms per origin": round(1e3 * least / count, 3)}


def comparisons(quick: bool) -> Iterator[Comparison]:
    """10,000 origins of a city of 160,000; quick: 1,000 of them."""
    city = apsp.generate("city", 160_000, seed=1)
    count = 1_000 if quick else 10_000
    sources = np.random.default_rng(0).choice(city.n, count, replace=False)
    yield Comparison(
        f"isochrone of {count:,} origins of a city, n = {city.n:,}, 4 cutoffs up to {CUTOFFS[-1]} s, one thread",
        {
            "apsp.isochrone": partial(apsp.isochrone, city, sources, CUTOFFS, threads=1),
            f"apsp.isochrone of whole rows, 1/{SHARE} of them": partial(
                apsp.isochrone, city, sources[::SHARE], CUTOFFS, method="dijkstra-buckets", threads=1
            ),
        },
        same_distances,
        facts=partial(rates, count),
    )
    processor: list[float] = []
    yield Comparison(
        f"polygons of {count:,} origins x 4 cutoffs into GeoParquet, n = {city.n:,}",
        {
            "apsp.stream_isochrones": partial(into_parquet, city, sources, processor),
            f"scipy dijkstra(limit) + shapely buffer, 1/{SHARE} of them": partial(by_scipy, city, sources[::SHARE]),
        },
        same_areas,
        facts=partial(processor_rates, count, processor),
    )
