"""The nearest vertices of rows in a store: `k_nearest` that goes on where it was."""

from __future__ import annotations

from typing import Any

from apsp._types import ExecutorLike, StoreLike, VerticesLike
from apsp.api.measures.options import Options, split
from apsp.api.nearest_of_rows import nearest_of_rows
from apsp.api.storing.reading import stored_array
from apsp.api.storing.row_measure import RowMeasure
from apsp.api.storing.work import ReducedRows, Told, progress_of
from apsp.graph.model import Graph
from apsp.measures import Nearest
from apsp.planning.plan import Plan
from apsp.store.facts import Arrays

__all__ = ["nearest_in"]


def nearest_in(
    store: StoreLike,
    graph: Graph,
    k: int,
    sources: VerticesLike | None,
    options: Options,
    executor: ExecutorLike | None,
) -> Nearest:
    """The nearest vertices of some sources; parameters and errors are those of `k_nearest`."""
    found = Nearest(graph.n, k, threads=options.get("threads"), labels=graph.labels)

    def arrays(decided: Plan) -> Arrays:
        return {"positions": ("int32", "rank", found.k), "distances": (decided.dtype.name, "rank", found.k)}

    measure = RowMeasure("measure", {"name": "k_nearest", "k": found.k}, arrays, _Work)
    place, facts, rows = measure.complete(store, graph, sources, *split(options), executor)
    if len(rows):
        positions, distances = (stored_array(place, facts, name) for name in ("positions", "distances"))
        found._add_found([(rows, positions, distances)])
    return found


class _Work(ReducedRows):
    """The nearest vertices of bands of rows."""

    def compute(self, band: slice, told: Told | None) -> dict[str, Any]:
        """Find them where the rows of a band are computed."""
        part = self.rows.part(band.start, band.stop)
        found = nearest_of_rows(part, self._facts.measure["k"], progress_of(told), part.decided.threads)
        return {"positions": found.positions, "distances": found.distances}
