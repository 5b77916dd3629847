"""The kernels of one GPU: `Backend` with CuPy arrays as pages, and Floyd-Warshall in device memory.

Source: Katz, Kider 2008, section 3 (tiles of the diagonal, their panels, the rest). Input: pages, (rows, columns)
arrays of the device in kernel values: "no path" is half of the maximum for signed integers, as on the CPU, and 32,767
for uint16, whose distances must be proven to be smaller. Cost of closing a page: n^3 (choose, join) pairs and copies of
two panels, 2 n x 512 values. Raises DeviceError without a GPU, MemoryLimitError when its memory is used up.

The idea: two levels of pivots. Tiles of 128 close a block of 512 of the diagonal; the rest of the page is relaxed
through 512 pivots at once, so that an entry is read and written once for 512 pairs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import numpy.typing as npt

from apsp.backend import Algebra, ClosedTile, Page
from apsp.cuda import jit
from apsp.errors import MemoryLimitError
from apsp.graph.model import Graph

__all__ = ["NARROW_NO_PATH", "CudaBackend", "algebra_name", "expressions", "scratch_bytes"]

NARROW_NO_PATH = 2**15 - 1
"""uint16 distances must be smaller than this on a GPU."""

TILE = 128
BLOCK = 512
_BLOCKS_PAY_FROM = 6144
"""Rows from which the second level of pivots is faster than without it."""

_PAIRS_BETWEEN_LOOKS = 4e11
"""Pairs after which the host waits for the device: for progress, Ctrl-C and negative cycles; about 30 ms."""

_ROWS, _ROW_BYTES, _THREADS = 128, 512, 256  # of a tile of the kernel `update`
_STAGES, _LEFT_BYTES, _STAGE_BYTES = 3, 128 * 80, 64 * 512  # of its shared memory; the last one divided by the itemsize

_VALUES = {"uint16": "unsigned short", "int32": "int", "int64": "long long", "float32": "float", "float64": "double"}
_NAMES = {"min_plus": "MinPlus", "max_min": "MaxMin", "min_max": "MinMax"}


def algebra_name(semiring: str, dtype: str, nonnegative: bool) -> str:
    """The struct of semiring.cuh that computes in this semiring and dtype."""
    if semiring == "min_plus" and dtype == "float32" and nonnegative:
        return "apsp::MinPlusNonNegative"
    return f"apsp::{_NAMES[semiring]}<{_VALUES[dtype]}>"


def expressions(algebra: str) -> tuple[str, str, str]:
    """The kernels of minplus.cu for an algebra: update (aligned; any alignment) and close_tile."""
    return (f"apsp::update<{algebra}, true>", f"apsp::update<{algebra}, false>", f"apsp::close_tile<{algebra}>")


def scratch_bytes(n: int, itemsize: int) -> int:
    """Device memory of closing an n x n page, beyond the page."""
    width = BLOCK if n >= _BLOCKS_PAY_FROM else TILE
    return 2 * (n + 16) * width * itemsize + 4096


class CudaBackend:
    """Pages are two-dimensional CuPy arrays whose rows are contiguous; the work is queued on the current stream.

    Parameters
    ----------
    device : int
        Number of the GPU, as CuPy counts them.

    Raises
    ------
    DeviceError
        If CuPy or the GPU is missing; the message says what to install.
    """

    def __init__(self, device: int = 0) -> None:
        self.cupy = jit.cupy()
        self.device = device
        with self._on_device():
            # Row of a negative cycle or -1; whether rounding was forgiven; whether a value is out of range.
            self._found = self.cupy.asarray([-1, 0, 0], dtype=np.int32)
            self._side = self.cupy.cuda.Stream(non_blocking=True)
            self._ready, self._done = (self.cupy.cuda.Event(disable_timing=True) for _ in range(2))
        self._loaded: dict[str, tuple[Any, Any, Any]] = {}

    def allocate(self, rows: int, columns: int, dtype: npt.DTypeLike) -> Page:
        """See `Backend.allocate`; rows begin at multiples of 16 bytes."""
        dtype = np.dtype(dtype)
        vector = 16 // dtype.itemsize
        with self._on_device():
            return self.cupy.empty((rows, -(-columns // vector) * vector), dtype=dtype)[:, :columns]

    def copy(self, source: Page, target: Page) -> None:
        """See `Backend.copy`; done when it returns if either lies on the host."""
        rows, columns = source.shape
        if rows == 0 or columns == 0:
            return
        runtime = self.cupy.cuda.runtime
        with self._on_device():
            stream = self.cupy.cuda.get_current_stream()
            runtime.memcpy2DAsync(
                _address(target), target.strides[0], _address(source), source.strides[0],
                columns * source.itemsize, rows, runtime.memcpyDefault, stream.ptr,
            )  # fmt: skip
            if isinstance(source, np.ndarray) or isinstance(target, np.ndarray):
                stream.synchronize()

    def fill(self, page: Page, row_from: int, column_from: int, graph: Graph, algebra: Algebra) -> None:
        """See `Backend.fill`."""
        rows, columns = page.shape
        if rows == 0 or columns == 0:
            return
        weights = _kernel_weights(graph, page.dtype, algebra)
        expression = f"apsp::fill<{_algebra(page, algebra)}>"
        with self._on_device():
            kernel = jit.kernels("matrix.cu", (expression,))[expression]
            arrays = [self.cupy.asarray(array) for array in (graph.indptr, graph.indices, weights)]
            terminals = 0 if graph.terminals is None else self.cupy.asarray(graph.terminals)
            kernel(
                (rows,), (_THREADS,),
                (page, _stride(page), np.int32(columns), np.int32(row_from), np.int32(column_from), *arrays,
                 np.uint64(0) if graph.terminals is None else terminals),
            )  # fmt: skip

    def close_tile(self, page: Page, algebra: Algebra, progress: Callable[[int], None] | None = None) -> ClosedTile:
        """See `Backend.close_tile`: the whole page, in device memory."""
        rows, columns = page.shape
        if rows != columns:
            raise ValueError("only a square page can be closed")
        with self._on_device():
            self._found[:2] = self.cupy.asarray([-1, 0], dtype=np.int32)
            width = BLOCK if rows >= _BLOCKS_PAY_FROM else TILE
            scratch = (self.allocate(width, rows, page.dtype), self.allocate(rows, width, page.dtype))
            unseen = 0.0
            for start in range(0, rows, width):
                self._through(page, scratch, start, width, algebra)
                unseen += float(rows) * rows * width
                if unseen >= _PAIRS_BETWEEN_LOOKS or start + width >= rows:
                    unseen = 0.0
                    if self._look()[0] >= 0:
                        break
                    if progress is not None:
                        progress(min(start + width, rows))
            bad_vertex, rounded, _ = self._look()
        return ClosedTile(bad_vertex, bool(rounded))

    def update(self, c: Page, a: Page, b: Page, algebra: Algebra) -> None:
        """See `Backend.update`; an operand that is also the result is copied first."""
        if c.shape != (a.shape[0], b.shape[1]) or a.shape[1] != b.shape[0] or not c.dtype == a.dtype == b.dtype:
            raise ValueError("the shapes must be c (m, n), a (m, k), b (k, n), the dtypes equal")
        with self._on_device():
            left = self._copied(a) if _overlap(c, a) else a
            right = self._copied(b) if _overlap(c, b) else b
            self._relax(c, left, right, algebra)

    def finish(self, page: Page, algebra: Algebra) -> bool:
        """See `Backend.finish`."""
        dtype = page.dtype
        if algebra.semiring.join != "add" or dtype.kind == "f" or page.size == 0:
            return True
        limit = np.iinfo(dtype).max // 4 + 1
        threshold = NARROW_NO_PATH if dtype.kind == "u" else np.iinfo(dtype).max // 2 if algebra.nonnegative else limit
        expression = f"apsp::finish<{_VALUES[dtype.name]}>"
        with self._on_device():
            kernel = jit.kernels("matrix.cu", (expression,))[expression]
            self._found[2] = 0
            least = dtype.type(0 if dtype.kind == "u" else -limit)
            kernel(
                (page.shape[0],), (_THREADS,),
                (page, _stride(page), np.int32(page.shape[1]), dtype.type(threshold), least, self._found),
            )  # fmt: skip
            return self._look()[2] == 0

    # -- Floyd-Warshall in device memory ------------------------------------------------------------------------------

    def _through(
        self, page: Page, scratch: tuple[Page, Page], start: int, width: int, algebra: Algebra, first_vertex: int = 0
    ) -> None:
        """Relax the page through the pivots [start, start + width); scratch holds a copy of either panel."""
        n = page.shape[0]
        end = min(start + width, n)
        diagonal = page[start:end, start:end]
        if width == TILE:
            self._close_one(diagonal, algebra, first_vertex + start)
        else:
            for inner in range(0, end - start, TILE):
                self._through(diagonal, scratch, inner, TILE, algebra, first_vertex + start)
        if end - start == n:
            return
        pivots = (start, end)
        across, down = page[start:end], page[:, start:end]
        before_across, before_down = scratch[0][: end - start, :n], scratch[1][:n, : end - start]
        main = self.cupy.cuda.get_current_stream()
        self._ready.record(main)
        self.copy(across, before_across)
        self._relax(across, diagonal, before_across, algebra, skip_columns=pivots)
        with self._side:  # the two panels share nothing but the closed block of the diagonal, which they read
            self._side.wait_event(self._ready)
            self.copy(down, before_down)
            self._relax(down, before_down, diagonal, algebra, skip_rows=pivots)
            self._done.record(self._side)
        main.wait_event(self._done)
        self._relax(page, down, across, algebra, skip_rows=pivots, skip_columns=pivots)

    def _close_one(self, tile: Page, algebra: Algebra, first_vertex: int) -> None:
        self._kernels(tile, algebra)[2](
            (1,), (1024,),
            (tile, _stride(tile), np.int32(tile.shape[0]), np.float64(algebra.slack), np.int32(first_vertex),
             self._found),
        )  # fmt: skip

    def _relax(
        self,
        c: Page,
        a: Page,
        b: Page,
        algebra: Algebra,
        *,
        skip_rows: tuple[int, int] = (0, 0),
        skip_columns: tuple[int, int] = (0, 0),
    ) -> None:
        """Launch `update` on all of c but the rows and columns to be skipped."""
        (rows, columns), depth, itemsize = c.shape, a.shape[1], c.dtype.itemsize
        grid = (
            _tiles(columns, _ROW_BYTES // itemsize, skip_columns),
            _tiles(rows, _ROWS, skip_rows),
        )
        if 0 in grid or depth == 0:
            return
        aligned, anyhow, _ = self._kernels(c, algebra)
        kernel = aligned if all(_is_aligned(page) for page in (c, a, b)) else anyhow
        arguments = (
            c, _stride(c), a, _stride(a), b, _stride(b),
            *(np.int32(value) for value in (rows, columns, depth, *skip_rows, *skip_columns)),
        )  # fmt: skip
        kernel(grid, (_THREADS,), arguments, shared_mem=_shared_bytes(itemsize))

    def _kernels(self, page: Page, algebra: Algebra) -> tuple[Any, Any, Any]:
        name = _algebra(page, algebra)
        if name not in self._loaded:
            wanted = expressions(name)
            found = jit.kernels("minplus.cu", wanted)
            for expression in wanted[:2]:
                found[expression].max_dynamic_shared_size_bytes = _shared_bytes(page.dtype.itemsize)
            self._loaded[name] = (found[wanted[0]], found[wanted[1]], found[wanted[2]])
        return self._loaded[name]

    def _copied(self, page: Page) -> Page:
        copy = self.allocate(page.shape[0], page.shape[1], page.dtype)
        self.copy(page, copy)
        return copy

    def _look(self) -> tuple[int, int, int]:
        """Wait for the device, and what it has found so far."""
        bad_vertex, rounded, out_of_range = self._found.get().tolist()
        return bad_vertex, rounded, out_of_range

    @contextmanager
    def _on_device(self) -> Iterator[None]:
        try:
            with self.cupy.cuda.Device(self.device):
                yield
        except self.cupy.cuda.memory.OutOfMemoryError as error:
            free, _ = self.cupy.cuda.runtime.memGetInfo()
            raise MemoryLimitError(
                f"work on GPU {self.device}", free + 1, free, ["a narrower dtype", "device='cpu'", "a GPU that is idle"]
            ) from error


def _algebra(page: Page, algebra: Algebra) -> str:
    return algebra_name(algebra.semiring.name, page.dtype.name, algebra.nonnegative)


def _kernel_weights(graph: Graph, dtype: np.dtype[Any], algebra: Algebra) -> npt.NDArray[Any]:
    """Weights in the dtype of the page; at least "no path" is "no path"."""
    weights = graph.arc_weights(dtype) if graph.weights is None else graph.weights
    if algebra.semiring.join == "add" and dtype.kind != "f":
        limit = NARROW_NO_PATH if dtype.kind == "u" else np.iinfo(dtype).max // 2
        if np.iinfo(weights.dtype).max > limit:
            weights = np.minimum(weights, limit)
    return np.ascontiguousarray(weights, dtype=dtype)


def _stride(page: Page) -> np.int64:
    return np.int64(page.strides[0] // page.itemsize)


def _address(page: Page) -> int:
    return int(page.ctypes.data if isinstance(page, np.ndarray) else page.data.ptr)


def _overlap(one: Page, other: Page) -> bool:
    """Whether two pages share an entry; pages of one matrix side by side do not. False alarms cost a copy."""
    if not (one.size and other.size):
        return False
    stride, distance = one.strides[0], _address(other) - _address(one)
    if other.strides[0] != stride:
        return bool(-_reach(other) < distance < _reach(one))
    width, other_width = one.shape[1] * one.itemsize, other.shape[1] * other.itemsize
    row, column = divmod(distance, stride)
    return any(
        -other.shape[0] < down < one.shape[0] and -other_width < right < width
        for down, right in ((row, column), (row + 1, column - stride))
    )


def _reach(page: Page) -> int:
    return int((page.shape[0] - 1) * page.strides[0] + page.shape[1] * page.itemsize)


def _is_aligned(page: Page) -> bool:
    return bool(page.data.ptr % 16 == 0 and page.strides[0] % 16 == 0)


def _tiles(size: int, length: int, skip: tuple[int, int]) -> int:
    return -(-skip[0] // length) + -(-(size - skip[1]) // length)


def _shared_bytes(itemsize: int) -> int:
    return _STAGES * (_LEFT_BYTES + _STAGE_BYTES // itemsize)
