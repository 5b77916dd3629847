"""The numbers behind `Summary`, updated with every block of rows."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from apsp import _cpu
from apsp.errors import RequestError
from apsp.graph.labels import Labels
from apsp.reductions.blocks import Feed, Places, RowBlock
from apsp.reductions.columns import ColumnSums
from apsp.reductions.component_block import columns_of
from apsp.reductions.histogram import Bins
from apsp.reductions.overflow import overflow_errors
from apsp.reductions.row_sums import RowSums, total_dtype
from apsp.semiring import NO_VERTEX
from apsp.system.array_device import is_on_gpu
from apsp.system.limits import allowed_cores
from apsp.system.thread_limit import threads_by_default

__all__ = ["Totals"]

_BRIEF = 1 << 17
"""Number of distances that one thread reduces in the time that a second one takes to start."""


class Totals:
    """Sums and extremes of the rows that were added, O(n) numbers.

    Attributes
    ----------
    feed : Feed
        Which rows were added.
    reached : (n,) int64
        How many other vertices each vertex reaches.
    total : (n,) int64 or float64
        Sum of the distances from each vertex.
    reciprocals : (n,) float64 or None
        Sum of 1 / distance, if it is kept.
    largest : (n,) int64 or float64
        The largest distance from each vertex.
    farthest : (n,) int32
        The first vertex at that distance.
    columns : ColumnSums or None
        The same sums of the columns, if they are kept.
    bins : Bins
        The histogram, if one is kept.
    """

    def __init__(
        self,
        n: int,
        labels: Labels | None,
        *,
        columns: bool,
        bins: int,
        edges: npt.ArrayLike | None,
        reciprocals: bool,
        threads: int | None,
    ) -> None:
        self.n = n
        self.threads = threads
        self.feed = Feed(n, labels)
        self.reached = np.zeros(n, dtype=np.int64)
        self.reciprocals = np.zeros(n) if reciprocals else None
        self.farthest = np.full(n, NO_VERTEX, dtype=np.int32)
        # Integers, unless the first block is of floats.
        self.total: npt.NDArray[Any] = np.zeros(n, dtype=np.int64)
        self.largest: npt.NDArray[Any] = np.zeros(n, dtype=np.int64)
        self.columns = ColumnSums(n) if columns else None
        self.bins = Bins(bins, edges)

    def add(self, block: RowBlock) -> None:
        """Add the rows of a block, where they lie; RequestError as `Summary.add`."""
        sources, places, dist = self.feed.take(block, on_gpu=True)
        self._sum_in(total_dtype(dist.dtype))
        columns = columns_of(block)
        if is_on_gpu(dist):
            self._add_on_gpu(sources, places, dist, columns)
            return
        threads = self.threads or (1 if dist.size <= _BRIEF else threads_by_default(allowed_cores()))
        found = RowSums.empty(sources, dist.dtype)
        reciprocals = None if self.reciprocals is None else found.reciprocals
        counts, exponent = self.bins.start(dist.dtype)
        with overflow_errors():
            self.bins.exponent = _cpu.reduce_rows(
                dist, found.reached, found.total, reciprocals, found.largest, found.farthest, counts, exponent, threads
            )
            if self.columns is not None:
                self.columns.add(dist, threads, columns)
        self.bins.count(dist, threads)
        self._keep(found, places, columns)

    def add_sums(self, sums: RowSums) -> None:
        """Add sums over rows, without the rows; columns and histogram get nothing."""
        places = self.feed.mark(sums.sources, sums.largest.dtype)
        self._sum_in(sums.total.dtype)
        self._keep(sums, places)

    def merge(self, other: Totals) -> None:
        """Add the sums over other rows, columns and histogram included; RequestError if a row was added before."""
        if other.feed.dtype is None:
            return
        if self._per_row != other._per_row or (self.columns is None) != (other.columns is None):
            raise RequestError("summaries can be merged if they keep the same numbers")
        self.bins.require_same(other.bins)
        sources = other.feed.source_positions
        self.feed.mark(sources, other.feed.dtype)
        self._sum_in(other.total.dtype)
        for name in self._per_row:
            getattr(self, name)[sources] = getattr(other, name)[sources]
        with overflow_errors():
            if self.columns is not None and other.columns is not None:
                self.columns.merge(other.columns)
        self.bins.merge(other.bins)

    def row_sums(self) -> RowSums:
        """The sums over the rows that were added; without reciprocals if they are not kept."""
        sources = self.feed.source_positions
        dtype = np.int64 if self.feed.dtype is None else self.feed.dtype
        reciprocals = np.zeros(len(sources)) if self.reciprocals is None else self.reciprocals[sources]
        return RowSums(
            sources, self.reached[sources] + 1, self.total[sources], reciprocals,
            self.largest[sources].astype(dtype), self.farthest[sources],
        )  # fmt: skip

    def __getstate__(self) -> dict[str, Any]:
        """Only the numbers of the rows that were added: parts of the work are sent to other processes."""
        if self.columns is not None:
            self.columns.to_host()
        sources = self.feed.source_positions
        rows = {name: getattr(self, name)[sources] for name in self._per_row}
        return self.__dict__ | rows | {"feed": (self.feed.labels, self.feed.dtype, sources)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        labels, dtype, sources = state.pop("feed")
        self.__dict__.update(state)
        self.feed = Feed(self.n, labels)
        if dtype is not None:
            self.feed.mark(sources, dtype)
        for name in self._per_row:
            numbers = getattr(self, name)
            whole = np.full(self.n, NO_VERTEX if name == "farthest" else 0, dtype=numbers.dtype)
            whole[sources] = numbers
            setattr(self, name, whole)

    @property
    def _per_row(self) -> list[str]:
        names = ["reached", "total", "largest", "farthest"]
        return names if self.reciprocals is None else [*names, "reciprocals"]

    def _sum_in(self, dtype: npt.DTypeLike) -> None:
        """Before the first sums: of integers, or of floats."""
        if self.total.dtype != dtype:
            self.total, self.largest = np.zeros(self.n, dtype=dtype), np.zeros(self.n, dtype=dtype)

    def _keep(self, sums: RowSums, places: Places, columns: npt.NDArray[np.int32] | None = None) -> None:
        self.reached[places], self.total[places] = sums.reached - 1, sums.total
        if self.reciprocals is not None:
            self.reciprocals[places] = sums.reciprocals
        self.largest[places] = sums.largest
        self.farthest[places] = sums.farthest if columns is None else columns[sums.farthest]

    def _add_on_gpu(
        self, sources: npt.NDArray[np.int32], places: Places, dist: Any, columns: npt.NDArray[np.int32] | None
    ) -> None:
        """Add a block that lies on a GPU; only the numbers of its rows are copied to the host."""
        from apsp.reductions.kernels.reduce import reduce_rows

        if not dist.size:
            return
        self.bins.start(dist.dtype)
        with overflow_errors():
            numbers = reduce_rows(dist)
            if self.columns is not None:
                self.columns.add(dist, 1, columns)
        self.bins.count_on_gpu(dist, numbers.least.min().item(), numbers.largest.max().item())
        self._keep(
            RowSums(sources, numbers.reached, numbers.total, numbers.reciprocals, numbers.largest, numbers.farthest),
            places,
            columns,
        )
