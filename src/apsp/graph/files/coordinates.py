"""Coordinates in a separate file beside the graph."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from apsp.errors import FileFormatError, warn
from apsp.graph.files.lines import LineRules, Lines
from apsp.graph.files.options import ReadOptions
from apsp.graph.files.source import COMPRESSED, Source

__all__ = ["read_coordinates", "scan_points"]

Points = npt.NDArray[np.float64]


def read_coordinates(
    source: Source, options: ReadOptions, beside: Sequence[str], reader: Callable[[Source], Points]
) -> Points | None:
    """Read the coordinates of a file that the caller names, or of one beside the graph.

    Parameters
    ----------
    beside : sequence of str
        Names that such a file may have, best first; case and `.gz`, `.xz` or `.bz2` at the end do not matter.
    reader : callable
        Reads (n, 2) numbers from the open file.

    Raises
    ------
    FileFormatError
        If a file that the caller named cannot be read. A file that was found beside the graph is then ignored with a
        warning.
    """
    if options.coordinates is False:
        return None
    if options.coordinates is not True:
        with Source(options.coordinates) as file:
            return reader(file)
    path = None if source.folder is None else _find(source.folder, beside)
    if path is None:
        return None
    try:
        with Source(path) as file:
            return reader(file)
    except FileFormatError as error:
        warn(f"{error}; the graph is read without coordinates. coordinates=False ignores this file")
        return None


def scan_points(lines: Lines, rules: LineRules, n: int, order: str = "vxy") -> Points:
    """Read lines with a vertex and its coordinates into an (n, 2) array; not-a-number for vertices without a line.

    Parameters
    ----------
    order : str
        The order of the columns that the rules keep: v, x and y.
    """
    columns = dict(zip(order, lines.scan(rules), strict=True))
    points = np.full((n, 2), np.nan)
    points[columns["v"] - 1, 0] = columns["x"]
    points[columns["v"] - 1, 1] = columns["y"]
    return points


def _find(folder: Path, names: Sequence[str]) -> Path | None:
    wanted = [(name + ending).lower() for name in names for ending in ("", *COMPRESSED)]
    if not wanted:
        return None
    try:
        found = {path.name.lower(): path for path in sorted(folder.iterdir(), reverse=True)}
    except OSError:
        return None
    return next((found[name] for name in wanted if name in found and found[name].is_file()), None)
