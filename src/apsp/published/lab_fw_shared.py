"""Floyd-Warshall of the course laboratory with the pieces of row k and column k in shared memory.

Source: Belinguier, Grahn, "All Pairs Shortest Path Problem in CUDA", sections 4 and 5.4, appendix 7.3 and 7.4. Input,
output, cost and errors: as lab_fw.py, with 2 accesses to global memory a thread. Mended, beyond lab_fw.py: in the
listing both pieces are the same dynamic shared memory, and the piece of column k is loaded by the threads of one row
and stored at their column; here they lie apart, and each thread loads what its own row or column needs.

The idea: the threads of a block read the same few entries of row k and column k, so one of them loads each.
"""

from __future__ import annotations

from apsp.methods.problem import Problem, Solver
from apsp.published.lab_fw import BLOCK, LabFloydWarshall

__all__ = ["prepare"]


def prepare(problem: Problem, *, block: int = BLOCK) -> Solver:
    """See `Problem` and `Solver`; blocks of `block` threads in each direction."""
    return LabFloydWarshall(problem, block=block, shared=True)
