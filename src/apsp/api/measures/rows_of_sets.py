"""Rows of distances that are reduced to numbers of sets of vertices, by this process or by workers."""

from __future__ import annotations

from dataclasses import dataclass

from apsp.api.component_rows import RowsToReduce
from apsp.measures.set_distances import SetNumbers

__all__ = ["RowsOfSets"]


@dataclass(frozen=True)
class RowsOfSets:
    """Rows that are planned, and which numbers of sets are kept of them."""

    rows: RowsToReduce
    numbers: SetNumbers
