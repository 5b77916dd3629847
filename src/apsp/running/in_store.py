"""Rows are reduced, and measure jobs done, into a store: by this process or by the workers of an engine."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar

import numpy as np

from apsp._types import JsonObject
from apsp.errors import RequestError
from apsp.facts.request import Request
from apsp.graph.labels.saved import check_savable
from apsp.methods import registry
from apsp.methods.problem import IntArray
from apsp.planning.plan import Plan
from apsp.running.measure_job import MeasureJob
from apsp.running.reduction import Reduction
from apsp.running.storing.bands import ReducedBands
from apsp.running.storing.completing import BandsFactory, Completion, LocalRunner, Runner
from apsp.running.workers.row_job import Job, RowJob
from apsp.store.header import Arrays, StoreHeader, StoreInput, row_bytes
from apsp.store.layout import BAND_BYTES
from apsp.store.opening import storage_of
from apsp.store.reading import StoredArrays
from apsp.store.storage import Storage, required

__all__ = [
    "BandLimits",
    "CompletedStore",
    "comparable_request",
    "complete",
    "facts_of_rows",
    "reduce_in_store",
    "rows_of_band",
    "runner_of",
    "storage_for",
]

Found = TypeVar("Found")


def reduce_in_store(reduction: Reduction[Found, Any], found: Found, job: RowJob) -> None:
    """Create the store, or resume in it, until all rows of a job are there; errors are those of `run`."""
    reduction.check_storable()
    storage = storage_for(job.options)
    if job.options.pages_file is not None:
        raise RequestError("a store resumes without a file of pages: leave out pages_file, or store")
    request, graph = job.options.of_rows(job.sources), job.graph
    positions = np.arange(graph.n, dtype=np.int32) if job.sources is None else job.sources
    identity = reduction.identity()

    def header_of(problem: StoreInput, plan: Plan, workers: int) -> StoreHeader:
        arrays = reduction.layout(graph, plan)
        band = rows_of_band(len(positions), plan, workers, arrays)
        return facts_of_rows(
            problem, request, plan, band, reduction.kind, reciprocals=reduction.reciprocals, measure=identity,
            extra=arrays,
        )  # fmt: skip

    requested = comparable_request(request, reduction.kind, reciprocals=reduction.reciprocals, measure=identity)
    completed = _completed(storage, job, job.sources, None, header_of, requested)
    if len(positions):
        reduction.decode(found, positions, completed)


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
    storage, graph = storage_for(job.options), job.graph
    identity = job.identity()

    def header_of(_problem: StoreInput, plan: Plan, workers: int) -> StoreHeader:
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
        "reciprocals": False, "method": "auto", "device": job.options.device, "threads": None,
    }  # fmt: skip
    sources, targets = _unless_all(job.sources, graph.n), _unless_all(job.targets, graph.n)
    return _completed(storage, job, sources, targets, header_of, requested)


def _completed(
    storage: Storage, job: Job, sources: IntArray | None, targets: IntArray | None,
    header_of: Callable[[StoreInput, Plan, int], StoreHeader], requested: JsonObject,
) -> CompletedStore:  # fmt: skip
    check_savable(job.graph.labels)
    problem = StoreInput(job.graph, sources, targets)
    runner = runner_of(storage, job, ReducedBands)
    completion = Completion(storage, problem, partial(header_of, problem), requested, runner)
    header = completion.run(job.options.progress)
    return CompletedStore(storage, header, problem, completion.computed)


def storage_for(options: Request) -> Storage:
    """Open the store of the options.

    Raises RequestError if it is not the place of a store; MissingDependencyError if zarr is not installed.
    """
    assert options.store is not None
    storage = storage_of(options.store)
    required("zarr")
    return storage


def runner_of(storage: Storage, job: Job, work: BandsFactory) -> Runner:
    """Return who computes the bands: the workers of an executor, if the options of the job have one.

    Raises RequestError if workers cannot do the job.
    """
    if job.options.executor is None:
        return LocalRunner(storage, job, work)
    from apsp.running.storing.workers_runner import WorkersRunner  # with the first executor

    return WorkersRunner(storage, job, work)


def _unless_all(positions: IntArray | None, n: int) -> IntArray | None:
    """Return positions; None if they are all vertices in their order."""
    return None if positions is None or np.array_equal(positions, np.arange(n)) else positions


@dataclass(frozen=True)
class BandLimits:
    """What the rows of a band of a measure depend on.

    Attributes
    ----------
    seconds : float
        Planned time of a band: what an interruption costs.
    least_rows : int
        Of a band, unless its bytes are too many, or workers would have none.
    most_bytes : int
        Of what is kept of the rows of a band.
    per_worker : int
        Bands that each of several workers computes.
    """

    seconds: float = 30.0
    least_rows: int = 512
    most_bytes: int = BAND_BYTES
    per_worker: int = 8


_LIMITS = BandLimits()


def rows_of_band(count: int, plan: Plan, workers: int, arrays: Arrays, limits: BandLimits = _LIMITS) -> int:
    """Return the rows of a band of what a measure keeps of rows.

    Parameters
    ----------
    count : int
        All rows.
    workers : int
        How many compute bands at the same time.
    arrays : dict
        What is kept, as `StoreHeader.extra`.
    """
    height = math.ceil(count * limits.seconds / plan.seconds) if plan.seconds > 0 else count
    most = max(limits.most_bytes // max(row_bytes(arrays), 1), 1)
    height, least = min(height, most), min(limits.least_rows, most)
    if workers > 1:  # each computes several bands
        share = max(math.ceil(count / (limits.per_worker * workers)), 1)
        height, least = min(height, share), min(least, share)
    height = max(min(height, count), 1)
    return height - height % least if height > least else min(least, max(count, 1))


def facts_of_rows(
    problem: StoreInput,
    request: Request,
    plan: Plan,
    band_rows: int,
    kind: str,
    *,
    reciprocals: bool = False,
    measure: JsonObject | None = None,
    extra: Arrays | None = None,
) -> StoreHeader:
    """Return the header of a new store; parameters as the attributes of `StoreHeader`."""
    from apsp import __version__

    n = problem.graph.n
    has_floats = plan.dtype.kind == "f" or any(np.dtype(kind).kind == "f" for kind, *_ in (extra or {}).values())
    rows, columns = (n if chosen is None else len(chosen) for chosen in (problem.sources, problem.targets))
    return StoreHeader(
        kind=kind, shape=(rows, columns), band_rows=band_rows, dtype=plan.dtype.name, paths=request.paths,
        reciprocals=reciprocals, cutoff=request.cutoff, method=plan.method, device=plan.device,
        threads=plan.threads, pinned=request.paths or reciprocals or has_floats,
        directed=problem.graph.directed, semiring=request.semiring.name, apsp=__version__, plan=plan.to_dict(),
        measure=measure or {}, extra=extra or {},
    )  # fmt: skip


def comparable_request(
    request: Request, kind: str, *, reciprocals: bool = False, measure: JsonObject | None = None
) -> dict[str, Any]:
    """Return the request, for `refuse_other`; the threads are those that the method uses."""
    threads = request.threads
    if threads is not None and request.method != "auto":
        threads = registry.get(request.method).threads_of(threads)
    return vars(request) | {
        "kind": kind, "reciprocals": reciprocals, "measure": measure or {}, "threads": threads,
    }  # fmt: skip
