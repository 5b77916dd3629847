"""The meaning of counts in the first line of an edge list, decided by the lines that follow it."""

from __future__ import annotations

from typing import Any

import numpy.typing as npt

from apsp.errors import warn
from apsp.graph.files.source import Source

__all__ = ["counted_vertices", "starts_with_counts"]

Ends = npt.NDArray[Any]


def counted_vertices(source: Source, count: int, tails: Ends, heads: Ends, names: int | None = None) -> int | None:
    """Return what the only number of the first line counts.

    It counts vertices if the vertices of the arcs are within it (0 to N - 1, or 1 to N), and arcs if that number of
    arcs follows.

    Parameters
    ----------
    names : int, optional
        Number of names, if vertices have names.

    Returns
    -------
    The number of vertices, or None if the number counts arcs.

    Raises
    ------
    FileFormatError
        If it counts neither.
    """
    if names is None:
        low, high = (0, -1) if not len(tails) else _range(tails, heads)
        fits = low >= 0 and high <= count - (low == 0)
    else:
        fits = names == count
    if fits:
        source.notes.append(f"the first line was taken as the number of vertices, {count}")
        return count
    if len(tails) == count:
        source.notes.append(f"the first line was taken as the number of arcs, {count}")
        return None
    found = f"vertices {low} to {high}" if names is None else f"{names} names"
    raise source.fail(
        f"the first line announces {count} vertices or arcs, but there are {found} and {len(tails)} arcs", 1
    )


def starts_with_counts(source: Source, tails: Ends, heads: Ends) -> bool:
    """Whether the first of these lines holds the numbers of vertices and arcs: that many arcs follow, between that many
    vertices.
    """
    n, m = int(tails[0]), int(heads[0])
    follow = len(tails) - 1
    if m < follow or not follow or int(tails[1:1000].max()) > n:
        return False
    low, high = _range(tails[1:], heads[1:])
    if low < 0 or high > n - (low == 0):
        return False
    if m == follow:
        source.notes.append(f"the first line was taken as the numbers of vertices and arcs, {n} and {m}")
        return True
    if high < min(n, m):
        warn(
            f"{source.path}, line 1: '{n} {m}' is read as an arc, since {follow} lines follow it; if it announces "
            f"{n} vertices and {m} arcs, then the file is cut short"
        )
    return False


def _range(tails: Ends, heads: Ends) -> tuple[int, int]:
    return int(min(tails.min(), heads.min())), int(max(tails.max(), heads.max()))
