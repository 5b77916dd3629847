"""`apsp.shortest_walks` and `apsp.pareto`, of the pairs of the door of simple paths, against plain searches."""

from __future__ import annotations

import heapq
import itertools
import random
from typing import Any

import numpy as np

import apsp
from torture.judging import Judging
from torture.promise import WrongError

__all__ = ["compromises", "rounded", "sum_along", "walks"]

_STEPS = 20_000
"""Labels that the search for compromises may keep."""

_LONGEST = 2**61

Pairs = list[tuple[int, int]]
Arcs = dict[tuple[int, int], Any]


def walks(judging: Judging, pairs: Pairs, ends: Any, rng: random.Random, threads: int | None) -> None:
    """Different walks with the sums of their arcs, whose lengths are those of a search that passes vertices k times."""
    arcs, zones = judging.case.merged(), set(judging.case.zones)
    k = rng.choice((1, 2, 5, 20))
    every = [_k_lengths(judging, *pair, k) for pair in pairs]
    try:
        found = apsp.shortest_walks(judging.fresh_graph(), *ends, k, threads=threads)
    except apsp.DtypeRangeError:
        most = max([judging.truth.largest * max(judging.case.n - 1, 1), *itertools.chain(*every)])
        if not judging.case.integer or most < _LONGEST:
            raise
        return
    for number, (pair, expected) in enumerate(zip(pairs, every, strict=True)):
        own = found.of_pair(number)
        paths = [judging.naming.hear(path) for path in own]
        for path, length in zip(paths, own.distances.tolist(), strict=True):
            if (path[0], path[-1]) != pair or zones.intersection(path[1:-1]):
                raise WrongError(f"{path} is no walk of {pair}")
            if any(step not in arcs for step in itertools.pairwise(path)):
                raise WrongError(f"{path} is no walk of the graph")
            if length != rounded(judging, sum_along(arcs, path)):
                raise WrongError(f"{path} has length {sum_along(arcs, path)!r}, not {length!r}")
        walked = [(sum_along(arcs, path), path) for path in paths]
        if walked != sorted(walked) or len({tuple(path) for path in paths}) < len(paths):
            raise WrongError(f"the {k} walks of {pair} are not different, or not ascending: {walked}")
        if [length for length, _ in walked] != expected:
            raise WrongError(f"the {k} walks of {pair} have lengths {[length for length, _ in walked]}, not {expected}")
    judging.count("walks")


def compromises(judging: Judging, pairs: Pairs, ends: Any, rng: random.Random, threads: int | None) -> None:
    """All pairs of costs that no path beats, ascending, and paths that have them."""
    graph, arcs = judging.fresh_graph(), judging.case.merged()
    tolls: dict[tuple[int, int], int] = {}
    for tail, head in sorted(arcs):
        tolls[tail, head] = tolls.get((head, tail), rng.randrange(4)) if not judging.case.directed else rng.randrange(4)
    steps = zip(graph.tails().tolist(), graph.indices.tolist(), strict=True)
    priced = graph.with_costs(toll=np.array([tolls[step] for step in steps], dtype=np.int64))
    try:
        found = apsp.pareto(priced, "toll", *ends, threads=threads)
    except apsp.DtypeRangeError:
        if not judging.case.integer or judging.truth.largest * max(judging.case.n - 1, 1) < _LONGEST:
            raise
        return
    for number, pair in enumerate(pairs):
        own = found.of_pair(number)
        costs = list(zip(own.distances.tolist(), own.costs.tolist(), strict=True))
        for path, both in zip(map(judging.naming.hear, own), costs, strict=True):
            if (path[0], path[-1]) != pair or any(step not in arcs for step in itertools.pairwise(path)):
                raise WrongError(f"{path} is no path of {pair}")
            if both != (rounded(judging, sum_along(arcs, path)), sum_along(tolls, path)):
                raise WrongError(f"{path} does not cost {both}")
        expected = _front(judging, tolls, *pair)
        if expected is not None and costs != [(rounded(judging, first), second) for first, second in expected]:
            raise WrongError(f"the compromises of {pair} cost {costs}, not {expected}")
    judging.count("compromises")


def sum_along(arcs: Arcs, path: list[int]) -> Any:
    """The length, added in the order of the path."""
    total: Any = 0
    for step in itertools.pairwise(path):
        total += arcs[step]
    return total


def rounded(judging: Judging, length: Any) -> Any:
    """A sum as distances have it."""
    if judging.case.integer:
        return length
    with np.errstate(over="ignore"):
        return np.dtype(judging.case.dtype).type(length).item()


def _after(judging: Judging, target: int) -> dict[int, list[tuple[int, Any]]]:
    """The arcs that a path to a target may take after its first."""
    zones, after = set(judging.case.zones), {}
    for (tail, head), weight in judging.case.merged().items():
        if head == target or head not in zones:
            after.setdefault(tail, []).append((head, weight))
    return after


def _k_lengths(judging: Judging, source: int, target: int, k: int) -> list[Any]:
    """The k least lengths of walks: one goes on from a vertex only if fewer than k shorter ones have done so."""
    zones, after = set(judging.case.zones), _after(judging, target)
    found: list[Any] = []
    taken: dict[int, int] = {}
    queue: list[tuple[Any, int, int]] = [(0, 0, source)]
    while queue and len(found) < k:
        length, steps, last = heapq.heappop(queue)
        taken[last] = taken.get(last, 0) + 1
        if taken[last] > k:
            continue
        if last == target:
            found.append(length)
        if not steps or last not in zones:
            for head, weight in after.get(last, []):
                if length + weight != float("inf"):
                    heapq.heappush(queue, (length + weight, steps + 1, head))
    return found


def _front(judging: Judging, tolls: Arcs, source: int, target: int) -> list[tuple[Any, int]] | None:
    """The costs that no path beats, ascending; None if there are too many labels."""
    after = _after(judging, target)
    fronts: dict[int, list[tuple[Any, int]]] = {}
    queue: list[tuple[Any, int, int]] = [(0, 0, source)]
    for _ in range(_STEPS):
        if not queue:
            return fronts.get(target, [])
        first, second, vertex = heapq.heappop(queue)
        front = fronts.setdefault(vertex, [])
        if front and front[-1][1] <= second:
            continue
        front.append((first, second))
        for head, weight in after.get(vertex, []) if vertex != target else []:
            if first + weight != float("inf"):
                heapq.heappush(queue, (first + weight, second + tolls[vertex, head], head))
    return None
