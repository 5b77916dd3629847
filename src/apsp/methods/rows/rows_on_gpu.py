"""Rows of distances computed on a GPU: code shared by the sparse methods.

Input: a graph and a search that writes rows on the device. Output: as `Solver.fill`, into arrays on the device or the
host. Cost: that of the search; with paths also every arc into a vertex until one is found that is the last of a
shortest path. Device memory: the arcs, the state of the search, and two blocks of rows if they are copied to the host.

The idea: rows that stay on the device are written in place; others are copied through pinned memory while the next ones
are computed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from apsp.gpu import jit
from apsp.gpu.copying import queue_copy
from apsp.gpu.cutoff import is_longer
from apsp.gpu.memory import on_gpu
from apsp.gpu.page import Page, allocate
from apsp.gpu.staging import BLOCK_BYTES, to_host_by_blocks
from apsp.methods.problem import IntArray, KernelProgress, Problem, Solver
from apsp.methods.rows.kernels.arcs import SparseArcs, csr_on_device
from apsp.methods.rows.kernels.arcs_by_head import arcs_by_head, arcs_for_trees
from apsp.methods.rows.kernels.predecessors import TightArcs, predecessors, rows_at_once
from apsp.methods.rows.request import fill_empty
from apsp.methods.rows.shared_rows import Parts, summed
from apsp.reductions.kernels.reduce import reduce_rows
from apsp.reductions.row_sums import RowSums
from apsp.semiring import Algebra, unreachable
from apsp.system.array_device import gpu_of, is_on_gpu

__all__ = ["RowsOnGpu"]

_RELAXATIONS_AT_ONCE = 2e10
"""Sources times arcs of a launch: less than a second, so that Ctrl-C and progress are handled in time."""

Search = Callable[[IntArray, Page, Page, Page | None], None]
"""Writes the rows of sources (S,), on the host and on the GPU, to dist (S, T): distances to targets (T,), or to all."""


class RowsOnGpu(Solver):
    """A `Solver` whose rows are searched on one GPU. (On several: rows_on_gpus.py.)

    Parameters
    ----------
    problem : Problem
    make_search : callable
        Called once with this object, on its GPU.
    at_once : int, optional
        Rows per call of the search if they stay on the GPU; by default the number that takes a second.

    Attributes
    ----------
    is_reversed : bool
        The arcs are those of the reversed graph.
    """

    def __init__(
        self, problem: Problem, make_search: Callable[[RowsOnGpu], Search], at_once: int | None = None
    ) -> None:
        self.problem = problem
        self.gpu = problem.gpus[0] if problem.gpus else 0
        self.cutoff = problem.cutoff
        self.nonnegative = not problem.graph.has_negative_arc
        self.is_reversed = False
        self._make_search = make_search
        self._at_once = at_once or max(int(_RELAXATIONS_AT_ONCE // max(problem.graph.m + problem.graph.n, 1)), 1)
        self._search: Search | None = None
        self._arcs: SparseArcs | None = None
        self._by_head: SparseArcs | None = None
        self._tight: TightArcs | None = None
        self._targets: Page | None = None

    def fill(
        self, sources: IntArray, dist: Any, pred: Any, progress: KernelProgress | None = None,
        search: Search | None = None,
    ) -> None:  # fmt: skip
        """Write distances from the sources and, if requested, their predecessors."""
        if self.problem.graph.n == 0 or len(sources) == 0:
            return
        if self.nothing_within_cutoff:
            fill_empty(self.problem, dist, pred)
            return
        arrays = (dist,) if pred is None else (dist, pred)
        self.fill_parts(Parts(len(sources), self.height(arrays)), sources, arrays, summed(progress), search)

    @property
    def nothing_within_cutoff(self) -> bool:
        """Whether no distance is within the cutoff."""
        return self.cutoff is not None and self.cutoff < 0 and self.nonnegative

    def fill_parts(
        self,
        parts: Iterator[slice],
        sources: IntArray,
        arrays: tuple[Any, ...],
        done: Callable[[int], None],
        search: Search | None = None,
    ) -> None:
        """Fill the rows of the arrays in the slices of `parts`, from which other threads may take slices too.

        Parameters
        ----------
        arrays : (dist,) or (dist, pred)
            For all sources; see `Solver.fill`.
        done : callable
            Called after each part with its number of rows.
        """
        with on_gpu(self.gpu):
            search = self._start(search, paths=len(arrays) > 1)
            there = jit.cupy().asarray(sources)

            def compute(part: slice, block: tuple[Page, ...]) -> None:
                self._rows(search, sources[part], there[part], *block)

            if all(self._lies_here(array) for array in arrays):
                for part in parts:
                    compute(part, tuple(array[part] for array in arrays))
                    done(part.stop - part.start)
            elif not any(is_on_gpu(array) for array in arrays):
                to_host_by_blocks(compute, arrays, parts, self.height(arrays), self.problem.threads, done)
            else:
                self._elsewhere(compute, parts, arrays, done)

    def wait(self) -> None:
        """Wait until the work queued by this thread is done: another thread reads the rows."""
        with on_gpu(self.gpu):
            jit.cupy().cuda.get_current_stream().synchronize()

    def measure_parts(self, parts: Iterator[slice], sums: RowSums, done: Callable[[int], None]) -> None:
        """Sum up the rows of `sums.sources` in the slices of `parts`."""
        with on_gpu(self.gpu):
            search = self._start(None, paths=False)
            there, page = jit.cupy().asarray(sums.sources), None
            for part in parts:
                rows = part.stop - part.start
                if page is None or len(page) < rows:
                    page = allocate(self.gpu, rows, self.problem.graph.n, self.problem.dtype)
                self._rows(search, sums.sources[part], there[part], page[:rows])
                numbers = reduce_rows(page[:rows])
                for name in ("reached", "total", "reciprocals", "largest", "farthest"):
                    getattr(sums, name)[part] = getattr(numbers, name)
                done(rows)

    def _elsewhere(
        self, compute: Callable[[slice, tuple[Page, ...]], None], parts: Iterator[slice], arrays: tuple[Any, ...],
        done: Callable[[int], None],
    ) -> None:  # fmt: skip
        """Whether some arrays are on another GPU."""
        cupy = jit.cupy()
        for part in parts:
            rows = part.stop - part.start
            here = tuple(cupy.empty((rows, array.shape[1]), dtype=array.dtype) for array in arrays)
            compute(part, here)
            for array, page in zip(arrays, here, strict=True):
                if is_on_gpu(array):
                    queue_copy(page, array[part])
                else:
                    array[part] = page.get()
            cupy.cuda.get_current_stream().synchronize()
            done(rows)

    def arcs(self) -> SparseArcs:
        """All arcs, by tail."""
        if self._arcs is None:
            problem = self.problem
            algebra = Algebra(problem.semiring, self.nonnegative)
            self._arcs = csr_on_device(problem.graph, problem.dtype, algebra, 0, problem.graph.n)
        return self._arcs

    def by_head(self) -> SparseArcs:
        """All arcs, by head."""
        if self._by_head is None:
            graph = self.problem.graph
            self._by_head = arcs_by_head(self.arcs(), graph.n, directed=graph.directed)
        return self._by_head

    def backwards(self) -> Solver | None:
        """Return the solver of distances to the sources: arcs by tail and by head change places."""
        with on_gpu(self.gpu):
            arcs, into = self.arcs(), self.by_head()
            if arcs.zones is not None:
                return None
            pairs = zip(arcs[:3], into[:3], strict=True)
            if arcs is into or all(bool((one == other).all()) for one, other in pairs):
                return self
        found = RowsOnGpu(self.problem, self._make_search, self._at_once)
        found._arcs, found._by_head, found.is_reversed = into, arcs, not self.is_reversed
        return found

    def _start(self, search: Search | None, *, paths: bool) -> Search:
        """Prepare the computation of rows, and return the search that writes them: by default the one that is made
        once.
        """
        if search is None:
            search = self._search = self._search or self._make_search(self)
        if paths and self._tight is None:
            self._tight = arcs_for_trees(self.by_head(), self.problem.graph.n, nonnegative=self.nonnegative)
        if self.problem.targets is not None and self._targets is None:
            self._targets = jit.cupy().asarray(self.problem.targets)
        return search

    def height(self, arrays: tuple[Any, ...]) -> int:
        """Return the rows of a block; without arrays, of a block that stays on the device until it is summed up."""
        fitting: int
        graph = self.problem.graph
        whole_row = max(graph.n * self.problem.dtype.itemsize, 1)
        if not arrays:
            fitting = 2 * BLOCK_BYTES // whole_row
        elif not all(self._lies_here(array) for array in arrays):
            row = max(max(array.shape[1] * array.dtype.itemsize for array in arrays), 1)
            fitting = BLOCK_BYTES // row
        else:
            fitting = self._at_once
        if arrays and self._takes_whole_rows(arrays[0], paths=len(arrays) > 1):
            fitting = min(fitting, BLOCK_BYTES // whole_row)
        if len(arrays) > 1:
            fitting = min(fitting, rows_at_once(graph.n, self.problem.dtype.itemsize))
        return max(fitting - fitting % 1024 if fitting > 1024 else fitting, 1)

    def _rows(self, search: Search, sources: IntArray, there: Page, dist: Page, pred: Page | None = None) -> None:
        whole = self._whole(len(sources), dist, pred)
        search(sources, there, whole, self._targets if whole is dist else None)
        if pred is not None:
            assert self._tight is not None
            predecessors(whole, sources, pred, self._tight, self.problem.graph)
        if not self.nonnegative and self.cutoff is not None:
            forget_beyond(whole, pred, self.cutoff)
        if whole is not dist:
            dist[...] = whole if self._targets is None else whole[:, self._targets]

    def _whole(self, rows: int, dist: Page, pred: Page | None) -> Page:
        """Return the array to write rows to: `dist`, if possible."""
        if self._takes_whole_rows(dist, paths=pred is not None):
            return allocate(self.gpu, rows, self.problem.graph.n, dist.dtype)
        return dist

    def _takes_whole_rows(self, dist: Any, *, paths: bool) -> bool:
        """Whether rows are written to another array first: all columns are needed, or `dist` has gaps between them."""
        needed = paths or (not self.nonnegative and self.cutoff is not None)
        contiguous = dist.shape[1] <= 1 or dist.strides[1] == dist.itemsize
        return not contiguous or (self.problem.targets is not None and needed)

    def _lies_here(self, array: Any) -> bool:
        return is_on_gpu(array) and gpu_of(array) == self.gpu


def forget_beyond(rows: Page, pred: Page | None, cutoff: float) -> None:
    """Replace distances beyond the cutoff by "no path", if arcs may be negative."""
    from apsp.result.paths import passed_through
    from apsp.semiring import NO_VERTEX
    from apsp.system.array_device import to_host

    beyond = is_longer(rows, cutoff)
    rows[beyond] = unreachable(rows.dtype)
    if pred is not None:
        beyond &= ~jit.cupy().asarray(passed_through(to_host(pred), ~to_host(beyond)))
        pred[beyond] = NO_VERTEX
