"""Johnson (Batool, Mehdi), frontiers kept as flags, a thread for every vertex (section 7.3).

Input, output, cost, errors and what was corrected: johnson.py beside this file.
"""

from __future__ import annotations

from apsp.methods.problem import Problem, Solver
from apsp.published.johnson import BLOCK, JohnsonOnGpu

__all__ = ["prepare"]


def prepare(problem: Problem, *, block: int = BLOCK) -> Solver:
    """See `Problem` and `Solver`; `block` threads a block."""
    return JohnsonOnGpu(problem, frontier="flag", block=block)
