"""Lines of replies: GeoJSON, and Google's encoded polyline format."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = ["decoded", "geometry", "polyline"]

Points = npt.NDArray[np.float64]


def geometry(kind: str, line: Points) -> Any:
    """A line as 'geojson', 'polyline' or 'polyline6'."""
    if kind == "geojson":
        return {"type": "LineString", "coordinates": line}
    return polyline(line, 6 if kind == "polyline6" else 5)


def polyline(points: Points, digits: int) -> str:
    """Points in the encoded polyline format: differences of latitude and longitude, in 5 bits per character."""
    whole = np.round(points[:, ::-1] * 10**digits).astype(np.int64)
    steps = np.diff(whole, axis=0, prepend=np.zeros((1, 2), np.int64)).ravel()
    words = []
    for value in (np.where(steps < 0, ~(steps << 1), steps << 1)).tolist():
        while value >= 0x20:
            words.append(chr((0x20 | (value & 0x1F)) + 63))
            value >>= 5
        words.append(chr(value + 63))
    return "".join(words)


def decoded(text: str, digits: int) -> Points:
    """The points of an encoded polyline.

    Raises
    ------
    ValueError
        If it is damaged.
    """
    numbers, value, shift = [], 0, 0
    for each in text:
        bits = ord(each) - 63
        if not 0 <= bits < 64 or shift > 40:
            raise ValueError("the polyline is damaged")
        value |= (bits & 0x1F) << shift
        shift += 5
        if bits < 0x20:
            numbers.append(~(value >> 1) if value & 1 else value >> 1)
            value = shift = 0
    if shift or not numbers or len(numbers) % 2:
        raise ValueError("the polyline is damaged")
    steps: Points = np.array(numbers, dtype=np.float64).reshape(-1, 2)
    return np.ascontiguousarray(np.cumsum(steps, axis=0)[:, ::-1] / 10.0**digits)
