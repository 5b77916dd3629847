"""Floyd-Warshall by processes with one GPU each, which copy from each other's GPU:
python -m benchmarks.gpu_spmd --sizes N,N --processes 1,2 [--one-gpu] [--write FILE].

The complete graph of benchmarks.gpu_strips, written on the devices. One page on one GPU (the driver in core), then the
program of `apsp.spmd.solve` in processes that mpiexec starts. Timed from the blocks written until the GPUs of all
processes are idle, with the time to connect them, after a small matrix with the same kernels; once, since a run takes
seconds. --nccl: NCCL connects them, as on several hosts.

--one-gpu: the programs of all processes use the first GPU, in threads whose messages are copies (benchmarks.gpu_grid).
That measures what the distribution adds to the kernels, and neither the links nor what several GPUs gain. With --nccl,
also in processes whose messages NCCL sends through the memory of the host, as between hosts.

Every result is checked: sampled rows solve Bellman's equations (see benchmarks.gpu_strips), and a sum over the whole
matrix is the same for every way.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import time
import warnings
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from apsp.errors import DeviceError
from apsp.gpu import jit
from apsp.gpu.memory import on_gpu
from apsp.methods import gpu_connection
from apsp.methods.distributed import Connection
from apsp.methods.floyd_warshall.kernels.backend import CudaBackend
from apsp.methods.floyd_warshall.spmd.driver import PAIRS_OF_GPU, Program
from apsp.methods.floyd_warshall.spmd.layout import layout
from apsp.methods.floyd_warshall.spmd.matrix import DistributedMatrix
from apsp.semiring import MIN_PLUS, Algebra
from apsp.spmd import devices
from apsp.spmd.starting import joined
from apsp.system.engine.launcher import started_rank
from benchmarks.gpu_grid import run_all
from benchmarks.gpu_strips import CHECKED_ROWS, check_rows, compared, in_core, row, write, write_arcs
from benchmarks.spmd import ROOT, environment, mpiexec

_WARM = 4096


def measured(n: int, kind: str, processes: int, one_gpu: bool, nccl: bool) -> dict[str, Any]:
    """Run the program in processes of MPI."""
    flags = [*["--one-gpu"] * one_gpu, *["--nccl"] * nccl]
    command = [*mpiexec(processes), "-m", "benchmarks.gpu_spmd", "--part", str(n), kind, *flags]
    done = subprocess.run(command, cwd=ROOT, env=environment(), stdout=subprocess.PIPE, text=True, check=True)
    found = json.loads(done.stdout.splitlines()[-1])
    words = f"{processes} process{'es' if processes > 1 else ''}, {found['grid'][0]} x {found['grid'][1]}"
    by = "NCCL through the host" if one_gpu else found["connected_by"]
    return _row(f"{words}, {by}" if processes > 1 else words, n, kind, 1 if one_gpu else processes, found)


def in_threads(n: int, kind: str, processes: int) -> dict[str, Any]:
    """Run the programs of several processes in threads of this one."""
    found = run_all(processes, lambda grid: closed(grid, grid, 0, n, kind))[0] | {"seconds_to_connect": None}
    jit.cupy().get_default_memory_pool().free_all_blocks()
    words = f"programs of {processes} process{'es' if processes > 1 else ''}, {found['grid'][0]} x {found['grid'][1]}"
    return _row(words, n, kind, 1, found)


def _row(words: str, n: int, kind: str, gpus: int, found: dict[str, Any]) -> dict[str, Any]:
    made = row(f"{words}, blocks of {found['block']}", n, kind, gpus, found["seconds"], found["sum"])
    return made | {"seconds_to_connect": found["seconds_to_connect"]}


class _Gathers(Protocol):
    """What processes and threads have."""

    def allgather(self, value: Any, /) -> list[Any]: ...


# -- the program of a process -----------------------------------------------------------------------------------------


def part(n: int, kind: str, one_gpu: bool, nccl: bool) -> None:
    """Compute, check, and print what is returned to `measured`."""
    if nccl:
        vars(gpu_connection)["PeerLine"] = _no_line
    if one_gpu:
        hidden = {"NCCL_HOSTID": f"host{started_rank()}", "NCCL_SOCKET_IFNAME": "lo", "NCCL_IB_DISABLE": "1"}
        os.environ.update(hidden)
        devices._own = lambda everywhere, place: 0
    warnings.simplefilter("error")  # a launch on another GPU than that of the array
    with joined() as comm:
        for size in (min(_WARM, n), n):
            with devices.connected(comm, "cuda") as (connection, gpu):
                assert gpu is not None
                with on_gpu(gpu):
                    found = closed(comm, connection, gpu, size, kind)
                found |= {"connected_by": None, "seconds_to_connect": None, **connection.facts}
            jit.cupy().get_default_memory_pool().free_all_blocks()
        if comm.rank == 0:
            print(json.dumps(found), flush=True)


def _no_line(*_: object) -> None:
    raise DeviceError("as on several hosts")


def closed(comm: _Gathers, connection: Connection, gpu: int, n: int, kind: str) -> dict[str, Any]:
    """Close the part of one process of a matrix, and check the matrix."""
    dtype, algebra = np.dtype(kind.rstrip("+")), Algebra(MIN_PLUS, kind.endswith("+"))
    chosen = layout(n, dtype.itemsize, connection.size)
    backend, grid = CudaBackend(gpu), chosen.grid(connection.rank)
    page = backend.allocate(grid.rows.size, grid.columns.size, dtype)
    for i in grid.rows.owned:
        for j in grid.columns.owned:
            (top, _), (left, _) = grid.rows.bounds(i), grid.columns.bounds(j)
            write_arcs(page[grid.rows.here(i), grid.columns.here(j)], top, 0, left)
    stream = backend.cupy.cuda.get_current_stream()
    stream.synchronize()
    comm.allgather(None)
    started = time.perf_counter()
    connection.form(chosen.shape)
    program = Program(grid, page, backend, connection, algebra, PAIRS_OF_GPU)
    assert program.close() == -1
    stream.synchronize()
    comm.allgather(None)
    seconds = time.perf_counter() - started
    total = sum(comm.allgather(float(page.sum(dtype=np.float64))))
    graph: Any = None
    check(DistributedMatrix(graph, chosen, page, backend, connection, algebra, PAIRS_OF_GPU))
    comm.allgather(None)
    return {"seconds": seconds, "sum": total, "grid": list(chosen.shape), "block": chosen.block}


def check(matrix: DistributedMatrix) -> None:
    """Check rows of both ends and of the middle, in process 0."""
    n, backend = matrix.layout.n, matrix.backend
    for first in (0, n // 2, n - CHECKED_ROWS):
        rows = matrix.bands([(first, first + CHECKED_ROWS, 0)])
        if rows is not None:
            page = backend.allocate(CHECKED_ROWS, n, rows.dtype)
            backend.copy(rows, page)
            check_rows(backend, backend.allocate(1024, n, rows.dtype), page, first, matrix.algebra)


def main() -> None:
    """Run everything, print a table, and write JSON if requested."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.gpu_spmd", description=__doc__)
    parser.add_argument("--sizes", default="16384", help="vertices, with commas")
    parser.add_argument("--processes", default="1", help="numbers of processes, with commas")
    parser.add_argument("--kind", default="float32+", help="dtype, with a plus where no value is negative")
    parser.add_argument("--one-gpu", action="store_true", help="the programs of all processes use the first GPU")
    parser.add_argument("--nccl", action="store_true", help="NCCL connects the processes")
    parser.add_argument("--write", type=Path, help="file for the results as JSON; they are added to what it has")
    parser.add_argument("--part", nargs=2, metavar=("N", "KIND"), help="the program of a process")
    options = parser.parse_args()
    if options.part is not None:
        part(int(options.part[0]), options.part[1], options.one_gpu, options.nccl)
        return
    in_core(_WARM, options.kind, None)  # kernels are compiled
    if options.one_gpu:
        in_threads(_WARM, options.kind, 1)
    for n in map(int, options.sizes.split(",")):
        ways = [in_core(n, options.kind, None)]
        for processes in map(int, options.processes.split(",")):
            if options.one_gpu:
                ways.append(in_threads(n, options.kind, processes))
            if options.nccl or not options.one_gpu:
                ways.append(measured(n, options.kind, processes, options.one_gpu, options.nccl))
        rows = compared(ways)
        if options.write:
            write(options.write, rows, "gpu_spmd")


if __name__ == "__main__":
    main()
