"""The data of a tree for the kernels of elimination: its levels, units of work, and the lanes in each subtree.

Input: the arrays of an elimination tree, and places whose lanes are computed together. Output: flat arrays in the
layout of lines.cuh. Cost: a few passes over vertices, supernodes and their rows. Plain NumPy: no GPU is needed.

The idea: a subtree is a run of supernodes and of places, so the lanes in it, ordered by place, are a run as well. Its
labels are a rectangle: the columns of the supernode by the lanes of its subtree.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from apsp.system.cached import cached_property

__all__ = ["GROUP", "WORDS_OF_A_TILE", "LabelPlaces", "Layout", "Tree", "Units", "distinct"]

GROUP = 8
"""Number of lines that a warp computes; kGroup of lines.cuh."""

WORDS_OF_A_TILE = 128
"""Values of a line per tile: 32 threads times kAhead of lines.cuh."""

_SHARE_OF_CHAINS = 8
"""Supernodes above some places are found one by one if they are at most one in so many of all."""

_NODE = np.dtype([("climb", "i8"), ("descent", "i8"), *((name, "i4") for name in ("list", "first", "columns", "rows"))])
_SPAN = np.dtype([("start", "i8"), *((name, "i4") for name in ("low", "high", "width", "unused"))])

Ints = npt.NDArray[np.int32]
Longs = npt.NDArray[np.int64]


class Tree(Protocol):
    """The arrays of `apsp.methods.elimination.tree.EliminationTree` that are used here."""

    @property
    def order(self) -> Ints: ...  # noqa: D102
    @property
    def first(self) -> Ints: ...  # noqa: D102
    @property
    def parent(self) -> Ints: ...  # noqa: D102
    @property
    def row_start(self) -> Longs: ...  # noqa: D102
    @property
    def rows(self) -> Ints: ...  # noqa: D102
    @property
    def panel_start(self) -> Longs: ...  # noqa: D102


@dataclass(frozen=True)
class Units:
    """Groups of lines that launches compute, level after level.

    Attributes
    ----------
    of : (units, 2) or (tiles, 3) int32
        The supernode, the group of its lines, and the tile of lanes (for tiles).
    ends : (levels + 1,) int64
        Those of launch k are of[ends[k]:ends[k + 1]].
    """

    of: Ints
    ends: Longs


@dataclass(frozen=True)
class LabelPlaces:
    """The layout of the labels of some lanes: for each lane, distances to (or from) the columns above its vertex.

    Attributes
    ----------
    places : (L,) int32
        Of the lanes, ascending, each once.
    position : (lanes,) int32
        Position of each lane among the places.
    nodes : (s,) int64
        The supernodes whose subtrees contain places, roots first.
    spans : (s,) of Span in lines.cuh
        Of each of them.
    size : int
        Values of all labels.
    tiles : Units
        Of the way up: deepest supernodes first.
    """

    places: Ints
    position: Ints
    nodes: Longs
    spans: npt.NDArray[Any]
    size: int
    tiles: Units


class Layout:
    """A tree in the layout of the kernels.

    Parameters
    ----------
    tree : Tree
    """

    def __init__(self, tree: Tree) -> None:
        self.order = tree.order
        self.n, self.count = len(tree.order), len(tree.parent)
        self.first, self.parent = tree.first, tree.parent
        self.columns = np.diff(tree.first).astype(np.int64)
        self.rows = np.diff(tree.row_start)
        self.panel_start = tree.panel_start
        self.rows_of, self._row_start = tree.rows, tree.row_start
        self._of_all: dict[int, LabelPlaces] = {}

    def prepare(self, lanes: int) -> None:
        """Compute and store all arrays for the whole matrix. The factor is not needed."""
        for found in (self.place, self.owner, self.records, self.descents, self.climbs):
            assert found is not None
        self.labels_of_all(lanes)

    @property
    def entries(self) -> int:
        """Values of the factor."""
        return int(self.panel_start[-1])

    @cached_property
    def place(self) -> Ints:
        """(n,) the place of each vertex."""
        place = np.empty(self.n, dtype=np.int32)
        place[self.order] = np.arange(self.n, dtype=np.int32)
        return place

    @cached_property
    def owner(self) -> Ints:
        """(n,) the supernode of each place."""
        return np.repeat(np.arange(self.count, dtype=np.int32), self.columns)

    @cached_property
    def depth(self) -> Ints:
        """(supernodes,) depth in the tree; 0 for roots."""
        return self._summed_up((self.parent >= 0).astype(np.int32))

    @cached_property
    def tops(self) -> Ints:
        """(supernodes,) the columns of each and of all above it."""
        return self._summed_up(self.columns.astype(np.int32))

    def _summed_up(self, sums: Ints) -> Ints:
        """The sums of the values of each supernode and of all above it, in place."""
        above = self.parent.copy()
        while True:
            inner = np.flatnonzero(above >= 0)
            if not len(inner):
                return sums
            sums[inner] += sums[above[inner]]
            above[inner] = above[above[inner]]

    @cached_property
    def least_above(self) -> Ints:
        """(levels, supernodes) the fewest `tops` of the parents of 1, 2, 4, ... supernodes from each on."""
        parents = np.where(self.parent < 0, 0, self.tops[self.parent])
        levels = [parents]
        for half in (1 << level for level in range((self.count - 1).bit_length() - 1)):
            level = levels[-1].copy()
            np.minimum(level[:-half], level[half:], out=level[:-half])
            levels.append(level)
        return np.stack(levels).astype(np.int32, copy=False)

    @cached_property
    def lowest(self) -> Ints:
        """(supernodes,) the first place of each subtree."""
        lowest = self.first[:-1].copy()
        for nodes in self.upwards():
            np.minimum.at(lowest, self.parent[nodes], lowest[nodes])
        return lowest

    def upwards(self) -> Iterator[Longs]:
        """The supernodes of each depth, deepest first, without the roots."""
        ends = np.cumsum(np.bincount(self.depth)).tolist()
        for start, end in reversed(list(itertools.pairwise(ends))):
            yield self.by_depth[start:end]

    @cached_property
    def by_depth(self) -> Longs:
        """(supernodes,) all of them, roots first."""
        return np.argsort(self.depth, kind="stable")

    @cached_property
    def lists(self) -> tuple[Ints, Longs]:
        """(padded,) the rows of all supernodes, the last one twice if their number is odd; and the beginning of each
        list.
        """
        sizes = self.rows + self.rows % 2
        starts = np.concatenate([[0], np.cumsum(sizes)])
        within = np.arange(starts[-1]) - np.repeat(starts[:-1], sizes)
        last = np.repeat(self.rows - 1, sizes)
        padded = self.rows_of[np.repeat(self._row_start[:-1], sizes) + np.minimum(within, last)]
        return padded.astype(np.int32, copy=False), starts

    @cached_property
    def records(self) -> tuple[npt.NDArray[Any], int, int]:
        """(supernodes,) of Node in lines.cuh, and the words of all panels: of the way up, and down."""
        k, r = self.columns, self.rows
        up = np.concatenate([[0], np.cumsum(_groups(k + r) * GROUP * (k + k % 2))])
        down = np.concatenate([[0], np.cumsum(_groups(k) * GROUP * (r + r % 2))])
        nodes = np.zeros(self.count, dtype=_NODE)
        for name, values in (
            ("climb", up[:-1]), ("descent", down[:-1]), ("list", self.lists[1][:-1]), ("first", self.first[:-1]),
            ("columns", k), ("rows", r),
        ):  # fmt: skip
            nodes[name] = values
        return nodes, int(up[-1]), int(down[-1])

    @cached_property
    def descents(self) -> Units:
        """All units of the way down."""
        return self.units()

    @cached_property
    def climbs(self) -> Units:
        """All units of the way up, for any lanes."""
        return self.units(climbs=True)

    def units(self, nodes: Longs | None = None, *, climbs: bool = False) -> Units:
        """Return all groups of lines of the way down, roots first, or of the way up.

        Parameters
        ----------
        nodes : (s,), optional
            Supernodes, roots first; by default all.
        """
        nodes = self.by_depth if nodes is None else nodes
        counts = _groups((self.columns + self.rows if climbs else self.columns)[nodes])
        of = np.empty((int(counts.sum()), 2), dtype=np.int32)
        of[:, 0] = np.repeat(nodes, counts)
        of[:, 1] = _within(counts)
        return Units(of, _ends(self.depth[nodes], counts))

    def above(self, places: Ints) -> tuple[Longs, Longs, Longs]:
        """Return (s,) arrays: the supernodes, roots first, whose subtrees contain some of the places; the begin and end
        of these places, sorted.

        A way down to the places passes through these supernodes, and a way up from them.
        """
        owners = np.unique(self.owner[places])
        if len(owners) * self.levels < self.count // _SHARE_OF_CHAINS:
            nodes, ordered = self._chains(owners), np.sort(places)
            low, high = (np.searchsorted(ordered, ends) for ends in (self.lowest[nodes], self.first[nodes + 1]))
            return nodes, low, high
        before = np.zeros(self.count + 1, dtype=np.int64)
        np.cumsum(np.bincount(self.owner[places], minlength=self.count), out=before[1:])
        low, high = before[self._subtrees[0]], before[self._subtrees[1]]
        held = np.flatnonzero(high > low)
        return self.by_depth[held], low[held], high[held]

    def _chains(self, nodes: Ints) -> Longs:
        """Some supernodes and all above them, roots first."""
        found = [nodes]
        while len(found[-1]):
            parents = self.parent[found[-1]]
            found.append(np.unique(parents[parents >= 0]))
        every = np.unique(np.concatenate(found)).astype(np.int64)
        return every[np.argsort(self.depth[every], kind="stable")]

    @cached_property
    def levels(self) -> int:
        """Levels of the tree."""
        return int(self.depth.max(initial=-1)) + 1

    @cached_property
    def _subtrees(self) -> tuple[Longs, Longs]:
        """(supernodes,) each, roots first: the first supernode of each subtree, and the first one after it."""
        return self.owner[self.lowest[self.by_depth]].astype(np.int64), self.by_depth + 1

    def labels(self, places: Ints, lanes: int) -> LabelPlaces:
        """Return the labels for lanes of vertices at some places (repeated ones share their labels).

        Parameters
        ----------
        lanes : int
            Values of a word: two of 16 bits.
        """
        kept, position = np.unique(places, return_inverse=True)
        return self._labels(kept, position.astype(np.int32), lanes)

    def _labels(self, kept: Ints, position: Ints, lanes: int) -> LabelPlaces:
        nodes, low, high = self.above(kept)
        width = high - (low & ~1)
        width += width % 2
        sizes = self.columns[nodes] * width
        found = np.zeros(len(nodes), dtype=_SPAN)
        found["start"], found["low"], found["high"], found["width"] = np.cumsum(sizes) - sizes, low, high, width
        tiles = self._tiles(nodes[::-1], width[::-1], lanes * WORDS_OF_A_TILE)
        return LabelPlaces(kept, position, nodes, found, int(sizes.sum()), tiles)

    def labels_of_all(self, lanes: int) -> LabelPlaces:
        """Return the labels of the lanes of all vertices, in order; they are stored."""
        if lanes not in self._of_all:
            self._of_all[lanes] = self._labels(np.arange(self.n, dtype=np.int32), self.place, lanes)
        return self._of_all[lanes]

    def label_values(self) -> int:
        """Values of the labels of all lanes."""
        return int(np.sum(self.columns * (self.first[1:] - self.lowest)))

    def _tiles(self, nodes: Longs, width: Longs, tile: int) -> Units:
        """The groups of a tile one after the other: they read the same labels. Deepest supernodes come first."""
        groups, tiles = _groups((self.columns + self.rows)[nodes]), -(-width // tile)
        of_tile = np.repeat(groups, tiles)
        of = np.empty((int(of_tile.sum()), 3), dtype=np.int32)
        of[:, 0] = np.repeat(np.repeat(nodes, tiles), of_tile)
        of[:, 1] = _within(of_tile)
        of[:, 2] = np.repeat(_within(tiles), of_tile)
        return Units(of, _ends(self.depth[nodes], groups * tiles))


def distinct(places: Ints, n: int) -> tuple[Ints, Ints]:
    """The different places, ascending, and the position of each among them: without sorting."""
    occurs = np.zeros(n, dtype=np.int32)
    occurs[places] = 1
    position = np.cumsum(occurs, dtype=np.int32) - 1
    return np.flatnonzero(occurs).astype(np.int32), position[places]


def _groups(lines: Longs) -> Longs:
    return -(-lines // GROUP)


def _within(counts: Longs) -> Longs:
    """0, 1, ... for every count, one after the other."""
    starts = np.cumsum(counts) - counts
    return np.arange(int(counts.sum())) - np.repeat(starts, counts)


def _ends(depth: Ints, counts: Longs) -> Longs:
    """Return the units at which the depth changes."""
    changes = np.flatnonzero(np.diff(depth)) + 1 if len(depth) else np.zeros(0, dtype=np.int64)
    sums = np.concatenate([[0], np.cumsum(counts)])
    return sums[np.concatenate([[0], changes, [len(depth)]])] if len(depth) else np.zeros(1, dtype=np.int64)
