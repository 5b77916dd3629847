"""Histograms of the distances from sets of sources to groups of vertices, all with the same bins."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from apsp import _cpu
from apsp.measures.group_sums import Extremes
from apsp.measures.groups import Groups
from apsp.measures.histogram import Bins

__all__ = ["GroupCounts"]


class GroupCounts:
    """Counts of the blocks that were added, (R, G, bins).

    Bins are those of `apsp.measures.histogram.Bins`: between given edges, or of the width of a power of two that grows
    with the distances.
    """

    def __init__(self, rows: int, groups: Groups, bins: int, edges: npt.ArrayLike | None) -> None:
        self.groups = groups
        self.bins = Bins(bins, edges)
        self.counts = np.zeros((rows, len(groups), len(self.bins.counts)), dtype=np.int64)

    def add(
        self,
        sources: npt.NDArray[np.int32],
        cells: npt.NDArray[np.int32],
        dist: npt.NDArray[Any],
        extremes: Extremes | None,
        threads: int,
    ) -> None:
        """Add the rows of a block; arguments as of `GroupSums.add`, which returns the extremes."""
        bins = self.bins
        bins.start(dist.dtype)
        if extremes is None:
            return
        arguments = self.groups.arguments(sources)
        if bins.edges is not None:
            _cpu.count_groups_between(
                dist, **arguments, cells=cells, edges=bins.edges, counts=self.counts, threads=threads
            )
            return
        before = bins.exponent
        bins.widen(float(extremes[0].min()), float(extremes[1].max()))
        assert bins.exponent is not None
        if before not in (None, _cpu.UNSET_EXPONENT) and before != bins.exponent:
            self._merge(bins.exponent - before)
        _cpu.count_groups_evenly(
            dist, **arguments, cells=cells, exponent=bins.exponent, bins=self.counts.shape[2] // 2,
            counts=self.counts, threads=threads,
        )  # fmt: skip

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
        exponent = 0 if self.bins.exponent in (None, _cpu.UNSET_EXPONENT) else self.bins.exponent
        assert exponent is not None
        numbers = np.arange(first - middle, last - middle + 2)
        edges = np.ldexp(numbers.astype(np.float64), exponent) if self.bins.floats else numbers << exponent
        return edges, self.counts[:, :, first : last + 1]
