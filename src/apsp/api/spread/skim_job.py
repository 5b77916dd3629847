"""Skims that the workers of an engine compute, a band of sources at a time."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt

from apsp.api.skims.intrazonal import fill_half_nearest
from apsp.api.spread.job import Fixed
from apsp.api.spread.preparation import Preparation, Sharing, preparation_of
from apsp.api.streaming import RowOptions
from apsp.graph.model import Graph
from apsp.methods.problem import IntArray, KernelProgress
from apsp.methods.skims.bands import KeptSolver, SkimPlan, skim_plan
from apsp.methods.skims.choice import chosen
from apsp.methods.skims.skims import SkimSolver
from apsp.system.machine import threads_from
from apsp.system.progress import ProgressReport

__all__ = ["SkimBands", "SkimJob"]


@dataclass(frozen=True)
class SkimJob:
    """A request for skims, with the graph.

    Attributes
    ----------
    graph : Graph
    costs : (m, K) float64
    sources, targets : int32
        Positions of all rows and columns.
    half_nearest : bool
        Costs within a zone are half of those to the nearest other one.
    options : RowOptions
        device and threads; in a worker the method, too.
    kept : KeptSolver
        What the bands of a process share.
    """

    graph: Graph
    costs: npt.NDArray[np.float64]
    sources: IntArray
    targets: IntArray
    half_nearest: bool
    options: RowOptions
    kept: KeptSolver = field(default_factory=KeptSolver)

    @property
    def shape(self) -> tuple[int, int, int]:
        """Of all matrices."""
        return self.costs.shape[1], len(self.sources), len(self.targets)

    def planned(
        self, threads: int, sharing: Sharing | None, *, checked: bool = False
    ) -> tuple[SkimPlan, Preparation | None]:
        """Plan, with what other workers can use; see `Job.planned`. There are no negative cycles."""
        del checked
        decided = skim_plan(self.graph, self.shape, by=self.options.get("method"), device=self._device, threads=threads)
        arrays, decided = decided.preparation, replace(decided, preparation={})
        return decided, None if sharing is None else preparation_of(self.graph, decided.method, arrays)

    def made(self, fixed: Fixed) -> SkimJob:
        """Return the same with what the plan has fixed."""
        return replace(self, options=RowOptions(**{**self.options, **fixed.options}))

    def matrices(self, start: int, stop: int, told: KernelProgress | None) -> npt.NDArray[np.float64]:
        """Compute the rows of some sources: (K, stop - start, T)."""
        out = np.empty((self.shape[0], stop - start, self.shape[2]))
        self._solver().fill(self.sources[start:stop], out, told)
        if self.half_nearest:
            fill_half_nearest(out, self.sources[start:stop], self.targets)
        return out

    def _solver(self) -> SkimSolver:
        by, threads = self.options.get("method"), threads_from(self.options.get("threads"))

        def make() -> SkimSolver:
            choice = chosen(self.graph, self.shape, by=by, device=self._device, threads=threads)
            return SkimSolver(self.graph, self.costs, self.targets, choice, threads)

        return self.kept.solver((by, self._device, threads), make)

    @property
    def _device(self) -> str:
        return self.options.get("device", "auto")


@dataclass(frozen=True)
class SkimBands:
    """The rows of a band of sources."""

    def __call__(self, made: SkimJob, start: int, stop: int, progress: ProgressReport) -> npt.NDArray[np.float64]:
        """Compute them."""
        return made.matrices(start, stop, lambda done: progress("skims", done, stop - start))
