"""Numbers of sets of vertices as the arrays of a store: a row per source, or of all sets one per block of sources."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from apsp._types import JsonObject
from apsp.graph.model import Graph
from apsp.reductions.exact_sums import words_between
from apsp.reductions.histogram import Bins
from apsp.reductions.row_sums import total_dtype
from apsp.reductions.set_distances import SetDistances, SetNumbers
from apsp.store.header import Arrays, StoreHeader
from apsp.store.reading import StoredArrays
from apsp.system.array_device import to_host
from apsp.system.machine import refuse_unless_fits

__all__ = ["SetArrays", "bins_identity", "bins_of"]

_COPIES = 3
"""Of the numbers of a block: while one is found, those before it are compressed and written."""

_Found = dict[str, npt.NDArray[Any]]


@dataclass(frozen=True)
class SetArrays:
    """The arrays of some numbers.

    Attributes
    ----------
    prefix : str
        Of the names of the arrays.
    """

    numbers: SetNumbers
    prefix: str = ""

    @classmethod
    def of_store(cls, header: StoreHeader, numbers: SetNumbers, prefix: str = "") -> SetArrays:
        """Those that a store has, which may be more than this call needs; with the groups of this call."""
        given = header.measure
        shares = np.array(given.get("quantiles", []), dtype=float)
        return cls(SetNumbers(numbers.groups, numbers.each, shares, *bins_of(given)), prefix)

    def identity(self) -> JsonObject:
        """Return what distinguishes two requests, in the words of `apsp.distance_statistics`."""
        numbers = self.numbers
        found: JsonObject = {
            "groups": hashlib.sha256(np.ascontiguousarray(numbers.groups.of).tobytes()).hexdigest(),
            "per": "source" if numbers.each else "group",
        }
        if len(numbers.shares):
            found["quantiles"] = numbers.shares.tolist()
        return found | bins_identity(numbers.bins, self._bins)

    @property
    def _bins(self) -> Bins:
        return Bins(self.numbers.bins, self.numbers.edges)

    def layout(self, graph: Graph, dtype: np.dtype[Any]) -> Arrays:
        """Return `StoreHeader.extra` for distances of a dtype.

        Raises MemoryLimitError if a block does not fit.
        """
        groups, each = len(self.numbers.groups), self.numbers.each
        wide, bins, is_float = total_dtype(dtype).name, self._bins, dtype.kind == "f"
        per, pairs = ("row", groups) if each else ("band", groups * groups)
        found = {"pairs": ("int64", per, pairs), "smallest": (wide, per, pairs)}
        if each:
            found["total"] = (wide, per, pairs)
        else:
            found["words"] = ("int64", per, pairs * (_words(graph) if is_float else 2))
            if is_float:
                found |= {"exponent": ("int64", per, 1), "beyond": ("float64", per, pairs)}
        if len(bins.counts):
            found["counts"] = ("int64", per, pairs * len(bins.counts))
            if bins.edges is None:
                found["bin_exponent"] = ("int64", "band", 1)
        if len(self.numbers.shares):
            found["quantiles"] = (wide, per, pairs * len(self.numbers.shares))
        found["largest"] = (wide, per, pairs)
        self._check_memory(found)
        return {self.prefix + name: array for name, array in found.items()}

    def _check_memory(self, arrays: Arrays) -> None:
        """Raise MemoryLimitError if what all groups have of a block does not fit: found, written and read."""
        needed = _COPIES * sum(np.dtype(kind).itemsize * width for kind, per, width in arrays.values() if per == "band")
        what = f"the numbers of a block of sources between {len(self.numbers.groups):,} groups"
        refuse_unless_fits(needed, what, "fewer groups, or bins")

    def rows(self, sets: SetDistances, header: StoreHeader) -> _Found:
        """What the reducer of a band has found, as it is written."""
        words = header.extra.get(self.prefix + "words", ("", "", 0))[2]
        arrays = sets.to_arrays(words // max(len(self.numbers.groups) ** 2, 1))
        found: _Found = {}
        for name in self._names(header):
            kind, per, width = header.extra[self.prefix + name]
            found[self.prefix + name] = np.ascontiguousarray(
                arrays[name].reshape(1 if per == "band" else len(arrays[name]), width), kind
            )
        return found

    def add_to(self, sets: SetDistances, stored: StoredArrays) -> None:
        """Add all bands of a store.

        Raises FileFormatError if a shard is damaged; the message names it.
        """
        names, bands = self._names(stored.header), stored.header.bands
        readers = [stored.bands(self.prefix + name) for name in names]
        for band in range(bands.count):
            rows, height = bands.slice(band), self._height(bands.count_of(band))
            part = SetDistances(self.numbers, np.zeros(0, dtype=np.int32), height, threads=1)
            part.add_arrays(
                {name: self._shaped(name, next(reader), height) for name, reader in zip(names, readers, strict=True)}
            )
            sets.merge(np.arange(rows.start, rows.stop) if self.numbers.each else np.arange(height), part)

    def _height(self, sources: int) -> int:
        """The number of sets of so many sources."""
        return sources if self.numbers.each else len(self.numbers.groups)

    def _names(self, header: StoreHeader) -> list[str]:
        """The arrays of these numbers, of those that a store has."""
        names = ["pairs", "smallest", "largest", "total", "words", "exponent", "beyond"]
        names += ["counts", "bin_exponent"] if len(self._bins.counts) else []
        names += ["quantiles"] if len(self.numbers.shares) else []
        return [name for name in names if self.prefix + name in header.extra]

    def _shaped(self, name: str, array: npt.NDArray[Any], height: int) -> npt.NDArray[Any]:
        groups = len(self.numbers.groups)
        if name in ("exponent", "bin_exponent"):
            return array.ravel()
        if name == "words":
            return array.reshape(-1, height, groups)
        return array.reshape((height, groups, -1) if name in ("counts", "quantiles") else (height, groups))


def _words(graph: Graph) -> int:
    """Words of an exact sum of float distances: of multiples of the last bit of the smallest weight, each at most the
    sum of n^2 times the largest.
    """
    sizes = np.ones(1) if graph.weights is None else np.abs(to_host(graph.weights)).astype(np.float64)
    sizes = sizes[np.isfinite(sizes) & (sizes > 0)]
    if not len(sizes):
        return 1
    return words_between(float(sizes.min()), 2.0 * graph.n * graph.n * float(sizes.max()))


def bins_identity(most: int, bins: Bins) -> JsonObject:
    """Return what distinguishes two histograms, of the largest number of bins; nothing without a histogram."""
    if not len(bins.counts):
        return {}
    return {"bins": most} if bins.edges is None else {"edges": [edge.hex() for edge in bins.edges.tolist()]}


def bins_of(identity: JsonObject) -> tuple[int, list[float] | None]:
    """Return the largest number of bins and the edges of a histogram; 0 and None without one."""
    edges = identity.get("edges")
    return identity.get("bins", 0), None if edges is None else [float.fromhex(edge) for edge in edges]
