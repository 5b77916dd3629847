"""What is computed per source by methods of its own, and what is kept of it: flows and skims.

A measure job does not know where the sources are computed; `run_job` does.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Self, TypeVar

from apsp._types import JsonObject
from apsp.facts.request import Request
from apsp.graph.model import Graph
from apsp.methods.problem import IntArray, KernelProgress
from apsp.planning.plan import Plan
from apsp.store.header import Arrays, StoreHeader
from apsp.system.machine import threads_from

if TYPE_CHECKING:
    from apsp.running.storing.reading import StoredArrays
    from apsp.running.workers.preparation import Preparation, Sharing

__all__ = ["MeasureJob"]


Found = TypeVar("Found")
Part = TypeVar("Part")


class MeasureJob(Generic[Found, Part]):
    """Work per source, with the graph; a subclass is a dataclass. It travels to workers once.

    Attributes
    ----------
    stage : str
        As progress shows it.
    in_order : bool
        Parts are merged in the order of the sources, on which the bits of sums depend.
    graph : Graph
    sources : (S,) int32
        Positions.
    targets : (T,) int32 or None
        Positions; None means all n vertices.
    options : Request
        device, threads, executor, store and progress; in a worker the method, too.
    cutoff : int, float or None
    """

    stage: ClassVar[str]
    in_order: ClassVar[bool] = False
    any_threads: ClassVar[bool] = True
    graph: Graph
    sources: IntArray
    targets: IntArray | None
    options: Request
    cutoff: float | None

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

    def plan(self, threads: int) -> Plan:
        """Plan for the machine where this is called, with so many threads of its CPU."""
        raise NotImplementedError

    def planned(
        self, threads: int, sharing: Sharing | None, *, checked: bool = False
    ) -> tuple[Plan, Preparation | None]:
        """Plan, with what other workers can use; see `Job.planned`. Negative cycles are errors of the parts."""
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
        """Return the sources of a task of workers."""
        raise NotImplementedError

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

    # -- in a store --------------------------------------------------------------------------------------------------

    @property
    def pinned(self) -> bool:
        """Whether the bits of a store depend on the method and the device: see `StoreHeader`."""
        return False

    def identity(self) -> JsonObject:
        """Return what distinguishes two requests, beside the graph, the sources, the targets and the cutoff."""
        raise NotImplementedError

    def band_rows(self, plan: Plan, workers: int) -> int:
        """Return the sources of a band."""
        raise NotImplementedError

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
