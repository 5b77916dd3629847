"""Launches the search for pairs within a cutoff: the size of tables, and further launches with larger ones.

Input: a graph, uploaded once. Output: rows of different lengths on the device. Cost: that of the vertices within the
cutoff, each a few times; device memory: 8 arcs per vertex and all further ones, and a table per row of a launch. The
idea: a search notices that its table is too small, and its row is repeated with a larger one.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from apsp.gpu import jit
from apsp.gpu.page import VALUES, Page
from apsp.methods.label_correcting.kernels.label_correcting import pack_arcs
from apsp.methods.label_correcting.kernels.labels import KINDS, LabelCode, code_of
from apsp.methods.problem import IntArray
from apsp.methods.rows.kernels.arcs import SparseArcs
from apsp.reductions.kernels.weigh import CUTOFFS, AmountsOnDevice

__all__ = ["NearColumns", "NearPairs", "NearRequest", "join_expression", "near_expression", "weigh_expression"]

_THREADS = 128
_TABLE_FULL = -1  # as in near_pairs.cu
_LEAST_TABLE, _LARGEST_TABLE = 1024, 1 << 15
_OFTEN = 0.1
"""Share of the rows of a launch for which tables were too small, from which on later launches have larger ones."""

_ROWS_AT_ONCE = 1 << 16
"""Most rows of a launch, which so takes less than a second."""


class NearRequest(NamedTuple):
    """What is kept of each search: see `NearFinder.find`.

    Attributes
    ----------
    k : int or None
    is_target : (n,) bool on the device, or None
    own, hops, by_target : bool
    """

    k: int | None = None
    is_target: Page | None = None
    own: bool = True
    hops: bool = False
    by_target: bool = False


class NearColumns(NamedTuple):
    """Pairs on the device, those of row i from starts[i] to starts[i + 1].

    Attributes
    ----------
    starts : (S + 1,) int64, on the host
    targets : (P,) int32
    distances : (P,) array
    hops : (P,) int32 or None
    """

    starts: npt.NDArray[np.int64]
    targets: Page
    distances: Page
    hops: Page | None


class NearPairs:
    """A graph on the current GPU, prepared for searches within a cutoff.

    Parameters
    ----------
    arcs : SparseArcs
        All arcs, none of them negative, with lengths of the dtype of labels.
    labels : str
        One of KINDS with wide arcs.
    cutoff : number or None
        In the dtype of labels; None is all vertices with a path.
    bucket : number
        Labels that are so much above the least are processed in the same round.
    """

    def __init__(self, arcs: SparseArcs, labels: str, cutoff: float | None, bucket: float) -> None:
        self._labels, self._zones = KINDS[labels], arcs.zones
        none = self._labels.none
        self._reach = none - 1 if cutoff is None else min(code_of(cutoff, self._labels), none - 1)
        longest = np.array(self._reach, self._labels.order).view(self._labels.length)[()]
        with np.errstate(over="ignore"):  # beyond the largest float there is nothing to leave out
            limit = np.nextafter(longest, np.inf) if longest.dtype.kind == "f" else int(longest) + 1
        self._packed = pack_arcs(arcs, self._labels, limit, 0)
        self._bucket = bucket if longest.dtype.kind == "f" else min(max(round(bucket), 1), none // 2)
        self._table = _LEAST_TABLE

    def find(self, sources: IntArray, dtype: np.dtype[Any], request: NearRequest) -> tuple[NearColumns, IntArray]:
        """Return the pairs of sources (S,), and the numbers of the rows that no table can hold, which are empty here.

        The tables of all rows lie in device memory together.
        """
        counts = np.zeros(len(sources), dtype=np.int32)
        launches: list[tuple[IntArray, _Launch]] = []

        def search(rows: IntArray, table: int) -> npt.NDArray[np.bool_]:
            launch = self._search(sources[rows], dtype, request, table)
            launches.append((rows, launch))
            found = launch.counts.get()
            counts[rows] = np.maximum(found, 0)
            return np.asarray(found == _TABLE_FULL)

        left = self._with_tables(len(sources), search, hops=request.hops)
        starts = np.zeros(len(sources) + 1, dtype=np.int64)
        np.cumsum(counts, out=starts[1:])
        return _joined(launches, starts, dtype, hops=request.hops), left

    def weigh(
        self, sources: IntArray, dtype: np.dtype[Any], amounts: AmountsOnDevice
    ) -> tuple[npt.NDArray[np.float64], IntArray]:
        """Return the sums of amounts over the vertices near sources (S,), and the rows that no table can hold."""
        sums, cupy = amounts.weighing.empty(len(sources)), jit.cupy()
        name = weigh_expression(dtype.name, amounts.kinds)

        def search(rows: IntArray, table: int) -> npt.NDArray[np.bool_]:
            launch = self._search(sources[rows], dtype, NearRequest(), table)
            kernel = jit.kernels("near_pairs.cu", (name,))[name]
            for cutoffs, kinds, struct in amounts.passes(dtype):
                found = cupy.empty((len(rows), CUTOFFS, amounts.kinds), dtype=np.float64)
                kernel((len(rows),), (_THREADS,), (launch.struct(), struct, found))
                sums[rows, cutoffs, kinds] = found.get()[:, : cutoffs.stop - cutoffs.start, : kinds.stop - kinds.start]
            return np.asarray(launch.counts.get() == _TABLE_FULL)

        return sums, self._with_tables(len(sources), search, hops=False)

    def _with_tables(
        self, count: int, search: Callable[[IntArray, int], npt.NDArray[np.bool_]], *, hops: bool
    ) -> IntArray:
        """Search from all rows, with larger tables from those whose tables were full; return those left in the end."""
        waiting, largest = np.arange(count, dtype=np.int32), self._largest_table(hops=hops)
        table = min(self._table, largest)
        while len(waiting):
            parts = [waiting[start : start + _ROWS_AT_ONCE] for start in range(0, len(waiting), _ROWS_AT_ONCE)]
            full = np.concatenate([rows[search(rows, table)] for rows in parts])
            if len(full) > _OFTEN * len(waiting):
                self._table = min(2 * table, largest)
            waiting = full
            if table == largest:
                break
            table *= 2
        return waiting

    def _search(self, sources: IntArray, dtype: np.dtype[Any], request: NearRequest, table: int) -> _Launch:
        """Launch once."""
        cupy, rows = jit.cupy(), len(sources)
        width = table if request.k is None else min(request.k, table)
        launch = _Launch(
            width, cupy.empty(rows, dtype=np.int32), cupy.empty(rows * width, dtype=np.int32),
            cupy.empty(rows * width, dtype=dtype), cupy.empty(rows * width, dtype=np.int32) if request.hops else None,
        )  # fmt: skip
        name = near_expression(self._labels, dtype.name)
        kernel = jit.kernels("near_pairs.cu", (name,), shared_bytes=jit.shared_memory())[name]
        size = _table_bytes(self._labels, table, hops=request.hops)
        blocks = min(jit.resident_blocks(kernel, _THREADS, size), rows)
        kernel(
            (blocks,), (_THREADS,),
            (self._search_of(request, table), cupy.asarray(sources), np.int32(rows), launch.struct(),
             cupy.zeros(1, dtype=np.uint32)),
            shared_mem=size,
        )  # fmt: skip
        return launch

    def _search_of(self, request: NearRequest, table: int) -> Any:
        """The struct NearSearch of near_pairs.cu."""
        labels = self._labels
        fields = [
            *((name, "u8") for name in ("records", "rest", "closed", "is_target")),
            *((name, "i4") for name in ("capacity", "k")), ("delta", labels.length), ("reach", labels.order),
            *((name, "?") for name in ("own", "hops", "by_target")),
        ]  # fmt: skip
        search = np.zeros((), dtype=np.dtype(fields, align=True))
        search["records"], search["rest"] = (array.data.ptr for array in self._packed)
        search["closed"], search["is_target"] = _pointer(self._zones), _pointer(request.is_target)
        search["capacity"], search["k"] = table, table if request.k is None else min(request.k, table)
        search["delta"], search["reach"] = self._bucket, self._reach
        search["own"], search["hops"], search["by_target"] = request.own, request.hops, request.by_target
        return search

    def _largest_table(self, *, hops: bool) -> int:
        table = _LARGEST_TABLE
        while _table_bytes(self._labels, table, hops=hops) > jit.shared_memory():
            table //= 2
        return table


class _Launch(NamedTuple):
    """The rows of a launch, `pitch` apart."""

    pitch: int
    counts: Page
    targets: Page
    distances: Page
    hops: Page | None

    def struct(self) -> Any:
        """The struct NearFound of near_pairs.cu."""
        pages = ("targets", "distances", "hops", "counts")
        found = np.zeros((), dtype=np.dtype([*((name, "u8") for name in pages), ("pitch", "i8")], align=True))
        for name in pages:
            found[name] = _pointer(getattr(self, name))
        found["pitch"] = self.pitch
        return found


def _joined(
    launches: list[tuple[IntArray, _Launch]], starts: npt.NDArray[np.int64], dtype: np.dtype[Any], *, hops: bool
) -> NearColumns:
    """Put the rows of launches next to each other, in the order of the sources."""
    cupy, pairs = jit.cupy(), int(starts[-1])
    targets, distances = cupy.empty(pairs, dtype=np.int32), cupy.empty(pairs, dtype=dtype)
    columns = NearColumns(starts, targets, distances, cupy.empty(pairs, dtype=np.int32) if hops else None)
    names = [join_expression(dtype.name) for dtype in {np.dtype(np.int32), dtype}]
    kernels = jit.kernels("near_pairs.cu", tuple(sorted(names)))
    for rows, launch in launches:
        places = cupy.asarray(starts[rows])
        for values, joined in zip(launch[2:], columns[1:], strict=True):
            if values is not None:
                kernels[join_expression(joined.dtype.name)](
                    (len(rows),), (_THREADS,),
                    (values, np.int64(launch.pitch), launch.counts, places, np.int32(len(rows)), joined),
                )  # fmt: skip
    return columns


def near_expression(labels: LabelCode, dtype: str) -> str:
    """The kernel of near_pairs.cu that finds distances of a dtype."""
    return f"apsp::near_pairs<{labels.kind}, {labels.arc}, {VALUES[dtype]}>"


def weigh_expression(dtype: str, kinds: int) -> str:
    """The kernel of near_pairs.cu that adds up 1 or 4 kinds of amounts."""
    return f"apsp::weigh_pairs<{VALUES[dtype]}, {kinds}>"


def join_expression(dtype: str) -> str:
    """The kernel of near_pairs.cu that joins rows of a dtype."""
    return f"apsp::join_rows<{VALUES[dtype]}>"


def _table_bytes(labels: LabelCode, table: int, *, hops: bool) -> int:
    """Shared memory of a block: labels, vertices, two lists, marks, and next hops if requested."""
    return table * (labels.size + 8 + 4 * hops) + table // 8


def _pointer(array: Page | None) -> int:
    return 0 if array is None else int(array.data.ptr)
