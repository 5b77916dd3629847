"""A small picture of a graph in SVG, which notebooks show beside a table."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from apsp.figures.styles import FAINT, NEAR_TO_FAR

__all__ = ["MOST_ARCS", "MOST_VERTICES", "thumbnail"]

MOST_VERTICES, MOST_ARCS = 2_000, 10_000
_SIZE, _MARGIN, _DOTS = 180.0, 4.0, 60


def thumbnail(
    points: npt.NDArray[np.float64], ends: npt.NDArray[np.int32], values: npt.NDArray[np.float64] | None = None
) -> str:
    """Draw the arcs, and the vertices if there are few; in colours from near to far if values are given.

    Parameters
    ----------
    points : (n, 2) float64
        Coordinates; vertices with not-a-number are left out.
    ends : (k, 2) int32
        Vertices that an arc joins, both with coordinates.
    values : (n,) float64, optional
        Not-a-number where there is no value: such arcs are grey.
    """
    known = ~np.isnan(points).any(axis=1)
    if not known.any():
        return ""
    low, high = points[known].min(axis=0), points[known].max(axis=0)
    spread = high - low
    unit = (_SIZE - 2 * _MARGIN) / max(float(spread.max()), 1e-300)
    width, height = np.maximum(spread * unit + 2 * _MARGIN, 24)
    with np.errstate(invalid="ignore"):
        x, y = (points[:, 0] - low[0]) * unit + _MARGIN, (high[1] - points[:, 1]) * unit + _MARGIN
    lines = [
        _path(" ".join(f"M{x[u]:.1f} {y[u]:.1f}L{x[v]:.1f} {y[v]:.1f}" for u, v in part.tolist()), colour)
        for part, colour in _parts(ends, values)
        if len(part)
    ]
    dots = []
    if len(points) <= _DOTS:
        dots = [f'<circle cx="{x[v]:.1f}" cy="{y[v]:.1f}" r="2.5" fill="currentColor"/>' for v in np.flatnonzero(known)]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}" '
        f'viewBox="0 0 {width:.0f} {height:.0f}" role="img" aria-label="map of the graph">'
        f"{''.join(lines)}{''.join(dots)}</svg>"
    )


def _path(line: str, colour: str) -> str:
    return f'<path d="{line}" fill="none" stroke="{colour}" stroke-width="1"/>'


def _parts(
    ends: npt.NDArray[np.int32], values: npt.NDArray[np.float64] | None
) -> list[tuple[npt.NDArray[np.int32], str]]:
    """The arcs by colour."""
    if values is None:
        return [(ends, "currentColor")]
    mean = values[ends].mean(axis=1)
    there = np.isfinite(mean)
    low, high = (mean[there].min(), mean[there].max()) if there.any() else (0.0, 1.0)
    share = (np.where(there, mean, low) - low) / max(float(high - low), 1e-300)
    band = np.minimum((share * len(NEAR_TO_FAR)).astype(int), len(NEAR_TO_FAR) - 1)
    coloured = [(ends[there & (band == number)], colour) for number, colour in enumerate(NEAR_TO_FAR)]
    return [(ends[~there], FAINT), *coloured]
