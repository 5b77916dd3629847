"""Skims in a store: a matrix per cost, in bands of origins, each of which one run computes and writes."""

from __future__ import annotations

import hashlib
import re
import time
import unicodedata
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from apsp._types import DeviceLike, ExecutorLike, JsonObject, StoreLike
from apsp.api.skims.costs import Costs
from apsp.api.spread.job import Fixed
from apsp.api.spread.skim_job import SkimJob
from apsp.api.storing.completing import Completion
from apsp.api.storing.job_runner import DecidingRunner, JobRunner
from apsp.api.storing.stored_skims import StoredSkims
from apsp.api.streaming import RowOptions
from apsp.errors import RequestError, shown
from apsp.facts.devices import parse_device
from apsp.graph.labels.saved import check_savable
from apsp.graph.model import Graph
from apsp.methods.problem import IntArray
from apsp.methods.skims.bands import SkimPlan
from apsp.store.facts import Facts, Problem
from apsp.store.layout import band_rows
from apsp.store.places import place_of, required
from apsp.system.machine import Machine, usable
from apsp.system.progress import Progress

__all__ = ["skims_in"]

_SECONDS = 30.0
"""Planned time of a band: what an interruption costs."""

_BANDS_AT_ONCE = 4
"""One is computed while those before it are compressed and written."""

_FORBIDDEN = re.compile(r'[\x00-\x1f\x7f/\\:*?"<>|{}^%`\[\]~#]')
"""Characters that a folder or a bucket does not take in a name."""

_LONGEST = 200
"""Bytes of a name of a folder; most systems allow 255."""

_TAKEN = ("source", "target", "graph", "zarr.json")


def skims_in(
    store: StoreLike,
    graph: Graph,
    costs: Costs,
    origins: IntArray,
    ends: IntArray,
    half_nearest: bool,
    *,
    device: DeviceLike,
    threads: int | None,
    executor: ExecutorLike | None,
    progress: Progress,
) -> StoredSkims:
    """Compute the bands that are missing; errors are those of `apsp.skim`.

    Parameters
    ----------
    origins, ends : int32
        Positions of the rows and of the columns.
    half_nearest : bool
        Costs within a zone are half of those to the nearest other one.
    """
    started = time.perf_counter()
    place = place_of(store)
    required("zarr")
    check_savable(graph.labels)
    _check_names(costs.names)
    kind, _ = parse_device(device)
    problem = Problem(graph, _unless_all(origins, graph.n), _unless_all(ends, graph.n))
    job = SkimJob(graph, costs.columns, origins, ends, half_nearest, RowOptions(device=device, threads=threads))
    runner: DecidingRunner
    if executor is None:
        runner = JobRunner(place, job, _Work)
    else:
        from apsp.api.storing.spread_runner import SpreadRunner

        runner = SpreadRunner(executor, place, job, _Work, any_threads=True)
    measure = _described(costs, half_nearest)

    def new_facts() -> Facts:
        from apsp import __version__

        decided = runner.decided()
        assert isinstance(decided, SkimPlan)
        return Facts(
            kind="measure", shape=job.shape[1:], band_rows=_rows_of_band(job.shape, decided, runner.workers),
            dtype="float64", paths=False, reciprocals=False, cutoff=None, method=decided.method,
            device=decided.device, threads=decided.threads, pinned=not costs.are_exact, directed=graph.directed,
            semiring="min_plus", apsp=__version__, measure=measure,
            extra={name: ("float64", "pair", len(ends)) for name in costs.names},
        )  # fmt: skip

    wanted = {
        "kind": "measure", "measure": measure, "cutoff": None, "dtype": "auto", "paths": False, "reciprocals": False,
        "method": "auto", "device": kind, "threads": None,
    }  # fmt: skip
    completion = Completion(place, problem, new_facts, wanted, runner)
    found = StoredSkims(place, completion.run(progress), problem)
    found.info |= {"seconds": time.perf_counter() - started, "rows_computed": completion.computed}
    return found


def _unless_all(positions: IntArray, n: int) -> IntArray | None:
    return None if np.array_equal(positions, np.arange(n)) else positions


def _check_names(names: Sequence[str]) -> None:
    """Raise an error for names that cannot be those of arrays, which are folders.

    Raises
    ------
    RequestError
    """
    folded = [unicodedata.normalize("NFC", name).casefold() for name in names]  # as file systems compare them
    for place, name in enumerate(names):
        if folded[place] in folded[:place]:
            why = f"it differs from {shown(names[folded.index(folded[place])])} only by upper and lower case"
        elif folded[place] in _TAKEN:
            why = "arrays of every store have this name"
        elif (
            len(name.encode()) > _LONGEST
            or name.startswith(("__", "."))
            or name != name.strip(" .")
            or _FORBIDDEN.search(name)
        ):
            why = "it cannot be the name of a folder everywhere"
        else:
            continue
        raise RequestError(f"the cost {shown(name)} cannot be an array of a store: {why}. Rename it")


def _described(costs: Costs, half_nearest: bool) -> JsonObject:
    """What tells requests apart, beside the graph with its weights, the origins and the destinations."""
    cost, *along = costs.names
    told = {"name": "skim", "cost": cost, "along": along, "intrazonal": "half_nearest" if half_nearest else "zero"}
    columns = np.ascontiguousarray(costs.columns.T[1:], dtype="<f8")
    hashes = (hashlib.sha256(column).hexdigest() for column in columns)
    return told | dict(zip((f"values of {name}" for name in along), hashes, strict=True))


def _rows_of_band(shape: tuple[int, int, int], decided: SkimPlan, workers: int) -> int:
    """Rows that are tens of mebibytes, unless they take long or do not fit into memory."""
    row_bytes = 8 * shape[0] * shape[2]
    fitting = usable(Machine.detect()) // (_BANDS_AT_ONCE * max(row_bytes, 1))
    most = max(min(decided.rows_in(_SECONDS), fitting), 1)
    return band_rows(shape[1], shape[0] * shape[2], 8, most, workers)


class _Work:
    """Bands of skims.

    Parameters
    ----------
    job : SkimJob
        All rows of the store.
    facts : Facts
    """

    stage = "skims"

    def __init__(self, job: SkimJob, facts: Facts) -> None:
        fixed = RowOptions()
        if facts.pinned:
            device = job.options.get("device", "auto")
            fixed = RowOptions(method=facts.method, device=facts.device if device == "auto" else device)
        self._job, self._facts = job.made(Fixed(fixed)), facts
        self.threads = job.options.get("threads")

    @property
    def band_bytes(self) -> int:
        """Bytes of a band, without compression."""
        return 8 * len(self._facts.arrays) * self._facts.shape[1] * min(self._facts.band_rows, self._facts.shape[0])

    def compute(self, band: slice, told: Callable[[int], None] | None) -> dict[str, Any]:
        """Return the rows of the matrices."""
        return dict(zip(self._facts.arrays, self._job.matrices(band.start, band.stop, told), strict=True))

    def close(self) -> None:
        """Nothing to do."""
