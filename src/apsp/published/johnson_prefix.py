"""Johnson (Batool, Mehdi), frontiers kept as a queue filled by prefix sums (section 7.4, figure 7).

Input, output, cost, errors and what was corrected: johnson.py beside this file.
"""

from __future__ import annotations

from apsp.methods.problem import Problem, Solver
from apsp.published.johnson import BLOCK, JohnsonOnGpu

__all__ = ["prepare"]


def prepare(problem: Problem, *, block: int = BLOCK) -> Solver:
    """See `Problem` and `Solver`; `block` threads a block."""
    return JohnsonOnGpu(problem, frontier="prefix", block=block)
