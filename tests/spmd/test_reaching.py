"""apsp.spmd.reachable, in processes that mpiexec or torchrun starts."""

import json
from functools import partial

import numpy as np
import pytest

import apsp
import apsp.spmd
from apsp import GraphError, RequestError
from apsp.cli.main import main
from apsp.methods.closure import spmd
from spmd.conftest import launched

COMMAND = "import sys\nfrom apsp.cli.main import main\nsys.exit(main(sys.argv[1:]))\n"

GRAPH = """
import os, signal, sys
import numpy as np
import apsp, apsp.spmd
from apsp.system.engine.launcher import started_rank
rank = started_rank()
def graph_of(n=900):
    rng = np.random.default_rng(7)
    graph = apsp.from_edges(rng.integers(0, n, n), rng.integers(0, n, n), rng.random(n), n=n)
    return apsp.Graph(graph.indptr, graph.indices, graph.weights, zones=np.arange(n) % 50 == 7)
graph = graph_of() if rank == 0 else None
folder = sys.argv[1]
"""


def graph_of():
    space = {"__name__": "graph"}
    exec(GRAPH.replace("started_rank()", "1").replace("sys.argv[1]", "''"), space)
    return space["graph_of"]()


WHOLE = (
    GRAPH
    + """
said = []
filed = {"block": 64, "file": f"{folder}/bits.npy", "checkpoint_seconds": 0}
for options in ({}, filed, {"block": 192, "threads": 2}):
    found = apsp.spmd.reachable(graph, **options, progress=lambda *told: said.append(told))
    assert (found is None) == (rank > 0)
    if rank == 0:
        expected = apsp.reachable(graph)
        assert found.bits.dtype == np.uint64 and found.bits.tobytes() == expected.bits.tobytes()
        assert found.count() == expected.count() > 900
        assert said[-1] == ("closure", 900, 900), said
assert not os.path.exists(f"{folder}/bits.npy.checkpoint")
if rank == 0:
    assert np.load(f"{folder}/bits.npy").tobytes() == expected.bits.tobytes()
one = apsp.from_dense(np.ones((700, 700)))
found = apsp.spmd.reachable(one)
assert rank > 0 or (found.bits.tobytes() == apsp.reachable(one).bits.tobytes() and found.count() == 700 ** 2)
acyclic = apsp.from_dense(np.triu(np.random.default_rng(3).random((500, 500)) < 0.6, 1).astype(float), absent=0)
assert apsp.spmd.plan_reachable(acyclic).distributed.closure.products
found = apsp.spmd.reachable(acyclic, block=128, threads=2)
assert rank > 0 or found.bits.tobytes() == apsp.reachable(acyclic).bits.tobytes()
labels = apsp.from_edges([0, 1], [1, 2], labels=["a", "b", "c"])
found = apsp.spmd.reachable(labels)
assert rank > 0 or (found.reaches("a", "c"), found.count()) == (True, 6)
empty = apsp.spmd.reachable(apsp.from_edges([], [], n=0), file=f"{folder}/empty.npy")
assert rank > 0 or empty.bits.shape == (0, 0)
for wrong in (
    {"graph": None}, {"block": 100}, {"block": 0}, {"threads": 0}, {"file": ""}, {"checkpoint_seconds": -1},
    {"file": f"{folder}/none/bits.npy"}, {"file": folder},
):
    try:
        apsp.spmd.reachable(**{"graph": graph} | wrong)
    except (apsp.RequestError, apsp.OutputError) as error:
        os.write(1, b"refused ")
"""
)


@launched(2, 1, 4)
def test_the_bits_of_one_process(tmp_path, started, launcher, processes):
    code, said, errors = started(WHOLE, tmp_path, launcher=launcher, processes=processes)
    assert code == 0, errors
    assert said.count("refused") == 8 * processes


KILLED = (
    GRAPH
    + """
from apsp.methods.floyd_warshall.spmd.checkpoints import Checkpoints
write, reading = Checkpoints.write, Checkpoints.read
def dying(self, step):
    if step == int(sys.argv[2]) and rank == int(sys.argv[3]):
        if sys.argv[4] == "after":
            write(self, step)
        os.kill(os.getpid(), signal.SIGKILL)
    write(self, step)
def read(self, step):
    os.write(1, b"goes on from %d\\n" % step)
    reading(self, step)
Checkpoints.write, Checkpoints.read = dying, read
apsp.spmd.reachable(graph, file=f"{folder}/bits.npy", block=64, checkpoint_seconds=0)
"""
)


@pytest.mark.slow
@pytest.mark.parametrize("processes", [pytest.param(2, marks=pytest.mark.slow), 4])
def test_a_killed_process(tmp_path, started, processes):
    for step, rank, when in ((6, 1, "before"), (9, 0, "after")):
        code, said, _ = started(KILLED, tmp_path, step, rank, when, processes=processes)
        assert code != 0
    assert said.count("goes on from 5\n") == processes
    assert not (tmp_path / "bits.npy").exists()
    _, _, errors = started(KILLED, tmp_path, -1, 0, "-", processes=3)
    assert "its processes form a grid of" in errors
    code, said, errors = started(KILLED, tmp_path, -1, 0, "-", processes=processes)
    assert code == 0, errors
    assert said.count("goes on from") == processes
    assert np.load(tmp_path / "bits.npy").tobytes() == apsp.reachable(graph_of()).bits.tobytes()


FULL = (
    GRAPH
    + """
from apsp.spmd import reaching
import contextlib
opened = reaching._npy
class Full:
    def write(self, data):
        raise OSError(28, "No space left on device")
@contextlib.contextmanager
def full(path, shape):
    with opened(path, shape):
        yield Full()
reaching._npy = full
try:
    apsp.spmd.reachable(graph, file=f"{folder}/bits.npy")
except apsp.OutputError as error:
    os.write(1, b"No space left " if "No space left" in str(error) else str(error).encode())
"""
)


@pytest.mark.slow
def test_a_full_disk_ends_all(tmp_path, started):
    (tmp_path / "bits.npy").write_bytes(b"before")
    code, said, errors = started(FULL, tmp_path, processes=2)
    assert code == 0, errors
    assert said.count("No space left") == 2
    assert (tmp_path / "bits.npy").read_bytes() == b"before"
    assert [path.name for path in tmp_path.iterdir() if path.suffix == ".part"] == []


def test_a_plan():
    rng = np.random.default_rng(1)
    graph = apsp.from_edges(rng.integers(0, 3000, 6000), rng.integers(0, 3000, 6000), n=3000)
    condensed = spmd.condensation(graph)
    planned = apsp.spmd.plan_reachable(graph, processes=4, block=64)
    words, c = -(-3000 // 64), condensed.count
    parts, closure = planned.distributed, planned.distributed.closure
    assert (closure.vertices, closure.components, closure.arcs) == (3000, c, condensed.graph.m)
    assert 500 < c < 2000
    assert (parts.block, parts.steps, closure.products) == (64, -(-c // 64), False)
    assert parts.bytes_matrix == 8 * c * 12
    assert parts.bytes_sent == 8 * c * (words - 12)  # one band
    assert planned.bytes_needed(0) - planned.bytes_needed(3) == 8 * 3000 * words
    assert 1 < apsp.spmd.plan_reachable(graph, processes=1).seconds / planned.seconds <= 4
    lines = planned.explain().splitlines()
    assert (
        lines[0] == f"3,000 vertices form {c:,} strongly connected components, with {closure.arcs:,} arcs between them."
    )
    assert f"4 processes close {c:,} x 3,000 bits by joining rows along these arcs" in lines[1]
    assert "1.1 MiB for the result" in lines[2]
    assert lines[5].startswith("One process alone would close them in about")
    one = apsp.spmd.plan_reachable(np.ones((50, 50)), processes=2)
    assert (one.distributed.closure.components, one.distributed.closure.arcs, one.seconds) == (1, 0, 0)
    assert "form 1 strongly connected component, with 0 arcs between them." in one.explain()
    assert one.explain().endswith("One process alone is as fast: several only divide the memory.")
    dense = apsp.from_dense(np.triu(np.ones((900, 900)), 1), absent=0)
    assert "by products of 2,048 rows at a time" in apsp.spmd.plan_reachable(dense, processes=1).explain()
    assert "One process alone" not in apsp.spmd.plan_reachable(dense, processes=1).explain()
    large = apsp.generate("random", 300_000, m=9000, seed=1)
    filed = apsp.spmd.plan_reachable(large, processes=4, file=True)
    assert "for the rows that it writes into the file" in filed.explain()
    assert filed.bytes_output < apsp.spmd.plan_reachable(large, processes=4).bytes_output / 50
    assert filed.to_dict()["distributed"]["output_to"] == "file"
    assert apsp.spmd.plan_reachable(apsp.from_edges([], [], n=0), processes=3).distributed.steps == 0
    for wrong in ({"processes": 0}, {"block": 65}, {"threads": 0}, {"file": "no"}):
        with pytest.raises(RequestError):
            apsp.spmd.plan_reachable(graph, **{"processes": 2} | wrong)
    with pytest.raises(GraphError):
        apsp.spmd.plan_reachable(np.zeros((2, 3)), processes=2)


@pytest.mark.parametrize("launcher", ["mpiexec", "torchrun"])
def test_the_command(tmp_path, started, launcher):
    graph = apsp.generate("random", 200, m=300, seed=5)
    apsp.write(graph, tmp_path / "graph.gr")
    out = tmp_path / "bits.npy"
    arguments = ["reachable", tmp_path / "graph.gr", "--spmd", "-o", out, "--json"]
    code, said, errors = started(COMMAND, *arguments, launcher=launcher)
    assert code == 0, errors
    facts = json.loads(said)  # of one process
    expected = apsp.reachable(graph)
    assert (facts["processes"], facts["pairs"]) == (3, expected.count())
    assert np.load(out).tobytes() == expected.bits.tobytes()


@pytest.mark.slow
@pytest.mark.parametrize("launcher", ["mpiexec", "torchrun"])
def test_what_the_command_prints(tmp_path, started, launcher):
    started = partial(started, launcher=launcher)
    graph = apsp.generate("random", 200, m=300, seed=5)
    apsp.write(graph, tmp_path / "graph.gr")
    code, said, errors = started(COMMAND, "reachable", tmp_path / "graph.gr", "--spmd")
    assert said.count(f"{apsp.reachable(graph).count():,} of 40,000 pairs have a path") == 1, errors
    code, said, errors = started(COMMAND, "reachable", tmp_path / "no.gr", "--spmd", module=False)
    assert (code, errors.count("the file does not exist")) == (3 if launcher == "mpiexec" else 1, 1)


def test_options_that_are_refused(capsys):
    for options in (["--method", "katz-kider-closure"], ["--device", "cuda:0"], ["--gpu-memory", "1GiB"]):
        assert main(["reachable", "graph.gr", "--spmd", *options]) == 2
        assert "cannot be combined with" in capsys.readouterr().err
    assert main(["reachable", "graph.gr", "--checkpoint", "folder"]) == 2
    assert "--checkpoint needs --spmd" in capsys.readouterr().err
