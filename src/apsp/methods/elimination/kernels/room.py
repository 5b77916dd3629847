"""The device memory that elimination uses at a time, as assumed by the planner."""

from __future__ import annotations

__all__ = ["LABEL_BYTES", "LANES_LEAST", "lines_bytes", "most_lines_bytes"]

LABEL_BYTES = 2 << 30
"""Bytes of the labels of all lanes that are computed together."""

LANES_LEAST = 1024
"""Lanes that are computed together even if their labels are larger."""

_LINES_BYTES, _LINES_LEAST = 8 << 30, 512
"""Bytes of lines that are transposed into rows, or summed up, at a time; and lanes of them that are, even if they need
more: with few lanes a GPU waits for the launches of a sweep.
"""


def most_lines_bytes(of_lane: int) -> int:
    """Return the bytes of lines at a time if there is memory enough, and a lane has `of_lane`."""
    return max(_LINES_BYTES, _LINES_LEAST * of_lane)


def lines_bytes(usable: int, of_lane: int) -> int:
    """Return the bytes of lines at a time, if this many bytes may be used in total, and a lane has `of_lane`."""
    return min(most_lines_bytes(of_lane), usable // 4)
