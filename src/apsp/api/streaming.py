"""Distances by blocks of rows: for results that do not fit in memory."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from apsp.api.asking import Vertices, asked, prepared
from apsp.errors import RequestError
from apsp.plan.planner import Plan, plan_for
from apsp.progress import Progress, offset, reporting
from apsp.solvers.problem import IntArray, Solver

__all__ = ["Block", "blocks_of", "stream"]


@dataclass(frozen=True)
class Block:
    """Some rows of the distances.

    Attributes
    ----------
    sources : (R,) int32
    dist : (R, T) array
        dist[i, j] from sources[i] to the j-th target; `apsp.unreachable(dist.dtype)` where there is no path.
    pred : (R, n) int32 or None
    """

    sources: IntArray
    dist: npt.NDArray[Any]
    pred: IntArray | None = None


def stream(
    graph: Any,
    *,
    rows: int | None = None,
    sources: Vertices = None,
    targets: Vertices = None,
    cutoff: float | None = None,
    dtype: str = "auto",
    paths: bool = False,
    method: str = "auto",
    device: str = "auto",
    gpu_memory: int | str | None = None,
    pages_file: str | Path | None = None,
    threads: int | None = None,
    reuse: bool = False,
    progress: Progress = False,
) -> Iterator[Block]:
    """The same distances as `solve`, a block of rows at a time: for results that do not fit in memory.

    Parameters
    ----------
    rows : int, optional
        Rows a block; by default as many as fit in an eighth of the memory, at most 256 MiB.
    reuse : bool
        Hand out the same arrays again and again: faster, but copy what you keep.
    graph, sources, targets, cutoff, dtype, paths, method, device, gpu_memory, pages_file, threads, progress
        As for `solve`.

    Yields
    ------
    Block

    Raises
    ------
    As `solve`, at the call (a negative cycle too), not at the first block.
    """
    if rows is not None and rows < 1:
        raise RequestError(f"rows must be at least 1, not {rows}")
    graph, chosen, columns, request = asked(
        graph, sources, targets, cutoff=cutoff, dtype=dtype, paths=paths, method=method, device=device,
        gpu_memory=gpu_memory, pages_file=pages_file, threads=threads, mode="stream", rows=rows,
    )  # fmt: skip
    decided = plan_for(graph, request)
    solver = prepared(graph, decided, columns, request)
    wanted = np.arange(graph.n, dtype=np.int32) if chosen is None else chosen
    width = graph.n if columns is None else len(columns)
    return blocks_of(solver, decided, wanted, (width, graph.n if paths else None), reuse, progress)


def blocks_of(
    solver: Solver, decided: Plan, wanted: IntArray, widths: tuple[int, int | None], reuse: bool, progress: Progress
) -> Iterator[Block]:
    """Blocks of rows of a solver; `widths` are the columns of the distances and, if asked, of the predecessors."""
    height = min(decided.block_rows, len(wanted))
    dist: npt.NDArray[Any] | None = None
    pred: IntArray | None = None
    with reporting(progress) as report:
        for start in range(0, len(wanted), max(height, 1)):
            part = wanted[start : start + height]
            if dist is None or not reuse:
                dist = np.empty((len(part), widths[0]), dtype=decided.dtype)
                pred = None if widths[1] is None else np.empty((len(part), widths[1]), dtype=np.int32)
            block = Block(part, dist[: len(part)], None if pred is None else pred[: len(part)])
            solver.fill(block.sources, block.dist, block.pred, offset(report, decided.method, start, len(wanted)))
            yield block
