"""The task-parallel algorithm without shared memory: the ablation of its paper.

Source: Okuyama, Ino, Hagihara, section 6.1 ("an unshared version of the proposed method that uses device memory instead
of shared memory"). Everything but the scattering kernel is as in okuyama.py: each of the N threads of a vertex reads
the arcs from device memory, and neither `ms` nor pieces are needed. Cost, memory, errors, what was corrected: as there.

The idea: N sources at once and interleaved arrays alone, to see what shared memory adds (1.2 to 1.4 times then).
"""

from __future__ import annotations

from apsp.methods.problem import Problem, Solver
from apsp.published.okuyama import VERTICES, okuyama
from apsp.published.task_size import TASKS

__all__ = ["prepare"]


def prepare(problem: Problem, *, tasks: int | None = TASKS, vertices: int = VERTICES) -> Solver:
    """See `Problem` and `Solver`, and `okuyama` for the options."""
    return okuyama(problem, tasks=tasks, vertices=vertices, shared=False)
