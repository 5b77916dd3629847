"""Flows along shortest paths that the workers of an engine compute, a block of sources at a time."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from apsp.api.spread.job import Fixed
from apsp.api.spread.preparation import Preparation, Sharing, preparation_of
from apsp.api.streaming import RowOptions
from apsp.graph.model import Graph
from apsp.methods.flows.blocks import FlowPlan, flow_plan
from apsp.methods.flows.flows import Demand, Flows, flows
from apsp.methods.flows.kept import Kept
from apsp.methods.problem import IntArray, KernelProgress
from apsp.system.machine import threads_from
from apsp.system.progress import ProgressReport

__all__ = ["FlowBlocks", "FlowJob"]


@dataclass(frozen=True)
class FlowJob:
    """The flows of a demand, with the graph.

    Attributes
    ----------
    graph : Graph
    demand : Demand
    along : bool
        Those of arcs, too.
    cutoff : int, float or None
    split : bool
        Divide among all shortest paths.
    options : RowOptions
        device and threads; in a worker the method, too.
    kept : Kept
        What the blocks of a process share.
    """

    graph: Graph
    demand: Demand
    along: bool
    cutoff: float | None
    split: bool
    options: RowOptions
    kept: Kept = field(default_factory=Kept)

    @property
    def sources(self) -> IntArray:
        """All sources."""
        return self.demand.sources

    def planned(
        self, threads: int, sharing: Sharing | None, *, checked: bool = False
    ) -> tuple[FlowPlan, Preparation | None]:
        """Plan, with what other workers can use; see `Job.planned`. Negative cycles are errors of the blocks."""
        del checked
        decided = flow_plan(
            self.graph, len(self.sources), cutoff=self.cutoff, threads=threads, device=self._device, split=self.split
        )  # fmt: skip
        arrays, decided = decided.preparation, replace(decided, preparation={})
        return decided, None if sharing is None else preparation_of(self.graph, decided.method, arrays)

    def made(self, fixed: Fixed) -> FlowJob:
        """Return the same with what the plan has fixed."""
        return replace(self, options=RowOptions(**{**self.options, **fixed.options}))

    def flows(self, start: int, stop: int, *, along: bool, told: KernelProgress | None) -> Flows:
        """Compute the flows from some sources."""
        return flows(
            self.graph, self.demand.part(start, stop), along=along, threads=threads_from(self.options.get("threads")),
            device=self._device, cutoff=self.cutoff, split=self.split, by=self.options.get("method"),
            of_sources=len(self.sources), kept=self.kept, progress=told,
        )  # fmt: skip

    @property
    def _device(self) -> str:
        return self.options.get("device", "auto")


@dataclass(frozen=True)
class FlowBlocks:
    """The flows of a block of sources."""

    def __call__(self, made: FlowJob, start: int, stop: int, progress: ProgressReport) -> Flows:
        """Compute them."""
        count = stop - start
        return made.flows(start, stop, along=made.along, told=lambda done: progress("sources", done, count))
