"""Places, made without a map: every function that takes them, against a graph whose streets are cut at the places.

Fractions are sixteenths, and weights are integers, so that lengths in sixteenths are exact.
"""

from __future__ import annotations

import itertools
import math
import random
from typing import Any, NamedTuple

import numpy as np

import apsp
from apsp.graph.labels import labels_of
from torture.exact import Exact
from torture.judging import Judging
from torture.promise import WrongError

__all__ = ["places"]

PARTS = 16


class Spot(NamedTuple):
    """A place: on a street from tail to head (a vertex if these are the same), so many sixteenths from the tail."""

    tail: int
    head: int
    part: int
    leg: int


def places(judging: Judging, call: dict[str, Any]) -> None:
    truth, n = judging.truth, judging.case.n
    rng = random.Random(call["seed"])
    if not judging.case.integer or truth.has_negative_arc or n == 0 or truth.largest * (n + 2) * PARTS > 2**53:
        return
    streets = [
        (tail, head) for tail, head in truth.arcs
        if tail != head and not {tail, head} & set(truth.closed) and (tail < head or (head, tail) not in truth.arcs)
    ]  # fmt: skip
    if not streets:
        return
    starts = [_drawn(rng, streets, truth.largest) for _ in range(rng.randint(1, 5))]
    ends = [rng.choice(starts) if rng.random() < 0.3 else _drawn(rng, streets, truth.largest) for _ in range(4)]
    table = _exact(truth, n, starts, ends)
    graph = judging.fresh_graph()
    sources, targets = _places(graph, starts, "s"), _places(graph, ends, "t")
    between = table[: len(starts), n:]
    _compare("matrix", apsp.matrix(graph, sources, targets).distances, between)
    rows, columns = np.indices(between.shape).reshape(2, -1)
    for row, column in zip(rows[:3].tolist(), columns[:3].tolist(), strict=True):
        found = apsp.distance(graph, sources[row], targets[column])
        _compare("distance", np.array([[found]]), between[row : row + 1, column : column + 1])
    far = {"sources": sources, "targets": targets}
    _compare("within", _dense(apsp.within(graph, math.inf, **far), sources.labels, targets.labels), between)
    cutoff = rng.choice([0, truth.largest, 2 * truth.largest + 1])
    near = apsp.within(graph, cutoff, **far)
    count, room = near.pairs, 1e-9 * (cutoff + 1)
    low, high = ((between <= cutoff + error).sum() for error in (-room, room))
    if not low <= count <= high:
        raise WrongError(f"{count} pairs of places are within {cutoff}, not {low} to {high}")
    near = apsp.isochrone(graph, sources, 4 * cutoff + 1e18)
    rows, own = np.repeat(np.arange(len(starts)), np.diff(near.indptr)), near.positions < n
    found = np.full((len(starts), n), np.inf)
    found[rows[own], near.positions[own]] = near.distances[own]
    _compare("isochrone", found, table[: len(starts), :n])
    found = np.sort(apsp.k_nearest(graph, n, sources=sources).distances, axis=1)
    _compare("k_nearest", found, np.sort(table[: len(starts), :n], axis=1))
    found = apsp.nearest(graph, targets, k=4).distances
    _compare("nearest", found, np.sort(table[len(starts) :, n:], axis=1))
    _compare("skim", apsp.skim(graph, zones=sources, targets=targets)["cost"], between)
    _check_paths(graph, sources, targets, between)
    judging.count("places")


def _drawn(rng: random.Random, streets: list[tuple[int, int]], largest: int) -> Spot:
    tail, head = rng.choice(streets)
    part, leg = rng.randint(0, PARTS), rng.choice([0, 0, 1, 7, largest])
    if part in (0, PARTS):
        tail = head = head if part else tail
        part = 0
    return Spot(tail, head, part, leg)


def _exact(truth: Any, n: int, starts: list[Spot], ends: list[Spot]) -> np.ndarray:
    """From the starts and all vertices to all vertices and the ends; infinite without a path."""
    number: dict[tuple[int, int, int], int] = {}
    cuts: dict[tuple[int, int], set[int]] = {}
    for tail, head, part, _ in (*starts, *ends):
        if tail != head:
            number.setdefault((tail, head, part), n + len(number))
            cuts.setdefault((tail, head), set()).add(part)
    arcs = {pair: PARTS * weight for pair, weight in truth.arcs.items()}
    for (tail, head), parts in cuts.items():
        stops = [(0, tail), *((part, number[tail, head, part]) for part in sorted(parts)), (PARTS, head)]
        for (start, first), (stop, second) in itertools.pairwise(stops):
            if (tail, head) in truth.arcs:
                arcs[first, second] = min((stop - start) * truth.arcs[tail, head], arcs.get((first, second), 2**62))
            if (head, tail) in truth.arcs:
                arcs[second, first] = min((stop - start) * truth.arcs[head, tail], arcs.get((second, first), 2**62))
    exact = Exact(n + len(number), arcs, shift=0, closed=frozenset(truth.closed))

    def at(spot: Spot) -> int:
        return spot.tail if spot.tail == spot.head else number[spot[:3]]

    begins = [(at(spot), spot.leg, spot) for spot in starts] + [(vertex, 0, None) for vertex in range(n)]
    stops_at = [(vertex, 0, None) for vertex in range(n)] + [(at(spot), spot.leg, spot) for spot in ends]
    found = np.full((len(begins), len(stops_at)), np.inf)
    for row, (begin, leg, spot) in enumerate(begins):
        lengths = exact.row(begin)
        for column, (end, last, other) in enumerate(stops_at):
            length = lengths[end]
            if spot is not None and spot == other and leg:
                found[row, column] = 0
            elif length is not None:
                found[row, column] = length / PARTS + leg + last
    return found


def _places(graph: apsp.Graph, spots: list[Spot], tag: str) -> apsp.Places:
    arcs, points = [], []
    for tail, head, part, leg in spots:
        row = graph.indices[graph.indptr[tail] : graph.indptr[tail + 1]]
        arcs.append(-1 if tail == head else int(graph.indptr[tail]) + int(np.searchsorted(row, head)))
        points.append([1000.0 * tail + head + part / PARTS, leg])
    return apsp.Places(
        graph, labels_of([f"{tag}{row}" for row in range(len(spots))]), np.array(points), np.array(arcs),
        np.array([spot.tail for spot in spots], dtype=np.int32), np.array([spot.part / PARTS for spot in spots]),
        np.array(points), np.array([float(spot.leg) for spot in spots]), 1.0, "error",
    )  # fmt: skip


def _dense(found: apsp.NearPairs, rows: Any, columns: Any) -> np.ndarray:
    table = np.full((len(rows), len(columns)), np.inf)
    long = found.to_long()
    for source, target, distance in zip(*long.values(), strict=True):
        table[rows.index(source), columns.index(target)] = distance
    return table


def _check_paths(graph: apsp.Graph, sources: apsp.Places, targets: apsp.Places, between: np.ndarray) -> None:
    for row in range(len(sources)):
        try:
            _, *vertices, _ = apsp.shortest_path(graph, sources[row], targets[0])
        except apsp.NoPathError:
            if np.isfinite(between[row, 0]):
                raise WrongError(f"no path from place {row}, but a distance of {between[row, 0]}") from None
            continue
        if vertices:
            length = apsp.distance(graph, sources[row], vertices[0]) + apsp.distance(graph, vertices[-1], targets[0])
            length += sum(apsp.distance(graph, a, b) for a, b in itertools.pairwise(vertices))
            _compare("shortest_path", np.array([[length]]), between[row : row + 1, :1])


def _compare(what: str, found: Any, expected: np.ndarray) -> None:
    if not np.allclose(found, expected, rtol=1e-12, atol=1e-12):
        raise WrongError(f"{what} of places is {found.tolist()}, not {expected.tolist()}")
