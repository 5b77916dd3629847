"""Sums of amounts over rows in a store: accessibility that goes on where it was."""

from __future__ import annotations

import hashlib
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from apsp._types import ExecutorLike, JsonObject, StoreLike, VerticesLike
from apsp.api.measures.options import Options, split
from apsp.api.storing.reading import stored_array
from apsp.api.storing.row_measure import RowMeasure
from apsp.api.storing.work import ReducedRows, Told, progress_of
from apsp.api.streaming import RowOptions
from apsp.api.weighing import RowsToWeigh, weighed_rows
from apsp.graph.model import Graph
from apsp.measures.weighing import Weighing
from apsp.planning.plan import Plan
from apsp.store.facts import Arrays, Facts

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

    def arrays(_decided: Plan) -> Arrays:
        return {_ARRAY: ("float64", "row", len(weighing.cutoffs) * weighing.amounts.shape[1])}

    measure = RowMeasure("measure", _described(weighing), arrays, _Work, partial(RowsToWeigh, weighing=weighing))
    height, progress, _ = split(options)
    place, facts, rows = measure.complete(store, graph, sources, height, progress, of_rows, executor)
    empty = weighing.empty(len(rows))
    if not empty.size:
        return empty
    return np.ascontiguousarray(stored_array(place, facts, _ARRAY), np.float64).reshape(empty.shape)


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


class _Work(ReducedRows):
    """Sums of amounts over bands of rows.

    Parameters
    ----------
    made : RowsToWeigh
        All rows of the store.
    facts : Facts
    """

    def __init__(self, made: RowsToWeigh, facts: Facts) -> None:
        super().__init__(made.rows, facts)
        self._weighing = made.weighing

    def compute(self, band: slice, told: Told | None) -> dict[str, Any]:
        """Add up amounts over the rows of a band."""
        part = self.rows.part(band.start, band.stop)
        options = Options(threads=part.decided.threads, progress=progress_of(told))
        sums = weighed_rows(part, self._weighing, options)
        return {_ARRAY: sums.reshape(len(sums), -1)}
