"""The arrays of an elimination tree in the memory of a GPU.

Input: the layout of a tree. Output: device arrays, uploaded when they are first needed. They do not depend on weights,
so that the factors of any weights of the same arcs share them.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from apsp.gpu import jit
from apsp.gpu.page import Page
from apsp.methods.elimination.kernels.layout import LabelPlaces, Layout
from apsp.system.cached import cached_property

__all__ = ["TreeOnGpu", "bytes_of"]


class TreeOnGpu:
    """A tree on the GPU that is the current one whenever it is used.

    Parameters
    ----------
    layout : Layout
    """

    def __init__(self, layout: Layout) -> None:
        self.layout = layout

    @cached_property
    def nodes(self) -> Page:
        """(supernodes,) of Node in lines.cuh, as bytes."""
        return bytes_of(self.layout.records[0])

    @cached_property
    def rows(self) -> Page:
        """Places of the rows of all supernodes: `Layout.lists`."""
        return self._uploaded(self.layout.lists[0])

    @cached_property
    def owner(self) -> Page:
        """(n,) the supernode of each place."""
        return self._uploaded(self.layout.owner)

    @cached_property
    def place(self) -> Page:
        """(n,) the place of each vertex."""
        return self._uploaded(self.layout.place)

    @cached_property
    def places(self) -> Page:
        """(n,) all places, ascending."""
        return jit.cupy().arange(self.layout.n, dtype=np.int32)

    @cached_property
    def panel_start(self) -> Page:
        """(supernodes + 1,) where the panel of each begins in the values of a factor."""
        return self._uploaded(self.layout.panel_start)

    @cached_property
    def climbs(self) -> Page:
        """Units of the way up."""
        return self._uploaded(self.layout.climbs.of)

    @cached_property
    def descents(self) -> Page:
        """Units of the way down."""
        return self._uploaded(self.layout.descents.of)

    @cached_property
    def parent(self) -> Page:
        """(supernodes,) the parent of each; -1 for roots."""
        return self._uploaded(self.layout.parent)

    def spans(self, labels: LabelPlaces) -> Page:
        """(supernodes,) of Span in lines.cuh, as bytes; empty where no lane is in the subtree."""
        cupy = jit.cupy()
        words = labels.spans.dtype.itemsize // 8
        found = cupy.zeros((self.layout.count, words), dtype=np.int64)
        found[cupy.asarray(labels.nodes)] = cupy.asarray(labels.spans.view(np.int64).reshape(-1, words))
        return found.reshape(-1).view(np.uint8)

    def _uploaded(self, array: npt.NDArray[Any]) -> Page:
        return jit.cupy().asarray(array)


def bytes_of(records: npt.NDArray[Any]) -> Page:
    """The bytes of structs, on the current GPU."""
    return jit.cupy().asarray(records.view(np.uint8))
