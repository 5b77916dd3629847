"""Do a measure job into a store, in this process or in the workers of an engine."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from apsp._types import ExecutorLike, StoreLike
from apsp.api.running.measure_job import MeasureJob, unless_all
from apsp.api.running.stored_arrays import ArraysInStore
from apsp.api.storing.completing import Completion
from apsp.api.storing.computing import Computer
from apsp.api.storing.runner import PlanningRunner
from apsp.api.storing.work import ReducedWork
from apsp.facts.devices import parse_device
from apsp.graph.labels.saved import check_savable
from apsp.methods.source_plan import SourcePlan
from apsp.store.header import StoreHeader, StoreInput
from apsp.store.opening import storage_of
from apsp.store.storage import Storage, required
from apsp.system.progress import Progress

__all__ = ["CompletedStore", "complete"]


@dataclass(frozen=True)
class CompletedStore(ArraysInStore):
    """A store that is complete.

    Attributes
    ----------
    problem : StoreInput
        Its graph, sources and targets.
    computed : int
        Sources that were computed now.
    """

    problem: StoreInput
    computed: int


def complete(
    job: MeasureJob[Any, Any], store: StoreLike, executor: ExecutorLike | None, progress: Progress
) -> CompletedStore:
    """Create the store, or resume in it, until all sources are there; errors are those of `run_job`."""
    storage = storage_of(store)
    required("zarr")
    graph = job.graph
    check_savable(graph.labels)
    kind, _ = parse_device(job.device)
    problem = StoreInput(graph, unless_all(job.sources, graph.n), unless_all(job.targets, graph.n))
    runner: PlanningRunner[SourcePlan]
    if executor is None:
        runner = _ThisProcess(storage, job)
    else:
        from apsp.api.storing.spread_runner import SpreadRunner

        runner = SpreadRunner(executor, storage, job, ReducedWork, any_threads=True)
    identity = job.identity()

    def new_header() -> StoreHeader:
        from apsp import __version__

        decided = runner.plan()
        return StoreHeader(
            kind="measure", shape=(len(job.sources), graph.n if job.targets is None else len(job.targets)),
            band_rows=job.band_rows(decided, runner.workers), dtype="float64", paths=False, reciprocals=False,
            cutoff=job.cutoff, method=decided.method, device=decided.device, threads=decided.threads,
            pinned=job.pinned, directed=graph.directed, semiring="min_plus", apsp=__version__, measure=identity,
            extra=job.layout(),
        )  # fmt: skip

    wanted = {
        "kind": "measure", "measure": identity, "cutoff": job.cutoff, "dtype": "auto", "paths": False,
        "reciprocals": False, "method": "auto", "device": kind, "threads": None,
    }  # fmt: skip
    completion = Completion(storage, problem, new_header, wanted, runner)
    header = completion.run(progress)
    return CompletedStore(storage, header, problem, completion.computed)


class _ThisProcess:
    """The process of the call."""

    workers = 1

    def __init__(self, storage: Storage, job: MeasureJob[Any, Any]) -> None:
        self._storage, self._job = storage, job

    def plan(self) -> SourcePlan:
        """Plan for a new store."""
        return self._job.plan(self._job.cores)

    def bands_of(self, header: StoreHeader) -> Computer:
        """Return what computes the bands."""
        return Computer(self._storage, header, ReducedWork(self._job, header))

    def close(self) -> None:
        """The job keeps nothing open."""
