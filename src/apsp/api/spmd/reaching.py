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
from apsp.api.spmd.asking import accepted, block_of
from apsp.api.spmd.devices import connected, device_of, rates
from apsp.api.spmd.planning import SpmdPlan, bytes_of, check_host, count_of
from apsp.api.spmd.running import CHECKPOINT_SECONDS, Checkpointed, closed, collect, rows_at_once, shared
from apsp.api.spmd.starting import joined
from apsp.api.spmd.together import together
from apsp.errors import OutputError
from apsp.graph.model import Graph
from apsp.methods.closure.closure import Reachability
from apsp.methods.communicator import Communicator
from apsp.methods.distributed import Connection, Distributed
from apsp.system.arguments import flag, whole_number
from apsp.system.file_names import file_path
from apsp.system.lack_of_memory import memory_errors
from apsp.system.limits import allowed_memory
from apsp.system.progress import Progress, offset, reporting
from apsp.system.replacing import check_room, check_writable, replacing

__all__ = ["plan_reachable", "reachable"]

_METHOD = "closure"


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
        Rows and columns of the blocks that are distributed, a multiple of 64; by default from 256 to 2,048.
    threads : int, optional
        Threads of each process; by default 1.
    device : {'cpu', 'cuda'}
        With 'cuda' every process computes on a GPU of its own, and NCCL sends from GPU to GPU; not measured yet.
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
        With 'cuda', if a machine has fewer GPUs than processes, or CuPy or NCCL is missing.
    MissingDependencyError
        If mpi4py is not installed; PyTorch in processes that torchrun has started.
    ExecutorError
        If torchrun connects the processes, and the connection to one of them is lost.

    Notes
    -----
    Warshall's algorithm with the driver of `apsp.spmd.solve`: up to n^3 / 64 operations on words, over all processes.
    For sparse graphs `apsp.reachable` in one process needs less work, because it finds strongly connected components
    first: many processes are for dense graphs, and for bits that no machine alone can hold.

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
        size, cores, kind = together(comm, lambda: (block_of(block), _threads(threads), device_of(device)))
        path = together(comm, lambda: None if file is None else _path(file))
        saved = Checkpointed(comm, lambda: _folder(path, checkpoint), checkpoint_seconds)
        if path is not None:
            together(comm, lambda: _check_file(path, graph.n) if first else None)
        with reporting(progress if first else False) as report, connected(comm, kind) as (grid, gpu):
            decided = together(comm, lambda: _plan_of(graph, comm.size, size, cores, kind, path is not None))
            check_host(comm, decided.bytes_needed(comm.rank))
            words = -(-graph.n // 64)
            bits = together(comm, lambda: _whole(graph.n, words) if first and path is None else None)
            told = offset(report, _METHOD, 0, graph.n)
            make = functools.partial(_prepared, graph, grid, size, cores, gpu)
            with closed(comm, grid, make, saved, told, gpu) as matrix:
                if path is None:
                    collect(comm, matrix, graph.n, 8 * words, lambda start, rows: _take(bits, start, rows))
                else:
                    _write(comm, matrix, graph.n, path)
    if not first:
        return None
    if path is not None:
        bits = np.load(path, mmap_mode="r" if graph.n > 0 else None)
    assert bits is not None
    return Reachability(graph.n, bits, graph.labels)


@memory_errors
def plan_reachable(
    graph: GraphLike,
    *,
    processes: int | None = None,
    block: int | None = None,
    threads: int | None = None,
    device: SpmdDevice = "cpu",
    file: bool = False,
) -> SpmdPlan:
    """Show what `reachable` would do with so many processes: the memory of each, the time, the bytes that are sent.

    One process can call this alone, on any machine, without MPI.

    Parameters
    ----------
    graph : Graph, SciPy sparse array, NetworkX graph or (n, n) array
        The graph, or an object that is converted to one.
    processes : int, optional
        Their number; by default that of all that mpirun, srun or torchrun has started.
    block, threads : int, optional
        As for `reachable`.
    device : {'cpu', 'cuda'}
        As for `reachable`.
    file : bool
        The bits are written to a file.

    Returns
    -------
    SpmdPlan
        Numbers, and `explain()` in sentences.

    Raises
    ------
    GraphError, RequestError
        If the input or the request is invalid.
    MissingDependencyError
        Without `processes`, if mpi4py is not installed.

    Examples
    --------
    >>> import apsp, apsp.spmd
    >>> graph = apsp.generate("random", 100_000, m=500_000, seed=1)
    >>> planned = apsp.spmd.plan_reachable(graph, processes=16)
    >>> planned.grid, planned.block, planned.bytes_matrix
    ((4, 4), 2048, 79691776)
    """
    graph, to_file = accepted(graph), flag(file, "file")
    return _plan_of(graph, count_of(processes), block_of(block), _threads(threads), device_of(device), to_file)


def _plan_of(graph: Graph, processes: int, block: int | None, threads: int, device: str, to_file: bool) -> SpmdPlan:
    from apsp.methods.closure import spmd

    n = graph.n
    spmd.refuse(graph, device)
    layout = spmd.layout(n, processes, block)
    known = rates() if device == "cuda" else None
    seconds = spmd.seconds(layout, threads) if known is None else spmd.seconds_on_gpu(layout, known)
    row = 8 * -(-n // 64)
    return SpmdPlan(
        method=_METHOD, dtype="bit", processes=processes, threads=threads, grid=layout.shape, block=layout.block,
        steps=layout.steps, seconds=seconds, bytes_matrix=layout.matrix_bytes(), bytes_panels=layout.panel_bytes(),
        bytes_output=(2 * rows_at_once(n, row) if to_file else n) * row, bytes_graph=bytes_of(graph),
        bytes_sent=layout.sent_bytes(), bytes_available=allowed_memory()[1], to_store=False, to_file=to_file,
        device=device, rates="" if known is None else known.origin,
    )  # fmt: skip


def _prepared(graph: Graph, connection: Connection, block: int | None, threads: int, gpu: int | None) -> Distributed:
    from apsp.methods.closure import spmd

    return spmd.prepare(graph, connection, block, threads, gpu)


def _threads(threads: Any) -> int:
    return 1 if threads is None else whole_number(threads, "threads", least=1)


def _path(file: Any) -> Path:
    return file_path(file, "file")


def _folder(path: Path | None, checkpoint: PathLike | None) -> Path | None:
    """The folder of the checkpoints, if there are any."""
    if checkpoint is not None:
        return file_path(checkpoint, "checkpoint")
    return None if path is None else path.with_name(f"{path.name}.checkpoint")


def _check_file(path: Path, n: int) -> None:
    check_writable(path)
    check_room(path, n * -(-n // 64) * 8)


def _whole(n: int, words: int) -> npt.NDArray[np.uint64]:
    return np.empty((n, words), dtype=np.uint64)


def _take(bits: npt.NDArray[np.uint64] | None, start: int, rows: npt.NDArray[Any]) -> None:
    if bits is not None:
        bits[start : start + len(rows)] = rows


def _write(comm: Communicator, matrix: Distributed, n: int, path: Path) -> None:
    """Collect the rows and write them; the file is complete or as it was before."""
    words = -(-n // 64)
    with contextlib.ExitStack() as stack:
        first = comm.rank == 0
        file = together(comm, lambda: stack.enter_context(_npy(path, (n, words))) if first else None)
        collect(comm, matrix, n, 8 * words, lambda _, rows: None if file is None else _write_rows(file, rows, path))
        together(comm, stack.close)


@contextlib.contextmanager
def _npy(path: Path, shape: tuple[int, int]) -> Iterator[IO[bytes]]:
    """A .npy file of words, with its header, that replaces `path` when it is complete."""
    with replacing(path) as file:
        header = {"descr": np.lib.format.dtype_to_descr(np.dtype(np.uint64)), "fortran_order": False, "shape": shape}
        np.lib.format.write_array_header_1_0(file, header)
        yield file


def _write_rows(file: IO[bytes], rows: npt.NDArray[Any], path: Path) -> None:
    try:
        file.write(np.ascontiguousarray(rows).data.cast("B"))
    except OSError as error:
        raise OutputError(f"cannot write {path}: {error.strerror or error}") from error
