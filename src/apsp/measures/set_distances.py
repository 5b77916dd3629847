"""What the distances from sets of sources to groups of vertices add up to, from blocks of rows."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from apsp.measures.blocks import RowBlock
from apsp.measures.group_counts import GroupCounts
from apsp.measures.group_quantiles import KeyQuantiles, RowQuantiles
from apsp.measures.group_sums import GroupSums
from apsp.measures.groups import Groups
from apsp.system.place import to_host

__all__ = ["SetDistances"]


class SetDistances:
    """Sums, counts and quantiles per set of sources and group of vertices.

    Parameters
    ----------
    groups : Groups
        Of the other ends of the paths.
    cells : (n,) int32
        The set of each source; -1 for none.
    rows : int
        The number of sets.
    each : bool
        Whether every set is a single source, so that its quantiles come from its row.
    shares : (Q,) float64
        Ascending, of the quantiles.
    bins, edges
        Of the histogram, as for `Summary`.
    threads : int
    """

    def __init__(
        self,
        groups: Groups,
        cells: npt.NDArray[np.int32],
        rows: int,
        *,
        each: bool,
        shares: npt.NDArray[np.float64],
        bins: int,
        edges: npt.ArrayLike | None,
        threads: int,
    ) -> None:
        self.groups = groups
        self.cells = cells
        self.threads = threads
        self.shares = shares
        self.sums = GroupSums(rows, groups)
        self.counts = GroupCounts(rows, groups, bins, edges) if bins or edges is not None else None
        self.quantiles = None if not len(shares) else (RowQuantiles if each else KeyQuantiles)(rows, groups, shares)
        self._passes = 0

    def add(self, block: RowBlock) -> None:
        """Add the rows of a block; a block on a GPU is copied to the host.

        Raises
        ------
        RequestError
            If the sum of the distances of a source does not fit int64.
        """
        sources = np.ascontiguousarray(block.source_positions, dtype=np.int32)
        dist: npt.NDArray[Any] = to_host(block.distances)
        if dist.shape[1] > 1 and dist.strides[1] != dist.itemsize:
            dist = dist.copy(order="C")
        cells = self.cells[sources]
        extremes = None
        if not self._passes:
            extremes = self.sums.add(sources, cells, dist, self.threads)
            if self.counts is not None:
                self.counts.add(sources, cells, dist, extremes, self.threads)
        if self.quantiles is not None:
            self.quantiles.add(sources, cells, dist, extremes, self.threads)

    def end_pass(self) -> bool:
        """After the blocks of all rows: whether all of them are needed once more, for the quantiles."""
        self._passes += 1
        return self.quantiles is not None and self.quantiles.end_pass(self.sums.pairs)
