"""The links that prohibited transitions of Overture segments forbid to use one after the other.

A transition leads from its segment to a connector, then along one segment after the other to the next connector, and on
along the last one in a heading. The part of its segment that is meant is the one that ends at the first connector, in
the heading of the rule, or in both if it has none. To go straight on along one segment is no transition, unless the
rule has this heading.
Source: https://docs.overturemaps.org/guides/transportation/roads
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from apsp.errors import shown
from apsp.graph.files.overture_rules import HEADINGS, ROUNDING, Scope, scope_of

__all__ = ["Forbidden", "Segment", "Transition", "forbidden_by", "transitions_of"]

Ints = npt.NDArray[np.int64]

_TIMED = "prohibited transitions for certain times, purposes, permits or vehicles are not considered"
_MISSING = "prohibited transitions are not applied: segments are missing"
_APART = "prohibited transitions are not applied: segments do not meet at the connectors, or not in this heading"
_SEVERAL = "prohibited transitions are not applied: several parts of a segment may be meant"

_SHOWN = 10
"""Ids of segments in a note."""


class Transition(NamedTuple):
    """A prohibited transition of a mode.

    Attributes
    ----------
    segment : str
        Where it begins.
    scope : Scope or None
        None if it depends on a condition.
    steps : tuple of (str, str)
        Connectors, and the segments after them.
    final : str
        The heading on the last segment.
    """

    segment: str
    scope: Scope | None
    steps: tuple[tuple[str, str], ...]
    final: str


class Segment(NamedTuple):
    """The connectors of a segment in their order, where they are, and the number of the part after the first one."""

    connectors: list[str]
    places: list[float]
    first: int


class Forbidden(NamedTuple):
    """What transitions forbid: links that are not used one directly after the other; and notes."""

    sequences: list[tuple[int, ...]]
    notes: list[str]


class _NotClearError(Exception):
    """Why a transition is not applied."""


def transitions_of(row: Mapping[str, Any], mode: str) -> list[Transition]:
    """The prohibited transitions of a segment that concern a mode.

    Raises
    ------
    ValueError
        If one is not of the schema.
    """
    found = []
    for rule in row.get("prohibited_transitions") or ():
        scope, depends = scope_of(rule, mode)
        final, sequence = rule.get("final_heading"), rule.get("sequence")
        if final not in HEADINGS or not sequence:
            raise ValueError(
                f"a prohibited transition has a sequence, and a final_heading, {' or '.join(HEADINGS)}, not "
                f"{shown(sequence)} and {shown(final)}"
            )
        if scope is not None or depends:
            found.append(Transition(str(row["id"]), scope, tuple(map(_step, sequence)), final))
    return found


def _step(entry: Mapping[str, Any]) -> tuple[str, str]:
    connector, segment = entry.get("connector_id"), entry.get("segment_id")
    if not isinstance(connector, str) or not isinstance(segment, str):
        raise ValueError(f"an entry of a sequence has a connector_id and a segment_id, not {shown(entry)}")
    return connector, segment


def forbidden_by(
    transitions: list[Transition], segments: Mapping[str, Segment], closed: set[str], along: Ints, against: Ints
) -> Forbidden:
    """Find the links of transitions.

    Parameters
    ----------
    segments : dict of str to Segment
        Those that are open.
    closed : set of str
        Other segments of the file, on which there is nothing to forbid.
    along, against : (p,) int64
        The links of each part; -1: there is none.
    """
    finder = _Finder(segments, closed, along, against)
    reasons: dict[str, list[str]] = {}
    sequences: dict[tuple[int, ...], None] = {}
    for each in transitions:
        if each.scope is None:
            reasons.setdefault(_TIMED, []).append(each.segment)
            continue
        try:
            sequences.update(dict.fromkeys(finder.sequences(each, each.scope)))
        except _NotClearError as reason:
            reasons.setdefault(str(reason), []).append(each.segment)
    return Forbidden(list(sequences), [_note(reason, segments) for reason, segments in reasons.items()])


def _note(reason: str, segments: list[str]) -> str:
    ids = list(dict.fromkeys(segments))
    more = f" and {len(ids) - _SHOWN:,} more" if len(ids) > _SHOWN else ""
    return f"{reason} (of segment{'s' * (len(ids) > 1)} {', '.join(ids[:_SHOWN])}{more})"


class _Finder:
    """The links of the segments that transitions name."""

    def __init__(self, segments: Mapping[str, Segment], closed: set[str], along: Ints, against: Ints) -> None:
        self._segments, self._closed = segments, closed
        self._links = {"forward": along, "backward": against}

    def sequences(self, one: Transition, scope: Scope) -> list[tuple[int, ...]]:
        """The sequences of links that a transition forbids; none if there are none.

        Raises
        ------
        _NotClearError
        """
        names = [one.segment, *(segment for _, segment in one.steps)]
        missing = [name for name in names if name not in self._segments]
        if not self._closed.issuperset(missing):
            raise _NotClearError(_MISSING)
        if missing:
            return []
        begins = self._before(one, scope)
        middles = [
            self._through(segment, connector, after)
            for (connector, segment), (after, _) in itertools.pairwise(one.steps)
        ]
        connector, segment = one.steps[-1]
        ends = self._arms(segment, connector, one.final, leaving=True)
        if not ends or not all(middles):
            raise _NotClearError(_APART)
        if len(ends) > 1 or any(len(each) > 1 for each in middles):
            raise _NotClearError(_SEVERAL)
        rest = [link for (middle,) in middles for link in middle] + ends
        return [(first, *rest) for first in begins if first >= 0 and min(rest) >= 0]

    def _before(self, one: Transition, scope: Scope) -> list[int]:
        """The links of its segment that end at its first connector, where the rule holds."""
        segment, found = self._segments[one.segment], []
        there = False
        for heading in scope.headings:
            if len(scope.headings) > 1 and [name for _, name in one.steps] == [one.segment] and heading == one.final:
                continue
            parts = self._parts(segment, one.steps[0][0], heading, leaving=False)
            there |= bool(parts)
            if len(parts) > 1:
                raise _NotClearError(_SEVERAL)
            for part in parts:
                begin, end = (segment.places[part - segment.first + side] for side in (0, 1))
                if scope.begin <= begin + ROUNDING and end <= scope.end + ROUNDING:
                    found.append(int(self._links[heading][part]))
                elif scope.begin < end - ROUNDING and begin + ROUNDING < scope.end:
                    raise _NotClearError(_SEVERAL)
        if not there:
            raise _NotClearError(_APART)
        return found

    def _arms(self, name: str, connector: str, heading: str, *, leaving: bool) -> list[int]:
        parts = self._parts(self._segments[name], connector, heading, leaving=leaving)
        return [int(self._links[heading][part]) for part in parts]

    def _parts(self, segment: Segment, connector: str, heading: str, *, leaving: bool) -> list[int]:
        """The parts of a segment that begin (leaving) or end at a connector in a heading."""
        is_after = leaving == (heading == "forward")
        places = [place - (not is_after) for place, each in enumerate(segment.connectors) if each == connector]
        return [segment.first + place for place in places if 0 <= place < len(segment.connectors) - 1]

    def _through(self, name: str, connector: str, after: str) -> list[tuple[int, ...]]:
        """The links along a segment from a connector to another."""
        segment = self._segments[name]
        places = [[at for at, each in enumerate(segment.connectors) if each == end] for end in (connector, after)]
        found = []
        for one, other in itertools.product(*places):
            if one < other:
                found.append(tuple(self._links["forward"][segment.first + one : segment.first + other].tolist()))
            elif other < one:
                taken = self._links["backward"][segment.first + other : segment.first + one]
                found.append(tuple(taken[::-1].tolist()))
        return found
