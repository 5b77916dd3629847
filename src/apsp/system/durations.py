"""Durations as text."""

from __future__ import annotations

__all__ = ["duration"]


def duration(seconds: float) -> str:
    """Format seconds: 0.00042 -> '0.42 ms', 4000 -> '1.1 hours'."""
    for limit, size, unit in ((1e-3, 1e-6, "µs"), (1.0, 1e-3, "ms"), (120.0, 1.0, "s"), (7200.0, 60.0, "minutes")):
        if seconds < limit:
            return f"{seconds / size:.2g} {unit}" if seconds / size < 100 else f"{seconds / size:.0f} {unit}"
    hours = seconds / 3600
    return f"{hours:.1f} hours" if hours < 48 else f"{hours / 24:,.0f} days"
