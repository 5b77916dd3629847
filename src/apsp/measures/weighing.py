"""Sums of amounts over rows of distances: added up with the rows if a method can, or from blocks of rows."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from apsp import _cpu
from apsp._types import JsonObject
from apsp.facts.request import Request
from apsp.facts.statistics import statistics_of
from apsp.graph.csr import arc_arrays, arc_lengths
from apsp.graph.device import DeviceGraph
from apsp.graph.model import Graph
from apsp.methods.problem import IntArray
from apsp.planning.plan import Plan
from apsp.reductions.row_weigher import RowWeigher
from apsp.reductions.weighing import Weighing
from apsp.running.component_rows import ComponentRows, RowsToReduce
from apsp.running.planned_rows import PlannedRows
from apsp.running.reduction import Reduction
from apsp.running.run import run
from apsp.store.header import Arrays, StoreHeader
from apsp.system.limits import allowed_cores
from apsp.system.progress import Progress, offset, reporting
from apsp.system.thread_limit import threads_by_default

if TYPE_CHECKING:
    from apsp.store.reading import StoredArrays

__all__ = ["WeightedSums", "weighed"]

_AT_ONCE = 65_536
"""Sources per call of a solver."""

_PROBES, _WORTH_A_PROBE = 8, 1 << 12
"""Number of searches that estimate what is within the cutoff, and of vertices from which on that is done."""


def weighed(
    graph: Graph,
    weighing: Weighing,
    given: IntArray | None,
    options: Request,
) -> npt.NDArray[np.float64]:
    """Sums of amounts over the distances from some vertices.

    Parameters
    ----------
    given : (S,) int32 or None
        Positions of the sources, in any order, also repeated; None means all.

    Returns
    -------
    (S, cutoffs, kinds) float64

    Raises
    ------
    As `apsp.stream`, and RequestError if a store is of another request.
    """
    once = None if given is None else np.unique(given).astype(np.int32)
    longest = weighing.cutoffs[-1]
    options = replace(
        options, cutoff=None if longest == np.inf else longest, share=_share_within(graph, longest, once)
    )  # fmt: skip
    found = weighing.empty(graph.n if once is None else len(once))
    run(WeightedSums(weighing), found, graph, once, options)
    return found if once is None or given is None else found[np.searchsorted(once, given)]


@dataclass(frozen=True)
class WeightedSums(Reduction[npt.NDArray[np.float64], npt.NDArray[np.float64]]):
    """Sums of amounts over each row."""

    weighing: Weighing

    copies = True
    """Methods that weigh take whole rows; the amounts of copies are zero."""

    def part(self, rows: RowsToReduce, progress: Progress) -> npt.NDArray[np.float64]:
        """Return (S, cutoffs, kinds) sums."""
        return weighed_rows(rows, self.weighing, progress)

    def merge(self, found: npt.NDArray[np.float64], start: int, part: npt.NDArray[np.float64]) -> None:
        """Write sums in their place."""
        found[start : start + len(part)] = part

    def identity(self) -> JsonObject:
        """Return what is added up."""
        weighing = self.weighing
        amounts = np.ascontiguousarray(weighing.amounts)
        return {
            "name": "accessibility",
            "weights": hashlib.sha256(repr(amounts.shape).encode() + amounts.tobytes()).hexdigest(),
            "cutoffs": [repr(float(cutoff)) for cutoff in weighing.cutoffs],
            "decay": weighing.decay or "none",
            "beta": repr(float(weighing.beta)),
            "midpoint": repr(float(weighing.midpoint)),
        }

    def layout(self, graph: Graph, plan: Plan) -> Arrays:  # noqa: ARG002
        """Return a row of sums per source."""
        return {"sums": ("float64", "row", len(self.weighing.cutoffs) * self.weighing.amounts.shape[1])}

    def encode(self, part: npt.NDArray[np.float64], header: StoreHeader) -> dict[str, Any]:  # noqa: ARG002
        """Return a row per source."""
        return {"sums": part.reshape(len(part), -1)}

    def decode(self, found: npt.NDArray[np.float64], sources: IntArray, stored: StoredArrays) -> None:  # noqa: ARG002
        """Read all sums."""
        if found.size:
            found[:] = stored.array("sums").reshape(found.shape)


def weighed_rows(planned: RowsToReduce, weighing: Weighing, progress: Progress) -> npt.NDArray[np.float64]:
    """Sums of amounts over rows that are planned, (S, cutoffs, kinds)."""
    if not isinstance(planned, ComponentRows):
        return planned.attempt(lambda rows: _weighed(rows, weighing, progress))
    found = weighing.empty(len(planned.sources))
    with reporting(progress) as report:
        for piece, part_progress in planned.pieces(report):
            own = replace(weighing, amounts=weighing.amounts[piece.vertices])
            with planned.named(piece.number):
                found[piece.places] = weighed_rows(piece.rows, own, part_progress)
    return found


def _weighed(rows: PlannedRows, weighing: Weighing, progress: Progress) -> npt.NDArray[np.float64]:
    sources, found, start = rows.sources, weighing.empty(len(rows.sources)), 0
    if rows.solver.can_weigh(weighing):
        at_once = max(len(sources), 1) if rows.plan.device == "cuda" else _AT_ONCE
        with reporting(progress) as report:
            for start in range(0, len(sources), at_once):
                some = sources[start : start + at_once]
                kernel_progress = offset(report, rows.plan.method, start, len(sources))
                found[start : start + at_once] = rows.solver.weigh(some, weighing, kernel_progress)
        return found
    weigher = RowWeigher(weighing, rows.request.threads or threads_by_default(allowed_cores()))
    for block in rows.blocks(reuse=True, progress=progress, where_computed=True):
        count = len(block.source_positions)
        found[start : start + count] = weigher.sums(block.distances)
        start += count
    return found


def _share_within(graph: Graph, cutoff: float, sources: IntArray | None) -> float:
    """The mean part of all vertices that is within the cutoff of a source, from a few of them; 1 if not estimated."""
    count = graph.n if sources is None else len(sources)
    if (
        cutoff == np.inf or graph.n < _WORTH_A_PROBE or count <= _PROBES
        or isinstance(graph, DeviceGraph) or graph.has_negative_arc
    ):  # fmt: skip
        return 1.0
    places = np.linspace(0, count - 1, _PROBES).astype(np.int32)
    dtype = np.dtype(np.int64 if statistics_of(graph).has_integer_weights else np.float64)
    ones = Weighing(np.ones((graph.n, 1)), (cutoff,))
    sums = ones.empty(_PROBES)
    arcs = arc_arrays(graph, arc_lengths(graph, dtype))
    _cpu.dijkstra_weigh(arcs, places if sources is None else sources[places], ones.arrays(dtype, sums))
    return float(sums.mean()) / graph.n
