"""The k nearest vertices."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np
import numpy.typing as npt

from apsp._types import GraphLike, JsonObject, VerticesLike
from apsp.facts.keywords import RunKeywords
from apsp.facts.request import Request
from apsp.facts.statistics import statistics_of
from apsp.graph.accept import graph_with_turns
from apsp.graph.device import DeviceGraph
from apsp.graph.model import Graph
from apsp.graph.places import Places
from apsp.graph.places.placed import placed
from apsp.graph.turns.turn_graph import TurnGraph, own_labels, own_vertices
from apsp.methods.problem import IntArray
from apsp.methods.searches.near import ROWS_OF_SEARCHES, near_searches
from apsp.planning.plan import Plan
from apsp.reductions import Nearest
from apsp.reductions.nearest import NearestRows
from apsp.reductions.nearest import k_nearest as nearest_of_blocks
from apsp.running.arguments import positions_of
from apsp.running.component_rows import RowsToReduce
from apsp.running.public import public
from apsp.running.reduction import Reduction
from apsp.running.run import run
from apsp.semiring import NO_VERTEX, unreachable
from apsp.store.header import Arrays, StoreHeader
from apsp.system.machine import threads_from
from apsp.system.progress import Progress, offset, reporting

if TYPE_CHECKING:
    from apsp.store.reading import StoredArrays

__all__ = ["NearestVertices", "k_nearest"]

_ROW_SHARE, _ROW_SHARE_OF_HOPS = 8, 32
"""A search that settles this part of the vertices and arcs of a graph takes about as long as a row of it by other
methods, and finding the nearest in that row; breadth-first search works on many sources at once."""

_PROBES = 8
"""Sources that tell how many vertices a search settles."""


@public
def k_nearest(
    graph: GraphLike | TurnGraph,
    k: int,
    *,
    sources: VerticesLike | Places | None = None,
    **keywords: Unpack[RunKeywords],
) -> Nearest:
    """Find the k nearest vertices of every source, nearest first.

    Where little of the graph is as near as the k nearest, a search from each source ends when they are found, without
    the rest of the row. Rows that a GPU computes are not copied to the host; only the result is.

    Parameters
    ----------
    {graph}
    k : int
        How many, at least 1. The source itself is not one of them.
    sources : vertex or sequence of vertices, or Places, optional
        Only distances from these vertices; all vertices by default.
    {options}

    Returns
    -------
    Nearest
        Vertices and distances, (S, k) each, in the order of the sources.

    See Also
    --------
    within : All vertices within a cutoff of every source, as sparse rows.

    Examples
    --------
    >>> import apsp
    >>> graph = apsp.from_edges([0, 1, 2], [1, 2, 0], [4, 1, 2])
    >>> found = apsp.k_nearest(graph, 1)
    >>> found.vertices.ravel().tolist(), found.distances.ravel().tolist()
    ([1, 2, 0], [4, 1, 2])
    """
    graph = placed(graph_with_turns(graph), leaving=(sources,), entering=(), rows=sources)
    given = positions_of(graph, sources, "sources")
    options = Request.of(**keywords)
    found = Nearest(own_vertices(graph), k, threads=options.threads, labels=own_labels(graph))
    once = None if given is None else np.unique(given)
    alone = graph._turned is None and _searches_win(graph, found.k, once, options)
    if alone:
        options = replace(options, method=ROWS_OF_SEARCHES)
    run(NearestVertices(found.k, alone), found, graph, once, options)
    return found if given is None else found.of(given)


@dataclass(frozen=True)
class NearestVertices(Reduction[Nearest, NearestRows]):
    """The k nearest vertices of each row.

    Attributes
    ----------
    alone : bool
        Each source has a search of its own, which ends when they are found; no row is computed.
    """

    k: int
    alone: bool = False

    def part(self, rows: RowsToReduce, progress: Progress) -> NearestRows:
        """Find them where the rows are computed."""
        if self.alone:
            return [self._searched(rows, progress)]
        blocks = rows.blocks(reuse=True, progress=progress, where_computed=True)
        return nearest_of_blocks(blocks, own_vertices(rows.graph), self.k, threads=rows.request.threads)._parts

    def _searched(self, rows: RowsToReduce, progress: Progress) -> tuple[IntArray, IntArray, npt.NDArray[Any]]:
        sources, dtype = np.ascontiguousarray(rows.sources, dtype=np.int32), rows.plan.dtype
        searches = near_searches(rows.graph, dtype, len(sources))
        with reporting(progress) as report:
            near = searches.find(
                sources, rows.request.cutoff, k=self.k, own=False, threads=threads_from(rows.request.threads),
                progress=offset(report, rows.plan.method, 0, len(sources)),
            )  # fmt: skip
        assert near is not None
        shape, there = (len(sources), self.k), np.arange(self.k) < np.diff(near.starts)[:, None]
        vertices, distances = np.full(shape, NO_VERTEX, dtype=np.int32), np.full(shape, unreachable(dtype), dtype=dtype)
        vertices[there], distances[there] = near.targets, near.distances
        return sources, vertices, distances

    def merge(self, found: Nearest, start: int, part: NearestRows) -> None:  # noqa: ARG002 - rows have their sources
        """Add rows."""
        found._add_found(part)

    def identity(self) -> JsonObject:
        """Return the number of vertices."""
        return {"name": "k_nearest", "k": self.k}

    def layout(self, graph: Graph, plan: Plan) -> Arrays:  # noqa: ARG002
        """Return positions and distances, a row per source."""
        return {"positions": ("int32", "rank", self.k), "distances": (plan.dtype.name, "rank", self.k)}

    def encode(self, part: NearestRows, header: StoreHeader) -> dict[str, Any]:  # noqa: ARG002
        """Return the rows in the order of their sources."""
        order = np.argsort(np.concatenate([sources for sources, _, _ in part]))
        positions, distances = (np.concatenate([rows[column] for rows in part])[order] for column in (1, 2))
        return {"positions": positions, "distances": distances}

    def decode(self, found: Nearest, sources: IntArray, stored: StoredArrays) -> None:
        """Add all rows."""
        found._add_found([(sources, stored.array("positions"), stored.array("distances"))])


def _searches_win(graph: Graph, k: int, sources: IntArray | None, options: Request) -> bool:
    """Whether a search from each source, as far as the k nearest, is faster than whole rows.

    It settles all vertices that are as near as the last of the k: how many these are, some sources tell.
    """
    plain = options.method == "auto" and options.device in ("auto", "cpu")
    if not plain or options.rows is not None or options.pages_file is not None or options.gpu_memory is not None:
        return False
    share = _ROW_SHARE if graph.is_weighted else _ROW_SHARE_OF_HOPS
    count, whole = graph.n if sources is None else len(sources), graph.n + graph.m
    if not count or isinstance(graph, DeviceGraph) or graph.has_negative_arc or share * k > graph.n:
        return False
    exact = statistics_of(graph).has_integer_weights
    if options.store is not None and not exact:  # its bits depend on the method that began it
        return False
    dtype = np.dtype(np.int64 if exact else np.float64)
    places = np.linspace(0, count - 1, min(_PROBES, count)).astype(np.int32)
    searches, work = near_searches(graph, dtype, len(places)), 0
    for source in places if sources is None else sources[places]:
        some = np.array([source], dtype=np.int32)
        near = searches.find(some, options.cutoff, k=k, own=False)
        if near is not None and len(near.targets):
            ball = searches.find(some, near.distances.max().item())
            assert ball is not None
            work += len(ball.targets) + int((graph.indptr[ball.targets + 1] - graph.indptr[ball.targets]).sum())
    return share * work <= whole * len(places)
