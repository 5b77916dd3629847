"""Flows between all sources and targets, of which a store keeps the sums of blocks of sources."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from apsp._types import ExecutorLike, JsonObject, StoreLike
from apsp.api.spread.flow_job import FlowJob
from apsp.api.spread.job import Fixed
from apsp.api.storing.completing import Completion
from apsp.api.storing.job_runner import DecidingRunner, JobRunner
from apsp.api.storing.reading import stored_array, stored_bands
from apsp.api.streaming import RowOptions
from apsp.facts.devices import parse_device
from apsp.graph.labels.saved import check_savable
from apsp.graph.model import Graph
from apsp.methods.flows.blocks import FlowPlan
from apsp.methods.flows.flows import Demand, Flows
from apsp.methods.problem import IntArray
from apsp.store.facts import Facts, Problem
from apsp.store.places import Place, place_of, required
from apsp.system.progress import Progress

__all__ = ["StoredFlows", "flows_in"]


@dataclass(frozen=True)
class StoredFlows:
    """Flows whose blocks are in a store.

    Attributes
    ----------
    flows : Flows
    threads : int
        Of the run that created the store.
    computed : int
        Sources that were computed now.
    """

    flows: Flows
    threads: int
    computed: int


def flows_in(
    store: StoreLike,
    graph: Graph,
    demand: Demand,
    targets: IntArray | None,
    measure: JsonObject,
    *,
    along: bool,
    threads: int | None,
    device: str,
    cutoff: float | None = None,
    split: bool = True,
    executor: ExecutorLike | None,
    progress: Progress,
) -> StoredFlows:
    """The flows of a demand.

    Parameters
    ----------
    targets : (T,) int32 or None
        Increasing; None means all.
    measure : dict
        The name of the measure, and what tells its demand from others beside sources and targets.

    Raises
    ------
    As `flows`, and RequestError if the store is of another request.
    """
    place = place_of(store)
    required("zarr")
    check_savable(graph.labels)
    parse_device(device)
    count, everything = len(demand.sources), np.arange(graph.n, dtype=np.int32)
    sources = None if np.array_equal(demand.sources, everything) else demand.sources
    problem = Problem(graph, sources, targets)
    job = FlowJob(graph, demand, along, cutoff, split, RowOptions(device=device, threads=threads))
    runner: DecidingRunner
    if executor is None:
        runner = JobRunner(place, job, _Work)
    else:
        from apsp.api.storing.spread_runner import SpreadRunner

        runner = SpreadRunner(executor, place, job, _Work)

    def new_facts() -> Facts:
        from apsp import __version__

        decided = runner.decided()
        assert isinstance(decided, FlowPlan)
        extra = {"served": ("float64", "row", 1), "through": ("float64", "band", graph.n)}
        if along:
            extra["along"] = ("float64", "band", graph.m)
        extra["arrived"] = ("float64", "band", graph.n)
        return Facts(
            kind="measure", shape=(count, graph.n if targets is None else len(targets)),
            band_rows=decided.block_rows, dtype="float64", paths=False, reciprocals=False, cutoff=cutoff,
            method=decided.method, device=decided.device, threads=decided.threads, pinned=False,
            directed=graph.directed, semiring="min_plus", apsp=__version__, measure=measure, extra=extra,
        )  # fmt: skip

    wanted = {
        "kind": "measure", "measure": measure, "cutoff": cutoff, "dtype": "auto", "paths": False, "reciprocals": False,
    }  # fmt: skip
    completion = Completion(place, problem, new_facts, wanted, runner)
    facts = completion.run(progress)
    found = Flows(
        _sum(place, facts, "through", graph.n), _sum(place, facts, "arrived", graph.n), _served(place, facts),
        _sum(place, facts, "along", graph.m) if along else None, facts.method, facts.device,
    )  # fmt: skip
    return StoredFlows(found, facts.threads, completion.computed)


def _sum(place: Place, facts: Facts, name: str, size: int) -> npt.NDArray[np.float64]:
    """The sum over all blocks, in their order."""
    total = np.zeros(size)
    if size:
        for (row,) in stored_bands(place, facts, name):
            total += row
    return total


def _served(place: Place, facts: Facts) -> npt.NDArray[np.float64]:
    if facts.shape[0] == 0:
        return np.zeros(0)
    return np.ascontiguousarray(stored_array(place, facts, "served")[:, 0])


class _Work:
    """Flows of blocks of sources.

    Parameters
    ----------
    job : FlowJob
        All sources of the store.
    facts : Facts
    """

    stage = "sources"

    def __init__(self, job: FlowJob, facts: Facts) -> None:
        self._job = job.made(Fixed(RowOptions(method=facts.method)))  # on which the bits depend
        self._facts, self.threads = facts, job.options.get("threads")

    @property
    def band_bytes(self) -> int:
        """Bytes of a band, without compression."""
        return sum(8 * width * self._facts.shard_rows(name) for name, (_, _, width) in self._facts.extra.items())

    def compute(self, band: slice, told: Callable[[int], None] | None) -> dict[str, Any]:
        """Return the sums of a block."""
        found = self._job.flows(band.start, band.stop, along="along" in self._facts.extra, told=told)
        numbers = {
            "served": found.served[:, None], "through": found.through[None], "arrived": found.arrived[None],
            "along": None if found.along is None else found.along[None],
        }  # fmt: skip
        return {name: np.ascontiguousarray(numbers[name]) for name in self._facts.arrays if numbers[name] is not None}

    def close(self) -> None:
        """Nothing to do."""
