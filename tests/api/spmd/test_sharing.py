"""Processes of one machine share the pages that one of them sends, if there is memory for it."""

import pytest

PROGRAM = """
import os, sys
from pathlib import Path
import numpy as np
import apsp, apsp.spmd
from mpi4py import MPI
from apsp.methods import mpi, shared_pages
comm = MPI.COMM_WORLD
how = sys.argv[1]
before = set(Path("/dev/shm").glob("apsp-*"))
if how == "no folder":
    shared_pages._FOLDER = Path("/nowhere")
elif how == "full":
    shared_pages._KEPT_FREE = 1 << 60
elif how == "one fails" and comm.rank == comm.size - 1:
    shared_pages._mapped = lambda path, size: None
elif how == "no space" and comm.rank == 0:
    def refused(*_):
        raise OSError(28, "No space left on device")
    os.posix_fallocate = refused
made = []
page = mpi.shared_page
def counted(*arguments):
    found = page(*arguments)
    made.append(found is not None)
    return found
mpi.shared_page = counted
rng = np.random.default_rng(3)
n = 300
graph = apsp.from_edges(rng.integers(0, n, 900), rng.integers(0, n, 900), rng.random(900).astype("float32"), n=n)
result = apsp.spmd.solve(graph, block=32)
bits = apsp.spmd.reachable(graph, block=64)
if comm.rank == 0:
    assert np.allclose(result.distances, apsp.solve(graph, method="dijkstra").distances, rtol=1e-5)
    assert bits.bits.tobytes() == apsp.reachable(graph).bits.tobytes()
assert made
if how == "yes":
    assert all(made)
elif comm.size == 2 or how in ("no folder", "full") or os.posix_fallocate.__name__ == "refused":
    assert not any(made)  # with four, others share pages
assert set(Path("/dev/shm").glob("apsp-*")) <= before
os.write(1, b"done ")
"""


@pytest.mark.parametrize("how", ["yes", "no folder", "full", "one fails", "no space"])
def test_pages_are_shared_or_sent(started, how):
    for processes in (2, 4):
        code, said, errors = started(PROGRAM, how, processes=processes)
        assert code == 0, errors
        assert said.count("done") == processes
