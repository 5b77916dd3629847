"""All distances of a dense graph by many processes that run the same program: started by mpirun or srun."""

from __future__ import annotations

import importlib
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from apsp._types import DTypeLike, GraphLike, SemiringName
from apsp.errors import ApspError, MissingDependencyError, RequestError
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
from apsp.system.arguments import one_of, whole_number
from apsp.system.lack_of_memory import memory_errors
from apsp.system.progress import Progress, offset, reporting

__all__ = ["solve"]

Found = TypeVar("Found")

_BAND_VALUES = 1 << 24
"""Distances that are collected at a time."""


@memory_errors
def solve(
    graph: GraphLike | None,
    *,
    comm: Any = None,
    dtype: DTypeLike = "auto",
    semiring: SemiringName = "min_plus",
    block: int | None = None,
    threads: int | None = None,
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
    semiring : {'min_plus', 'max_min', 'min_max'}
        Shortest, widest or minimax paths.
    block : int, optional
        Rows and columns of the blocks that are distributed; by default from 128 to 512.
    threads : int, optional
        Threads of each process; by default 1.
    progress : bool or callable
        True draws a bar in process 0; a callable is called there as progress(stage, done, total).

    Returns
    -------
    Result or None
        In process 0 the result, of all rows; None in the others.

    Raises
    ------
    GraphError, RequestError, MethodRefusedError, DtypeRangeError
        If the input or the request is invalid; in all processes, as all errors are.
    NegativeCycleError
        If there is a cycle of negative length; the error holds the cycle.
    MemoryLimitError
        Before the work, if it does not fit into the memory of a process, or the result into that of process 0.
    MissingDependencyError
        If mpi4py is not installed.

    Notes
    -----
    Blocked Floyd-Warshall on a block-cyclic matrix in two dimensions with look-ahead: Sao, Kannan, Gera and Vuduc,
    "Scalable all-pairs shortest paths for huge graphs on multi-GPU clusters", HPDC 2021. A process holds n^2 / P
    distances and sends about 2 n^2 / sqrt(P) of them.

    Examples
    --------
    In a program that is started with ``mpirun -n 4 python program.py``:

    >>> import apsp, apsp.spmd  # doctest: +SKIP
    >>> graph = apsp.from_edges([0, 1, 2], [1, 2, 0], [4, 1, 2])  # doctest: +SKIP
    >>> result = apsp.spmd.solve(graph)  # doctest: +SKIP
    >>> if result is not None:  # doctest: +SKIP
    ...     print(result.distances.tolist())
    [[0, 4, 5], [3, 0, 1], [2, 6, 0]]
    """
    started = time.perf_counter()
    comm = _world() if comm is None else comm
    first = comm.Get_rank() == 0
    given = _together(comm, lambda: _accepted(graph) if first else None)
    graph = comm.bcast(given, root=0)
    assert isinstance(graph, Graph)

    connection = MpiConnection(comm)

    def prepared() -> tuple[Distributed, Request]:
        request = _request(graph, dtype, semiring, threads)
        size = None if block is None else whole_number(block, "block", least=1)
        found = _module_of(request.method).prepare(_problem(graph, request), connection, size)
        connection.form(found.shape)
        return found, request

    try:
        matrix, request = _together(comm, prepared)
        with reporting(progress if first else False) as report:
            _together(comm, lambda: matrix.close(offset(report, request.method, 0, graph.n)))
        dist = _together(comm, lambda: np.empty((graph.n, graph.n), dtype=request.dtype) if first else None)
        _collect(matrix, graph.n, dist)
    finally:
        connection.release()
    if dist is None:
        return None
    info = {
        "method": request.method, "device": "cpu", "threads": request.threads, "dtype": dist.dtype.name,
        "processes": connection.size, **matrix.facts, "seconds": time.perf_counter() - started,
    }  # fmt: skip
    return Result(graph, dist, semiring=request.semiring, info=info)


def _world() -> Any:
    try:
        from mpi4py import MPI
    except ImportError as error:
        raise MissingDependencyError("mpi4py", "apsp.spmd", "mpi") from error
    return MPI.COMM_WORLD


def _together(comm: Any, act: Callable[[], Found]) -> Found:
    """Act in all processes; if one fails, raise an error in all, so that none waits for another forever."""
    found: Any = None
    error: ApspError | None = None
    try:
        found = memory_errors(act)()
    except ApspError as failure:
        error = failure
    errors = comm.allgather(error)
    if error is not None:
        raise error
    others = [failure for failure in errors if failure is not None]
    if others:
        raise others[0]
    done: Found = found
    return done


def _accepted(graph: GraphLike | None) -> Graph:
    if graph is None:
        raise RequestError("process 0 needs the graph; the other processes may pass None")
    accepted = as_graph(graph)
    if isinstance(accepted, DeviceGraph):
        raise RequestError("the processes need a graph in host memory: apsp.from_dense(matrix.get())")
    return accepted


def _request(graph: Graph, dtype: Any, semiring: str, threads: int | None) -> Request:
    """Choose the method and the dtype."""
    algebra = SEMIRINGS[one_of(semiring, "semiring", SEMIRINGS)]
    methods = [row for row in registry.METHODS.values() if row.distributed and algebra.name in row.semirings]
    request = Request(dtype=dtype, method=methods[0].name, semiring=algebra, threads=threads or 1)
    statistics = statistics_of(graph, sums=algebra.join == "add")
    return replace(request, dtype=decide_dtype(statistics, request)[0])


def _problem(graph: Graph, request: Request) -> Problem:
    return Problem(graph, np.dtype(request.dtype), semiring=request.semiring, threads=request.threads or 1)


def _module_of(method: str) -> Any:
    module = registry.get(method).distributed
    assert module is not None
    return importlib.import_module(module)


def _collect(matrix: Distributed, n: int, dist: npt.NDArray[Any] | None) -> None:
    """Copy all rows to process 0."""
    height = max(_BAND_VALUES // max(n, 1), 1)
    for start in range(0, n, height):
        rows = matrix.rows(start, min(start + height, n), 0)
        if rows is not None and dist is not None:
            dist[start : start + height] = rows
