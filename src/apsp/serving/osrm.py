"""Requests and replies in the forms of the Open Source Routing Machine (OSRM), version 1 of its HTTP interface.

Source: the documentation of OSRM, "HTTP API" (https://project-osrm.org/docs/v5.24.0/api/): the services `nearest`,
`table` and `route`. An option that is not supported is refused: no reply means something else than was requested.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from apsp.graph.places import Places
from apsp.serving.router import Leg, Router

__all__ = [
    "SERVICES",
    "PointsRequest",
    "RefusedError",
    "nearest_reply",
    "parsed",
    "polyline",
    "route_reply",
    "table_reply",
]

Points = npt.NDArray[np.float64]

SERVICES = ("nearest", "table", "route")

_COMMON = {"radiuses", "generate_hints"}
_OF_SERVICE = {
    "nearest": {"number"},
    "table": {"sources", "destinations", "annotations"},
    "route": {"alternatives", "steps", "annotations", "geometries", "overview", "continue_straight"},
}
_VALUES = {
    "generate_hints": ("true", "false"), "number": ("1",), "alternatives": ("false", "0"), "steps": ("false",),
    "continue_straight": ("default", "false"), "overview": ("simplified", "full", "false"),
    "geometries": ("polyline", "polyline6", "geojson"),
}  # fmt: skip
"""The values that options may have."""


class RefusedError(Exception):
    """A request that gets no answer.

    Parameters
    ----------
    code : str
        One of OSRM's.
    """

    def __init__(self, code: str, message: str, status: int = 400) -> None:
        super().__init__(message)
        self.code, self.status = code, status


@dataclass(frozen=True)
class PointsRequest:
    """A request.

    Attributes
    ----------
    points : (k, 2) float64
        Longitude and latitude, or x and y.
    sources, targets : list of int
        The numbers of points, of tables.
    """

    service: str
    points: Points
    radiuses: list[float | None] = field(default_factory=list)
    sources: list[int] = field(default_factory=list)
    targets: list[int] = field(default_factory=list)
    geometries: str = "polyline"
    has_overview: bool = True


def parsed(service: str, coordinates: str, options: Mapping[str, str], measures: str) -> PointsRequest:
    """Read a request.

    Parameters
    ----------
    coordinates : str
        lon,lat;lon,lat, or polyline(...), or polyline6(...).
    measures : {'durations', 'distances'}
        What the oracle computes.

    Raises
    ------
    RefusedError
    """
    if service not in SERVICES:
        raise RefusedError("InvalidService", f"there is no service {service!r}: there are {', '.join(SERVICES)}")
    points = _points(coordinates.removesuffix(".json"))
    allowed = _COMMON | _OF_SERVICE[service]
    for name, value in options.items():
        if name not in allowed:
            known = ", ".join(sorted(allowed))
            raise RefusedError("InvalidOptions", f"{service} does not take {name!r} here: it takes {known}")
        if name in _VALUES and value not in _VALUES[name]:
            some = ", ".join(_VALUES[name])
            raise RefusedError("InvalidOptions", f"{name}={value} is not supported: {name} may be {some}")
    if service == "nearest" and len(points) != 1:
        raise RefusedError("InvalidQuery", f"nearest takes one point, not {len(points)}")
    if service == "route" and len(points) < 2:
        raise RefusedError("InvalidQuery", "route takes two points or more")
    annotations = options.get("annotations", "false" if service == "route" else measures.removesuffix("s"))
    if service == "route" and annotations != "false":
        raise RefusedError("InvalidOptions", f"annotations={annotations} is not supported: it may be false")
    if service == "table" and annotations != measures.removesuffix("s"):
        raise RefusedError(
            "InvalidOptions",
            f"annotations={annotations} is not supported: the weights of this server are {measures}, so tables have "
            f"annotations={measures.removesuffix('s')}",
        )
    return PointsRequest(
        service, points, _radiuses(options.get("radiuses", ""), len(points)),
        _numbers(options.get("sources", "all"), "sources", len(points)),
        _numbers(options.get("destinations", "all"), "destinations", len(points)),
        options.get("geometries", "polyline"), options.get("overview") != "false",
    )  # fmt: skip


def _points(text: str) -> Points:
    for name, digits in (("polyline", 5), ("polyline6", 6)):
        if text.startswith(f"{name}(") and text.endswith(")"):
            return _decoded(text[len(name) + 1 : -1], digits)
    try:
        found = [[float(number) for number in pair.split(",")] for pair in text.split(";")]
    except ValueError:
        found = []
    if not found or any(len(pair) != 2 or not all(map(math.isfinite, pair)) for pair in found):
        raise RefusedError("InvalidUrl", f"coordinates are x,y;x,y;... with finite numbers, not {text[:80]!r}")
    return np.array(found)


def _radiuses(text: str, count: int) -> list[float | None]:
    if not text.strip(";"):
        return []
    found: list[float | None] = []
    for each in text.split(";"):
        if each in ("", "unlimited"):
            found.append(None)
            continue
        if not re.fullmatch(r"\d+(\.\d*)?", each):
            raise RefusedError("InvalidOptions", f"radiuses are numbers of metres, not {each[:40]!r}")
        found.append(float(each))
    if len(found) != count:
        raise RefusedError("InvalidOptions", f"there are {count} points and {len(found)} radiuses")
    return found


def _numbers(text: str, name: str, count: int) -> list[int]:
    if text == "all":
        return list(range(count))
    if not re.fullmatch(r"\d{1,9}(;\d{1,9})*", text):
        raise RefusedError("InvalidOptions", f"{name} are numbers of points, from 0: 0;1;2, not {text[:40]!r}")
    found = [int(each) for each in text.split(";")]
    if max(found) >= count:
        raise RefusedError("InvalidOptions", f"{name} has {max(found)}, and there are {count} points, from 0")
    return found


def polyline(points: Points, digits: int) -> str:
    """Points in Google's encoded polyline format: differences of latitude and longitude, in 5 bits per character."""
    whole = np.round(points[:, ::-1] * 10**digits).astype(np.int64)
    steps = np.diff(whole, axis=0, prepend=np.zeros((1, 2), np.int64)).ravel()
    words = []
    for value in (np.where(steps < 0, ~(steps << 1), steps << 1)).tolist():
        while value >= 0x20:
            words.append(chr((0x20 | (value & 0x1F)) + 63))
            value >>= 5
        words.append(chr(value + 63))
    return "".join(words)


def _decoded(text: str, digits: int) -> Points:
    numbers, value, shift = [], 0, 0
    for each in text:
        bits = ord(each) - 63
        if not 0 <= bits < 64 or shift > 40:
            raise RefusedError("InvalidUrl", "the polyline is damaged")
        value |= (bits & 0x1F) << shift
        shift += 5
        if bits < 0x20:
            numbers.append(~(value >> 1) if value & 1 else value >> 1)
            value = shift = 0
    if shift or not numbers or len(numbers) % 2:
        raise RefusedError("InvalidUrl", "the polyline is damaged")
    steps: Points = np.array(numbers, dtype=np.float64).reshape(-1, 2)
    return np.ascontiguousarray(np.cumsum(steps, axis=0)[:, ::-1] / 10.0**digits)


# -- replies -----------------------------------------------------------------------------------------------------------


def _waypoints(router: Router, places: Places, numbers: Sequence[int]) -> list[dict[str, Any]]:
    locations, legs = (places.on_street * router.scale).tolist(), places.legs.tolist()
    return [{"name": "", "location": locations[each], "distance": legs[each]} for each in numbers]


def nearest_reply(router: Router, places: Places) -> dict[str, Any]:
    """The nearest point of a street, and the labels of the ends of the street as `nodes`."""
    (waypoint,) = _waypoints(router, places, [0])
    graph, tail, arc = router.graph, int(places.vertices[0]), int(places.arcs[0])
    ends = [tail] if arc < 0 else [tail, int(graph.indices[arc])]
    return {"code": "Ok", "waypoints": [waypoint | {"nodes": [graph.labels[end] for end in ends]}]}


def table_reply(router: Router, request: PointsRequest, places: Places, table: Points) -> dict[str, Any]:
    """The distances from sources to targets; null where there is no path."""
    return {
        "code": "Ok",
        router.measures: table,
        "sources": _waypoints(router, places, request.sources),
        "destinations": _waypoints(router, places, request.targets),
    }


def route_reply(router: Router, request: PointsRequest, places: Places, legs: Sequence[Leg]) -> dict[str, Any]:
    """The path through all points, with the length of its line and, of weights that are durations, its duration."""
    timed = router.measures == "durations"

    def lengths(weight: float, metres: float) -> dict[str, Any]:
        return {"distance": metres, "duration": weight, "weight": weight} if timed else {
            "distance": weight, "duration": None, "weight": weight
        }  # fmt: skip

    route: dict[str, Any] = {
        **lengths(sum(leg.weight for leg in legs), sum(leg.metres for leg in legs)),
        "weight_name": "duration" if timed else "distance",
        "legs": [{**lengths(leg.weight, leg.metres), "summary": "", "steps": []} for leg in legs],
    }
    if request.has_overview:
        route["geometry"] = _geometry(request.geometries, legs)
    return {"code": "Ok", "routes": [route], "waypoints": _waypoints(router, places, range(len(places)))}


def _geometry(kind: str, legs: Sequence[Leg]) -> Any:
    line = np.concatenate([legs[0].line, *(leg.line[1:] for leg in legs[1:])])
    if kind == "geojson":
        return {"type": "LineString", "coordinates": line}
    return polyline(line, 6 if kind == "polyline6" else 5)
