"""apsp solve --spmd, in processes that mpiexec or torchrun starts."""

import json
import os
import subprocess
import sys
import time

import numpy as np
import pytest

import apsp
from apsp.cli.main import main
from apsp.system.array_device import to_host

COMMAND = "import sys\nfrom apsp.cli.main import main\nsys.exit(main(sys.argv[1:]))\n"


@pytest.fixture(name="graph")
def graph_fixture(tmp_path):
    graph = apsp.generate("random", 200, m=600, weights=(1, 50), seed=5)
    apsp.write(graph, tmp_path / "graph.gr")
    return graph


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("out.zarr", ["--paths", "--verify"]),
        pytest.param("out.npz", [], marks=pytest.mark.slow),
        pytest.param("out.npy", ["--dtype", "int32"], marks=pytest.mark.slow),
    ],
)
@pytest.mark.parametrize("launcher", ["mpiexec", "torchrun"])
def test_outputs(tmp_path, started, launcher, graph, name, options):
    pytest.importorskip("zarr")
    out = tmp_path / name
    arguments = ["solve", tmp_path / "graph.gr", "--spmd", "-o", out, *options, "--json"]
    code, said, errors = started(COMMAND, *arguments, launcher=launcher)
    assert code == 0, errors
    facts = json.loads(said)  # of one process
    assert facts["processes"] == 3
    assert errors.count("200 vertices") == 1
    assert errors.count("3 processes: 200 x 200") == 1
    found = np.load(out) if name.endswith("npy") else to_host(apsp.load(out).distances)
    assert np.array_equal(found, apsp.solve(graph).distances)
    assert not name.endswith("zarr") or apsp.load(out).has_predecessors


FAILING = """
import sys
from apsp.cli.main import main
from apsp.methods.floyd_warshall.spmd.driver import Program
from apsp.system.engine.launcher import started_rank
step = Program._step
def failing(self, number, due):
    if started_rank() == 1 and number == 1:
        raise {error}("no more")
    step(self, number, due)
Program._step = failing
sys.exit(main(sys.argv[1:]))
"""


@pytest.mark.parametrize("launcher", ["mpiexec", "torchrun"])
@pytest.mark.parametrize(
    ("text", "arguments", "code", "words"),
    [
        (COMMAND, ["nothing.gr", "-o", "out.zarr"], 3, "nothing.gr: the file does not exist"),
        pytest.param(COMMAND, ["graph.gr", "-o", "none/out.zarr"], 6, "the folder", marks=pytest.mark.slow),
        pytest.param(
            COMMAND, ["graph.gr", "-o", "out.npz", "--paths"], 2, "paths need a store", marks=pytest.mark.slow
        ),
        pytest.param(COMMAND, ["graph.gr", "-o", "out.npz", "--strange"], 2, "no such option", marks=pytest.mark.slow),
        pytest.param(COMMAND, ["cycle.gr", "-o", "out.npz"], 5, "negative", marks=pytest.mark.slow),
        pytest.param(
            FAILING.format(error="ValueError"),
            ["graph.gr", "-o", "out.zarr"],
            1,
            "ValueError: no more",
            marks=pytest.mark.slow,
        ),
        (FAILING.format(error="MemoryError"), ["graph.gr", "-o", "out.zarr"], 1, "MemoryError: no more"),
    ],
)
def test_errors_end_all_with_one_message(tmp_path, started, graph, launcher, text, arguments, code, words):
    apsp.write(apsp.from_edges([0, 1], [1, 0], [1, -2]), tmp_path / "cycle.gr")
    paths = [tmp_path / each if "." in each else each for each in arguments]
    found, said, errors = started(text, "solve", *paths, "--spmd", module=False, launcher=launcher)
    assert found == (code if launcher == "mpiexec" else 1)
    assert launcher == "mpiexec" or f"exitcode  : {code} " in errors
    assert said == "" or "BAD TERMINATION" in said
    assert errors.count(words) == 1, errors


LATE = """
import pathlib, sys, time
from apsp.cli.main import main
from apsp.system.engine.launcher import started_rank
begun = pathlib.Path("begun")
if started_rank() > 0:
    begun.touch()
while not begun.exists():
    time.sleep(0.01)
time.sleep(0.5 if started_rank() == 0 else 0)
sys.exit(main(sys.argv[1:]))
"""


def test_a_process_that_starts_late_can_say_what_is_wrong(tmp_path):
    """As torchrun and Open MPI do: when one process has failed, all are ended."""
    command = [sys.executable, "-c", LATE, "solve", "graph.gr", "--spmd", "-o", "out.npz", "--strange"]
    variables = {"TORCHELASTIC_RUN_ID": "none", "WORLD_SIZE": "2"}
    processes = [
        subprocess.Popen(
            command, env={**os.environ, **variables, "RANK": rank}, stderr=subprocess.PIPE, text=True, cwd=tmp_path
        )
        for rank in "01"
    ]
    while all(each.poll() is None for each in processes):
        time.sleep(0.01)
    for each in processes:
        each.terminate()
    first, second = (each.communicate(timeout=60)[1] for each in processes)
    assert first.count("no such option") == 1
    assert second == ""
    assert processes[0].returncode == 2


def test_options_that_are_refused(capsys):
    for options in (["--sources", "1"], ["--method", "dijkstra"], ["--counts"], ["--cutoff", "3"]):
        assert main(["solve", "graph.gr", "-o", "out.npz", "--spmd", *options]) == 2
        assert "cannot be combined with" in capsys.readouterr().err
    assert main(["solve", "graph.gr", "--checkpoint", "folder"]) == 2
    assert "--checkpoint needs --spmd" in capsys.readouterr().err


def test_processes_that_mpi_does_not_connect(monkeypatch, tmp_path, graph):
    pytest.importorskip("mpi4py")
    monkeypatch.setenv("WORLD_SIZE", "4")
    for rank, expected in (("0", 1), ("3", 0)):
        monkeypatch.setenv("RANK", rank)
        command = [sys.executable, "-m", "apsp", "solve", tmp_path / "graph.gr", "--spmd", "-o", tmp_path / "out.zarr"]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
        assert done.returncode == 4
        assert done.stderr.count("4 processes were started, but MPI does not connect them") == expected
