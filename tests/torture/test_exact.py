"""The exact oracle itself, against every simple path of small graphs."""

from __future__ import annotations

import math
import random
from fractions import Fraction

import pytest

from torture.exact import Exact, bottleneck_row, has_negative_cycle, reached_from, scaled
from torture.tight import carried, knotted, path_numbers, tight_tails


def small_graph(rng: random.Random, low: int, high: int) -> tuple[int, dict[tuple[int, int], int]]:
    n = rng.randint(1, 6)
    pairs = [(u, v) for u in range(n) for v in range(n) if rng.random() < 0.4]
    return n, {pair: rng.randint(low, high) for pair in pairs}


def simple_paths(n: int, arcs: dict[tuple[int, int], int], source: int, closed: frozenset[int]):
    """Every simple path from a vertex, as lists of arcs; none passes through a closed vertex."""
    waiting = [([], source, {source})]
    while waiting:
        path, end, seen = waiting.pop()
        yield end, path
        if end in closed and path:
            continue
        waiting += [([*path, (end, v)], v, seen | {v}) for v in range(n) if v not in seen and (end, v) in arcs]


@pytest.mark.parametrize("low", [0, -4])
@pytest.mark.parametrize("scale", [1, 10**30])
def test_distances_are_those_of_the_best_simple_path(low: int, scale: int) -> None:
    checked = 0
    for seed in range(300):
        rng = random.Random(seed)
        n, arcs = small_graph(rng, low, 9)
        arcs = {pair: weight * scale for pair, weight in arcs.items()}
        closed = frozenset(v for v in range(n) if rng.random() < 0.2)
        if has_negative_cycle(arcs, set(range(n))):
            continue
        exact = Exact(n, arcs, closed=closed, with_sizes=True)
        plain = Exact(n, arcs, closed=closed)
        for source in range(n):
            best: list[tuple[int, int] | None] = [None] * n
            for end, path in simple_paths(n, arcs, source, closed):
                found = sum(arcs[arc] for arc in path), sum(abs(arcs[arc]) for arc in path)
                best[end] = found if best[end] is None else min(best[end], found)
            assert exact.row(source) == plain.row(source) == [None if b is None else b[0] for b in best]
            assert exact.sizes(source) == [None if b is None else b[1] for b in best]
            checked += 1
    assert checked > 300


def test_negative_cycles_are_found_where_they_are() -> None:
    found = 0
    for seed in range(400):
        rng = random.Random(seed)
        n, arcs = small_graph(rng, -3, 6)
        negative = any(
            sum(arcs[arc] for arc in path) + arcs[end, source] < 0
            for source in range(n)
            for end, path in simple_paths(n, arcs, source, frozenset())
            if (end, source) in arcs
        )
        assert has_negative_cycle(arcs, set(range(n))) == negative
        found += negative
    assert found > 50
    assert not has_negative_cycle({(0, 0): -1}, {1})


@pytest.mark.parametrize("widest", [True, False])
def test_bottlenecks(widest: bool) -> None:
    for seed in range(200):
        rng = random.Random(seed)
        n, arcs = small_graph(rng, -5, 5)
        closed = frozenset(v for v in range(n) if rng.random() < 0.2)
        for source in range(n):
            best: list[int | None] = [None] * n
            choose, join = (max, min) if widest else (min, max)
            for end, path in simple_paths(n, arcs, source, closed):
                if path:
                    value = join(arcs[arc] for arc in path)
                    best[end] = value if best[end] is None else choose(best[end], value)
            assert bottleneck_row(n, arcs, source, closed, widest=widest) == best


def test_floats_are_integers_of_a_small_unit() -> None:
    weights = [0.1, -2.5, 5e-324, 1e300, 0.0, -0.0, 3.0]
    whole, shift = scaled(weights)
    assert [Fraction(number, 2**shift) for number in whole] == [Fraction(weight) for weight in weights]
    assert shift == 1074
    assert scaled([3, -4]) == ([3, -4], 0)
    assert math.isclose(whole[0] / 2**shift, 0.1)


def test_reached() -> None:
    arcs = [(0, 1), (1, 2), (2, 3)]
    assert reached_from(4, arcs, [0], frozenset()) == {0, 1, 2, 3}
    assert reached_from(4, arcs, [0], frozenset([1])) == {0, 1}
    assert reached_from(4, arcs, [1], frozenset([1])) == {1, 2, 3}
    assert reached_from(4, arcs, [], frozenset()) == set()


@pytest.mark.parametrize("zones", [False, True])
def test_numbers_and_flows_are_those_of_all_shortest_paths(zones: bool) -> None:
    trees = knots = 0
    for seed in range(400):
        rng = random.Random(seed)
        n = rng.randint(2, 6)
        edges = [(u, v) for u in range(n) for v in range(u) if rng.random() < 0.6]
        height = [rng.randint(0, 2) for _ in range(n)]  # cycles of length zero with negative arcs, too
        arcs = {}
        for u, v in edges:
            length = rng.choice((0, 0, 0, 0, 1))
            arcs |= {(u, v): length + height[v] - height[u], (v, u): length + height[u] - height[v]}
        closed = frozenset(v for v in range(n) if zones and rng.random() < 0.3)
        row = Exact(n, arcs, closed=closed).row(0)
        shortest: dict[int, list[list[tuple[int, int]]]] = {v: [] for v in range(n)}
        for end, path in simple_paths(n, arcs, 0, closed):
            if sum(arcs[arc] for arc in path) == row[end]:
                shortest[end].append(path)
        into = tight_tails(0, row, arcs, closed)
        numbers = path_numbers(into, 0)
        assert all(numbers[v] == len(shortest[v]) for v in numbers)
        assert knotted(into) or len(numbers) == sum(distance is not None for distance in row)
        knots += bool(knotted(into))
        trees += any(head in into[tail] for head in into for tail in into[head] if head not in knotted(into))
        demand = {v: rng.randint(0, 3) for v in numbers if v != 0}
        flow = carried(0, row, demand, arcs, closed)
        along: dict[tuple[int, int], Fraction] = {}
        for v, amount in demand.items():
            for path in shortest[v]:
                for arc in path:
                    along[arc] = along.get(arc, Fraction(0)) + Fraction(amount, len(shortest[v]))
        assert {arc: amount for arc, amount in flow.along.items() if amount} == {a: f for a, f in along.items() if f}
        assert flow.served == sum(demand.values())
        inward = [sum((f for (_, head), f in along.items() if head == v), Fraction(0)) for v in range(n)]
        assert flow.through == [amount - demand.get(v, 0) for v, amount in enumerate(inward)]
    assert trees > 50
    assert knots > 30
