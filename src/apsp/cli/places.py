"""The vertex nearest to a place on the map, near:X,Y on the command line, and how far away it is."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import click
import numpy as np
import numpy.typing as npt

from apsp.cli.terminal import Show
from apsp.errors import GraphError
from apsp.graph.model import Graph
from apsp.graph.sphere import metres_between
from apsp.system.numbers import number_words

__all__ = ["UNITS", "nearest_vertex", "remember"]

UNITS = ("degrees", "microdegrees", "plane")
"""Units of coordinates: longitude and latitude, millionths of them (DIMACS), or any unit of length."""

_LIMIT, _UNIT = "apsp.near_limit", "apsp.near_unit"

Points = npt.NDArray[np.float64]


class _Found(NamedTuple):
    vertex: int
    far: float
    unit: str  # of `far`


def remember(context: click.Context, parameter: click.Parameter, value: Any) -> Any:
    """Keep the value of --near-limit or --near-unit for `nearest_vertex`."""
    context.meta[f"apsp.{parameter.name}"] = value
    return value


def nearest_vertex(graph: Graph, x: float, y: float, text: str) -> int:
    """The position of the vertex nearest to a place, in the units of the coordinates; prints how far away it is.

    Coordinates within 180 and 90 are degrees, unless --near-unit says otherwise; distances are then great circles.

    Raises
    ------
    GraphError
        If it is farther away than --near-limit, or the unit of the coordinates is not clear.
    """
    context = click.get_current_context(silent=True)
    meta: dict[str, Any] = {} if context is None else context.meta
    points = graph.coordinates
    assert points is not None
    units = [meta[_UNIT]] if meta.get(_UNIT) else _possible(points)
    found = [_nearest(points, x, y, unit, text) for unit in units]
    if len({each.vertex for each in found}) > 1:
        names = ", ".join(f"{graph.labels.word(each.vertex)} ({unit})" for each, unit in zip(found, units, strict=True))
        raise GraphError(
            f"{text}: the unit of the coordinates decides which vertex is nearest, {names}: give --near-unit"
        )
    best = found[0]
    words = (
        f"{text}: vertex {graph.labels.word(best.vertex)} is {number_words(float(f'{best.far:.4g}'))} {best.unit} away"
    )
    if meta.get(_LIMIT) is not None and not best.far <= meta[_LIMIT]:
        raise GraphError(f"{words}, farther than --near-limit {meta[_LIMIT]:g}")
    Show(quiet=bool(meta.get("apsp.quiet"))).warn(words)
    return best.vertex


def _possible(points: Points) -> list[str]:
    """The units that coordinates may have."""
    with np.errstate(invalid="ignore"):
        x, y = (float(np.nanmax(np.abs(points[:, axis]))) for axis in (0, 1))
        whole = bool((np.isnan(points) | (points == np.rint(points))).all())
    if x <= 180 and y <= 90:
        return ["degrees"]
    return ["microdegrees", "plane"] if whole and max(x, y) >= 1e6 and x <= 180e6 and y <= 90e6 else ["plane"]


def _nearest(points: Points, x: float, y: float, unit: str, text: str) -> _Found:
    if unit == "plane":
        with np.errstate(over="ignore"):  # the place may lie outside the map
            squares = np.square(points - (x, y)).sum(axis=1)
        vertex = int(np.nanargmin(squares))
        return _Found(vertex, math.hypot(*(points[vertex] - (x, y))), "units")
    degree = 1.0 if unit == "degrees" else 1e-6
    if not abs(y * degree) <= 90:
        raise GraphError(f"{text}: the coordinates are {unit}, and {y:g} is no latitude: near:LONGITUDE,LATITUDE")
    metres = metres_between(points, np.array([x, y]), degree)
    vertex = int(np.nanargmin(metres))
    return _Found(vertex, float(metres[vertex]), "m")
