"""Johnson (Batool, Mehdi), frontiers kept as flags, a thread for every vertex (section 7.3).

Input, output, cost, errors and what was mended: johnson.py beside this file.
"""

from __future__ import annotations

from apsp.solvers.problem import Problem, Solver
from apsp.solvers.published.johnson import JohnsonOnGpu

__all__ = ["prepare"]


def prepare(problem: Problem) -> Solver:
    """See `Problem` and `Solver`."""
    return JohnsonOnGpu(problem, frontier="flag")
