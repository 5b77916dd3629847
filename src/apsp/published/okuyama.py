"""Task-parallel single-source problems on a GPU: N sources at once share the arcs in shared memory.

Source: Okuyama, Ino, Hagihara, "A task parallel algorithm for finding all-pairs shortest paths using the GPU", sections
5.1 (figures 7 to 9) and 5.2; the same kernel, P for N, in their "Accelerating all-pairs shortest path problem using
CUDA". Input: a graph without negative arcs. Output: as `Solver.fill`; paths by section 5.3 (recording.py). Cost: at
most n rounds per group of N sources, each with two launches of N n threads and a flag read by the host. Device memory:
(3 N + 1) n + 2 m elements, with paths n + 2 m more; O(B N) of shared memory per block. Raises MethodRefusedError for
negative arcs, RequestError for impossible N and B, DeviceError, MemoryLimitError.

Corrected: figure 9 stores at most N neighbours: longer adjacencies are loaded in pieces of N. Its implicit
synchronisation of a warp is a warp vote on today's GPUs, or a barrier of the block if N is larger than a warp. from[N],
to[N] are indexed by the vertex, so there are B of them. The minimum is atomic (on the bits of floats, which are not
negative); "no path" is half of the range of integers, so that no sum wraps.

The idea: the arcs out of v do not depend on the source, so the N threads of v load them together, one arc each, and Ma,
Ca, Ua are interleaved so that these threads access contiguous memory. Without shared memory (section 6.1, the paper's
ablation) each of the N threads of a vertex reads the arcs from device memory: only N sources at once and interleaved
arrays, which shows the effect of shared memory (1.2 to 1.4 times in the paper).
"""

from __future__ import annotations

import numpy as np

from apsp.gpu.page import Page
from apsp.methods.problem import Problem, Solver
from apsp.published.iterative_sssp import IterativeSssp
from apsp.published.task_size import TASKS, check_tasks, determine_tasks

__all__ = ["TASKS", "VERTICES", "expressions", "okuyama", "prepare"]

VERTICES = 4
"""B: vertices of a block."""


def prepare(problem: Problem, *, tasks: int | None = TASKS, vertices: int = VERTICES, shared: bool = True) -> Solver:
    """Prepare the method for a problem; `okuyama` describes the options."""
    return okuyama(problem, tasks=tasks, vertices=vertices, shared=shared)


def expressions(dtype: str, tasks: int = TASKS, vertices: int = VERTICES, *, shared: bool = True) -> tuple[str, str]:
    """The kernels of okuyama.cu: scattering (with or without shared memory) and checking."""
    from apsp.gpu.page import VALUES

    scatter = "okuyama_scatter" if shared else "okuyama_scatter_global"
    form = f"<{VALUES[dtype]}, {tasks}, {vertices}>"
    return f"apsp::{scatter}{form}", f"apsp::okuyama_check{form}"


def okuyama(
    problem: Problem, *, tasks: int | None = TASKS, vertices: int = VERTICES, shared: bool = True
) -> IterativeSssp:
    """The solver.

    Parameters
    ----------
    problem : Problem
    tasks : int or None
        N, a multiple of 32; fewer if device memory is short. None means as many as fit.
    vertices : int
        B, the vertices of a block.
    shared : bool
        False is the paper's version without shared memory.
    """
    from apsp.published.gpu_launches import GpuLaunches
    from apsp.published.one_gpu import free_on, only_gpu

    name = "okuyama" if shared else "okuyama-global"
    check_tasks(tasks, vertices)
    gpu, graph, dtype = only_gpu(name, problem), problem.graph, problem.dtype
    twins = int(graph.zones.sum()) if graph.zones is not None else 0
    n = graph.n + twins
    count = determine_tasks(n, graph.m, dtype.itemsize, free_on(gpu, problem), requested=tasks, vertices=vertices)
    block = count * vertices

    class Launches(GpuLaunches):
        """Launches with N B threads per block: B vertices in N problems."""

        def scatter(self, arcs: tuple[Page, ...], modified: Page, costs: Page, updates: Page) -> None:
            blocks = -(-len(costs) // vertices)
            self.scattering((blocks,), (block,), (*arcs, np.int32(len(costs)), modified, costs, updates))

        def check(self, modified: Page, costs: Page, updates: Page, flag: Page) -> None:
            blocks = -(-len(costs) // vertices)
            self.checking((blocks,), (block,), (np.int32(len(costs)), modified, costs, updates, flag))

    launches = Launches(gpu, dtype, "okuyama.cu", expressions(dtype.name, count, vertices, shared=shared))
    return IterativeSssp(name, problem, launches, tasks=count)
