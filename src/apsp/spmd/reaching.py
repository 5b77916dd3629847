"""Reachability by many processes that run the same program."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

import numpy as np
import numpy.typing as npt

from apsp._types import GraphLike, PathLike, SpmdDevice
from apsp.errors import OutputError
from apsp.methods.closure import spmd
from apsp.methods.closure.closure import Reachability
from apsp.methods.communicator import Communicator
from apsp.methods.distributed import Distributed
from apsp.spmd.devices import connected, device_of
from apsp.spmd.job import block_of, threads_of
from apsp.spmd.planning import check_host, reachable_plan_of
from apsp.spmd.running import CHECKPOINT_SECONDS, Checkpointed, Whole, closed, collect, shared
from apsp.spmd.starting import joined
from apsp.spmd.together import together
from apsp.system.file_names import file_path
from apsp.system.lack_of_memory import memory_errors
from apsp.system.progress import Progress, offset, reporting
from apsp.system.replacing import check_free, check_writable, replacing

__all__ = ["reachable"]


@memory_errors
def reachable(
    graph: GraphLike | None,
    *,
    comm: Any = None,
    block: int | None = None,
    threads: int | None = None,
    device: SpmdDevice = "cpu",
    file: PathLike | None = None,
    checkpoint: PathLike | None = None,
    checkpoint_seconds: float = CHECKPOINT_SECONDS,
    progress: Progress = False,
) -> Reachability | None:
    """Compute which vertices can be reached from which, with the bits distributed over processes of MPI or torchrun.

    Weights are ignored; every vertex reaches itself. All processes call this with the same arguments.

    Parameters
    ----------
    graph : Graph, SciPy sparse array, NetworkX graph or (n, n) array
        Needed in process 0, which sends it to the others; these may pass None.
    comm : mpi4py.MPI.Comm or torch.distributed.ProcessGroup, optional
        The processes; by default all that were started, as for `apsp.spmd.solve`.
    block : int, optional
        Rows of components that are closed between two checkpoints, a multiple of 64; by default 2,048.
    threads : int, optional
        Threads of each process; by default 1.
    device : {'cpu', 'cuda'}
        With 'cuda' every process computes on a GPU of its own; not measured yet.
    file : path, optional
        A .npy file to which process 0 writes the rows as it receives them: no process holds all n^2 bits. The result is
        this file, mapped into memory.
    checkpoint : path, optional
        A folder where each process saves its part of the bits from time to time, as for `apsp.spmd.solve`. By default,
        with a file, FILE.checkpoint; otherwise there are no checkpoints.
    checkpoint_seconds : float
        Least time between two checkpoints; infinite for none.
    progress : bool or callable
        True draws a bar in process 0; a callable is called there as progress(stage, done, total).

    Returns
    -------
    Reachability or None
        In process 0 the bits, with methods that read them by vertex: the same as from `apsp.reachable`. None in the
        others.

    Raises
    ------
    GraphError, RequestError
        If the input or the request is invalid, or a checkpoint is of another one; in all processes, as all errors are.
    MemoryLimitError
        Before the work, if it does not fit into the memory of the machines: see `apsp.spmd.plan_reachable`.
    OutputError
        If the file or a checkpoint cannot be written.
    FileFormatError
        If a checkpoint is damaged.
    MethodRefusedError
        For graphs with zones on GPUs.
    DeviceError
        With 'cuda', if a machine has fewer GPUs than processes, or CuPy is missing.
    MissingDependencyError
        If mpi4py is not installed; PyTorch in processes that torchrun has started.
    ExecutorError
        If torchrun connects the processes, and the connection to one of them is lost.

    Notes
    -----
    As in `apsp.reachable`, the members of a strongly connected component share one row, and only the graph of the
    components is closed. Every process finds the components in O(n + m), and then closes the rows of all components in
    columns of its own, without messages: n / (64 P) words per arc between components, or products of bit matrices where
    these arcs are many (Purdom 1970, section 3). That takes little time for sparse graphs: many processes are for dense
    acyclic graphs, and for bits that no machine alone can hold. `apsp.spmd.plan_reachable` tells the numbers.

    Examples
    --------
    In a program that is started with ``mpirun -n 4 python program.py`` or ``torchrun --nproc-per-node 4 program.py``:

    >>> import apsp, apsp.spmd  # doctest: +SKIP
    >>> graph = apsp.from_edges([0, 1], [1, 2], labels=["a", "b", "c"])  # doctest: +SKIP
    >>> found = apsp.spmd.reachable(graph)  # doctest: +SKIP
    >>> if found is not None:  # doctest: +SKIP
    ...     print(found.reaches("a", "c"), found.count())
    True 6
    """
    with joined(comm) as comm:
        first = comm.rank == 0
        graph = shared(comm, graph)
        size, cores, kind = together(comm, lambda: (block_of(block), threads_of(threads), device_of(device)))
        path = together(comm, lambda: None if file is None else file_path(file, "file"))
        saved = Checkpointed(comm, lambda: _folder(path, checkpoint), checkpoint_seconds)
        if path is not None:
            together(comm, lambda: _check_file(path, graph.n) if first else None)
        with reporting(progress if first else False) as report, connected(comm, kind) as (grid, gpu):
            together(comm, lambda: spmd.refuse(graph, kind))
            condensed = together(comm, lambda: spmd.condensation(graph))
            to_file = path is not None
            plan = together(comm, lambda: reachable_plan_of(graph, condensed, comm.size, size, cores, kind, to_file))
            check_host(comm, plan.bytes_needed(comm.rank))
            words = -(-graph.n // 64)
            whole = Whole(comm, grid, graph.n, words, np.uint64) if path is None else None
            each_step = offset(report, plan.method, 0, graph.n)
            make = functools.partial(spmd.prepare, graph, condensed, grid, size, cores, gpu)
            with closed(comm, make, saved, each_step, gpu) as matrix:
                if path is not None:
                    _write(comm, matrix, graph.n, path)
                elif whole is not None:
                    bits = whole.of(matrix)
    if not first:
        return None
    if path is not None:
        bits = np.load(path, mmap_mode="r" if graph.n > 0 else None)
    assert bits is not None
    return Reachability(graph.n, bits, graph.labels)


def _folder(path: Path | None, checkpoint: PathLike | None) -> Path | None:
    """The folder of the checkpoints, if there are any."""
    if checkpoint is not None:
        return file_path(checkpoint, "checkpoint")
    return None if path is None else path.with_name(f"{path.name}.checkpoint")


def _check_file(path: Path, n: int) -> None:
    check_writable(path)
    check_free(path, n * -(-n // 64) * 8)


def _write(comm: Communicator, matrix: Distributed, n: int, path: Path) -> None:
    """Collect the rows and write them; the file is complete or as it was before."""
    words = -(-n // 64)
    with contextlib.ExitStack() as stack:
        first = comm.rank == 0
        file = together(comm, lambda: stack.enter_context(_npy(path, (n, words))) if first else None)
        take = None if file is None else functools.partial(_write_rows, file, path)
        collect(comm, matrix, n, 8 * words, take=take)
        together(comm, stack.close)


@contextlib.contextmanager
def _npy(path: Path, shape: tuple[int, int]) -> Iterator[IO[bytes]]:
    """A .npy file of words, with its header, that replaces `path` when it is complete."""
    with replacing(path) as file:
        header = {"descr": np.lib.format.dtype_to_descr(np.dtype(np.uint64)), "fortran_order": False, "shape": shape}
        np.lib.format.write_array_header_1_0(file, header)
        yield file


def _write_rows(file: IO[bytes], path: Path, rows: npt.NDArray[Any]) -> None:
    try:
        file.write(np.ascontiguousarray(rows).data.cast("B"))
    except OSError as error:
        raise OutputError(f"cannot write {path}: {error.strerror or error}") from error
