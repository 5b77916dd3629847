"""Distances by blocks of rows: for results that do not fit in memory."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from apsp.api.asking import Vertices, asked, prepared, stays_on
from apsp.blocks import Block, BlockArrays, blocks
from apsp.errors import RequestError
from apsp.plan.planner import plan_for
from apsp.progress import Progress
from apsp.solvers.problem import Solver

__all__ = ["Block", "stream", "stream_where_computed"]


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
    return stream_where_computed(
        graph, rows=rows, sources=sources, targets=targets, cutoff=cutoff, dtype=dtype, paths=paths, method=method,
        device=device, gpu_memory=gpu_memory, pages_file=pages_file, threads=threads, reuse=reuse, progress=progress,
        only_if_asked=True,
    )  # fmt: skip


def stream_where_computed(
    graph: Any,
    *,
    rows: int | None = None,
    sources: Vertices = None,
    targets: Vertices = None,
    reuse: bool = False,
    progress: Progress = False,
    only_if_asked: bool = False,
    **options: Any,
) -> Iterator[Block]:
    """As `stream`, but blocks that a GPU computes lie there even if nobody asked for a GPU: for reducers."""
    if rows is not None and rows < 1:
        raise RequestError(f"rows must be at least 1, not {rows}")
    given = {"cutoff": None, "dtype": "auto", "paths": False, "method": "auto", "device": "auto"} | options
    paths = bool(given["paths"])
    graph, chosen, columns, request = asked(graph, sources, targets, mode="stream", rows=rows, **given)
    decided = plan_for(graph, request)
    solver = prepared(graph, decided, columns, request)
    wanted = np.arange(graph.n, dtype=np.int32) if chosen is None else chosen
    width = graph.n if columns is None else len(columns)
    gpu = stays_on(request, decided) if only_if_asked or not decided.gpus else decided.gpus[0]
    arrays = BlockArrays((width, graph.n if paths else None), decided.dtype, reuse, gpu)

    def on_cpu() -> Solver:
        return prepared(graph, plan_for(graph, replace(request, device="cpu", gpus=())), columns, request)

    instead = on_cpu if request.device == "auto" and decided.gpus else None
    return blocks(solver, decided, wanted, arrays, progress, instead)
