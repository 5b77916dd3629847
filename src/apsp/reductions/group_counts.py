"""Histograms of the distances from sets of sources to groups of vertices, all with the same bins."""

from __future__ import annotations

from copy import copy
from typing import Any

import numpy as np
import numpy.typing as npt

from apsp import _cpu
from apsp.reductions.group_sums import Extremes
from apsp.reductions.groups import GroupedRows
from apsp.reductions.histogram import Bins
from apsp.reductions.packed_counts import PackedCounts

__all__ = ["GroupCounts"]


class GroupCounts:
    """Counts of the blocks that were added, (R, G, bins).

    Bins are those of `apsp.reductions.histogram.Bins`: between given edges, or of the width of a power of two that
    grows with the distances.
    """

    def __init__(self, rows: int, groups: int, bins: int, edges: npt.ArrayLike | None) -> None:
        self.bins = Bins(bins, edges)
        self.counts = np.zeros((rows, groups, len(self.bins.counts)), dtype=np.int64)

    def add(self, block: GroupedRows, extremes: Extremes | None) -> None:
        """Add the rows of a block, with its extremes."""
        bins = self.bins
        bins.start(block.dist.dtype)
        if extremes is None:
            return
        if bins.edges is not None:
            _cpu.count_groups_between(
                block.dist, **block.arguments, cells=block.cells, edges=bins.edges, counts=self.counts,
                threads=block.threads,
            )  # fmt: skip
            return
        before = bins.exponent
        bins.widen(float(extremes[0].min()), float(extremes[1].max()))
        assert bins.exponent is not None
        if before not in (None, _cpu.UNSET_EXPONENT) and before != bins.exponent:
            self._merge(bins.exponent - before)
        _cpu.count_groups_evenly(
            block.dist, **block.arguments, cells=block.cells, exponent=bins.exponent, bins=self.counts.shape[2] // 2,
            counts=self.counts, threads=block.threads,
        )  # fmt: skip

    def merge(self, rows: npt.NDArray[np.int64], other: GroupCounts) -> None:
        """Add what was counted in row k of others, made with the same arguments, to row rows[k]."""
        if other.bins.exponent is None:  # no blocks
            return
        if self.bins.exponent is None:
            self.bins.exponent, self.bins.floats = other.bins.exponent, other.bins.floats
        if self.bins.edges is None and self.bins.exponent != other.bins.exponent:
            known = [each for each in (self.bins.exponent, other.bins.exponent) if each != _cpu.UNSET_EXPONENT]
            self._widen_to(max(known))
            other._widen_to(max(known))
        self.counts[rows] += other.counts

    def to_arrays(self) -> dict[str, npt.NDArray[np.int64]]:
        """The counts (R, G, bins), and of automatic bins the exponent of their width (1,)."""
        if self.bins.edges is not None:
            return {"counts": self.counts}
        exponent = _cpu.UNSET_EXPONENT if self.bins.exponent is None else self.bins.exponent
        return {"counts": self.counts, "bin_exponent": np.array([exponent])}

    def add_arrays(self, arrays: dict[str, npt.NDArray[np.int64]], *, is_float: bool) -> None:
        """Add what `to_arrays` of other counts has returned, which were made with the same arguments."""
        other = copy(self)
        other.bins, other.counts = copy(self.bins), arrays["counts"]
        other.bins.floats = is_float
        other.bins.exponent = int(arrays["bin_exponent"][0]) if "bin_exponent" in arrays else 0
        self.merge(np.arange(len(self.counts)), other)

    def _widen_to(self, exponent: int) -> None:
        if self.bins.exponent != _cpu.UNSET_EXPONENT and exponent != self.bins.exponent:
            assert self.bins.exponent is not None
            self._merge(exponent - self.bins.exponent)
        self.bins.exponent = exponent

    def __getstate__(self) -> dict[str, Any]:
        """In few bytes: parts of the work are sent to other processes."""
        return self.__dict__ | {"counts": PackedCounts.of(self.counts)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state | {"counts": state["counts"].unpacked()})

    def _merge(self, steps: int) -> None:
        """Merge neighbouring bins, 2^steps at a time."""
        half = self.counts.shape[2] // 2
        places = (np.arange(-half, half) >> min(steps, 63)) + half
        first = np.flatnonzero(np.concatenate([[True], places[1:] != places[:-1]]))
        wider = np.zeros_like(self.counts)
        wider[:, :, places[first]] = np.add.reduceat(self.counts, first, axis=2)
        self.counts = wider

    def result(self) -> tuple[npt.NDArray[Any], npt.NDArray[np.int64]]:
        """The edges (bins + 1,) and the counts (R, G, bins), only of the range that is used."""
        if self.bins.edges is not None:
            return self.bins.edges.copy(), self.counts
        middle = self.counts.shape[2] // 2
        used = np.flatnonzero(self.counts.any(axis=(0, 1)))
        first, last = (int(used[0]), int(used[-1])) if len(used) else (middle, middle)
        return self.bins.edges_of(np.arange(first - middle, last - middle + 2)), self.counts[:, :, first : last + 1]
