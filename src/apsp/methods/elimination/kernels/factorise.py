"""Launches the computation of a factor on a GPU, of one graph or of several periods at once.

Input: an elimination tree and a graph, and weights: integers of at least 0. Output: the values of the factor, (periods,
entries), as the CPU computes them, to the last bit. Cost: `EliminationTree.factor_pairs` (add, min) pairs per period; a
launch per level of the tree, and four per 32 columns of its largest front. Device memory: the values, and the values
between the rows of all supernodes.

The idea: supernodes of the same height do not depend on each other. A block closes a small front in shared memory;
fronts that do not fit there are closed by tiles, as in blocked Floyd-Warshall, by many blocks.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from apsp.gpu import jit
from apsp.gpu.page import VALUES, Page, address
from apsp.methods.elimination.kernels.layout import Ints, Layout
from apsp.methods.elimination.kernels.tree_on_gpu import TreeOnGpu, bytes_of

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
    """The supernodes of a tree on the current GPU, for factors of one dtype.

    Parameters
    ----------
    tree : TreeOnGpu
    dtype : dtype
        Of the distances: uint16, int32 or int64.
    most_blocks : int
        Largest number of blocks along y and z.

    Attributes
    ----------
    rest_entries : int
        Values between the rows of all supernodes.
    """

    def __init__(self, tree: TreeOnGpu, dtype: np.dtype[Any], most_blocks: int) -> None:
        to_device, layout = jit.cupy().asarray, tree.layout
        self._tree, self.dtype, self._most_blocks = tree, dtype, most_blocks
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
        self._fronts = bytes_of(fronts)
        self._places, self._above = to_device(layout.rows_of), to_device(_places_above(layout))
        self._levels = [self._level(nodes) for nodes in _by_height(layout)]

    def fill(
        self, values: Page, indptr: Page, heads: Page, weights: Page, none: int, closed: Page | None = None
    ) -> bool:
        """Compute the values of periods; return whether all arcs fit the tree. Waits for the GPU.

        Parameters
        ----------
        values : (periods, entries)
            Written.
        indptr, heads : (n + 1,) int64, (m,) int32
        weights : (periods, m)
            Of at least 0 and at most `none`.
        none : int
            "No path" of the CPU's kernels.
        closed : (n,) uint8, optional
            The vertices whose arcs are left out.
        """
        cupy, tree, n = jit.cupy(), self._tree, self._tree.layout.n
        periods, arcs = weights.shape
        values.fill(none)
        rests = cupy.empty((periods, max(self.rest_entries, 1)), dtype=self.dtype)
        strays = cupy.zeros(1, dtype=np.int32)
        factor = self._struct(values, rests)
        nothing = self.dtype.type(none)
        if n:
            self._kernels.place_arcs(
                (-(-n // _THREADS), periods), (_THREADS,),
                (factor, tree.owner, tree.place, np.uint64(0) if closed is None else closed, np.int32(n), indptr,
                 heads, weights, np.int64(arcs), strays),
            )  # fmt: skip
        for level in self._levels:
            if len(level.small):
                self._kernels.close_small(
                    (len(level.small), periods), (_THREADS,), (factor, level.small, nothing),
                    shared_mem=level.shared_values * self.dtype.itemsize,
                )  # fmt: skip
            if len(level.large):
                self._close_large(level, periods, factor, nothing)
        return not int(strays.get()[0])

    def _close_large(self, level: _Level, periods: int, factor: Any, none: Any) -> None:
        for start in range(0, len(level.large), self._most_blocks):
            self._close_some(level, level.large[start : start + self._most_blocks], periods, factor, none)

    def _close_some(self, level: _Level, large: Page, periods: int, factor: Any, none: Any) -> None:
        count, threads, kernels = len(large), (_THREADS_OF_TILE,), self._kernels
        kernels.take_children((level.tiles**2, count, periods), threads, (factor, large, none))
        for step in range(level.pivots):
            arguments = factor, large, np.int32(step), none
            kernels.close_pivot((count, periods), threads, arguments)
            kernels.extend_pivot((2 * level.tiles, count, periods), threads, arguments)
            kernels.through_pivot((level.tiles**2, count, periods), threads, arguments)

    def _level(self, nodes: Ints) -> _Level:
        layout, to_device = self._tree.layout, jit.cupy().asarray
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


def _by_height(layout: Layout) -> list[Ints]:
    """The supernodes of each height: those without children, those whose children have none, and so on."""
    height = np.zeros(layout.count, dtype=np.int32)
    for nodes in layout.upwards():
        np.maximum.at(height, layout.parent[nodes], height[nodes] + 1)
    order = np.argsort(height, kind="stable")
    return np.split(order, np.cumsum(np.bincount(height))[:-1]) if layout.count else []


def _places_above(layout: Layout) -> Ints:
    """Of each row of each supernode: its place in the front of the parent, whose rows follow its columns."""
    rows, counts = layout.rows_of.astype(np.int64), layout.rows
    start = np.cumsum(counts) - counts
    parent = np.repeat(layout.parent.astype(np.int64), counts)  # (a supernode with rows has one)
    keys = np.repeat(np.arange(layout.count, dtype=np.int64), counts) * layout.n + rows
    found = np.searchsorted(keys, parent * layout.n + rows)
    inside = rows - layout.first[parent]
    above = np.where(inside < layout.columns[parent], inside, layout.columns[parent] + found - start[parent])
    return above.astype(np.int32)
