"""The oracle: any pair, any rows, any block of distances, from the factor of elimination."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from apsp._types import DeviceLike, PathLike, VerticesLike
from apsp.api.oracle.blocks import blocks_of
from apsp.api.oracle.device import gpu_named
from apsp.api.oracle.making import dtype_for
from apsp.api.oracle.path_queries import PathQueries
from apsp.api.oracle.snapshot import Snapshot, refuse_unless
from apsp.errors import format_bytes
from apsp.graph.model import Graph
from apsp.measures.groups import GroupsLike
from apsp.measures.summary_parts import parts_for, reduced
from apsp.methods.elimination.factor import Factor, sound_factor
from apsp.methods.problem import IntArray
from apsp.reductions import Summary
from apsp.reductions.row_sums import RowSums
from apsp.running.arguments import distinct, positions_of
from apsp.system.arguments import whole_number
from apsp.system.file_names import file_path
from apsp.system.lack_of_memory import memory_errors
from apsp.system.machine import threads_from
from apsp.system.progress import Progress, offset, reporting

__all__ = ["Oracle"]


class Oracle(PathQueries):
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
        super().__init__(Snapshot(factor, threads, gpu))
        self._requested = requested

    @property
    def nbytes(self) -> int:
        """Bytes of the factor and its tree."""
        return self._now.nbytes

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
        now = self._now
        graph = now.graph
        rows = None if rows is None else whole_number(rows, "rows", least=1)
        given = positions_of(graph, sources, "sources")
        parts = parts_for(
            graph, given, measures, groups, quantiles, columns=columns, bins=bins, edges=edges, reciprocals=True
        )
        once = None if given is None else distinct(given)  # sums and extremes are over a set
        return reduced(
            graph,
            parts,
            lambda: blocks_of(now, once, rows, True, progress),
            (lambda: _sums_of(now, once, rows, progress)) if now.has_sums else None,
            now.threads,
        )

    # -- other weights, and files -----------------------------------------------------------------------------------

    @memory_errors
    def update(self, weights: npt.ArrayLike | str, *, links: bool = False) -> None:
        """Replace the weights of the arcs: the factor is computed again, in the same order of elimination.

        If this fails, the oracle keeps its old weights. Calls of other threads, and iterators of `stream` and
        `stream_paths`, end with the weights that they began with.

        Parameters
        ----------
        weights : (m,) or (L,) numbers, or str
            In the order of `graph.indices`, so both directions of an undirected edge; or the name of one of
            `graph.costs`.
        links : bool
            The weights are those of the links, in the order of `graph.links`.

        Raises
        ------
        GraphError
            If the weights do not fit the arcs; if some links are parallel, and the weights are not by link or by name.
        RequestError
            If there is no cost of this name, or the graph keeps no links (`links=True`).
        DtypeRangeError
            If the dtype is not proven to hold every distance.
        NegativeCycleError
            If the graph has a cycle of negative length; the error holds the cycle.
        MethodRefusedError
            If rounding makes many cycles of a float graph negative.
        MemoryLimitError
            If the new values do not fit into memory beside the old ones.

        Notes
        -----
        While the new values are computed, the old ones remain: one value of the dtype per entry of the factor, and the
        weights, are in memory twice (on the GPU, too); the tree is shared. Afterwards the old values, and the 12 bytes
        per value that `paths` adds, are freed with the last call or iterator that uses them: an iterator that is not
        exhausted keeps them until it is closed or deleted.

        If several threads update, each update is complete, and the weights are those of the one that ends last.

        Examples
        --------
        >>> import apsp
        >>> graph = apsp.from_edges([0, 1, 2], [1, 2, 3], [4, 1, 2], directed=False)
        >>> oracle = apsp.prepare(graph)
        >>> oracle.update(graph.weights * 10)
        >>> oracle.distance(0, 3)
        70
        """
        now = self._now
        graph = now.graph.with_weights(weights, links=links)
        kind = dtype_for(graph, self._requested, now.gpu)
        refuse_unless(
            now.factor.tree.entries * kind.itemsize,
            lambda: "the factor of other weights, beside the old one,",
            "apsp.prepare(oracle.graph.with_weights(weights)) after `del oracle`",
        )
        self._now = Snapshot(sound_factor(graph, kind, now.factor.tree, now.threads), now.threads, now.gpu)

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
            write_oracle(file_path(path), self._now.factor, self._requested, report)

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
        factor = self._now.factor
        return _rebuilt, (factor.graph, factor.tree.arrays(), factor.values, self._requested)

    def _repr_html_(self) -> str:
        from apsp.figures.html import card
        from apsp.graph.plotting import graph_rows, small_map

        now = self._now
        rows = [("distances", f"{now.dtype} on {_place(now)}"), ("factor", format_bytes(now.nbytes))]
        return card("Oracle", [*graph_rows(now.graph), *rows], small_map(now.graph))

    def __repr__(self) -> str:
        now = self._now
        return f"Oracle(n={now.graph.n}, m={now.graph.m}, {now.dtype}, {_place(now)}, {format_bytes(now.nbytes)})"


def _place(now: Snapshot) -> str:
    return "cpu" if now.gpu is None else f"cuda:{now.gpu}"


def _sums_of(now: Snapshot, chosen: IntArray | None, rows: int | None, progress: Progress) -> Iterator[RowSums]:
    """Sum up rows without storing them: `rows` of them at a time, or all."""
    wanted = np.arange(now.graph.n, dtype=np.int32) if chosen is None else chosen
    height = rows or max(len(wanted), 1)
    with reporting(progress) as report:
        for start in range(0, len(wanted), height):
            yield now.sums(wanted[start : start + height], offset(report, "oracle", start, len(wanted)))


def _rebuilt(graph: Graph, tree: dict[str, npt.NDArray[Any]], values: npt.NDArray[Any], requested: str) -> Oracle:
    from apsp.api.oracle.file import factor_of

    if not values.flags.writeable:  # joblib maps large arrays from files; the kernels take writable ones
        values = np.array(values)
    return Oracle(factor_of(graph, tree, values), requested=requested, threads=threads_from(None))
