"""Sums of floats, rounded once."""

from __future__ import annotations

import math
from collections.abc import Sequence

__all__ = ["float_sum"]

_SCALE = 2.0**64
"""More numbers than a sum has."""


def float_sum(values: Sequence[float]) -> float:
    """Return the sum, correctly rounded; infinite if it is beyond float64, where `math.fsum` raises an error."""
    try:
        return math.fsum(values)
    except OverflowError:
        return math.fsum([value / _SCALE for value in values]) * _SCALE
    except ValueError:  # infinities of both signs
        return math.nan
