"""Processes of one machine share the pages that one of them sends, and the result, if there is memory for it."""

from spmd.conftest import launched

PROGRAM = """
import atexit, contextlib, os
from pathlib import Path
from unittest import mock
import numpy as np
import apsp, apsp.spmd
from apsp.spmd.starting import joined
from apsp.methods import host_connection, shared_pages
joining = joined()
comm = joining.__enter__()
atexit.register(joining.__exit__, None, None, None)
make, page = shared_pages._made, host_connection.shared_page
names, made, mapped = [], [], set()
def named(size):
    names.append(make(size))
    return names[-1]
def counted(*arguments):
    found = page(*arguments)
    made.append(found is not None)
    mapped.add(None if found is None else found.ctypes.data)
    return found
def refused(*_):
    raise OSError(28, "No space left on device")
def patches(how):
    yield mock.patch.object(shared_pages, "_made", named)
    yield mock.patch.object(host_connection, "shared_page", counted)
    if how == "no folder":
        yield mock.patch.object(shared_pages, "_FOLDER", Path("/nowhere"))
    elif how == "two machines":
        yield mock.patch.object(shared_pages, "host_identity", lambda: ("machine", str(comm.rank // 2)))
    elif how == "full":
        yield mock.patch.object(shared_pages, "_KEPT_FREE", 1 << 60)
    elif how == "one fails" and comm.rank == comm.size - 1:
        yield mock.patch.object(shared_pages, "_mapped", lambda *_: None)
    elif how == "no space" and comm.rank == 0:
        yield mock.patch.object(os, "posix_fallocate", refused)
rng = np.random.default_rng(3)
n = 300
graph = apsp.from_edges(rng.integers(0, n, 900), rng.integers(0, n, 900), rng.random(900).astype("float32"), n=n)
for how in ("yes", "no folder", "full", "one fails", "no space", "two machines"):
    for each in (names, made, mapped):
        each.clear()
    with contextlib.ExitStack() as stack:
        for patch in patches(how):
            stack.enter_context(patch)
        result = apsp.spmd.solve(graph, block=32)
        bits = apsp.spmd.reachable(graph, block=64)
        if comm.rank == 0:
            assert np.allclose(result.distances, apsp.solve(graph, method="dijkstra").distances, rtol=1e-5), how
            assert bits.bits.tobytes() == apsp.reachable(graph).bits.tobytes(), how
            whole = [each.ctypes.data for each in (result.distances, bits.bits)]
            shared = how == "yes" or (how == "two machines" and comm.size == 2)
            assert shared == all(each in mapped for each in whole), how
        assert made, how
        if how in ("yes", "two machines"):
            assert all(made), how
        elif comm.size == 2 or how in ("no folder", "full") or os.posix_fallocate is refused:
            assert not any(made), how  # with four, others share pages
        assert not any(name is not None and Path(name).exists() for name in names), how
    os.write(1, b"done ")
"""


@launched(2, 4)
def test_pages_and_results_are_shared_or_sent(started, launcher, processes):
    """One after the other in the same processes, which take longer to start than to compute."""
    code, said, errors = started(PROGRAM, launcher=launcher, processes=processes)
    assert code == 0, errors
    assert said.count("done") == 6 * processes
