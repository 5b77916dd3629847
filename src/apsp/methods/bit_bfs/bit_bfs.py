"""Breadth-first search from up to 512 sources at once, for graphs that count hops. (On a GPU: bit_bfs_gpu.py.)

Sources: Then et al. 2014, "The more the merrier: efficient multi-source graph traversal", section 4 (wide registers);
Beamer, Asanovic, Patterson 2012, "Direction-optimizing breadth-first search", section 4.
Input: a graph without weights, any of the five dtypes. Output: as `Solver.fill`.
Cost: a batch of 512 sources follows an arc at most once a level at which its tail is reached, and writes its levels; a
thread needs 64 (3 + d) n bytes, where d is the number of binary digits of the largest distance, and 128 n for
predecessors. Raises MethodRefusedError if the graph has weights.

The idea: 512 bits a vertex say which sources have seen it, so one join of two registers follows an arc for all of them.
Where many vertices are active, those that are not seen by all ask their predecessors instead. Levels are kept in
binary, a bit vector a digit, and unpacked into rows as they are written.
"""

from __future__ import annotations

from apsp import _cpu
from apsp.methods.problem import Problem, Solver
from apsp.methods.rows.request import RowSolver, refuse_weights

__all__ = ["prepare"]


def prepare(problem: Problem) -> Solver:
    """See `Problem` and `Solver`."""
    refuse_weights("bit-bfs", problem.graph)
    if problem.device != "cpu":
        from apsp.methods.bit_bfs import on_gpu as bit_bfs_gpu

        return bit_bfs_gpu.prepare(problem)
    return RowSolver(problem, _cpu.bit_bfs_rows)
