"""The input of reducers, and its checks."""

from __future__ import annotations

from typing import Any, Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

from apsp._types import NumPyArray
from apsp.errors import RequestError
from apsp.graph.labels import Labels, RangeLabels
from apsp.reductions.component_block import columns_of
from apsp.semiring import ALL_DTYPES
from apsp.system.array_device import is_on_gpu, to_host

__all__ = ["Feed", "Places", "RowBlock"]

Places: TypeAlias = slice | npt.NDArray[np.int32]
"""Positions of sources: a slice if they follow one another."""

_DTYPES = frozenset(np.dtype(name) for name in ALL_DTYPES)


class RowBlock(Protocol):
    """Some rows of the distances, by positions: distances[i, j] is from source_positions[i] to j.

    "No path" is as in `apsp.unreachable`. A `ComponentBlock` has columns of some vertices only.
    """

    @property
    def source_positions(self) -> npt.NDArray[np.int32]:
        """(S,) int32."""
        ...

    @property
    def distances(self) -> npt.NDArray[Any]:
        """(S, n) uint16, int32, int64, float32 or float64."""
        ...


class Feed:
    """Checks blocks, and records which sources were added.

    Attributes
    ----------
    n : int
    labels : Labels
    seen : (n,) bool
    count : int
        Sources that were added.
    dtype : numpy dtype or None
        Of the blocks; None before the first.
    """

    def __init__(self, n: int, labels: Labels | None = None) -> None:
        self.n = n
        self.labels = RangeLabels(0, n) if labels is None else labels
        self.seen = np.zeros(n, dtype=bool)
        self.count = 0
        self.dtype: np.dtype[Any] | None = None

    @property
    def source_positions(self) -> npt.NDArray[np.int32]:
        """The vertices whose rows were added, ascending."""
        return np.flatnonzero(self.seen).astype(np.int32)

    @property
    def is_complete(self) -> bool:
        """Whether the rows of all vertices were added, and there are any."""
        return self.count == self.n > 0

    def of_sources(self, values: NumPyArray) -> NumPyArray:
        """Return those of (n,) values that belong to the sources, in a new array."""
        return values.copy() if self.count == self.n else values[self.source_positions]

    def take(self, block: RowBlock, *, on_gpu: bool = False) -> tuple[npt.NDArray[np.int32], Places, Any]:
        """Return the sources of a block, their places, and its distances, for the kernels; RequestError if invalid.

        Distances on a GPU are left there only if the caller can process them there.
        """
        sources = np.ascontiguousarray(block.source_positions, dtype=np.int32)
        given, columns = block.distances, columns_of(block)
        dist: Any = given if on_gpu and is_on_gpu(given) else to_host(given)
        width = self.n if columns is None else len(columns)
        if dist.shape != (len(sources), width):
            raise RequestError(
                f"a block of {len(sources)} sources must have shape ({len(sources)}, {width}), not {dist.shape}: "
                "the rows must be whole, without targets"
            )
        if dist.dtype not in _DTYPES:
            raise RequestError(f"distances are {', '.join(ALL_DTYPES)}, not {dist.dtype}: convert them with astype")
        places = self.mark(sources, dist.dtype)
        return sources, places, dist if width < 2 or dist.strides[1] == dist.itemsize else dist.copy(order="C")

    def mark(self, sources: npt.NDArray[np.int32], dtype: np.dtype[Any]) -> Places:
        """Record these sources, and return their places in arrays over the vertices.

        Raises
        ------
        RequestError
            If a source is not a vertex or was added before, or if dtypes differ.
        """
        if self.dtype is not None and self.dtype != dtype:
            raise RequestError(f"blocks of {self.dtype} and of {dtype} cannot be mixed")
        if not len(sources):
            places: Places = slice(0)
        elif (sources[1:] > sources[:-1]).all() and sources[0] >= 0 and sources[-1] < self.n:
            first, last = int(sources[0]), int(sources[-1])
            places = slice(first, last + 1) if last - first == len(sources) - 1 else sources
        else:  # in another order, or wrong
            places = self._any_order(sources)
        if self.seen[places].any():
            self._fail_for_twice(sources[self.seen[sources]][0])
        self.seen[places] = True
        self.count += len(sources)
        self.dtype = dtype
        return places

    def _any_order(self, sources: npt.NDArray[np.int32]) -> npt.NDArray[np.int32]:
        wrong = sources[(sources < 0) | (sources >= self.n)]
        if len(wrong):
            raise RequestError(f"source {wrong[0]} is not a vertex: the graph has vertices 0 to {self.n - 1}")
        if len(np.unique(sources)) != len(sources):
            values, counts = np.unique(sources, return_counts=True)
            self._fail_for_twice(values[counts > 1][0])
        return sources

    def _fail_for_twice(self, source: int) -> None:
        raise RequestError(f"source {self.labels.word(source)} was added twice")

    def require_all(self, what: str) -> None:
        """Raise RequestError unless the rows of all vertices were added."""
        if self.count < self.n:
            raise RequestError(f"{what} needs the rows of all {self.n} vertices; {self.count} were added")
