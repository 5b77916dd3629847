"""Floyd-Warshall in blocks that fit the cache, on one thread: the cache-efficient CPU baseline of Katz and Kider.

Source: Venkataraman, Sahni, Mukhopadhyaya 2000 and 2003, section 3. Input: any graph. Output: as `Solver.fill`. Cost:
n^3 pairs, one after another; no memory beyond the matrix. Raises NegativeCycleError, DtypeRangeError. Corrected: n need
not be a multiple of the block; a pivot on a negative cycle ends the work.

The idea: all pivots of a block are processed before the next block. The block on the diagonal depends on itself only,
those in its row and column on it, all others on one of each.
"""

from __future__ import annotations

from typing import Any

import numpy.typing as npt

from apsp import _cpu
from apsp.methods.problem import KernelProgress, Problem, Solver
from apsp.published.whole_matrix import WholeMatrix

__all__ = ["BLOCK", "BlockedFloydWarshall", "prepare"]

BLOCK = 64
"""Rows and columns of a block; three blocks of 4-byte values fill 48 KiB."""


def prepare(problem: Problem, *, block: int = BLOCK) -> Solver:
    """Prepare the method for a problem; blocks of `block` rows and columns."""
    return BlockedFloydWarshall(problem, block=block)


class BlockedFloydWarshall(WholeMatrix):
    """The blocked algorithm.

    Parameters
    ----------
    problem : Problem
    block : int
        Rows and columns of a block, at least 1.
    """

    def __init__(self, problem: Problem, *, block: int = BLOCK) -> None:
        super().__init__(problem, self._close_blocks)
        self.block = block

    def _close_blocks(self, page: npt.NDArray[Any], progress: KernelProgress | None) -> int:
        return _cpu.published_close_blocked(page, self.block, progress)
