"""Blocks of distances from the factor of an oracle: rows, columns of rows, and streams of rows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from apsp._types import AnyArray, NumPyArray, VerticesLike
from apsp.api import Block
from apsp.api.oracle.pairs import PairQueries
from apsp.api.oracle.snapshot import Snapshot
from apsp.facts.request import Request
from apsp.facts.result_bytes import block_rows
from apsp.facts.statistics import statistics_of
from apsp.methods.problem import IntArray
from apsp.running.arguments import positions_of
from apsp.running.output import checked, taken
from apsp.system.lack_of_memory import memory_errors
from apsp.system.machine import Machine
from apsp.system.progress import Progress, offset, reporting

__all__ = ["BlockQueries", "blocks_of"]


class BlockQueries(PairQueries):
    """Blocks of distances, on the CPU or a GPU."""

    @memory_errors
    def rows(
        self, sources: VerticesLike | None = None, *, out: AnyArray | None = None, progress: Progress = False
    ) -> NumPyArray:
        """Compute the distances from some vertices to all.

        .. warning:: The dtype is the narrowest that holds the distances: sums of integers wrap, and "no path" is a
           number. To compute with them, `numpy.where(found == apsp.unreachable(found.dtype), numpy.inf, found)` is
           float64.

        Parameters
        ----------
        sources : sequence of vertices, optional
            All n vertices by default.
        out : (S, n) array of the dtype, optional
            Array for them: NumPy, or an array on the oracle's GPU.
        progress : bool or callable
            True draws a bar; a callable is called as progress(stage, done, total).

        Returns
        -------
        (S, n) array of the dtype
            Distances in the order of `sources`; `apsp.unreachable(dtype)` where there is no path.

        Raises
        ------
        GraphError
            If a vertex does not exist.
        RequestError
            If `out` has another shape or dtype.
        MemoryLimitError
            If the distances do not fit into memory.

        Examples
        --------
        >>> import apsp
        >>> graph = apsp.from_edges([0, 1, 2], [1, 2, 3], [4, 1, 2], directed=False)
        >>> oracle = apsp.prepare(graph)
        >>> oracle.rows([1, 3]).tolist()
        [[4, 0, 1, 3], [7, 3, 2, 0]]
        """
        return self.matrix(sources, None, out=out, progress=progress)

    @memory_errors
    def matrix(
        self,
        sources: VerticesLike | None = None,
        targets: VerticesLike | None = None,
        *,
        out: AnyArray | None = None,
        progress: Progress = False,
    ) -> NumPyArray:
        """Compute the distances from some vertices to some vertices.

        The cost is that of the rows, except that only the part of the tree between the targets and the roots is swept.

        .. warning:: The dtype is the narrowest that holds the distances: sums of integers wrap, and "no path" is a
           number. To compute with them, `numpy.where(found == apsp.unreachable(found.dtype), numpy.inf, found)` is
           float64.

        Parameters
        ----------
        sources : sequence of vertices, optional
            All n vertices by default.
        targets : sequence of vertices, optional
            All n vertices by default.
        out : (S, T) array of the dtype, optional
            Array for them: NumPy, or an array on the oracle's GPU.
        progress : bool or callable
            True draws a bar; a callable is called as progress(stage, done, total).

        Returns
        -------
        (S, T) array of the dtype
            Distances; `apsp.unreachable(dtype)` where there is no path.

        Raises
        ------
        GraphError
            If a vertex does not exist.
        RequestError
            If `out` has another shape or dtype.
        MemoryLimitError
            If the distances do not fit into memory.

        Examples
        --------
        >>> import apsp
        >>> graph = apsp.from_edges([0, 1, 2], [1, 2, 3], [4, 1, 2], directed=False)
        >>> oracle = apsp.prepare(graph)
        >>> oracle.matrix([0, 1], [3, 2]).tolist()
        [[7, 5], [3, 1]]
        """
        now = self._now
        rows, columns = positions_of(now.graph, sources, "sources"), positions_of(now.graph, targets, "targets")
        height, width = (now.graph.n if chosen is None else len(chosen) for chosen in (rows, columns))
        shape = height, width
        found: npt.NDArray[Any] = now.room(shape) if out is None else checked(taken(out), shape, now.dtype, now.gpu)
        with reporting(progress) as report:
            now.fill(rows, columns, found, offset(report, "oracle", 0, height))
        return found

    @memory_errors
    def stream(
        self,
        *,
        rows: int | None = None,
        sources: VerticesLike | None = None,
        reuse: bool = False,
        progress: Progress = False,
    ) -> Iterator[Block]:
        """Compute rows of distances, a block at a time, as `apsp.stream` does.

        Parameters
        ----------
        rows : int, optional
            Rows per block; by default as many as fit into 256 MiB or an eighth of the memory (2 GiB of a GPU).
        sources : sequence of vertices, optional
            All n vertices by default.
        reuse : bool
            Use the same array for every block: faster, but blocks that are kept must be copied.
        progress : bool or callable
            True draws a bar; a callable is called as progress(stage, done, total).

        Returns
        -------
        iterator of Block
            The blocks, in the order of the sources.

        Raises
        ------
        GraphError
            If a vertex does not exist.
        RequestError
            If an argument is invalid.

        Examples
        --------
        >>> import apsp
        >>> graph = apsp.from_edges([0, 1, 2], [1, 2, 3], [4, 1, 2], directed=False)
        >>> oracle = apsp.prepare(graph)
        >>> [block.distances.shape for block in oracle.stream(rows=3)]
        [(3, 4), (1, 4)]
        """
        now = self._now
        return blocks_of(now, positions_of(now.graph, sources, "sources"), rows, reuse, progress)


def blocks_of(
    now: Snapshot, chosen: IntArray | None, rows: int | None, reuse: bool, progress: Progress
) -> Iterator[Block]:
    """The rows of some vertices or all, a block at a time, as `Oracle.stream` gives them."""
    wanted = np.arange(now.graph.n, dtype=np.int32) if chosen is None else chosen
    request = Request(mode="stream", sources=len(wanted), rows=rows)
    height = block_rows(statistics_of(now.graph), Machine.detect(), request, now.dtype.name, now.threads)
    if now.on_gpu is not None and rows is None:
        height = now.on_gpu.block_rows()
    return _blocks(now, wanted, height or 1, reuse, progress)


def _blocks(now: Snapshot, wanted: IntArray, height: int, reuse: bool, progress: Progress) -> Iterator[Block]:
    dist: Any = None
    with reporting(progress) as report:
        for start in range(0, len(wanted), height):
            part = wanted[start : start + height]
            if dist is None or not reuse:
                dist = None  # before others are made
                dist = now.room((len(part), now.graph.n))
            now.fill(part, None, dist[: len(part)], offset(report, "oracle", start, len(wanted)))
            yield Block(part, dist[: len(part)], labels=now.graph.labels)
