"""Places on the streets of random graphs with turns, and a plain search from them: a part of a link is the link."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np

import apsp
from apsp.graph.labels import labels_of
from apsp.graph.places import Places
from turns_truth import Case, Use, infinite

__all__ = ["check_places"]


class Streets:
    """The streets of a graph that places may be on: no end is a zone."""

    def __init__(self, case: Case, graph: apsp.Graph) -> None:
        self.case, self.graph, self.tails = case, graph, graph.tails()
        ends = list(zip(self.tails.tolist(), graph.indices.tolist(), strict=True))
        number = {pair: arc for arc, pair in enumerate(ends)}
        self.back = [number.get((head, tail), -1) for tail, head in ends]
        zones = case.zones
        self.arcs = [
            arc for arc, (tail, head) in enumerate(ends)
            if not zones[tail] and not zones[head] and (self.back[arc] < 0 or arc <= self.back[arc])
        ]  # fmt: skip
        self.vertices = [vertex for vertex in range(case.n) if not zones[vertex]]

    def use(self, arc: int) -> Use:
        assert self.graph.links is not None
        link = int(self.graph.links.chosen[arc])
        return link, self.case.links[link][:2] != (self.tails[arc], self.graph.indices[arc])

    def length(self, arc: int) -> int:
        return self.case.links[self.use(arc)[0]][2]

    def drawn(self, rng: np.random.Generator, count: int, letter: str) -> Places:
        arcs, at = rng.choice(self.arcs, count), rng.random(count) < 0.3
        vertices = np.where(at, rng.choice(self.vertices, count), self.tails[arcs]).astype(np.int32)
        points = np.arange(2.0 * count).reshape(count, 2) + 1000 * ord(letter)
        return Places(
            self.graph, labels_of([f"{letter}{number}" for number in range(count)]), points,
            np.where(at, -1, arcs).astype(np.int64), vertices, np.where(at, 0.0, rng.choice([0.25, 0.5, 0.75], count)),
            points - 0.5, rng.choice([0.0, 1.0, 3.0], count), 1.0, "error",
        )  # fmt: skip

    def ways(self, places: Places, row: int) -> list[tuple[Use, float, float]]:
        """The uses of the street of a place: their parts behind it, and before it, with the way to the street."""
        arc, cost = int(places.arcs[row]), float(places.costs[row])
        if arc < 0:
            return []
        part = float(places.fractions[row])
        found = [(self.use(arc), (1 - part) * self.length(arc) + cost, part * self.length(arc) + cost)]
        back = self.back[arc]
        if back >= 0:
            found.append((self.use(back), part * self.length(back) + cost, (1 - part) * self.length(back) + cost))
        return found

    def from_place(self, places: Places, row: int) -> tuple[list[float], dict[Use, Any]]:
        if places.arcs[row] < 0:
            return self.case.search(starts=[(float(places.costs[row]), (), int(places.vertices[row]))])
        return self.case.search(starts=[(after, (use,), -1) for use, after, _ in self.ways(places, row)])

    def to_place(self, places: Places, row: int, found: tuple[list[float], dict[Use, Any]]) -> float:
        if places.arcs[row] < 0:
            return found[0][places.vertices[row]] + float(places.costs[row])
        return min(found[1].get(use, math.inf) + before for use, _, before in self.ways(places, row))

    def along(self, sources: Places, row: int, targets: Places, column: int) -> float:
        """The way along one street."""
        arc = int(sources.arcs[row])
        if arc < 0 or arc != targets.arcs[column]:
            return math.inf
        part = float(targets.fractions[column] - sources.fractions[row])
        cost = sources.costs[row] + targets.costs[column]
        if part >= 0:
            return float(cost + part * self.length(arc))
        return float(cost - part * self.length(self.back[arc])) if self.back[arc] >= 0 else math.inf

    def distance(
        self, sources: Places, row: int, found: tuple[list[float], dict[Use, Any]], targets: Places, column: int
    ) -> float:
        if sources is targets and row == column:
            return 0.0
        return min(self.along(sources, row, targets, column), self.to_place(targets, column, found))


def check_places(case: Case, turned: apsp.TurnGraph, rng: np.random.Generator) -> int:
    """Check distances, paths and near pairs of places; AssertionError, or the number of pairs."""
    streets = Streets(case, turned.graph)
    if not streets.arcs:
        return 0
    homes, shops = streets.drawn(rng, 4, "h"), streets.drawn(rng, 3, "s")
    names = [f"v{vertex}" for vertex in range(case.n)]
    found = [streets.from_place(homes, row) for row in range(4)]
    reached = np.array([distances for distances, _ in found], float)
    between, among = (
        np.array([[streets.distance(homes, row, found[row], ends, at) for at in range(len(ends))] for row in range(4)])
        for ends in (shops, homes)
    )  # fmt: skip
    served = np.array(
        [[streets.to_place(shops, column, case.search(vertex)) for column in range(3)] for vertex in range(case.n)]
    )
    for sources, targets, wanted in (
        (homes, shops, between), (homes, names, reached), (names, shops, served), (homes, homes, among),
    ):  # fmt: skip
        assert np.array_equal(apsp.matrix(turned, sources, targets).distances, wanted), "matrix of places"
    result = apsp.solve(turned, sources=homes, targets=shops, paths=True)
    assert np.array_equal(infinite(np.asarray(result.distances)), between), "places"
    assert np.array_equal(apsp.distances(turned, homes[:3], shops), between[[0, 1, 2], [0, 1, 2]]), "pairs of places"
    for row, column in itertools.product(range(4), range(3)):
        assert apsp.distance(turned, homes[row], shops[column]) == between[row, column], "a pair of places"
        if math.isfinite(between[row, column]):
            for path in (apsp.shortest_path(turned, homes[row], shops[column]), result.path(f"h{row}", f"s{column}")):
                _check_path(streets, path, (homes, row), (shops, column))
    skims = apsp.skim(turned, zones=homes, targets=shops)
    assert np.array_equal(skims["cost"], between), "skims of places"
    _check_near(turned, names, homes, shops, reached, between, served)
    return 12


def _check_near(
    turned: apsp.TurnGraph, names: list[str], homes: Places, shops: Places, reached: np.ndarray, between: np.ndarray,
    served: np.ndarray,
) -> None:  # fmt: skip
    near = apsp.within(turned, 15, sources=homes)
    for row in range(4):
        pairs = dict(zip(near[f"h{row}"].targets, near[f"h{row}"].distances, strict=True))
        wanted = {name: length for name, length in zip(names, reached[row], strict=True) if length <= 15}
        assert pairs == wanted, "near places"
    assert np.array_equal(infinite(apsp.nearest(turned, shops).distances)[:, 0], served.min(axis=1)), "nearest"
    back = apsp.nearest(turned, homes, direction="from")
    assert np.array_equal(infinite(back.distances)[:, 0], reached.min(axis=0)), "nearest from places"
    blocks = [block.distances for block in apsp.stream(turned, sources=homes, targets=shops, rows=2)]
    assert np.array_equal(np.concatenate(blocks), between), "stream"
    jobs = np.array([1.0, 2.0, 4.0])
    for sources, lengths in ((homes, between), (None, served)):
        sums = apsp.accessibility(turned, jobs, at=shops, sources=sources, cutoffs=15)
        assert np.array_equal(sums.values.ravel(), (lengths <= 15) @ jobs), "accessibility"


def _check_path(streets: Streets, path: list[Any], start: tuple[Places, int], end: tuple[Places, int]) -> None:
    (homes, row), (shops, column) = start, end
    assert (path[0], path[-1]) == (f"h{row}", f"s{column}"), "ends of a path"
    inner = [int(vertex.removeprefix("v")) for vertex in path[1:-1]]
    steps = {streets.case.ends(use) for use in streets.case.uses()}
    assert set(itertools.pairwise(inner)) <= steps, "path between places"
    if inner:
        for places, place, vertex in ((homes, row, inner[0]), (shops, column, inner[-1])):
            arc = int(places.arcs[place])
            ends = {int(places.vertices[place]), int(streets.graph.indices[arc]) if arc >= 0 else -1}
            assert vertex in ends, "path from a street"
