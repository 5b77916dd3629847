"""Breadth-first search from up to 512 sources at once, for graphs that count hops. (On a GPU: on_gpu.py.)

Sources: Then et al. 2014, "The more the merrier: efficient multi-source graph traversal", section 4 (wide registers);
Beamer, Asanovic, Patterson 2012, "Direction-optimizing breadth-first search", section 4.
Input: a graph without weights, any of the five dtypes. Output: as `Solver.fill`.
Cost: a batch of 512 sources follows an arc at most once per level at which its tail is reached, and writes its levels;
a thread needs 64 (3 + d) n bytes, where d is the number of binary digits of the largest distance, and 128 n for
predecessors. Raises MethodRefusedError if the graph has weights.

The idea: 512 bits per vertex record which sources have reached it, so one OR of two registers follows an arc for all of
them. If many vertices are active, those that are not yet reached from all sources gather from their predecessors
instead. Levels are stored in binary, one bit vector per digit, and unpacked when rows are written.
"""

from __future__ import annotations

from apsp import _cpu
from apsp.methods.problem import Problem, Solver
from apsp.methods.rows.request import RowSolver, refuse_weights

__all__ = ["prepare"]


def prepare(problem: Problem) -> Solver:
    """Prepare the method for a problem."""
    refuse_weights("bit-bfs", problem.graph)
    if problem.device != "cpu":
        from apsp.methods.bit_bfs import on_gpu as bit_bfs_gpu

        return bit_bfs_gpu.prepare(problem)
    return RowSolver(problem, _cpu.bit_bfs_rows)
