"""Coordinates that stand in a file of their own beside the graph."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import numpy.typing as npt

from apsp.graph.files.lines import LineRules, Lines
from apsp.graph.files.options import ReadOptions
from apsp.graph.files.source import COMPRESSED, Source

__all__ = ["coordinates_file", "scan_points"]


def coordinates_file(source: Source, options: ReadOptions, ending: str, other: str) -> Path | None:
    """Find the file that `options.coordinates` names, or that ends in `other` where the graph's ends in `ending`."""
    if options.coordinates is False:
        return None
    if options.coordinates is not True:
        return Path(options.coordinates)
    plain = source.path.name
    for suffix in COMPRESSED:
        plain = plain.removesuffix(suffix)
    if not plain.endswith(ending):
        return None
    stem = plain.removesuffix(ending)
    beside = (source.path.with_name(stem + other + suffix) for suffix in ("", *COMPRESSED))
    return next((path for path in beside if path.is_file()), None)


def scan_points(lines: Lines, rules: LineRules, n: int) -> npt.NDArray[np.float64]:
    """Read lines 'vertex x y' into an (n, 2) array; not-a-number for a vertex that has none."""
    vertices, x, y = lines.scan(rules)
    points = np.full((n, 2), np.nan)
    points[vertices - 1, 0] = x
    points[vertices - 1, 1] = y
    return points
