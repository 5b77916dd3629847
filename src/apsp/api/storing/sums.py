"""Sums over rows in a store: measures that go on where they were."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from apsp._types import ExecutorLike, JsonObject, StoreLike, VerticesLike
from apsp.api.measures.kept import Kept
from apsp.api.measures.options import Options, split
from apsp.api.measures.rows_of_sets import RowsOfSets
from apsp.api.storing.bins_told import told_of_bins
from apsp.api.storing.reading import stored_array, stored_bands
from apsp.api.storing.row_measure import RowMeasure
from apsp.api.storing.set_arrays import SetArrays
from apsp.api.storing.sets import refuse_quantiles_between
from apsp.api.storing.work import OF_SETS, SumsWork
from apsp.errors import RequestError
from apsp.graph.model import Graph
from apsp.measures import Summary
from apsp.measures.histogram import Bins
from apsp.measures.moments import LIMBS
from apsp.measures.row_sums import RowSums
from apsp.planning.plan import Plan
from apsp.store.facts import Arrays, Facts
from apsp.store.places import Place

__all__ = ["summary_in"]


def summary_in(
    store: StoreLike,
    graph: Graph,
    sources: VerticesLike | None,
    kept: Kept,
    options: Options,
    executor: ExecutorLike | None = None,
) -> Summary:
    """The summary of some rows; parameters and errors are those of `summary`."""
    if kept.columns:
        raise RequestError(
            "a store keeps sums and extremes of rows, histograms and statistics of groups: leave out store, or what "
            "needs more (columns, and measures that need them); StoredResult.summary of apsp.solve(graph, store=...) "
            "has them"
        )
    found = kept.empty(graph, options.get("threads"))
    bins, sets, of_sets = found._totals.bins, None, None
    if kept.sets is not None:
        refuse_quantiles_between(kept.sets)
        sets = kept.sets.reducer(options.get("threads"))
        of_sets = SetArrays(sets.kept, OF_SETS) if len(kept.sets.groups) else None

    def arrays(decided: Plan) -> Arrays:
        more = {} if of_sets is None else of_sets.layout(graph, decided.dtype)
        return _arrays_of(found, is_float=decided.dtype.kind == "f") | more

    told = _measure_of(kept, bins)
    if of_sets is not None:
        told["groups"] = of_sets.told()["groups"]
    measure = RowMeasure(
        "sums", told, arrays, SumsWork, None if of_sets is None else partial(RowsOfSets, numbers=of_sets.numbers),
        reciprocals=kept.reciprocals,
    )  # fmt: skip
    place, facts, rows = measure.complete(store, graph, sources, *split(options), executor)
    if len(rows):
        found._totals.add_sums(_read(place, facts, rows))
        for (row,) in stored_bands(place, facts, "histogram") if len(bins.counts) else ():
            bins.merge_row(row, is_float=facts.dtype_of("largest").kind == "f")
        for name in found._moments.parts:
            for (row,) in stored_bands(place, facts, name):
                found._moments.merge_row(name, row)
        if sets is not None and of_sets is not None:
            of_sets.add_to(sets, place, facts)
    if sets is not None:
        found._statistics = kept.sets.result(sets)
    return found


def _measure_of(kept: Kept, bins: Bins) -> JsonObject:
    """The arguments of what is kept beside the sums of each row."""
    found: JsonObject = {name: True for name in ("squares", "degrees") if getattr(kept, name)}
    return found | told_of_bins(kept.bins, bins)


def _arrays_of(found: Summary, *, is_float: bool) -> Arrays:
    """The arrays of what is kept beside the sums of each row: one row per band."""
    bins = len(found._totals.bins.counts)
    arrays = {"histogram": ("int64", "band", bins + 1)} if bins else {}
    of_sum = ("float64", "band", 1) if is_float else ("int64", "band", LIMBS)
    return arrays | dict.fromkeys(found._moments.parts, of_sum)


def _read(place: Place, facts: Facts, sources: Any) -> RowSums:
    """All sums of a store.

    Raises
    ------
    FileFormatError
        If a shard is damaged; the message names it.
    """
    numbers: dict[str, Any] = {"reciprocals": np.zeros(len(sources))}
    for name in facts.arrays:
        if name not in facts.extra:
            numbers[name] = stored_array(place, facts, name)
    return RowSums(sources, **numbers)
