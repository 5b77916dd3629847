"""Points on the command line: files of them, or X,Y, which are snapped to the streets of the graph."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import click

from apsp.errors import RequestError, shown
from apsp.graph.model import Graph
from apsp.graph.places import Places
from apsp.graph.turns.entered import streets_of

__all__ = ["Points", "ends_at_points", "pair_of", "without_points"]


@dataclass(frozen=True)
class Points:
    """Options about points: the arguments of `Graph.snap`, and where the points are."""

    origins: str | None = None
    destinations: str | None = None
    near: tuple[str, ...] = ()
    crs: str | None = None
    speed: float | None = None
    limit: float | None = None
    names: str | None = None
    unsnapped: str = "error"
    to: str = "edge"

    @property
    def are_given(self) -> bool:
        """Whether there are points."""
        return self.origins is not None or self.destinations is not None or bool(self.near)

    def snapped(self, graph: Graph, points: Any, *, names: Any = None) -> Places:
        """Snap points to the streets.

        Raises
        ------
        RequestError, GraphError, FileFormatError
        """
        how: Any = {"unsnapped": self.unsnapped, "to": self.to}
        streets = streets_of(graph)
        return streets.snap(points, crs=self.crs, speed=self.speed, limit=self.limit, labels=names or self.names, **how)


def ends_at_points(graph: Graph, request: dict[str, Any], points: Points) -> dict[str, Any]:
    """Return the request with places as sources and targets where points are given instead of vertices.

    Raises
    ------
    RequestError
        If both are given, or options of snapping without points.
    """
    found = dict(request)
    if points.origins is not None and points.near:
        raise click.UsageError("--origins and --near both say where paths begin: give one of them")
    if not points.are_given:
        without_points(points)
        return found
    if points.names is not None and points.origins is None and points.destinations is None:
        raise click.UsageError("--names is about files of points, and none are given: leave it out")
    given: tuple[tuple[str, str, Any], ...] = (
        ("sources", "--origins", points.origins), ("sources", "--near", points.near or None),
        ("targets", "--destinations", points.destinations),
    )  # fmt: skip
    for end, option, chosen in given:
        if chosen is None:
            continue
        if found.get(end) is not None:
            raise click.UsageError(f"--{end} and {option} contradict each other: give one of them")
        if isinstance(chosen, tuple):
            pairs = dict.fromkeys(chosen)
            found[end] = points.snapped(graph, [pair_of(text) for text in pairs], names=list(pairs))
        else:
            found[end] = points.snapped(graph, chosen)
    return found


def without_points(points: Points) -> None:
    """Refuse options of snapping where no points are given."""
    for option, value in (
        ("crs", points.crs), ("speed", points.speed), ("limit", points.limit), ("names", points.names),
        ("unsnapped", None if points.unsnapped == "error" else points.unsnapped),
        ("to", None if points.to == "edge" else points.to),
    ):  # fmt: skip
        if value is not None:
            raise click.UsageError(f"--{option} is about points, and none are given")


def pair_of(text: str) -> tuple[float, float]:
    """Return the numbers of X,Y.

    Raises
    ------
    RequestError
        If they are not two finite numbers.
    """
    try:
        x, y = (float(part) for part in text.split(","))
    except ValueError:
        x = y = math.nan
    if not (math.isfinite(x) and math.isfinite(y)):
        raise RequestError(f"--near {shown(text)}: give two numbers, X,Y, the longitude first")
    return x, y
