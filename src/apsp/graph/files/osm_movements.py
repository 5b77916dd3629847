"""The links that turn restrictions of OpenStreetMap forbid to use one after the other.

A way is split at junctions. The part that is meant is the one that ends at the via node; of a way that passes through
the node the one whose angle agrees with the word, if there is only one, and both for U-turns on one way. Via ways are
followed from the node where the way `from` meets the first of them to that where the last one meets the way `to`.

`only_` forbids all movements from the way other than that one. With via ways it forbids to leave the last of them in
another direction, for those who came from `from`; the definition does not say more.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from apsp.graph.files.osm_restrictions import KINDS, Restriction

__all__ = ["Forbidden", "Streets", "forbidden_by"]

Ints = npt.NDArray[np.int64]

_TIMED = "turn restrictions at certain times are not considered"
_UNKNOWN = "turn restrictions of unknown kinds are not applied"
_INCOMPLETE = "turn restrictions are not applied: members are lacking, or too many"
_MISSING = "turn restrictions are not applied: members are not in the file, or no streets"
_CLOSED = "turn restrictions are not applied: members are closed for the mode"
_APART = "turn restrictions are not applied: members do not meet"
_SEVERAL = "turn restrictions are not applied: several parts of a way may be meant"
_CONTRADICTORY = "turn restrictions are not applied: they contradict each other"

_SHOWN = 10
"""Numbers of relations in a note."""

_ANGLES = {"left_turn": (-170, -20), "right_turn": (20, 170), "straight_on": (-45, 45)}
"""Degrees between which an angle agrees with a word."""


class Streets(NamedTuple):
    """The parts of ways, each of which leads from junction to junction.

    Attributes
    ----------
    ways : (p,) int64
        The way of each part.
    first : (p + 1,) int64
        The junctions of part i are first[i] .. first[i + 1] - 1.
    vertices : (s,) int64
        The vertex of each junction.
    along, against : (s,) int64
        The links to the next junction, and back from it; -1: there is none.
    leaving, entering : (s,) float64
        The bearings, clockwise in degrees, of the street to the next junction at its beginning and at its end.
    closed : (c,) int64
        Ways that are streets, but closed for the mode.
    """

    ways: Ints
    first: Ints
    vertices: Ints
    along: Ints
    against: Ints
    leaving: npt.NDArray[np.float64]
    entering: npt.NDArray[np.float64]
    closed: Ints


class Forbidden(NamedTuple):
    """What restrictions forbid.

    Attributes
    ----------
    sequences : list of tuple of int
        Links that are not used one directly after the other.
    notes : list of str
    """

    sequences: list[tuple[int, ...]]
    notes: list[str]


class _Arm(NamedTuple):
    """A street at a junction: its links away from it and to it (-1: none), and the direction in which it leaves it."""

    street: int
    out: int
    into: int
    bearing: float


class _NotClearError(Exception):
    """Why a restriction is not applied."""


def forbidden_by(restrictions: list[Restriction], streets: Streets, number: dict[int, int]) -> Forbidden:
    """Find the links of restrictions.

    Parameters
    ----------
    restrictions : list of Restriction
    streets : Streets
    number : dict of int to int
        The vertices of the via nodes.

    Returns
    -------
    Forbidden
        With notes on what is not applied, and why.
    """
    wanted = {way for each in restrictions for way in (*each.from_, *each.via_ways, *each.to)}
    found = _Finder(streets, wanted)
    reasons: dict[str, list[int]] = {}
    sequences: dict[tuple[int, ...], None] = {}
    only: dict[tuple[int, ...], dict[int, int]] = {}
    for each in restrictions:
        if each.is_timed:
            reasons.setdefault(_TIMED, []).append(each.number)
        if not each.kind:
            continue
        try:
            chains = found.chains(each, number)
        except _NotClearError as reason:
            reasons.setdefault(str(reason), []).append(each.number)
            continue
        if each.kind.startswith("only"):
            for chain in chains:
                only.setdefault(chain[:-1], {})[chain[-1]] = each.number
        else:
            sequences.update(dict.fromkeys(chains))
    leaving = found.leaving(only)
    for before, allowed in only.items():
        if len(allowed) > 1:
            reasons.setdefault(_CONTRADICTORY, []).extend(allowed.values())
        else:
            sequences.update(((*before, link), None) for link in leaving[before] if link not in allowed)
    return Forbidden(list(sequences), [_note(reason, numbers) for reason, numbers in reasons.items()])


def _note(reason: str, numbers: list[int]) -> str:
    numbers = list(dict.fromkeys(numbers))
    more = f" and {len(numbers) - _SHOWN:,} more" if len(numbers) > _SHOWN else ""
    return f"{reason} (relation{'s' * (len(numbers) > 1)} {', '.join(map(str, numbers[:_SHOWN]))}{more})"


class _Finder:
    """The links of the ways that restrictions name."""

    def __init__(self, streets: Streets, wanted: set[int]) -> None:
        self._streets = streets
        self._parts: dict[int, list[tuple[int, int]]] = {}
        among = np.array(sorted(wanted), np.int64)
        for part in np.flatnonzero(np.isin(streets.ways, among)).tolist():
            span = int(streets.first[part]), int(streets.first[part + 1])
            self._parts.setdefault(int(streets.ways[part]), []).append(span)
        self._closed = set(streets.closed[np.isin(streets.closed, among)].tolist())

    def chains(self, one: Restriction, number: dict[int, int]) -> list[tuple[int, ...]]:
        """The sequences of links that a restriction forbids, or, if its kind is only_, allows; none if there are none.

        Raises
        ------
        _NotClearError
        """
        if one.kind not in KINDS:
            raise _NotClearError(_UNKNOWN)
        several = (one.kind == "no_entry", one.kind == "no_exit")
        counts = len(one.from_), len(one.to)
        wrong = any(count == 0 or (count > 1 and not many) for count, many in zip(counts, several, strict=True))
        if wrong or (len(one.via_nodes) != 1 if not one.via_ways else one.via_nodes):
            raise _NotClearError(_INCOMPLETE)
        is_only = one.kind.startswith("only")
        missing = [way for way in (*one.from_, *one.via_ways, *one.to) if way not in self._parts]
        if not self._closed.issuperset(missing):
            raise _NotClearError(_MISSING)
        if missing and is_only:
            raise _NotClearError(_CLOSED)
        if missing:
            return []
        found = []
        for from_ in one.from_:
            for to in one.to:
                if one.via_ways:
                    found += self._through(one, from_, to)
                else:
                    found += self._at(one, from_, to, number)
        if is_only and not found:
            raise _NotClearError(_CLOSED)
        return found

    def leaving(self, befores: Iterable[tuple[int, ...]]) -> dict[tuple[int, ...], list[int]]:
        """The links that may follow sequences of links."""
        streets = self._streets
        links = np.concatenate([streets.along[:-1], streets.against[:-1]])
        known = np.flatnonzero(links >= 0)
        tails, heads = (
            np.concatenate(pair)[known]
            for pair in ((streets.vertices[:-1], streets.vertices[1:]), (streets.vertices[1:], streets.vertices[:-1]))
        )
        links = links[known]
        head_of = np.empty_like(links)
        head_of[links] = heads
        order = np.argsort(tails, kind="stable")
        tails, found = tails[order], {}
        for before in befores:
            first, last = np.searchsorted(tails, [head_of[before[-1]], head_of[before[-1]] + 1])
            found[before] = links[order[first:last]].tolist()
        return found

    def _arms(self, way: int, vertex: int) -> list[_Arm]:
        """The streets of a way at a vertex."""
        streets, found = self._streets, []
        for first, stop in self._parts[way]:
            for at in range(first, stop):
                if streets.vertices[at] != vertex:
                    continue
                if at + 1 < stop:
                    found.append(_Arm(at, int(streets.along[at]), int(streets.against[at]), float(streets.leaving[at])))
                if at > first:
                    back = (float(streets.entering[at - 1]) + 180) % 360
                    found.append(_Arm(at - 1, int(streets.against[at - 1]), int(streets.along[at - 1]), back))
        return found

    def _at(self, one: Restriction, from_: int, to: int, number: dict[int, int]) -> list[tuple[int, ...]]:
        """Through a node."""
        (node,) = one.via_nodes
        if node not in number:
            raise _NotClearError(_APART)
        vertex = number[node]
        if vertex < 0 and from_ == to:  # inside a street, where no path turns
            return []
        before, after = self._arms(from_, vertex), self._arms(to, vertex)
        if not before or not after:
            raise _NotClearError(_APART)
        pairs = [(a, b) for a in before for b in after if a.into >= 0 and b.out >= 0]
        word = one.kind.partition("_")[2]
        if from_ == to:
            pairs = [(a, b) for a, b in pairs if (a[:3] == b[:3]) == (word == "u_turn")]
            several = word == "u_turn"
        else:
            several = word in ("entry", "exit")
        if len(pairs) > 1 and not several:
            low, high = _ANGLES.get(word, (0, -1))
            pairs = [(a, b) for a, b in pairs if low <= _deviation(a, b) <= high]
            if len(pairs) != 1:
                raise _NotClearError(_SEVERAL)
        return [(a.into, b.out) for a, b in pairs]

    def _through(self, one: Restriction, from_: int, to: int) -> list[tuple[int, ...]]:
        """Through ways."""
        ways = [from_, *one.via_ways, to]
        junctions = [self._vertices(way) for way in ways]
        if not all(here & there for here, there in itertools.pairwise(junctions)):
            raise _NotClearError(_APART)
        chains: list[tuple[tuple[int, ...], int, int, bool]] = [  # links, the last street, the vertex, whole ways
            ((arm.into,), arm.street, vertex, True)
            for vertex in sorted(junctions[0] & junctions[1])
            for arm in self._arms(from_, vertex)
            if arm.into >= 0
        ]
        for place, way in enumerate(one.via_ways, 1):
            chains = [
                ((*links, *more), street, vertex, whole and all_)
                for links, last, here, whole in chains
                for more, first, street, vertex, all_ in self._stretches(way, here)
                if first != last and vertex in junctions[place + 1]
            ]
        full = [
            ((*links, arm.out), whole)
            for links, last, vertex, whole in chains
            for arm in self._arms(to, vertex)
            if arm.out >= 0 and arm.street != last
        ]
        if len(full) > 1:
            full = [(links, whole) for links, whole in full if whole]
            if len(full) != 1:
                raise _NotClearError(_SEVERAL)
        return [links for links, _ in full]

    def _vertices(self, way: int) -> set[int]:
        return {
            vertex for first, stop in self._parts[way] for vertex in self._streets.vertices[first:stop].tolist()
        }  # fmt: skip

    def _stretches(self, way: int, vertex: int) -> Iterator[tuple[tuple[int, ...], int, int, int, bool]]:
        """The ways along a way from a vertex: links, the first street and the last, where they end, and whether that is
        the whole way.
        """
        streets = self._streets
        for first, stop in self._parts[way]:
            is_closed = streets.vertices[first] == streets.vertices[stop - 1]
            count = stop - 1 - first
            for at in range(first, stop - 1 if is_closed else stop):
                if streets.vertices[at] != vertex:
                    continue
                for step in (1, -1):
                    used = streets.along if step > 0 else streets.against
                    links: list[int] = []
                    for street in _in_turn(at, step, first, stop - 1, is_closed):
                        if used[street] < 0:
                            break
                        links.append(int(used[street]))
                        end = int(streets.vertices[street + (step > 0)])
                        begin = at if step > 0 else (at - 1 - first) % count + first
                        yield tuple(links), begin, street, end, is_closed or len(links) == count


def _in_turn(at: int, step: int, first: int, stop: int, is_closed: bool) -> list[int]:
    """The streets first .. stop - 1 of a way, from the junction at the beginning of one of them on or back."""
    if step > 0:
        return [*range(at, stop), *(range(first, at) if is_closed else ())]
    return [*range(at - 1, first - 1, -1), *(range(stop - 1, at - 1, -1) if is_closed else ())]


def _deviation(before: _Arm, after: _Arm) -> float:
    """The angle between arriving by one street and leaving by another, in degrees; positive to the right."""
    turn = after.bearing - (before.bearing + 180)
    return 180 - (180 - turn) % 360 if math.isfinite(turn) else math.nan
