"""Launches the sweeps of elimination: lines of distances from a factor, for lanes of sources or of targets.

Input: the factor of a graph, uploaded once. Output: distances on the device, public values: a whole matrix, written in
place, or rows from some sources. Cost: for each lane `EliminationTree.row_pairs` and `climb_pairs` (add, min) pairs, in
one or two launches per level of the tree. Device memory: the panels, and the labels of the lanes twice; rows also need
a line of the lanes for every vertex, as large as the rows.

The idea: a lane first finds the distances between its vertex and those above it in the tree; then the distances of
every supernode, roots first, are computed from the lines of its rows. A line is a row of the matrix if lanes are
targets: so the whole matrix is written in place. For some rows lanes are sources, and lines are transposed at the end.
"""

from __future__ import annotations

import threading
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from apsp.gpu import jit
from apsp.gpu.page import Page, address, allocate, stride
from apsp.methods.elimination.kernels.layout import WORDS_OF_A_TILE, Ints, LabelPlaces
from apsp.methods.elimination.kernels.names import Kernels, ceiling_of, expressions, lanes_of_a_word
from apsp.methods.elimination.kernels.room import LABEL_BYTES, LANES_LEAST
from apsp.methods.elimination.kernels.tree_on_gpu import TreeOnGpu

__all__ = ["Climbed", "DownLines", "Sweeps"]

_THREADS, _WARPS = 128, 4
_TURNED = _LANES_OF_A_LINE = 32  # which begins at a multiple of them
_BUSY = 1 << 16
"""Warps of a launch that keep a large GPU busy."""

_FEW_TILES = 256
"""Tiles of lanes that are shared by warps."""

_MOST_DOWN = 65_535
"""Largest number of blocks along y."""


class _Panels(NamedTuple):
    climb: Page
    descent: Page


class DownLines(NamedTuple):
    """The lines of a sweep down: of each place, of the entries of the lists, and the ones that exist."""

    of_place: Page
    of_list: Page
    units: Page
    ends: npt.NDArray[np.int64]
    lines: int


class Climbed(NamedTuple):
    """The labels of some lanes, and what a way down from them reads; see `Sweeps.climbed`."""

    owner: Page
    parents: Page
    nodes: Page
    units: Page
    panel: Page
    rows: Page
    spans: Page
    closed: Page
    position: Page


class Sweeps:
    """The factor of a graph on the current GPU.

    Parameters
    ----------
    tree : TreeOnGpu
        The elimination tree.
    values : (entries,) array, or Page of the current GPU
        Of the factor, in the CPU's kernel values.
    nonnegative : bool
        No arc is below zero.
    """

    def __init__(self, tree: TreeOnGpu, values: npt.NDArray[Any] | Page, *, nonnegative: bool) -> None:
        self.layout, self.dtype, self.nonnegative = tree.layout, values.dtype, nonnegative
        self._lanes = lanes_of_a_word(values.dtype)
        self._word = np.dtype(np.uint32) if self._lanes == 2 else values.dtype
        self._names = expressions(values.dtype.name, nonnegative=nonnegative)
        found = jit.kernels("elimination.cu", tuple(dict.fromkeys(self._names)))
        self._kernels = Kernels(*(found[name] for name in self._names))
        self._tree, self._values = tree, jit.cupy().asarray(values)
        self._panels: dict[bool, _Panels] = {}
        self._flags = threading.local()

    @property
    def n(self) -> int:
        """Vertices."""
        return self.layout.n

    # -- results -----------------------------------------------------------------------------------------

    def lanes_at_once(self) -> int:
        """Columns of a matrix whose labels fit."""
        of_lane = 2 * self.layout.label_values() * self.dtype.itemsize / max(self.n, 1)
        return max(int(LABEL_BYTES / max(of_lane, 1)) // LANES_LEAST, 1) * LANES_LEAST

    def matrix(self, dist: Page, first: int, last: int, cutoff: float | None) -> None:
        """Write the columns [first, last) of all distances, dist (n, n): rows and columns are vertices."""
        layout, order = self.layout, jit.cupy().asarray(self.layout.order)
        lines = DownLines(order, order[self._tree.rows], self._tree.descents, layout.descents.ends, self.n)
        if last - first == self.n:
            labels = layout.labels_of_all(self._lanes)
        else:
            labels = layout.labels(layout.place[first:last], self._lanes)
        self._sweep(labels, dist[:, first:last], lines, cutoff, onwards=False)

    def whole_lines(self) -> DownLines:
        """A line for every place, in their order."""
        tree = self._tree
        return DownLines(tree.places, tree.rows, tree.descents, self.layout.descents.ends, self.n)

    def lines_for(self, targets: Ints) -> DownLines:
        """Lines of some vertices, and of all vertices on the way down to them."""
        layout, to_device = self.layout, jit.cupy().asarray
        nodes, *_ = layout.above(layout.place[targets])
        columns = layout.columns[nodes]
        shift = np.zeros(layout.count, dtype=np.int32)  # from a place that is needed to its line
        shift[nodes] = np.cumsum(columns) - columns - layout.first[nodes]
        of_place = self._tree.places + to_device(shift)[self._tree.owner]
        units = layout.units(nodes)
        return DownLines(of_place, of_place[self._tree.rows], to_device(units.of), units.ends, int(columns.sum()))

    def lines(self, sources: Ints, lines: DownLines, cutoff: float | None) -> Page:
        """The distances from sources (S,) in lines: (lines.lines, S)."""
        found = allocate(jit.current_device(), lines.lines, len(sources), self.dtype, _LANES_OF_A_LINE)
        labels = self.layout.labels(self.layout.place[sources], self._lanes)
        self._sweep(labels, found, lines, cutoff, onwards=True)
        return found

    def climbed(self, places: Ints | None, *, onwards: bool = True) -> Climbed:
        """The labels of sources at some places (None: at all), or with onwards=False of targets.

        Lane q is that of the q-th place; different places ascend.
        """
        layout, tree, to_device = self.layout, self._tree, jit.cupy().asarray
        every = places is None
        labels = layout.labels_of_all(self._lanes) if places is None else layout.labels(places, self._lanes)
        panels, spans = self._packed(onwards=onwards), tree.spans(labels)
        closed = self._climb(labels, spans, panels)
        position = tree.places if every else to_device(labels.position)
        return Climbed(
            tree.owner, tree.parent, tree.nodes, tree.descents, panels.descent, tree.rows, spans, closed, position,
        )  # fmt: skip

    def turn(self, found: Page, of: Page, dist: Page) -> None:
        """Write rows dist (S, T), whose columns are the lines `of` (T,)."""
        rows, columns = dist.shape
        blocks = -(-rows // _TURNED), -(-columns // _TURNED)
        for part in range(0, columns, _MOST_DOWN * _TURNED):
            some = of[part : part + _MOST_DOWN * _TURNED]
            self._kernels.turn(
                (blocks[0], -(-len(some) // _TURNED)), (256,),
                (found, stride(found), some, np.int32(rows), np.int32(len(some)), dist[:, part:], stride(dist)),
            )  # fmt: skip

    def leave_zones(
        self,
        found: Page,
        listed: npt.NDArray[Any],
        start: npt.NDArray[Any],
        heads: npt.NDArray[Any],
        weights: npt.NDArray[Any],
        cutoff: float | None,
    ) -> None:
        """Complete lanes of `lines` whose vertices are zones.

        Parameters
        ----------
        listed : (S,)
            Their lanes.
        start : (S + 1,)
            Beginnings of the arcs of each in `heads` (the lanes of their heads) and in `weights`.
        """
        to_device, ceiling = jit.cupy().asarray, ceiling_of(self.dtype, cutoff, nonnegative=self.nonnegative)
        lanes = [to_device(array.astype(np.int32)) for array in (listed, start, heads)]
        self._kernels.leave_zones(
            (len(found),), (_THREADS,),
            (found, stride(found), lanes[0], np.int32(len(listed)), *lanes[1:], to_device(weights), ceiling),
        )  # fmt: skip

    def in_range(self) -> bool:
        """Whether no integer distance of this thread was too low since the last call. Waits for the GPU if this is
        possible.
        """
        if self.nonnegative or self.dtype.kind == "f":
            return True
        flag = self._out_of_range
        was_left = bool(flag.get()[0])
        flag.fill(0)
        return not was_left

    @property
    def _out_of_range(self) -> Page:
        """(1,) int32: a flag per thread of the host, so that no thread resets that of another."""
        if not hasattr(self._flags, "out_of_range"):
            self._flags.out_of_range = jit.cupy().zeros(1, dtype=np.int32)
        found: Page = self._flags.out_of_range
        return found

    # -- launches ---------------------------------------------------------------------------------------------------

    def _sweep(self, labels: LabelPlaces, dist: Page, lines: DownLines, cutoff: float | None, *, onwards: bool) -> None:
        panels, to_device = self._packed(onwards=onwards), jit.cupy().asarray
        spans, position = self._tree.spans(labels), to_device(labels.position)
        closed = self._climb(labels, spans, panels)
        self._descend(lines, panels, closed, spans, position, dist, cutoff)

    def _packed(self, *, onwards: bool) -> _Panels:
        if onwards not in self._panels:
            cupy, tree = jit.cupy(), self._tree
            panels = _Panels(*(cupy.empty(max(words, 1), dtype=self._word) for words in self.layout.records[1:]))
            for kernel, units, packed in (
                (self._kernels.pack_climb, tree.climbs, panels.climb),
                (self._kernels.pack_descent, tree.descents, panels.descent),
            ):
                arguments = tree.nodes, units, self._values, tree.panel_start, np.bool_(onwards), packed
                if len(units):
                    kernel((len(units),), (_THREADS,), arguments)
            self._panels[onwards] = panels
        return self._panels[onwards]

    def _climb(self, labels: LabelPlaces, spans: Page, panels: _Panels) -> Page:
        cupy, tree = jit.cupy(), self._tree
        none = ceiling_of(self.dtype, None, nonnegative=True)
        opened = cupy.full(max(labels.size, 1), none, dtype=self.dtype)
        closed = cupy.empty(max(labels.size, 1), dtype=self.dtype)
        if lanes := len(labels.places):
            self._kernels.seed(
                (-(-lanes // _THREADS),), (_THREADS,),
                (cupy.asarray(labels.places), np.int32(lanes), tree.owner, tree.nodes, spans, opened),
            )  # fmt: skip
        tiles = cupy.asarray(labels.tiles.of)
        for start, end in _launches(labels.tiles.ends):
            self._kernels.climb(
                (-(-(end - start) // _WARPS),), (_THREADS,),
                (tree.nodes, spans, tree.owner, tree.rows, tiles[start:], np.int32(end - start), panels.climb, opened,
                 closed),
            )  # fmt: skip
        return closed

    def _descend(
        self, lines: DownLines, panels: _Panels, closed: Page, spans: Page, position: Page, dist: Page,
        cutoff: float | None,
    ) -> None:  # fmt: skip
        width = dist.shape[1]
        kernel = self._kernels.descend if _has_whole_words(dist) else self._kernels.descend_unaligned
        tiles = min(-(-width // (self._lanes * WORDS_OF_A_TILE)), _MOST_DOWN)
        ceiling = ceiling_of(self.dtype, cutoff, nonnegative=self.nonnegative)
        least = self.dtype.type(0 if self.dtype.kind != "i" else -(np.iinfo(self.dtype).max // 4 + 1))
        for start, end in _launches(lines.ends):
            # A warp reads what it needs of the tree once for its tiles. Many tiles are computed one after the other, so
            # that the lines of a tile are still in the cache.
            each = max((end - start) * tiles // _BUSY, 1) if tiles <= _FEW_TILES else 1
            kernel(
                (-(-(end - start) // _WARPS), -(-tiles // each)), (_THREADS,),
                (dist, stride(dist), np.int32(width), self._tree.nodes, lines.units[start:], np.int32(end - start),
                 panels.descent, lines.of_list, lines.of_place, spans, closed, position, ceiling, least,
                 self._out_of_range),
            )  # fmt: skip


def _launches(ends: npt.NDArray[np.int64]) -> list[tuple[int, int]]:
    return list(zip(ends[:-1].tolist(), ends[1:].tolist(), strict=True))


def _has_whole_words(dist: Page) -> bool:
    """Whether words of two lanes lie at multiples of 4 bytes, the last of a line included."""
    return dist.itemsize > 2 or (address(dist) % 4 == 0 and dist.strides[0] % 4 == 0)
