"""Processes of one machine share the pages that one of them sends, and the result, if there is memory for it."""

import pytest

from api.spmd.conftest import launched

PROGRAM = """
import atexit, os, sys
from pathlib import Path
import numpy as np
import apsp, apsp.spmd
from apsp.api.spmd.starting import joined
from apsp.methods import host_connection, shared_pages
joining = joined()
comm = joining.__enter__()
atexit.register(joining.__exit__, None, None, None)
how = sys.argv[1]
names = []
make = shared_pages._made
def named(size):
    names.append(make(size))
    return names[-1]
shared_pages._made = named
if how == "no folder":
    shared_pages._FOLDER = Path("/nowhere")
elif how == "two machines":
    shared_pages.host_identity = lambda: ("machine", str(comm.rank // 2))
elif how == "full":
    shared_pages._KEPT_FREE = 1 << 60
elif how == "one fails" and comm.rank == comm.size - 1:
    shared_pages._mapped = lambda *_: None
elif how == "no space" and comm.rank == 0:
    def refused(*_):
        raise OSError(28, "No space left on device")
    os.posix_fallocate = refused
made = []
mapped = set()
page = host_connection.shared_page
def counted(*arguments):
    found = page(*arguments)
    made.append(found is not None)
    mapped.add(None if found is None else found.ctypes.data)
    return found
host_connection.shared_page = counted
rng = np.random.default_rng(3)
n = 300
graph = apsp.from_edges(rng.integers(0, n, 900), rng.integers(0, n, 900), rng.random(900).astype("float32"), n=n)
result = apsp.spmd.solve(graph, block=32)
bits = apsp.spmd.reachable(graph, block=64)
if comm.rank == 0:
    assert np.allclose(result.distances, apsp.solve(graph, method="dijkstra").distances, rtol=1e-5)
    assert bits.bits.tobytes() == apsp.reachable(graph).bits.tobytes()
    whole = [each.ctypes.data for each in (result.distances, bits.bits)]
    assert (how == "yes" or (how == "two machines" and comm.size == 2)) == all(each in mapped for each in whole)
assert made
if how in ("yes", "two machines"):
    assert all(made)
elif comm.size == 2 or how in ("no folder", "full") or os.posix_fallocate.__name__ == "refused":
    assert not any(made)  # with four, others share pages
assert not any(name is not None and Path(name).exists() for name in names)
os.write(1, b"done ")
"""


@pytest.mark.parametrize("how", ["yes", "no folder", "full", "one fails", "no space", "two machines"])
@launched(4, 2)
def test_pages_and_results_are_shared_or_sent(started, launcher, processes, how):
    code, said, errors = started(PROGRAM, how, launcher=launcher, processes=processes)
    assert code == 0, errors
    assert said.count("done") == processes
