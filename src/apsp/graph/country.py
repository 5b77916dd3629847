"""A country: towns, villages, country roads and motorways, with coordinates in metres and travel times in seconds.

The sizes of settlements follow Zipf's law: the k-th has 1/k of the vertices of the first, the last about five. A town
is a turned, jittered grid of streets with avenues; the streets of a village are nearly a tree. Country roads lead from
neighbour to neighbour (the sides of Delaunay's triangles that are not the longest of one), with bends and farms on the
way. Motorways join the largest towns if there are 3,000 vertices or more: they have a vertex per carriageway and
junction, about 12 km apart, and ramps to the nearest settlement. Without them the graph is planar; they cross other
roads on bridges.

Rivers, ridges and railways divide the country into halves, these into quarters, and so on. At most 2.7 k^(1/3) streets,
or those of a spanning tree if there are more, cross such a barrier inside a region of k vertices, and motorways. So
separators grow as those of real roads do, n^(1/3), not as those of a city, n^(1/2). At 264,346 vertices the mean degree
is 2.76 and a search space of the best order has 4,551 arcs; of the roads of New York 2.76 and 4,911
(benchmarks/orders.py).

The graph is strongly connected: the streets of a spanning tree that crosses few barriers stay two-way. Carriageways are
one-way, and so is a quarter of the other small streets.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from scipy.spatial import Delaunay, KDTree

from apsp.graph.convert import from_edges
from apsp.graph.model import Graph
from apsp.graph.streets import (
    AVENUE,
    AVENUE_EVERY,
    BLOCK,
    STREET,
    Bools,
    Floats,
    Ints,
    Streets,
    directions,
    in_tree,
    travel_times,
    whole,
)

__all__ = ["country"]

ROAD, RAMP, MOTORWAY = 22.0, 16.0, 33.0  # metres per second
TOWN = 40  # vertices of the smallest town; what is smaller is a village
MISSING, MISSING_IN_VILLAGE = 0.24, 0.8  # share of small streets that are missing
SETTLED, SMALLEST = 0.74, 5.0  # share of vertices in settlements; vertices of the smallest one
FARMS = 0.4  # share of the vertices of country roads that are farms beside them
LAND = 0.06  # share of the land that settlements cover
JUNCTIONS = 12_000.0  # metres between junctions of a motorway
BRIDGES = 2.7  # k^(1/3) times so many streets cross the barrier in a region of k vertices
FINEST = 15  # halvings of each side of the country


class _Settlements(NamedTuple):
    """Sizes, the largest first; centres; the angles of the streets; the first vertex of each."""

    sizes: Ints
    centres: Floats
    angles: Floats
    first: Ints

    @property
    def radii(self) -> Floats:
        """Metres."""
        radii: Floats = BLOCK * (np.sqrt(self.sizes / math.pi) + 1)
        return radii


class _Lattice(NamedTuple):
    """Whole numbers a, b in a square around the origin, the nearest to it first; `ranks[a, b]` is their place."""

    points: Ints
    ranks: Ints


def country(n: int, rng: np.random.Generator, *, directed: bool = True) -> Graph:
    """Generate a country of n vertices; `directed=False` makes every street and carriageway two-way."""
    sizes = _sizes(n, rng)
    towns = _Settlements(sizes, _centres(sizes, rng), rng.uniform(0, math.pi / 2, len(sizes)), np.cumsum(sizes) - sizes)
    lattice = _lattice(int(sizes.max(initial=0)))
    places, streets = _streets(towns, lattice, rng)
    junctions, carriageways, ramps = _motorways(towns, lattice, n)
    beside, roads = _roads(towns, lattice, places, n - len(places) - len(junctions), len(places) + len(junctions), rng)
    points = np.concatenate([places, junctions, beside])
    two_way = _joined(streets, ramps, roads)
    kept, spans = _bridged(points, two_way, towns, rng)
    two_way = Streets(two_way.tails[kept], two_way.heads[kept], two_way.speed[kept])
    forth, back = directions((two_way.speed == STREET) & ~spans[kept] & directed, rng)
    times, along = (whole(travel_times(points, each, rng)) for each in (two_way, carriageways))
    return from_edges(
        np.concatenate([two_way.tails[forth], two_way.heads[back], carriageways.tails]),
        np.concatenate([two_way.heads[forth], two_way.tails[back], carriageways.heads]),
        np.concatenate([times[forth], times[back], along]), n=n, directed=directed, coordinates=np.round(points, 1),
    )  # fmt: skip


def _joined(*parts: Streets) -> Streets:
    tails, heads, speed = zip(*parts, strict=True)
    return Streets(np.concatenate(tails), np.concatenate(heads), np.concatenate(speed))


def _sizes(n: int, rng: np.random.Generator) -> Ints:
    """The vertices of settlements, the largest first."""
    if n < 2 * TOWN:
        return np.array([n] if n else [], np.int64)

    def by_rank(count: int) -> Floats:
        found: Floats = np.maximum(3.0, SMALLEST * count / np.arange(1, count + 1))
        return found

    low, high = 1, n
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if by_rank(middle).sum() <= SETTLED * n else (low, middle)
    sizes = by_rank(low) * rng.uniform(0.9, 1.1, low)
    return np.sort(sizes.astype(np.int64))[::-1]


def _centres(sizes: Ints, rng: np.random.Generator) -> Floats:
    """Points in a square, twice the radius of the larger settlement apart or more."""
    radii = BLOCK * (np.sqrt(sizes / math.pi) + 1)
    side = math.sqrt(math.pi * float(radii @ radii) / LAND)
    placed: list[tuple[KDTree, float]] = []
    found = [np.empty((0, 2))]
    first = 0
    while first < len(sizes):
        group = radii[first : 2 * first + 1]
        apart, here = 2 * float(group[0]), np.empty((0, 2))
        while len(here) < len(group):
            drawn = np.concatenate([here, rng.uniform(0, side, (2 * (len(group) - len(here)) + 8, 2))])
            free = np.ones(len(drawn), dtype=bool)
            for tree, distance in placed:
                free &= tree.query(drawn, distance_upper_bound=distance)[0] >= distance
            drawn = drawn[free]
            free = np.ones(len(drawn), dtype=bool)
            free[KDTree(drawn).query_pairs(apart, output_type="ndarray").max(axis=1, initial=-1)] = False
            here = drawn[free][: len(group)]
        found.append(here)
        placed.append((KDTree(here), apart))
        first = 2 * first + 1
    return np.concatenate(found)


def _lattice(most: int) -> _Lattice:
    half = math.isqrt(most) * 3 // 5 + 4
    a, b = (each.ravel() - half for each in np.indices((2 * half + 1, 2 * half + 1)))
    order = np.lexsort((np.arctan2(b, a), a * a + b * b))
    ranks = np.empty(len(order), dtype=np.int64)
    ranks[order] = np.arange(len(order))
    return _Lattice(np.column_stack([a, b])[order], ranks.reshape(2 * half + 1, -1))


def _rank(lattice: _Lattice, points: Ints) -> Ints:
    half = len(lattice.ranks) // 2
    found: Ints = lattice.ranks[points[:, 0] + half, points[:, 1] + half]
    return found


def _streets(towns: _Settlements, lattice: _Lattice, rng: np.random.Generator) -> tuple[Floats, Streets]:
    """The vertices of settlements, and all streets between those next to each other."""
    town = np.repeat(np.arange(len(towns.sizes)), towns.sizes)
    rank = np.arange(len(town)) - towns.first[town]
    spots = lattice.points[rank]
    jittered = BLOCK * (spots + rng.uniform(-0.2, 0.2, spots.shape))
    points = towns.centres[town] + _turned(jittered, towns.angles[town])
    links = []
    for axis in (0, 1):
        beside = _rank(lattice, spots[: max(towns.sizes, default=0)] + np.eye(2, dtype=np.int64)[axis])[rank]
        tails = np.flatnonzero(beside < towns.sizes[town])
        is_avenue = spots[tails, 1 - axis] % AVENUE_EVERY == 0
        is_avenue &= (axis == 0) | (towns.sizes[town[tails]] >= TOWN)
        heads = towns.first[town[tails]] + beside[tails]
        links.append(Streets(tails, heads, np.where(is_avenue, AVENUE, STREET)))
    return points, _joined(*links)


def _turned(points: Floats, angles: Floats) -> Floats:
    cos, sin = np.cos(angles), np.sin(angles)
    return np.column_stack([cos * points[:, 0] - sin * points[:, 1], sin * points[:, 0] + cos * points[:, 1]])


def _gates(towns: _Settlements, lattice: _Lattice, which: Ints, targets: Floats) -> Ints:
    """The vertices at the edge of settlements in the directions of targets."""
    away = _turned(targets - towns.centres[which], -towns.angles[which])
    away /= np.maximum(np.hypot(*away.T), 1e-9)[:, None]
    sizes = towns.sizes[which]
    radius, found = np.sqrt(sizes / math.pi) + 1, np.full(len(which), -1)
    missing = np.arange(len(which))
    while len(missing):
        rank = _rank(lattice, np.rint(away[missing] * radius[missing, None]).astype(np.int64))
        is_inside = rank < sizes[missing]
        found[missing[is_inside]] = rank[is_inside]
        missing = missing[~is_inside]
        radius = np.maximum(radius - 0.25, 0)
    return found + towns.first[which]


def _neighbours(points: Floats) -> tuple[Ints, Ints]:
    """The sides of Delaunay's triangles that are not the longest of one."""
    count = len(points)
    if count < 3:
        return np.arange(count - 1), np.arange(1, count)
    triangles = Delaunay(points).simplices.astype(np.int64)
    ends = np.sort(np.stack([triangles, np.roll(triangles, -1, axis=1)]), axis=0)
    lengths = np.hypot(*np.moveaxis(points[ends[0]] - points[ends[1]], 2, 0))
    sides = ends[0] * count + ends[1]
    longest = sides[np.arange(len(sides)), lengths.argmax(axis=1)]
    tails, heads = np.divmod(np.setdiff1d(sides, longest), count)
    return tails, heads


def _motorways(towns: _Settlements, lattice: _Lattice, n: int) -> tuple[Floats, Streets, Streets]:
    """Junctions, of each a vertex per carriageway; the carriageways between them; ramps to the nearest settlement."""
    large = min(len(towns.sizes), round(0.35 * n ** (1 / 3))) if n >= 3000 else 0
    tails, heads = _neighbours(towns.centres[:large]) if large > 2 else (np.empty(0, np.int64),) * 2
    between = towns.centres[heads] - towns.centres[tails]
    length = np.hypot(*between.T)
    ahead = between / length[:, None]
    starts = towns.centres[tails] + ahead * (towns.radii[tails] + BLOCK)[:, None]
    length = np.maximum(length - towns.radii[tails] - towns.radii[heads] - 2 * BLOCK, BLOCK)
    counts = np.maximum(2, np.rint(length / JUNCTIONS).astype(np.int64) + 1)
    way = np.repeat(np.arange(len(tails)), counts)
    number = np.arange(len(way)) - np.repeat(np.cumsum(counts) - counts, counts)
    middle = starts[way] + ahead[way] * (length[way] * number / (counts[way] - 1))[:, None]
    aside = 15 * np.column_stack([ahead[way, 1], -ahead[way, 0]])
    base, total = int(towns.sizes.sum()), len(way)
    forth = base + np.flatnonzero(number < counts[way] - 1)
    carriageways = np.concatenate([forth, forth + total + 1]), np.concatenate([forth + 1, forth + total])
    nearest = KDTree(towns.centres).query(middle)[1] if total else np.empty(0, np.int64)
    nearest = np.where(number == 0, tails[way], np.where(number == counts[way] - 1, heads[way], nearest))
    gates = _gates(towns, lattice, nearest, middle)
    return (
        np.concatenate([middle + aside, middle - aside]),
        Streets(*carriageways, np.full(2 * len(forth), MOTORWAY)),
        Streets(np.append(gates, gates), base + np.arange(2 * total), np.full(2 * total, RAMP)),
    )


def _roads(
    towns: _Settlements, lattice: _Lattice, places: Floats, count: int, base: int, rng: np.random.Generator
) -> tuple[Floats, Streets]:
    """The bends of country roads, and farms beside them, `count` vertices from number `base` on; the roads."""
    one, other = _neighbours(towns.centres)
    from_, to = (_gates(towns, lattice, a, towns.centres[b]) for a, b in ((one, other), (other, one)))
    between = places[to] - places[from_]
    length = np.hypot(*between.T)
    farms = int(FARMS * count)
    ends = np.floor((count - farms) * np.cumsum(length) / max(length.sum(), 1.0) + 0.5).astype(np.int64)
    bends = np.diff(ends, prepend=0)
    road = np.repeat(np.arange(len(one)), bends)
    number = np.arange(len(road)) - (ends - bends)[road]
    along = (number + 1 + rng.uniform(-0.3, 0.3, len(road))) / (bends[road] + 1)
    across = between[road][:, ::-1] * (-1, 1)
    swing = rng.uniform(-0.05, 0.05, len(one))[road] * np.sin(math.pi * along)
    curve = places[from_][road] + between[road] * along[:, None] + across * swing[:, None]
    hosts = rng.permutation(len(road))[:farms]
    aside = across[hosts] / length[road[hosts], None] * rng.choice([-1, 1], farms)[:, None]
    farm = curve[hosts] + aside * rng.uniform(100, 400, farms)[:, None]
    stops = np.insert(base + np.arange(len(road)), ends - bends, from_)
    stops = np.insert(stops, ends + np.arange(1, len(one) + 1), to)
    is_last = np.zeros(len(stops), dtype=bool)
    is_last[np.cumsum(bends + 2) - 1] = True
    tails = np.flatnonzero(~is_last)
    links = Streets(
        np.append(stops[tails], base + hosts), np.append(stops[tails + 1], base + len(road) + np.arange(farms)),
        np.append(np.full(len(tails), ROAD), np.full(farms, STREET)),
    )  # fmt: skip
    return np.concatenate([curve, farm]), links


def _bridged(points: Floats, links: Streets, towns: _Settlements, rng: np.random.Generator) -> tuple[Ints, Bools]:
    """The links that exist, and for each link whether it belongs to a spanning tree that crosses few barriers."""
    codes = _regions(points, rng)
    ends = codes[links.tails], codes[links.heads]
    level = np.frexp((ends[0] ^ ends[1]).astype(np.float64))[1].astype(np.int64)
    region = ends[0] >> level
    among = np.sort(codes)
    size = np.searchsorted(among, (region + 1) << level) - np.searchsorted(among, region << level)
    in_village = np.repeat(towns.sizes < TOWN, towns.sizes)
    share = np.zeros(len(level))
    inside = np.flatnonzero(links.tails < len(in_village))
    share[inside] = np.where(in_village[links.tails[inside]], MISSING_IN_VILLAGE, MISSING)
    is_missing = (links.speed == STREET) & (rng.random(len(level)) < share)
    order = rng.random(len(level))
    weights = 1.0 + 2 * level + is_missing + order / 2
    spans = in_tree(links, weights, len(points))
    rank = np.lexsort((order + 2 * is_missing - (links.speed > STREET) - 9 * spans, (region << 5) + level))
    group = ((region << 5) + level)[rank]
    starts = np.flatnonzero(np.append(True, group[1:] != group[:-1])[: len(group)])
    place = np.empty(len(level), dtype=np.int64)
    place[rank] = np.arange(len(level)) - np.repeat(starts, np.diff(np.append(starts, len(group))))
    return np.flatnonzero(spans | (~is_missing & (place < BRIDGES * np.cbrt(size)))), spans


def _regions(points: Floats, rng: np.random.Generator) -> Ints:
    """The regions of points: two bits per halving of the country across and along, by wavy lines."""
    if not len(points):
        return np.empty(0, np.int64)
    low = points.min(axis=0)
    side = float((points.max(axis=0) - low).max()) + 1.0
    unit = (points - low) / side
    codes = np.zeros(len(points), dtype=np.int64)
    for axis in (0, 1):
        bent = unit[:, axis].copy()
        for waves, height in ((3, 0.02), (11, 0.006)):
            bent += height * np.sin(2 * math.pi * (waves * unit[:, 1 - axis] + rng.random()))
        cell = (np.clip(0.05 + 0.9 * bent, 0, 1 - 2.0**-FINEST) * 2**FINEST).astype(np.int64)
        for bit in range(FINEST):
            codes |= ((cell >> bit) & 1) << (2 * bit + axis)
    return codes
