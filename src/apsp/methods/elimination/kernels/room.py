"""How much device memory elimination takes at a time; the planner counts on it."""

from __future__ import annotations

__all__ = ["LABEL_BYTES", "LANES_LEAST", "LINES_BYTES", "lines_bytes"]

LABEL_BYTES = 2 << 30
"""Of the labels of all lanes that are computed together."""

LANES_LEAST = 1024
"""That are computed together, even if their labels are larger."""

LINES_BYTES = 8 << 30
"""Of lines that are turned into rows, or summed up, at a time."""


def lines_bytes(usable: int) -> int:
    """Bytes of lines at a time, where so many may be used in all."""
    return min(LINES_BYTES, usable // 4)
