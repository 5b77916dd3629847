"""What the public functions call if they are given an executor."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np
import numpy.typing as npt

from apsp._types import GraphLike, VerticesLike
from apsp.api.blocks import Block
from apsp.api.measures.kept import Kept
from apsp.api.measures.options import Options, split
from apsp.api.spread.folds import Blocks, NearestFound, Summarized, Weighed
from apsp.api.spread.job import Job
from apsp.api.spread.sets import spread_summary_of_sets
from apsp.api.spread.spread import Spread, checked_job
from apsp.api.streaming import RowOptions, checked_request
from apsp.api.weighing import RowsToWeigh
from apsp.graph.labels import Labels
from apsp.graph.model import Graph
from apsp.measures import Nearest, Summary
from apsp.measures.weighing import Weighing
from apsp.system.progress import Progress

__all__ = ["spread_blocks", "spread_nearest", "spread_summary", "spread_weighed"]


def spread_blocks(
    executor: object,
    graph: GraphLike,
    rows: int | None,
    sources: VerticesLike | None,
    targets: VerticesLike | None,
    options: RowOptions,
    progress: Progress,
) -> Iterator[Block]:
    """Blocks in the order of the sources; parameters and errors are those of `stream`."""
    spread, labels = _spread(executor, graph, rows, sources, targets, options)
    return _labelled(spread, labels, rows, progress)


def _labelled(spread: Spread, labels: Labels, rows: int | None, progress: Progress) -> Iterator[Block]:
    for _, _, blocks in spread.outcomes(Blocks(), progress, height=rows, in_order=True):
        for block in blocks:
            block.labels = labels
            yield block


def spread_summary(
    executor: object, graph: Graph, sources: VerticesLike | None, kept: Kept, options: Options
) -> Summary:
    """The summary of some rows; parameters and errors are those of `summary`."""
    if kept.sets is not None:
        return spread_summary_of_sets(executor, graph, sources, kept, options)
    rows, progress, of_rows = split(options)
    spread, _ = _spread(executor, graph, rows, sources, None, of_rows, reduced=True)
    found = kept.empty(graph, options.get("threads"))
    for _, _, part in spread.outcomes(Summarized(kept, options.get("threads")), progress):
        found.merge(part)
    return found


def spread_nearest(executor: object, graph: Graph, k: int, sources: VerticesLike | None, options: Options) -> Nearest:
    """The nearest vertices of some sources; parameters and errors are those of `k_nearest`."""
    rows, progress, of_rows = split(options)
    threads = options.get("threads")
    found = Nearest(graph.n, k, threads=threads, labels=graph.labels)
    spread, _ = _spread(executor, graph, rows, sources, None, of_rows, reduced=True)
    for _, _, part in spread.outcomes(NearestFound(found.k, threads), progress):
        found._add_found(part)
    return found


def spread_weighed(
    executor: object,
    graph: Graph,
    sources: VerticesLike | None,
    weighing: Weighing,
    of_rows: RowOptions,
    options: Options,
) -> npt.NDArray[np.float64]:
    """Sums of amounts over some rows, (S, cutoffs, kinds)."""
    rows, progress, _ = split(options)
    graph, chosen, _, _ = checked_request(graph, rows, sources, None, **of_rows)
    job = checked_job(
        executor, Job(graph, chosen, None, of_rows, rows, partial(RowsToWeigh, weighing=weighing), reduced=True)
    )
    spread = Spread(job, executor, graph.n if chosen is None else len(chosen))
    found = weighing.empty(spread.count)
    for start, stop, part in spread.outcomes(Weighed(options.get("threads")), progress):
        found[start:stop] = part
    return found


def _spread(
    executor: object,
    graph: GraphLike,
    rows: int | None,
    sources: VerticesLike | None,
    targets: VerticesLike | None,
    options: RowOptions,
    *,
    reduced: bool = False,
) -> tuple[Spread, Labels]:
    graph, chosen, columns, _ = checked_request(graph, rows, sources, targets, **options)
    job = checked_job(executor, Job(graph, chosen, columns, options, rows, reduced=reduced))
    return Spread(job, executor, graph.n if chosen is None else len(chosen)), graph.labels
