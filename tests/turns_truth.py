"""Random graphs with turns, and a plain search on their links: Dijkstra over the last links of a path, in integers."""

from __future__ import annotations

import copy
import heapq
import itertools
import math
from collections import Counter
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

import apsp

Use = tuple[int, bool]
"""A link, and whether it is used from its head to its tail."""


@dataclass
class Case:
    """A graph as plain lists, and its turns."""

    n: int
    links: list[tuple[int, int, int, bool]]
    """Tail, head, weight, one way."""
    directed: bool
    zones: list[bool]
    points: list[tuple[int, int]]
    movements: list[tuple[Use, Use, float]] = field(default_factory=list)
    forbidden: list[list[Use]] = field(default_factory=list)
    rules: dict[str, float] = field(default_factory=dict)
    arguments: dict[str, Any] = field(default_factory=dict)
    changed: list[int] = field(default_factory=list)
    """The links that have new weights."""
    closed: set[int] = field(default_factory=set)
    """The links that no path uses."""
    dtype: str = "int64"
    """Of the weights."""

    def ends(self, use: Use) -> tuple[int, int]:
        tail, head, _, _ = self.links[use[0]]
        return (head, tail) if use[1] else (tail, head)

    def uses(self) -> list[Use]:
        found = [(number, False) for number in range(len(self.links))]
        return found + [
            (number, True) for number, (tail, head, _, one_way) in enumerate(self.links) if not one_way and tail != head
        ]

    def graph(self) -> apsp.Graph:
        tails, heads, weights, one_way = (
            (list(each) for each in zip(*self.links, strict=True)) if self.links else [[]] * 4
        )
        directed: Any = np.array(one_way, bool) if self.directed else False
        return apsp.from_edges(
            np.array(tails, np.int64), np.array(heads, np.int64), np.array(weights, self.dtype), n=self.n,
            directed=directed, links=True, zones=self.zones if any(self.zones) else None, coordinates=self.points,
            labels=[f"v{number}" for number in range(self.n)],
        )  # fmt: skip

    def turned(self) -> apsp.TurnGraph:
        table = {
            "from_link": [one[0] for one, _, _ in self.movements],
            "to_link": [other[0] for _, other, _ in self.movements],
            "via": [f"v{self.ends(one)[1]}" for one, _, _ in self.movements],
            "penalty": [penalty for _, _, penalty in self.movements],
        }
        return apsp.with_turns(
            self.graph(), table if self.movements else None,
            forbidden=[[link for link, _ in each] for each in self.forbidden], **self.rules, **self.arguments,
        )  # fmt: skip

    def penalty(self, one: Use, other: Use) -> float:
        named = {(first, second): penalty for first, second, penalty in self.movements}
        if (one, other) in named:
            return named[one, other]
        (tail, via), (_, head) = self.ends(one), self.ends(other)
        if head == tail != via:
            others = [use for use in self.uses() if self.ends(use)[0] == via and self.ends(use)[1] != tail]
            back = self.rules.get("u_turns", 0)
            return back if others else self.rules.get("dead_ends", back)
        left, right, straight = (self.rules.get(name, 0) for name in ("left", "right", "straight"))
        a, b, c = (self.points[vertex] for vertex in (tail, via, head))
        first, second = (b[0] - a[0], b[1] - a[1]), (c[0] - b[0], c[1] - b[1])
        if first == (0, 0) or second == (0, 0):
            return straight
        cross, dot = first[0] * second[1] - first[1] * second[0], first[0] * second[0] + first[1] * second[1]
        if abs(math.degrees(math.atan2(cross, dot))) <= 40:
            return straight
        if cross == 0:
            return right  # straight back, along another link: 180 degrees
        return left if cross > 0 else right

    def distances(self, source: int) -> list[float]:
        """The distances of all vertices, infinite without a path: a search over the last links."""
        return self.search(source)[0]

    def search(
        self, source: int = -1, starts: list[tuple[Any, tuple[Use, ...], int]] | None = None
    ) -> tuple[list[float], dict[Use, Any]]:
        """The distances of all vertices, and when each use of a link begins, after the penalty of the movement.

        The search begins at a vertex, or at several: lengths, the links so far, and without these the vertex.
        """
        memory = max([2, *map(len, self.forbidden)]) - 1
        out: dict[int, list[Use]] = {}
        for use in self.uses():
            if use[0] not in self.closed:
                out.setdefault(self.ends(use)[0], []).append(use)
        rules = {(a, b): self.penalty(a, b) for a in self.uses() for b in out.get(self.ends(a)[1], ())}
        best: dict[tuple[Use, ...], Any] = {}
        begins: dict[Use, Any] = {}
        queue = [(0, (), source)] if starts is None else sorted(starts)
        found: list[float] = [math.inf] * self.n
        while queue:
            length, last, start = heapq.heappop(queue)
            if best.get(last, math.inf) < length:
                continue
            here = self.ends(last[-1])[1] if last else start
            found[here] = min(found[here], length)
            if last and self.zones[here]:
                continue
            for use in out.get(here, ()):
                path = (*last, use)
                if any(path[len(path) - len(each) :] == tuple(each) for each in self.forbidden):
                    continue
                penalty = rules[last[-1], use] if last else 0
                if math.isinf(penalty):
                    continue
                begins[use] = min(begins.get(use, math.inf), length + exact(penalty))
                state = path[-memory:]
                longer = length + self.links[use[0]][2] + exact(penalty)
                if longer < best.get(state, math.inf):
                    best[state] = longer
                    heapq.heappush(queue, (longer, state, -1))
        return found, begins

    def length(self, links: list[int], source: int) -> Any:
        """The length of a path of links from a vertex; infinite if it is none, or is forbidden."""
        ways: list[tuple[Use, ...]] = [()]
        for link in links:
            ways = [
                (*way, use)
                for way in ways
                for use in ((link, False), (link, True))
                if use in self.uses() and self.ends(use)[0] == (self.ends(way[-1])[1] if way else source)
            ]
        return min((self.length_of_uses(way) for way in ways), default=math.inf)

    def length_of_uses(self, way: tuple[Use, ...]) -> Any:
        """The length of a path; infinite if it is forbidden."""
        total: Any = sum(self.links[link][2] for link, _ in way)
        for place, (one, other) in enumerate(itertools.pairwise(way)):
            penalty = self.penalty(one, other)
            if math.isinf(penalty) or self.zones[self.ends(one)[1]]:
                return math.inf
            total += exact(penalty)
            before = way[: place + 2]
            if any(before[len(before) - len(each) :] == tuple(each) for each in self.forbidden):
                return math.inf
        return total


def exact(number: float) -> Any:
    return int(number) if number == int(number) else Fraction(number)


def random_case(rng: np.random.Generator, *, most: int = 7, parallel: bool = True) -> Case:
    """A small graph with parallel links, loops, weights of zero, zones, and turns of all kinds."""
    n = int(rng.integers(1, most + 1))
    count = int(rng.integers(0, 3 * n + 2))
    directed = bool(rng.random() < 0.7)
    two_way = rng.random()
    high = int(rng.choice([1, 3, 20]))
    links = [
        (*rng.integers(n, size=2).tolist(), int(rng.integers(0, high + 1)), directed and bool(rng.random() > two_way))
        for _ in range(count)
    ]  # fmt: skip
    if not parallel:
        links = list({(min(link[:2]), max(link[:2])): link for link in links}.values())
    zones = [bool(each) for each in rng.random(n) < (0.2 if rng.random() < 0.2 else 0)]
    points = [(int(x), int(y)) for x, y in rng.integers(0, 4, (n, 2))]
    case = Case(n, links, directed, zones, points)
    uses = case.uses()
    after = {use: [each for each in uses if case.ends(each)[0] == case.ends(use)[1]] for use in uses}
    share = rng.choice([0.1, 0.5])
    for use in uses:
        for other in after[use]:
            if rng.random() < share:
                penalty = float(rng.choice([math.inf, 0, 1, int(rng.integers(0, 30))]))
                case.movements.append((use, other, penalty))
    for _ in range(int(rng.integers(0, 4)) if uses else 0):
        walk = [uses[int(rng.integers(len(uses)))]]
        while len(walk) < int(rng.integers(2, 6)) and after[walk[-1]]:
            walk.append(after[walk[-1]][int(rng.integers(len(after[walk[-1]])))])
        if len(walk) > 1 and _is_only(case, walk):
            case.forbidden.append(walk)
    if rng.random() < 0.3:
        case.rules["u_turns"] = float(rng.choice([math.inf, 4]))
    if rng.random() < 0.2:
        case.rules["dead_ends"] = float(rng.choice([0, math.inf, 7]))
    if rng.random() < 0.3:
        case.rules |= {name: float(rng.choice([0, 2, 9, math.inf])) for name in ("left", "right", "straight")}
        case.arguments |= {"crs": "plane", "straight_within": 40}
    return case


def _is_only(case: Case, walk: list[Use]) -> bool:
    """Whether the numbers of the links say which way each is used."""
    uses, ways = case.uses(), [()]
    for link, _ in walk:
        ways = [
            (*way, use)
            for way in ways
            for use in ((link, False), (link, True))
            if use in uses and (not way or case.ends(way[-1])[1] == case.ends(use)[0])
        ]
    return len(ways) == 1


def check(case: Case, turned: apsp.TurnGraph, seed: int) -> int:
    """Compare all distances by two methods, and one path by both; AssertionError, or the number of paths."""
    wanted = np.array([case.distances(source) for source in range(case.n)], float)
    result, oracle = apsp.solve(turned, paths=True), apsp.prepare(turned)
    assert np.array_equal(result.to_numpy(), wanted), "solve"
    assert np.array_equal(infinite(oracle.matrix()), wanted), "oracle"
    source, target = divmod(seed % case.n**2, case.n)
    ends = f"v{source}", f"v{target}"
    assert apsp.distance(turned, *ends) == wanted[source, target], "distance"
    if math.isinf(wanted[source, target]):
        return 0
    for found in (result, oracle):
        check_path(case, found.path(*ends), found.path(*ends, links=True), wanted[source, target])
    return 2


def check_oracle(case: Case, turned: apsp.TurnGraph, rng: np.random.Generator, folder: Path) -> Counter[str]:
    """Compare the paths of all pairs of an oracle, of a saved one and of a copy, and updates; AssertionError."""
    counts: Counter[str] = Counter()
    oracle = apsp.prepare(turned)
    oracle.save(folder / "oracle.npz")
    oracles = oracle, apsp.Oracle.load(folder / "oracle.npz"), copy.copy(oracle)
    for each in oracles:
        counts["paths"] += check_paths(case, each)
        assert each.turned == turned, "turned"
    for kind in ("weights", "links", "turns", "penalties"):
        _change(case, kind, rng)
        wanted = [case.distances(source) for source in range(case.n)]
        for each in oracles:
            try:
                counts[kind] += _update(case, kind, each)
            except apsp.GraphError as error:
                if "of another graph" not in str(error):  # a movement is allowed that was not before
                    raise
            else:
                assert np.array_equal(infinite(each.matrix()), wanted), kind
    return counts


def check_paths(case: Case, oracle: apsp.Oracle) -> int:
    """Check the paths of all pairs, and their links; AssertionError, or their number."""
    sources, targets = np.indices((case.n, case.n)).reshape(2, -1)
    ends = ([f"v{vertex}" for vertex in each] for each in (sources, targets))
    starts, goals = (list(each) for each in ends)
    paths, links = oracle.paths(starts, goals), oracle.paths(starts, goals, links=True)
    wanted = [case.distances(source) for source in range(case.n)]
    assert np.array_equal(infinite(paths.distances).reshape(case.n, case.n), wanted), "distances of paths"
    assert [path for block in oracle.stream_paths(starts, goals, pairs=5) for path in block] == list(paths), "stream"
    for number, (source, target) in enumerate(zip(sources.tolist(), targets.tolist(), strict=True)):
        if math.isinf(wanted[source][target]):
            assert paths[number] == links[number] == [], "path"
            continue
        assert (paths[number][0], paths[number][-1]) == (starts[number], goals[number]), "ends"
        check_path(case, paths[number], links[number], wanted[source][target])
        first, last = paths.offsets[number : number + 2].tolist()
        assert [f"v{vertex}" for vertex in paths.positions[first:last].tolist()] == paths[number], "positions"
    return len(starts)


def check_isochrones(case: Case, turned: apsp.TurnGraph, rng: np.random.Generator, **options: Any) -> int:
    """Check vertices and parts of arcs within cutoffs of all vertices; AssertionError, or the number of arcs."""
    longest = float(rng.choice([2, 3, 8, 12.5, 20, 40, 100]))
    names = [f"v{vertex}" for vertex in range(case.n)]
    isochrones, count = apsp.isochrone(turned, names, [longest / 2, longest], **options), 0
    for source, cutoff in itertools.product(range(case.n), isochrones.cutoffs):
        distances, begins = case.search(source)
        wanted = [name for name, distance in zip(names, distances, strict=True) if distance <= cutoff]
        assert isochrones.vertices(names[source], cutoff).tolist() == wanted, "vertices of isochrones"
        parts = parts_within(case, begins, cutoff)
        arcs = isochrones.arcs(names[source], cutoff)
        ends = [(int(tail[1:]), int(head[1:])) for tail, head in zip(arcs.tails, arcs.heads, strict=True)]
        assert ends == sorted(parts), "arcs of isochrones"
        assert arcs.fractions.tolist() == [parts[arc] for arc in ends], "parts of isochrones"
        count += len(ends)
    return count


def parts_within(case: Case, begins: dict[Use, Any], cutoff: float) -> dict[tuple[int, int], float]:
    """The longest part of a link between two vertices that is within a cutoff."""
    parts: dict[tuple[int, int], float] = {}
    for use, begin in begins.items():
        if cutoff >= begin:
            part = part_within(cutoff - begin, case.links[use[0]][2])
            parts[case.ends(use)] = max(parts.get(case.ends(use), 0.0), part)
    return parts


def part_within(left: Any, length: float) -> float:
    """The part of a way that what is left of a cutoff reaches."""
    return 1.0 if length <= left else float(left) / length


def check_skims(case: Case, turned: apsp.TurnGraph, rng: np.random.Generator) -> int:
    """Check weights, and two other costs along the same paths; AssertionError, or the number of pairs."""
    others = rng.integers(0, 4, (2, len(case.links)))
    names = [f"v{vertex}" for vertex in range(case.n)]
    graph = case.graph().with_costs(links=True, toll=others[0], km=others[1])
    table = turned.movements if case.movements else None
    with_costs = apsp.with_turns(graph, table, forbidden=turned.forbidden, **turned.rules)
    skims = apsp.skim(with_costs, ["toll", "km"], zones=names)
    wanted = np.array([least_costs(case, source, others.T.tolist()) for source in range(case.n)], float)
    for number, name in enumerate(("cost", "toll", "km")):
        assert np.array_equal(skims[name], wanted[:, :, number]), f"skim of {name}"
    near = apsp.within(with_costs, 20, along=["toll", "km"], sort="target")
    rows = np.repeat(near.source_positions, np.diff(near.indptr))
    assert np.array_equal(near.distances, wanted[rows, near.positions, 0]), "near pairs"
    for number, name in enumerate(("toll", "km"), 1):
        assert np.array_equal(near.along[name], wanted[rows, near.positions, number]), "costs of near pairs"
    return case.n**2


def least_costs(case: Case, source: int, others: list[list[int]]) -> list[tuple[Any, ...]]:
    """The least weights, of these the least first cost, and of these the least second one, of all vertices."""
    memory = max([2, *map(len, case.forbidden)]) - 1
    out: dict[int, list[Use]] = {}
    for use in case.uses():
        out.setdefault(case.ends(use)[0], []).append(use)
    best: dict[tuple[Use, ...], Any] = {}
    queue: list[tuple[Any, tuple[Use, ...]]] = [((0, 0, 0), ())]
    found: list[tuple[Any, ...]] = [(math.inf, math.inf, math.inf)] * case.n
    found[source] = (0, 0, 0)
    while queue:
        costs, last = heapq.heappop(queue)
        if best.get(last, (math.inf,)) < costs:
            continue
        here = case.ends(last[-1])[1] if last else source
        found[here] = min(found[here], costs)
        if last and case.zones[here]:
            continue
        for use in out.get(here, ()):
            path = (*last, use)
            penalty = case.penalty(last[-1], use) if last else 0
            if math.isinf(penalty) or any(path[len(path) - len(each) :] == tuple(each) for each in case.forbidden):
                continue
            first, second = others[use[0]]
            more = costs[0] + case.links[use[0]][2] + exact(penalty), costs[1] + first, costs[2] + second
            if more < best.get(path[-memory:], (math.inf,)):
                best[path[-memory:]] = more
                heapq.heappush(queue, (more, path[-memory:]))
    return found


def _change(case: Case, kind: str, rng: np.random.Generator) -> None:
    """Other weights of all links, or of some; or other penalties of the same movements."""
    share = {"weights": 1.0, "links": 0.3, "turns": 0.3, "penalties": 0.0}[kind]
    case.changed = np.flatnonzero(rng.random(len(case.links)) < share).tolist()
    for link in case.changed:
        tail, head, _, one_way = case.links[link]
        case.links[link] = tail, head, int(rng.integers(0, 30)), one_way
    if kind == "penalties":
        case.movements = [
            (one, other, penalty and float(rng.choice([math.inf, 1, 9]))) for one, other, penalty in case.movements
        ]
        case.rules = {name: penalty and float(rng.choice([math.inf, 3, 8])) for name, penalty in case.rules.items()}


def _update(case: Case, kind: str, oracle: apsp.Oracle) -> int:
    weights = [case.links[link][2] for link in case.changed]
    if kind == "weights":
        oracle.update(np.array(weights, np.int64), links=True)
    elif kind == "links":
        oracle.update(weights, links=case.changed)
    else:
        oracle.update(case.turned())
    return 1


def check_path(case: Case, path: list[Any], links: list[Any], length: float) -> None:
    """Check that a path has its length, and that its links lead from vertex to vertex."""
    positions = [int(vertex[1:]) for vertex in path]
    assert len(path) == len(links) + 1, "path"
    for link, (tail, head) in zip(links, itertools.pairwise(positions), strict=True):
        ends = case.links[link][:2]
        assert ends == (tail, head) or (ends == (head, tail) and (link, True) in case.uses()), "path"
    assert case.length(links, positions[0]) == length, "path"


def infinite(distances: np.ndarray) -> np.ndarray:
    """Distances as float64, infinite where there is no path."""
    return np.where(distances == apsp.unreachable(distances.dtype), np.inf, distances.astype(float))
