"""Launches the search for the k nearest vertices of each row of distances: only these are copied from the device.

Input: blocks of rows (S, n) on the device, public values. Output: vertices and distances (S, k) on the host, equal to
the CPU's to the last bit. Cost: a pass over the block, and before it an eighth of a pass for k <= 64 in long rows, more
for larger k and shorter rows; beyond k = 1,024 a sort of the block. The idea: the minima of many parts of a row bound
its k-th distance; the candidates within the bound fit into shared memory, where radix selection reduces them and a sort
orders them.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from apsp.gpu import jit
from apsp.gpu.page import VALUES, Page, stride
from apsp.gpu.staging import through_pinned
from apsp.semiring import NO_VERTEX, unreachable

__all__ = ["MOST_SELECTED", "expression", "nearest"]

MOST_SELECTED = 1024
"""Largest k for which selection is used; sorting is used for larger ones."""

_FEW = 128
"""Number of candidates whose time is small compared with reading a long row."""

_SORTED_BYTES = 256 << 20
"""Bytes of the rows that are sorted at a time, with their work space, unless one row is larger."""


def expression(dtype: str) -> str:
    """The kernel of nearest.cu."""
    return f"apsp::nearest<{VALUES[dtype]}>"


def nearest(
    dist: Page,
    sources: npt.NDArray[np.int32],
    k: int,
    *,
    most_selected: int = MOST_SELECTED,
    sorted_bytes: int = _SORTED_BYTES,
    threads: int | None = None,
) -> tuple[npt.NDArray[np.int32], npt.NDArray[Any]]:
    """Return, for each row, the k nearest columns except the source, and their distances, on the host: see
    `apsp.reductions.Nearest`.

    Parameters
    ----------
    dist : (S, n), n > 0, entries of a row side by side
    sources : (S,) int32
        On the host.
    most_selected, sorted_bytes : int
        Largest k for which selection is used; and the bytes of the rows that are sorted at a time for larger ones.
    threads : int, optional
        Of a block; by default the best number.
    """
    cupy, (rows, n) = jit.cupy(), dist.shape
    with dist.device:
        vertices, distances = cupy.empty((rows, k), dtype=np.int32), cupy.empty((rows, k), dtype=dist.dtype)
        requested = cupy.asarray(sources)
        if min(k, n) > most_selected:
            _sort(dist, requested, vertices, distances, sorted_bytes)
        elif rows:
            name = expression(dist.dtype.name)
            jit.kernels("nearest.cu", (name,))[name](
                (rows,), (threads or _threads(n * dist.itemsize, k),),
                (dist, stride(dist), np.int32(n), requested, np.int32(k), vertices, distances),
            )  # fmt: skip
        on_host = through_pinned(vertices, distances)
    return on_host[0], on_host[1]


def _threads(row_bytes: int, k: int) -> int:
    """Return the threads of a block, the best number on an H200: several blocks on a multiprocessor wait at different
    times.
    """
    if row_bytes > 32_768:
        return 256 if k <= _FEW else 512
    return 64 if row_bytes <= 8192 else 128


def _sort(dist: Page, sources: Page, vertices: Page, distances: Page, at_once: int) -> None:
    """Fill the vertices and distances (S, k) by sorting whole rows; ties stay in the order of the columns."""
    cupy, (rows, n), most = jit.cupy(), dist.shape, min(vertices.shape[1], dist.shape[1])
    height = max(at_once // (n * (2 * dist.itemsize + 16)), 1)
    vertices[:, most:], distances[:, most:] = NO_VERTEX, unreachable(dist.dtype)
    for start in range(0, rows, height):
        part = slice(start, start + height)
        values, none = _ordered(dist[part])
        values[cupy.arange(len(values)), sources[part]] = none
        order = cupy.argsort(values, axis=1, kind="stable")[:, :most]
        found = cupy.take_along_axis(values, order, axis=1) != none
        vertices[part, :most] = cupy.where(found, order, NO_VERTEX)
        distances[part, :most] = cupy.where(
            found, cupy.take_along_axis(dist[part], order, axis=1), dist.dtype.type(unreachable(dist.dtype))
        )


def _ordered(dist: Page) -> tuple[Page, Any]:
    """Return the distances as integers of the same order, in a new array, and the value of "no path"; see
    ordered_keys.cuh.
    """
    if dist.dtype.kind != "f":
        return dist.copy(), dist.dtype.type(unreachable(dist.dtype))
    integer = np.dtype(f"i{dist.itemsize}").type
    cupy, bits, none = jit.cupy(), dist.view(integer), np.array(np.inf, dist.dtype).view(integer)[()]
    values = cupy.where(bits < 0, np.iinfo(integer).min - bits, bits)
    return cupy.where(cupy.absolute(values) > none, none, values), none
