"""Breadth-first search from 64 sources at once, for graphs that count hops.

Sources: Moore 1959; Then et al. 2014, "The more the merrier: efficient multi-source graph traversal", section 3.
Input: a graph without weights, any of the five dtypes. Output: as `Solver.fill`.
Cost: at most m operations per source, down to m / 64 if the sources of a batch share their frontiers; 32 n bytes per
thread. Raises MethodRefusedError if the graph has weights.

The idea: a word per vertex holds one bit per source, so following an arc serves all sources whose frontier has reached
its tail. Sources that are near each other go into one batch.
"""

from __future__ import annotations

from apsp import _cpu
from apsp.methods.problem import Problem, Solver
from apsp.methods.rows.request import RowSolver, refuse_weights

__all__ = ["prepare"]


def prepare(problem: Problem) -> Solver:
    """Prepare the method for a problem."""
    refuse_weights("bfs", problem.graph)
    return RowSolver(problem, _cpu.bfs_rows)
