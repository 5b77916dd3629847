"""Blocks of distances from the factor of an oracle: rows, columns of rows, and streams of rows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from apsp._types import AnyArray, NumPyArray, VerticesLike
from apsp.api import Block
from apsp.api.arguments import positions_of
from apsp.api.oracle.pairs import PairQueries
from apsp.api.output import checked, taken
from apsp.errors import MemoryLimitError
from apsp.facts.request import Request
from apsp.facts.result_bytes import block_rows
from apsp.facts.statistics import statistics_of
from apsp.methods.elimination.factor import Factor
from apsp.methods.problem import IntArray, KernelProgress
from apsp.system.lack_of_memory import memory_errors
from apsp.system.machine import Machine, usable
from apsp.system.progress import Progress, offset, reporting

if TYPE_CHECKING:
    from apsp.api.oracle.on_gpu import OracleOnGpu

__all__ = ["BlockQueries"]

_LANES_BYTES = 256
"""Bytes per vertex and thread: distances of the sources of a batch."""


class BlockQueries(PairQueries):
    """Blocks of distances, on the CPU or a GPU, which also computes many pairs.

    Parameters
    ----------
    threads : int
        Threads of the CPU.
    gpu : int, optional
        Number of the GPU.
    """

    def __init__(self, threads: int, gpu: int | None) -> None:
        super().__init__(threads)
        self._gpu = gpu

    def _take(self, factor: Factor) -> None:
        super()._take(factor)
        self._on_gpu = None if self._gpu is None else _on_gpu(factor, self._gpu)

    def _fill_pairs(
        self, sources: IntArray, targets: IntArray, dist: npt.NDArray[Any], progress: KernelProgress | None
    ) -> None:
        if self._on_gpu is not None and self._on_gpu.takes_pairs(len(sources)):
            self._on_gpu.pairs(sources, targets, dist, progress)
        else:
            super()._fill_pairs(sources, targets, dist, progress)

    @memory_errors
    def rows(
        self, sources: VerticesLike | None = None, *, out: AnyArray | None = None, progress: Progress = False
    ) -> NumPyArray:
        """Compute the distances from some vertices to all.

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
        rows, columns = positions_of(self.graph, sources, "sources"), positions_of(self.graph, targets, "targets")
        height, width = (self.graph.n if chosen is None else len(chosen) for chosen in (rows, columns))
        shape = height, width
        found: npt.NDArray[Any] = (
            self._room(shape) if out is None else checked(taken(out), shape, self.dtype, self._gpu)
        )
        with reporting(progress) as report:
            self._fill(rows, columns, found, offset(report, "oracle", 0, height))
        return found

    def _room(self, shape: tuple[int, int]) -> Any:
        if self._on_gpu is not None:
            return self._on_gpu.empty(*shape)
        self._refuse_too_large(shape)
        return np.empty(shape, dtype=self.dtype)

    def _fill(self, rows: IntArray | None, columns: IntArray | None, out: Any, told: KernelProgress | None) -> None:
        if self._on_gpu is not None:
            self._on_gpu.matrix(rows, columns, out, told)
        else:
            rows = np.arange(self.graph.n, dtype=np.int32) if rows is None else rows
            self._factor.rows(rows, columns, out, threads=self._threads, progress=told)

    def _refuse_too_large(self, shape: tuple[int, int]) -> None:
        machine = Machine.detect()
        needed = shape[0] * shape[1] * self.dtype.itemsize + self.graph.n * _LANES_BYTES * self._threads
        if needed > usable(machine):
            what = f"{shape[0]:,} x {shape[1]:,} distances in {self.dtype}"
            raise MemoryLimitError(
                what, needed, machine.memory_available, ["oracle.stream(), a block of rows at a time"]
            )

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
        chosen = positions_of(self.graph, sources, "sources")
        wanted = np.arange(self.graph.n, dtype=np.int32) if chosen is None else chosen
        request = Request(mode="stream", sources=len(wanted), rows=rows)
        height = block_rows(statistics_of(self.graph), Machine.detect(), request, self.dtype.name, self._threads)
        if self._on_gpu is not None and rows is None:
            height = self._on_gpu.block_rows()
        return self._blocks(wanted, height or 1, reuse, progress)

    def _blocks(self, wanted: IntArray, height: int, reuse: bool, progress: Progress) -> Iterator[Block]:
        dist: Any = None
        with reporting(progress) as report:
            for start in range(0, len(wanted), height):
                part = wanted[start : start + height]
                if dist is None or not reuse:
                    dist = None  # before others are made
                    dist = self._room((len(part), self.graph.n))
                self._fill(part, None, dist[: len(part)], offset(report, "oracle", start, len(wanted)))
                yield Block(part, dist[: len(part)], labels=self.graph.labels)


def _on_gpu(factor: Factor, gpu: int) -> OracleOnGpu:
    from apsp.api.oracle.on_gpu import OracleOnGpu  # what GPUs need is loaded where one is used

    return OracleOnGpu(factor, gpu)
