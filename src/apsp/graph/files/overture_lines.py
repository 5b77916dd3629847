"""The lines of Overture segments, from Well-Known Binary, and their parts between connectors.

Where a connector is on a segment is a fraction of its length on the ellipsoid WGS 84. Releases have it as a point of
the line, too; a fraction that is near one means this point.
"""

from __future__ import annotations

import struct
from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = ["line_of", "parts_of"]

Floats = npt.NDArray[np.float64]

_LINE = 2
_MOST = (180.0, 90.0)
_HAS_SRID, _HAS_Z, _HAS_M = 0x20000000, 0x80000000, 0x40000000
_EQUATOR, _SQUARE = 6_378_137.0, 0.00669437999014
"""The radius of the ellipsoid at the equator, and the square of its eccentricity."""

_NEAR = 1e-5
"""Of the length of a segment: the rounding of a fraction, and of the length of a step."""


def line_of(binary: Any) -> Floats:
    """The longitudes and latitudes of a line in Well-Known Binary, also in its extension by PostGIS.

    Raises
    ------
    ValueError
        If it is something else.
    """
    if not isinstance(binary, bytes) or len(binary) < 13 or binary[0] > 1:
        raise ValueError("a geometry is not Well-Known Binary")
    order = "<" if binary[0] else ">"
    (kind,) = struct.unpack_from(f"{order}I", binary, 1)
    thousands, plain = divmod(kind & 0x0FFFFFFF, 1000)
    if plain != _LINE or thousands > 3:
        raise ValueError(f"a geometry is of kind {plain}, and segments are lines, {_LINE}")
    width = 2 + bool(kind & _HAS_Z) + bool(kind & _HAS_M) + (0, 1, 1, 2)[thousands]
    start = 5 + 4 * bool(kind & _HAS_SRID)
    (count,) = struct.unpack_from(f"{order}I", binary, start)
    if len(binary) != start + 4 + 8 * width * count or count < 2:
        raise ValueError("a geometry is cut short, or has fewer than two points")
    found = np.frombuffer(binary, f"{order}f8", width * count, start + 4).reshape(count, width)[:, :2]
    if not np.isfinite(found).all():
        raise ValueError("a geometry has a point that is not two finite numbers")
    outside = np.flatnonzero((np.abs(found) > _MOST).any(axis=1))
    if len(outside):
        x, y = found[outside[0]]
        raise ValueError(
            f"a geometry has the point ({x:.12g}, {y:.12g}): points are longitudes and latitudes in degrees, EPSG:4326"
        )
    return np.ascontiguousarray(found, dtype=np.float64)


def parts_of(line: Floats, fractions: Floats) -> list[Floats]:
    """The parts of a line between ascending fractions of its length, each with both ends."""
    if len(fractions) == 2 and fractions[0] == 0 and fractions[1] == 1:
        return [line]
    if np.abs(np.diff(line[:, 0])).max() > 180:  # over the 180th meridian
        parts = parts_of(np.column_stack([np.unwrap(line[:, 0], period=360), line[:, 1]]), fractions)
        return [np.column_stack([(x + 180) % 360 - 180, y]) for x, y in (part.T for part in parts)]
    far = np.append(0.0, np.cumsum(_steps(line)))
    places = fractions * far[-1]
    nearest = np.clip(np.searchsorted(far, places), 1, len(far) - 1)
    nearest -= places - far[nearest - 1] < far[nearest] - places
    is_point = np.abs(far[nearest] - places) <= _NEAR * far[-1]
    ends = np.column_stack([np.interp(places, far, axis) for axis in line.T])
    ends[is_point] = line[nearest[is_point]]
    places = np.where(is_point, far[nearest], places)
    found = []
    for number in range(len(fractions) - 1):
        inner = line[(far > places[number]) & (far < places[number + 1])]
        found.append(np.concatenate([ends[number : number + 1], inner, ends[number + 1 : number + 2]]))
    return found


def _steps(line: Floats) -> Floats:
    """The lengths of short steps on the ellipsoid, in metres."""
    across, along = np.radians(np.diff(line, axis=0)).T
    middle = np.radians((line[1:, 1] + line[:-1, 1]) / 2)
    narrow = 1 - _SQUARE * np.sin(middle) ** 2
    found: Floats = np.hypot(
        across * np.cos(middle) * _EQUATOR / np.sqrt(narrow), along * _EQUATOR * (1 - _SQUARE) / narrow**1.5
    )
    return found
