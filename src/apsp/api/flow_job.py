"""Flows between all sources and targets, in blocks of sources whose sums are added in their order."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from apsp._types import JsonObject
from apsp.facts.request import Request
from apsp.graph.model import Graph
from apsp.methods.flows.blocks import FlowSums
from apsp.methods.flows.cost import FlowWork
from apsp.methods.flows.flows import Demand, Flows, flows
from apsp.methods.problem import IntArray, KernelProgress
from apsp.planning.plan import Plan
from apsp.running.measure_job import MeasureJob
from apsp.store.header import Arrays, StoreHeader
from apsp.system.cached import PartsCache

if TYPE_CHECKING:
    from apsp.store.reading import StoredArrays

__all__ = ["FlowJob", "demand_digest"]

_ENTRIES = 1 << 22
"""Entries of a demand that are looked at at a time, for its digest."""


@dataclass(frozen=True)
class FlowJob(MeasureJob[FlowSums, Flows]):
    """The flows of a demand, with the graph; other attributes are those of `MeasureJob`.

    Attributes
    ----------
    demand : Demand
        For workers and stores with increasing targets in every row, so that sums over a row have the same bits.
    measure : dict
        The name of the measure, and what distinguishes its request from others, beside the demand.
    targets : (T,) int32 or None
        Increasing; None means all.
    along : bool
        Those of arcs, too.
    split : bool
        Divide among all shortest paths.
    """

    purpose, stage = "flows", "sources"
    in_order = True
    dtype = np.dtype(np.float64)

    graph: Graph
    demand: Demand
    options: Request
    measure: JsonObject
    targets: IntArray | None = None
    along: bool = True
    cutoff: float | None = None
    split: bool = True
    cache: PartsCache = field(default_factory=PartsCache)

    @property
    def sources(self) -> IntArray:  # type: ignore[override]
        """All sources."""
        return self.demand.sources

    def empty(self) -> FlowSums:
        """Return the sums over no source."""
        return FlowSums(self.graph, len(self.sources), along=self.along)

    @property
    def work(self) -> FlowWork:
        """What the choice depends on."""
        return FlowWork(self.graph, len(self.sources), self.cutoff, self.split)

    def chunk(self, plan: Plan, workers: int) -> int:  # noqa: ARG002
        """A block, on which the bits depend."""
        return plan.block_rows

    def part(self, start: int, stop: int, progress: KernelProgress | None) -> Flows:
        """Compute the flows from some sources."""
        return self._flows(self.demand.part(start, stop), progress, self.cache)

    def fill(self, found: FlowSums, progress: KernelProgress | None) -> None:
        """Compute all flows at once, for which nothing is kept."""
        found.add(0, self._flows(self.demand, progress, None))

    def _flows(self, demand: Demand, progress: KernelProgress | None, cache: PartsCache | None) -> Flows:
        return flows(
            self.graph, demand, self.choice(), along=self.along, threads=self.cores, cutoff=self.cutoff,
            split=self.split, cache=cache, progress=progress,
        )  # fmt: skip

    def merge(self, found: FlowSums, start: int, part: Flows) -> None:
        """Add the sums of a block."""
        found.add(start, part)

    def identity(self) -> JsonObject:
        """The measure, and a demand that the targets do not tell."""
        return self.measure if self.demand.start is None else self.measure | {"demand": demand_digest(self.demand)}

    def band_rows(self, plan: Plan, workers: int) -> int:  # noqa: ARG002
        """A block, on which the bits depend."""
        return plan.block_rows

    def layout(self) -> Arrays:
        """A row of each sum per block; of what is served an entry per source."""
        of_vertices, of_arcs = ("float64", "band", self.graph.n), ("float64", "band", self.graph.m)
        along = {"along": of_arcs} if self.along else {}
        return {"served": ("float64", "row", 1), "through": of_vertices, **along, "arrived": of_vertices}

    def of_store(self, header: StoreHeader) -> FlowJob:
        """With the method, on which the bits depend, and the flows of arcs if the store keeps them."""
        return replace(super().of_store(header), along="along" in header.extra)

    def encode(self, part: Flows, header: StoreHeader) -> dict[str, Any]:
        """Return the sums of a block."""
        return {
            name: np.ascontiguousarray(part.served[:, None] if name == "served" else getattr(part, name)[None])
            for name in header.arrays
        }

    def decode(self, found: FlowSums, stored: StoredArrays) -> None:
        """Add all blocks."""
        sums = {name: stored.bands(name) for name in ("through", "arrived", *(["along"] if self.along else []))}
        served, header, start = stored.array("served")[:, 0] if len(self.sources) else np.zeros(0), stored.header, 0
        for rows in zip(*sums.values(), strict=True):
            of_block = {name: row[0] for name, row in zip(sums, rows, strict=True)}
            stop = start + header.band_rows
            found.add(
                start,
                Flows(
                    of_block["through"], of_block["arrived"], served[start:stop], of_block.get("along"), header.method,
                    header.device,
                ),
            )  # fmt: skip
            start = stop


def demand_digest(demand: Demand) -> str:
    """Return text that is the same for the same demand by rows with increasing targets, however it is stored.

    Entries that have no flow do not count: zeros, and the demand of a vertex to itself.
    """
    assert demand.start is not None
    parts = {name: hashlib.sha256() for name in ("counts", "targets", "values")}
    count, most = len(demand.sources), int(np.diff(demand.start).max(initial=0))
    height = max(_ENTRIES // max(most, 1), 1)
    for begin in range(0, count, height):
        part = demand.part(begin, min(begin + height, count)).with_targets()
        assert part.start is not None
        assert part.targets is not None
        assert part.values is not None
        row = np.repeat(np.arange(len(part.sources)), np.diff(part.start))
        served = (part.values > 0) & (part.targets != part.sources[row])
        arrays = np.bincount(row[served], minlength=len(part.sources)), part.targets[served], part.values[served]
        for (_, found), array, kind in zip(parts.items(), arrays, ("<i8", "<i4", "<f8"), strict=True):
            found.update(array.astype(kind).tobytes())
    return hashlib.sha256(b"".join(found.digest() for found in parts.values())).hexdigest()
