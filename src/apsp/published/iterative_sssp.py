"""The iteration of the methods of Harish, Narayanan and of Okuyama, Ino, Hagihara: scatter, check, repeat.

Source: Okuyama, Ino, Hagihara, figures 3 and 7 (N = 1 is figure 3), sections 5.1 and 5.3. Input: a graph without
negative arcs. Output: as `Solver.fill`. Cost: two launches per round, at most n rounds per group of N sources, and a
flag that the host reads after each round; (3 N + 1) n + 2 m elements of device memory, with paths n + 2 m more. Raises
MethodRefusedError, DeviceError, MemoryLimitError.

The idea: vertices whose cost fell update their neighbours (scattering); lower costs are accepted, and their vertices
marked for the next round (checking); if no vertex is marked, the costs have converged.
"""

from __future__ import annotations

import time
from contextlib import AbstractContextManager
from typing import Any, Protocol

import numpy as np

from apsp.gpu.cutoff import is_longer
from apsp.gpu.page import Page
from apsp.gpu.traffic import fetched, first_of, sent
from apsp.methods.problem import IntArray, KernelProgress, Problem, Solver
from apsp.methods.rows.request import fill_empty, refuse_negative_arcs
from apsp.published.arc_lists import largest, lists_of
from apsp.published.recording import inverted, parents_in
from apsp.semiring import NO_VERTEX, unreachable
from apsp.system.array_device import is_on_gpu

__all__ = ["IterativeSssp", "Kernels"]


class Kernels(Protocol):
    """The launches of a method; arrays are of `module`, on the device that does the work."""

    module: Any

    def here(self) -> AbstractContextManager[None]:
        """Return a context in which arrays are allocated and kernels run."""

    def scatter(self, arcs: tuple[Page, ...], modified: Page, costs: Page, updates: Page) -> None:
        """Update the neighbours of modified vertices; arrays are (n, N)."""

    def check(self, modified: Page, costs: Page, updates: Page, flag: Page) -> None:
        """Accept lower costs, mark them, and set the flag (1,) int32 if there are any."""

    def record(
        self, inverse: tuple[Page, ...], first: Page, costs: Page, no_path: Any, parents: Page, flag: Page
    ) -> None:
        """Write the parents (n, N) int32 found so far, and set the flag if some are missing."""


class IterativeSssp(Solver):
    """The solver.

    Parameters
    ----------
    name : str
        Name of the method, for its errors.
    problem : Problem
    kernels : Kernels
    tasks : int
        N, the single-source problems at once.

    Attributes
    ----------
    timings : dict
        Of the last `fill`: seconds of 'costs' (scattering and checking), 'recording' and 'output' (copies of the
        results to the host), 'kernels' = costs + recording, 'recording_share' = recording / costs, and counts of
        'rounds' and 'launches'.
    """

    def __init__(self, name: str, problem: Problem, kernels: Kernels, *, tasks: int) -> None:
        refuse_negative_arcs(name, problem.graph)
        self.problem, self.kernels, self.tasks = problem, kernels, tasks
        self.cutoff = problem.cutoff
        self.infinity = largest(problem.dtype)
        self.lists = lists_of(problem.graph, problem.dtype)
        self.timings: dict[str, float] = {}

    def fill(self, sources: IntArray, dist: Any, pred: Any, progress: KernelProgress | None = None) -> None:
        """Write distances from the sources and, if requested, their predecessors: N sources at a time."""
        self.timings = {"costs": 0.0, "recording": 0.0, "output": 0.0, "rounds": 0, "launches": 0}
        if self.cutoff is not None and self.cutoff < 0:
            fill_empty(self.problem, dist, pred)
            return
        with self.kernels.here():
            self._fill_groups(sources, dist, pred, progress)
        costs = self.timings["costs"]
        self.timings["kernels"] = costs + self.timings["recording"]
        self.timings["recording_share"] = self.timings["recording"] / costs if costs else 0.0

    def _fill_groups(self, sources: IntArray, dist: Any, pred: Any, progress: KernelProgress | None) -> None:
        xp, lists, shape = self.kernels.module, self.lists, (self.lists.n, self.tasks)
        arcs = tuple(sent(array) for array in (lists.start, lists.heads, lists.lengths))
        inverse = None
        if pred is not None and len(sources):
            inverse = tuple(sent(array) for array in inverted(lists.start, lists.heads, lists.lengths))
        modified, costs = xp.empty(shape, dtype=np.int32), xp.empty(shape, dtype=self.problem.dtype)
        updates, flag = xp.empty_like(costs), xp.zeros(1, dtype=np.int32)
        for begin in range(0, len(sources), self.tasks):
            group = sources[begin : begin + self.tasks]
            rows = slice(begin, begin + len(group))
            before = time.perf_counter()
            self._converge(arcs, group, modified, costs, updates, flag)
            converged = time.perf_counter()
            parents = None
            if inverse is not None:
                parents = self._record(inverse, group, costs, updates, flag)
            recorded = time.perf_counter()
            self._hand_over(group, costs, parents, dist[rows], None if pred is None else pred[rows])
            self.timings["costs"] += converged - before
            self.timings["recording"] += recorded - converged
            self.timings["output"] += time.perf_counter() - recorded
            if progress is not None:
                progress(begin + len(group))

    def _converge(
        self, arcs: tuple[Page, ...], group: IntArray, modified: Page, costs: Page, updates: Page, flag: Page
    ) -> None:
        """Figure 7: the final costs from the sources of a group."""
        xp = self.kernels.module
        modified[...] = 0
        costs[...] = self.infinity
        updates[...] = self.infinity
        first, task = sent(self.lists.twin[group]), xp.arange(len(group))
        costs[first, task] = 0
        modified[first, task] = 1
        while True:
            flag[...] = 0
            self.kernels.scatter(arcs, modified, costs, updates)
            self.kernels.check(modified, costs, updates, flag)
            self.timings["rounds"] += 1
            self.timings["launches"] += 2
            if not first_of(flag):
                return

    def _record(self, inverse: tuple[Page, ...], group: IntArray, costs: Page, updates: Page, flag: Page) -> Page:
        """Section 5.3: the parents, in the memory of the updates."""
        first = np.full(self.tasks, NO_VERTEX, dtype=np.int32)
        first[: len(group)] = self.lists.twin[group]
        parents = parents_in(updates)
        parents[...] = NO_VERTEX
        sources = sent(first)
        while True:
            flag[...] = 0
            self.kernels.record(inverse, sources, costs, self.infinity, parents, flag)
            self.timings["launches"] += 1
            if not first_of(flag):
                return parents

    def _hand_over(self, group: IntArray, costs: Page, parents: Page | None, dist: Any, pred: Any) -> None:
        """Copy rows from the interleaved arrays: public values, the cutoff, the requested columns."""
        xp, n, count = self.kernels.module, self.problem.graph.n, len(group)
        row, source = xp.arange(count), sent(group)
        rows = xp.ascontiguousarray(costs[:n, :count].T)
        rows[row, source] = 0  # the search from a zone started at its twin
        beyond = rows >= self.infinity
        if self.cutoff is not None:
            beyond |= is_longer(rows, rows.dtype.type(self.cutoff))
        rows[beyond] = unreachable(rows.dtype)
        if self.problem.targets is not None:
            rows = rows[:, sent(self.problem.targets)]
        _put(rows, dist)
        if parents is not None:
            before = xp.ascontiguousarray(parents[:n, :count].T)
            none = before < 0
            before = sent(self.lists.original)[xp.maximum(before, 0)]
            before[none | beyond] = NO_VERTEX
            before[row, source] = NO_VERTEX
            _put(before, pred)


def _put(rows: Page, target: Any) -> None:
    """Copy rows of `module` into an array on the host or on the GPU."""
    target[...] = rows if is_on_gpu(target) else fetched(rows)
