"""All distances of a dense graph by many processes that run the same program."""

from __future__ import annotations

import functools
import time
from pathlib import Path
from typing import Any

from apsp._types import DTypeLike, GraphLike, PathLike, SemiringName, SpmdDevice, StoreLike
from apsp.api.stored.stored_result import StoredResult
from apsp.result.result import Result
from apsp.spmd.devices import connected
from apsp.spmd.job import SpmdJob
from apsp.spmd.planning import check_host, plan_of
from apsp.spmd.running import CHECKPOINT_SECONDS, Checkpointed, Whole, closed, form, shared
from apsp.spmd.starting import joined
from apsp.spmd.storing import Output
from apsp.spmd.together import together
from apsp.store import header as stored
from apsp.store.folder import Folder
from apsp.system.file_names import file_path
from apsp.system.lack_of_memory import memory_errors
from apsp.system.progress import Progress, offset, reporting

__all__ = ["solve"]


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
    device: SpmdDevice = "cpu",
    store: StoreLike | None = None,
    checkpoint: PathLike | None = None,
    checkpoint_seconds: float = CHECKPOINT_SECONDS,
    progress: Progress = False,
) -> Result | None:
    """Compute all distances by Floyd-Warshall, with the matrix distributed over processes of MPI or torchrun.

    All processes call this with the same arguments.

    Parameters
    ----------
    graph : Graph, SciPy sparse array, NetworkX graph or (n, n) array
        Needed in process 0, which sends it to the others; these may pass None.
    comm : mpi4py.MPI.Comm or torch.distributed.ProcessGroup, optional
        The processes; by default all that were started: by torchrun, or the group of all of `torch.distributed` if the
        program has initialised it; otherwise by MPI (`MPI.COMM_WORLD`).
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
    device : {'cpu', 'cuda'}
        With 'cuda' every process computes on a GPU of its own. GPUs of one host copy from each other; NCCL connects
        those of several hosts, once per process, while the matrix is written. `Result.info` has what connected them
        (``connected_by``) and ``seconds_to_connect``.
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
        Before the work, if it does not fit into the memory of the machines: see `apsp.spmd.plan`.
    OutputError
        If the store or a checkpoint cannot be written.
    FileFormatError
        If a store or a checkpoint is damaged.
    DeviceError
        With 'cuda', if a machine has fewer GPUs than processes, or CuPy is missing, or NCCL on several machines.
    MissingDependencyError
        If mpi4py is not installed, or zarr for a store; PyTorch in processes that torchrun has started.
    ExecutorError
        If torchrun connects the processes, and the connection to one of them is lost.

    Notes
    -----
    Blocked Floyd-Warshall on a block-cyclic matrix in two dimensions with look-ahead: Sao, Lu, Kannan, Thakkar, Vuduc
    and Potok, "Scalable all-pairs shortest paths for huge graphs on multi-GPU clusters", HPDC 2021. A process holds
    n^2 / P distances and the graph, and sends about 2 n^2 / sqrt(P) distances.

    If one process fails alone while all compute (a lack of memory, an exception of a callable that receives the
    progress), it prints the error, and all end
    (`MPI.Abort`; torchrun ends the others).

    Distances and predecessors have the same bits with and without interruptions, and for all numbers of processes with
    the same `block`.

    Examples
    --------
    In a program that is started with ``mpirun -n 4 python program.py`` or ``torchrun --nproc-per-node 4 program.py``:

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
    with joined(comm) as comm:
        first, to_store = comm.rank == 0, store is not None
        graph = shared(comm, graph)
        job = together(comm, lambda: SpmdJob.of(graph, dtype, paths, semiring, block, threads, device, to_store))
        saved = Checkpointed(comm, lambda: _folder(store, checkpoint), checkpoint_seconds)
        output, dist, bands = None, None, None
        if store is not None:
            output = Output.at(comm, store, graph, job.request, job.given | {"threads": threads}, job.block)
            job = job.for_store(output)
            bands = None if output.header is None else output.missing
        info: dict[str, Any] = {"processes": comm.size}
        if bands is None or bands:
            with (
                reporting(progress if first else False) as report,
                connected(comm, job.request.device) as (grid, gpu),
            ):
                plan = together(comm, lambda: plan_of(graph, job, comm.size, to_store))
                check_host(comm, plan.bytes_needed(comm.rank))
                assert plan.distributed is not None
                form(comm, grid, plan.distributed.grid, gpu)
                whole = None if to_store else Whole(comm, grid, graph.n, graph.n, job.request.dtype)
                each_step = offset(report, job.request.method, 0, graph.n)
                make = functools.partial(job.matrix, graph, grid, gpu)
                with closed(comm, make, saved, each_step, gpu) as matrix:
                    info |= matrix.facts
                    if output is not None:
                        output.create(matrix)
                        output.write(matrix, output.missing if bands is None else bands, report)
                    elif whole is not None:
                        dist = whole.of(matrix)
                    info |= grid.facts
    if not first:
        return None
    info["seconds"] = time.perf_counter() - started
    if output is not None:
        assert output.header is not None
        result: Result = StoredResult(output.storage, output.header, stored.StoreInput(graph, None, None))
        result.info |= info | {"rows_computed": output.rows_computed}
        return result
    assert dist is not None
    request = job.request
    info |= {"method": request.method, "device": request.device, "threads": request.threads, "dtype": dist.dtype.name}
    return Result(graph, dist, semiring=request.semiring, info=info)


def _folder(store: StoreLike | None, checkpoint: PathLike | None) -> Path | None:
    """The folder of the checkpoints, if there are any."""
    if checkpoint is not None:
        return file_path(checkpoint, "checkpoint")
    if store is None:
        return None
    from apsp.store.opening import storage_of

    storage = storage_of(store)
    return storage.path.with_name(f"{storage.path.name}.checkpoint") if isinstance(storage, Folder) else None
