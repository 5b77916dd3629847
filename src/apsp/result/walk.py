"""Paths from predecessors on the device: the first hop of all pairs, and the vertices of many paths.

Input: pred (S, n) int32 on a GPU. Cost: S n log(longest path) for first hops, one step per vertex for paths; only the
requested paths are copied to the host. Raises VerificationError if predecessors form a cycle.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from apsp.errors import VerificationError
from apsp.gpu import jit
from apsp.gpu.page import Page, stride

__all__ = ["EXPRESSIONS", "first_hops", "paths_between"]

EXPRESSIONS = ("apsp::first_hops", "apsp::path_lengths", "apsp::path_vertices")
"""The kernels of walk.cu."""

_THREADS = 256
IntArray = npt.NDArray[np.int32]


def first_hops(pred: Page, sources: IntArray) -> Page:
    """The vertex after each source on every path, (S, n) int32 on the same GPU; see `apsp.result.paths.next_hop`."""
    cupy = jit.cupy()
    with pred.device:
        hops, corrupt = cupy.empty(pred.shape, dtype=np.int32), cupy.zeros(1, dtype=np.int32)
        if pred.size == 0:
            return hops
        jit.kernels("walk.cu", EXPRESSIONS)[EXPRESSIONS[0]](
            (pred.shape[0],), (_THREADS,),
            (pred, stride(pred), np.int32(pred.shape[1]), cupy.asarray(sources), hops, stride(hops), corrupt),
        )  # fmt: skip
        if corrupt.get()[0]:
            raise VerificationError("the predecessors of some row lead to no source: they are corrupt")
    return hops


def paths_between(pred: Page, rows: IntArray, sources: IntArray, targets: IntArray) -> list[IntArray]:
    """The vertices of many paths at once, both ends included; empty where there is none.

    Parameters
    ----------
    pred : (S, n) int32 on a GPU
    rows, sources, targets : (Q,) int32 on the host
        The q-th path goes from sources[q], whose row of `pred` is rows[q], to targets[q].

    Raises
    ------
    VerificationError
        If predecessors form a cycle or are not vertices.
    """
    cupy = jit.cupy()
    count = len(rows)
    if count == 0:
        return []
    with pred.device:
        kernels = jit.kernels("walk.cu", EXPRESSIONS)
        of_paths = [cupy.asarray(numbers) for numbers in (rows, sources, targets)]
        lengths = cupy.empty(count, dtype=np.int64)
        grid = (-(-count // _THREADS),)
        where = (pred, stride(pred))
        kernels[EXPRESSIONS[1]](
            grid, (_THREADS,), (*where, np.int32(pred.shape[1]), *of_paths, np.int32(count), lengths)
        )
        found = lengths.get()
        wrong = np.flatnonzero(found < 0)
        if len(wrong):
            source, target = sources[wrong[0]], targets[wrong[0]]
            raise VerificationError(
                f"the predecessors from position {target} do not lead to {source}: they are corrupt"
            )
        ends = np.cumsum(found)
        vertices = cupy.empty(int(ends[-1]), dtype=np.int32)
        kernels[EXPRESSIONS[2]](
            grid, (_THREADS,), (*where, of_paths[0], of_paths[2], cupy.asarray(ends), np.int32(count), vertices)
        )
        return np.split(vertices.get(), ends[:-1])
