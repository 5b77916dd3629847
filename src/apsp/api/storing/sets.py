"""Statistics of sets of vertices in a store: `distance_statistics` that goes on where it was."""

from __future__ import annotations

from functools import partial
from typing import Any

from apsp._types import ExecutorLike, StoreLike
from apsp.api.measures.options import Options, split
from apsp.api.measures.rows_of_sets import RowsOfSets
from apsp.api.measures.sets_wanted import SetsWanted
from apsp.api.storing.row_measure import RowMeasure
from apsp.api.storing.set_arrays import SetArrays
from apsp.api.storing.work import ReducedRows, Told, progress_of
from apsp.errors import RequestError
from apsp.graph.model import Graph
from apsp.measures.set_distances import SetDistances
from apsp.planning.plan import Plan
from apsp.store.facts import Arrays, Facts

__all__ = ["refuse_quantiles_between", "sets_in"]


def sets_in(
    store: StoreLike, graph: Graph, wanted: SetsWanted, options: Options, executor: ExecutorLike | None
) -> SetDistances:
    """What the rows of `wanted` add up to; errors are those of `distance_statistics`."""
    refuse_quantiles_between(wanted)
    sets = wanted.reducer(options.get("threads"))
    if not len(wanted.groups):
        return sets
    arrays = SetArrays(sets.kept)

    def layout(decided: Plan) -> Arrays:
        return arrays.layout(graph, decided.dtype)

    adding = partial(RowsOfSets, numbers=sets.kept)
    measure = RowMeasure("measure", {"name": "distance_statistics", **arrays.told()}, layout, _Work, adding)
    chosen = None if wanted.once is None else graph.labels.take(wanted.once)
    place, facts, _ = measure.complete(store, graph, chosen, *split(options), executor)
    arrays.add_to(sets, place, facts)
    return sets


def refuse_quantiles_between(wanted: SetsWanted) -> None:
    """Raise RequestError if quantiles between groups are wanted."""
    if wanted.per == "group" and wanted.shares:
        raise RequestError(
            "quantiles between groups may take several passes over all distances, of which a store keeps one: leave "
            "out quantiles, or store; or store the distances: apsp.solve(graph, store=...).summary(groups=..., "
            "quantiles=...)"
        )


class _Work(ReducedRows):
    """Numbers of sets from bands of rows.

    Parameters
    ----------
    made : RowsOfSets
        All rows of the store.
    facts : Facts
    """

    def __init__(self, made: RowsOfSets, facts: Facts) -> None:
        super().__init__(made.rows, facts)
        self._arrays = SetArrays.of_store(facts, made.numbers)

    def compute(self, band: slice, told: Told | None) -> dict[str, Any]:
        """Reduce the rows of a band."""
        part = self.rows.part(band.start, band.stop)
        sets = self._arrays.reducer(part.sources, part.graph.n, part.decided.threads)
        for block in part.blocks(reuse=True, progress=progress_of(told), where_computed=False):
            sets.add(block)
        return self._arrays.rows(sets, self._facts)
