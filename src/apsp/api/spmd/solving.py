"""All distances of a dense graph by many processes that run the same program: started by mpirun or srun."""

from __future__ import annotations

import importlib
import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from apsp._types import DTypeLike, GraphLike, PathLike, SemiringName, StoreLike
from apsp.api.spmd.checkpointing import checkpointing
from apsp.api.spmd.storing import Output
from apsp.api.spmd.together import exchanging, together, world
from apsp.api.storing.stored_result import StoredResult
from apsp.errors import RequestError
from apsp.facts.request import Request
from apsp.facts.statistics import statistics_of
from apsp.graph.accept import as_graph
from apsp.graph.device import DeviceGraph
from apsp.graph.model import Graph
from apsp.methods import registry
from apsp.methods.distributed import Distributed
from apsp.methods.mpi import MpiConnection
from apsp.methods.problem import Problem
from apsp.planning.dtype_choice import decide_dtype
from apsp.result.result import Result
from apsp.semiring import SEMIRINGS
from apsp.store import facts as stored
from apsp.store.folder import Folder
from apsp.system.arguments import flag, number, one_of, whole_number
from apsp.system.file_names import file_path
from apsp.system.lack_of_memory import memory_errors
from apsp.system.progress import Progress, offset, reporting

__all__ = ["solve"]

_BAND_VALUES = 1 << 24
"""Distances that are collected at a time."""

CHECKPOINT_SECONDS = 600.0


@memory_errors
def solve(
    graph: GraphLike | None,
    *,
    comm: Any = None,
    dtype: DTypeLike = "auto",
    paths: bool = False,
    semiring: SemiringName = "min_plus",
    block: int | None = None,
    threads: int | None = None,
    store: StoreLike | None = None,
    checkpoint: PathLike | None = None,
    checkpoint_seconds: float = CHECKPOINT_SECONDS,
    progress: Progress = False,
) -> Result | None:
    """Compute all distances by Floyd-Warshall, with the matrix distributed over the processes of MPI.

    All processes call this with the same arguments.

    Parameters
    ----------
    graph : Graph, SciPy sparse array, NetworkX graph or (n, n) array
        Needed in process 0, which sends it to the others; these may pass None.
    comm : mpi4py.MPI.Comm, optional
        The processes; by default all that were started (`MPI.COMM_WORLD`).
    dtype : {'auto', 'uint16', 'int32', 'int64', 'float32', 'float64'}
        As for `apsp.solve`.
    paths : bool
        Store predecessors, too; with `store` only. A result in memory finds paths from its distances.
    semiring : {'min_plus', 'max_min', 'min_max'}
        Shortest, widest or minimax paths.
    block : int, optional
        Rows and columns of the blocks that are distributed; by default from 128 to 512.
    threads : int, optional
        Threads of each process; by default 1.
    store : path, URL or store of obstore, optional
        As for `apsp.solve`: each process writes a share of the bands of rows there, and no process holds the whole
        matrix. All must reach it: a folder of a file system that they share, or a bucket. If bands are there already,
        only the others are written.
    checkpoint : path, optional
        A folder where each process saves its part of the matrix from time to time. The same call goes on from the last
        checkpoint that all processes have saved; at the end the files are removed. By default, with a store in a
        folder, FOLDER.checkpoint; otherwise there are no checkpoints. It may lie on disks that are not shared, if every
        process runs on the same machine again.
    checkpoint_seconds : float
        Least time between two checkpoints; infinite for none.
    progress : bool or callable
        True draws a bar in process 0; a callable is called there as progress(stage, done, total).

    Returns
    -------
    Result or None
        In process 0 the result, of all rows, with a store a `StoredResult`; None in the others.

    Raises
    ------
    GraphError, RequestError, MethodRefusedError, DtypeRangeError
        If the input or the request is invalid, or a store or checkpoint is of another one; in all processes, as all
        errors are.
    NegativeCycleError
        If there is a cycle of negative length; the error holds the cycle.
    MemoryLimitError
        Before the work, if it does not fit into the memory of a process, or, without a store, the result into that of
        process 0.
    OutputError
        If the store or a checkpoint cannot be written.
    FileFormatError
        If a store or a checkpoint is damaged.
    MissingDependencyError
        If mpi4py is not installed, or zarr for a store.

    Notes
    -----
    Blocked Floyd-Warshall on a block-cyclic matrix in two dimensions with look-ahead: Sao, Lu, Kannan, Thakkar, Vuduc
    and Potok, "Scalable all-pairs shortest paths for huge graphs on multi-GPU clusters", HPDC 2021. A process holds
    n^2 / P distances and the graph, and sends about 2 n^2 / sqrt(P) distances.

    If one process fails alone while all compute (a lack of memory, an exception of a callable that receives the
    progress), it prints the error, and all end (`MPI.Abort`).

    Distances and predecessors have the same bits with and without interruptions, and for all numbers of processes with
    the same `block`.

    Examples
    --------
    In a program that is started with ``mpirun -n 4 python program.py``:

    >>> import apsp, apsp.spmd  # doctest: +SKIP
    >>> graph = apsp.from_edges([0, 1, 2], [1, 2, 0], [4, 1, 2])  # doctest: +SKIP
    >>> result = apsp.spmd.solve(graph)  # doctest: +SKIP
    >>> if result is not None:  # doctest: +SKIP
    ...     print(result.distances.tolist())
    [[0, 4, 5], [3, 0, 1], [2, 6, 0]]

    Into a store, from which `apsp.load` reads:

    >>> result = apsp.spmd.solve(graph, store="distances.zarr", paths=True)  # doctest: +SKIP
    """
    started = time.perf_counter()
    comm = world() if comm is None else comm
    first = comm.Get_rank() == 0
    given = together(comm, lambda: _accepted(graph) if first else None)
    graph = comm.bcast(given, root=0)
    assert isinstance(graph, Graph)
    asked = together(comm, lambda: _Asked.of(graph, dtype, paths, semiring, block, threads, store is not None))
    folder = together(comm, lambda: _folder(store, checkpoint))
    seconds = together(comm, lambda: number(checkpoint_seconds, "checkpoint_seconds", least=0))
    output = None
    if store is not None:
        output = Output.at(comm, store, graph, asked.request, asked.given | {"threads": threads}, asked.block)
        asked = asked.for_store(output)
    with reporting(progress if first else False) as report:
        connection = MpiConnection(comm)
        info: dict[str, Any] = {"processes": connection.size}
        dist = None
        bands = None if output is None or output.facts is None else output.missing
        try:
            if bands is None or bands:
                matrix = together(comm, lambda: asked.matrix(graph, connection))
                connection.form(matrix.shape)
                info |= matrix.facts
                dist = together(comm, lambda: _whole(graph, asked.request) if first and output is None else None)
                with checkpointing(comm, matrix, folder, seconds) as saving:
                    told = offset(report, asked.request.method, 0, graph.n)
                    begin = 0 if saving is None else saving.first
                    with exchanging(comm):
                        matrix.close(told, first=begin, saving=saving)
                    if output is not None:
                        output.create(matrix)
                        output.write(matrix, output.missing if bands is None else bands, report)
                    else:
                        with exchanging(comm):
                            _collect(matrix, graph.n, dist)
                    if saving is not None:
                        saving.remove()
        finally:
            connection.release()
    if not first:
        return None
    info["seconds"] = time.perf_counter() - started
    if output is not None:
        assert output.facts is not None
        result: Result = StoredResult(output.place, output.facts, stored.Problem(graph, None, None))
        result.info |= info | {"rows_computed": output.rows_computed}
        return result
    assert dist is not None
    request = asked.request
    info |= {"method": request.method, "device": "cpu", "threads": request.threads, "dtype": dist.dtype.name}
    return Result(graph, dist, semiring=request.semiring, info=info)


def _accepted(graph: GraphLike | None) -> Graph:
    if graph is None:
        raise RequestError("process 0 needs the graph; the other processes may pass None")
    accepted = as_graph(graph)
    if isinstance(accepted, DeviceGraph):
        raise RequestError("the processes need a graph in host memory: apsp.from_dense(matrix.get())")
    return accepted


@dataclass(frozen=True)
class _Asked:
    """The validated request.

    Attributes
    ----------
    request : Request
    block : int or None
    given : dict
        The options of the caller, without those that have been decided.
    """

    request: Request
    block: int | None
    given: dict[str, Any]

    @classmethod
    def of(
        cls, graph: Graph, dtype: Any, paths: Any, semiring: str, block: Any, threads: int | None, to_store: bool
    ) -> _Asked:
        """Choose the method and the dtype."""
        algebra = SEMIRINGS[one_of(semiring, "semiring", SEMIRINGS)]
        paths = flag(paths, "paths")
        if paths and not to_store:
            raise RequestError("paths=True stores predecessors: name a store; a result in memory needs none for paths")
        methods = [row for row in registry.METHODS.values() if row.distributed and algebra.name in row.semirings]
        request = Request(dtype=dtype, method=methods[0].name, semiring=algebra, threads=threads or 1, paths=paths)
        statistics = statistics_of(graph, sums=algebra.join == "add")
        size = None if block is None else whole_number(block, "block", least=1)
        return cls(replace(request, dtype=decide_dtype(statistics, request)[0]), size, vars(request))

    def for_store(self, output: Output) -> _Asked:
        """The request with what a store that exists has fixed."""
        facts = output.facts
        if facts is None:
            return self
        request = replace(self.request, dtype=facts.dtype)
        return replace(self, request=request, block=output.block_size)

    def matrix(self, graph: Graph, connection: MpiConnection) -> Distributed:
        """Allocate the part of this process."""
        request = self.request
        module = registry.get(request.method).distributed
        assert module is not None
        problem = Problem(graph, np.dtype(request.dtype), semiring=request.semiring, threads=request.threads or 1)
        found: Distributed = importlib.import_module(module).prepare(problem, connection, self.block)
        return found


def _folder(store: StoreLike | None, checkpoint: PathLike | None) -> Path | None:
    """The folder of the checkpoints, if there are any."""
    if checkpoint is not None:
        return file_path(checkpoint, "checkpoint")
    if store is None:
        return None
    from apsp.store.places import place_of

    place = place_of(store)
    return place.path.with_name(f"{place.path.name}.checkpoint") if isinstance(place, Folder) else None


def _whole(graph: Graph, request: Request) -> npt.NDArray[Any]:
    return np.empty((graph.n, graph.n), dtype=request.dtype)


def _collect(matrix: Distributed, n: int, dist: npt.NDArray[Any] | None) -> None:
    """Copy all rows to process 0."""
    height = max(_BAND_VALUES // max(n, 1), 1)
    for start in range(0, n, height):
        rows = matrix.bands([(start, min(start + height, n), 0)])
        if rows is not None and dist is not None:
            dist[start : start + height] = rows
