"""Sums of squared distances, and of distances times the degrees of both ends, over the rows that are added.

Integers are added up exactly: the kernel returns each row's sum as two halves (cpp/reductions/moments.hpp).
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from apsp import _cpu
from apsp.reductions.float_sum import float_sum
from apsp.semiring import unreachable

__all__ = ["LIMBS", "Moments"]

_SAFE = 47
"""Squares of this many bits, as many as there are vertices, fit the 128 bits of the kernel."""

LIMBS = 3
"""Words of 64 bits of a sum of integers: a sum of n^2 <= 2^62 terms below 2^126 fits."""


class Moments:
    """Two sums, each an int or a float.

    Parameters
    ----------
    squares : bool
        Keep the sum of the squared distances.
    degrees : (n,) int64 or None
        Keep the sum of the distances times both of these factors.
    """

    def __init__(self, *, squares: bool, degrees: npt.NDArray[np.int64] | None) -> None:
        self.degrees = degrees
        self._squares: list[int | float] | None = [] if squares else None
        self._products: list[int | float] | None = None if degrees is None else []

    @property
    def wanted(self) -> bool:
        """Whether any sum is kept."""
        return self._squares is not None or self._products is not None

    @property
    def kinds(self) -> tuple[bool, bool]:
        """Whether squares are kept, and whether products with degrees are."""
        return self._squares is not None, self._products is not None

    @property
    def squares(self) -> int | float | None:
        """The sum of the squared distances, if it is kept."""
        return None if self._squares is None else _total(self._squares)

    @property
    def products(self) -> int | float | None:
        """The sum of the distances times the degrees of both ends, if it is kept."""
        return None if self._products is None else _total(self._products)

    @property
    def parts(self) -> dict[str, list[int | float]]:
        """The sums that are kept, by name: numbers to be added up."""
        return {
            name: numbers
            for name, numbers in (("squares", self._squares), ("products", self._products))
            if numbers is not None
        }

    def to_rows(self) -> dict[str, npt.NDArray[Any]]:
        """The sums by name, as arrays of one row: LIMBS words of an integer, lowest first, or a float."""
        return {name: _row(_total(numbers)) for name, numbers in self.parts.items()}

    def merge_row(self, name: str, row: npt.NDArray[Any]) -> None:
        """Add a sum over other rows, as `to_rows` returns it."""
        self.parts[name].append(float(row[0]) if row.dtype.kind == "f" else _integer(row))

    def add(
        self,
        sources: npt.NDArray[np.int32],
        dist: npt.NDArray[Any],
        threads: int,
        columns: npt.NDArray[np.int32] | None = None,
    ) -> None:
        """Add the rows of a block, whose columns are those of all vertices, or of some."""
        rows, is_float = len(dist), dist.dtype.kind == "f"
        degrees = self.degrees if self.degrees is None or columns is None else self.degrees[columns]
        if dist.dtype == np.int64 and dist.size and _bits(dist) > _SAFE:
            self._add_exactly(sources, dist, degrees)
            return
        shape: Any = rows if is_float else (rows, 2)
        kind: Any = np.float64 if is_float else np.int64
        squares = None if self._squares is None else np.empty(shape, dtype=kind)
        weighted = None if self._products is None else np.empty(shape, dtype=kind)
        _cpu.moments(dist, degrees, squares, weighted, threads)
        if self._squares is not None and squares is not None:
            self._squares.append(_total(_numbers(squares)))
        if self._products is not None and weighted is not None and self.degrees is not None:
            factors = self.degrees[sources].tolist()
            self._products.append(
                _total([factor * number for factor, number in zip(factors, _numbers(weighted), strict=True)])
            )

    def merge(self, other: Moments) -> None:
        """Add the sums over other rows."""
        if self._squares is not None and other._squares is not None:
            self._squares += other._squares
        if self._products is not None and other._products is not None:
            self._products += other._products

    def _add_exactly(
        self, sources: npt.NDArray[np.int32], dist: npt.NDArray[np.int64], degrees: npt.NDArray[np.int64] | None
    ) -> None:
        """Add distances whose squares are beyond the kernel, as Python integers."""
        for source, row in zip(sources.tolist(), dist, strict=True):
            reached = np.flatnonzero(row != unreachable(row.dtype))
            values = row[reached].tolist()
            if self._squares is not None:
                self._squares.append(sum(value * value for value in values))
            if self._products is not None and self.degrees is not None and degrees is not None:
                factors = degrees[reached].tolist()
                weighted = sum(value * factor for value, factor in zip(values, factors, strict=True))
                self._products.append(int(self.degrees[source]) * weighted)


def _bits(dist: npt.NDArray[np.int64]) -> int:
    """The length of the longest distance in bits."""
    largest = int(dist.max(initial=0, where=dist != unreachable(dist.dtype)))
    return max(largest, -int(dist.min())).bit_length()


def _numbers(values: npt.NDArray[Any]) -> list[int | float]:
    """Floats, or the integers whose halves are given."""
    if values.dtype.kind == "f":
        floats: list[int | float] = values.tolist()
        return floats
    return [(high << 64) + (low & (1 << 64) - 1) for high, low in values.tolist()]


def _row(number: float) -> npt.NDArray[Any]:
    if isinstance(number, float):
        return np.array([[number]])
    return np.frombuffer(number.to_bytes(8 * LIMBS, "little", signed=True), dtype="<i8").astype(np.int64)[None]


def _integer(row: npt.NDArray[Any]) -> int:
    return int.from_bytes(row.astype("<i8").tobytes(), "little", signed=True)


def _total(numbers: list[int | float]) -> int | float:
    if any(isinstance(number, float) for number in numbers):
        return float_sum(numbers)
    return sum(numbers)
