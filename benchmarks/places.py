"""Points of a map: snapped to streets, and distances between them, beside the tree and the searches of SciPy."""

from __future__ import annotations

import resource
from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

import numpy as np

import apsp
from benchmarks.harness import Comparison

__all__ = ["comparisons"]

POINTS, FEW, ENDS, CUTOFF = 35_000, 100, 2_000, 300
"""Points that are snapped, few of them, those of the sides of a matrix, and seconds."""

SECONDS_LARGE = 30
"""The target for a matrix of all points with all points."""

ROWS = 20
"""Places, and their streets, that SciPy computes."""

SPEED = 1.4


def points_of(city: apsp.Graph, count: int, seed: int) -> np.ndarray:
    """Random points within 30 m of random vertices."""
    rng = np.random.default_rng(seed)
    assert city.coordinates is not None
    return city.coordinates[rng.integers(0, city.n, count)] + rng.uniform(-30, 30, (count, 2))


def snapped(city: apsp.Graph, points: np.ndarray) -> apsp.Places:
    return city.snap(points, crs="plane", speed=SPEED)


def tree_of(city: apsp.Graph) -> Any:
    """A tree of the vertices."""
    from scipy.spatial import KDTree

    return KDTree(np.asarray(city.coordinates))


def by_tree(city: apsp.Graph, points: np.ndarray, tree: Any = None) -> np.ndarray:
    """The distances to the nearest vertices."""
    found: np.ndarray = (tree or tree_of(city)).query(points)[0]
    return found


def streets_are_near(points: np.ndarray, results: Mapping[str, Any]) -> None:
    """Streets are no farther than vertices, and as far as the nearest of all streets for some points."""
    ours, tree = results["apsp snap"], results["scipy KDTree, to vertices"]
    assert (ours.legs <= tree * (1 + 1e-12) + 1e-9).all()
    graph = ours.graph
    begins, ends = graph.coordinates[graph.tails()], graph.coordinates[graph.indices]
    along = ends - begins
    squares = (along**2).sum(axis=1)
    for number in range(0, len(points), len(points) // 10):
        with np.errstate(invalid="ignore", divide="ignore"):
            at = np.nan_to_num(((points[number] - begins) * along).sum(axis=1) / squares)
        nearest = begins + np.clip(at, 0, 1)[:, None] * along
        far = np.linalg.norm(points[number] - nearest, axis=1).min()
        np.testing.assert_allclose(ours.legs[number], far, rtol=1e-9, atol=1e-9)


def by_scipy(city: apsp.Graph, sources: apsp.Places, targets: apsp.Places, limit: float = np.inf) -> np.ndarray:
    """Distances from some places: rows of both ends of their streets, and the least over all ends of the others."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import dijkstra

    search: Any = dijkstra
    matrix: Any = csr_array((city.arc_weights(np.float64), city.indices, city.indptr), shape=(city.n, city.n))
    found = np.full((len(sources), len(targets)), np.inf)
    to = ends_of(matrix, city, targets, leaving=False)
    for row, ends in enumerate(zip(*ends_of(matrix, city, sources, leaving=True), strict=True)):
        for vertex, length in ends:
            if np.isfinite(length):
                lengths = search(matrix, indices=vertex, limit=limit)
                for vertices, more in (zip(*side, strict=True) for side in to):
                    found[row] = np.minimum(found[row], length + lengths[np.array(vertices)] + np.array(more))
    for row, column in np.argwhere(sources.arcs[:, None] == targets.arcs[None, :]).tolist():
        arc, far = int(sources.arcs[row]), float(targets.fractions[column] - sources.fractions[row])
        if arc >= 0:
            there, back = weights_of(matrix, city, arc)
            way = far * there if far >= 0 else -far * back
            found[row, column] = min(found[row, column], way + sources.costs[row] + targets.costs[column])
    return found


def weights_of(matrix: Any, city: apsp.Graph, arc: int) -> tuple[float, float]:
    """The weights of an arc and of that back, infinite if there is none."""
    tail, head = int(np.searchsorted(city.indptr, arc, side="right")) - 1, int(city.indices[arc])
    return float(matrix[tail, head]), float(matrix[head, tail]) or np.inf


def ends_of(
    matrix: Any, city: apsp.Graph, places: apsp.Places, *, leaving: bool
) -> tuple[list[tuple[int, float]], list[tuple[int, float]]]:
    """Both ends of the streets of places, and the lengths between them and the places, infinite against a one-way."""
    sides: tuple[list[tuple[int, float]], list[tuple[int, float]]] = [], []
    for arc, vertex, part, cost in zip(
        places.arcs.tolist(), places.vertices.tolist(), places.fractions.tolist(), places.costs.tolist(), strict=True
    ):
        there, back = (0.0, 0.0) if arc < 0 else weights_of(matrix, city, arc)
        by_tail, by_head = (back, there) if leaving else (there, back)
        sides[0].append((vertex, part * by_tail + cost))
        sides[1].append((vertex if arc < 0 else int(city.indices[arc]), (1 - part) * by_head + cost))
    return sides


def large_table(city: apsp.Graph, sources: apsp.Places, targets: apsp.Places, rows: int) -> np.ndarray:
    """The first rows of a table that is too large to be kept beside others."""
    return apsp.matrix(city, sources, targets).distances[:rows].copy()


def first_table(city: apsp.Graph, origins: np.ndarray, destinations: np.ndarray, rows: int) -> np.ndarray:
    """The same from points, of a graph whose streets and order are not known."""
    graph = apsp.Graph(city.indptr, city.indices, city.weights, coordinates=city.coordinates)
    return apsp.table(graph, origins, destinations, crs="plane", speed=SPEED).distances[:rows].copy()


def same(results: Mapping[str, Any]) -> None:
    """The rows of SciPy are those of ours."""
    *ours, theirs = (found.distances if hasattr(found, "distances") else found for found in results.values())
    for each in ours:
        np.testing.assert_allclose(each[: len(theirs)], theirs, rtol=1e-9)


def same_within(results: Mapping[str, Any]) -> None:
    """Pairs within the cutoff are those of the rows of SciPy."""
    ours, theirs = results.values()
    expected = np.argwhere(theirs <= CUTOFF)
    first = slice(0, int(ours.indptr[len(theirs)]))
    long = ours.to_long()
    got = sorted(zip(long["source"][first].tolist(), long["target"][first].tolist(), strict=True))
    assert got == sorted(map(tuple, expected.tolist()))


def peak() -> dict[str, Any]:
    return {"peak MiB of the process": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10}


def comparisons(quick: bool) -> Iterator[Comparison]:
    """A city, and points in it."""
    city = apsp.generate("city", 20_000 if quick else 1_000_000, seed=1)
    points = points_of(city, 2_000 if quick else POINTS, 1)
    yield Comparison(
        f"{len(points):,} points on the streets of a city, n = {city.n:,}, {city.m:,} arcs",
        {"apsp snap": partial(snapped, city, points), "scipy KDTree, to vertices": partial(by_tree, city, points)},
        partial(streets_are_near, points),
        facts=lambda _: peak(),
    )
    few = points[:FEW]
    yield Comparison(
        f"{FEW} points on the streets of the city, which are indexed",
        {
            "apsp snap": partial(snapped, city, few),
            "scipy KDTree, to vertices": partial(by_tree, city, few, tree_of(city)),
        },
        partial(streets_are_near, few),
    )
    count = 200 if quick else ENDS
    homes, shops = (snapped(city, points_of(city, count, seed)) for seed in (2, 3))
    some = homes[: 3 if quick else ROWS]
    yield Comparison(
        f"{count:,} x {count:,} places of the city",
        {
            "apsp matrix": partial(apsp.matrix, city, homes, shops),
            f"scipy dijkstra, {len(some)} rows": partial(by_scipy, city, some, shops),
        },
        same,
        facts=lambda _: peak(),
    )
    origins, destinations = (points_of(city, len(points), seed) for seed in (4, 5))
    begins, finals = snapped(city, origins), snapped(city, destinations)
    yield Comparison(
        f"{len(points):,} x {len(points):,} places of the city",
        {
            "apsp table, first call": partial(first_table, city, origins, destinations, len(some)),
            "apsp matrix, order known": partial(large_table, city, begins, finals, len(some)),
            f"scipy dijkstra, {len(some)} rows": partial(by_scipy, city, begins[: len(some)], finals),
        },
        same,
        facts=lambda seconds: peak() | {"target s": SECONDS_LARGE},
    )
    yield Comparison(
        f"pairs of {count:,} x {count:,} places within {CUTOFF} s",
        {
            "apsp within": partial(apsp.within, city, CUTOFF, sources=homes, targets=shops),
            f"scipy dijkstra(limit), {len(some)} rows": partial(by_scipy, city, some, shops, 2 * CUTOFF),
        },
        same_within,
        facts=lambda _: peak(),
    )
