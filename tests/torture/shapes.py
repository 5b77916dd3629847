"""Shapes of random graphs: pairs of vertices, loops and parallel arcs included."""

from __future__ import annotations

import random
from collections.abc import Callable

__all__ = ["FEWEST_OF_MANY", "SHAPES", "many_components", "vertices"]

Pairs = list[tuple[int, int]]


def vertices(rng: random.Random, most: int) -> int:
    """How many: mostly few, sometimes beyond a tile of 64, seldom up to `most`."""
    draw = rng.random()
    if draw < 0.015:
        return rng.randint(0, 2)
    if draw < 0.72:
        return min(rng.randint(3, 12), most)
    if draw < 0.95:
        return min(rng.randint(13, 40), most)
    if draw < 0.99:
        return min(rng.randint(41, 80), most)
    return min(rng.randint(81, 140) if draw < 0.9975 else rng.randint(141, 300), most)


def _random(rng: random.Random, n: int) -> Pairs:
    m = int(n * rng.choice((0.5, 1, 1.5, 2, 3)))
    return [(int(rng.random() * n), int(rng.random() * n)) for _ in range(m)]


def _dense(rng: random.Random, n: int) -> Pairs:
    n = min(n, 60)
    share = rng.choice((0.3, 0.7, 1.0))
    return [(u, v) for u in range(n) for v in range(n) if u != v and rng.random() < share]


def _chain(rng: random.Random, n: int) -> Pairs:
    both = rng.random() < 0.5
    pairs = [(v, v + 1) for v in range(n - 1)]
    return pairs + [(v, u) for u, v in pairs] if both else pairs


def _ring(rng: random.Random, n: int) -> Pairs:
    return [(v, (v + 1) % n) for v in range(n)] + [
        (rng.randrange(n), rng.randrange(n)) for _ in range(rng.randint(0, 3))
    ]


def _star(rng: random.Random, n: int) -> Pairs:
    out = [(0, v) for v in range(1, n) if rng.random() < 0.8]
    return out + [(v, 0) for v in range(1, n) if rng.random() < 0.6]


def _tree(rng: random.Random, n: int) -> Pairs:
    down = [(int(rng.random() * v), v) for v in range(1, n)]
    return down + [(v, u) for u, v in down if rng.random() < 0.7]


def _grid(rng: random.Random, n: int) -> Pairs:
    side = max(int(n**0.5), 1)
    pairs = []
    for v in range(n):
        for other in (v + 1 if (v + 1) % side else n, v + side):
            if other < n:
                pairs += [pair for pair in ((v, other), (other, v)) if rng.random() < 0.9]
    return pairs + [(rng.randrange(n), rng.randrange(n)) for _ in range(n // 15)]


def _layers(rng: random.Random, n: int) -> Pairs:
    """No cycle: arcs lead to larger numbers."""
    pairs = [(int(rng.random() * n), int(rng.random() * n)) for _ in range(2 * n)]
    return [(min(pair), max(pair)) for pair in pairs if pair[0] != pair[1]]


def _components(rng: random.Random, n: int) -> Pairs:
    parts = rng.randint(2, 4)
    return [(u, v) for u, v in _random(rng, n) * 2 if u % parts == v % parts]


FEWEST_OF_MANY = 520
"""Vertices from which on rows are computed component by component."""


def many_components(rng: random.Random, n: int) -> Pairs:
    """Single vertices, pairs, small trees and rings in great number, and perhaps a large component; in any order."""
    number = list(range(n))
    rng.shuffle(number)
    pairs: Pairs = []
    first, large = 0, rng.choice((0, 0, n // 3, n // 2))
    while first < n:
        size = min(large if large and not first else rng.choice((1, 2, 2, 2, 3, 5, 12, 33, 40)), n - first)
        own = number[first : first + size]
        pairs += [(own[int(rng.random() * k)], own[k]) for k in range(1, size)]
        pairs += [(own[rng.randrange(size)], own[rng.randrange(size)]) for _ in range(rng.choice((0, 0, 1, size // 2)))]
        first += size
    return pairs


def _two_clusters(rng: random.Random, n: int) -> Pairs:
    half = max(n // 2, 1)
    pairs = [(u, v) for u, v in _random(rng, n) + _random(rng, n) if (u < half) == (v < half)]
    return [*pairs, (0, n - 1)] if rng.random() < 0.7 else pairs


def _none(rng: random.Random, n: int) -> Pairs:
    return []


SHAPES: dict[str, tuple[float, Callable[[random.Random, int], Pairs]]] = {
    "random": (10, _random),
    "dense": (3, _dense),
    "chain": (2, _chain),
    "ring": (3, _ring),
    "star": (2, _star),
    "tree": (3, _tree),
    "grid": (4, _grid),
    "layers": (2, _layers),
    "components": (2, _components),
    "many components": (0.4, many_components),
    "two clusters": (2, _two_clusters),
    "no arc": (0.3, _none),
}
"""Name: how often, and the pairs."""
