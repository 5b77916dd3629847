"""Distances between places from those between the ends of their streets, on a GPU.

Input: places as the ends of their streets, and a solver of rows to the ends of all targets. Output: distances on the
host. Cost: a row for each end of a source, and a minimum of four sums per distance. Device memory: rows of many
sources, and two blocks that are copied to the host.

The idea: the minimum is taken where the rows are, so that one row per source is copied, not two of all ends. Rows are
computed for many sources at a time, as methods need it, and copied in small blocks while the next ones are combined.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from apsp.gpu import jit
from apsp.gpu.memory import free_bytes, on_gpu
from apsp.gpu.page import VALUES, Page, allocate, stride
from apsp.gpu.staging import BLOCK_BYTES, to_host_by_blocks
from apsp.graph.places.ends import Ends
from apsp.methods.problem import KernelProgress, Problem, Solver
from apsp.methods.rows.shared_rows import Parts, summed

__all__ = ["between_on_gpu", "join_expression"]

_BLOCK_SHARE, _ROWS_SHARE = 16, 4
"""A block, and the rows that are computed together, take at most one part of so many of the free memory."""

_ROWS_BYTES = 2 << 30
"""Largest size of rows that are computed together, unless those of a block are larger."""

_THREADS, _SOURCES_AT_ONCE = 256, 64


def join_expression(dtype: str) -> str:
    """The kernel of ends.cu for rows of a dtype."""
    return f"apsp::join_ends<{VALUES[dtype]}>"


def between_on_gpu(
    solver: Solver, problem: Problem, sources: Ends, columns: npt.NDArray[np.int64],
    lengths: npt.NDArray[np.float64], dist: npt.NDArray[np.float64], progress: KernelProgress | None,
) -> None:  # fmt: skip
    """Write dist (S, T), distances between places, infinite where there is no path.

    Parameters
    ----------
    solver, problem : Solver and Problem
        For a GPU; of several, the first combines the rows of all.
    sources : Ends
    columns : (2, T) int64
        The columns of the rows that have the ends of the targets.
    lengths : (2, T) float64
        From these ends to the targets.
    dist : (S, T) float64
        On the host.
    progress : callable or None
        Called with the number of sources that are done.
    """
    gpu = problem.gpus[0]
    with on_gpu(gpu):
        free = free_bytes(gpu, problem.gpu_memory)
        height = max(min(BLOCK_BYTES, free // _BLOCK_SHARE) // (dist.shape[1] * dist.itemsize), 1)
        rows = _RowsOfEnds(solver, problem, sources, height, min(_ROWS_BYTES, free // _ROWS_SHARE))
        where, ways = jit.cupy().asarray(columns.astype(np.int32)), jit.cupy().asarray(lengths)

        def compute(part: slice, block: tuple[Page, ...]) -> None:
            rows.join(part, where, ways, block[0])

        to_host_by_blocks(compute, (dist,), Parts(len(dist), height), height, problem.threads, summed(progress))


class _RowsOfEnds:
    """Rows from the ends of the streets of some sources, of as many as fit at a time.

    Parameters
    ----------
    solver : Solver
    problem : Problem
    sources : Ends
    height : int
        Blocks begin at multiples of so many sources.
    most_bytes : int
        Of the rows, unless those of a block are larger.
    """

    def __init__(self, solver: Solver, problem: Problem, sources: Ends, height: int, most_bytes: int) -> None:
        self._solver, self._on_several, self._lengths = solver, len(problem.gpus) > 1, sources.lengths
        # An end that is not used stands for the other one: it needs no row of its own.
        self._vertices = np.where(np.isfinite(sources.lengths), sources.vertices, sources.vertices[::-1])
        fitting = most_bytes // max(2 * problem.columns * problem.dtype.itemsize, 1)
        self._at_once = max(fitting // height, 1) * height
        most = 2 * min(self._at_once, self._vertices.shape[1])
        self._page = allocate(problem.gpus[0], most, problem.columns, problem.dtype)
        name = join_expression(problem.dtype.name)
        self._kernel = jit.kernels("ends.cu", (name,))[name]
        self._held = slice(0, 0)

    def join(self, part: slice, columns: Page, lengths: Page, block: Page) -> None:
        """Write the distances from a block of sources (k, T)."""
        if part.start >= self._held.stop:
            self._compute(slice(part.start, min(part.start + self._at_once, self._vertices.shape[1])))
        cupy, (rows, width) = jit.cupy(), block.shape
        of = slice(part.start - self._held.start, part.stop - self._held.start)
        self._kernel(
            (min(rows, _SOURCES_AT_ONCE), -(-width // _THREADS)), (_THREADS,),
            (self._page, stride(self._page), cupy.asarray(self._which[:, of]),
             cupy.asarray(self._lengths[:, part]), np.int32(rows), columns, lengths, np.int32(width), block),
        )  # fmt: skip

    def _compute(self, part: slice) -> None:
        vertices, which = np.unique(self._vertices[:, part], return_inverse=True)
        if self._on_several:  # others write to the page, which this one may still read
            jit.cupy().cuda.get_current_stream().synchronize()
        self._solver.fill(vertices, self._page[: len(vertices)], None)
        self._held, self._which = part, which.reshape(2, -1).astype(np.int32)
