"""A city: a planar street network with coordinates in metres and travel times in whole seconds.

Streets form a jittered, slightly bent grid. Every eighth is an avenue; a ring road skips most crossings; a river is
crossed by every second avenue and the ring road only; parks and missing streets make blocks uneven. A quarter of the
small streets is one-way. The graph is strongly connected: the streets of a spanning tree stay two-way.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp
from scipy.sparse import csgraph

from apsp.graph.convert import from_edges
from apsp.graph.model import Graph
from apsp.graph.streets import (
    AVENUE,
    AVENUE_EVERY,
    BLOCK,
    STREET,
    Floats,
    Ints,
    Streets,
    directions,
    in_tree,
    travel_times,
    whole,
)

__all__ = ["city"]

RING_ROAD = 25.0  # metres per second
MISSING = 0.14  # share of small streets that are missing


def city(n: int, rng: np.random.Generator, *, directed: bool = True) -> Graph:
    """Generate a city of n crossings; `directed=False` makes every street two-way."""
    if n < 4:
        path = np.arange(max(n - 1, 0))
        points = np.column_stack([np.arange(n) * BLOCK, np.zeros(n)])
        return from_edges(
            np.append(path, path + 1), np.append(path + 1, path), np.full(2 * len(path), 20, np.int32), n=n,
            directed=directed, coordinates=points,
        )  # fmt: skip
    side = math.ceil(math.sqrt(1.6 * n)) + 4
    while True:
        points, streets = _plan(side, n, rng)
        kept = _innermost(points, streets, n)
        if kept is not None:
            break
        side = side + side // 8 + 1
    return _build(points, streets, kept, rng, directed)


def _plan(side: int, n: int, rng: np.random.Generator) -> tuple[Floats, Streets]:
    """Crossings on a side x side grid around the origin, and the streets between them."""
    row, column = np.divmod(np.arange(side * side), side)
    x, y = (column - (side - 1) / 2) * BLOCK, (row - (side - 1) / 2) * BLOCK
    radius = BLOCK * math.sqrt(n / math.pi)
    x, y = _bent(x, y, radius, rng)
    bank = y - _river(x, radius, phase := rng.uniform(0, 2 * math.pi))
    y = y + np.sign(bank) * 0.9 * BLOCK * np.exp(-((bank / (4 * BLOCK)) ** 2))  # a gap between the banks
    x += rng.uniform(-0.2, 0.2, side * side) * BLOCK
    y += rng.uniform(-0.2, 0.2, side * side) * BLOCK
    north = y > _river(x, radius, phase)
    avenue_row, avenue_column = row % AVENUE_EVERY == 3, column % AVENUE_EVERY == 3
    number = np.arange(side * side)
    across, up = number[column < side - 1], number[row < side - 1]
    tails, heads = np.concatenate([across, up]), np.concatenate([across + 1, up + side])
    on_avenue = np.concatenate([avenue_row[across], avenue_column[up]])
    bridge = np.concatenate([np.zeros(len(across), bool), (column[up] % (2 * AVENUE_EVERY) == 3)])
    there = on_avenue | (rng.random(len(tails)) >= MISSING)
    there &= (north[tails] == north[heads]) | bridge
    park = _in_park(x, y, radius, rng)
    there &= ~(park[tails] | park[heads]) | on_avenue
    ring_tails, ring_heads = _ring_road(x, y, 0.62 * radius)
    speed = np.where(on_avenue[there], AVENUE, STREET)
    streets = Streets(
        np.concatenate([tails[there], ring_tails]), np.concatenate([heads[there], ring_heads]),
        np.concatenate([speed, np.full(len(ring_tails), RING_ROAD)]),
    )  # fmt: skip
    return np.column_stack([x, y]), streets


def _bent(x: Floats, y: Floats, radius: float, rng: np.random.Generator) -> tuple[Floats, Floats]:
    """Bend the grid by a few long waves, so that no avenue is quite straight."""
    dx, dy = np.zeros_like(x), np.zeros_like(y)
    for _ in range(4):
        angle, phase, other = rng.uniform(0, 2 * math.pi, 3)
        wave = (x * math.cos(angle) + y * math.sin(angle)) * rng.uniform(1.5, 3.5) / radius
        dx += 0.05 * radius * np.sin(wave + phase)
        dy += 0.05 * radius * np.sin(wave + other)
    return x + dx, y + dy


def _river(x: Floats, radius: float, phase: float) -> Floats:
    """Return the river's y at x."""
    bend: Floats = 0.22 * radius * np.sin(1.7 * x / radius + phase) + 0.12 * x - 0.1 * radius
    return bend


def _in_park(x: Floats, y: Floats, radius: float, rng: np.random.Generator) -> npt.NDArray[np.bool_]:
    inside = np.zeros(len(x), dtype=bool)
    for _ in range(4):
        angle, far = rng.uniform(0, 2 * math.pi), rng.uniform(0.15, 0.85) * radius
        wide, high = rng.uniform(0.06, 0.13, 2) * radius
        dx, dy = x - far * math.cos(angle), y - far * math.sin(angle)
        inside |= (dx / wide) ** 2 + (dy / high) ** 2 < 1
    return inside


def _ring_road(x: Floats, y: Floats, radius: float) -> tuple[Ints, Ints]:
    """Join crossings next to a circle, about four blocks apart."""
    count = max(6, int(2 * math.pi * radius / (4 * BLOCK)))
    angles = np.arctan2(y, x)
    off = np.abs(np.hypot(x, y) - radius)
    near = np.flatnonzero(off < 1.5 * BLOCK)
    sector = ((angles[near] + math.pi) / (2 * math.pi) * count).astype(np.int64) % count
    order = np.lexsort((off[near], sector))
    _, first = np.unique(sector[order], return_index=True)
    stops = near[order[first]]
    if len(stops) < 3:
        return np.empty(0, np.int64), np.empty(0, np.int64)
    return stops, np.roll(stops, -1)


def _innermost(points: Floats, streets: Streets, n: int) -> Ints | None:
    """Pick n connected crossings as near to the centre as possible; None if there are fewer.

    A spanning tree with paths near the centre is grown; a crossing counts as far away as the farthest crossing on its
    path.
    """
    far = np.hypot(points[:, 0], points[:, 1])
    weights = np.maximum(far[streets.tails], far[streets.heads]) + 1.0
    matrix = sp.csr_array((weights, (streets.tails, streets.heads)), shape=(len(points), len(points)))
    tree = csgraph.minimum_spanning_tree(matrix)
    has_street = np.zeros(len(points), dtype=bool)
    has_street[streets.tails] = has_street[streets.heads] = True
    root = int(np.where(has_street, far, np.inf).argmin())
    order, parent = csgraph.breadth_first_order(tree, root, directed=False, return_predecessors=True)
    if len(order) < n:
        return None
    parent = parent.astype(np.int64)
    parent[root] = root
    depth = np.ones(len(points), dtype=np.int64)
    depth[root] = 0
    reach = far.copy()
    jump = np.where(parent < 0, root, parent)
    for _ in range(len(order).bit_length() + 1):  # each round doubles the known part of the paths
        reach = np.maximum(reach, reach[jump])
        depth = depth + depth[jump]
        jump = jump[jump]
    chosen = order[np.lexsort((depth[order], reach[order]))][:n]
    return np.sort(chosen).astype(np.int64)


def _build(points: Floats, streets: Streets, kept: Ints, rng: np.random.Generator, directed: bool) -> Graph:
    number = np.full(len(points), -1, dtype=np.int64)
    number[kept] = np.arange(len(kept))
    tails, heads = number[streets.tails], number[streets.heads]
    inside = (tails >= 0) & (heads >= 0)
    tails, heads, places = tails[inside], heads[inside], points[kept]
    there = Streets(tails, heads, streets.speed[inside])
    seconds, size = travel_times(places, there, rng), len(kept)
    times = whole(seconds)
    forth, back = directions((there.speed == STREET) & ~in_tree(there, seconds + 1.0, size) & directed, rng)
    return from_edges(
        np.append(tails[forth], heads[back]), np.append(heads[forth], tails[back]),
        np.append(times[forth], times[back]), n=size, directed=directed, coordinates=np.round(places, 1),
    )  # fmt: skip
