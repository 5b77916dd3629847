"""Places on the streets of random graphs with turns, and a plain search from them: a part of a link is the link."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import apsp
from apsp.graph.labels import labels_of
from apsp.graph.places import Places
from turns_truth import Case, Use, infinite, part_within, parts_within

__all__ = [
    "Streets", "check_ends", "check_isochrones_of_places", "check_length", "check_oracle_of_places", "check_places",
    "check_saved_places",
]  # fmt: skip


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

    def use(self, arc: int) -> Use | None:
        """The best link of an arc that is not closed, and whether it leads back."""
        ends = int(self.tails[arc]), int(self.graph.indices[arc])
        uses = [use for use in self.case.uses() if self.case.ends(use) == ends and use[0] not in self.case.closed]
        return min(uses, key=lambda use: (self.case.links[use[0]][2], use[0]), default=None)

    def length(self, arc: int) -> float:
        use = self.use(arc)
        return math.inf if use is None else self.case.links[use[0]][2]

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
        part, found = float(places.fractions[row]), []
        for each, behind in ((arc, part), (self.back[arc], 1 - part)):
            use = self.use(each) if each >= 0 else None
            if use is not None:
                length = self.length(each)
                found.append((use, (1 - behind) * length + cost, behind * length + cost))
        return found

    def outside(self, way: tuple[Use, ...], start: Places | str, end: Places | str) -> float:
        """The parts of the first and the last use of a path that are not between the places at its ends."""
        found = 0.0
        for places, use, which in ((start, way[:1], 2), (end, way[-1:], 1)):
            if isinstance(places, Places) and places.arcs[0] >= 0 and use:
                parts = {each[0]: each[which] for each in self.ways(places, 0)}
                found += parts.get(use[0], math.nan) - float(places.costs[0])
        return found

    def from_place(self, places: Places, row: int) -> tuple[list[float], dict[Use, Any]]:
        if places.arcs[row] < 0:
            return self.case.search(starts=[(float(places.costs[row]), (), int(places.vertices[row]))])
        return self.case.search(starts=[(after, (use,), -1) for use, after, _ in self.ways(places, row)])

    def to_place(self, places: Places, row: int, found: tuple[list[float], dict[Use, Any]]) -> float:
        if places.arcs[row] < 0:
            return found[0][places.vertices[row]] + float(places.costs[row])
        return min(
            (found[1].get(use, math.inf) + before for use, _, before in self.ways(places, row)), default=math.inf
        )

    def along(self, sources: Places, row: int, targets: Places, column: int) -> float:
        """The way along one street."""
        arc = int(sources.arcs[row])
        if arc < 0 or arc != targets.arcs[column]:
            return math.inf
        part = float(targets.fractions[column] - sources.fractions[row])
        cost = sources.costs[row] + targets.costs[column]
        along, back = self.length(arc), self.length(self.back[arc]) if self.back[arc] >= 0 else math.inf
        if part == 0:
            return float(cost) if math.isfinite(min(along, back)) else math.inf
        return float(cost + (part * along if part > 0 else -part * back))

    def distance(
        self, sources: Places, row: int, found: tuple[list[float], dict[Use, Any]], targets: Places, column: int
    ) -> float:
        if sources is targets and row == column and (sources.arcs[row] < 0 or self.ways(sources, row)):
            return 0.0
        return min(self.along(sources, row, targets, column), self.to_place(targets, column, found))


class Truth(NamedTuple):
    """Distances of four homes, three shops and all vertices."""

    reached: np.ndarray
    between: np.ndarray
    among: np.ndarray
    served: np.ndarray


def searched(streets: Streets, homes: Places, shops: Places) -> Truth:
    """The distances from homes to vertices, shops and homes, and from vertices to shops."""
    case, found = streets.case, [streets.from_place(homes, row) for row in range(4)]
    reached = np.array([distances for distances, _ in found], float)
    between, among = (
        np.array([[streets.distance(homes, row, found[row], ends, at) for at in range(len(ends))] for row in range(4)])
        for ends in (shops, homes)
    )  # fmt: skip
    served = np.array(
        [[streets.to_place(shops, column, case.search(vertex)) for column in range(3)] for vertex in range(case.n)]
    )
    return Truth(reached, between, among, served)


def check_oracle_of_places(case: Case, turned: apsp.TurnGraph, rng: np.random.Generator, folder: Path) -> Counter[str]:
    """Check places in an oracle of a graph with turns: as it is, read again, and with other weights and closed links.

    AssertionError, or the number of pairs, and of paths.
    """
    streets, counts = Streets(case, turned.graph), Counter[str]()
    if not streets.arcs:
        return counts
    homes, shops = streets.drawn(rng, 4, "h"), streets.drawn(rng, 3, "s")
    oracle = apsp.prepare(turned, labels=bool(rng.random() < 0.3))
    for step in ("prepared", "read", "weights", "closed", "read", "opened"):
        if step == "read":
            oracle.save(folder / "oracle.npz")
            oracle = apsp.Oracle.load(folder / "oracle.npz")
        elif step != "prepared":
            _update(case, oracle, step, rng)
        counts["pairs of places"] += 12
        counts["paths of places"] += _check_oracle(streets, oracle, homes, shops, rng)
        counts["arcs of isochrones of places"] += _check_isochrones(streets, oracle.graph, homes, rng)
    return counts


def _update(case: Case, oracle: apsp.Oracle, step: str, rng: np.random.Generator) -> None:
    chosen = np.flatnonzero(rng.random(len(case.links)) < {"weights": 1.0, "closed": 0.4, "opened": 1.0}[step])
    case.closed = set(chosen.tolist()) if step == "closed" else set()
    for link in [] if step == "closed" else chosen.tolist():
        tail, head, _, one_way = case.links[link]
        case.links[link] = tail, head, int(rng.integers(0, 30)), one_way
    new = [math.inf if link in case.closed else case.links[link][2] for link in chosen.tolist()]
    oracle.update(np.array(new, float if step == "closed" else case.dtype), links=chosen)


def _check_oracle(streets: Streets, oracle: apsp.Oracle, homes: Places, shops: Places, rng: np.random.Generator) -> int:
    case, truth, paths = streets.case, searched(streets, homes, shops), 0
    names = [f"v{vertex}" for vertex in range(case.n)]
    tables = (homes, shops, truth.between), (homes, names, truth.reached), (names, shops, truth.served)
    for sources, targets, wanted in (*tables, (homes, homes, truth.among)):
        assert np.array_equal(oracle.matrix(sources, targets), wanted), "matrix of an oracle"
        if not case.closed:
            assert np.array_equal(apsp.matrix(oracle.graph, sources, targets).distances, wanted), "Oracle.graph"
    assert np.array_equal(oracle.rows(homes), truth.reached), "rows of an oracle"
    for sources, targets, wanted in tables:
        start = int(rng.integers(len(sources)))
        one = sources[start : start + 1]
        assert np.array_equal(oracle.distances(one, targets), wanted[start]), "pairs of an oracle"
        found, of_links = oracle.paths(one, targets), oracle.paths(one, targets, links=True)
        assert np.array_equal(found.distances, wanted[start]), "paths of an oracle"
        assert np.array_equal(of_links.distances, wanted[start]), "paths of links of an oracle"
        for end in range(len(targets)):
            ends = sources[start], targets[end]
            assert oracle.distance(*ends) == wanted[start, end], "a pair of an oracle"
            if math.isinf(wanted[start, end]):
                assert found[end] == of_links[end] == [], "no path of an oracle"
                continue
            paths += 2
            path, links = oracle.path(*ends), oracle.path(*ends, links=True)
            for each in (path, found[end]):
                check_ends(streets, each, ends)
            check_length(streets, links, ends, wanted[start, end])
            check_length(streets, of_links[end], ends, wanted[start, end])
    return paths


def check_ends(streets: Streets, path: list[Any], ends: tuple[Any, Any]) -> None:
    """Check that a path leads between two places or vertices along links that are open."""
    labels = [str(end.labels[0]) if isinstance(end, Places) else end for end in ends]
    assert [path[0], path[-1]] == labels, "ends of a path"
    case = streets.case
    steps = {case.ends(use) for use in case.uses() if use[0] not in case.closed}
    inner = path[isinstance(ends[0], Places) : len(path) - isinstance(ends[1], Places)]
    assert set(itertools.pairwise(int(vertex[1:]) for vertex in inner)) <= steps, "path"
    for end, next_to in zip(ends, (inner[:1], inner[-1:]), strict=True):
        if isinstance(end, Places) and inner:
            arc = int(end.arcs[0])
            street = {int(end.vertices[0]), int(streets.graph.indices[arc]) if arc >= 0 else -1}
            assert int(next_to[0][1:]) in street, "path from a street"


def check_length(streets: Streets, links: list[int], ends: tuple[Any, Any], length: float) -> None:
    """Check that a path of links from a place or vertex to another has its length."""
    case, ways = streets.case, [()]
    assert not case.closed.intersection(links), "closed links of a path"
    if any(isinstance(end, Places) and end.arcs[0] >= 0 and end.arcs[0] == streets.back[end.arcs[0]] for end in ends):
        return  # a loop, on which both directions are one
    for link in links:
        ways = [
            (*way, use) for way in ways for use in ((link, False), (link, True))
            if use in case.uses() and (not way or case.ends(way[-1])[1] == case.ends(use)[0])
        ]  # fmt: skip
    costs = sum(float(end.costs[0]) for end in ends if isinstance(end, Places))
    found = [case.length_of_uses(way) - streets.outside(way, *ends) + costs for way in ways]
    assert length in found, "length of a path"


def check_isochrones_of_places(case: Case, turned: apsp.TurnGraph, rng: np.random.Generator) -> int:
    """Check vertices and parts of arcs within cutoffs of places; AssertionError, or the number of arcs."""
    streets = Streets(case, turned.graph)
    return _check_isochrones(streets, turned, streets.drawn(rng, 4, "h"), rng) if streets.arcs else 0


def _check_isochrones(streets: Streets, graph: Any, homes: Places, rng: np.random.Generator) -> int:
    case, count = streets.case, 0
    longest = float(rng.choice([2, 3, 8, 12.5, 20, 40, 100]))
    is_loop = [arc >= 0 and streets.back[arc] == arc for arc in homes.arcs.tolist()]
    found = apsp.isochrone(graph, homes, [longest / 2, longest])
    for row, cutoff in itertools.product(np.flatnonzero(~np.array(is_loop)).tolist(), found.cutoffs):
        distances, begins = streets.from_place(homes, row)
        wanted = [f"v{vertex}" for vertex, distance in enumerate(distances) if distance <= cutoff]
        assert found.vertices(f"h{row}", cutoff).tolist() == wanted, "vertices of isochrones of places"
        parts = {(f"v{a}", f"v{b}"): part for (a, b), part in parts_within(case, begins, cutoff).items()}
        parts |= _parts_at_place(streets, homes, row, cutoff)
        arcs = found.arcs(f"h{row}", cutoff)
        assert dict(zip(zip(arcs.tails, arcs.heads, strict=True), arcs.fractions, strict=True)) == parts, "parts"
        assert len(arcs.tails) == len(parts), "arcs of isochrones of places"
        count += len(parts)
    return count


def _parts_at_place(streets: Streets, homes: Places, row: int, cutoff: float) -> dict[tuple[str, str], float]:
    """The way to the street, and the parts of the street, of which the way along it is a part."""
    name, cost = f"h{row}", float(homes.costs[row])
    if homes.arcs[row] < 0:
        return {(name, f"v{homes.vertices[row]}"): part_within(cutoff, cost)}
    found = {(name, name): part_within(cutoff, cost)} if cost > 0 else {}
    for use, after, _ in streets.ways(homes, row) if cost <= cutoff else []:
        found[name, f"v{streets.case.ends(use)[1]}"] = part_within(cutoff - cost, after - cost)
    return found


def check_saved_places(case: Case, turned: apsp.TurnGraph, rng: np.random.Generator, folder: Path) -> int:
    """Check results of places that were written to a file and a store, and read again; the number of paths."""
    streets, count = Streets(case, turned.graph), 0
    if not streets.arcs:
        return 0
    homes, shops = streets.drawn(rng, 4, "h"), streets.drawn(rng, 3, "s")
    between = searched(streets, homes, shops).between
    request: dict[str, Any] = {"sources": homes, "targets": shops, "paths": True}
    apsp.solve(turned, **request).save(folder / "places.npz")
    apsp.solve(turned, **request, store=folder / "places.zarr")
    again = apsp.solve(turned, **request, store=folder / "places.zarr")
    assert again.info["rows_computed"] == 0, "rows of a store"
    for found in (apsp.load(folder / "places.npz", check=True), apsp.load(folder / "places.zarr", check=True), again):
        assert np.array_equal(infinite(np.asarray(found.distances[:])), between), "saved distances"
        for row, column in np.argwhere(np.isfinite(between)).tolist():
            names, ends = (f"h{row}", f"s{column}"), (homes[row], shops[column])
            check_ends(streets, found.path(*names), ends)
            check_length(streets, found.path(*names, links=True), ends, between[row, column])
            count += 1
    return count


def check_places(case: Case, turned: apsp.TurnGraph, rng: np.random.Generator) -> int:
    """Check distances, paths and near pairs of places; AssertionError, or the number of pairs."""
    streets = Streets(case, turned.graph)
    if not streets.arcs:
        return 0
    homes, shops = streets.drawn(rng, 4, "h"), streets.drawn(rng, 3, "s")
    names = [f"v{vertex}" for vertex in range(case.n)]
    reached, between, among, served = searched(streets, homes, shops)
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
