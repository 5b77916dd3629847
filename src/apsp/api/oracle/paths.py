"""Paths of many pairs from the factor of an oracle."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from apsp.api.oracle.snapshot import Snapshot
from apsp.methods.elimination.routes import EntryPaths, closed_up
from apsp.methods.problem import IntArray, KernelProgress
from apsp.result import paths
from apsp.result.many_paths import ManyPaths
from apsp.system.machine import refuse_unless_fits
from apsp.system.progress import Progress, offset, reporting

__all__ = ["path_blocks", "paths_of"]

_ROUTE_BYTES = 200
"""Per pair, besides the distance: order, offsets, and some twenty entries of the factor, twice for a moment."""

_SHARED = 6
"""Bytes per vertex of a path: its number, and half of that again for parts that paths have in common."""

_REMEDY = "oracle.stream_paths(), some of the pairs at a time"


def path_blocks(
    now: Snapshot, starts: IntArray, ends: IntArray, height: int, progress: Progress
) -> Iterator[ManyPaths]:
    """Yield the paths of all pairs in their order, `height` pairs at a time."""
    with reporting(progress) as report:
        for first in range(0, len(starts), height):
            part = slice(first, first + height)
            yield paths_of(now, starts[part], ends[part], offset(report, "oracle", first, len(starts)))


def paths_of(now: Snapshot, starts: IntArray, ends: IntArray, progress: KernelProgress | None) -> ManyPaths:
    """Return the paths of pairs, from the factor, or by a search where sums of floats are rounded differently."""
    count = len(starts)

    def what() -> str:
        return f"the paths of {count:,} pairs"

    refuse_unless_fits(count * (now.dtype.itemsize + _ROUTE_BYTES), what, _REMEDY)
    steps = now.steps()
    if steps is None:  # more values than numbers
        routes = EntryPaths.unknown(now.pairs(starts, ends))
    else:
        routes = steps.routes(starts, ends, threads=now.threads, progress=progress)
    searched = _searched(now, routes, starts, ends)
    counts = routes.lengths.copy()
    for pair, path in searched.items():
        counts[pair] = len(path)
    offsets = np.zeros(count + 1, dtype=np.int64)
    np.cumsum(counts, out=offsets[1:])
    refuse_unless_fits(int(offsets[-1]) * _SHARED + 4 * len(now.factor.values), what, _REMEDY)
    vertices = np.empty(offsets[-1], dtype=np.int32)
    if steps is not None:
        steps.write(routes, starts, offsets, vertices, threads=now.threads)
    for pair, path in searched.items():
        vertices[offsets[pair] : offsets[pair + 1]] = path
        routes.lengths[pair] = len(path)
    if (routes.lengths != counts).any():
        offsets, vertices = closed_up(offsets, vertices, routes.lengths)
    graph = now.graph
    return ManyPaths(offsets, vertices, routes.distances, graph.labels, graph=graph)


def _searched(now: Snapshot, routes: EntryPaths, starts: IntArray, ends: IntArray) -> dict[int, list[int]]:
    """Return the paths that do not follow from the factor, because sums of floats are rounded differently."""
    found: dict[int, list[int]] = {}
    missing = np.flatnonzero(routes.lengths < 0)
    trees: dict[int, IntArray] = {}
    for pair in missing[np.argsort(starts[missing], kind="stable")].tolist():
        source = int(starts[pair])
        if source not in trees:
            trees.clear()
            trees[source] = _tree(now, source)
        found[pair] = paths.walk(trees[source], source, int(ends[pair]))
    return found


def _tree(now: Snapshot, source: int) -> IntArray:
    row = np.empty((1, now.graph.n), dtype=now.dtype)
    now.factor.rows(np.array([source], dtype=np.int32), None, row, threads=now.threads)
    return paths.predecessors_from_distances(now.graph, source, row[0])
