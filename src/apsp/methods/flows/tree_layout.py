"""What sweeps over counted arcs visit, and in which order: plain NumPy, no GPU is needed.

Input: levels and degrees of places; an elimination tree and places of sources. Output: `Schedule`, `Paths`. Cost: a few
passes over the places, and over the supernodes between the sources and their roots.

The idea: sources that are adjacent in the order of places share most of the supernodes between them and their roots.
So a source walks up only until it meets a subtree that the source before it in its tile is in, too.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from apsp.methods.elimination.kernels.layout import Layout

__all__ = ["FEW", "LANES", "Paths", "Schedule", "paths_of", "schedule"]

IntArray = npt.NDArray[np.int32]
LongArray = npt.NDArray[np.int64]

LANES = 32
"""Sources of a tile."""

FEW = 32
"""A place with more arcs has a whole block."""

_STEP = np.dtype([("begin", "i4"), ("few", "i4"), ("end", "i4"), ("unused", "i4")])


@dataclass(frozen=True)
class Schedule:
    """Places, step after step; those of a step do not depend on each other.

    Attributes
    ----------
    order : (k,) int32
        Within a step, places with many arcs are last.
    start : (k + 1,) int64
    entries : (start[k],) int64
        The numbers of the arcs that are read for order[i] are entries[start[i] : start[i + 1]].
    steps : (s,)
        Of FlowStep in tree_flows.cuh.
    """

    order: IntArray
    start: LongArray
    entries: LongArray
    steps: npt.NDArray[Any]


def schedule(
    level: IntArray, first: LongArray, last: LongArray, places: IntArray, *, descending: bool
) -> Schedule:  # fmt: skip
    """Order places by their levels.

    Parameters
    ----------
    level : (n,) int32
    first, last : (n,) int64
        The arcs that are read for a place.
    places : (k,) int32
        Those that are visited, ascending.
    descending : bool
        Begin with the largest level.
    """
    keys = level[places].astype(np.int64)
    if descending:
        keys = keys.max(initial=0) - keys
    keys = 2 * keys + (last - first > FEW)[places]
    by_key = np.argsort(keys, kind="stable")
    keys, order = keys[by_key], places[by_key]
    count = int(keys[-1]) // 2 + 1 if len(keys) else 0
    steps = np.zeros(count, dtype=_STEP)
    ends = np.searchsorted(keys, np.arange(2 * count), side="right")
    steps["few"], steps["end"] = ends[::2], ends[1::2]
    steps["begin"][1:] = ends[1:-1:2]
    counts = (last - first)[order]
    start = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
    return Schedule(order, start, np.arange(start[-1]) + np.repeat(first[order] - start[:-1], counts), steps)


@dataclass(frozen=True)
class Paths:
    """The supernodes between the sources of each tile and their roots.

    Attributes
    ----------
    start : (tiles + 1,) int32
    nodes, at : (k,) int32
        Ascending within a tile; where the places of each begin on the path of the tile.
    lengths : (tiles,) int32
        Places of each path.
    """

    start: IntArray
    nodes: IntArray
    at: IntArray
    lengths: IntArray

    def part(self, begin: int, end: int) -> Paths:
        """Return those of some tiles."""
        first, last = self.start[begin], self.start[end]
        return Paths(
            self.start[begin : end + 1] - first, self.nodes[first:last], self.at[first:last], self.lengths[begin:end]
        )


def paths_of(layout: Layout, sources: IntArray) -> Paths:
    """Return the paths of tiles.

    Parameters
    ----------
    layout : Layout
        Of the tree.
    sources : (LANES * tiles,) int32
        Places, ascending; -1 after the last.
    """
    before = np.concatenate([[-1], sources[:-1]])
    before[::LANES] = -1
    node = np.where(sources >= 0, layout.owner[sources], -1)
    tile = np.arange(len(sources)) // LANES
    tiles, nodes = [], []
    while True:
        goes_on = (node >= 0) & (layout.lowest[node] > before)
        node, tile, before = node[goes_on], tile[goes_on], before[goes_on]
        if not len(node):
            break
        tiles.append(tile)
        nodes.append(node)
        node = layout.parent[node]
    tile, node = np.concatenate(tiles), np.concatenate(nodes)
    order = np.lexsort((node, tile))
    tile, node = tile[order], node[order]
    start = np.searchsorted(tile, np.arange(len(sources) // LANES + 1))
    ends = np.concatenate([[0], np.cumsum(layout.columns[node])])
    at, lengths = ends[:-1] - ends[start[tile]], np.diff(ends[start])
    return Paths(*(array.astype(np.int32) for array in (start, node, at, lengths)))
