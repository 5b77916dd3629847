"""Statistics of the distances between sets of vertices, from rows that the workers of an engine reduce.

A worker returns the numbers of the sets that its sources belong to. If these would be many bytes, the sources of a task
are of few sets: they are sent in the order of the groups.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial

import numpy as np
import numpy.typing as npt

from apsp._types import VerticesLike
from apsp.api.measures.kept import Kept
from apsp.api.measures.options import Options, split
from apsp.api.measures.rows_of_sets import RowsOfSets
from apsp.api.measures.sets_wanted import SetsWanted
from apsp.api.spread.job import Job
from apsp.api.spread.spread import Spread, checked_job
from apsp.api.spread.tasks import PerPart
from apsp.api.streaming import checked_request
from apsp.graph.model import Graph
from apsp.measures import Summary
from apsp.measures.group_quantiles import Windows
from apsp.measures.set_distances import SetDistances, SetNumbers
from apsp.methods.problem import IntArray
from apsp.planning.plan import Plan
from apsp.system.limits import allowed_cores
from apsp.system.progress import ProgressReport
from apsp.system.thread_limit import threads_by_default

__all__ = ["SetsFound", "SetsReduced", "bytes_of_tasks", "spread_sets", "spread_summary_of_sets"]

_MOST_BYTES = 8 << 20
"""Most bytes that a task (about two seconds of work) returns for sources of all sets. Beyond, sources are sent in the
order of the groups. That takes longer if near numbers mean near vertices, which share the work of a search, and groups
are scattered: up to four times as long, for label correcting on a grid."""


_POWERS = 16
"""Of two, between the smallest and the largest float distance; the bins for quantiles divide all that the dtype has."""


@dataclass(frozen=True)
class SetsFound:
    """What the rows of a part add up to.

    Attributes
    ----------
    rows : (K,) int64
        The sets that the sources of the part belong to.
    sets : SetDistances
        Of these sets.
    summary : Summary or None
    """

    rows: npt.NDArray[np.int64]
    sets: SetDistances
    summary: Summary | None


@dataclass(frozen=True)
class SetsReduced:
    """Numbers of the sets of a part.

    Attributes
    ----------
    windows : Windows or None
        Of the sets of the part.
    threads : int or None
    kept : Kept or None
        What a summary keeps, if there is one, too.
    """

    windows: Windows | None
    threads: int | None
    kept: Kept | None

    def __call__(self, made: RowsOfSets, start: int, stop: int, progress: ProgressReport) -> SetsFound:
        """Reduce the rows."""
        rows, numbers = made.rows.part(start, stop), made.numbers
        those, of = _sets_of(numbers, rows.sources, start)
        cells = np.full(rows.graph.n, -1, dtype=np.int32)
        cells[rows.sources] = of
        threads = self.threads or rows.request.threads or threads_by_default(allowed_cores())
        sets = SetDistances(numbers, cells, len(those), threads=threads, windows=self.windows)
        summary = None if self.kept is None else self.kept.empty(rows.graph, self.threads, labelled=False)
        if len(those) or summary is not None:
            for block in rows.blocks(reuse=True, progress=progress, where_computed=summary is not None):
                if summary is not None:
                    summary.add(block)
                sets.add(block)
        return SetsFound(those, sets, summary)


def bytes_of_tasks(sets: SetDistances, tasks: int, rows: int, decided: Plan) -> int:
    """About the bytes that so many tasks, of so many rows each, return in the first pass."""
    count, groups = sets.sums.pairs.shape
    of_task = min(count + tasks, tasks * rows) if _are_in_order(sets) else tasks * min(count, rows)
    counts = 0
    if sets.windows is not None:
        bins, bound = sets.windows.bins, decided.bound
        if decided.dtype.kind == "f":
            counts = bins * _POWERS // np.finfo(decided.dtype).maxexp
        else:
            counts = min(bins, int(bound.high) - int(bound.low) + 1)
    return of_task * groups * (sets.bytes_of_pair + counts)


def _are_in_order(sets: SetDistances) -> bool:
    """Whether sources are sent in the order of the groups."""
    return not sets.kept.each and sets.bytes_of_part > _MOST_BYTES


def spread_sets(executor: object, graph: Graph, wanted: SetsWanted, options: Options) -> SetDistances:
    """What the rows of `wanted` add up to; errors are those of `distance_statistics`."""
    chosen = None if wanted.once is None else graph.labels.take(wanted.once)
    return _reduced(executor, graph, chosen, wanted, options, None, None)


def spread_summary_of_sets(
    executor: object, graph: Graph, sources: VerticesLike | None, kept: Kept, options: Options
) -> Summary:
    """The summary of some rows, with statistics of groups; parameters and errors are those of `summary`."""
    found = kept.empty(graph, options.get("threads"))
    sets = _reduced(executor, graph, sources, kept.sets, options, replace(kept, sets=None), found)
    found._statistics = kept.sets.result(sets)
    return found


def _reduced(
    executor: object,
    graph: Graph,
    chosen: VerticesLike | None,
    wanted: SetsWanted,
    options: Options,
    kept: Kept | None,
    found: Summary | None,
) -> SetDistances:
    """Pass over the rows; the first pass is merged with a summary, if there is one."""
    rows, progress, of_rows = split(options)
    threads = of_rows.get("threads")
    graph, positions, _, _ = checked_request(graph, rows, chosen, None, **of_rows)
    sets = wanted.reducer(threads)
    if _are_in_order(sets):
        positions = wanted.in_order_of_groups(positions)
    sources = np.arange(graph.n, dtype=np.int32) if positions is None else positions
    edges = None if sets.counts is None else sets.counts.bins.edges
    adding = partial(RowsOfSets, numbers=replace(sets.kept, edges=edges))
    job = checked_job(executor, Job(graph, positions, None, of_rows, rows, adding, reduced=True))

    def fold(start: int, stop: int) -> SetsReduced:
        windows = sets.windows
        if windows is not None:
            windows = windows.of(_sets_of(sets.kept, sources[start:stop], start)[0])
        return SetsReduced(windows, threads, kept)

    with Spread(job, executor, len(sources)).passes(progress) as passes:
        while True:
            for _, _, part in passes.run(PerPart(fold)):
                sets.merge(part.rows, part.sets)
                if found is not None and part.summary is not None:
                    found.merge(part.summary)
            kept = None
            if not sets.end_pass():
                return sets


def _sets_of(numbers: SetNumbers, sources: IntArray, start: int) -> tuple[npt.NDArray[np.int64], IntArray]:
    """The sets that sources belong to, the first of which is number `start` of all; and the place of each source's set
    among these, -1 for none.
    """
    if numbers.each:
        own = np.arange(len(sources))
        return start + own, own.astype(np.int32)
    of = numbers.groups.of[sources]
    rows = np.unique(of[of >= 0]).astype(np.int64)
    return rows, np.where(of >= 0, np.searchsorted(rows, of), -1).astype(np.int32)
