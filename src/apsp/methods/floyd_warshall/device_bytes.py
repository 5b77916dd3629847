"""Device memory of Floyd-Warshall on one GPU, for the planner and the solver: pure arithmetic."""

from __future__ import annotations

__all__ = ["ROWS_WRITTEN_AT_ONCE", "bytes_of_arcs", "bytes_of_page"]

ROWS_WRITTEN_AT_ONCE = 2048
"""Rows whose arcs are on the device at a time, if the matrix is larger."""

_PANELS = 2 * 512
"""Pivots of the panels, of rows and of columns, that closing stores besides the matrix."""


def bytes_of_page(n: int, itemsize: int) -> int:
    """Return the bytes of the whole matrix, with rows padded for alignment, and of the panels."""
    return (n + 16) * (n + 16 + _PANELS) * itemsize


def bytes_of_arcs(rows: int, arcs: int, itemsize: int) -> int:
    """Return the bytes of the arcs of this number of rows: heads and lengths, and per row the beginning and a flag for
    zones.
    """
    return (4 + itemsize) * arcs + 9 * rows
