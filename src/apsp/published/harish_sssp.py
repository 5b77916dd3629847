"""Single-source problems one after another on a GPU, with one thread per vertex.

Source: Harish, Narayanan 2007, as described by Okuyama, Ino, Hagihara, section 4, figures 3 to 5. Input: a graph
without negative arcs. Output: as `Solver.fill`. Cost: at most n rounds per source, each with two launches of n threads
and a flag read by the host; n m operations per source at worst. Device memory: Va, Ea, Wa, Ma, Ca, Ua, that is 4 n + 2
m elements. Raises MethodRefusedError for negative arcs, DeviceError, MemoryLimitError.

Corrected: figure 5 reads Wa[n] where Wa[i] is meant; its minimum is atomic, as in the text (on the bits of
floats, which are not negative); "no path" is half of the range of integers, so that no sum wraps; arcs of length zero.
The paper computes costs alone: paths are recorded as Okuyama et al. do (section 5.3), with N = 1.

The idea: see iterative_sssp.py. All vertices whose cost fell relax their arcs, in any order.
"""

from __future__ import annotations

import numpy as np

from apsp.errors import MemoryLimitError
from apsp.gpu.page import Page
from apsp.methods.problem import Problem, Solver
from apsp.published.iterative_sssp import IterativeSssp
from apsp.published.task_size import device_bytes

__all__ = ["THREADS", "expressions", "prepare"]

THREADS = 256
"""Threads of a block."""


def prepare(problem: Problem, *, threads: int = THREADS) -> Solver:
    """Prepare the method for a problem; blocks of `threads`."""
    return harish_sssp(problem, threads=threads)


def expressions(dtype: str) -> tuple[str, str]:
    """The kernels of harish_sssp.cu: scattering and checking."""
    from apsp.gpu.page import VALUES

    return f"apsp::harish_scatter<{VALUES[dtype]}>", f"apsp::harish_check<{VALUES[dtype]}>"


def harish_sssp(problem: Problem, *, threads: int = THREADS) -> IterativeSssp:
    """The solver with blocks of `threads`."""
    from apsp.published.gpu_launches import GpuLaunches
    from apsp.published.one_gpu import free_on, only_gpu

    gpu = only_gpu("harish-sssp", problem)

    class Launches(GpuLaunches):
        """Launches with one thread per vertex."""

        def scatter(self, arcs: tuple[Page, ...], modified: Page, costs: Page, updates: Page) -> None:
            n = len(costs)
            self.scattering((-(-n // threads),), (threads,), (*arcs, np.int32(n), modified, costs, updates))

        def check(self, modified: Page, costs: Page, updates: Page, flag: Page) -> None:
            n = len(costs)
            self.checking((-(-n // threads),), (threads,), (np.int32(n), modified, costs, updates, flag))

    solver = IterativeSssp(
        "harish-sssp", problem, Launches(gpu, problem.dtype, "harish_sssp.cu", expressions(problem.dtype.name)), tasks=1
    )
    needed, free = device_bytes(solver.lists.n, problem.graph.m, problem.dtype.itemsize, 1), free_on(gpu, problem)
    if needed > free:
        raise MemoryLimitError(
            f"the arcs and one source on GPU {gpu}", needed, free, ["a narrower dtype", "method='dijkstra' on the CPU"]
        )
    return solver
