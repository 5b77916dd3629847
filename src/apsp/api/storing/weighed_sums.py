"""Sums of amounts over rows in a store: accessibility that goes on where it was."""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np
import numpy.typing as npt

from apsp._types import ExecutorLike, JsonObject, StoreLike, VerticesLike
from apsp.api.arguments import requested
from apsp.api.measures.options import Options
from apsp.api.storing.completing import Completion
from apsp.api.storing.reading import stored_array
from apsp.api.storing.row_facts import facts_of_rows, rows_of_sums, wanted_of_rows
from apsp.api.storing.runner import LocalRunner, RowRunner
from apsp.api.storing.work import Told
from apsp.api.streaming import RowOptions
from apsp.api.weighing import RowsToWeigh, weighed_rows
from apsp.errors import RequestError
from apsp.graph.labels.saved import check_savable
from apsp.graph.model import Graph
from apsp.measures.weighing import Weighing
from apsp.store.facts import Facts, Problem
from apsp.store.places import place_of, required

__all__ = ["weighed_in"]

_ARRAY = "sums"


def weighed_in(
    store: StoreLike,
    graph: Graph,
    sources: VerticesLike | None,
    weighing: Weighing,
    of_rows: RowOptions,
    options: Options,
    executor: ExecutorLike | None,
) -> npt.NDArray[np.float64]:
    """Sums of amounts over some rows, (S, cutoffs, kinds); parameters and errors are those of `weighed`."""
    place = place_of(store)
    required("zarr")
    if of_rows.pop("pages_file", None) is not None:
        raise RequestError("a store resumes without a file of pages: leave out pages_file, or store")
    height = options.get("rows")
    graph, rows, _, request = requested(graph, sources, None, mode="stream", rows=height, paths=False, **of_rows)
    check_savable(graph.labels)
    problem = Problem(graph, rows, None)
    empty = weighing.empty(graph.n if rows is None else len(rows))
    runner: RowRunner
    if executor is None:
        runner = LocalRunner(
            place, problem, request, lambda planned, facts: _Work(RowsToWeigh(planned, weighing), facts)
        )
    else:
        from apsp.api.spread.job import WeighingJob
        from apsp.api.storing.spread_runner import SpreadRunner

        runner = SpreadRunner(
            executor, place, WeighingJob(graph, rows, None, of_rows, height, weighing=weighing), _Work
        )
    measure = _described(weighing)

    def new_facts() -> Facts:
        decided = runner.plan()
        band = rows_of_sums(len(empty), decided, runner.workers)
        extra = {_ARRAY: ("float64", "row", empty.shape[1] * empty.shape[2])}
        return facts_of_rows(problem, request, decided, band, "measure", measure=measure, extra=extra)

    wanted = wanted_of_rows(request, "measure", measure=measure)
    Completion(place, problem, new_facts, wanted, runner).run(options.get("progress", False))
    if not empty.size:
        return empty
    (found,) = stored_array(place, _ARRAY, whole=True)
    return np.ascontiguousarray(found, np.float64).reshape(empty.shape)


def _described(weighing: Weighing) -> JsonObject:
    """What is added up, in a form that tells requests apart."""
    amounts = np.ascontiguousarray(weighing.amounts)
    return {
        "name": "accessibility",
        "weights": hashlib.sha256(repr(amounts.shape).encode() + amounts.tobytes()).hexdigest(),
        "cutoffs": [repr(float(cutoff)) for cutoff in weighing.cutoffs],
        "decay": weighing.decay or "none",
        "beta": repr(float(weighing.beta)),
        "midpoint": repr(float(weighing.midpoint)),
    }


class _Work:
    """Sums of amounts over bands of rows.

    Parameters
    ----------
    made : RowsToWeigh
        All rows of the store.
    facts : Facts
    """

    def __init__(self, made: RowsToWeigh, facts: Facts) -> None:
        self._rows, self._weighing, self._facts = made.rows, made.weighing, facts
        self.stage, self.threads = self._rows.decided.method, self._rows.request.threads

    @property
    def band_bytes(self) -> int:
        """Bytes of a band, without compression."""
        return 8 * self._facts.extra[_ARRAY][2] * self._facts.band_rows

    def compute(self, band: slice, told: Told | None) -> dict[str, Any]:
        """Add up amounts over the rows of a band."""
        part = self._rows.part(band.start, band.stop)
        progress = False if told is None else lambda _stage, done, _total: told(done)
        sums = weighed_rows(part, self._weighing, {"threads": part.decided.threads, "progress": progress})
        return {_ARRAY: sums.reshape(len(sums), -1)}

    def close(self) -> None:
        """The passes over the rows free what they need."""
