"""apsp.spmd in processes that torchrun starts, without MPI, and beside a program's own torch.distributed."""

import contextlib
import os
import signal
import subprocess
import sys

import numpy as np
import pytest

import apsp
import apsp.spmd
from apsp import MissingDependencyError, RequestError
from apsp.system.engine.launcher import is_for_torch, started_processes, started_rank

FUNCTION = """
import numpy as np
import apsp
def graph_of(dtype, n=300):
    rng = np.random.default_rng(7)
    weights = rng.random(3 * n) if dtype == "float32" else rng.integers(1, 50, 3 * n)
    return apsp.from_edges(rng.integers(0, n, 3 * n), rng.integers(0, n, 3 * n), weights.astype(dtype), n=n)
"""

GRAPH = (
    FUNCTION
    + """
import hashlib, os, sys
import apsp.spmd
rank, size = int(os.environ["RANK"]), int(os.environ["WORLD_SIZE"])
assert "torch" not in sys.modules
def say(words):
    os.write(1, f"{words}\\n".encode())
"""
)

WHOLE = (
    GRAPH
    + """
for dtype in ("int32", "float32"):
    graph = graph_of(dtype)
    for semiring in ("min_plus", "max_min"):
        for options in ({}, {"block": 32}):
            result = apsp.spmd.solve(graph if rank == 0 else None, semiring=semiring, **options)
            assert (result is None) == (rank > 0)
            if rank > 0:
                continue
            expected = apsp.solve(graph, semiring=semiring, device="cpu").distances
            assert result.info["processes"] == size
            assert np.allclose(result.distances, expected, rtol=1e-5)
            assert dtype == "float32" or np.array_equal(result.distances, expected)
            if options:
                say("digest " + hashlib.sha256(result.distances.tobytes()).hexdigest())
for call, error in (
    (lambda: apsp.spmd.solve(None), apsp.RequestError),
    (lambda: apsp.spmd.solve(graph, block=0), apsp.RequestError),
    (lambda: apsp.spmd.solve(apsp.from_edges([0, 1], [1, 0], [1, -2])), apsp.NegativeCycleError),
    (lambda: apsp.spmd.reachable(graph, comm=3), apsp.RequestError),
):
    try:
        call()
    except error:
        say("raised")
assert apsp.spmd.plan(graph).distributed.processes == size
import torch.distributed
assert not torch.distributed.is_initialized() and "mpi4py" not in sys.modules
"""
)


def test_any_number_of_processes_computes_the_same_bits(started):
    digests = set()
    for processes in (1, 2, 4):
        code, said, errors = started(WHOLE, launcher="torchrun", processes=processes)
        assert code == 0, errors
        assert said.count("raised") == 4 * processes
        digests.add(tuple(line for line in said.splitlines() if line.startswith("digest")))
    (found,) = digests
    assert len(found) == 4


OWN = (
    GRAPH
    + """
import torch
from datetime import timedelta
from torch import distributed
if sys.argv[1] == "late":
    distributed.init_process_group("gloo", timeout=timedelta(seconds=2))
    if rank == 1:
        import time
        time.sleep(4)  # longer than the group of the program would wait
else:
    distributed.init_process_group(sys.argv[1])
graph = graph_of("int32")
expected = apsp.solve(graph, device="cpu").distances
for _ in range(2):
    result = apsp.spmd.solve(graph if rank == 0 else None, block=32)
    assert rank > 0 or np.array_equal(result.distances, expected)
pairs = [distributed.new_group([0, 2]), distributed.new_group([1, 3])] if size == 4 else [distributed.group.WORLD]
mine = pairs[rank % len(pairs)]
assert apsp.spmd.plan(graph).distributed.processes == size
result = apsp.spmd.solve(graph, comm=mine, block=32)
first = distributed.get_rank(mine) == 0
assert (result is not None) == first and (not first or np.array_equal(result.distances, expected))
assert not first or result.info["processes"] == 2
ones = torch.ones(1)
distributed.all_reduce(ones)
assert ones.item() == size
distributed.destroy_process_group()
say("done")
"""
)


@pytest.mark.parametrize(("backend", "processes"), [("gloo", 4), ("late", 2)])
def test_a_program_with_groups_of_its_own(started, backend, processes):
    code, said, errors = started(OWN, backend, launcher="torchrun", processes=processes)
    assert code == 0, errors
    assert said.count("done") == processes


DYING = (
    GRAPH
    + """
import signal
from apsp.methods.floyd_warshall.spmd.checkpoints import Checkpoints
write, reading = Checkpoints.write, Checkpoints.read
def dying(self, step):
    write(self, step)
    if step == 5 and rank == 1 and os.environ["TORCHELASTIC_RESTART_COUNT"] == "0":
        os.kill(os.getpid(), signal.SIGKILL)
def read(self, step):
    say(f"goes on from {step}")
    reading(self, step)
Checkpoints.write, Checkpoints.read = dying, read
apsp.spmd.reachable(graph_of("int32", 900), file=sys.argv[1], block=64, checkpoint_seconds=0)
"""
)


def test_torchrun_starts_the_processes_again(tmp_path, started):
    path = tmp_path / "bits.npy"
    code, said, errors = started(DYING, path, launcher="torchrun", processes=2, options=["--max-restarts", "1"])
    assert code == 0, errors
    assert said.count("goes on from") == 2
    space = {}
    exec(FUNCTION, space)
    assert np.load(path).tobytes() == apsp.reachable(space["graph_of"]("int32", 900)).bits.tobytes()


FAILING = (
    GRAPH
    + """
from apsp.methods.floyd_warshall.spmd.driver import Program
step = Program._step
def failing(self, number, due):
    if rank == size - 1 and number == 2:
        {what}
    step(self, number, due)
Program._step = failing
apsp.spmd.solve(graph_of("int32"), block=32)
say("not reached")
"""
)


@pytest.mark.parametrize(
    ("what", "words"),
    [
        ("raise ValueError('no more')", "ValueError: no more"),
        ("raise apsp.OutputError('no more')", ""),
        ("os._exit(7)", "exitcode  : 7 "),
        ("sys.exit(7)", "exitcode  : 7 "),
    ],
)
def test_a_process_that_fails_alone_ends_all(started, what, words):
    code, said, errors = started(FAILING.replace("{what}", what), launcher="torchrun", processes=3)
    assert code == 1
    assert words in errors
    assert "not reached" not in said


WAITING = (
    GRAPH
    + """
import time
from apsp.methods.floyd_warshall.spmd.driver import Program
step = Program._step
def slow(self, number, due):
    say("computes") if number == 1 else None
    time.sleep(600 if rank == 1 and number == 1 else 0)
    step(self, number, due)
Program._step = slow
apsp.spmd.solve(graph_of("int32"), block=32)
"""
)


def test_ctrl_c(tmp_path):
    pytest.importorskip("torch")
    program = tmp_path / "program.py"
    program.write_text(WAITING)
    command = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "2", program]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, start_new_session=True
    )
    try:
        assert process.stdout.readline() == "computes\n"
        assert process.stdout.readline() == "computes\n"
        os.killpg(process.pid, signal.SIGINT)  # as a terminal does
        assert process.wait(timeout=60) != 0
        process.communicate(timeout=20)  # all have closed the stream
    finally:
        with contextlib.suppress(ProcessLookupError):  # none is left
            os.killpg(process.pid, signal.SIGKILL)


TORCHRUN = {"MASTER_ADDR": "localhost", "MASTER_PORT": "1", "RANK": "3", "WORLD_SIZE": "4"}


@pytest.mark.parametrize(
    ("variables", "for_torch"),
    [
        ({}, False),
        ({"RANK": "3", "WORLD_SIZE": "4"}, False),
        (TORCHRUN, True),
        (TORCHRUN | {"PMI_RANK": "1", "PMI_SIZE": "2"}, False),
        (TORCHRUN | {"OMPI_COMM_WORLD_RANK": "1"}, False),
        (TORCHRUN | {"SLURM_PROCID": "1", "SLURM_STEP_NUM_TASKS": "2"}, True),  # srun starts torchrun
        (TORCHRUN | {"PMI_RANK": "1", "PMI_SIZE": "2", "TORCHELASTIC_RUN_ID": "none"}, True),
    ],
)
def test_which_launcher(monkeypatch, variables, for_torch):
    for name in list(os.environ):
        if name.startswith(("PMI", "OMPI", "SLURM", "PALS", "TORCHELASTIC")) or name in TORCHRUN:
            monkeypatch.delenv(name)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert is_for_torch() == for_torch
    if for_torch:
        assert (started_rank(), started_processes()) == (3, 4)
        assert apsp.spmd.plan(apsp.from_edges([0], [1], [4])).distributed.processes == 4


def test_without_torch(monkeypatch):
    for name, value in TORCHRUN.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("TORCHELASTIC_RUN_ID", "none")
    monkeypatch.setitem(sys.modules, "torch", None)
    graph = apsp.from_edges([0], [1], [4])
    for call in (apsp.spmd.solve, apsp.spmd.reachable):
        with pytest.raises(MissingDependencyError, match=r"torchrun has started needs torch: pip install torch"):
            call(graph)
        with pytest.raises(RequestError, match=r"mpi4py or a group of torch\.distributed, not 3"):
            call(graph, comm=3)
