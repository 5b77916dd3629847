"""Exact quantiles of the distances from sets of sources to groups of vertices, without storing the distances.

The quantile of a share q is the smallest distance that at least this share of the pairs do not exceed
(numpy.quantile with method='inverted_cdf'). Of a single source it comes from its row. Of a set it comes from counts of
keys, integers in the order of the distances: the first pass over all rows counts them in bins, and while the bin of a
quantile holds more than one key, another pass counts inside that bin.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from apsp import _cpu
from apsp.errors import MemoryLimitError
from apsp.measures.group_sums import Extremes
from apsp.measures.groups import Groups
from apsp.semiring import unreachable
from apsp.system.machine import Machine, usable

__all__ = ["KeyQuantiles", "RowQuantiles"]

_MOST_COUNTS = 1 << 25
"""Counts in memory, 256 MiB."""

_MOST_BINS = 1 << 16
_FEWEST_BINS = 1 << 4


class RowQuantiles:
    """Quantiles of each source.

    Attributes
    ----------
    values : (R, G, Q) array
        Of the dtype of the distances; `unreachable(dtype)` where there is no pair.
    """

    def __init__(self, rows: int, groups: Groups, shares: npt.NDArray[np.float64]) -> None:
        self.groups, self.shares = groups, shares
        self._shape = rows, len(groups), len(shares)
        self.values: npt.NDArray[Any] | None = None

    def add(
        self,
        sources: npt.NDArray[np.int32],
        cells: npt.NDArray[np.int32],
        dist: npt.NDArray[Any],
        extremes: Extremes | None,  # noqa: ARG002  of the other class
        threads: int,
    ) -> None:
        """Add the rows of a block."""
        if self.values is None:
            self.values = np.full(self._shape, unreachable(dist.dtype), dtype=dist.dtype)
        found = np.empty((len(sources), *self._shape[1:]), dtype=dist.dtype)
        _cpu.quantiles_of_groups(
            dist, **self.groups.arguments(sources), shares=self.shares, quantiles=found, threads=threads
        )
        self.values[cells] = found

    def end_pass(self, pairs: npt.NDArray[np.int64]) -> bool:  # noqa: ARG002  of the other class
        """Whether another pass over all rows is needed: never."""
        return False

    def result(self) -> npt.NDArray[Any]:
        """The quantiles, int64 or float64."""
        values = np.empty(self._shape, dtype=np.int64) if self.values is None else self.values
        return widened(values)


class KeyQuantiles:
    """Quantiles of sets of sources."""

    def __init__(self, rows: int, groups: Groups, shares: npt.NDArray[np.float64]) -> None:
        self.groups, self.shares = groups, shares
        self._cells = rows * len(groups)
        self._dtype: np.dtype[Any] | None = None
        self._bins = _bins_for(self._cells)
        self._shift = 0
        self._lows = np.zeros((rows, len(groups), 1), dtype=np.int64)
        self._counts = np.zeros((rows, len(groups), 1, self._bins), dtype=np.int64)
        self._is_first = True
        self._ranks: npt.NDArray[np.int64] | None = None
        self._keys: npt.NDArray[np.int64] | None = None

    def add(
        self,
        sources: npt.NDArray[np.int32],
        cells: npt.NDArray[np.int32],
        dist: npt.NDArray[Any],
        extremes: Extremes | None,
        threads: int,
    ) -> None:
        """Add the rows of a block; in the first pass with its extremes."""
        self._dtype = dist.dtype
        if self._is_first:
            if extremes is None:
                return
            self._widen(int(keys_of(extremes[0]).min()), int(keys_of(extremes[1]).max()))
        _cpu.count_groups_in_windows(
            dist, **self.groups.arguments(sources), cells=cells, lows=self._lows, windows=self._lows.shape[2],
            shift=self._shift, bins=self._bins, counts=self._counts, threads=threads,
        )  # fmt: skip

    def _widen(self, least: int, largest: int) -> None:
        """Widen the bins of the first pass, which are the same for all, until both keys and all before have one."""
        low, shift, bins = int(self._lows.flat[0]), self._shift, self._bins
        before = low + (np.arange(bins) << shift)
        used = np.flatnonzero(self._counts.any(axis=(0, 1, 2)))
        if len(used):
            least, largest = min(least, int(before[used[0]])), max(largest, int(before[used[-1]]))
        if least < 0:
            low = -(bins // 2 << shift)
        while least < low or largest >= low + (bins << shift):
            shift += 1
            low = -(bins // 2 << shift) if low < 0 else 0
        if (low, shift) == (int(self._lows.flat[0]), self._shift):
            return
        places = (before[used] - low) >> shift
        wider = np.zeros_like(self._counts)
        if len(used):
            first = np.flatnonzero(np.concatenate([[True], places[1:] != places[:-1]]))
            wider[..., places[first]] = np.add.reduceat(self._counts[..., used], first, axis=3)
        self._counts, self._shift = wider, shift
        self._lows[...] = low

    def end_pass(self, pairs: npt.NDArray[np.int64]) -> bool:
        """Find the bins of the quantiles among (R, G) pairs; return whether another pass over all rows is needed."""
        if self._ranks is None:
            ranks = np.ceil(self.shares * pairs[..., None].astype(np.float64)).astype(np.int64) - 1
            self._ranks = np.clip(ranks, 0, np.maximum(pairs - 1, 0)[..., None])
        ranks, windows = self._ranks, self._lows.shape[2]
        found = np.empty(ranks.shape, dtype=np.int64)
        for q in range(ranks.shape[2]):
            window = q if windows > 1 else 0
            upto = np.cumsum(self._counts[:, :, window], axis=2)
            bins = np.minimum((upto <= ranks[:, :, q, None]).sum(axis=2), self._bins - 1)
            below = np.take_along_axis(upto, np.maximum(bins - 1, 0)[..., None], axis=2)[..., 0]
            ranks[:, :, q] -= np.where(bins > 0, below, 0)
            found[:, :, q] = self._lows[:, :, window] + (bins << self._shift)
        self._keys = found
        if self._shift == 0:
            return False
        bins = min(_bins_for(self._cells * max(ranks.shape[2], 1)), 1 << self._shift)
        self._shift -= bins.bit_length() - 1
        self._bins, self._lows, self._is_first = bins, np.ascontiguousarray(found), False
        self._counts = np.zeros((*found.shape, bins), dtype=np.int64)
        return True

    def result(self) -> npt.NDArray[Any]:
        """The quantiles, int64 or float64, (R, G, Q); meaningless where there are no pairs."""
        if self._keys is None or self._dtype is None:
            return np.zeros((*self._lows.shape[:2], len(self.shares)), dtype=np.int64)
        return widened(values_of_keys(self._keys, self._dtype))


def _bins_for(cells: int) -> int:
    """A power of two."""
    room = min(_MOST_COUNTS, usable(Machine.detect()) // 64) // max(cells, 1)
    if room < _FEWEST_BINS:
        needed = cells * _FEWEST_BINS * 8
        machine = Machine.detect()
        if needed > usable(machine):
            what = f"quantiles of the distances between {cells:,} pairs of sets"
            raise MemoryLimitError(what, needed, machine.memory_available, ["fewer groups", "no quantiles"])
        room = _FEWEST_BINS
    return min(1 << (room.bit_length() - 1), _MOST_BINS)


def keys_of(values: npt.NDArray[Any]) -> npt.NDArray[np.int64]:
    """Integers in the order of distances, as cpp/measures/groups.cpp has them."""
    if values.dtype.kind != "f":
        return values.astype(np.int64)
    kind: Any = np.int32 if values.itemsize == 4 else np.int64
    bits = np.ascontiguousarray(values).view(kind)
    keys: npt.NDArray[np.int64] = np.where(bits >= 0, bits, np.iinfo(kind).min - bits).astype(np.int64)
    return keys


def values_of_keys(keys: npt.NDArray[np.int64], dtype: np.dtype[Any]) -> npt.NDArray[Any]:
    """The distances of some keys."""
    if dtype.kind != "f":
        return keys
    kind: Any = np.int32 if dtype.itemsize == 4 else np.int64
    bits = keys.astype(kind)
    return np.ascontiguousarray(np.where(bits >= 0, bits, np.iinfo(kind).min - bits)).view(dtype)


def widened(values: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Distances as int64 or float64, "no path" included."""
    if values.dtype.kind == "f":
        return values.astype(np.float64)
    none = values == unreachable(values.dtype)
    wide = values.astype(np.int64)
    wide[none] = unreachable(np.dtype(np.int64))
    return wide
