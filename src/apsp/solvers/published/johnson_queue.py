"""Johnson (Batool, Mehdi), frontiers kept as a queue filled by atomics (section 7.3, figures 5 and 6).

Input, output, cost, errors and what was mended: johnson.py beside this file.
"""

from __future__ import annotations

from apsp.solvers.problem import Problem, Solver
from apsp.solvers.published.johnson import JohnsonOnGpu

__all__ = ["prepare"]


def prepare(problem: Problem) -> Solver:
    """See `Problem` and `Solver`."""
    return JohnsonOnGpu(problem, frontier="queue")
