"""Numbers of pairs, sums and extremes of the distances from sets of sources to groups of vertices."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from apsp import _cpu
from apsp.measures.groups import Groups
from apsp.measures.overflow import overflow_errors
from apsp.measures.row_sums import total_dtype

__all__ = ["GroupSums"]

Extremes = tuple[npt.NDArray[Any], npt.NDArray[Any]]
"""The smallest and the largest distance of some rows to each group, where there is one."""


class GroupSums:
    """Sums over the blocks that were added, (R, G) each for R sets of sources and G groups.

    Attributes
    ----------
    pairs : int64
        Pairs of a source and another vertex with a path.
    total : int64, float64 or object
        The sum of their distances; Python integers if int64 might not hold them.
    least, largest : int64 or float64
        The extremes; where there are no pairs, the largest and the smallest value of the dtype.
    """

    def __init__(self, rows: int, groups: Groups) -> None:
        self.groups = groups
        self._shape = rows, len(groups)
        self.pairs = np.zeros(self._shape, dtype=np.int64)
        self.total: npt.NDArray[Any] = np.zeros(self._shape, dtype=np.int64)
        self.error: npt.NDArray[np.float64] | None = None
        self._magnitude = 0
        self._open(np.dtype(np.int64))

    def _open(self, dtype: np.dtype[Any]) -> None:
        is_float = dtype.kind == "f"
        self.least = np.full(self._shape, np.inf if is_float else np.iinfo(np.int64).max, dtype=dtype)
        self.largest = np.full(self._shape, -np.inf if is_float else np.iinfo(np.int64).min, dtype=dtype)

    def add(
        self, sources: npt.NDArray[np.int32], cells: npt.NDArray[np.int32], dist: npt.NDArray[Any], threads: int
    ) -> Extremes | None:
        """Add the rows of a block to their sets of sources.

        Parameters
        ----------
        cells : (S,) int32
            The set of each source; -1 for none.

        Returns
        -------
        Extremes or None
            The extremes of the block; None without any pair.

        Raises
        ------
        RequestError
            If the sum of the distances of a source does not fit int64.
        """
        shape = len(sources), len(self.groups)
        wide = total_dtype(dist.dtype)
        if self.total.dtype.kind == "i" and wide.kind == "f":
            self.total, self.error = np.zeros(self._shape), np.zeros(self._shape)
            self._open(wide)
        reached, total = np.empty(shape, dtype=np.int64), np.empty(shape, dtype=wide)
        least, largest = np.empty(shape, dtype=dist.dtype), np.empty(shape, dtype=dist.dtype)
        with overflow_errors():
            _cpu.reduce_groups(
                dist, **self.groups.arguments(sources), reached=reached, total=total, least=least, largest=largest,
                threads=threads,
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
        np.copyto(low, self._highest(wide), where=~some)
        self.least[rows] = np.minimum(self.least[rows], np.minimum.reduceat(low[order], first))
        high = largest.astype(wide)
        np.copyto(high, self._lowest(wide), where=~some)
        self.largest[rows] = np.maximum(self.largest[rows], np.maximum.reduceat(high[order], first))
        return least[some], largest[some]

    def _add_totals(self, rows: npt.NDArray[np.int32], total: npt.NDArray[Any], first: npt.NDArray[np.int64]) -> None:
        if self.error is not None:
            added = np.add.reduceat(total, first)
            before = self.total[rows]
            after = before + added
            larger = np.abs(before) >= np.abs(added)
            with np.errstate(invalid="ignore"):
                self.error[rows] += np.where(larger, (before - after) + added, (added - after) + before)
            self.total[rows] = after
            return
        self._magnitude += len(total) * max(int(total.max()), -int(total.min()))
        if self._magnitude >= 2**63:
            self.total, total = self.total.astype(object), total.astype(object)
        self.total[rows] += np.add.reduceat(total, first)

    @staticmethod
    def _highest(dtype: np.dtype[Any]) -> Any:
        return np.inf if dtype.kind == "f" else np.iinfo(dtype).max

    @staticmethod
    def _lowest(dtype: np.dtype[Any]) -> Any:
        return -np.inf if dtype.kind == "f" else np.iinfo(dtype).min

    def totals(self) -> npt.NDArray[Any]:
        """The sums: int64, float64, or Python integers where one does not fit int64."""
        if self.error is not None:
            return self.total + np.where(np.isfinite(self.total), self.error, 0)
        if self.total.dtype == object and all(abs(each) < 2**63 for each in self.total.ravel()):
            return self.total.astype(np.int64)
        return self.total

    def means(self) -> npt.NDArray[np.float64]:
        """The sums over the pairs; not-a-number where there are no pairs."""
        totals, some = self.totals(), self.pairs > 0
        found = np.full(self._shape, np.nan)
        np.divide(totals, self.pairs, out=found, where=some, casting="unsafe", dtype=np.float64)
        if totals.dtype.kind != "f":  # float64 does not hold larger sums exactly
            for place in np.argwhere(some & (np.abs(totals) > 2**53)):
                found[*place] = int(totals[*place]) / int(self.pairs[*place])
        return found
