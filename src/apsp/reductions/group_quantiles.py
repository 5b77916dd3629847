"""Exact quantiles of the distances from sets of sources to groups of vertices, without storing the distances.

The quantile of a share q is the smallest distance that at least this share of the pairs do not exceed
(numpy.quantile with method='inverted_cdf'). Of a single source it comes from its row. Of a set it comes from counts of
keys, integers in the order of the distances: the first pass over all rows counts them in bins, and while the bin of a
quantile holds more than one key, another pass counts inside that bin.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from apsp import _cpu
from apsp.errors import MemoryLimitError
from apsp.reductions.group_sums import Extremes
from apsp.reductions.groups import GroupedRows
from apsp.reductions.packed_counts import PackedCounts, used_bins
from apsp.semiring import unreachable
from apsp.system.machine import Machine, usable

__all__ = ["KeyQuantiles", "RowQuantiles", "Windows"]

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

    def __init__(self, rows: int, groups: int, shares: npt.NDArray[np.float64]) -> None:
        self.shares = shares
        self._shape = rows, groups, len(shares)
        self.values: npt.NDArray[Any] | None = None

    def _start(self, dtype: np.dtype[Any]) -> None:
        if self.values is None:
            self.values = np.full(self._shape, unreachable(dtype), dtype=dtype)

    def add(self, block: GroupedRows, extremes: Extremes | None) -> None:  # noqa: ARG002  of the other class
        """Add the rows of a block."""
        self._start(block.dist.dtype)
        assert self.values is not None
        found = np.empty((len(block), *self._shape[1:]), dtype=block.dist.dtype)
        _cpu.quantiles_of_groups(
            block.dist, **block.arguments, shares=self.shares, quantiles=found, threads=block.threads
        )
        self.values[block.cells] = found

    def merge(self, rows: npt.NDArray[np.int64], other: RowQuantiles) -> None:
        """Take row k of others as row rows[k]."""
        if other.values is not None:
            self._start(other.values.dtype)
            assert self.values is not None
            self.values[rows] = other.values

    def end_pass(self, pairs: npt.NDArray[np.int64]) -> bool:  # noqa: ARG002  of the other class
        """Whether another pass over all rows is needed: never."""
        return False

    def result(self) -> npt.NDArray[Any]:
        """The quantiles, int64 or float64."""
        values = np.empty(self._shape, dtype=np.int64) if self.values is None else self.values
        return widened(values)


@dataclass(frozen=True)
class Windows:
    """The windows in which keys are counted.

    Attributes
    ----------
    bins : int
        Per window.
    lows : (R, G, W) int64, or None
        The first key of each window; None means the first pass, whose single window widens with the distances.
    shift : int
        Bins of 2^shift keys.
    """

    bins: int
    lows: npt.NDArray[np.int64] | None = None
    shift: int = 0

    def of(self, rows: npt.NDArray[np.int64]) -> Windows:
        """Those of some rows."""
        return self if self.lows is None else Windows(self.bins, np.ascontiguousarray(self.lows[rows]), self.shift)


class KeyQuantiles:
    """Quantiles of sets of sources.

    Parameters
    ----------
    rows, groups : int
        R and G.
    shares : (Q,) float64
    windows : Windows, optional
        Those of a part of the sets whose counts will be merged with others; by default those of a first pass, of as
        many bins as there is room for.
    """

    def __init__(self, rows: int, groups: int, shares: npt.NDArray[np.float64], windows: Windows | None = None) -> None:
        self.shares = shares
        self._cells = rows * groups
        self._dtype: np.dtype[Any] | None = None
        windows = windows or Windows(_bins_for(self._cells))
        self._is_first = windows.lows is None
        self._bins, self._shift = windows.bins, windows.shift
        self._lows = np.zeros((rows, groups, 1), dtype=np.int64) if windows.lows is None else windows.lows
        self._counts: npt.NDArray[np.int64] = np.zeros((*self._lows.shape, self._bins), dtype=np.int64)
        self._packed: PackedCounts | None = None  # from another process: instead of the counts
        self._ranks: npt.NDArray[np.int64] | None = None
        self._keys: npt.NDArray[np.int64] | None = None

    @property
    def windows(self) -> Windows:
        """Those of the pass that begins."""
        return Windows(self._bins) if self._is_first else Windows(self._bins, self._lows, self._shift)

    def add(self, block: GroupedRows, extremes: Extremes | None) -> None:
        """Add the rows of a block; in the first pass with its extremes."""
        self._dtype = block.dist.dtype
        if self._is_first:
            if extremes is None:
                return
            self._widen(int(keys_of(extremes[0]).min()), int(keys_of(extremes[1]).max()))
        _cpu.count_groups_in_windows(
            block.dist, **block.arguments, cells=block.cells, lows=self._lows, windows=self._lows.shape[2],
            shift=self._shift, bins=self._bins, counts=self._counts, threads=block.threads,
        )  # fmt: skip

    def merge(self, rows: npt.NDArray[np.int64], other: KeyQuantiles) -> None:
        """Add what was counted in row k of others, in the same pass, to row rows[k]."""
        if other._dtype is None:  # no blocks
            return
        self._dtype = other._dtype
        start, counts = used_bins(other._counts if other._packed is None else other._packed)
        stop = start + counts.shape[3]
        if start == stop:
            return
        if self._is_first:
            keys = int(other._lows.flat[0]) + (np.arange(start, stop) << other._shift)  # the first one of each bin
            self._widen(int(keys[0]), int(keys[-1]))
            places, first = _bins_of(keys, int(self._lows.flat[0]), self._shift)
            counts = np.add.reduceat(counts, first, axis=3, dtype=np.int64)
            start, stop = int(places[0]), int(places[-1]) + 1
        for row, added in zip(rows.tolist(), counts, strict=True):
            self._counts[row][..., start:stop] += added

    def __getstate__(self) -> dict[str, Any]:
        """In few bytes: parts of the work are sent to other processes."""
        lows = self._lows[:1, :1] if self._is_first else None  # the caller knows those of later passes
        packed = self._packed or PackedCounts.of(self._counts)
        return self.__dict__ | {"_counts": None, "_packed": packed, "_lows": lows}

    def _widen(self, least: int, largest: int) -> None:
        """Widen the bins of the first pass, which are the same for all, until both keys and all before have one."""
        low, shift, bins = int(self._lows.flat[0]), self._shift, self._bins
        if low <= least and largest < low + (bins << shift):
            return
        before = low + (np.arange(bins) << shift)
        used = np.flatnonzero(self._counts.any(axis=(0, 1, 2)))
        if len(used):
            least, largest = min(least, int(before[used[0]])), max(largest, int(before[used[-1]]))
        if least < 0:
            low = -(bins // 2 << shift)
        while least < low or largest >= low + (bins << shift):
            shift += 1
            low = -(bins // 2 << shift) if low < 0 else 0
        wider = np.zeros_like(self._counts)
        if len(used):
            places, first = _bins_of(before[used], low, shift)
            wider[..., places] = np.add.reduceat(self._counts[..., used], first, axis=3)
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


def _bins_of(keys: npt.NDArray[np.int64], low: int, shift: int) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """The bins from `low` on that hold ascending keys, and the first key of each."""
    places = ((keys - low).view(np.uint64) >> np.uint64(shift)).astype(np.int64)  # a difference may need 64 bits
    first = np.flatnonzero(np.concatenate([[True], places[1:] != places[:-1]]))
    return places[first], first


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
    """Integers in the order of distances, as cpp/reductions/groups.cpp has them."""
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
