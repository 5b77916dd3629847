"""Words of the tables."""

from __future__ import annotations

__all__ = ["seconds"]


def seconds(value: float) -> str:
    """A duration with three significant digits."""
    return f"{value * 1e3:.3g} ms" if value < 1 else f"{value:.3g} s"
