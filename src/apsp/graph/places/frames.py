"""Coordinates as points of a space in which distances are straight: the plane, or the sphere of the earth."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from apsp.errors import RequestError, shown
from apsp.graph.checks import UNITS
from apsp.graph.sphere import EARTH, bearings

__all__ = ["Frame", "frame_of"]

Floats = npt.NDArray[np.float64]

_SMALL = 1e-6
"""Radians below which an arc of a great circle is its chord, to 13 digits."""

_DEGREES = {"degrees": 1.0, "microdegrees": 1e-6, "epsg:4326": 1.0, "ogc:crs84": 1.0}
_PLANE = ("plane", "metres")


class Frame:
    """The unit of coordinates.

    Parameters
    ----------
    degree : float or None
        Degrees per unit of longitude and latitude; None for coordinates of a plane.

    Attributes
    ----------
    unit : str
        Of lengths.
    crs : str
        One of UNITS.
    """

    def __init__(self, degree: float | None) -> None:
        self.degree = degree
        self.unit = "units" if degree is None else "metres"
        self.crs = UNITS[2] if degree is None else UNITS[degree != 1]

    def spaced(self, points: Floats) -> Floats:
        """(k, 2) coordinates as (k, 2) points of the plane, or as (k, 3) of the sphere, in metres."""
        if self.degree is None:
            return points
        longitude, latitude = np.radians(points * self.degree).T
        level = np.cos(latitude)
        found: Floats = EARTH * np.stack(
            [level * np.cos(longitude), level * np.sin(longitude), np.sin(latitude)], axis=1
        )
        return found

    def flat(self, places: Floats) -> Floats:
        """The coordinates of points that `spaced` returned."""
        if self.degree is None:
            return places
        x, y, z = places.T
        angles: Floats = np.degrees(np.stack([np.arctan2(y, x), np.arctan2(z, np.hypot(x, y))], axis=1))
        return angles / self.degree

    def lengths(self, a: Floats, b: Floats) -> Floats:
        """Distances between points of the space: along the sphere, or in the plane."""
        chords: Floats = np.linalg.norm(b - a, axis=-1)
        return chords if self.degree is None else 2 * EARTH * np.arcsin(np.minimum(chords / (2 * EARTH), 1.0))

    def bearings(self, here: Floats, there: Floats) -> Floats:
        """(k,) directions from coordinates to others, clockwise from the north in degrees, along great circles."""
        if self.degree is not None:
            return bearings(here, there, self.degree)
        x, y = (there - here).T
        found: Floats = np.degrees(np.arctan2(x, y))
        return found

    def between(self, a: Floats, b: Floats, fractions: Floats) -> Floats:
        """Points at fractions of the straight lines, or of the great circles, from one end to another."""
        there = fractions[:, None]
        if self.degree is None:
            return a + there * (b - a)
        angle = (self.lengths(a, b) / EARTH)[:, None]
        wide = angle > _SMALL
        sine = np.where(wide, np.sin(angle), 1.0)
        found = (
            np.where(wide, np.sin((1 - there) * angle) / sine, 1 - there) * a
            + np.where(wide, np.sin(there * angle) / sine, there) * b
        )
        return self.on_surface(found)

    def on_surface(self, places: Floats) -> Floats:
        """The points of the sphere above points of chords; those of a plane as they are."""
        if self.degree is None:
            return places
        found: Floats = places * (EARTH / np.linalg.norm(places, axis=-1, keepdims=True))
        return found


def frame_of(crs: Any, known: str | None = None) -> Frame:
    """The frame that a caller names, or that the graph knows.

    Parameters
    ----------
    crs : object
        What the caller says; None for nothing.
    known : str, optional
        Of the graph: one of UNITS.

    Raises
    ------
    RequestError
        If it is not clear whether the coordinates are angles, or the graph has others.
    """
    if known is not None:
        found = frame_of(known if crs is None else crs)
        if found.crs != known:
            raise RequestError(
                f"crs={shown(crs)}: the coordinates of the graph are {known}; leave crs out, and convert the points"
            )
        return found
    name = crs.to_string() if hasattr(crs, "to_string") else crs  # of pyproj
    word = name.lower() if isinstance(name, str) else None
    if word in _DEGREES:
        return Frame(_DEGREES[word])
    if word in _PLANE:
        return Frame(None)
    said = "crs= is missing" if crs is None else f"crs={shown(name)}"
    raise RequestError(
        f"{said}: 'degrees' are longitude and latitude (EPSG:4326), 'microdegrees' millionths of them (DIMACS), and "
        "'plane' is any unit of length, such as the metres of a projection; points and graph have the same"
    )
