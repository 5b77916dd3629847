"""The steps and the annotations of legs, in the forms of OSRM."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from apsp.serving.crossings import whole_degrees
from apsp.serving.legs import Leg
from apsp.serving.polylines import geometry
from apsp.serving.router import Router

__all__ = ["annotation_of", "lengths_of", "modifier", "steps_of"]

Floats = npt.NDArray[np.float64]

_MODIFIERS = ((20, "straight"), (40, "slight {}"), (120, "{}"), (179.5, "sharp {}"))
"""The largest deviation of each, in degrees."""


def modifier(deviation: float) -> str:
    """The change of direction by an angle, in degrees, positive to the right."""
    turn = (deviation + 180) % 360 - 180
    side = "right" if turn > 0 else "left"
    return next((word.format(side) for most, word in _MODIFIERS if abs(turn) <= most), "uturn")


def lengths_of(router: Router, weight: float, metres: float) -> dict[str, Any]:
    """The distance, the duration and the weight of a part of a route."""
    if router.measures == "durations":
        return {"distance": metres, "duration": weight, "weight": weight}
    return {"distance": weight, "duration": None, "weight": weight}


class _Headings(NamedTuple):
    """The directions of travel at the beginnings of the links of a leg, and at its end."""

    before: list[float]
    after: list[float]

    @classmethod
    def of(cls, router: Router, leg: Leg) -> _Headings:
        """Links without a direction, since all their points are one, have that of the link before."""
        some = np.flatnonzero((leg.line[1:] != leg.line[:-1]).any(axis=1))
        here, there = leg.line[some], leg.line[some + 1]
        leaving = router.frame.bearings(here, there).tolist()
        arriving = (router.frame.bearings(there, here) + 180).tolist()
        nexts = np.searchsorted(some, leg.indptr).tolist()
        before = [arriving[number - 1] if number else 0.0 for number in nexts]
        after = [
            leaving[number] if number < stop else before[link]
            for link, (number, stop) in enumerate(itertools.pairwise(nexts))
        ]
        return cls(before, after)


def steps_of(router: Router, leg: Leg, geometries: str) -> list[dict[str, Any]]:
    """A step per link of a leg, and the arrival.

    A step begins with the movement to its link, so the penalty of this is in its duration.
    """
    headings, line = _Headings.of(router, leg), leg.line * router.scale
    weights, metres = router.weights_of(leg).tolist(), router.metres_of(leg).tolist()
    crossings, corners = router.crossings.at(leg.vertices, leg.states), leg.indptr.tolist()
    found = []
    for link in range(len(leg)):
        place, before, after = line[corners[link]].tolist(), headings.before[link], headings.after[link]
        maneuver: dict[str, Any] = {"location": place, "bearing_after": whole_degrees(after)}
        if link:
            kind = {"type": "turn", "modifier": modifier(after - before), "bearing_before": whole_degrees(before)}
            crossing = crossings[link - 1]
            roads = crossing.roads(before + 180, after)
            at = {"location": place, "bearings": crossing.bearings, "entry": crossing.entry, **roads}
        else:
            kind = {"type": "depart", "bearing_before": 0}
            at = {"location": place, "bearings": [whole_degrees(after)], "entry": [True], "out": 0}
        part = line[corners[link] : corners[link + 1] + 1]
        found.append(_step(router, weights[link], metres[link], part, geometries, maneuver | kind, at))
    place, last = line[-1].tolist(), headings.before[-1]
    maneuver = {"location": place, "type": "arrive", "bearing_before": whole_degrees(last), "bearing_after": 0}
    at = {"location": place, "bearings": [whole_degrees(last + 180)], "entry": [True], "in": 0}
    return [*found, _step(router, 0.0, 0.0, line[[-1, -1]], geometries, maneuver, at)]


def _step(
    router: Router, weight: float, metres: float, line: Floats, geometries: str, maneuver: dict[str, Any],
    crossing: dict[str, Any],
) -> dict[str, Any]:  # fmt: skip
    return {
        **lengths_of(router, weight, metres), "name": "", "geometry": geometry(geometries, line),
        "maneuver": maneuver, "intersections": [crossing],
    }  # fmt: skip


def annotation_of(router: Router, leg: Leg, names: Sequence[str]) -> dict[str, Any]:
    """Numbers of the parts of a line between two of its points, and the labels of the vertices on it.

    A part of a link has the part of each of its costs that it has of its length; what paths pay beside links is that of
    their first parts.
    """
    first, counts = leg.indptr[:-1], np.diff(leg.indptr)
    link = np.repeat(np.arange(len(leg)), counts)
    whole = np.add.reduceat(leg.metres, first)[link]
    shares = np.divide(leg.metres, whole, out=1 / counts[link], where=whole > 0)
    weights = shares * leg.weights[link]
    weights[first] += leg.further
    weights *= router.unit
    lengths = leg.metres if leg.lengths is None else shares * leg.lengths[link] * router.length_unit
    known = {
        "distance": lengths if router.measures == "durations" else weights,
        "weight": weights,
        "nodes": router.graph.labels.take(leg.passed).tolist(),
    }
    if router.measures == "durations":
        known["duration"] = weights
    return {name: known[name] for name in names}
