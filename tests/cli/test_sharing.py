"""--executor and --store of measures: the same tables to the last bit, resumed after an interruption."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import apsp
from apsp.graph.files import write
from apsp.graph.generate import generate
from stored import shards

pytest.importorskip("zarr")


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tree: one path per pair, so that all sums are whole numbers, in any order."""
    path = tmp_path_factory.mktemp("tree") / "tree.gr"
    rng = np.random.default_rng(1)
    parents = [int(rng.integers(0, k)) for k in range(1, 150)]
    write(apsp.from_edges(range(1, 150), parents, rng.integers(1, 9, 149), directed=False), path)
    return path


ACCESS = ("access", "IN", "--undirected", "--cutoffs", "10,25")
VERTICES = ("betweenness", "IN", "--undirected", "--sums")
NEAR = ("k-nearest", "IN", "--undirected", "-k", "7")
SKIM = ("skim", "IN", "--undirected", "--intrazonal", "half_nearest")
COMMANDS = {
    "access": ACCESS,
    "decay": ("access", "IN", "--undirected", "--decay", "exponential", "--beta", "0.1", "--sources", "9,3,40-70"),
    "vertices": VERTICES,
    "edges": (*VERTICES, "--edges", "--targets", "1-50"),
    "k-nearest": NEAR,
    "k-nearest of some": (*NEAR, "--sources", "9,3,40-70,3", "--cutoff", "20"),
    "skim": (*SKIM, "--sources", "9,3,40-70", "--targets", "1-20"),
}
QUICK = ("access", "vertices", "k-nearest of some", "skim")
"""One per command: the others differ in options that tests without processes cover."""
LAST = {"access": "sums", "betweenness": "arrived", "stats": "largest", "skim": "cost", "k-nearest": "distances"}
"""The array that completes a band."""


def filled(command: tuple[str, ...], graph: Path) -> list[str]:
    return [str(graph) if word == "IN" else word for word in command]


def completed(store: Path, command: tuple[str, ...]) -> dict[str, tuple[int, int]]:
    return shards(store, LAST[command[0]] + "/c/**/*")


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=() if name in QUICK else pytest.mark.slow) for name in COMMANDS]
)
def test_tables_are_the_same(run: Any, tree: Path, tmp_path: Path, name: str) -> None:
    command = filled(COMMANDS[name], tree)
    store = tmp_path / "parts.zarr"
    tables = []
    for k, sharing in enumerate(
        ([], ["--store", store], ["--store", store], ["--executor", "processes"],
         ["--executor", "processes", "--threads", "1", "--store", tmp_path / "other.zarr"]),
    ):  # fmt: skip
        table = tmp_path / f"{k}.csv"
        outcome = run(*command, "-o", table, *sharing)
        assert outcome.code == 0, outcome.err
        kept = f", kept in {sharing[-1]}" if "--store" in sharing else ""
        assert outcome.err.endswith(f"{kept}, written to {table}\n")
        assert ("kept in" in outcome.err) == bool(kept)
        tables.append(table.read_bytes())
    assert len(tables[0].splitlines()) > 30
    assert all(table == tables[0] for table in tables)
    assert completed(store, COMMANDS[name])
    assert run(*command, "--store", store, "--json").json["store"] == str(store)


@pytest.mark.slow
@pytest.mark.parametrize("some", [(), ("--sources", "3-60", "--cutoff", "20")])
def test_statistics_are_the_same(run: Any, tree: Path, tmp_path: Path, some: tuple[str, ...]) -> None:
    store = tmp_path / "parts.zarr"
    command = ("stats", tree, "--undirected", *some, "--json")
    expected = run(*command).json
    assert expected.pop("store") is None
    for sharing in (("--store", store), ("--store", store), ("--executor", "processes")):
        found = run(*command, *sharing).json
        assert found.pop("store") == (str(store) if "--store" in sharing else None)
        assert found == expected
    assert completed(store, command)
    assert "average distance" in run(*command[:-1], "--executor", "processes").out


def test_statistics_of_a_store_are_all(run: Any, tree: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """However long they are estimated to take."""
    monkeypatch.setattr("apsp.cli.cheap_stats.CHEAP", -1.0)
    assert "not computed" in run("stats", tree).out
    assert "average distance" in run("stats", tree, "--store", tmp_path / "parts.zarr").out


CHILD = """
import sys, time
from functools import partial
from apsp.running import measure_job
from apsp.running import in_store
from apsp.running.storing.bands import ReducedBands
from apsp.cli.main import main
from apsp.methods.flows import cost

compute = ReducedBands.compute
def slowly(self, *arguments):
    time.sleep(0.05)
    return compute(self, *arguments)
ReducedBands.compute = slowly
in_store.rows_of_band = partial(in_store.rows_of_band, limits=in_store.BandLimits(seconds=0.0, least_rows=16))
measure_job.band_rows = lambda *_: 16
cost._SECONDS = cost._TIMES_FACTOR = 0.0
cost._BYTES_PER_SECOND, cost._MOST_BLOCKS, cost.LANES = 1e99, 1000, 16
sys.exit(main(sys.argv[1:]))
"""


@pytest.mark.few(1)
@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGKILL])
@pytest.mark.parametrize(
    "command",
    [
        ACCESS,
        SKIM,
        *(
            pytest.param(each, marks=pytest.mark.slow)
            for each in (VERTICES, (*VERTICES, "--edges"), ("stats", "IN"), NEAR)
        ),
    ],
)
def test_an_interrupted_command_goes_on(
    run: Any, tmp_path: Path, command: tuple[str, ...], sent: signal.Signals
) -> None:
    graph, store, table = tmp_path / "graph.gr", tmp_path / "parts.zarr", tmp_path / "table.csv"
    write(generate("city", 600, seed=1), graph)
    words = filled(command, graph)
    output = [] if command[0] == "stats" else ["-o", str(table)]
    child = [sys.executable, "-c", CHILD, *words]
    process = subprocess.Popen(
        [*child, *output, "--store", str(store)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )  # fmt: skip
    while process.poll() is None and len(completed(store, command)) < 3:
        time.sleep(0.01)
    os.kill(process.pid, sent)
    _, told = process.communicate(timeout=20)
    assert process.returncode == (130 if sent == signal.SIGINT else -signal.SIGKILL), told
    assert "Traceback" not in told
    assert not table.exists()
    before = completed(store, command)
    assert 3 <= len(before) < 38
    outcome = run(*words, *output, "--store", store, "--json")  # bands of the size that the store has
    assert outcome.code == 0, outcome.err
    assert before.items() <= completed(store, command).items()
    assert len(completed(store, command)) == 38
    alone, of_alone = tmp_path / "alone.zarr", tmp_path / "alone.csv"
    subprocess.run(
        [*child, *([*output[:-1], of_alone] if output else []), "--store", alone], capture_output=True, check=True
    )
    if output:
        assert table.read_bytes() == of_alone.read_bytes()  # to the last bit
    else:
        assert run(*words, "--store", alone, "--json").json | {"store": str(store)} == outcome.json


def test_values_are_those_of_other_ways(run: Any, city: Path, tmp_path: Path) -> None:
    """Against one pass, of a graph with several shortest paths per pair."""
    graph = apsp.read(city).unweighted()
    table = tmp_path / "table.csv"
    assert run("betweenness", city, "--hops", "--store", tmp_path / "parts.zarr", "-o", table).code == 0
    found = np.loadtxt(table, delimiter=",", skiprows=1)[:, 1]
    assert np.allclose(found, apsp.betweenness_centrality(graph), rtol=1e-12)
    outcome = run("betweenness", city, "--approximate", "40", "--seed", "1", "--executor", "processes", "--json")
    expected = apsp.approximate_betweenness_centrality(apsp.read(city), 40, seed=1)
    assert outcome.json["top"][0][1] == pytest.approx(expected.values.max(), rel=1e-12)


def test_errors(run: Any, roads: Path, tmp_path: Path) -> None:
    store = tmp_path / "parts.zarr"
    near = ["k-nearest", roads, "-k", "3"]
    for words in (["access", roads, "--cutoffs", "3"], ["betweenness", roads], ["stats", roads], ["skim", roads], near):
        for name in ("parts", "parts.npz", "parts.zarr.zip", "."):
            outcome = run(*words, "--store", name)
            assert outcome.code == 2
            assert f"'{name}' is not the name of a store: name a folder FOLDER.zarr, or a URL such" in outcome.err
        assert run(*words, "--executor", "dask").code == 2
    assert run("access", roads, "--cutoffs", "3", "--store", store).code == 0
    outcome = run("access", roads, "--cutoffs", "4", "--store", store)
    assert outcome.code == 4
    assert "it has cutoffs=['3.0'], this call cutoffs=['4.0']" in outcome.err
    outcome = run("betweenness", roads, "--store", store)
    assert outcome.code == 4
    assert "holds parts of accessibility: name another store" in outcome.err
    outcome = run("skim", roads, "--store", store)
    assert outcome.code == 4
    assert "holds parts of accessibility: name another store" in outcome.err
    nearest = tmp_path / "near.zarr"
    assert run(*near, "--store", nearest).code == 0
    outcome = run(*near[:-1], "4", "--store", nearest)
    assert outcome.code == 4
    assert "it has -k 3, this call -k 4" in outcome.err
    skims = tmp_path / "skims.zarr"
    assert run("skim", roads, "--store", skims).code == 0
    for words in (["path", skims, "1", "2"], ["stats", skims]):
        outcome = run(*words)
        assert outcome.code == 4
        assert "holds skims, not distances: apsp.load(...) of Python" in outcome.err
    outcome = run("access", roads, "--cutoffs", "3", "--competition", "people", "--store", tmp_path / "other.zarr")
    assert outcome.code == 4
    assert "a store resumes one: leave out --store" in outcome.err
    outcome = run("betweenness", roads, "--approximate", "3", "--store", tmp_path / "other.zarr")
    assert outcome.code == 4
    assert "--approximate with --store needs --seed" in outcome.err
    words = ("betweenness", roads, "--approximate", "3", "--seed", "1", "--store", tmp_path / "sample.zarr")
    assert [run(*words).code for _ in range(2)] == [0, 0]
    assert run("stats", roads, "--store", tmp_path / "missing" / "other.zarr").code == 6
    assert not (tmp_path / "other.zarr").exists()


def test_results_and_oracles_have_their_distances(run: Any, roads: Path, tmp_path: Path) -> None:
    result, oracle = tmp_path / "result.npz", tmp_path / "oracle.npz"
    assert run("solve", roads, "-o", result).code == 0
    apsp.prepare(apsp.read(roads)).save(oracle)
    for source in (result, oracle):
        for sharing in (("--store", tmp_path / "parts.zarr"), ("--executor", "processes")):
            outcome = run("stats", source, *sharing)
            assert outcome.code == 4
            assert "has its distances: leave out --executor and --store" in outcome.err
