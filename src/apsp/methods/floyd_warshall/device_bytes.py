"""Device memory of Floyd-Warshall on one GPU, for the planner and the solver alike: pure arithmetic."""

from __future__ import annotations

__all__ = ["ROWS_WRITTEN_AT_ONCE", "bytes_of_arcs", "bytes_of_page"]

ROWS_WRITTEN_AT_ONCE = 2048
"""Rows whose arcs are on the device at a time, if the matrix is larger."""

_PANELS = 2 * 512
"""Pivots of the panels, of rows and of columns, that closing keeps beside the matrix."""


def bytes_of_page(n: int, itemsize: int) -> int:
    """The whole matrix, its rows a little longer for alignment, and the panels."""
    return (n + 16) * (n + 16 + _PANELS) * itemsize


def bytes_of_arcs(rows: int, arcs: int, itemsize: int) -> int:
    """Arcs of so many rows: heads and lengths; and for each row where they begin and whether it is a zone."""
    return (4 + itemsize) * arcs + 9 * rows
