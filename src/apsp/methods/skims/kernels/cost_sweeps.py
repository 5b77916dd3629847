"""Launches the sweeps of elimination over tuples of costs, one source per lane.

Input: the factor over tuples, uploaded once. Output: rows of the matrices on the device. Cost: for each lane the panels
between the targets and the roots, in one launch per level of the tree. Device memory: the factor, and for each lane
tuples of the lines of the targets and of all vertices above them, and twice those above its own vertex.

The idea: as `apsp.methods.elimination.kernels.sweeps`, with tuples in place of distances.
"""

from __future__ import annotations

import itertools
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from apsp.gpu import jit
from apsp.gpu.page import Page
from apsp.methods.elimination.kernels.layout import Layout
from apsp.methods.elimination.kernels.tree_on_gpu import TreeOnGpu
from apsp.methods.problem import IntArray

__all__ = ["EXPRESSIONS", "CostSweeps", "Ends"]

EXPRESSIONS = ("apsp::seed_costs", "apsp::climb_costs", "apsp::descend_costs", "apsp::write_costs")
"""The kernels of skims.cu."""

_THREADS, _MOST_DOWN = 128, 65_535

FloatArray = npt.NDArray[np.float64]


class Ends(NamedTuple):
    """The lanes of each row, and the costs before them.

    Attributes
    ----------
    begins : (rows + 1,) int32
    lanes : (begins[rows],) int32
    costs : (begins[rows], K) float64
    """

    begins: IntArray
    lanes: IntArray
    costs: FloatArray


class _Values(NamedTuple):
    """First costs, and the others in planes: the struct CostValues of skims.cu."""

    first: Page
    others: Page

    def struct(self) -> Any:
        made = np.zeros((), dtype=[("first", "u8"), ("others", "u8"), ("plane", "i8")])
        made["first"], made["others"], made["plane"] = self.first.data.ptr, self.others.data.ptr, self.first.size
        return made


class CostSweeps:
    """A factor over tuples on the current GPU, for some targets.

    Parameters
    ----------
    layout : Layout
        Of the elimination tree.
    first : (entries,) float64
        First costs of the factor.
    others : (entries, K - 1) float64
    targets : (T,) int32
    """

    def __init__(self, layout: Layout, first: FloatArray, others: FloatArray, targets: IntArray) -> None:
        to_device, self._layout, self._kinds = jit.cupy().asarray, layout, others.shape[1]
        self._tree = tree = TreeOnGpu(layout)
        self._kernels = jit.kernels("skims.cu", EXPRESSIONS)
        self._first, self._others = to_device(first), to_device(others)
        self._panels = np.zeros((), dtype=[(name, "u8") for name in ("first", "others", "starts", "kinds")])
        for name, array in (("first", self._first), ("others", self._others), ("starts", tree.panel_start)):
            self._panels[name] = array.data.ptr
        self._panels["kinds"] = self._kinds
        nodes, *_ = layout.above(layout.place[targets])
        columns = layout.columns[nodes]
        shift = np.zeros(layout.count, dtype=np.int64)  # from a place that is needed to its line
        shift[nodes] = np.cumsum(columns) - columns - layout.first[nodes]
        line_of = (np.arange(layout.n) + shift[layout.owner]).astype(np.int32)
        self.lines = int(columns.sum())
        units = layout.units(nodes)
        self._units, self._ends = to_device(units.of), units.ends
        self._line_of, self._from = to_device(line_of), to_device(line_of[layout.lists[0]])
        self._targets = to_device(line_of[layout.place[targets]])

    def write(self, sources: IntArray, ends: Ends, matrices: tuple[Page, ...]) -> None:
        """Write rows of the matrices, (rows, T) float64 each, from lanes of sources (L,)."""
        cupy, lanes, to_device = jit.cupy(), len(sources), jit.cupy().asarray
        labels = self._layout.labels(self._layout.place[sources], 1)
        spans, position = self._tree.spans(labels), to_device(labels.position)
        closed = self._climb(labels, spans)
        pitch = -(-lanes // 32) * 32
        lines = self._values(self.lines * pitch)
        tiles = min(-(-lanes // _THREADS), _MOST_DOWN)
        for start, end in itertools.pairwise(self._ends.tolist()):
            self._kernels["apsp::descend_costs"](
                (end - start, tiles), (_THREADS,),
                (self._tree.nodes, self._units[start:], self._from, self._line_of, self._panels, lines.struct(),
                 np.int64(pitch), np.int32(lanes), spans, closed.struct(), position),
            )  # fmt: skip
        rows, columns = matrices[0].shape
        if rows and columns:
            pointers = cupy.asarray(np.array([matrix.data.ptr for matrix in matrices], dtype=np.uint64))
            self._kernels["apsp::write_costs"](
                (-(-rows // _THREADS), min(columns, _MOST_DOWN)), (_THREADS,),
                (lines.struct(), np.int64(pitch), self._targets, np.int32(rows), np.int32(columns),
                 to_device(ends.begins), to_device(ends.lanes), to_device(ends.costs), np.int32(self._kinds), pointers),
            )  # fmt: skip

    def _climb(self, labels: Any, spans: Page) -> _Values:
        to_device, tree = jit.cupy().asarray, self._tree
        opened, closed = self._values(labels.size), self._values(labels.size)
        opened.first.fill(np.inf)
        lanes = len(labels.places)
        self._kernels["apsp::seed_costs"](
            (-(-lanes // _THREADS),), (_THREADS,),
            (to_device(labels.places), np.int32(lanes), tree.owner, tree.nodes, spans, np.int32(self._kinds),
             opened.struct()),
        )  # fmt: skip
        tiles = to_device(labels.tiles.of)
        for start, end in itertools.pairwise(labels.tiles.ends.tolist()):
            self._kernels["apsp::climb_costs"](
                (end - start,), (_THREADS,),
                (tree.nodes, spans, tree.owner, tree.rows, tiles[start:], self._panels, opened.struct(),
                 closed.struct()),
            )  # fmt: skip
        return closed

    def _values(self, count: int) -> _Values:
        cupy = jit.cupy()
        return _Values(cupy.empty(max(count, 1)), cupy.empty(max(count, 1) * max(self._kinds, 1)))
