"""Sums of amounts over rows of distances: added up with the rows if a method can, or from blocks of rows."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from apsp import _cpu
from apsp._types import ExecutorLike, StoreLike
from apsp.api.blocks import going_on
from apsp.api.component_rows import ComponentRows, RowsToReduce, rows_to_reduce
from apsp.api.measures.options import Options
from apsp.api.streaming import RowOptions
from apsp.errors import DeviceError, MemoryLimitError
from apsp.facts.statistics import statistics_of
from apsp.gpu.memory import free_on_failure, free_unused
from apsp.graph.csr import arc_lengths, csr_arguments
from apsp.graph.device import DeviceGraph
from apsp.graph.model import Graph
from apsp.measures.weighing import RowWeigher, Weighing
from apsp.methods.problem import IntArray
from apsp.system.limits import allowed_cores
from apsp.system.progress import offset, reporting
from apsp.system.thread_limit import threads_by_default

__all__ = ["RowsToWeigh", "weighed", "weighed_rows"]

_AT_ONCE = 65_536
"""Sources per call of a solver."""

_PROBES, _WORTH_A_PROBE = 8, 1 << 12
"""Number of searches that estimate what is within the cutoff, and of vertices from which on that is done."""


def weighed(
    graph: Graph,
    weighing: Weighing,
    given: IntArray | None,
    options: Options,
    executor: ExecutorLike | None = None,
    store: StoreLike | None = None,
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
    rows: RowOptions = {
        "cutoff": None if longest == np.inf else longest,
        "share": _share_within(graph, longest, once),
        "dtype": options.get("dtype", "auto"),
        "method": options.get("method", "auto"),
        "device": options.get("device", "auto"),
        "gpu_memory": options.get("gpu_memory"),
        "pages_file": options.get("pages_file"),
        "threads": options.get("threads"),
    }
    sources = None if once is None else graph.labels.take(once)
    if store is not None:
        from apsp.api.storing.weighed_sums import weighed_in  # with the first store: `import apsp` stays quick

        found = weighed_in(store, graph, sources, weighing, rows, options, executor)
    elif executor is not None:
        from apsp.api.spread.front import spread_weighed

        found = spread_weighed(executor, graph, sources, weighing, rows, options)
    else:
        found = weighed_rows(rows_to_reduce(graph, options.get("rows"), sources, **rows), weighing, options)
    return found if once is None or given is None else found[np.searchsorted(once, given)]


@dataclass(frozen=True)
class RowsToWeigh:
    """Rows that are planned, and what is added up over them."""

    rows: RowsToReduce
    weighing: Weighing


def weighed_rows(planned: RowsToReduce, weighing: Weighing, options: Options) -> npt.NDArray[np.float64]:
    """Sums of amounts over rows that are planned, (S, cutoffs, kinds)."""
    wanted = planned.sources
    found = weighing.empty(len(wanted))
    progress = options.get("progress", False)
    if isinstance(planned, ComponentRows):
        with reporting(progress) as report:
            for piece, shown in planned.pieces(report):
                own = replace(weighing, amounts=weighing.amounts[piece.vertices])
                with planned.named(piece.number):
                    found[piece.places] = weighed_rows(piece.rows, own, Options(**{**options, "progress": shown}))
        return found
    if planned.solver.can_weigh(weighing):
        gpus, instead = planned.decided.gpus if planned.decided.device == "cuda" else (), planned.instead
        at_once = max(len(wanted), 1) if gpus else _AT_ONCE
        with reporting(progress) as report:
            for start in range(0, len(wanted), at_once):
                told = offset(report, planned.decided.method, start, len(wanted))
                some = wanted[start : start + at_once]
                try:
                    with free_on_failure(gpus):
                        found[start : start + at_once] = planned.solver.weigh(some, weighing, told)
                except (MemoryLimitError, DeviceError) as error:  # of a GPU: all sources are in one call
                    return weighed_rows(going_on(error, instead), weighing, options)
        if instead is not None:
            free_unused(gpus)
        return found
    threads = options.get("threads") or threads_by_default(allowed_cores())
    rows, start = RowWeigher(weighing, threads), 0
    for block in planned.blocks(reuse=True, progress=progress, where_computed=True):
        count = len(block.source_positions)
        found[start : start + count] = rows.sums(block.distances)
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
    _cpu.dijkstra_weigh(
        **csr_arguments(graph), weights=arc_lengths(graph, dtype), **ones.arguments(dtype),
        sources=places if sources is None else sources[places], sums=sums,
    )  # fmt: skip
    return float(sums.mean()) / graph.n
