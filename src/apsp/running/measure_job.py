"""What is computed per source by methods of its own, and what is kept of it: flows, skims, pairs and areas.

A measure job does not know where the sources are computed; `run_job` does.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Self, TypeVar

import numpy as np

from apsp._types import JsonObject
from apsp.facts.request import Request
from apsp.graph.model import Graph
from apsp.methods.problem import IntArray, KernelProgress
from apsp.methods.source_cost import SourceChoice, SourceWork
from apsp.planning.plan import Plan
from apsp.planning.sources import choose, cost_of, plan_of_sources, rows_in
from apsp.running.workers.parts import TASKS_PER_WORKER
from apsp.store.header import Arrays, StoreHeader
from apsp.store.layout import band_rows
from apsp.system.cached import PartsCache
from apsp.system.machine import Machine, threads_from, usable

if TYPE_CHECKING:
    from apsp.running.workers.preparation import Preparation, Sharing
    from apsp.store.reading import StoredArrays

__all__ = ["MeasureJob"]


Found = TypeVar("Found")
Part = TypeVar("Part")

_TASK_SECONDS, _BAND_SECONDS = 2.0, 30.0
"""Planned time of a task, and of a band of a store: what an interruption costs."""

_BLOCK_ROWS = 1 << 20
"""Of a block of a stream, at most."""

_BANDS_AT_ONCE = 4
"""One is computed while those before it are compressed and written."""


class MeasureJob(Generic[Found, Part]):
    """Work per source, with the graph; a subclass is a dataclass. It travels to workers once.

    Attributes
    ----------
    purpose : str
        As of `apsp.planning.sources.choose`.
    stage : str
        As progress shows it.
    dtype : numpy dtype
        Of what is computed.
    in_order : bool
        Parts are merged in the order of the sources, on which the bits of sums depend.
    task_bytes : int
        Most bytes that a task returns, if it has more than one source.
    block_bytes : int
        Most bytes of a block of a stream, if it has more than one source.
    copies : int
        How often what is kept of a band is in memory while it is computed.
    sources : (S,) int32
        Positions.
    targets : (T,) int32 or None
        Positions; None means all n vertices.
    options : Request
        device, threads, executor, store and progress; in a worker the method, too.
    """

    purpose: ClassVar[str]
    stage: ClassVar[str]
    in_order: ClassVar[bool] = False
    any_threads: ClassVar[bool] = True
    task_bytes: ClassVar[int] = 64 << 20
    block_bytes: ClassVar[int] = 32 << 20
    copies: ClassVar[int] = 1
    graph: Graph
    sources: IntArray
    targets: IntArray | None
    options: Request
    dtype: np.dtype[Any]
    cutoff: float | None
    cache: PartsCache

    @property
    def device(self) -> str:
        """As requested."""
        return self.options.named_device

    @property
    def threads(self) -> int | None:
        """As requested."""
        return self.options.threads

    @property
    def method(self) -> str | None:
        """That of the plan; None before there is one."""
        return None if self.options.method == "auto" else self.options.method

    @property
    def cores(self) -> int:
        """The number of threads."""
        return threads_from(self.threads)

    @property
    def work(self) -> SourceWork:
        """What the choice of the method depends on."""
        raise NotImplementedError

    def plan(self, threads: int) -> Plan:
        """Plan for the machine where this is called; the method does not depend on the number of threads of its CPU."""
        cost = cost_of(self.purpose, self.work, device=self.device, threads=threads, by=self.method)
        return plan_of_sources(cost, threads, self.purpose, self.dtype)

    def choice(self) -> SourceChoice:
        """Return the method, and where it computes."""
        return choose(self.purpose, self.work, device=self.device, threads=self.cores, by=self.method)

    def planned(
        self, threads: int, sharing: Sharing | None, *, checked: bool = False
    ) -> tuple[Plan, Preparation | None]:
        """Plan, with what other workers can use; see `RowJob.planned`. Negative cycles are errors of the parts."""
        del checked
        plan = self.plan(threads)
        if sharing is None:
            return plan, None
        from apsp.running.workers.preparation import (
            preparation_of,  # with the first executor: `import apsp` stays quick
        )

        cost = plan.per_source
        assert cost is not None
        sent = replace(plan, per_source=replace(cost, preparation={}))
        return sent, preparation_of(self.graph, plan.method, cost.preparation)

    def begin(self) -> tuple[Plan, None]:
        """Plan for this process, for which nothing is prepared."""
        return self.plan(self.cores), None

    def prepare(self, options: Request, prepared: None = None) -> Self:
        """Return the same with what the plan has fixed."""
        del prepared
        return replace(self, options=options)  # type: ignore[type-var]

    def chunk(self, plan: Plan, workers: int) -> int:
        """Return the sources of a task: those of a block, or some seconds of them, with results that can be sent."""
        share = math.ceil(len(self.sources) / (TASKS_PER_WORKER * workers))
        return self.options.rows or max(min(share, self._rows_of(self.task_bytes), rows_in(plan, _TASK_SECONDS)), 1)

    @property
    def row_bytes(self) -> float:
        """Bytes of what is kept of a source, about."""
        raise NotImplementedError

    def _rows_of(self, size: int) -> int:
        return max(int(size / max(self.row_bytes, 1)), 1)

    def parts(self, plan: Plan, workers: int) -> list[tuple[int, int]]:
        """Return the sources of each task (start, stop)."""
        count, height = len(self.sources), self.chunk(plan, workers)
        return [(start, min(start + height, count)) for start in range(0, count, height)]

    def part(self, start: int, stop: int, progress: KernelProgress | None) -> Part:
        """Compute some sources."""
        raise NotImplementedError

    def merge(self, found: Found, start: int, part: Part) -> None:
        """Add a part whose first source has this number."""
        raise NotImplementedError

    def fill(self, found: Found, progress: KernelProgress | None) -> None:
        """Compute all sources at once."""
        self.merge(found, 0, self.part(0, len(self.sources), progress))

    # -- by blocks ---------------------------------------------------------------------------------------------------

    @property
    def block_rows(self) -> int:
        """Sources of a block that this process computes; those of workers have the sources of a task."""
        return self.options.rows or min(self._rows_of(self.block_bytes), _BLOCK_ROWS)

    def without(self, done: int) -> Self:
        """Return the same without the first sources."""
        return replace(self, sources=self.sources[done:])  # type: ignore[type-var]

    def block(self, start: int, part: Part) -> Any:
        """Return a part, whose first source has this number, as a result of so many sources as its length."""
        raise NotImplementedError

    # -- in a store --------------------------------------------------------------------------------------------------

    @property
    def pinned(self) -> bool:
        """Whether the bits of a store depend on the method and the device: see `StoreHeader`."""
        return False

    def identity(self) -> JsonObject:
        """Return what distinguishes two requests, beside the graph, the sources, the targets and the cutoff."""
        raise NotImplementedError

    def band_rows(self, plan: Plan, workers: int) -> int:
        """Return the sources of a band: tens of mebibytes, unless they take long or do not fit into memory."""
        size = math.ceil(max(self.row_bytes, 1))
        fitting = usable(Machine.detect()) // (_BANDS_AT_ONCE * self.copies * size)
        most = max(min(rows_in(plan, _BAND_SECONDS), fitting), 1)
        return self.options.rows or band_rows(len(self.sources), 1, size, most, workers)

    def layout(self) -> Arrays:
        """Return the arrays of a store, as `StoreHeader.extra`."""
        raise NotImplementedError

    def of_store(self, header: StoreHeader) -> Self:
        """Return the same with what the store has fixed."""
        return self.prepare(replace(self.options, method=header.method))

    def encode(self, part: Part, header: StoreHeader) -> dict[str, Any]:
        """Return a part as the arrays of a store."""
        raise NotImplementedError

    def decode(self, found: Found, stored: StoredArrays) -> None:
        """Add all sources of a store."""
        raise NotImplementedError
