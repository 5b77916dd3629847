"""Streets whose weights depend on the time, in exact arithmetic, for tests of departures."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np
from hypothesis import strategies as st

import apsp

__all__ = ["Arcs", "arrivals_along", "cases", "first_in_first_out", "periods_of", "weight_at"]

Arcs = dict[tuple[int, int], list[Fraction]]


def weight_at(weights: list[Fraction], times: list[int], cycle: int | None, time: Fraction) -> Fraction:
    """The weight at a time, from the points of a whole cycle before, of this one and of the next."""
    points = list(zip(map(Fraction, times), weights, strict=True))
    if cycle is not None:
        turns = (time - times[0]) // cycle
        points = [
            (moment + turn * cycle, weight) for turn in (turns - 1, turns, turns + 1) for moment, weight in points
        ]
    if time <= points[0][0]:
        return points[0][1]
    for (one, before), (other, after) in itertools.pairwise(points):
        if one <= time <= other:
            return before + (after - before) * (time - one) / (other - one)
    return points[-1][1]


def arrivals_along(
    arcs: Arcs, times: list[int], cycle: int | None, zones: set[int], path: list[int], now: Fraction
) -> Iterator[tuple[int, Fraction]]:
    """The end and the arrival of every simple path that begins with this one."""
    yield path[-1], now
    if len(path) > 1 and path[-1] in zones:
        return
    for (tail, head), weights in arcs.items():
        if tail == path[-1] and head not in path:
            later = now + weight_at(weights, times, cycle, now)
            yield from arrivals_along(arcs, times, cycle, zones, [*path, head], later)


def first_in_first_out(weights: list[Fraction], times: list[int], cycle: int | None) -> list[Fraction]:
    """The weights, some of them longer, so that none falls by more than the time between."""
    points = list(range(len(times)))
    for before, after in 2 * [*itertools.pairwise(points), *([(points[-1], 0)] if cycle else [])]:
        gap = (times[after] - times[before]) % cycle if cycle else times[after] - times[before]
        weights[after] = max(weights[after], weights[before] - (gap or cycle or 0))
    return weights


@st.composite
def cases(draw: Any) -> tuple[Any, ...]:
    count = draw(st.integers(1, 4))
    times = sorted(draw(st.sets(st.integers(-20, 20), min_size=count, max_size=count)))
    cycle = draw(st.none() | st.integers(times[-1] - times[0] + 1, 60))
    quarter = draw(st.booleans())
    numbers = st.integers(0, 40).map(lambda each: Fraction(each, 4 if quarter else 1))
    pairs = st.tuples(st.integers(0, 4), st.integers(0, 4)).filter(lambda pair: pair[0] != pair[1])
    arcs = draw(st.dictionaries(pairs, st.lists(numbers, min_size=count, max_size=count), min_size=1, max_size=9))
    arcs = {pair: first_in_first_out(weights, times, cycle) for pair, weights in arcs.items()}
    departures = draw(st.lists(st.integers(-100, 100), min_size=1, max_size=3))
    return arcs, times, cycle, quarter, departures, draw(st.sets(st.integers(0, 4), max_size=2))


def periods_of(arcs: Arcs, count: int, quarter: bool, zones: set[int]) -> apsp.Periods:
    kind = np.float64 if quarter else np.int64
    tails, heads = np.array(list(arcs), dtype=np.int32).reshape(-1, 2).T
    mask = np.isin(np.arange(5), sorted(zones))
    base = apsp.from_edges(tails, heads, np.ones(len(tails), dtype=kind), n=5, zones=mask)
    rows = [
        {pair: (float(weights[number]) if quarter else int(weights[number])) for pair, weights in arcs.items()}
        for number in range(count)
    ]
    return base.with_periods({f"period {number}": row for number, row in enumerate(rows)})
