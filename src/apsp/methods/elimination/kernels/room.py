"""The device memory that elimination uses at a time, as assumed by the planner."""

from __future__ import annotations

__all__ = ["LABEL_BYTES", "LANES_LEAST", "LINES_BYTES", "lines_bytes"]

LABEL_BYTES = 2 << 30
"""Bytes of the labels of all lanes that are computed together."""

LANES_LEAST = 1024
"""Lanes that are computed together even if their labels are larger."""

LINES_BYTES = 8 << 30
"""Bytes of lines that are transposed into rows, or summed up, at a time."""


def lines_bytes(usable: int) -> int:
    """Return the bytes of lines at a time, if this many bytes may be used in total."""
    return min(LINES_BYTES, usable // 4)
