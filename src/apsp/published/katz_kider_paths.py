"""Paths from Katz and Kider's cells: an intermediate vertex splits a path in two, recursively.

Source: Katz, Kider 2008, section 4.3 (recursively gathering the sub paths). Input: between (n, n), a vertex between i
and j on a shortest path, or -1 where the path is an arc (or nothing). Output: a path, or predecessors (n, n) int32.
Cost: as many steps as the path has arcs; for all predecessors, a pass over n^2 for each level of the recursion.
Corrected: the paper stores no predecessors; if cycles of length zero would make predecessors form a cycle, they are
taken from whole paths instead.

The idea: the last arc of a path is the last arc of its second part.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from apsp.semiring import NO_VERTEX, is_unreachable

__all__ = ["expand", "predecessors_of_cells"]

_ROWS_AT_ONCE = 256
_Between = npt.NDArray[Any]


def expand(between: _Between, i: int, j: int) -> list[int] | None:
    """The vertices of the path from i to j, both included, which must exist; None if the cells form a cycle."""
    path, parts = [i], [(i, j)]
    while parts:
        u, v = parts.pop()
        k = int(between[u, v])
        if k == NO_VERTEX:
            path.append(v)
        else:
            parts += [(k, v), (u, k)]
        if len(path) + len(parts) > 2 * len(between):
            return None
    return path


def predecessors_of_cells(between: _Between, dist: npt.NDArray[Any], pred: npt.NDArray[np.int32]) -> bool:
    """Write all predecessors; False if rounding has made the cells inconsistent, which cannot happen with integers.

    Parameters
    ----------
    between : (n, n)
    dist : (n, n)
        Closed, in public values.
    pred : (n, n) int32
        Overwritten.
    """
    n = len(between)
    for start in range(0, n, _ROWS_AT_ONCE):
        sources = np.arange(start, min(start + _ROWS_AT_ONCE, n))
        tails = _last_tails(between, sources)
        if tails is None:
            return False
        tails[is_unreachable(dist[sources])] = NO_VERTEX
        tails[np.arange(len(sources)), sources] = NO_VERTEX
        pred[sources] = tails
        for row in np.flatnonzero(~_ends_at_sources(tails)).tolist():
            source = int(sources[row])
            if not _from_whole_paths(between, source, dist[source], pred[source]):
                return False
    return True


def _last_tails(between: _Between, sources: npt.NDArray[Any]) -> npt.NDArray[Any] | None:
    """(S, n) the tail of the last arc of every path; None if the recursion does not end."""
    n = len(between)
    heads = np.arange(n)
    tails = np.repeat(sources[:, None], n, axis=1)
    for _ in range(n + 1):
        onward = between[tails, heads]
        if (onward == NO_VERTEX).all():
            return tails
        tails = np.where(onward == NO_VERTEX, tails, onward)
    return None


def _ends_at_sources(tails: npt.NDArray[Any]) -> npt.NDArray[np.bool_]:
    """(S,) whether every walk backward ends at the source, found by pointer doubling."""
    n = tails.shape[1]
    step = np.where(tails == NO_VERTEX, np.arange(n), tails)
    for _ in range(n.bit_length()):
        step = np.take_along_axis(step, step, axis=1)
    ends: npt.NDArray[np.bool_] = (np.take_along_axis(tails, step, axis=1) == NO_VERTEX).all(axis=1)
    return ends


def _from_whole_paths(between: _Between, source: int, dist: npt.NDArray[Any], row: npt.NDArray[np.int32]) -> bool:
    """Build a tree: each path is followed backward until it meets a vertex of an earlier path.

    Shorter paths are processed first: next to a long arc, rounding hides detours, and a path to the end of that arc may
    contain one.
    """
    reached = np.flatnonzero(row != NO_VERTEX)
    reached = reached[np.argsort(dist[reached], kind="stable")]
    settled = np.zeros(len(row), dtype=np.bool_)
    settled[source] = True
    for head in reached.tolist():
        if settled[head]:
            continue
        path = expand(between, source, head)
        if path is None:
            return False
        path = _without_loops(path)
        for tail, vertex in zip(reversed(path[:-1]), reversed(path[1:]), strict=True):
            if settled[vertex]:
                break
            row[vertex], settled[vertex] = tail, True
    return True


def _without_loops(path: list[int]) -> list[int]:
    """The path without its cycles, which have length zero."""
    last = {vertex: at for at, vertex in enumerate(path)}
    kept, at = [], 0
    while at < len(path):
        kept.append(path[at])
        at = last[path[at]] + 1
    return kept
