"""The k nearest vertices."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from apsp._types import (
    BytesLike,
    DeviceLike,
    DTypeLike,
    ExecutorLike,
    GraphLike,
    JsonObject,
    MethodName,
    PathLike,
    StoreLike,
    VerticesLike,
)
from apsp.graph.accept import as_graph
from apsp.graph.model import Graph
from apsp.measures.docstrings import described
from apsp.methods.problem import IntArray
from apsp.planning.plan import Plan
from apsp.reductions import Nearest
from apsp.reductions.nearest import NearestRows
from apsp.reductions.nearest import k_nearest as nearest_of_blocks
from apsp.running.arguments import positions_of
from apsp.running.component_rows import RowsToReduce
from apsp.running.options import RunOptions
from apsp.running.reduction import Reduction
from apsp.running.run import run
from apsp.store.header import Arrays, StoreHeader
from apsp.system.lack_of_memory import memory_errors
from apsp.system.progress import Progress

if TYPE_CHECKING:
    from apsp.running.storing.reading import StoredArrays

__all__ = ["NearestVertices", "k_nearest"]


@memory_errors
@described
def k_nearest(
    graph: GraphLike,
    k: int,
    *,
    sources: VerticesLike | None = None,
    cutoff: float | None = None,
    dtype: DTypeLike = "auto",
    method: MethodName = "auto",
    device: DeviceLike = "auto",
    gpu_memory: BytesLike | None = None,
    pages_file: PathLike | None = None,
    threads: int | None = None,
    rows: int | None = None,
    executor: ExecutorLike | None = None,
    store: StoreLike | None = None,
    progress: Progress = False,
) -> Nearest:
    """Find the k nearest vertices of every source, nearest first.

    Rows that a GPU computes are not copied to the host; only the result is.

    Parameters
    ----------
    {graph}
    k : int
        How many, at least 1. The source itself is not one of them.
    {sources}
    {resumable_options}

    Returns
    -------
    Nearest
        Vertices and distances, (S, k) each, in the order of the sources.

    Raises
    ------
    {errors}

    Examples
    --------
    >>> import apsp
    >>> graph = apsp.from_edges([0, 1, 2], [1, 2, 0], [4, 1, 2])
    >>> found = apsp.k_nearest(graph, 1)
    >>> found.vertices.ravel().tolist(), found.distances.ravel().tolist()
    ([1, 2, 0], [4, 1, 2])
    """
    graph = as_graph(graph)
    given = positions_of(graph, sources, "sources")
    options = RunOptions(
        cutoff=cutoff, dtype=dtype, method=method, device=device, gpu_memory=gpu_memory, pages_file=pages_file,
        threads=threads, rows=rows, executor=executor, store=store, progress=progress,
    )  # fmt: skip
    found = Nearest(graph.n, k, threads=threads, labels=graph.labels)
    run(NearestVertices(found.k), found, graph, None if given is None else np.unique(given), options)
    return found if given is None else found.of(given)


@dataclass(frozen=True)
class NearestVertices(Reduction[Nearest, NearestRows]):
    """The k nearest vertices of each row."""

    k: int

    def part(self, rows: RowsToReduce, progress: Progress) -> NearestRows:
        """Find them where the rows are computed."""
        blocks = rows.blocks(reuse=True, progress=progress, where_computed=True)
        return nearest_of_blocks(blocks, rows.graph.n, self.k, threads=rows.request.threads)._parts

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
