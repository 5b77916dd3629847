"""Paths of many pairs from the factor of an oracle."""

from __future__ import annotations

from collections.abc import Iterator

from apsp.api.oracle.snapshot import Snapshot
from apsp.methods.problem import IntArray, KernelProgress
from apsp.result.many_paths import ManyPaths
from apsp.system.progress import Progress, offset, reporting

__all__ = ["path_blocks", "paths_of"]


def path_blocks(
    now: Snapshot, starts: IntArray, ends: IntArray, height: int, progress: Progress
) -> Iterator[ManyPaths]:
    """Yield the paths of all pairs in their order, `height` pairs at a time."""
    total = len(starts)
    with reporting(progress) as report:
        for first in range(0, total, height):
            part = slice(first, first + height)
            yield paths_of(now, starts[part], ends[part], offset(report, "oracle", first, total), total)


def paths_of(
    now: Snapshot, starts: IntArray, ends: IntArray, progress: KernelProgress | None, total: int | None = None
) -> ManyPaths:
    """Return the paths of pairs, which are some of so many; by default they are all."""
    found = now.paths.of_pairs(starts, ends, progress, total=total)
    return ManyPaths(found.offsets, found.vertices, found.distances, now.graph.labels, graph=now.graph)
