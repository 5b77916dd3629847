"""Sums of the columns of a distance matrix that comes in blocks of rows: what is said about incoming paths."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from apsp import _cpu
from apsp.semiring import unreachable

__all__ = ["ColumnSums"]


class ColumnSums:
    """Running sums of every column; those of floats carry Neumaier's compensation along."""

    def __init__(self, n: int) -> None:
        self.reached = np.zeros(n, dtype=np.int64)
        self.total: npt.NDArray[Any] | None = None
        self.total_error, self.reciprocals, self.reciprocals_error = np.zeros(n), np.zeros(n), np.zeros(n)
        self.rows, self.magnitude = 0, 0

    def add(self, dist: npt.NDArray[Any], threads: int) -> None:
        """Add the rows of a block; OverflowError if a sum of int64 may not fit."""
        if self.total is None:
            self.total = np.zeros(len(self.reached), dtype=np.float64 if dist.dtype.kind == "f" else np.int64)
        if dist.dtype == np.int64 and dist.size:
            largest = int(np.where(dist == unreachable(dist.dtype), 0, dist).max())
            self.magnitude = max(self.magnitude, largest, -int(dist.min()))
            self.rows += len(dist)
            if self.rows * self.magnitude >= 2**63:
                raise OverflowError("the sum of a column may not fit int64")
        _cpu.reduce_columns(
            dist, self.reached, self.total, self.total_error, self.reciprocals, self.reciprocals_error, threads
        )

    def sums(self) -> tuple[npt.NDArray[np.int64], npt.NDArray[Any], npt.NDArray[np.float64]]:
        """Other vertices that reach each column, the sum of their distances, and of 1 / distance."""
        total = np.zeros(len(self.reached)) if self.total is None else self.total
        if total.dtype.kind == "f":
            total = total + self.total_error
        return self.reached - 1, total, self.reciprocals + self.reciprocals_error
