"""Turn restrictions of OpenStreetMap, against a search on the segments of ways that knows no graph."""

from __future__ import annotations

import heapq
import itertools
import math
import pickle
from collections import Counter
from typing import Any

import numpy as np
import pytest

import apsp
from apsp.graph.files.osm_restrictions import kinds_of

METRES = 6_371_008.8 * math.pi / 180 * 0.001  # of a thousandth of a degree at the equator

KINDS = [
    # tags, kind for car, bike, foot; whether something holds at certain times
    ("restriction=no_left_turn", ("no_left_turn", "no_left_turn", ""), ""),
    ("restriction=no_u_turn except=bicycle;psv", ("no_u_turn", "", ""), ""),
    ("restriction=no_u_turn except=motorcar", ("", "no_u_turn", ""), ""),
    ("restriction:hgv=no_left_turn", ("", "", ""), ""),
    ("restriction:bicycle=no_entry restriction=only_left_turn", ("only_left_turn", "no_entry", ""), ""),
    ("restriction:bicycle=none restriction=only_left_turn", ("only_left_turn", "", ""), ""),
    ("restriction:motorcar=no_exit restriction:motor_vehicle=no_entry", ("no_exit", "", ""), ""),
    ("restriction:conditional=no_left_turn@(Mo-Fr)", ("", "", ""), "car bike"),
    ("restriction:bicycle:conditional=no_left_turn@(Mo-Fr)", ("", "", ""), "bike"),
    ("restriction=no_left_turn restriction:conditional=none@(Su)", ("no_left_turn", "no_left_turn", ""), "car bike"),
    ("restriction=no_left_turn@(Mo-Fr)", ("", "", ""), "car bike"),
    ("restriction=no_left_turn hour_on=07:00 hour_off=09:00", ("", "", ""), "car bike"),
    ("type=restriction:foot restriction=no_entry", ("", "", "no_entry"), ""),
    ("type=restriction:hgv restriction=no_entry", ("", "", ""), ""),
    ("type=route restriction=no_entry", ("", "", ""), ""),
    ("except=bicycle", ("", "", ""), ""),
]  # fmt: skip


@pytest.mark.parametrize(("tags", "kinds", "timed"), KINDS)
def test_kinds(tags: str, kinds: tuple[str, ...], timed: str) -> None:
    said = {"type": "restriction"} | dict(tag.split("=") for tag in tags.split())
    for mode, kind in zip(("car", "bike", "foot"), kinds, strict=True):
        assert kinds_of(said, mode) == (kind, mode in timed.split())


def written(path: Any, nodes: dict[int, Any], ways: dict[int, Any], relations: dict[int, Any]) -> Any:
    """A map in thousandths of degrees."""
    osmium = pytest.importorskip("osmium")
    from osmium.osm.mutable import Node, Relation, Way

    with osmium.SimpleWriter(str(path)) as writer:
        for number, (x, y) in nodes.items():
            writer.add_node(Node(id=number, location=(x / 1000, y / 1000)))
        for number, (refs, tags) in ways.items():
            writer.add_way(Way(id=number, nodes=refs, tags={"highway": "residential"} | tags))
        for number, (members, tags) in relations.items():
            writer.add_relation(Relation(id=number, members=members, tags={"type": "restriction"} | tags))
    return path


# A crossing: 1 west, 2 east, 3 south, 4 north of 5; way 10 from the west and way 20 to the east, 30 south, 40 north.
CROSS = {1: (-1, 0), 2: (1, 0), 3: (0, -1), 4: (0, 1), 5: (0, 0)}
SPLIT: dict[int, Any] = {10: ([1, 5], {}), 20: ([5, 2], {}), 30: ([3, 5], {}), 40: ([5, 4], {})}
THROUGH: dict[int, Any] = {10: ([1, 5, 2], {}), 30: ([3, 5], {}), 40: ([5, 4], {})}


def members(from_: Any, via: Any, to: Any) -> list[tuple[str, int, str]]:
    found = [("w", each, "from") for each in np.atleast_1d(from_).tolist()]
    found += [("n", each, "via") if each < 10 else ("w", each, "via") for each in np.atleast_1d(via).tolist()]
    return [*found, *(("w", each, "to") for each in np.atleast_1d(to).tolist())]


def banned(turned: apsp.TurnGraph) -> set[tuple[int, ...]]:
    """The forbidden movements and sequences, as labels of vertices."""
    links, labels = turned.graph.links, turned.labels
    assert links is not None
    pairs = zip(turned.movements["from_link"].tolist(), turned.movements["to_link"].tolist(), strict=True)
    ends = list(zip(links.tails.tolist(), links.heads.tolist(), strict=True))
    return {
        tuple(int(labels[v]) for v in (ends[each[0]][0], *(ends[link][1] for link in each)))
        for each in [*pairs, *turned.forbidden]
    }  # fmt: skip


CASES = [
    # ways, kind, members, forbidden movements by nodes
    (SPLIT, "no_left_turn", members(10, 5, 40), {(1, 5, 4)}),
    (SPLIT, "only_straight_on", members(10, 5, 20), {(1, 5, 3), (1, 5, 4), (1, 5, 1)}),
    (SPLIT, "no_u_turn", members(10, 5, 10), {(1, 5, 1)}),
    (SPLIT, "no_entry", members([10, 30], 5, 20), {(1, 5, 2), (3, 5, 2)}),
    (SPLIT, "no_exit", members(10, 5, [20, 30]), {(1, 5, 2), (1, 5, 3)}),
    (SPLIT, "only_u_turn", members(10, 5, 10), {(1, 5, 2), (1, 5, 3), (1, 5, 4)}),
    (THROUGH, "no_left_turn", members(10, 5, 40), {(1, 5, 4)}),  # from the east it is a right turn
    (THROUGH, "no_right_turn", members(10, 5, 40), {(2, 5, 4)}),
    (THROUGH, "no_left_turn", members(40, 5, 10), {(4, 5, 2)}),
    (THROUGH, "no_u_turn", members(10, 5, 10), {(1, 5, 1), (2, 5, 2)}),
    (THROUGH, "no_entry", members(10, 5, 40), {(1, 5, 4), (2, 5, 4)}),
    (THROUGH, "only_right_turn", members(40, 5, 10), {(4, 5, 2), (4, 5, 3), (4, 5, 4)}),
]  # fmt: skip


@pytest.mark.parametrize("suffix", [".osm", ".osm.pbf"])
@pytest.mark.parametrize(("ways", "kind", "who", "wanted"), CASES)
def test_crossings(tmp_path, suffix, ways, kind, who, wanted):
    path = written(tmp_path / f"map{suffix}", CROSS, ways, {7: (who, {"restriction": kind})})
    notes: list[str] = []
    assert banned(apsp.read(path, turns=True, notes=notes)) == wanted
    assert notes[1:] == [f"1 turn restriction; movements forbidden: {len(wanted)}"]


ONE_WAY = {**SPLIT, 40: ([5, 4], {"oneway": "-1"})}
FOOT = {**SPLIT, 40: ([5, 4], {"highway": "footway"})}

NOT_CLEAR = [
    (SPLIT, "no_left_turn", members(10, 5, 99), "members are not in the file, or no streets"),
    (SPLIT, "no_left_turn", members(10, 6, 40), "members do not meet"),
    (SPLIT, "no_left_turn", members(10, 3, 40), "members do not meet"),
    (SPLIT, "no_left_turn", members([10, 20], 5, 40), "members are lacking, or too many"),
    (SPLIT, "no_left_turn", members([], 5, 40), "members are lacking, or too many"),
    (SPLIT, "no_left_turn", members(10, [], 40), "members are lacking, or too many"),
    (SPLIT, "no_left_turn", members(10, [3, 5], 40), "members are lacking, or too many"),
    (SPLIT, "no_left_turn", members(10, [5, 20], 40), "members are lacking, or too many"),
    (SPLIT, "no_turn_on_red", members(10, 5, 40), "of unknown kinds"),
    (SPLIT, "no_left_turn @ (Mo-Fr)", members(10, 5, 40), "at certain times are not considered"),
    (FOOT, "only_left_turn", members(10, 5, 40), "members are closed for the mode"),
    (ONE_WAY, "only_left_turn", members(10, 5, 40), "members are closed for the mode"),
    (THROUGH, "no_straight_on", members(10, 5, 10), "several parts of a way may be meant"),
    ({10: ([1, 5, 2], {}), 30: ([3, 5, 4], {})}, "no_left_turn", members(10, 5, 30), "several parts"),
]  # fmt: skip


@pytest.mark.parametrize(("ways", "kind", "who", "reason"), NOT_CLEAR)
def test_what_is_not_clear_is_noted_and_not_applied(tmp_path, ways, kind, who, reason):
    path = written(tmp_path / "map.osm", CROSS, ways, {7: (who, {"restriction": kind})})
    notes: list[str] = []
    turned = apsp.read(path, turns=True, notes=notes)
    assert banned(turned) == set()
    assert reason in notes[2]
    assert notes[2].endswith(" (relation 7)")


@pytest.mark.parametrize("ways", [ONE_WAY, FOOT])
def test_what_is_closed_anyway_needs_no_note(tmp_path, ways):
    path = written(tmp_path / "map.osm", CROSS, ways, {7: (members(10, 5, 40), {"restriction": "no_left_turn"})})
    notes: list[str] = []
    assert banned(apsp.read(path, turns=True, notes=notes)) == set()
    assert notes[1:] == ["1 turn restriction; movements forbidden: 0"]


def test_what_contradicts_is_noted(tmp_path):
    relations = {
        number: (members(10, 5, to), {"restriction": kind})
        for number, to, kind in ((7, 20, "only_straight_on"), (8, 40, "only_left_turn"), (9, 20, "only_straight_on"))
    }
    notes: list[str] = []
    path = written(tmp_path / "map.osm", CROSS, SPLIT, relations)
    assert banned(apsp.read(path, turns=True, notes=notes)) == set()
    assert notes[2] == "turn restrictions are not applied: they contradict each other (relations 9, 8)"


def test_u_turns_inside_a_street_are_none(tmp_path):
    ways = {10: ([1, 5, 2], {})}
    path = written(tmp_path / "map.osm", CROSS, ways, {7: (members(10, 5, 10), {"restriction": "no_u_turn"})})
    notes: list[str] = []
    turned = apsp.read(path, turns=True, notes=notes)
    assert turned.n == 2
    assert notes[1:] == ["1 turn restriction; movements forbidden: 0"]


def test_only_through_ways_and_loops(tmp_path):
    """A dual carriageway, 1 > 2 > 3 and 6 > 5 > 4, joined by way 30 (2, 7, 5), which a street meets at 7."""
    nodes = {1: (0, 0), 2: (1, 0), 3: (2, 0), 4: (0, 1), 5: (1, 1), 6: (2, 1), 7: (1, 0.5), 8: (2, 0.5), 9: (3, 0.7)}
    one_way = {"oneway": "yes"}
    ways = {
        10: ([1, 2], one_way), 11: ([2, 3], one_way), 20: ([6, 5], one_way), 21: ([5, 4], one_way), 30: ([2, 7, 5], {}),
        40: ([7, 8], {}), 50: ([8, 9, 8], {}),
    }  # fmt: skip
    for kind, wanted in (("no_u_turn", {(1, 2, 7, 5, 4)}), ("only_u_turn", {(1, 2, 7, 5, 7)})):
        path = written(tmp_path / "map.osm", nodes, ways, {70: (members(10, 30, 21), {"restriction": kind})})
        turned = apsp.read(path, turns=True, cost="length")
        assert banned(turned) == wanted
        (tmp_path / "map.osm").unlink()
        if kind == "no_u_turn":  # back to 2, or with U-turns forbidden around the loop at 8
            assert apsp.shortest_path(turned, 1, 4) == [1, 2, 7, 2, 7, 5, 4]
            back = apsp.with_turns(
                turned.graph, turned.movements, forbidden=turned.forbidden, u_turns=math.inf, dead_ends=math.inf
            )  # fmt: skip
            assert apsp.shortest_path(back, 1, 4) == [1, 2, 7, 8, 8, 7, 5, 4]


def test_copies_and_options(tmp_path):
    path = written(tmp_path / "map.osm", CROSS, SPLIT, {7: (members(10, 5, 40), {"restriction": "no_left_turn"})})
    turned = apsp.read(path, turns=True)
    assert pickle.loads(pickle.dumps(turned)) == turned
    again = apsp.with_turns(turned.graph, turned.movements, forbidden=turned.forbidden)
    assert again == turned
    assert apsp.distance(turned, 1, 4) > apsp.distance(apsp.read(path), 1, 4)
    for odd in ({"directed": False}, {"parallel": "first"}):
        with pytest.raises(apsp.RequestError, match="turns=True needs one-way streets and all links"):
            apsp.read(path, turns=True, **odd)
    (tmp_path / "x.csv").write_text("a,b,1\n")
    with pytest.raises(apsp.RequestError, match="turns= is an option of osm"):
        apsp.read(tmp_path / "x.csv", turns=True)


# -- random maps ------------------------------------------------------------------------------------------------------

Segment = tuple[int, int, int]
"""A way, the place of its node, and 1 or -1: to the next node or to the one before."""


class Map:
    """Ways as lists of nodes of a grid, some of them one-way, and restrictions."""

    def __init__(self, rng: np.random.Generator) -> None:
        side = int(rng.integers(3, 5))
        self.nodes = {1 + x + side * y: (x, y) for x in range(side) for y in range(side)}
        self.ways: dict[int, tuple[list[int], int]] = {}  # nodes, and 1, 0 or -1: the directions that are open
        for way in range(100, 100 + int(rng.integers(4, 10))):
            refs = [int(rng.choice(list(self.nodes)))]
            while len(refs) < int(rng.integers(2, 6)):
                refs.append(int(rng.choice([each for each in self.nodes if self._beside(each, refs[-1])])))
            if len(set(itertools.pairwise(refs))) == len(refs) - 1:
                self.ways[way] = refs, int(rng.choice([0, 0, 1, -1]))
        counts = Counter(node for refs, _ in self.ways.values() for node in refs)
        ends = {node for refs, _ in self.ways.values() for node in (refs[0], refs[-1])}
        self.junctions = {node for node, count in counts.items() if count > 1} | ends
        self.relations: dict[int, tuple[str, list[int], list[int], list[int]]] = {}
        names, ways = [*rng.permutation(KINDS_OF), *rng.permutation(KINDS_OF)], list(self.ways)
        for number, kind in enumerate(names[: int(rng.integers(1, 20))], 1):
            one, other, via = (int(rng.choice(ways)) for _ in range(3))
            both = sorted(set(self.ways[one][0]) & set(self.ways[other][0]))
            if rng.random() < 0.6 and both:
                self.relations[number] = kind, [one], [int(rng.choice(both))], [other]
            else:
                middle = [via] if rng.random() < 0.7 else [via, int(rng.choice(ways))]
                self.relations[number] = kind, [one], middle, [other]

    def _beside(self, one: int, other: int) -> bool:
        (a, b), (c, d) = self.nodes[one], self.nodes[other]
        return abs(a - c) + abs(b - d) == 1

    def ends(self, segment: Segment) -> tuple[int, int]:
        way, at, step = segment
        return self.ways[way][0][at], self.ways[way][0][at + step]

    def all(self, way: int) -> list[Segment]:
        """The segments of a way that are open."""
        refs, direction = self.ways[way]
        found = [(way, at, 1) for at in range(len(refs) - 1)] if direction >= 0 else []
        return found + ([(way, at, -1) for at in range(1, len(refs))] if direction <= 0 else [])

    def is_back(self, one: Segment, other: Segment) -> bool:
        return one[0] == other[0] and one[1] + one[2] == other[1] and one[2] == -other[2]

    def follows(self, one: Segment, other: Segment) -> bool:
        """Whether a path may go on, before restrictions."""
        here = self.ends(one)[1]
        goes_on = one[0] == other[0] and one[1] + one[2] == other[1] and one[2] == other[2]
        return here == self.ends(other)[0] and (here in self.junctions or goes_on)

    def angle(self, one: Segment, other: Segment) -> int:
        (a, b), (c, d) = ([self.nodes[node] for node in self.ends(each)] for each in (one, other))
        first, second = (b[0] - a[0], b[1] - a[1]), (d[0] - c[0], d[1] - c[1])
        cross, dot = first[0] * second[1] - first[1] * second[0], first[0] * second[0] + first[1] * second[1]
        return -90 if cross > 0 else 90 if cross < 0 else 0 if dot > 0 else 180

    def meant(self, kind: str, from_: int, via: list[int], to: int) -> list[list[Segment]] | None:
        """The walks that a restriction means; None if it is not clear which."""
        word = kind.partition("_")[2]
        if via[0] in self.nodes:
            walks = [
                [one, other]
                for one, other in itertools.product(self.all(from_), self.all(to))
                if self.ends(one)[1] == self.ends(other)[0] == via[0] and via[0] in self.junctions
            ]
            if from_ == to:
                walks = [each for each in walks if self.is_back(*each) == (word == "u_turn")]
            if len(walks) > 1 and (word != "u_turn" if from_ == to else word not in ("entry", "exit")):
                angle = {"left_turn": -90, "right_turn": 90, "straight_on": 0}.get(word)
                walks = [each for each in walks if self.angle(*each) == angle]
                return walks if len(walks) == 1 else None
            return walks
        walks = [[one] for one in self.all(from_) if self.ends(one)[1] in self.ways[via[0]][0]]
        for place, way in enumerate(via):
            walks = [[*each, *more] for each in walks for more in self.along(way, each[-1], [*via, to][place + 1])]
        walks = [
            [*each, one] for each in walks for one in self.all(to)
            if self.ends(one)[0] == self.ends(each[-1])[1] and not self.same_street(each[-1], one)
        ]  # fmt: skip
        if len(walks) > 1:
            walks = [each for each in walks if self.are_whole(each[1:-1], via)]
            return walks if len(walks) == 1 else None
        return walks

    def along(self, way: int, last: Segment, then: int) -> list[list[Segment]]:
        found = []
        refs = self.ways[way][0]
        for first in self.all(way):
            if self.ends(first)[0] != self.ends(last)[1] or self.same_street(last, first):
                continue
            walk = [first]
            while len(walk) < len(refs):
                here = self.ends(walk[-1])[1]
                if here in self.junctions and here in self.ways[then][0]:
                    found.append(list(walk))
                at = walk[-1][1] + first[2]
                if refs[0] == refs[-1]:
                    at = at % (len(refs) - 1) if first[2] > 0 else (at - 1) % (len(refs) - 1) + 1
                segment = (way, at, first[2])
                if segment not in self.all(way):
                    break
                walk.append(segment)
        return found

    def same_street(self, one: Segment, other: Segment) -> bool:
        """Whether both are on the stretch of a way between two junctions."""
        return one[0] == other[0] and self.stretch(one) == self.stretch(other)

    def stretch(self, one: Segment) -> int:
        refs, at = self.ways[one[0]][0], min(one[1], one[1] + one[2])
        return sum(node in self.junctions for node in refs[1 : at + 1])

    def are_whole(self, walk: list[Segment], via: list[int]) -> bool:
        for way in via:
            refs = self.ways[way][0]
            mine = [each for each in walk if each[0] == way]
            if refs[0] != refs[-1] and len(mine) != (len(refs) - 1) * via.count(way):
                return False
        return True

    def forbidden(self) -> list[tuple[Segment, ...]]:
        found: list[tuple[Segment, ...]] = []
        only: dict[tuple[Segment, ...], set[Segment]] = {}
        for kind, (from_,), via, (to,) in self.relations.values():
            walks = self.meant(kind, from_, via, to)
            for walk in walks or []:
                if kind.startswith("only"):
                    only.setdefault(tuple(walk[:-1]), set()).add(walk[-1])
                else:
                    found.append(tuple(walk))
        every = [segment for way in self.ways for segment in self.all(way)]
        for before, allowed in only.items():
            if len(allowed) == 1:
                here = self.ends(before[-1])[1]
                found += [(*before, one) for one in every if one not in allowed and self.ends(one)[0] == here]
        return found

    def distances(self, source: int) -> dict[int, int]:
        every = [segment for way in self.ways for segment in self.all(way)]
        forbidden = self.forbidden()
        begun = {each[:length] for each in forbidden for length in range(2, len(each))}
        queue: list[tuple[int, tuple[Segment, ...]]] = [(0, ())]
        seen: set[tuple[Segment, ...]] = set()
        found = {source: 0}
        while queue:
            length, last = heapq.heappop(queue)
            if last in seen:
                continue
            seen.add(last)
            if last:
                found.setdefault(self.ends(last[-1])[1], length)
            for one in every:
                if not (self.follows(last[-1], one) if last else self.ends(one)[0] == source):
                    continue
                path = (*last, one)
                if any(path[len(path) - len(each) :] == each for each in forbidden):
                    continue
                ends = (path[begin:] for begin in range(len(path)))
                heapq.heappush(queue, (length + 1, next((end for end in ends if end in begun), path[-1:])))
        return found


KINDS_OF = [
    "no_left_turn", "no_right_turn", "no_straight_on", "no_u_turn", "no_entry", "no_exit", "only_left_turn",
    "only_right_turn", "only_straight_on", "only_u_turn",
]  # fmt: skip


@pytest.mark.few(12)
@pytest.mark.parametrize("seed", range(60))
def test_random_maps(tmp_path, seed):
    """Distances of all junctions of small grids whose ways cross, touch, pass through themselves, and form loops."""
    made = Map(np.random.default_rng(seed))
    one_way = {1: {"oneway": "yes"}, -1: {"oneway": "-1"}, 0: {}}
    relations = {
        number: (
            [("w", from_[0], "from"), *(("n" if each < 100 else "w", each, "via") for each in via), ("w", to[0], "to")],
            {"restriction": kind},
        )
        for number, (kind, from_, via, to) in made.relations.items()
    }
    ways = {way: (refs, one_way[direction]) for way, (refs, direction) in made.ways.items()}
    path = written(tmp_path / "map.osm.pbf", made.nodes, ways, relations)
    turned = apsp.read(path, turns=True, cost="length")
    labels = [int(label) for label in turned.labels]
    assert set(labels) == made.junctions
    distances = apsp.solve(turned).to_numpy()
    for row, source in enumerate(labels):
        wanted = made.distances(source)
        expected = [METRES * wanted.get(target, math.inf) for target in labels]
        np.testing.assert_allclose(distances[row], expected, rtol=1e-5)
