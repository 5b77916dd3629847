"""What maps are drawn with: types of arguments of `Graph.plot` and `Result.plot`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypeAlias

__all__ = ["Levels", "Scale", "ScaleName"]

Levels: TypeAlias = int | Sequence[float] | None
"""Approximate number of bands of colour, or their upper limits. None means about twelve."""

ScaleName: TypeAlias = Literal["metres", "degrees", "microdegrees"]
"""Units of coordinates."""

Scale: TypeAlias = ScaleName | float | None
"""Unit of coordinates: metres, degrees of longitude and latitude, millionths of degrees (DIMACS), or a number of
metres."""
