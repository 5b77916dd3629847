"""apsp.spmd.solve into a store, in processes that mpiexec or torchrun starts."""

from functools import partial

import numpy as np
import pytest

import apsp
from apsp.system.array_device import to_host
from spmd.conftest import launched

pytest.importorskip("zarr")

FUNCTION = """
import numpy as np
import apsp
def graph_of(dtype, n=400):
    rng = np.random.default_rng(7)
    weights = rng.random(3 * n) if dtype == "float32" else rng.integers(1, 50, 3 * n)
    tails, heads = rng.integers(0, n, 3 * n), rng.integers(0, n, 3 * n)
    return apsp.from_edges(tails, heads, weights.astype(dtype), n=n)
"""

GRAPH = (
    FUNCTION
    + """
import atexit, os, signal, sys
import apsp.spmd
from apsp.spmd.starting import joined
joining = joined()
comm = joining.__enter__()
atexit.register(joining.__exit__, None, None, None)
rank = comm.rank
folder = sys.argv[1]
"""
)

WHOLE = (
    GRAPH
    + """
for dtype in ("int32", "float32"):
    graph = graph_of(dtype)
    given = graph if rank == 0 else None
    said = []
    options = dict(store=f"{folder}/{dtype}.zarr", paths=True, block=32, checkpoint_seconds=0)
    result = apsp.spmd.solve(given, **options, progress=lambda *told: said.append(told))
    if rank == 0:
        assert result.info["rows_computed"] == 400 and result.is_complete, result.info
        assert said[-1] == ("rows written", 400, 400), said
        assert not os.path.exists(f"{folder}/{dtype}.zarr.checkpoint")
        shard = f"{folder}/{dtype}.zarr/distances/c/0/0"
        os.unlink(shard) if dtype == "int32" else os.truncate(shard, 0)
    comm.allgather(None)
    result = apsp.spmd.solve(given, store=f"{folder}/{dtype}.zarr", paths=True)
    if rank == 0:
        most = 400 if comm.size == 1 else 200
        assert result.is_complete and 0 < result.info["rows_computed"] <= most, result.info
    for wrong in ({"paths": False}, {"block": 64}, {"dtype": "float64"}, {"semiring": "max_min"}):
        try:
            apsp.spmd.solve(given, **{"store": f"{folder}/{dtype}.zarr", "paths": True} | wrong)
        except apsp.RequestError as error:
            os.write(1, b"refused ")
try:
    apsp.spmd.solve(given, paths=True)
except apsp.RequestError:
    os.write(1, b"refused ")
try:
    apsp.spmd.solve(given, store=f"{folder}/none/out.zarr")
except apsp.OutputError:
    os.write(1, b"refused ")
"""
)


def graph_of(dtype):
    space = {}
    exec(FUNCTION, space)
    return space["graph_of"](dtype)


@launched(3, 1, 4)
def test_a_store(tmp_path, started, launcher, processes):
    code, said, errors = started(WHOLE, tmp_path, launcher=launcher, processes=processes)
    assert code == 0, errors
    assert said.count("refused") == processes * 10
    for dtype in ("int32", "float32"):
        found = apsp.load(tmp_path / f"{dtype}.zarr", check=True)
        assert found.has_predecessors
        assert found.distances.band_shape[0] <= max(-(-400 // processes // 64) * 64 + 64, 64) or processes == 1
        found.verify()
        expected = apsp.solve(graph_of(dtype), method="dijkstra").distances
        assert np.allclose(to_host(found.distances), expected, rtol=1e-5)
        if dtype == "int32":
            assert np.array_equal(to_host(found.distances), expected)


KILLED = (
    GRAPH
    + """
from apsp.methods.floyd_warshall.spmd.checkpoints import Checkpoints
write = Checkpoints.write
def dying(self, step):
    if step == int(sys.argv[3]) and rank == int(sys.argv[4]):
        if sys.argv[5] == "after":
            write(self, step)
        os.kill(os.getpid(), signal.SIGKILL)
    write(self, step)
Checkpoints.write = dying
reading = Checkpoints.read
def read(self, step):
    os.write(1, b"goes on from %d\\n" % step)  # at once: the processes share the stream
    reading(self, step)
Checkpoints.read = read
graph = graph_of("float32") if rank == 0 else None
block = int(sys.argv[6]) if len(sys.argv) > 6 else 32
apsp.spmd.solve(graph, store=f"{folder}/{sys.argv[2]}.zarr", paths=True, block=block, checkpoint_seconds=0)
"""
)


@pytest.mark.slow
@launched(4, 2)
def test_a_killed_process(tmp_path, started, launcher, processes):
    started = partial(started, launcher=launcher)
    for step, rank, when in ((5, 1, "before"), (8, 0, "after")):
        code, said, _ = started(KILLED, tmp_path, "killed", step, rank, when, processes=processes)
        assert code != 0
    assert said.count("goes on from 4\n") == processes
    assert not list(tmp_path.glob("killed.zarr"))
    # another block, and another number of processes
    _, _, errors = started(KILLED, tmp_path, "killed", -1, 0, "-", 64, processes=processes)
    assert "its processes form" not in errors
    assert "it has block=32, not 64" in errors
    _, _, errors = started(KILLED, tmp_path, "killed", -1, 0, "-", processes=3)
    assert "its processes form a grid of" in errors
    code, said, errors = started(KILLED, tmp_path, "killed", -1, 0, "-", processes=processes)
    assert code == 0, errors
    assert said.count("goes on from") == processes
    code, _, errors = started(KILLED, tmp_path, "whole", -1, 0, "-", processes=1)
    assert code == 0, errors
    one, other = (apsp.load(tmp_path / f"{name}.zarr", check=True) for name in ("killed", "whole"))
    assert to_host(one.distances).tobytes() == to_host(other.distances).tobytes()
    assert np.array_equal(one.predecessors[:], other.predecessors[:])
    one.verify()
