"""What the distances from sets of sources to groups of vertices add up to, from blocks of rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from apsp.reductions.blocks import RowBlock
from apsp.reductions.component_block import columns_of
from apsp.reductions.group_counts import GroupCounts
from apsp.reductions.group_quantiles import KeyQuantiles, RowQuantiles, Windows
from apsp.reductions.group_sums import GroupSums
from apsp.reductions.groups import GroupedRows, Groups
from apsp.system.array_device import to_host

__all__ = ["SetDistances", "SetNumbers"]

_NUMBERS = 5
"""Numbers per set and group, besides counts: pairs, a sum of two words, extremes."""


@dataclass(frozen=True)
class SetNumbers:
    """Which numbers of sets of sources are kept.

    Attributes
    ----------
    groups : Groups
        Of the other ends of the paths.
    each : bool
        Whether every set is a single source, so that its quantiles come from its row.
    shares : (Q,) float64
        Ascending, of the quantiles.
    bins, edges
        Of the histogram, as for `Summary`.
    """

    groups: Groups
    each: bool
    shares: npt.NDArray[np.float64]
    bins: int
    edges: npt.ArrayLike | None


class SetDistances:
    """Sums, counts and quantiles per set of sources and group of vertices.

    Parameters
    ----------
    numbers : SetNumbers
    cells : (n,) int32
        The set of each source; -1 for none.
    rows : int
        The number of sets.
    threads : int
    windows : Windows, optional
        Of a part whose numbers will be merged with others, in the same pass: where it counts for quantiles between
        groups. In a pass after the first one, only these are counted.
    """

    def __init__(
        self,
        numbers: SetNumbers,
        cells: npt.NDArray[np.int32],
        rows: int,
        *,
        threads: int,
        windows: Windows | None = None,
    ) -> None:
        self.numbers, self.cells, self.threads = numbers, cells, threads
        groups, shares = len(numbers.groups), numbers.shares
        self._is_first = windows is None or windows.lows is None
        self.sums = GroupSums(rows if self._is_first else 0, groups, each=numbers.each)
        self.counts: GroupCounts | None = None
        if self._is_first and (numbers.bins or numbers.edges is not None):
            self.counts = GroupCounts(rows, groups, numbers.bins, numbers.edges)
        self.quantiles: RowQuantiles | KeyQuantiles | None = None
        if len(shares):
            self.quantiles = (
                RowQuantiles(rows, groups, shares) if numbers.each else KeyQuantiles(rows, groups, shares, windows)
            )

    @property
    def is_first(self) -> bool:
        """Whether the first pass has not ended."""
        return self._is_first

    @property
    def windows(self) -> Windows | None:
        """Where parts count in the pass that begins."""
        return self.quantiles.windows if isinstance(self.quantiles, KeyQuantiles) else None

    @property
    def bytes_of_part(self) -> int:
        """Bytes of a part with distances of all sets on the way from another process: about one per count."""
        return self.sums.pairs.size * (self.bytes_of_pair + (0 if self.windows is None else self.windows.bins))

    @property
    def bytes_of_pair(self) -> int:
        """As `bytes_of_part`, of one set and group, without the counts for quantiles."""
        return 8 * _NUMBERS + (0 if self.counts is None else self.counts.counts.shape[2])

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
        rows = GroupedRows(
            dist, self.cells[sources], self.numbers.groups.arguments(sources, columns_of(block)), self.threads
        )
        extremes = None
        if self._is_first:
            extremes = self.sums.add(rows)
            if self.counts is not None:
                self.counts.add(rows, extremes)
        if self.quantiles is not None:
            self.quantiles.add(rows, extremes)

    def merge(self, rows: npt.NDArray[np.int64], part: SetDistances) -> None:
        """Add what was added to a part: its set k is set rows[k] here. The result is that of adding the same blocks."""
        if self._is_first:
            self.sums.merge(rows, part.sums)
            if self.counts is not None and part.counts is not None:
                self.counts.merge(rows, part.counts)
        if isinstance(self.quantiles, RowQuantiles) and isinstance(part.quantiles, RowQuantiles):
            self.quantiles.merge(rows, part.quantiles)
        if isinstance(self.quantiles, KeyQuantiles) and isinstance(part.quantiles, KeyQuantiles):
            self.quantiles.merge(rows, part.quantiles)

    def to_arrays(self, words: int) -> dict[str, npt.NDArray[Any]]:
        """What was found, as arrays of fixed shapes, without quantiles between groups, which take several passes.

        Parameters
        ----------
        words : int
            Of exact sums: see `ExactSums.to_arrays`.

        Returns
        -------
        dict
            As `GroupSums.to_arrays` and `GroupCounts.to_arrays`; and `quantiles` (R, G, Q), if sets are single sources.
        """
        found = self.sums.to_arrays(words)
        if self.counts is not None:
            found |= self.counts.to_arrays()
        if isinstance(self.quantiles, RowQuantiles):
            found["quantiles"] = self.quantiles.result()
        return found

    def add_arrays(self, arrays: dict[str, npt.NDArray[Any]]) -> None:
        """Add what `to_arrays` has returned, with as many sets."""
        self.sums.add_arrays(arrays)
        if self.counts is not None:
            self.counts.add_arrays(arrays, is_float=arrays["smallest"].dtype.kind == "f")
        if isinstance(self.quantiles, RowQuantiles):
            self.quantiles.values = arrays["quantiles"]

    def end_pass(self) -> bool:
        """After the blocks of all rows: whether all of them are needed once more, for the quantiles."""
        self._is_first = False
        return self.quantiles is not None and self.quantiles.end_pass(self.sums.pairs)

    def __getstate__(self) -> dict[str, Any]:
        """Only what was found: parts of the work are sent to other processes."""
        return {name: getattr(self, name) for name in ("sums", "counts", "quantiles")}
