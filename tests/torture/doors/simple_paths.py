"""Several paths of pairs: simple paths, walks, alternatives and compromises, all of them in small graphs."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from typing import Any

import apsp
from torture.doors.more_paths import compromises, rounded, sum_along, walks
from torture.judging import Judging
from torture.promise import WrongError

__all__ = ["simple_paths"]

_STEPS = 20_000
"""Vertices that an enumeration of all paths of a pair may visit."""


def simple_paths(judging: Judging, call: dict[str, Any]) -> None:
    case, rng = judging.case, random.Random(call["seed"])
    if not case.n or (not case.integer and judging.truth.has_negative_arc):
        return
    sources, targets = ([rng.randrange(case.n) for _ in range(4)] for _ in range(2))
    ends = judging.naming.say(sources), judging.naming.say(targets)
    k = rng.choice((1, 2, 5, 30, 1000))
    found = apsp.shortest_simple_paths(judging.fresh_graph(), *ends, k, threads=call["threads"])
    if not judging.judgeable({"sources": sources}):
        return
    every = {pair: _enumerated(judging, *pair) for pair in zip(sources, targets, strict=True)}
    for number, pair in enumerate(zip(sources, targets, strict=True)):
        paths = _paths(judging, found.of_pair(number), pair)
        lengths = [length for length, _ in paths]
        if paths != sorted(paths) or len({tuple(path) for _, path in paths}) < len(paths) or len(paths) > k:
            raise WrongError(f"the {k} simple paths of {pair} are not different, or not ascending: {paths}")
        expected = every[pair]
        if expected is not None and lengths != expected[:k]:
            raise WrongError(f"the {k} simple paths of {pair} have lengths {lengths}, not {expected[:k]}")
    judging.count("simple paths")
    if judging.truth.has_negative_arc:
        return
    found = apsp.alternatives(judging.fresh_graph(), *ends, 4)
    for number, pair in enumerate(zip(sources, targets, strict=True)):
        _check_alternatives(judging, _paths(judging, found.of_pair(number), pair), pair, every[pair])
    judging.count("alternatives")
    pairs = list(zip(sources, targets, strict=True))
    walks(judging, pairs, ends, rng, call["threads"])
    compromises(judging, pairs, ends, rng, call["threads"])


def _paths(judging: Judging, found: apsp.ManyPaths, pair: tuple[int, int]) -> list[tuple[Any, list[int]]]:
    """The paths by position, with their lengths before these are rounded to float32; both are checked."""
    arcs, zones = judging.case.merged(), set(judging.case.zones)
    paths = []
    for path, length in zip(map(judging.naming.hear, found), found.distances.tolist(), strict=True):
        if (path[0], path[-1]) != pair or len(set(path)) < len(path) or zones.intersection(path[1:-1]):
            raise WrongError(f"{path} is no simple path of {pair}")
        if any(step not in arcs for step in itertools.pairwise(path)):
            raise WrongError(f"{path} is no path of the graph")
        if length != rounded(judging, sum_along(arcs, path)):
            raise WrongError(f"{path} has length {sum_along(arcs, path)!r}, not {length!r}")
        paths.append((sum_along(arcs, path), path))
    return paths


def _enumerated(judging: Judging, source: int, target: int) -> list[Any] | None:
    """The lengths of all simple paths, ascending; None if there are too many."""
    after: dict[int, list[tuple[int, Any]]] = {}
    for (tail, head), weight in judging.case.merged().items():
        after.setdefault(tail, []).append((head, weight))
    zones, steps = set(judging.case.zones), itertools.count()

    def lengths(path: list[int], length: Any) -> Iterator[Any]:
        if next(steps) > _STEPS:
            raise OverflowError
        if path[-1] == target:
            yield length
        elif len(path) == 1 or path[-1] not in zones:
            for head, weight in after.get(path[-1], []):
                if head not in path:
                    yield from lengths([*path, head], length + weight)

    try:
        found = sorted(lengths([source], 0))
    except OverflowError:
        return None
    return [length for length in found if length != float("inf")]


def _check_alternatives(
    judging: Judging, paths: list[tuple[Any, list[int]]], pair: tuple[int, int], every: list[Any] | None
) -> None:
    arcs, taken = judging.case.merged(), set()
    if every is not None and bool(every) != bool(paths):
        raise WrongError(f"there are {len(paths)} alternatives of {pair}")
    for number, (_, path) in enumerate(paths):
        length, distance = sum_along(arcs, path), sum_along(arcs, paths[0][1])
        if every is not None and number == 0 and judging.case.integer and length != every[0]:
            raise WrongError(f"the first path of {pair} has length {length}, not {every[0]}")
        shared = sum(arcs[step] for step in itertools.pairwise(path) if step in taken)
        room = 1e-9 * distance
        if number and (length > 1.25 * distance + room or shared > 0.8 * distance + room):
            raise WrongError(f"{path} is beyond the limits of alternatives: {length}, {shared}, of {distance}")
        taken.update(itertools.pairwise(path))
