"""The device memory that elimination uses at a time, as assumed by the planner."""

from __future__ import annotations

__all__ = ["LABEL_BYTES", "LANES_LEAST", "LINES_BYTES", "LINES_LEAST", "lines_bytes"]

LABEL_BYTES = 2 << 30
"""Bytes of the labels of all lanes that are computed together."""

LANES_LEAST = 1024
"""Lanes that are computed together even if their labels are larger."""

LINES_BYTES, LINES_LEAST = 8 << 30, 512
"""Bytes of lines that are transposed into rows, or summed up, at a time; and lanes of them that are, even if they need
more: with few lanes a GPU waits for the launches of a sweep.
"""


def lines_bytes(usable: int, of_lane: int) -> int:
    """Return the bytes of lines at a time, if this many bytes may be used in total, and a lane has `of_lane`."""
    return min(max(LINES_BYTES, LINES_LEAST * of_lane), usable // 4)
