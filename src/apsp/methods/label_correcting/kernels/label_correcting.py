"""Launches label correcting: the type of labels, the size of blocks, and a second run if 16 bits are not enough.

Input: a graph, uploaded once. Output: rows of distances (S, T) on the device, public values. Cost: every arc is relaxed
about twice per source; device memory for 8 arcs per vertex and all further ones, and for labels that do not fit into
shared memory. The idea: labels of 16 bits are tried if they let more searches run on a multiprocessor; a search that
finds a longer path reports it and is repeated with wider labels.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from apsp.errors import MethodRefusedError
from apsp.gpu import jit
from apsp.gpu.page import Page, stride
from apsp.methods.label_correcting.kernels.labels import (
    KINDS,
    RECORD,
    LabelCode,
    code_of,
    expression,
    longest_arc,
    pack_expression,
    scratch_bytes,
)
from apsp.methods.rows.kernels.arcs import SparseArcs

__all__ = ["FEW_NEIGHBOURS", "LabelCorrecting", "bucket_width", "pack_arcs"]

FEW_NEIGHBOURS = 8
"""Largest degree of streets and grids, where searches have a narrow front and many rounds."""

_TOO_LONG, _ENDLESS = 1, 2  # as in label_correcting.cu
_NO_LIMIT = 2**31 - 1


class _Launch(NamedTuple):
    threads: int
    capacity: int
    in_shared: bool
    bytes_of_search: int

    @property
    def shared_bytes(self) -> int:
        return 8 * self.capacity + (self.bytes_of_search if self.in_shared else 0)


class LabelCorrecting:
    """A graph on the current GPU, prepared for searches.

    Parameters
    ----------
    arcs : SparseArcs
        All arcs, with weights in `dtype`.
    dtype : numpy dtype
        Of the distances.
    bucket : number
        The width of a bucket of distances; see `bucket_width`.
    largest : number
        Largest length of an arc that is used.
    nonnegative : bool
        Whether no arc is negative; required for weights other than integers.
    spreading : bool
        Whether some vertices have many neighbours, so that searches have much parallel work.
    """

    def __init__(
        self,
        arcs: SparseArcs,
        dtype: np.dtype[Any],
        bucket: float,
        largest: float,
        *,
        nonnegative: bool,
        spreading: bool = True,
    ) -> None:
        self.spreading = spreading
        self.arcs, self.dtype, self.bucket, self.nonnegative = arcs, dtype, bucket, nonnegative
        self.n = len(arcs.indptr) - 1
        if self.n + len(arcs.indices) >= _NO_LIMIT:
            reason = "on a GPU it takes fewer than 2^31 vertices and arcs"
            raise MethodRefusedError("label-correcting", reason, ["dijkstra", "floyd-warshall"])
        self.head_bits = max((self.n - 1).bit_length(), 1)
        self._probed = False
        self._packed: dict[str, tuple[Page, Page]] = {}
        self._names = self._kinds(largest)

    def rows(self, sources: Page, dist: Page, targets: Page | None, cutoff: float | None) -> bool:
        """Write the distances from sources (S,) to targets (T,), or to all vertices.

        Parameters
        ----------
        dist : (S, T) of the dtype
        cutoff : number or None
            Only if no arc is negative.

        Returns
        -------
        bool
            False if there is, or may be, a negative cycle; `dist` is then undefined.
        """
        if len(self._names) > 1 and not self._probed and len(sources) > 2 * _PROBE:
            parts = slice(0, _PROBE), slice(_PROBE, len(sources))
            return all(self.rows(sources[part], dist[part], targets, cutoff) for part in parts)
        self._probed = True
        which: Page | None = None
        for name in list(self._names):
            failed = self._search(KINDS[name], self._pack(name), sources, which, dist, targets, cutoff)
            if failed is None:
                return True
            codes = failed.get()
            if (codes == _ENDLESS).any():
                return False
            if 2 * int((codes == _TOO_LONG).sum()) > len(codes):  # 16 bits would not be enough for the next rows either
                self._names.remove(name)
            which = jit.cupy().asarray(np.flatnonzero(codes == _TOO_LONG).astype(np.int32))
        raise AssertionError("labels as wide as the dtype are never too narrow")

    def _kinds(self, largest: float) -> list[str]:
        """Return the types of labels to try, in this order."""
        if self.dtype.kind == "f" or self.dtype.itemsize == 8:
            return [self.dtype.name]
        if not self.nonnegative or largest >= 1 << (32 - self.head_bits):
            return ["int32"]
        few = (
            self.spreading and 2 * scratch_bytes(self.n, KINDS["packed"].size) + 2 * _LISTS_LEAST <= jit.shared_memory()
        )
        if few or scratch_bytes(self.n, KINDS["narrow"].size) + _LISTS_LEAST > jit.shared_memory():
            return ["packed"]
        return ["narrow", "packed"]

    def _pack(self, name: str) -> tuple[Page, Page]:
        labels = KINDS[name]
        if labels.arc not in self._packed:
            self._packed[labels.arc] = pack_arcs(self.arcs, labels, longest_arc(self.dtype), self.head_bits)
        return self._packed[labels.arc]

    def _search(
        self, labels: LabelCode, packed: tuple[Page, Page], sources: Page, which: Page | None, dist: Page,
        targets: Page | None, cutoff: float | None,
    ) -> Page | None:  # fmt: skip
        """Launch once; return the rows that failed, None if none did."""
        cupy = jit.cupy()
        rows = len(sources if which is None else which)
        launch = _launch(self.n, labels.size, self.spreading)
        name = expression(labels, self.dtype.name, in_shared=launch.in_shared)
        kernel = jit.kernels("label_correcting.cu", (name,), shared_bytes=jit.shared_memory())[name]
        blocks = min(jit.resident_blocks(kernel, launch.threads, launch.shared_bytes), rows)
        scratch = cupy.empty(0 if launch.in_shared else blocks * launch.bytes_of_search, dtype=np.uint8)
        counters, failed = cupy.zeros(2, dtype=np.uint32), cupy.zeros(len(sources), dtype=np.uint8)
        kernel(
            (blocks,), (launch.threads,),
            (self._search_of(labels, packed, launch.capacity, cutoff), sources, _or_null(which), np.int32(rows),
             _or_null(targets), np.int32(dist.shape[1]), dist, stride(dist), scratch,
             np.int64(launch.bytes_of_search), counters, failed, counters[1:]),
            shared_mem=launch.shared_bytes,
        )  # fmt: skip
        return failed if int(counters[1].get()) else None

    def _search_of(self, labels: LabelCode, packed: tuple[Page, Page], capacity: int, cutoff: float | None) -> Any:
        """The struct Search of near_far.cuh."""
        fields = [
            *((name, "u8") for name in ("records", "rest", "closed")),
            *((name, "i4") for name in ("n", "head_bits", "capacity", "most_rounds")),
            ("delta", labels.length), ("least", labels.length), ("reach", labels.order), ("fifo", "?"),
        ]  # fmt: skip
        search = np.zeros((), dtype=np.dtype(fields, align=True))
        search["records"], search["rest"] = (array.data.ptr for array in packed)
        search["closed"] = 0 if self.arcs.zones is None else self.arcs.zones.data.ptr
        search["n"], search["head_bits"], search["capacity"] = self.n, self.head_bits, capacity
        search["most_rounds"] = _NO_LIMIT if self.nonnegative else 4 * self.n + 64
        whole = labels.length.startswith("int")
        widest = labels.none if whole else float(np.finfo(labels.length).max)
        search["delta"] = min(max(round(self.bucket), 1) if whole else self.bucket, widest)
        search["least"] = 0 if self.nonnegative else -labels.none
        search["reach"] = labels.none if cutoff is None else min(code_of(cutoff, labels), labels.none)
        search["fifo"] = not self.nonnegative
        return search


_WIDER = 3.0
"""Bucket width for such graphs, the best on a grid."""

_PROBE = 1024
"""Number of rows that test whether 16 bits are enough."""

_LISTS_LEAST = 2048
"""Bytes of the shortest lists."""


def _launch(n: int, size: int, spreading: bool) -> _Launch:
    """Return the launch shape: large blocks if few searches fit on a multiprocessor, and lists sized for a typical
    round.
    """
    room, needed = jit.shared_memory(), scratch_bytes(n, size)
    threads = 256 if n <= 6000 else 512 if n <= 24_000 else 1024
    capacity = min(max(1 << (max(n // 4, 1) - 1).bit_length(), 256), 8192)
    if not spreading:
        threads, capacity = min(threads // 2, 256), min(capacity, 1024)
    in_shared = needed + _LISTS_LEAST <= room
    while (needed if in_shared else 0) + 8 * capacity > room:
        capacity //= 2
    return _Launch(threads if in_shared or not spreading else 1024, capacity, in_shared, needed)


def pack_arcs(arcs: SparseArcs, labels: LabelCode, limit: float, head_bits: int) -> tuple[Page, Page]:
    """Return the records of arcs shorter than a limit, and further arcs, on the current GPU.

    Raises
    ------
    MethodRefusedError
        If there are too many vertices and arcs.
    """
    n, m, cupy = len(arcs.indptr) - 1, len(arcs.indices), jit.cupy()
    if n + m >= _NO_LIMIT:
        reason = "on a GPU it takes fewer than 2^31 vertices and arcs"
        raise MethodRefusedError("label-correcting", reason, ["dijkstra", "floyd-warshall"])
    dtype = arcs.weights.dtype
    records = cupy.empty(n * RECORD * labels.arc_size, dtype=np.uint8)
    rest = cupy.empty((n + m + 1) * labels.arc_size, dtype=np.uint8)
    kernel = pack_expression(labels, dtype.name)
    jit.kernels("label_correcting.cu", (kernel,))[kernel](
        (-(-n // 128),), (128,),
        (*arcs[:3], np.int32(n), dtype.type(limit), np.int32(head_bits), records, rest),
    )  # fmt: skip
    return records, rest


def _or_null(array: Page | None) -> Any:
    return np.uint64(0) if array is None else array


def bucket_width(weights: npt.NDArray[Any], degrees: npt.NDArray[np.int64]) -> float:
    """Return twice the mean weight over the root of the mean degree of a tail: the best on random and R-MAT graphs.

    More if no vertex has many neighbours.
    """
    arcs = float(degrees.sum())
    if arcs == 0:
        return 1.0
    of_tail = float((degrees.astype(np.float64) ** 2).sum()) / arcs
    wider = 1.0 if int(degrees.max()) > FEW_NEIGHBOURS else _WIDER
    with np.errstate(over="ignore"):  # an infinite sum
        mean = min(float(weights.mean(dtype=np.float64)), float(weights.max()))
    return wider * 2 * (mean / math.sqrt(max(of_tail, 1.0)))
