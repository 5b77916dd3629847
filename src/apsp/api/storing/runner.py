"""Who computes the bands of a store: this process, or the workers of an engine."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Protocol, TypeVar

from apsp.api.arguments import without_far_cycles
from apsp.api.component_rows import RowsToReduce, reduced_by
from apsp.api.planned_rows import rows_in
from apsp.api.storing.computing import Computer
from apsp.api.storing.work import Work
from apsp.facts.request import Request
from apsp.planning.plan import Plan
from apsp.store.header import StoreHeader, StoreInput
from apsp.store.storage import Storage
from apsp.system.progress import ProgressReport

__all__ = ["BandsOf", "LocalRunner", "PlanningRunner", "Runner", "as_begun", "is_plan_of"]

PlanT = TypeVar("PlanT", covariant=True)


class BandsOf(Protocol):
    """Computes bands of a store that exists."""

    def run(self, bands: Sequence[int], report: ProgressReport | None) -> int:
        """Compute those of the bands that no other run computes; return the number of their rows."""
        ...

    def close(self) -> None:
        """Wait until all bands are written that can be."""
        ...


class Runner(Protocol):
    """Computes bands."""

    def bands_of(self, header: StoreHeader) -> BandsOf:
        """Return what computes the bands of a store."""
        ...

    def close(self) -> None:
        """End the work."""
        ...


class PlanningRunner(Runner, Protocol[PlanT]):
    """Plans what it computes."""

    def plan(self) -> PlanT:
        """Return the plan for a new store; errors of the graph come here, before there is a store."""
        ...

    @property
    def workers(self) -> int:
        """How many bands are computed at a time."""
        ...


class LocalRunner:
    """The process of the call.

    Parameters
    ----------
    storage : Storage
    problem : StoreInput
    request : Request
    work : callable
        Makes the work from the rows and the header.
    reduced : bool
        The rows themselves are not stored.
    """

    workers = 1

    def __init__(
        self,
        storage: Storage,
        problem: StoreInput,
        request: Request,
        work: Callable[[Any, StoreHeader], Work],
        *,
        reduced: bool = False,
    ) -> None:
        self._storage, self._problem, self._request, self._work = storage, problem, request, work
        self._reduced = reduced
        self._prepared: RowsToReduce | None = None

    def plan(self) -> Plan:
        """Plan and prepare."""
        self._prepared = self._rows(self._request)
        return self._prepared.decided

    def bands_of(self, header: StoreHeader) -> Computer:
        """Plan and prepare, unless `plan` has done so for this store."""
        return Computer(self._storage, header, self._work(self._rows_for(header), header))

    def close(self) -> None:
        """Nothing to do."""

    def _rows(self, request: Request) -> RowsToReduce:
        graph, sources, targets = self._problem.graph, self._problem.sources, self._problem.targets
        if self._reduced:
            return reduced_by(graph, sources, request)
        return without_far_cycles(graph, sources, lambda part: rows_in(part, sources, targets, request))

    def _rows_for(self, header: StoreHeader) -> RowsToReduce:
        """The rows with what the store has fixed: bands and dtype, and all on which the bits of the bands depend."""
        rows = header.band_rows if header.kind == "distances" else self._request.rows
        request = replace(as_begun(self._request, header), rows=rows)
        made, self._prepared = self._prepared, None
        if made is not None and is_plan_of(made.decided, header):
            return replace(made, request=request)
        return self._rows(request)


def as_begun(request: Request, header: StoreHeader) -> Request:
    """Return a request with the dtype of a store, and all on which the bits of its bands depend."""
    if not header.pinned:
        return replace(request, dtype=header.dtype)
    device = header.device if request.device == "auto" else request.device
    return replace(request, dtype=header.dtype, method=header.method, threads=header.threads, device=device)


def is_plan_of(decided: Plan, header: StoreHeader) -> bool:
    """Whether a plan is that of the run that created the store."""
    mine = decided.method, decided.device, decided.threads, decided.dtype.name
    return mine == (header.method, header.device, header.threads, header.dtype)
