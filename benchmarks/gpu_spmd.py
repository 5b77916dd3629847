"""Floyd-Warshall by processes with one GPU each, which NCCL connects:
python -m benchmarks.gpu_spmd --sizes N,N --processes 1,2 [--one-gpu] [--write FILE].

The complete graph of benchmarks.gpu_strips, written on the devices. One page on one GPU (the driver in core), then the
program of `apsp.spmd.solve` in processes that mpiexec starts. Timed from the blocks written until the GPUs of all
processes are idle, after a small matrix with the same kernels; once, since a run takes seconds.

--one-gpu: all processes use the first GPU, which NCCL takes for GPUs of different hosts, so that messages pass through
the memory of the host. That measures what the distribution adds to the kernels, and not what several GPUs gain.

Every result is checked: sampled rows solve Bellman's equations (see benchmarks.gpu_strips), and a sum over the whole
matrix is the same for every way.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import time
from pathlib import Path
from typing import Any

import numpy as np

from apsp.api.spmd import devices
from apsp.api.spmd.starting import joined
from apsp.methods.communicator import Communicator
from apsp.methods.floyd_warshall.kernels.backend import CudaBackend
from apsp.methods.floyd_warshall.spmd.driver import PAIRS_OF_GPU, Program
from apsp.methods.floyd_warshall.spmd.layout import layout
from apsp.methods.floyd_warshall.spmd.matrix import DistributedMatrix
from apsp.semiring import MIN_PLUS, Algebra
from apsp.system.engine.launcher import started_rank
from benchmarks.gpu_strips import CHECKED_ROWS, check_rows, compared, in_core, row, write, write_arcs
from benchmarks.spmd import ROOT, environment, mpiexec

_WARM = 4096


def measured(n: int, kind: str, processes: int, one_gpu: bool) -> dict[str, Any]:
    """Run the program in processes of MPI."""
    command = [*mpiexec(processes), "-m", "benchmarks.gpu_spmd", "--part", str(n), kind, *["--one-gpu"] * one_gpu]
    done = subprocess.run(command, cwd=ROOT, env=environment(), stdout=subprocess.PIPE, text=True, check=True)
    found = json.loads(done.stdout.splitlines()[-1])
    words = f"{processes} process{'es' if processes > 1 else ''}, {found['grid'][0]} x {found['grid'][1]}"
    gpus = 1 if one_gpu else processes
    where = " on one GPU" if one_gpu and processes > 1 else ""
    return row(f"{words}, blocks of {found['block']}{where}", n, kind, gpus, found["seconds"], found["sum"])


# -- the program of a process -----------------------------------------------------------------------------------------


def part(n: int, kind: str, one_gpu: bool) -> None:
    """Compute, check, and print what is returned to `measured`."""
    if one_gpu:
        hidden = {"NCCL_HOSTID": f"host{started_rank()}", "NCCL_SOCKET_IFNAME": "lo", "NCCL_IB_DISABLE": "1"}
        os.environ.update(hidden)
        devices._own = lambda everywhere, place: 0
    with joined() as comm:
        closed(comm, min(_WARM, n), kind)
        found = closed(comm, n, kind)
        if comm.rank == 0:
            print(json.dumps(found), flush=True)


def closed(comm: Communicator, n: int, kind: str) -> dict[str, Any]:
    """Close a matrix."""
    dtype, algebra = np.dtype(kind.rstrip("+")), Algebra(MIN_PLUS, kind.endswith("+"))
    with devices.connected(comm, "cuda") as (connection, gpu):
        assert gpu is not None
        chosen = layout(n, dtype.itemsize, comm.size)
        backend, grid = CudaBackend(gpu), chosen.grid(comm.rank)
        page = backend.allocate(grid.rows.size, grid.columns.size, dtype)
        for i in grid.rows.owned:
            for j in grid.columns.owned:
                (top, _), (left, _) = grid.rows.bounds(i), grid.columns.bounds(j)
                write_arcs(page[grid.rows.here(i), grid.columns.here(j)], top, 0, left)
        graph: Any = None
        matrix = DistributedMatrix(graph, chosen, page, backend, connection, algebra, PAIRS_OF_GPU)
        connection.form(chosen.shape)
        program = Program(grid, page, backend, connection, algebra, PAIRS_OF_GPU)
        device = backend.cupy.cuda.Device(gpu)
        device.synchronize()
        comm.allgather(None)
        started = time.perf_counter()
        assert program.close() == -1
        device.synchronize()
        comm.allgather(None)
        seconds = time.perf_counter() - started
        total = sum(comm.allgather(float(page.sum(dtype=np.float64))))
        check(comm, matrix, algebra, backend)
        del matrix, program, page
    backend.cupy.get_default_memory_pool().free_all_blocks()
    return {"seconds": seconds, "sum": total, "grid": list(chosen.shape), "block": chosen.block}


def check(comm: Communicator, matrix: DistributedMatrix, algebra: Algebra, backend: CudaBackend) -> None:
    """Check rows of both ends and of the middle, in process 0."""
    n = matrix.layout.n
    for first in (0, n // 2, n - CHECKED_ROWS):
        rows = matrix.bands([(first, first + CHECKED_ROWS, 0)])
        if rows is not None:
            page = backend.allocate(CHECKED_ROWS, n, rows.dtype)
            backend.copy(rows, page)
            check_rows(backend, backend.allocate(1024, n, rows.dtype), page, first, algebra)
    comm.allgather(None)


def main() -> None:
    """Run everything, print a table, and write JSON if requested."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.gpu_spmd", description=__doc__)
    parser.add_argument("--sizes", default="16384", help="vertices, with commas")
    parser.add_argument("--processes", default="1", help="numbers of processes, with commas")
    parser.add_argument("--kind", default="float32+", help="dtype, with a plus where no value is negative")
    parser.add_argument("--one-gpu", action="store_true", help="all processes use the first GPU")
    parser.add_argument("--write", type=Path, help="file for the results as JSON; they are added to what it has")
    parser.add_argument("--part", nargs=2, metavar=("N", "KIND"), help="the program of a process")
    options = parser.parse_args()
    if options.part is not None:
        part(int(options.part[0]), options.part[1], options.one_gpu)
        return
    in_core(1024, options.kind, None)  # kernels are compiled
    for n in map(int, options.sizes.split(",")):
        ways = [in_core(n, options.kind, None)]
        numbers = map(int, options.processes.split(","))
        ways += [measured(n, options.kind, processes, options.one_gpu) for processes in numbers]
        rows = compared(ways)
        if options.write:
            write(options.write, rows, "gpu_spmd")


if __name__ == "__main__":
    main()
