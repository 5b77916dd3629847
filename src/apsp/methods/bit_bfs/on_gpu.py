"""Breadth-first search on a GPU from 1,024 sources at once, for graphs that count hops.

Sources: Then et al. 2014, "The more the merrier: efficient multi-source graph traversal", section 3; Beamer, Asanovic,
Patterson 2012, "Direction-optimizing breadth-first search" (pulling).
Input: a graph without weights, any of the five dtypes. Output: as `Solver.fill`. Cost: at most 128 bytes per arc, level
and batch; 128 n bytes of device memory for every bit of the longest path, and 3 times 128 n more.

The idea: a line of 128 bytes per vertex records which sources have reached it, so following an arc serves 1,024 of
them. A vertex pulls from those of its predecessors that were reached in the last level, until all sources have reached
it. Levels are stored with one bit per plane, and converted to rows at the end of a batch. Each level takes a few
microseconds: for graphs with many levels, such as rings and grids, other methods are faster.
"""

from __future__ import annotations

from apsp.gpu.page import Page
from apsp.methods.bit_bfs.kernels.bit_bfs import BitBfs
from apsp.methods.problem import IntArray, Problem, Solver
from apsp.methods.rows.rows_on_gpu import RowsOnGpu, Search
from apsp.methods.rows.rows_on_gpus import rows_on_gpus

__all__ = ["prepare"]


def prepare(problem: Problem) -> Solver:
    """Prepare the method for a problem; bit_bfs.py has checked that there are no weights."""
    return rows_on_gpus(problem, _search)


def _search(rows: RowsOnGpu) -> Search:
    searches = BitBfs(rows.by_head(), rows.problem.dtype, rows.cutoff)

    def search(_: IntArray, sources: Page, dist: Page, targets: Page | None) -> None:
        searches.rows(sources, dist, targets)

    return search
