"""Labels of all vertices in a row each, and distances of pairs from them.

Input: the labels of all lanes, which lie in a rectangle per supernode. Output: the distances of pairs on the device,
whose sources and targets are there. Cost: for each pair the values above both ends, which lie one after the other.
Device memory: a value per vertex, column above it and, unless distances are the same in both directions, direction.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from apsp.gpu import jit
from apsp.gpu.page import VALUES, Page
from apsp.methods.elimination.kernels.layout import Layout
from apsp.methods.elimination.kernels.names import ceiling_of
from apsp.methods.elimination.kernels.sweeps import Sweeps

__all__ = ["LabelRows", "expressions", "row_bytes"]

_LINE = 32  # kLine of label_rows.cu
_THREADS, _PAIRS = 256, 256
_HOME = np.dtype([("line", "u4"), ("node", "i4")])


def expressions(dtype: str) -> tuple[str, str]:
    """The kernels of label_rows.cu: of the rows, and of the pairs."""
    return f"apsp::label_rows<{VALUES[dtype]}>", f"apsp::meet_rows<{VALUES[dtype]}>"


def row_bytes(layout: Layout, itemsize: int) -> int:
    """Bytes of the rows of one direction: less than 128 GiB, whose lines have numbers of 32 bits."""
    return int(_lines(layout, itemsize).sum()) * _LINE


class LabelRows:
    """Rows of labels on the current GPU.

    Parameters
    ----------
    sweeps : Sweeps
        Their labels of all lanes are computed, and not kept.
    mirrored : bool
        Distances are the same in both directions.
    """

    def __init__(self, sweeps: Sweeps, *, mirrored: bool) -> None:
        layout, dtype, cupy = sweeps.layout, sweeps.dtype, jit.cupy()
        lines = _lines(layout, dtype.itemsize)
        begins = (np.cumsum(lines) - lines).astype(np.uint32)
        homes = np.empty(layout.n, dtype=_HOME)
        homes["line"][layout.order], homes["node"][layout.order] = begins, layout.owner
        self._homes = cupy.asarray(homes.view(np.uint8))
        self._tops, self._least = cupy.asarray(layout.tops), cupy.asarray(layout.least_above)
        self._nodes = layout.count
        self._size = int(lines.sum()) * _LINE // dtype.itemsize
        self._dtype, self._ceiling = dtype, ceiling_of(dtype, None, nonnegative=sweeps.nonnegative)
        into_rows, meet = expressions(dtype.name)
        kernels = jit.kernels("label_rows.cu", (into_rows, meet))
        self._into_rows, self._meet = kernels[into_rows], kernels[meet]
        on_device = cupy.asarray(begins)
        self._onwards = self._rows(sweeps, on_device, onwards=True)
        self._back = self._onwards if mirrored else self._rows(sweeps, on_device, onwards=False)

    def distances(self, sources: Page, targets: Page) -> Page:
        """The distances (k,) of pairs of vertices (k,) int32 on the device."""
        count = len(sources)
        found = jit.cupy().empty(count, dtype=self._dtype)
        if count:
            self._meet(
                (-(-count // _PAIRS),), (_THREADS,),
                (sources, targets, np.int64(count), self._homes, self._above(), self._onwards, self._back,
                 self._ceiling, found),
            )  # fmt: skip
        return found

    def _rows(self, sweeps: Sweeps, begins: Page, *, onwards: bool) -> Page:
        labels, n = sweeps.climbed(None, onwards=onwards), sweeps.n
        rows = jit.cupy().empty(max(self._size, 1), dtype=self._dtype)
        if n:
            self._into_rows(
                (-(-n // _THREADS),), (_THREADS,),
                (labels.closed, labels.spans, np.int32(n), labels.owner, begins, self._tops, labels.parents,
                 labels.nodes, rows),
            )  # fmt: skip
        return rows

    def _above(self) -> Any:
        """The struct Above of label_rows.cu."""
        made = np.zeros((), dtype=np.dtype([("tops", "u8"), ("least", "u8"), ("nodes", "i4")], align=True))
        made["tops"], made["least"], made["nodes"] = self._tops.data.ptr, self._least.data.ptr, self._nodes
        return made


def _lines(layout: Layout, itemsize: int) -> npt.NDArray[np.int64]:
    """Lines of the row of each place, (n,)."""
    return -(-layout.tops.astype(np.int64) * itemsize // _LINE)[layout.owner]
