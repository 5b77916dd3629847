"""Numbers of pairs, sums and extremes of the distances from sets of sources to groups of vertices."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from apsp import _cpu
from apsp.reductions.exact_sums import ExactSums
from apsp.reductions.groups import GroupedRows
from apsp.reductions.overflow import overflow_errors
from apsp.reductions.row_sums import total_dtype

__all__ = ["Extremes", "GroupSums"]

Extremes = tuple[npt.NDArray[Any], npt.NDArray[Any]]
"""The smallest and the largest distance of some rows to each group, where there is one."""


_BITS = 32
_LOW = 2**_BITS - 1


class GroupSums:
    """Sums over the blocks that were added, (R, G) each for R sets of sources and G groups.

    Parameters
    ----------
    rows, groups : int
        R and G.
    each : bool
        Whether every set is a single source, so that its sums come from one row.

    Attributes
    ----------
    pairs : int64
        Pairs of a source and another vertex with a path.
    least, largest : int64 or float64
        The extremes; where there are no pairs, the largest and the smallest value of the dtype.
    """

    def __init__(self, rows: int, groups: int, *, each: bool) -> None:
        self._shape = rows, groups
        self._each = each
        self.pairs = np.zeros(self._shape, dtype=np.int64)
        self._total: npt.NDArray[Any] = np.zeros(self._shape, dtype=np.int64)
        self._exact: ExactSums | None = None
        self._magnitude = 0
        self._open(np.dtype(np.int64))

    def _open(self, dtype: np.dtype[Any]) -> None:
        self.least = np.full(self._shape, _highest(dtype), dtype=dtype)
        self.largest = np.full(self._shape, _lowest(dtype), dtype=dtype)

    def _start(self, dtype: np.dtype[Any]) -> None:
        wide = total_dtype(dtype)
        if self.least.dtype != wide:
            self._total, self._exact = np.zeros(self._shape), None if self._each else ExactSums(self._shape)
            self._open(wide)

    def add(self, block: GroupedRows) -> Extremes | None:
        """Add the rows of a block to their sets of sources.

        Returns
        -------
        Extremes or None
            The extremes of the block; None without any pair.

        Raises
        ------
        RequestError
            If the sum of the distances of a source does not fit int64.
        """
        shape, cells, dtype = (len(block), self._shape[1]), block.cells, block.dist.dtype
        wide = total_dtype(dtype)
        self._start(dtype)
        reached, total = np.empty(shape, dtype=np.int64), np.empty(shape, dtype=wide)
        least, largest = np.empty(shape, dtype=dtype), np.empty(shape, dtype=dtype)
        with overflow_errors():
            _cpu.reduce_groups(
                block.dist, **block.arguments, reached=reached, total=total, least=least, largest=largest,
                threads=block.threads,
            )  # fmt: skip
        some = (reached > 0) & (cells >= 0)[:, None]
        if not some.any():
            return None
        order = np.argsort(cells, kind="stable")
        order = order[cells[order] >= 0]
        ordered = cells[order]
        first = np.flatnonzero(np.concatenate([[True], ordered[1:] != ordered[:-1]]))
        rows = ordered[first]
        self.pairs[rows] += np.add.reduceat(reached[order], first)
        self._add_totals(rows, total[order], first)
        low = np.where(some, least, least.dtype.type(0)).astype(wide)
        np.copyto(low, _highest(wide), where=~some)
        self.least[rows] = np.minimum(self.least[rows], np.minimum.reduceat(low[order], first))
        high = largest.astype(wide)
        np.copyto(high, _lowest(wide), where=~some)
        self.largest[rows] = np.maximum(self.largest[rows], np.maximum.reduceat(high[order], first))
        return least[some], largest[some]

    def _add_totals(self, rows: npt.NDArray[np.int32], total: npt.NDArray[Any], first: npt.NDArray[np.int64]) -> None:
        if self._exact is not None:
            self._exact.add(rows, total, first)
            return
        if total.dtype.kind != "f":
            self._make_room(len(total) * max(int(total.max()), -int(total.min())))
            total = total.astype(self._total.dtype)
        self._total[rows] += np.add.reduceat(total, first)

    def _make_room(self, magnitude: int) -> None:
        """Before sums of at most this magnitude are added: Python integers if int64 might not hold them."""
        self._magnitude += magnitude
        if self._magnitude >= 2**63:
            self._total = self._total.astype(object)

    def merge(self, rows: npt.NDArray[np.int64], other: GroupSums) -> None:
        """Add what was added to row k of others to row rows[k]; the result is that of adding the same blocks."""
        self._start(other.least.dtype)
        self.pairs[rows] += other.pairs
        self.least[rows] = np.minimum(self.least[rows], other.least)
        self.largest[rows] = np.maximum(self.largest[rows], other.largest)
        if self._exact is not None and other._exact is not None:
            self._exact.merge(rows, other._exact)
            return
        self._make_room(other._magnitude)
        self._total[rows] += other._total

    def to_arrays(self, words: int) -> dict[str, npt.NDArray[Any]]:
        """What was added, as arrays of fixed shapes and int64 or float64.

        Parameters
        ----------
        words : int
            Of exact sums: see `ExactSums.to_arrays`.

        Returns
        -------
        pairs, smallest, largest : (R, G)
            Where there are no pairs, the largest value of the dtype.
        total : (R, G), if every set is a single source
        words, ... : of other sets, as `ExactSums.to_arrays`; of integers (2, R, G), the lower 32 bits and the others
        """
        some = self.pairs > 0
        found = {"pairs": self.pairs, "smallest": self.least, "largest": np.where(some, self.largest, self.least)}
        if self._each:
            return found | {"total": self.totals()}
        if self._exact is not None:
            return found | self._exact.to_arrays(words)
        return found | {"words": np.array([self._total & _LOW, self._total >> _BITS]).astype(np.int64)}

    def add_arrays(self, arrays: dict[str, npt.NDArray[Any]]) -> None:
        """Add what `to_arrays` has returned of other sums of as many sets, with distances of the same kind."""
        self._start(arrays["smallest"].dtype)
        pairs = arrays["pairs"]
        self.pairs += pairs
        self.least = np.minimum(self.least, arrays["smallest"])
        high = np.where(pairs > 0, arrays["largest"], _lowest(self.largest.dtype))
        self.largest = np.maximum(self.largest, high)
        if self._exact is not None:
            self._exact.add_arrays(arrays)
            return
        total = arrays["total"] if self._each else _joined(*arrays["words"])
        if total.dtype.kind != "f":
            self._make_room(max(abs(int(total.max(initial=0))), abs(int(total.min(initial=0)))))
        self._total = self._total + total

    def totals(self) -> npt.NDArray[Any]:
        """The sums: int64, float64, or Python integers where one does not fit int64."""
        if self._exact is not None:
            return self._exact.rounded()
        if self._total.dtype == object and all(abs(each) < 2**63 for each in self._total.ravel()):
            return self._total.astype(np.int64)
        return self._total

    def means(self, totals: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
        """`totals` over the pairs; not-a-number where there are no pairs."""
        some = self.pairs > 0
        found = np.full(self._shape, np.nan)
        np.divide(totals, self.pairs, out=found, where=some, casting="unsafe", dtype=np.float64)
        if totals.dtype.kind != "f":  # float64 does not hold larger sums exactly
            for place in np.argwhere(some & (np.abs(totals) > 2**53)):
                found[*place] = int(totals[*place]) / int(self.pairs[*place])
        return found


def _joined(low: npt.NDArray[np.int64], high: npt.NDArray[np.int64]) -> npt.NDArray[Any]:
    """Integers from their lower 32 bits and the others: int64, or Python integers if one does not fit."""
    if (np.abs(high) < 2**30).all():
        return low + (high << _BITS)
    found: npt.NDArray[Any] = low.astype(object) + (high.astype(object) << _BITS)
    return found


def _highest(dtype: np.dtype[Any]) -> Any:
    return np.inf if dtype.kind == "f" else np.iinfo(dtype).max


def _lowest(dtype: np.dtype[Any]) -> Any:
    return -np.inf if dtype.kind == "f" else np.iinfo(dtype).min
