"""Polygons of isochrones as a measure job: searches up to the longest cutoff, and polygons around what they find."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import Any, Self

from apsp.api.within.job import WithinJob
from apsp.facts.request import Request
from apsp.graph.model import Graph
from apsp.graph.shapes.systems import CoordinateSystem
from apsp.measures.areas.areas import IsochroneAreas
from apsp.measures.areas.polygons import Outlines
from apsp.measures.areas.trails import Trails
from apsp.methods.problem import IntArray, KernelProgress
from apsp.methods.source_cost import SourceCost
from apsp.planning.plan import Plan
from apsp.planning.sources import plan_of_sources, rows_in
from apsp.running.measure_job import MeasureJob
from apsp.running.workers.parts import TASKS_PER_WORKER

__all__ = ["AreaJob"]

_PAIR_BYTES = 120
"""Bytes of a polygon per vertex that is within its cutoff, about."""

_BLOCK_BYTES = 32 << 20
"""Bytes of the polygons of a block, and of a task, which come back from a worker."""

_SECONDS_PAIR = 4e-5
"""Time of a polygon per vertex within its cutoff, as far as the size of tasks depends on it."""

_TASK_SECONDS = 2.0


class Arranged:
    """The trails of a job, which its parts in one process share; copies and pickles are empty."""

    def __init__(self) -> None:
        self.trails: Trails | None = None

    def __reduce__(self) -> tuple[type[Arranged], tuple[()]]:
        return Arranged, ()


@dataclass(frozen=True)
class AreaJob(MeasureJob[None, Any]):
    """A request for polygons, with the graph; other attributes are those of `MeasureJob`.

    Attributes
    ----------
    near : WithinJob
        The searches up to the longest cutoff.
    cutoffs : tuple of int or float
    outlines : Outlines
    system : CoordinateSystem
        What the coordinates of the polygons are.
    cache : Arranged
    """

    stage = "isochrones"

    graph: Graph
    sources: IntArray
    targets: None
    cutoff: float
    options: Request
    near: WithinJob
    cutoffs: tuple[int | float, ...]
    outlines: Outlines
    system: CoordinateSystem
    cache: Arranged = field(default_factory=Arranged)

    @property
    def _pairs(self) -> float:
        """Vertices within a cutoff of a source, of all cutoffs."""
        return max(self.near.pairs_of_source, 1.0) * len(self.cutoffs)

    def plan(self, threads: int) -> Plan:
        """Plan searches, from an estimate of what is near."""
        row = self._pairs * _SECONDS_PAIR / threads
        cost = SourceCost("searches", "cpu", 1, 0.0, row, row, len(self.sources) * row)
        return plan_of_sources(cost, threads, "within", self.near.dtype)

    def prepare(self, options: Request, prepared: None = None) -> Self:
        """Return the same with what the plan has fixed."""
        return replace(self, options=options, near=self.near.prepare(options, prepared))

    def chunk(self, plan: Plan, workers: int) -> int:
        """Sources of some seconds, whose polygons are not too many to be sent."""
        if self.options.rows is not None:
            return self.options.rows
        share = math.ceil(len(self.sources) / (TASKS_PER_WORKER * workers))
        return max(min(share, self.block_rows, rows_in(plan, _TASK_SECONDS)), 1)

    @property
    def block_rows(self) -> int:
        """Sources of a block of a stream."""
        return self.options.rows or max(int(_BLOCK_BYTES / (self._pairs * _PAIR_BYTES)), 1)

    def part(self, start: int, stop: int, progress: KernelProgress | None) -> Any:
        """Polygons of some sources, (stop - start, c) objects of shapely."""
        if self.cache.trails is None:
            self.cache.trails = Trails.of(self.graph, self.outlines.frame)
        found = self.near.part(start, stop, None)
        return self.outlines.around(
            self.graph, self.cache.trails, self.sources[start:stop], found, self.cutoffs, self.cores, progress
        )

    def areas_of(self, polygons: Any, sources: IntArray) -> IsochroneAreas:
        """Return the polygons of some sources."""
        return IsochroneAreas(self.graph.labels, sources, self.cutoffs, polygons, self.system)
