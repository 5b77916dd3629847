"""Launches bounds on eccentricities from rows of distances: only numbers per row and per vertex are copied from the
device.

Input: rows of distances from some vertices, and to them, (S, n) each, on the device, public values of int32 or int64
that hold the sum of any two. Output: on the host, what the rows prove. Cost: two passes over the rows.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from apsp.gpu import jit
from apsp.gpu.page import VALUES, Page, stride
from apsp.reductions.eccentricity_bounds import Positions, Searched
from apsp.system.array_device import module_of, to_host

__all__ = ["HubsOnGpu", "bound_expression", "reach_expression", "searched"]

_THREADS, _BLOCKS, _LEAST = 256, 2048, 4096  # blocks that keep a large GPU busy; columns of a part


def reach_expression(dtype: str) -> str:
    """The kernel of bound.cu for rows."""
    return f"apsp::reach_rows<{VALUES[dtype]}>"


def bound_expression(dtype: str) -> str:
    """The kernel of bound.cu for columns."""
    return f"apsp::bound_columns<{VALUES[dtype]}>"


def searched(vertices: npt.NDArray[np.int32], out: Page, into: Page) -> Searched:
    """What searches prove.

    Parameters
    ----------
    vertices : (S,) int32
    out, into : (S, n)
        Distances from them, and to them; the same object in an undirected graph.
    """
    cupy, (rows, n) = jit.cupy(), out.shape
    with out.device:
        reached, largest, farthest = _reach(out)
        _, longest, source = (reached, largest, farthest) if into is out else _reach(into)
        lower, upper = (cupy.empty(n, dtype=out.dtype) for _ in range(2))
        total = cupy.empty(n, dtype=np.float64)
        name = bound_expression(out.dtype.name)
        jit.kernels("bound.cu", (name,))[name](
            (-(-n // _THREADS),), (_THREADS,),
            (out, stride(out), into, stride(into), np.int32(rows), np.int32(n), cupy.asarray(largest), lower, upper,
             total),
        )  # fmt: skip
        bounds = map(to_host, (lower, upper, total))
    return Searched(vertices, reached, largest, farthest, longest, source, *bounds)


def _reach(dist: Page) -> tuple[npt.NDArray[Any], ...]:
    """The number of columns that each row reaches, (S,), the largest distance, and a column at it."""
    cupy, (rows, n) = jit.cupy(), dist.shape
    parts = max(min(_BLOCKS // rows, -(-n // _LEAST)), 1)
    numbers = [cupy.empty((parts, rows), dtype=dtype) for dtype in (np.int32, dist.dtype, np.int32)]
    name = reach_expression(dist.dtype.name)
    jit.kernels("bound.cu", (name,))[name]((rows, parts), (_THREADS,), (dist, stride(dist), np.int32(n), *numbers))
    reached, largest, farthest = map(to_host, numbers)
    which = np.where(farthest >= 0, largest, -1).argmax(axis=0), np.arange(rows)
    return reached.sum(axis=0), largest[which], farthest[which]


class HubsOnGpu:
    """Hubs (`apsp.reductions.far_pairs.Hubs`) whose distances stay in device memory.

    Parameters
    ----------
    out, into : (S, n)
        Distances from some vertices, and to them.
    rows : (H,) int
        Those of the hubs.
    eccentricities : (S,)
        On the host.
    """

    def __init__(self, out: Page, into: Page, rows: Positions, eccentricities: npt.NDArray[Any]) -> None:
        self.ecc = eccentricities[rows].tolist()
        self._out, self._into, self._rows = out, into, rows

    def out_of(self, hub: int) -> npt.NDArray[Any]:
        """(n,) distances from one."""
        return to_host(self._out[int(self._rows[hub])])

    def out(self, order: Positions, vertices: Positions) -> npt.NDArray[Any]:
        """(V, hubs) distances to some vertices."""
        return self._table(self._out, order, vertices)

    def into(self, order: Positions, vertices: Positions) -> npt.NDArray[Any]:
        """(V, hubs) distances from some vertices."""
        return self._table(self._into, order, vertices)

    def _table(self, page: Page, order: Positions, vertices: Positions) -> npt.NDArray[Any]:
        to_device = module_of(page).asarray
        with page.device:
            return to_host(page[to_device(self._rows[order])[None, :], to_device(vertices)[:, None]])
