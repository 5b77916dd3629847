"""Regimes of weights: what random graphs are weighted with. Each is a function of a generator and pairs of vertices."""

from __future__ import annotations

import math
import random
from collections.abc import Callable

import numpy as np

__all__ = ["REGIMES", "Weighted"]

Pairs = list[tuple[int, int]]
Weighted = tuple[list[int | float], str | None]
"""Weights of the pairs, and the dtype they are meant for; None counts hops."""


def _hops(rng: random.Random, n: int, pairs: Pairs) -> Weighted:
    return [1] * len(pairs), None


def _integers(low: int, high: int) -> Callable[[random.Random, int, Pairs], Weighted]:
    def draw(rng: random.Random, n: int, pairs: Pairs) -> Weighted:
        span = high - low + 1
        return [low + int(rng.random() * span) for _ in pairs], rng.choice(("int32", "int64"))

    return draw


def _near(limit: int) -> Callable[[random.Random, int, Pairs], Weighted]:
    """Weights whose distances come close to a limit, a little below or above it."""

    def draw(rng: random.Random, n: int, pairs: Pairs) -> Weighted:
        most = limit // max(rng.choice((1, 2, n - 1)), 1) + rng.randint(-3, 3)
        most = max(min(most, 2**62), 1)
        return [max(most - rng.choice((0, 0, 1, rng.randint(0, most))), 0) for _ in pairs], "int64"

    return draw


def _magnitudes(rng: random.Random, n: int, pairs: Pairs) -> Weighted:
    return [int(10 ** (rng.random() * 12)) for _ in pairs], "int64"


def _heights(size: int) -> Callable[[random.Random, int, Pairs], Weighted]:
    """Negative arcs without a negative cycle: differences of random heights are added to weights of at least 0."""

    def draw(rng: random.Random, n: int, pairs: Pairs) -> Weighted:
        height = [rng.randint(-size, size) for _ in range(n)]
        top = rng.choice((0, 1, size))
        weights: list[int | float] = [rng.randint(0, top) + height[u] - height[v] for u, v in pairs]
        return weights, rng.choice(("int32", "int64")) if size < 2**29 else "int64"

    return draw


def _few_negative(rng: random.Random, n: int, pairs: Pairs) -> Weighted:
    """Some negative arcs, and maybe a negative cycle."""
    weights: list[int | float] = [rng.randint(0, 30) for _ in pairs]
    for _ in range(rng.randint(1, 3)):
        if pairs:
            weights[rng.randrange(len(pairs))] = -rng.randint(1, 12)
    return weights, rng.choice(("int32", "int64"))


def _as_floats(regime: Callable[[random.Random, int, Pairs], Weighted], unit: float = 1.0):
    """Integers as floats, exactly: multiples of a power of two."""

    def draw(rng: random.Random, n: int, pairs: Pairs) -> Weighted:
        weights, _ = regime(rng, n, pairs)
        return [weight * unit for weight in weights], rng.choice(("float32", "float64"))

    return draw


def _uniform(rng: random.Random, n: int, pairs: Pairs) -> Weighted:
    return [rng.random() for _ in pairs], rng.choice(("float32", "float64"))


def _powers(low: float, high: float, dtype: str) -> Callable[[random.Random, int, Pairs], Weighted]:
    """Magnitudes from 10^low to 10^high."""

    def draw(rng: random.Random, n: int, pairs: Pairs) -> Weighted:
        return [rng.random() * 10 ** rng.uniform(low, high) for _ in pairs], dtype

    return draw


def _big_m(rng: random.Random, n: int, pairs: Pairs) -> Weighted:
    """Small weights beside a few that stand for "never", and maybe a negative one."""
    huge = rng.choice((1e12, 1e20, 1e28, 1e30, 1e35))
    weights: list[int | float] = [float(rng.randint(1, 20)) for _ in pairs]
    for k in range(len(pairs)):
        if rng.random() < 0.15:
            weights[k] = huge
    if pairs and rng.random() < 0.8:
        weights[rng.randrange(len(pairs))] = -1.0
    return weights, rng.choice(("float64", "float64", "float32"))


def _float_heights(rng: random.Random, n: int, pairs: Pairs) -> Weighted:
    """Differences of heights, rounded: cycles of length zero but for rounding."""
    height = [rng.uniform(-1, 1) * 10 ** rng.choice((0, 0, 3, 8)) for _ in range(n)]
    share = rng.choice((0.0, 0.5, 1.0))
    weights = [(rng.random() if rng.random() < share else 0.0) + height[u] - height[v] for u, v in pairs]
    return list(weights), rng.choice(("float64", "float64", "float32"))


def _rates(rng: random.Random, n: int, pairs: Pairs) -> Weighted:
    """Logarithms of exchange rates: a cycle multiplies to one, but for rounding, or to a little more or less."""
    price = [math.exp(rng.uniform(-3, 3)) for _ in range(n)]
    spread = rng.choice((0.0, 0.0, 1e-3, 1e-15))
    return [math.log(price[u] / price[v]) + spread * rng.random() for u, v in pairs], "float64"


def _ties(rng: random.Random, n: int, pairs: Pairs) -> Weighted:
    """Tenths: sums that are equal on paper and differ by rounding."""
    negative = rng.random() < 0.4
    return [
        rng.choice((0.1, 0.2, 0.3, 0.7, *((-0.1, -0.3) if negative and rng.random() < 0.2 else ()))) for _ in pairs
    ], rng.choice(("float64", "float32"))


def _wide_negative(rng: random.Random, n: int, pairs: Pairs) -> Weighted:
    """Mixed magnitudes, with negative arcs out of sources of the order only: there is no cycle through them."""
    rank = list(range(n))
    rng.shuffle(rank)
    weights = []
    for u, v in pairs:
        weight = rng.random() * 10 ** rng.uniform(-300, 300)
        weights.append(-weight if rank[u] < rank[v] and rng.random() < 0.2 and rank[u] == 0 else weight)
    return list(weights), "float64"


def _mixed_negative(rng: random.Random, n: int, pairs: Pairs) -> Weighted:
    """Mixed magnitudes with signs as they come; many have a negative cycle."""
    span = rng.choice((3, 20, 300))
    return [rng.choice((1, 1, 1, 1, 1, -1)) * rng.random() * 10 ** rng.uniform(-span, span) for _ in pairs], "float64"


def _special(rng: random.Random, n: int, pairs: Pairs) -> Weighted:
    """Signed zeros, the smallest and the largest numbers."""
    some = (0.0, -0.0, 5e-324, 2.2250738585072014e-308, 1e-300, 1.0, 1e300)
    return [rng.choice(some) for _ in pairs], "float64"


def _near_the_largest(rng: random.Random, n: int, pairs: Pairs) -> Weighted:
    """A few arcs of an eighth, a quarter or all of the range of the dtype, whose sums leave it, among short ones."""
    dtype = rng.choice(("int64", "float64", "float32"))
    most: int | float = 2**63 - 1 if dtype == "int64" else float(np.finfo(dtype).max)
    share = rng.choice((0.1, 0.5, 1.0))
    weights: list[int | float] = []
    for _ in pairs:
        part = rng.choice((8, 8, 7, 4, 1))
        large = most // part + rng.randint(0, part > 1) if dtype == "int64" else most / part
        weights.append(large if rng.random() < share else rng.choice((0, 1)))
    return weights, dtype


def _float_cycles(rng: random.Random, n: int, pairs: Pairs) -> Weighted:
    weights, _ = _few_negative(rng, n, pairs)
    scale = 10.0 ** rng.choice((-30, -3, 0, 5, 30))
    return [weight * scale for weight in weights], "float64"


REGIMES: dict[str, tuple[float, Callable[[random.Random, int, Pairs], Weighted]]] = {
    "hops": (6, _hops),
    "1 to 9": (8, _integers(1, 9)),
    "0 and 1": (5, _integers(0, 1)),
    "only 0": (2, _integers(0, 0)),
    "to a million": (6, _integers(0, 1_000_000)),
    "near 2^15": (2, _near(2**15)),
    "near 2^16": (4, _near(2**16)),
    "near 2^24": (2, _near(2**24)),
    "near 2^29": (3, _near(2**29)),
    "near 2^31": (3, _near(2**31)),
    "near 2^53": (1, _near(2**53)),
    "near 2^61": (3, _near(2**61)),
    "near the largest": (3, _near_the_largest),
    "mixed integers": (5, _magnitudes),
    "heights": (8, _heights(40)),
    "large heights": (4, _heights(2**28)),
    "huge heights": (2, _heights(2**55)),
    "some negative": (7, _few_negative),
    "uniform floats": (7, _uniform),
    "integers as floats": (4, _as_floats(_integers(0, 1000))),
    "dyadic heights": (4, _as_floats(_heights(1000), 2.0**-7)),
    "huge floats": (3, _powers(280, 300, "float64")),
    "tiny floats": (3, _powers(-300, -280, "float64")),
    "subnormal": (3, _powers(-323, -305, "float64")),
    "subnormal float32": (2, _powers(-44, -37, "float32")),
    "mixed floats": (6, _powers(-300, 300, "float64")),
    "mixed float32": (3, _powers(-30, 30, "float32")),
    "big M": (6, _big_m),
    "float heights": (5, _float_heights),
    "rates": (4, _rates),
    "ties": (5, _ties),
    "wide and negative": (4, _wide_negative),
    "mixed and negative": (4, _mixed_negative),
    "special floats": (3, _special),
    "negative floats": (4, _float_cycles),
}
"""Name: how often, and the weights."""


def fitting(weights: list[int | float], dtype: str | None) -> list[int | float]:
    """The weights as their dtype holds them."""
    if dtype != "float32":
        return weights
    with np.errstate(over="ignore", under="ignore"):
        rounded = np.array(weights, dtype=np.float32).astype(np.float64)
    rounded[~np.isfinite(rounded)] = 1e38
    return np.float32(rounded).astype(np.float64).tolist()
