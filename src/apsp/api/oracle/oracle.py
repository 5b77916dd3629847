"""The oracle: any pair, any rows, any block of distances, from the factor of elimination."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from apsp._types import AnyArray, DeviceLike, NumPyArray, PathLike, Vertex, VertexLike, VerticesLike
from apsp.api import Block
from apsp.api.arguments import positions_of
from apsp.api.measures.groups import GroupsLike
from apsp.api.measures.kept import kept_for, reduced
from apsp.api.oracle.device import gpu_named
from apsp.api.oracle.making import dtype_for
from apsp.api.oracle.pairs import PairQueries
from apsp.api.output import checked, taken
from apsp.errors import MemoryLimitError, NoPathError, format_bytes
from apsp.facts.request import Request
from apsp.facts.result_bytes import block_rows
from apsp.facts.statistics import statistics_of
from apsp.graph.model import Graph
from apsp.measures import Summary
from apsp.measures.row_sums import RowSums
from apsp.methods.elimination.factor import Factor, sound_factor
from apsp.methods.problem import IntArray, KernelProgress
from apsp.result import paths
from apsp.semiring import unreachable
from apsp.system.arguments import whole_number
from apsp.system.file_names import file_path
from apsp.system.lack_of_memory import memory_errors
from apsp.system.machine import Machine, threads_from, usable
from apsp.system.place import to_host
from apsp.system.progress import Progress, offset, reporting

if TYPE_CHECKING:
    from apsp.api.oracle.on_gpu import OracleOnGpu

__all__ = ["Oracle"]

_LANES_BYTES = 256
"""Bytes per vertex and thread: distances of the sources of a batch."""


class Oracle(PairQueries):
    """All distances of a graph, stored as a factor. `prepare` makes an oracle, `Oracle.load` reads one.

    With a GPU, rows, blocks, sums and many pairs are computed there: `rows`, `matrix` and `stream` give CuPy arrays.
    Pickles and copies hold what `save` writes: an oracle that is restored from one computes on all cores of its CPU.

    Parameters
    ----------
    factor : Factor
        The factor of elimination.
    requested : str
        The dtype that was requested, which `update` uses again: 'auto' or a name.
    threads : int
        Threads of the CPU.
    gpu : int, optional
        Number of the GPU that computes rows, blocks, sums and many pairs.

    Examples
    --------
    >>> import apsp
    >>> graph = apsp.from_edges([0, 1, 2], [1, 2, 3], [4, 1, 2], directed=False)
    >>> oracle = apsp.prepare(graph)
    >>> oracle
    Oracle(n=4, m=6, uint16, cpu, 92 B)
    >>> oracle.distance(0, 3), oracle.path(3, 1)
    (7, [3, 2, 1])
    """

    def __init__(self, factor: Factor, *, requested: str = "auto", threads: int = 1, gpu: int | None = None) -> None:
        super().__init__(threads)
        self._asked = requested
        self._gpu = gpu
        self._take(factor)

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

    @property
    def nbytes(self) -> int:
        """Bytes of the factor and its tree."""
        return self._factor.values.nbytes + sum(array.nbytes for array in self._factor.tree.arrays().values())

    # -- rows and blocks ------------------------------------------------------------------------------------------

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

    @memory_errors
    def summary(
        self,
        *,
        measures: str | Iterable[str] | None = None,
        groups: GroupsLike | None = None,
        quantiles: float | Iterable[float] = (),
        columns: bool = False,
        bins: int = 0,
        edges: npt.ArrayLike | None = None,
        sources: VerticesLike | None = None,
        rows: int | None = None,
        progress: Progress = False,
    ) -> Summary:
        """Sums, extremes and counts of all distances, taken in one pass.

        Parameters
        ----------
        measures : str or sequence of str, optional
            Keep what these measures need, and nothing else, as for `apsp.summary`.
        groups : (n,) sequence, mapping, Series or sets of vertices, optional
            Keep statistics of the distances within and between groups, as for `apsp.distance_statistics`.
        quantiles : number or sequence of numbers, optional
            Shares from 0 to 1: keep the quantiles between groups.
        columns : bool
            Keep sums of incoming distances too, which direction='in' needs in a directed graph.
        bins : int
            Maximum number of bins of the histogram; 0 means no histogram.
        edges : (B + 1,) increasing numbers, optional
            Bins of the histogram instead.
        sources : sequence of vertices, optional
            Only distances from these vertices; all n vertices by default.
        rows : int, optional
            Rows per block, as for `stream`.
        progress : bool or callable
            True draws a bar; a callable is called as progress(stage, done, total).

        Returns
        -------
        Summary
            The numbers, as attributes and methods.

        Raises
        ------
        RequestError
            If an option is invalid.

        Examples
        --------
        >>> import apsp
        >>> graph = apsp.from_edges([0, 1, 2], [1, 2, 3], [4, 1, 2], directed=False)
        >>> oracle = apsp.prepare(graph)
        >>> oracle.summary().diameter
        7
        """
        graph = self.graph
        rows = None if rows is None else whole_number(rows, "rows", least=1)
        given = positions_of(graph, sources, "sources")
        kept = kept_for(
            graph, given, measures, groups, quantiles, columns=columns, bins=bins, edges=edges, reciprocals=True
        )
        once = None if given is None else np.unique(given)  # sums and extremes are over a set
        chosen = None if once is None else graph.labels.take(once)
        return reduced(
            graph,
            kept,
            lambda: self.stream(rows=rows, sources=chosen, reuse=True, progress=progress),
            (lambda: self._sums(once, rows, progress)) if (self._on_gpu or self._factor).has_sums else None,
            self._threads,
        )

    def _sums(self, chosen: IntArray | None, rows: int | None, progress: Progress) -> Iterator[RowSums]:
        """Sum up rows without storing them: `rows` of them at a time, or all."""
        wanted = np.arange(self.graph.n, dtype=np.int32) if chosen is None else chosen
        height = rows or max(len(wanted), 1)
        with reporting(progress) as report:
            for start in range(0, len(wanted), height):
                told = offset(report, "oracle", start, len(wanted))
                part = wanted[start : start + height]
                if self._on_gpu is not None:
                    yield self._on_gpu.measure(part, told)
                else:
                    yield self._factor.measure(part, threads=self._threads, progress=told)

    # -- paths ----------------------------------------------------------------------------------------------------

    @memory_errors
    def path(self, source: VertexLike, target: VertexLike) -> list[Vertex]:
        """Return the vertices of a shortest path, both ends included; O(m) and one row of distances.

        Parameters
        ----------
        source, target : hashable
            Vertices, as the graph labels them.

        Returns
        -------
        list
            The vertices, as the graph labels them.

        Raises
        ------
        GraphError
            If a vertex does not exist.
        NoPathError
            If there is no path.

        Examples
        --------
        >>> import apsp
        >>> graph = apsp.from_edges([0, 1, 2], [1, 2, 3], [4, 1, 2], directed=False)
        >>> oracle = apsp.prepare(graph)
        >>> oracle.path(0, 3)
        [0, 1, 2, 3]
        """
        s, t = self._index(source), self._index(target)
        row = to_host(self.rows([source]))[0]
        if row[t] == unreachable(self.dtype):
            raise NoPathError(self.graph.word(s), self.graph.word(t))
        found = paths.walk(paths.predecessors_from_distances(self.graph, s, row), s, t)
        return [self.graph.labels[vertex] for vertex in found]

    # -- other weights, and files -----------------------------------------------------------------------------------

    @memory_errors
    def update(self, weights: npt.ArrayLike) -> None:
        """Replace the weights of the arcs: the factor is computed again, in the same order of elimination.

        If this fails, the oracle keeps its old weights.

        Parameters
        ----------
        weights : (m,) numbers
            In the order of `graph.indices`, so both directions of an undirected edge.

        Raises
        ------
        GraphError
            If the weights do not fit the arcs.
        DtypeRangeError
            If the dtype is not proven to hold every distance.
        NegativeCycleError
            If the graph has a cycle of negative length; the error holds the cycle.
        MethodRefusedError
            If rounding makes many cycles of a float graph negative.

        Examples
        --------
        >>> import apsp
        >>> graph = apsp.from_edges([0, 1, 2], [1, 2, 3], [4, 1, 2], directed=False)
        >>> oracle = apsp.prepare(graph)
        >>> oracle.update(graph.weights * 10)
        >>> oracle.distance(0, 3)
        70
        """
        graph = self.graph.with_weights(weights)
        kind = dtype_for(graph, self._asked, self._gpu)
        self._take(sound_factor(graph, kind, self._factor.tree, self._threads))

    @memory_errors
    def save(self, path: PathLike, *, progress: Progress = False) -> None:
        """Write the oracle, its graph included, to a file (`.npz`, no pickle). An old file stays until the end.

        Parameters
        ----------
        path : str or Path
            The file.
        progress : bool or callable
            True draws a bar; a callable is called as progress(stage, done, total).

        Raises
        ------
        OutputError
            If the file cannot be written.

        Examples
        --------
        >>> import apsp
        >>> graph = apsp.from_edges([0, 1, 2], [1, 2, 3], [4, 1, 2], directed=False)
        >>> oracle = apsp.prepare(graph)
        >>> oracle.save("oracle.npz")
        >>> apsp.Oracle.load("oracle.npz").distance(0, 3)
        7
        """
        from apsp.api.oracle.file import write_oracle  # with the first file: `import apsp` stays quick

        with reporting(progress) as report:
            write_oracle(file_path(path), self._factor, self._asked, report)

    @classmethod
    @memory_errors
    def load(cls, path: PathLike, *, threads: int | None = None, device: DeviceLike = "cpu") -> Oracle:
        """Read an oracle that `save` wrote.

        Parameters
        ----------
        path : str or Path
            The file.
        threads : int, optional
            CPU threads; by default APSP_NUM_THREADS or all cores.
        device : 'cpu', 'cuda' or 'cuda:1'
            As for `apsp.prepare`.

        Returns
        -------
        Oracle
            The oracle, with its graph.

        Raises
        ------
        FileFormatError
            If the file is truncated or damaged, or is not an oracle.
        MissingFileError
            If the file does not exist.
        DtypeRangeError
            If a GPU does not hold its distances.
        DeviceError, RequestError
            If the device does not exist or an argument is invalid.

        Examples
        --------
        >>> import apsp
        >>> graph = apsp.from_edges([0, 1, 2], [1, 2, 3], [4, 1, 2], directed=False)
        >>> oracle = apsp.prepare(graph)
        >>> oracle.save("oracle.npz")
        >>> apsp.Oracle.load("oracle.npz")
        Oracle(n=4, m=6, uint16, cpu, 92 B)
        """
        from apsp.api.oracle.file import read_oracle

        gpu = gpu_named(device)
        factor, requested = read_oracle(file_path(path))
        if gpu is not None:
            dtype_for(factor.graph, factor.dtype.name, gpu)
        return cls(factor, requested=requested, threads=threads_from(threads), gpu=gpu)

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuilt, (self.graph, self._factor.tree.arrays(), self._factor.values, self._asked)

    def _repr_html_(self) -> str:
        from apsp.figures.html import card
        from apsp.graph.plotting import graph_rows, small_map

        where = "cpu" if self._gpu is None else f"cuda:{self._gpu}"
        rows = [("distances", f"{self.dtype} on {where}"), ("factor", format_bytes(self.nbytes))]
        return card("Oracle", [*graph_rows(self.graph), *rows], small_map(self.graph))

    def __repr__(self) -> str:
        graph, where = self.graph, "cpu" if self._gpu is None else f"cuda:{self._gpu}"
        return f"Oracle(n={graph.n}, m={graph.m}, {self.dtype}, {where}, {format_bytes(self.nbytes)})"


def _rebuilt(graph: Graph, tree: dict[str, npt.NDArray[Any]], values: npt.NDArray[Any], requested: str) -> Oracle:
    from apsp.api.oracle.file import factor_of

    if not values.flags.writeable:  # joblib maps large arrays from files; the kernels take writable ones
        values = np.array(values)
    return Oracle(factor_of(graph, tree, values), requested=requested, threads=threads_from(None))


def _on_gpu(factor: Factor, gpu: int) -> OracleOnGpu:
    from apsp.api.oracle.on_gpu import OracleOnGpu  # what GPUs need is loaded where one is used

    return OracleOnGpu(factor, gpu)
