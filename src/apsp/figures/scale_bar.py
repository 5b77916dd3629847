"""The length of the units of coordinates on the ground, and the scale bar."""

from __future__ import annotations

import math
from typing import Any, get_args

import numpy as np
import numpy.typing as npt

from apsp.errors import RequestError, shown
from apsp.figures.options import Scale, ScaleName
from apsp.figures.styles import INK
from apsp.system.arguments import number

__all__ = ["draw_scale_bar", "metres_per_unit"]

_DEGREE = 111_195.0
"""Metres per degree of latitude, on a sphere of radius 6,371 km."""


def metres_per_unit(scale: Scale, points: npt.NDArray[np.float64]) -> tuple[float, float] | None:
    """Metres per unit of x and of y, in the middle of the map; None without a scale.

    Raises
    ------
    RequestError
        If the scale is not one of these names, or not a positive number.
    """
    if scale is None:
        return None
    if not isinstance(scale, str):
        length = float(number(scale, "scale", least=0))
        if not 0 < length < math.inf:
            raise RequestError(f"scale must be the metres per unit of the coordinates, above 0, not {shown(scale)}")
        return length, length
    if scale not in get_args(ScaleName):
        raise RequestError(
            f"scale must be one of {', '.join(get_args(ScaleName))}, or a number of metres, not {shown(scale)}"
        )
    if scale == "metres":
        return 1.0, 1.0
    degree = _DEGREE if scale == "degrees" else _DEGREE * 1e-6
    latitude = float(np.nanmin(points[:, 1]) + np.nanmax(points[:, 1])) / 2 * (1 if scale == "degrees" else 1e-6)
    if abs(latitude) >= 90:
        raise RequestError(f"scale={scale!r}: the middle of the map has the latitude {latitude:,.6g}")
    return degree * math.cos(math.radians(latitude)), degree


def draw_scale_bar(axes: Any, metres: tuple[float, float]) -> None:
    """A line of a round length in the lower right corner, below the map."""
    (left, right), (low, high) = axes.get_xlim(), axes.get_ylim()
    length = _round((right - left) * metres[0] / 5)
    if not 0 < length < math.inf:
        return
    room = 0.05 * (high - low)
    axes.set_ylim(low - room, high)
    end, y = right - 0.01 * (right - left), low - 0.4 * room
    start = end - length / metres[0]
    axes.plot([start, end], [y, y], color=INK, linewidth=2, solid_capstyle="butt", zorder=6)
    text = f"{length / 1000:g} km" if length >= 1000 else f"{length:g} m"
    axes.annotate(
        text, (start, y), xytext=(-5, 0), textcoords="offset points", ha="right", va="center", fontsize=9, color=INK
    )


def _round(length: float) -> float:
    """The largest number of the form 1, 2 or 5 times a power of ten that is not longer."""
    if not 0 < length < math.inf:
        return 0.0
    power = 10.0 ** math.floor(math.log10(length))
    return max((step * power for step in (1, 2, 5) if step * power <= length), default=power)
