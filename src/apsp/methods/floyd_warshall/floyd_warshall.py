"""Blocked Floyd-Warshall: all n x n distances, for dense graphs and any sign of weights.

Source: Venkataraman, Sahni, Mukhopadhyaya 2003, section 3 (blocking); Katz, Kider 2008, section 3 (pages, closures of
other semirings). Input: any graph. Output: as `Solver.fill`, for (max,min) and (min,max) with "no path" of that
semiring, and its empty path on the diagonal. Cost: n^3 (choose, join) pairs; a row panel of 128 n values beyond the
output, and (n, n) more if not all rows and columns are requested. Raises NegativeCycleError, DtypeRangeError.

Sums of negative floats may cancel: if a cycle is zero within rounding, Johnson's method is used, whose sums are exact.
It is also used for paths with negative floats, since with rounding it may be unclear which arcs are on shortest paths.

The idea: pivots are processed in tiles of 128, so that a packed panel stays in the cache while the whole matrix is
relaxed in registers. Predecessors are found from the final distances.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from apsp.errors import DtypeRangeError, NegativeCycleError
from apsp.graph.signed import sums_may_cancel
from apsp.methods.backend import CpuBackend
from apsp.methods.floyd_warshall.pages import close_pages, cut
from apsp.methods.floyd_warshall.strips.by_strips import Matrix, close_by_strips
from apsp.methods.floyd_warshall.strips.page_file import PageFile
from apsp.methods.floyd_warshall.strips.request import lanes_and_plan, open_pages, wants_strips
from apsp.methods.floyd_warshall.variants import algebra_for, choice
from apsp.methods.problem import IntArray, KernelProgress, Problem, Solver
from apsp.methods.rows.read_off import extend, forget_beyond, make_public, read_predecessors
from apsp.methods.searches import johnson
from apsp.methods.searches.negative_cycle import refuse_negative_cycle
from apsp.system.array_device import is_on_gpu, module_of

__all__ = ["FloydWarshall", "prepare"]


def prepare(problem: Problem) -> Solver:
    """Prepare the method for a problem."""
    return FloydWarshall(problem)


class FloydWarshall(Solver):
    """The solver; `page` cuts the matrix into pages of that many vertices (default: one page)."""

    def __init__(self, problem: Problem, *, page: int | None = None) -> None:
        self.problem = problem
        self.page = max(page or problem.graph.n, 1)
        self.backend = CpuBackend(problem.threads)
        self.algebra = algebra_for(problem.graph, problem.semiring)
        if problem.device == "cpu":
            choice(problem.dtype.name, self.algebra, problem.graph.n**3)
        self.cancels = self._sums and sums_may_cancel(problem.graph, problem.dtype)
        self._file: PageFile | None = None
        if problem.graph.has_zones and problem.semiring.join == "add":
            refuse_negative_cycle(problem.graph)  # it may pass through a zone, which the kernels do not consider

    def output(self) -> npt.NDArray[Any] | None:
        """Return the matrix in the file of pages, if there is one: passed to `fill`, it avoids a second matrix."""
        self._file = open_pages(self.problem)
        return None if self._file is None else self._file.matrix

    def fill(
        self,
        sources: IntArray,
        dist: npt.NDArray[Any],
        pred: IntArray | None,
        progress: KernelProgress | None = None,
    ) -> None:
        """Write distances from the sources and, if requested, their predecessors.

        Progress counts pivots. `ran_on` is then the device.
        """
        negative_floats = self._sums and not self.algebra.nonnegative and self.problem.dtype.kind == "f"
        if self.cancels or (pred is not None and negative_floats):
            self._through_host(self._fill_by_rows, sources, dist, pred, progress)
        elif self._in_core and (pred is None or self._sums):
            self._on_device(self.problem, sources, dist, pred, progress)
        else:
            self._through_host(self._fill_on_host, sources, dist, pred, progress)

    @property
    def _sums(self) -> bool:
        return self.problem.semiring.join == "add"

    @property
    def _in_core(self) -> bool:
        return self.problem.device != "cpu" and not wants_strips(self.problem)

    def _fill_on_host(self, sources: IntArray, dist: Any, pred: Any, progress: KernelProgress | None) -> None:
        """Fill on the CPU, or by strips; a file of pages is locked until it has been read."""
        try:
            self._read_off(sources, dist, pred, progress)
        except (NegativeCycleError, DtypeRangeError):
            self._let_go(keep=False)
            raise
        finally:
            self._let_go()

    def _read_off(self, sources: IntArray, dist: Any, pred: Any, progress: KernelProgress | None) -> None:
        """Copy the requested rows and columns, and find predecessors, from all distances."""
        n = self.problem.graph.n
        all_rows = np.array_equal(sources, np.arange(n))
        direct = all_rows and self.problem.targets is None
        square = self._closed(dist if direct else None, progress)
        if pred is not None:
            square_pred = pred if all_rows else np.empty((n, n), dtype=np.int32)
            self._read_predecessors(square, square_pred)
            if not all_rows:
                pred[:] = square_pred[sources]
                del square_pred
        if self.problem.cutoff is not None:
            forget_beyond(self.problem.cutoff, sources, square, pred, self.algebra)
        if square is not dist and not _is_map_of(dist, square):
            dist[:] = square[sources] if self.problem.targets is None else square[np.ix_(sources, self.problem.targets)]

    def _read_predecessors(self, square: npt.NDArray[Any], pred: IntArray) -> None:
        """Return the (n, n) predecessors of all distances; overridden by methods that record paths."""
        read_predecessors(square, pred, self.problem, self.algebra)

    def _fill_by_rows(self, sources: IntArray, dist: Any, pred: Any, progress: KernelProgress | None) -> None:
        """Fill by Johnson's method on the CPU."""
        self.ran_on = "cpu"
        self._let_go(keep=False)  # `dist` may be a map of the file, which exists longer than the name of the file
        johnson.prepare(self.problem).fill(sources, dist, pred, progress)

    def _through_host(
        self, fill: Callable[..., None], sources: IntArray, dist: Any, pred: Any, progress: KernelProgress | None
    ) -> None:
        """Fill arrays on any device by a function that fills host arrays."""
        on_host = [np.empty(array.shape, array.dtype) if is_on_gpu(array) else array for array in (dist, pred)]
        fill(sources, *on_host, progress)
        for array, filled in zip((dist, pred), on_host, strict=True):
            if array is not filled:
                with array.device:
                    array[...] = module_of(array).asarray(filled)

    def _on_device(
        self, problem: Problem, sources: IntArray, dist: Any, pred: Any, progress: KernelProgress | None
    ) -> None:
        """Fill on one GPU."""
        from apsp.methods.floyd_warshall.in_core import InCore
        from apsp.methods.floyd_warshall.kernels.backend import CudaBackend

        gpu = problem.gpus[0] if problem.gpus else 0
        backend = CudaBackend(gpu, keep_arcs=pred is not None or problem.graph.has_zones)
        InCore(problem, backend, self.algebra, self._refuse).fill(sources, dist, pred, progress)

    def _closed(self, square: npt.NDArray[Any] | None, progress: KernelProgress | None) -> npt.NDArray[Any]:
        """Return all distances, in `square` if it is passed and there is no file."""
        if self._file is None:
            self._file = open_pages(self.problem)
        file, n = self._file, self.problem.graph.n
        if file is None:
            square = np.empty((n, n), dtype=self.problem.dtype) if square is None else square
            self._close(square, progress)
            return square
        square = file.matrix
        if not file.finished:
            self._close_by_strips(square, file, progress)
        if isinstance(square, np.memmap):
            square.flush()
        # A cutoff overwrites distances, after which the content of the file is invalid.
        last = self.problem.cutoff is None
        file.commit(n if last else 0, finished=last)
        self.unchecked = file.unchecked
        return square

    def _let_go(self, *, keep: bool = True) -> None:
        """Unlock the file of pages, if there is one; remove it unless it can be resumed."""
        if self._file is not None:
            self._file.close(keep=keep)
            self._file = None

    def _close(self, square: npt.NDArray[Any], progress: KernelProgress | None) -> None:
        """Write all distances to `square`."""
        if wants_strips(self.problem):
            self._close_by_strips(square, None, progress)
            return
        graph, algebra = self.problem.graph, self.algebra
        if self.problem.device != "cpu":
            whole = replace(self.problem, targets=None, cutoff=None)
            self._on_device(whole, np.arange(graph.n, dtype=np.int32), square, None, progress)
            return
        bounds = cut(graph.n, self.page)
        pages = [[square[top:bottom, left:right] for left, right in bounds] for top, bottom in bounds]
        for (top, _), row in zip(bounds, pages, strict=True):
            for (left, _), page in zip(bounds, row, strict=True):
                self.backend.fill(page, top, left, graph, algebra)
        self._refuse(close_pages(self.backend, pages, bounds, algebra, progress))
        extend(square, self.problem, self.algebra)
        for row in pages:
            for page in row:
                make_public(self.backend, page, algebra)

    def _close_by_strips(
        self, square: npt.NDArray[Any], file: PageFile | None, progress: KernelProgress | None
    ) -> None:
        """Close the matrix on several GPUs, or if it does not fit on them or in host memory."""
        graph, algebra, finish = self.problem.graph, self.algebra, None
        if algebra.semiring.join == "add" and square.dtype.kind != "f":
            finish = partial(make_public, algebra=algebra)
        matrix = Matrix(
            square.dtype, lambda backend, page, row: backend.fill(page, row, 0, graph, algebra), finish,
            None if file is not None else square, file,
        )  # fmt: skip
        self._refuse(close_by_strips(*lanes_and_plan(self.problem), matrix, algebra, progress))
        extend(square, self.problem, self.algebra)

    def _refuse(self, bad_vertex: int) -> None:
        """Raise NegativeCycleError if the closing found a vertex on a negative cycle."""
        if bad_vertex >= 0:
            refuse_negative_cycle(self.problem.graph)
            raise DtypeRangeError(
                f"{self.problem.dtype} is too narrow for the distances of this graph; use a wider dtype"
            )


def _is_map_of(dist: npt.NDArray[Any], square: npt.NDArray[Any]) -> bool:
    """Whether the caller passed the mapped file that contains all distances."""
    one, other = getattr(dist, "filename", None), getattr(square, "filename", None)
    return one is not None and one == other and dist.shape == square.shape
