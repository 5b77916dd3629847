"""The k shortest walks between places of graphs with turns: as those of a search on links that begins on a street."""

from __future__ import annotations

import heapq
import itertools
import math
from typing import Any

import numpy as np
import pytest

import apsp
from apsp.graph.places import Places
from turns_places_truth import Streets, check_ends, check_length
from turns_truth import Use, exact, random_case

STREETS = apsp.from_edges(
    [("a", "b", 10), ("b", "c", 10), ("b", "d", 20)], directed=False,
    coordinates=[[0, 0], [100, 0], [200, 0], [100, 200]],
)  # fmt: skip
HOMES = STREETS.snap({"name": ["h", "i", "j"], "x": [50, 70, 100], "y": [0, 0, 0]}, labels="name", crs="plane")
SHOPS = STREETS.snap({"name": ["s", "t"], "x": [150, 100], "y": [0, 100]}, labels="name", crs="plane")


def starts_of(streets: Streets, end: Any, number: int) -> list[tuple[float, tuple[Use, ...], int]]:
    """Where walks begin: the length up to there, the street that they are on, or else the vertex."""
    if not isinstance(end, Places):
        return [(0, (), number)]
    if end.arcs[number] < 0:
        return [(float(end.costs[number]), (), int(end.vertices[number]))]
    ways: dict[Use, float] = {}
    for use, after, _ in streets.ways(end, number):
        ways[use] = min(after, ways.get(use, math.inf))  # on a loop the shorter way
    return [(after, (use,), -1) for use, after in ways.items()]


def ends_of(streets: Streets, end: Any, number: int) -> tuple[dict[Use, float], dict[int, float]]:
    """What walks have left at the beginning of a street, and at a vertex."""
    if not isinstance(end, Places):
        return {}, {number: 0}
    if end.arcs[number] < 0:
        return {}, {int(end.vertices[number]): float(end.costs[number])}
    ways: dict[Use, float] = {}
    for use, _, before in streets.ways(end, number):
        ways[use] = min(before, ways.get(use, math.inf))
    return ways, {}


def lengths_of_walks(streets: Streets, ends: tuple[Any, Any], numbers: tuple[int, int], k: int) -> list[float]:
    """The k least lengths of walks, found by a heap of all walks: k of them go on from the same last links."""
    case, (start, end), (row, column) = streets.case, ends, numbers
    memory = max([2, *map(len, case.forbidden)]) - 1
    on_street, at_vertex = ends_of(streets, end, column)
    found: list[float] = []
    taken: dict[Any, int] = {}
    order = itertools.count()
    queue: list[tuple[float, int, tuple[Use, ...] | None, int]] = []
    for length, walk, vertex in starts_of(streets, start, row):
        queue.append((length, next(order), walk, vertex))
    if isinstance(start, Places) and start is end and row == column:
        queue.append((0, next(order), None, -1))
    elif isinstance(start, Places) and isinstance(end, Places):
        queue.append((streets.along(start, row, end, column), next(order), None, -1))
    heapq.heapify(queue)
    while queue and len(found) < k:
        length, _, walk, vertex = heapq.heappop(queue)
        if walk is None:
            if math.isfinite(length):
                found.append(length)
            continue
        here = case.ends(walk[-1])[1] if walk else vertex
        state = walk[-memory:] or vertex
        taken[state] = taken.get(state, 0) + 1
        if taken[state] > k:
            continue
        if here in at_vertex:
            heapq.heappush(queue, (length + at_vertex[here], next(order), None, -1))
        if walk and case.zones[here]:
            continue
        for use in case.uses():
            path = (*walk, use)
            if case.ends(use)[0] != here or any(path[-len(each) :] == tuple(each) for each in case.forbidden):
                continue
            penalty = case.penalty(walk[-1], use) if walk else 0
            if math.isinf(penalty):
                continue
            begin = length + exact(penalty)
            if use in on_street:
                heapq.heappush(queue, (begin + on_street[use], next(order), None, -1))
            heapq.heappush(queue, (begin + case.links[use[0]][2], next(order), path, -1))
    return found


def pairs_of(streets: Streets, rng: np.random.Generator) -> list[tuple[Any, int, Any, int]]:
    """Pairs of places and vertices, also of a place and itself: what they are of, and their numbers."""
    homes, shops = streets.drawn(rng, 3, "h"), streets.drawn(rng, 3, "s")
    names = [f"v{vertex}" for vertex in range(streets.case.n)]
    sides = [(homes, shops), (homes, names), (names, shops)]
    found = [
        (start, row, end, column) for start, end in sides for row in range(len(start)) for column in range(len(end))
    ]
    return found + [(homes, row, homes, row) for row in range(3)]


def walks_between(turned: Any, ends: tuple[Any, Any], k: int, **options: Any) -> apsp.ManyPaths:
    start, end = ends
    return apsp.shortest_walks(turned, start, start if end is start else end, k, **options)


def checked_walks(seed: int, *, parallel: bool) -> int:
    """Check lengths, that walks are different and have their lengths, and their links; the number of walks."""
    rng = np.random.default_rng(seed)
    case = random_case(rng, most=5, parallel=parallel)
    case.dtype = ["int64", "float64"][seed % 2]
    turned, count = case.turned(), 0
    streets = Streets(case, turned.graph)
    for start, row, end, column in pairs_of(streets, rng) if streets.arcs else []:
        one, other = start[row], end[column]
        ends = (one, one) if start is end else (one, other)
        walks, links = walks_between(turned, ends, 5), walks_between(turned, ends, 5, links=True)
        lengths = walks.distances.tolist()
        if parallel:
            assert lengths[:1] == [each for each in [apsp.distance(turned, *ends)] if math.isfinite(each)], "shortest"
        else:
            assert lengths == lengths_of_walks(streets, (start, end), (row, column), 5), "lengths"
            assert len({tuple(walk) for walk in walks}) == len(walks), "walks"
        assert lengths == sorted(lengths) == links.distances.tolist(), "order"
        for walk, rows, length in zip(walks, links, lengths, strict=True):
            if len(walk) == 1:
                assert (start is end, length, rows) == (True, 0, []), "a place and itself"
                continue
            check_ends(streets, walk, ends)
            check_length(streets, rows, ends, length)
            count += 1
    return count


@pytest.mark.few(2)
@pytest.mark.parametrize("block", range(8))
def test_walks_are_those_of_a_search_on_links(block: int) -> None:
    assert sum(checked_walks(seed, parallel=False) for seed in range(5000 + 10 * block, 5010 + 10 * block)) > 400


@pytest.mark.few(2)
@pytest.mark.parametrize("block", range(4))
def test_walks_on_parallel_links_have_their_lengths(block: int) -> None:
    assert sum(checked_walks(seed, parallel=True) for seed in range(5200 + 10 * block, 5210 + 10 * block)) > 400


def test_walks_turn_round_and_pass_their_place() -> None:
    """From h, a dead end costs 3; no movement leads back at b, from a to c one costs 7, and c to d is forbidden."""
    turned = apsp.with_turns(STREETS, [("a", "b", "c", 7), ("c", "b", "d")], u_turns=math.inf, dead_ends=3)
    walks = apsp.shortest_walks(turned, HOMES[0], SHOPS[0], 3)
    assert list(walks) == [["h", "b", "s"], ["h", "a", "b", "s"], ["h", "b", "c", "s"]]
    assert walks.distances.tolist() == [5 + 7 + 5, 5 + 3 + 10 + 7 + 5, 5 + 7 + 10 + 3 + 5]
    links = apsp.shortest_walks(turned, HOMES[0], SHOPS[0], 3, links=True)
    assert list(links) == [[0, 1], [0, 0, 1], [0, 1, 1]]
    one_street = apsp.shortest_walks(turned, HOMES[0], HOMES[1], 2)
    assert list(one_street) == [["h", "i"], ["h", "a", "i"]]
    assert one_street.distances.tolist() == pytest.approx([2, 5 + 3 + 7])
    assert list(apsp.shortest_walks(turned, HOMES[2], SHOPS[:1], 1)) == [["j", "b", "s"]]


def test_many_pairs_keep_their_order_and_their_labels() -> None:
    turned = apsp.with_turns(STREETS, [("a", "b", "c", 7)], dead_ends=3)
    walks = apsp.shortest_walks(turned, HOMES[[0, 2]], SHOPS, 2)
    for number, ends in enumerate([(HOMES[0], SHOPS[0]), (HOMES[2], SHOPS[1])]):
        assert list(walks.of_pair(number)) == list(apsp.shortest_walks(turned, *ends, 2))
    assert walks.to_long()["vertex"].tolist()[:3] == ["h", "b", "s"]
    free = apsp.shortest_walks(STREETS, HOMES[[0, 2]], SHOPS, 2)
    nothing = apsp.shortest_walks(apsp.with_turns(STREETS, []), HOMES[[0, 2]], SHOPS, 2)
    assert (list(nothing), nothing.distances.tolist()) == (list(free), free.distances.tolist())
