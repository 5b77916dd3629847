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
from apsp.serving.legs import Leg
from apsp.serving.polylines import decoded, geometry
from apsp.serving.router import Router
from apsp.serving.steps import annotation_of, lengths_of, steps_of

__all__ = [
    "SERVICES",
    "PointsRequest",
    "RefusedError",
    "leg_reply",
    "nearest_reply",
    "parsed",
    "route_of",
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
    "generate_hints": ("true", "false"), "number": ("1",), "steps": ("true", "false"),
    "continue_straight": ("default", "false"), "overview": ("simplified", "full", "false"),
    "geometries": ("polyline", "polyline6", "geojson"),
}  # fmt: skip
"""The values that options may have."""

_MEASURED = ("duration", "distance")
_ANNOTATIONS = {"table": _MEASURED, "route": (*_MEASURED, "weight", "nodes")}


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
    annotations : tuple of str
        What a table has, or the annotations of a route.
    alternatives : int
        The most routes beside the first one.
    """

    service: str
    points: Points
    radiuses: list[float | None] = field(default_factory=list)
    sources: list[int] = field(default_factory=list)
    targets: list[int] = field(default_factory=list)
    geometries: str = "polyline"
    has_overview: bool = True
    has_steps: bool = False
    annotations: tuple[str, ...] = ()
    alternatives: int = 0


def parsed(service: str, coordinates: str, options: Mapping[str, str], measured: Sequence[str]) -> PointsRequest:
    """Read a request.

    Parameters
    ----------
    coordinates : str
        lon,lat;lon,lat, or polyline(...), or polyline6(...).
    measured : sequence of str
        What the server knows: 'duration', 'distance', or both; tables have the first by default.

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
    return PointsRequest(
        service, points, _radiuses(options.get("radiuses", ""), len(points)),
        _numbers(options.get("sources", "all"), "sources", len(points)),
        _numbers(options.get("destinations", "all"), "destinations", len(points)),
        options.get("geometries", "polyline"), options.get("overview") != "false", options.get("steps") == "true",
        _annotations(service, options.get("annotations"), measured),
        _alternatives(options.get("alternatives", "false"), len(points)),
    )  # fmt: skip


def _annotations(service: str, text: str | None, measured: Sequence[str]) -> tuple[str, ...]:
    known = _ANNOTATIONS.get(service, ())
    if service == "table" and text is None:
        return (measured[0],)
    if service == "route" and text in ("true", "false", None):
        return tuple(name for name in known if name != "duration" or name in measured) if text == "true" else ()
    if text is None or not known:
        return ()
    names = tuple(dict.fromkeys(text.split(",")))
    for name in names:
        if name not in known:
            raise RefusedError(
                "InvalidOptions", f"annotations={text[:40]} is not supported: they are of {', '.join(known)}"
            )
        if name in _MEASURED and name not in measured and (name == "duration" or service == "table"):
            raise RefusedError("NotImplemented", f"annotations={text[:40]} is not supported: {_LACKING[name]}")
    return names


_LACKING = {
    "duration": "the weights of this server are distances, so it knows annotations=distance",
    "distance": "this server knows annotations=duration, and not which cost is the length of streets: "
    "apsp serve --length NAME names it",
}


def _alternatives(text: str, points: int) -> int:
    if text in ("true", "false"):
        count = int(text == "true")
    elif re.fullmatch(r"\d{1,9}", text):
        count = int(text)
    else:
        raise RefusedError("InvalidOptions", f"alternatives={text[:40]} is not supported: true, false or a number is")
    if count and points > 2:
        raise RefusedError("NotImplemented", f"alternatives={text} is not supported: of routes with two points it is")
    return count


def _points(text: str) -> Points:
    for name, digits in (("polyline", 5), ("polyline6", 6)):
        if text.startswith(f"{name}(") and text.endswith(")"):
            try:
                return decoded(text[len(name) + 1 : -1], digits)
            except ValueError as error:
                raise RefusedError("InvalidUrl", str(error)) from None
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


def table_reply(router: Router, request: PointsRequest, places: Places, tables: Mapping[str, Points]) -> dict[str, Any]:
    """The durations or distances from sources to targets, or both; null where there is no path."""
    return {
        "code": "Ok",
        **{f"{name}s": table for name, table in tables.items()},
        "sources": _waypoints(router, places, request.sources),
        "destinations": _waypoints(router, places, request.targets),
    }


def leg_reply(router: Router, request: PointsRequest, leg: Leg) -> dict[str, Any]:
    """The path between two points, perhaps with its steps and annotations."""
    metres = float(router.metres_of(leg).sum())
    found = {**lengths_of(router, leg.weight * router.unit, metres), "summary": "", "steps": []}
    if request.has_steps:
        found["steps"] = steps_of(router, leg, request.geometries)
    if request.annotations:
        found["annotation"] = annotation_of(router, leg, request.annotations)
    return found


def route_of(
    router: Router, request: PointsRequest, lines: Sequence[Points], legs: list[dict[str, Any]]
) -> dict[str, Any]:
    """The path through all points, with the length of its line and, of weights that are durations, its duration.

    Parameters
    ----------
    lines : sequence of (k, 2) float64
        Of the legs.
    legs : list of dict
        As `leg_reply` makes them.
    """
    names = ("distance", "duration", "weight")
    sums = {name: None if legs[0][name] is None else sum(leg[name] for leg in legs) for name in names}
    route: dict[str, Any] = {**sums, "weight_name": router.measures.removesuffix("s"), "legs": legs}
    if request.has_overview:
        line = np.concatenate([lines[0], *(each[1:] for each in lines[1:])])
        route["geometry"] = geometry(request.geometries, line)
    return route


def route_reply(router: Router, places: Places, routes: list[dict[str, Any]]) -> dict[str, Any]:
    """The routes, as `route_of` makes them, the best first."""
    return {"code": "Ok", "routes": routes, "waypoints": _waypoints(router, places, range(len(places)))}
