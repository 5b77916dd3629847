"""Floyd-Warshall on a GPU with one thread per pair of vertices: the baseline of Katz and Kider.

Source: Harish, Narayanan 2007 (their Floyd-Warshall), as described by Okuyama, Ino, Hagihara, section 2, and by Katz,
Kider 2008, section 2. Input: a graph without negative arcs. Output: as `Solver.fill`; the papers compute costs only,
so predecessors are found from the distances. Cost: n launches of n^2 threads, each with 3 reads of global memory; the
matrix in device memory. Raises MethodRefusedError, DeviceError, MemoryLimitError. Corrected: "no path" is half of the
range of integers, so that no sum wraps.

The idea: for one pivot the n^2 entries are independent of each other, so there is a thread per entry.
"""

from __future__ import annotations

import numpy as np

from apsp.gpu.page import Page
from apsp.methods.problem import Problem, Solver
from apsp.published.whole_matrix import OneGpu

__all__ = ["THREADS", "HarishFloydWarshall", "expression", "prepare"]

THREADS = 256
"""Threads of a block."""


def prepare(problem: Problem, *, threads: int = THREADS) -> Solver:
    """Prepare the method for a problem; blocks of `threads`."""
    return HarishFloydWarshall(problem, threads=threads)


def expression(dtype: str) -> str:
    """The kernel of harish_fw.cu."""
    from apsp.gpu.page import VALUES

    return f"apsp::relax_pairs<{VALUES[dtype]}>"


class HarishFloydWarshall(OneGpu):
    """The solver with one thread per pair.

    Parameters
    ----------
    problem : Problem
    threads : int
        Threads of a block.
    """

    def __init__(self, problem: Problem, *, threads: int = THREADS) -> None:
        super().__init__("harish-fw", problem)
        self.threads = threads

    def launch(self, matrix: Page, k: int) -> None:
        """Launch the kernels of the algorithm."""
        n, kernel = len(matrix), self.kernel("harish_fw.cu", expression(matrix.dtype.name))
        kernel((-(-n * n // self.threads),), (self.threads,), (matrix, np.int32(n), np.int32(k)))
