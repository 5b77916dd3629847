"""Numbers as text."""

from __future__ import annotations

import math

import numpy as np

__all__ = ["counted", "number_name", "number_words"]


def number_words(value: float | None, digits: int = 6) -> str:
    """Format a number: thousands separated, floats to `digits` significant digits."""
    if value is None:
        return "-"
    if isinstance(value, (int, np.integer)):
        return f"{int(value):,}"
    if not math.isfinite(value):
        return str(value)
    if value == int(value) and abs(value) < 1e15:
        return f"{int(value):,}"
    return f"{value:,.{digits}g}" if abs(value) < 10 ** (digits - 1) else f"{value:,.0f}"


def counted(count: int, word: str) -> str:
    """A number of things: '1 source', '2,000 sources'."""
    return f"{count:,} {word}{'s' if count != 1 else ''}"


def number_name(value: float) -> str:
    """A number as part of a name: short, and different for different numbers."""
    short = f"{value:g}"
    return short if float(short) == value else str(value)
