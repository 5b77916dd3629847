"""Launches the computation of a factor on a GPU, of one graph or of several periods at once.

Input: the arrays of an elimination tree and of a graph, uploaded once, and weights: integers of at least 0. Output: the
values of the factor, (periods, entries), as the CPU computes them, to the last bit. Cost: `EliminationTree.factor_pairs`
(add, min) pairs per period; a launch per level of the tree, and four per 32 columns of its largest front. Device
memory: the values, and the values between the rows of all supernodes.

The idea: supernodes of the same height do not depend on each other. A block closes a small front in shared memory;
fronts that do not fit there are closed by tiles, as in blocked Floyd-Warshall, by many blocks.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from apsp.gpu import jit
from apsp.gpu.page import VALUES, Page, address
from apsp.methods.elimination.kernels.layout import Ints, Layout

__all__ = ["Fronts", "expressions"]

_SMALL, _SHARED = 96, 48 << 10
"""Lines of the largest front that a block closes, and bytes of its panels."""

_SIDE, _THREADS_OF_TILE, _THREADS = 32, 256, 128

_FRONT = np.dtype([
    *((name, "i8") for name in ("panel", "rest")),
    *((name, "i4") for name in ("first", "columns", "rows", "list", "child", "next")),
])  # fmt: skip


class _Kernels(NamedTuple):
    place_arcs: Any
    close_small: Any
    take_children: Any
    close_pivot: Any
    extend_pivot: Any
    through_pivot: Any


class _Level(NamedTuple):
    """Supernodes of one height: those that a block closes, the others, and the tiles and pivots of the largest."""

    small: Page
    shared_values: int
    large: Page
    tiles: int
    pivots: int


def expressions(dtype: str) -> _Kernels:
    """The kernels of factorise.cu for a dtype."""
    return _Kernels(*(f"apsp::{name}<{VALUES[dtype]}>" for name in _Kernels._fields))


class Fronts:
    """The supernodes of a tree on the current GPU.

    Parameters
    ----------
    layout : Layout
        Of the elimination tree.
    """

    def __init__(self, layout: Layout, dtype: np.dtype[Any]) -> None:
        to_device = jit.cupy().asarray
        self.layout, self.dtype = layout, dtype
        names = expressions(dtype.name)
        found = jit.kernels("factorise.cu", names, shared_bytes=_SHARED)
        self._kernels = _Kernels(*(found[name] for name in names))
        columns, rows = layout.columns, layout.rows
        self.rest_entries = int((rows * rows).sum())
        fronts = np.zeros(layout.count, dtype=_FRONT)
        fronts["panel"], fronts["first"] = layout.panel_start[:-1], layout.first[:-1]
        fronts["rest"] = np.cumsum(rows * rows) - rows * rows
        fronts["columns"], fronts["rows"], fronts["list"] = columns, rows, np.cumsum(rows) - rows
        fronts["child"], fronts["next"] = _children(layout.parent)
        self._fronts = to_device(fronts.view(np.uint8))
        self._places, self._above = to_device(layout.rows_of), to_device(_places_above(layout))
        self._owner, self._place = to_device(layout.owner), to_device(layout.place)
        self._levels = [self._level(np.flatnonzero(at)) for at in _of_heights(layout.parent)]

    def values(
        self, indptr: Page, heads: Page, weights: Page, none: int, closed: Page | None = None
    ) -> Page:
        """The values (periods, entries) of weights (periods, m) of the arcs; `none` is "no path" of the CPU's kernels."""
        cupy, layout = jit.cupy(), self.layout
        periods, arcs = weights.shape
        values = cupy.full((periods, layout.entries), none, dtype=self.dtype)
        rests = cupy.empty((periods, max(self.rest_entries, 1)), dtype=self.dtype)
        factor = self._struct(values, rests)
        nothing = self.dtype.type(none)
        if layout.n:
            self._kernels.place_arcs(
                (-(-layout.n // _THREADS), periods), (_THREADS,),
                (factor, self._owner, self._place, np.uint64(0) if closed is None else closed, np.int32(layout.n),
                 indptr, heads, weights, np.int64(arcs)),
            )  # fmt: skip
        for level in self._levels:
            if len(level.small):
                self._kernels.close_small(
                    (len(level.small), periods), (_THREADS,), (factor, level.small, nothing),
                    shared_mem=level.shared_values * self.dtype.itemsize,
                )  # fmt: skip
            if len(level.large):
                self._close_large(level, periods, factor, nothing)
        return values

    def _close_large(self, level: _Level, periods: int, factor: Any, none: Any) -> None:
        count, threads, kernels = len(level.large), (_THREADS_OF_TILE,), self._kernels
        kernels.take_children((level.tiles**2, count, periods), threads, (factor, level.large, none))
        for step in range(level.pivots):
            arguments = factor, level.large, np.int32(step), none
            kernels.close_pivot((count, periods), threads, arguments)
            kernels.extend_pivot((2 * level.tiles, count, periods), threads, arguments)
            kernels.through_pivot((level.tiles**2, count, periods), threads, arguments)

    def _level(self, nodes: Ints) -> _Level:
        layout, to_device = self.layout, jit.cupy().asarray
        columns, rows = layout.columns[nodes], layout.rows[nodes]
        panels = columns * (columns + 2 * rows)
        is_small = (columns + rows <= _SMALL) & (panels * self.dtype.itemsize <= _SHARED)
        large = ~is_small
        tiles = -(-columns // _SIDE) + -(-rows // _SIDE)
        small, others = (to_device(nodes[chosen].astype(np.int32)) for chosen in (is_small, large))
        return _Level(
            small, int(panels[is_small].max(initial=0)), others, int(tiles[large].max(initial=0)),
            int((-(-columns[large] // _SIDE)).max(initial=0)),
        )  # fmt: skip

    def _struct(self, values: Page, rests: Page) -> Any:
        """The struct Factor of factorise.cu."""
        names = ("fronts", "places", "above", "values", "rests", "entries", "rest_entries")
        struct = np.zeros((), dtype=np.dtype([(name, "u8") for name in names]))
        for name, array in zip(names, (self._fronts, self._places, self._above, values, rests), strict=False):
            struct[name] = address(array)
        struct["entries"], struct["rest_entries"] = values.shape[1], rests.shape[1]
        return struct


def _children(parent: Ints) -> tuple[Ints, Ints]:
    """The first child of each supernode and its next sibling; -1 where there is none."""
    first, following = (np.full(len(parent), -1, dtype=np.int32) for _ in range(2))
    inner = np.flatnonzero(parent >= 0)
    inner = inner[np.argsort(parent[inner], kind="stable")].astype(np.int32)
    of = parent[inner]
    begins = np.flatnonzero(np.concatenate([[True], of[1:] != of[:-1]])) if len(of) else inner
    first[of[begins]] = inner[begins]
    same = of[1:] == of[:-1]
    following[inner[:-1][same]] = inner[1:][same]
    return first, following


def _of_heights(parent: Ints) -> list[npt.NDArray[np.bool_]]:
    """Which supernodes have each height: no children, children of at most height 0, and so on."""
    height, inner = np.zeros(len(parent), dtype=np.int32), np.flatnonzero(parent >= 0)
    while True:
        before = height.copy()
        np.maximum.at(height, parent[inner], height[inner] + 1)
        if np.array_equal(before, height):
            return [height == each for each in range(int(height.max(initial=-1)) + 1)]


def _places_above(layout: Layout) -> Ints:
    """Of each row of each supernode: its place in the front of the parent, whose rows follow its columns."""
    rows, counts = layout.rows_of.astype(np.int64), layout.rows
    start = np.cumsum(counts) - counts
    parent = np.repeat(layout.parent.astype(np.int64), counts)  # (a supernode with rows has one)
    keys = np.repeat(np.arange(layout.count, dtype=np.int64), counts) * layout.n + rows
    found = np.searchsorted(keys, parent * layout.n + rows)
    inside = rows - layout.first[parent]
    above = np.where(
        inside < layout.columns[parent], inside, layout.columns[parent] + found - start[parent]
    )
    return above.astype(np.int32)
