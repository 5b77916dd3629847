"""Elimination with the sweeps on a GPU: a factor made by the CPU, distances where they stay.

Sources: as elimination.py; Sao, Kannan, Gera, Vuduc 2020, section 4 (dense work on a GPU).
Input: any graph, any of the five dtypes. Output: as `Solver.fill`. Cost: ordering and factor on all cores; then on the
GPU `row_pairs` and `climb_pairs` of `EliminationTree` for each source. Device memory: the factor, labels (for each lane
the distances to the vertices above its own, twice), and for rows, if they are not the whole matrix, as much again.
Raises NegativeCycleError with the cycle, DtypeRangeError.

The idea: supernodes of a level of the tree do not depend on each other, so a level is a launch of small dense (min,+)
products, whose long side is all sources. The whole matrix is written in place, a row a vertex; see cuda/elimination.py.

Negative floats whose rounding spoils the sums, and paths of such floats, are left to Johnson's method, as on the CPU.
"""

from __future__ import annotations

import functools
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from apsp.cuda.backend import on_gpu
from apsp.cuda.elimination_kernels import lanes_of_a_word
from apsp.place import gpu_of, is_on_gpu
from apsp.solvers.problem import IntArray, KernelProgress, Problem, RowSums, Solver
from apsp.solvers.sparse.elimination_tree import elimination_tree
from apsp.solvers.sparse.factor import Factor, factorise
from apsp.solvers.sparse.factor_on_gpu import FactorOnGpu, lanes_at_once
from apsp.solvers.sparse.left_to_host import johnson_on_host
from apsp.solvers.sparse.rows_on_gpu import RowsOnGpu, Search

__all__ = ["prepare"]


def prepare(problem: Problem) -> Solver:
    """See `Problem` and `Solver`. The factor is made here, so a negative cycle is raised here."""
    return _Elimination(problem)


class _Elimination:
    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        tree = elimination_tree(problem.graph, threads=problem.threads)
        assert tree is not None
        with ThreadPoolExecutor(1, "apsp-layout") as beside:  # the factor needs no interpreter
            beside.submit(tree.layout.prepare, lanes_of_a_word(problem.dtype))
            self.factor: Factor | None = factorise(problem.graph, problem.dtype, tree, threads=problem.threads)
        gpu = problem.gpus[0] if problem.gpus else 0
        self._height = lanes_at_once(problem.graph.n, problem.dtype.itemsize, gpu, problem.gpu_memory)
        self.rows = RowsOnGpu(problem, self._search, self._height)
        self.ran_on = "cuda"
        self._is_written = False  # the whole matrix, so that rows need no search

    def fill(self, sources: IntArray, dist: Any, pred: Any, progress: KernelProgress | None = None) -> None:
        """See `Solver.fill`. `ran_on` says where, afterwards."""
        graph, cutoff = self.problem.graph, self.rows.cutoff
        blurred = graph.has_negative_arc and self.problem.dtype.kind == "f"
        if self.factor is None or (pred is not None and blurred):
            self.ran_on = "cpu"
            johnson_on_host(self.problem, sources, dist, pred, progress)
            return
        self._is_written = self._is_whole_matrix(sources, dist) and not (cutoff is not None and cutoff < 0)
        if self._is_written:
            with on_gpu(self.rows.gpu):
                self._on_gpu.matrix(dist, progress)
        if not self._is_written or pred is not None or (cutoff is not None and graph.has_negative_arc):
            self.rows.fill(sources, dist, pred, progress)
        elif progress is not None:
            progress(len(sources))

    def measure(self, sources: IntArray, progress: KernelProgress | None = None) -> RowSums | None:
        """See `Solver`."""
        problem = self.problem
        cuts = self.rows.cutoff is not None and (problem.graph.has_negative_arc or self.rows.cutoff < 0)
        if self.factor is None or problem.targets is not None or problem.dtype.name not in ("uint16", "int32") or cuts:
            return None
        with on_gpu(self.rows.gpu):
            return self._on_gpu.measure(sources, self._height, progress)

    def _is_whole_matrix(self, sources: IntArray, dist: Any) -> bool:
        """All n x n distances, into memory of the GPU."""
        graph = self.problem.graph
        if not (is_on_gpu(dist) and gpu_of(dist) == self.rows.gpu and 0 < graph.n == len(sources)):
            return False
        whole = self.problem.targets is None and dist.strides[1] == dist.itemsize and not graph.has_terminals
        return whole and bool((sources == np.arange(graph.n)).all())

    @functools.cached_property
    def _on_gpu(self) -> FactorOnGpu:
        assert self.factor is not None
        return FactorOnGpu(self.factor, self.rows.cutoff)

    def _search(self, rows: RowsOnGpu) -> Search:
        def search(_: Any, dist: Any, targets: Any) -> None:
            if not self._is_written:
                self._on_gpu.rows(rows.sources, dist, None if targets is None else self.problem.targets)

        return search
