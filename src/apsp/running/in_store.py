"""Rows are reduced, and measure jobs done, into a store: by this process or by the workers of an engine."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar

import numpy as np

from apsp.errors import RequestError
from apsp.facts.devices import parse_device
from apsp.graph.labels.saved import check_savable
from apsp.graph.model import Graph
from apsp.methods.problem import IntArray
from apsp.methods.source_plan import SourcePlan
from apsp.planning.plan import Plan
from apsp.running.measure_job import MeasureJob
from apsp.running.options import RunOptions
from apsp.running.reduction import PlannedReduction, Reduction
from apsp.running.storing.bands import ReducedWork
from apsp.running.storing.completing import Completion, LocalRunner, Runner, WorkFactory
from apsp.running.storing.reading import StoredArrays
from apsp.running.storing.row_facts import comparable_request, facts_of_rows, rows_of_band
from apsp.running.workers.job import AnyPlan, Job
from apsp.running.workers.row_job import RowJob
from apsp.store.header import StoreHeader, StoreInput
from apsp.store.opening import storage_of
from apsp.store.storage import Storage, required

__all__ = ["CompletedStore", "complete", "reduce_in_store", "runner_of", "storage_for"]

Found = TypeVar("Found")
PlanT = TypeVar("PlanT", bound=AnyPlan)


def reduce_in_store(
    reduction: Reduction[Found, Any], found: Found, graph: Graph, sources: IntArray | None, options: RunOptions
) -> None:
    """Create the store, or resume in it, until all rows are there; parameters and errors are those of `run`."""
    reduction.check_storable()
    storage = storage_for(options)
    if options.pages_file is not None:
        raise RequestError("a store resumes without a file of pages: leave out pages_file, or store")
    request = options.request(sources)
    check_savable(graph.labels)
    problem = StoreInput(graph, sources, None)
    positions = np.arange(graph.n, dtype=np.int32) if sources is None else sources
    prepare = partial(PlannedReduction, reduction=reduction)
    runner = runner_of(storage, RowJob(graph, sources, None, options, prepare, reduced=True), ReducedWork)
    identity = reduction.identity()

    def header_of(plan: Plan, workers: int) -> StoreHeader:
        arrays = reduction.layout(graph, plan)
        band = rows_of_band(len(positions), plan, workers, arrays)
        return facts_of_rows(
            problem, request, plan, band, reduction.kind, reciprocals=reduction.reciprocals, measure=identity,
            extra=arrays,
        )  # fmt: skip

    requested = comparable_request(request, reduction.kind, reciprocals=reduction.reciprocals, measure=identity)
    header = Completion(storage, problem, header_of, requested, runner).run(options.progress)
    if len(positions):
        reduction.decode(found, positions, StoredArrays(storage, header))


@dataclass(frozen=True)
class CompletedStore(StoredArrays):
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


def complete(job: MeasureJob[Any, Any]) -> CompletedStore:
    """Create the store, or resume in it, until all sources are there; errors are those of `run_job`."""
    storage = storage_for(job.options)
    graph = job.graph
    check_savable(graph.labels)
    kind, _ = parse_device(job.device)
    problem = StoreInput(graph, _unless_all(job.sources, graph.n), _unless_all(job.targets, graph.n))
    runner = runner_of(storage, job, ReducedWork)
    identity = job.identity()

    def header_of(plan: SourcePlan, workers: int) -> StoreHeader:
        from apsp import __version__

        return StoreHeader(
            kind="measure", shape=(len(job.sources), graph.n if job.targets is None else len(job.targets)),
            band_rows=job.band_rows(plan, workers), dtype="float64", paths=False, reciprocals=False,
            cutoff=job.cutoff, method=plan.method, device=plan.device, threads=plan.threads,
            pinned=job.pinned, directed=graph.directed, semiring="min_plus", apsp=__version__, measure=identity,
            extra=job.layout(),
        )  # fmt: skip

    requested = {
        "kind": "measure", "measure": identity, "cutoff": job.cutoff, "dtype": "auto", "paths": False,
        "reciprocals": False, "method": "auto", "device": kind, "threads": None,
    }  # fmt: skip
    completion = Completion(storage, problem, header_of, requested, runner)
    header = completion.run(job.options.progress)
    return CompletedStore(storage, header, problem, completion.computed)


def storage_for(options: RunOptions) -> Storage:
    """Open the store of the options.

    Raises
    ------
    RequestError
        If it is not the place of a store.
    MissingDependencyError
        If zarr is not installed.
    """
    assert options.store is not None
    storage = storage_of(options.store)
    required("zarr")
    return storage


def runner_of(storage: Storage, job: Job[PlanT], work: WorkFactory) -> Runner[PlanT]:
    """Return who computes the bands: the workers of an executor, if the options of the job have one.

    Raises
    ------
    RequestError
        If workers cannot do the job.
    """
    if job.options.executor is None:
        return LocalRunner(storage, job, work)
    from apsp.running.storing.workers_runner import WorkersRunner  # with the first executor

    return WorkersRunner(storage, job, work)


def _unless_all(positions: IntArray | None, n: int) -> IntArray | None:
    """Return positions; None if they are all vertices in their order."""
    return None if positions is None or np.array_equal(positions, np.arange(n)) else positions
