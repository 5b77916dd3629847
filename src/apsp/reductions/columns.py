"""Sums of the columns of a distance matrix that is added in blocks of rows, for incoming paths."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from apsp import _cpu
from apsp.reductions.row_sums import total_dtype
from apsp.semiring import unreachable
from apsp.system.array_device import is_on_gpu, module_of

if TYPE_CHECKING:
    from apsp.reductions.kernels.reduce import ColumnsOnDevice

__all__ = ["ColumnSums", "Sums"]

Sums = tuple[npt.NDArray[np.int64], npt.NDArray[Any], npt.NDArray[np.float64]]
"""Other vertices that reach each column, the sum of their distances, and of 1 / distance."""


class ColumnSums:
    """Running sums of every column; those of floats are compensated (Neumaier)."""

    def __init__(self, n: int) -> None:
        self.reached = np.zeros(n, dtype=np.int64)
        self.total: npt.NDArray[Any] | None = None
        self.total_error, self.reciprocals, self.reciprocals_error = np.zeros(n), np.zeros(n), np.zeros(n)
        self.rows, self.magnitude = 0, 0
        self._on_gpu: ColumnsOnDevice | None = None

    def add(self, dist: Any, threads: int, columns: npt.NDArray[np.int32] | None = None) -> None:
        """Add the rows of a block, with columns of all vertices or of some; OverflowError if a sum of int64 may not
        fit.
        """
        if columns is not None:
            part = ColumnSums(len(columns))
            part.add(dist, threads)
            self.merge(part, columns)
            return
        if is_on_gpu(dist):
            self._add_on_gpu(dist)
            return
        if self.total is None:
            self.total = np.zeros(len(self.reached), dtype=total_dtype(dist.dtype))
        self._check(dist)
        _cpu.reduce_columns(
            dist, self.reached, self.total, self.total_error, self.reciprocals, self.reciprocals_error, threads
        )

    def _add_on_gpu(self, dist: Any) -> None:
        from apsp.reductions.kernels.reduce import ColumnsOnDevice

        self._check(dist)
        if self._on_gpu is None:
            self._on_gpu = ColumnsOnDevice(dist)
        self._on_gpu.add(dist)

    def _check(self, dist: Any) -> None:
        """OverflowError if a sum of int64 may not fit."""
        if dist.dtype == np.int64 and dist.size:
            largest = int(module_of(dist).where(dist == unreachable(dist.dtype), 0, dist).max())
            self.magnitude = max(self.magnitude, largest, -int(dist.min()))
            self.rows += len(dist)
            if self.rows * self.magnitude >= 2**63:
                raise OverflowError("the sum of a column may not fit int64")

    def merge(self, other: ColumnSums, columns: slice | npt.NDArray[np.int32] = slice(None)) -> None:
        """Add the sums over other rows, of all columns or some; OverflowError if a sum of int64 may not fit."""
        other.to_host()
        if other.total is None:
            return
        self.to_host()
        if self.total is None:
            self.total = np.zeros(len(self.reached), dtype=other.total.dtype)
        self.magnitude, self.rows = max(self.magnitude, other.magnitude), self.rows + other.rows
        if self.rows * self.magnitude >= 2**63:
            raise OverflowError("the sum of a column may not fit int64")
        self.reached[columns] += other.reached
        if self.total.dtype.kind == "f":
            self.total[columns], error = _added(self.total[columns], other.total)
            self.total_error[columns] += other.total_error + error
        else:
            self.total[columns] += other.total
        self.reciprocals[columns], error = _added(self.reciprocals[columns], other.reciprocals)
        self.reciprocals_error[columns] += other.reciprocals_error + error

    def to_host(self) -> None:
        """Take over the sums of blocks that lie on a GPU."""
        if self._on_gpu is None:
            return
        reached, total, total_error, reciprocals, reciprocals_error = self._on_gpu.sums()
        self._on_gpu = None
        self.reached = self.reached + reached
        self.total = total if self.total is None else self.total + total
        self.total_error, self.reciprocals = self.total_error + total_error, self.reciprocals + reciprocals
        self.reciprocals_error = self.reciprocals_error + reciprocals_error

    def sums(self) -> Sums:
        """Return the sums over the rows that were added."""
        self.to_host()
        reached, reciprocals = self.reached, self.reciprocals
        total: npt.NDArray[Any] = np.zeros(len(reached)) if self.total is None else self.total
        if total.dtype.kind == "f":
            total = _compensated(total, self.total_error)
        return reached - 1, total, _compensated(reciprocals, self.reciprocals_error)


def _compensated(sums: npt.NDArray[np.float64], errors: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """The sums, infinite where they are beyond the range: the errors have no meaning there."""
    return sums + np.where(np.isinf(sums), 0, errors)


def _added(
    sums: npt.NDArray[np.float64], others: npt.NDArray[np.float64]
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """The sums, and their rounding errors."""
    larger = np.abs(sums) >= np.abs(others)
    with np.errstate(invalid="ignore", over="ignore"):  # a sum beyond the range is infinite
        after = sums + others
        return after, np.where(larger, (sums - after) + others, (others - after) + sums)
