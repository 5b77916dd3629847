"""Floyd-Warshall of the course laboratory: one launch per pivot, square blocks of threads.

Source: Belinguier, Grahn, "All Pairs Shortest Path Problem in CUDA", sections 3 and 5, appendix 7.1 and 7.2. Input: a
graph without negative arcs, since -1 means "no edge" in the matrix. Output: as `Solver.fill`; predecessors are found
from the distances. Cost: n launches of n^2 threads, up to 5 accesses to global memory each; the matrix in device
memory. Raises MethodRefusedError, DeviceError, MemoryLimitError. Corrected: the grid is rounded up (the listing divides
integers before it rounds), threads beyond n do nothing, and indices have 64 bits.

With pieces of row k and column k in shared memory (sections 4 and 5.4, appendix 7.3 and 7.4) a thread makes 2 accesses
to global memory. In the listing both pieces are the same dynamic shared memory, and the piece of column k is loaded by
the threads of one row and stored at their column; here they are separate, and each thread loads the value for its own
row or column.

The idea: for one pivot the entries are independent, so there is one task per entry and one thread per task. The threads
of a block read the same few entries of row k and column k, so each entry needs to be loaded only once.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from apsp.gpu.page import Page
from apsp.methods.problem import Problem, Solver
from apsp.published.whole_matrix import OneGpu

__all__ = ["BLOCK", "BLOCKS", "LabFloydWarshall", "expression", "from_lab", "prepare", "to_lab"]

BLOCKS = (4, 8, 16, 32)
"""Sides of a block measured in the report."""

BLOCK = 8
"""The best one in the report."""

_NO_EDGE = -1


def prepare(problem: Problem, *, block: int = BLOCK, shared: bool = False) -> Solver:
    """Prepare the method for a problem; `LabFloydWarshall` describes the options."""
    return LabFloydWarshall(problem, block=block, shared=shared)


def expression(dtype: str, *, shared: bool) -> str:
    """One of the kernels of lab_fw.cu."""
    from apsp.gpu.page import VALUES

    return f"apsp::apsp_{'shared' if shared else 'basic'}<{VALUES[dtype]}>"


class LabFloydWarshall(OneGpu):
    """The laboratory's programs.

    Parameters
    ----------
    problem : Problem
    block : {8, 4, 16, 32}
        Threads of a block in each direction.
    shared : bool
        The optimized kernel instead of the basic one.
    """

    def __init__(self, problem: Problem, *, block: int = BLOCK, shared: bool = False) -> None:
        super().__init__("lab-fw-shared" if shared else "lab-fw", problem)
        if block not in BLOCKS:
            raise ValueError(f"blocks are 4, 8, 16 or 32 threads wide, not {block}")
        self.block, self.shared = block, shared

    def given(self, page: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Convert the distances to the values of the paper."""
        return to_lab(page)

    def taken(self, matrix: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Convert the values of the paper to distances."""
        return from_lab(matrix)

    def launch(self, matrix: Page, k: int) -> None:
        """Launch the kernels of the algorithm."""
        n, kernel = len(matrix), self.kernel("lab_fw.cu", expression(matrix.dtype.name, shared=self.shared))
        blocks = -(-n // self.block)
        kernel((blocks, blocks), (self.block, self.block), (matrix, np.int32(k), np.int32(n)))


def to_lab(page: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """(n, n) kernel values to lengths, -1 for "no edge"."""
    return np.where(page < _no_path(page.dtype), page, page.dtype.type(_NO_EDGE))


def from_lab(matrix: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Lengths, -1 for "no path", to kernel values."""
    return np.where(matrix == _NO_EDGE, _no_path(matrix.dtype), matrix)


def _no_path(dtype: np.dtype[Any]) -> Any:
    return dtype.type(np.inf if dtype.kind == "f" else np.iinfo(dtype).max // 2)
