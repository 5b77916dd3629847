"""Distances between places from those between the ends of their streets, on a GPU.

Input: places as the ends of their streets, and planned rows to the ends of all targets. Output: distances on the host.
Cost: a row for each end of a source, and a minimum of four sums per distance. Device memory: rows of some sources,
three times in float64, and two blocks that are copied to the host.

The idea: the minimum is taken where the rows are, so that one row per source is copied, not two of all ends, while the
next rows are computed.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from apsp.gpu import jit
from apsp.gpu.memory import free_bytes, on_gpu
from apsp.gpu.page import Page, allocate
from apsp.gpu.staging import BLOCK_BYTES, to_host_by_blocks
from apsp.graph.places.ends import Ends
from apsp.methods.problem import KernelProgress
from apsp.methods.rows.shared_rows import Parts
from apsp.running.planned_rows import PlannedRows
from apsp.semiring import unreachable

__all__ = ["between_on_gpu"]

_SHARE = 16
"""A block takes at most one part of so many of the free memory."""


def between_on_gpu(
    planned: PlannedRows, sources: Ends, columns: npt.NDArray[np.int64], lengths: npt.NDArray[np.float64],
    dist: npt.NDArray[np.float64], progress: KernelProgress | None,
) -> None:  # fmt: skip
    """Write dist (S, T), distances between places, infinite where there is no path.

    Parameters
    ----------
    planned : PlannedRows
        For a GPU; of several, the first combines the rows of all.
    sources : Ends
    columns : (2, T) int64
        The columns of the rows that have the ends of the targets.
    lengths : (2, T) float64
        From these ends to the targets.
    dist : (S, T) float64
        On the host.
    progress : callable or None
        Called with the number of sources that are done.
    """
    plan, gpu, done = planned.plan, planned.plan.gpus[0], 0
    width = planned.graph.n if planned.targets is None else len(planned.targets)

    def tell(count: int) -> None:
        nonlocal done
        done += count
        if progress is not None:
            progress(done)

    with on_gpu(gpu):
        cupy = jit.cupy()
        where, ways, starts = cupy.asarray(columns), cupy.asarray(lengths), cupy.asarray(sources.lengths)

        def compute(part: slice, block: tuple[Page, ...]) -> None:
            vertices, rows = np.unique(sources.vertices[:, part], return_inverse=True)
            page = allocate(gpu, len(vertices), width, plan.dtype)
            planned.solver.fill(vertices, page, None)
            near = _by_nearer_end(page, where, ways)
            first, second = cupy.asarray(rows.reshape(2, -1))
            found, other = near[first], near[second]
            found += starts[0, part, None]
            other += starts[1, part, None]
            cupy.minimum(found, other, out=block[0])

        budget = min(BLOCK_BYTES, free_bytes(gpu, plan.gpu_memory) // _SHARE)
        height = max(budget // (dist.shape[1] * dist.itemsize), 1)
        to_host_by_blocks(compute, (dist,), Parts(len(dist), height), height, plan.threads, tell)


def _by_nearer_end(page: Page, columns: Page, lengths: Page) -> Page:
    """The distances (k, T) from the vertices of rows to places."""
    far = page.astype(np.float64)
    none = unreachable(page.dtype)
    if none != np.inf:
        far[page == none] = np.inf
    found, other = far[:, columns[0]], far[:, columns[1]]
    found += lengths[0]
    other += lengths[1]
    jit.cupy().minimum(found, other, out=found)
    return found
