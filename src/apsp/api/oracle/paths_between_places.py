"""Paths of many pairs of places from the factor of an oracle: from those between the ends of their streets."""

from __future__ import annotations

from typing import Any

import numpy as np

from apsp.api.oracle.paths import paths_of
from apsp.api.oracle.requests import paired
from apsp.api.oracle.snapshot import Snapshot
from apsp.api.places.by_ends import side_of, ways
from apsp.graph.places.ends import direct
from apsp.graph.places.placed import placed
from apsp.graph.turns.entered import streets_of
from apsp.methods.problem import KernelProgress
from apsp.result.many_paths import ManyPaths
from apsp.result.path_links import as_links, finished, links_between_places
from apsp.semiring import infinite

__all__ = ["paths_between_places"]


def paths_between_places(
    now: Snapshot, sources: Any, targets: Any, progress: KernelProgress | None, *, links: bool = False
) -> ManyPaths:
    """Return the paths of pairs of places or vertices, whose ends are the places, or the links of these paths.

    Raises
    ------
    GraphError, RequestError
        If places or vertices are not of this graph, there are not as many sources as targets, or the graph keeps no
        links.
    """
    graph = now.graph
    wide = placed(streets_of(graph), leaving=(sources,), entering=(targets,))
    first, last = paired(wide, sources, targets)
    sides = side_of(graph, sources, "sources", leaving=True), side_of(graph, targets, "targets", leaving=False)
    row, column = (np.broadcast_to(np.arange(len(side)), len(first)) for side in sides)
    least, starts, ends = np.full(len(first), np.inf), np.full(len(first), -1, np.int32), last.copy()
    if sides[0].places is not None and sides[1].places is not None:
        least = direct(graph, sides[0].places, sides[1].places, row, column)
    for some, begin, end, way in ways(*sides, row, column):
        length = way + infinite(now.pairs(np.ascontiguousarray(begin), np.ascontiguousarray(end)))
        shorter = length < least[some]
        chosen = some[shorter]
        least[chosen], starts[chosen], ends[chosen] = length[shorter], begin[shorter], end[shorter]
    passing = starts >= 0
    between = paths_of(now, starts[passing], ends[passing], progress)
    links_passed = finished(graph, between, links=True).positions if links else None
    found = finished(graph, between, links=False)
    counts = np.where(np.isinf(least), 0, np.where(first == last, 1, 2)).astype(np.int64)
    outer = [side.places is not None for side in sides]
    counts[passing] = np.diff(found.offsets) + sum(outer)
    offsets = np.concatenate([np.zeros(1, np.int64), np.cumsum(counts)])
    positions, inner = np.empty(offsets[-1], np.int32), np.ones(offsets[-1], bool)
    for is_outer, at, own in ((outer[0], offsets[:-1], first), (outer[1], offsets[1:] - 1, last)):
        some = np.flatnonzero((counts > 0) & (~passing | is_outer))
        positions[at[some]], inner[at[some]] = own[some], False
    positions[inner] = found.positions
    taken = links_between_places(wide, positions, offsets, found.links_between)
    whole = ManyPaths(offsets, positions, least, wide.labels, graph=wide, links_between=taken)
    return as_links(wide, whole, links_passed) if links else whole
