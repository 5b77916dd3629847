"""apsp solve IN -o OUT.zarr, and what the other commands read."""

from __future__ import annotations

import signal
import subprocess
import sys
import time

import numpy as np
import pytest

import apsp
from apsp.graph.files import write
from apsp.graph.generate import generate

pytest.importorskip("zarr")


def test_a_store_is_written_and_read(run, tmp_path, roads):
    out = tmp_path / "roads.zarr"
    outcome = run("solve", roads, "-o", out, "--paths", "--verify")
    assert outcome.code == 0, outcome.err
    assert f"verified; wrote {out} (" in outcome.err
    result = apsp.load(out)
    assert result.distance(1, 4) == 6
    assert result.has_predecessors
    assert "1 -> 2 -> 3 -> 4" in run("path", out, "1", "4").out
    assert run("stats", out, "--json").json["diameter"] == 7
    assert run("solve", out, "-o", tmp_path / "again.npz").code == 0
    again = run("solve", roads, "-o", out, "--paths", "--json")
    assert again.json["rows_computed"] == 0
    assert again.json["output"] == str(out)
    assert again.json["graph"]["n"] == 5


def test_another_request_is_refused(run, tmp_path, roads):
    out = tmp_path / "roads.zarr"
    assert run("solve", roads, "-o", out).code == 0
    outcome = run("solve", roads, "-o", out, "--dtype", "int64")
    assert outcome.code == 4
    assert "it has --dtype uint16, this call --dtype int64. Name another store" in outcome.err


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--counts",), "--counts need an .npz file"),
        (("--path-counts",), "--path-counts and"),
        (("--semiring", "max_min"), "cannot be combined with --semiring"),
        (("--verify", "--targets", "1"), "cannot be combined with --targets"),
    ],
)
def test_options_that_a_store_cannot_have(run, tmp_path, roads, options, words):
    outcome = run("solve", roads, "-o", tmp_path / "roads.zarr", *options)
    assert outcome.code == 2
    assert words in outcome.err
    assert not (tmp_path / "roads.zarr").exists()


def test_processes_write_a_store(run, tmp_path, roads):
    out = tmp_path / "roads.zarr"
    outcome = run("solve", roads, "-o", out, "--executor", "processes", "--verify", "--json")
    assert outcome.code == 0, outcome.err
    assert outcome.json["rows_computed"] == 5
    assert apsp.load(out).distance(1, 4) == 6
    outcome = run("solve", roads, "-o", tmp_path / "roads.npz", "--executor", "processes")
    assert outcome.code == 2
    assert "--executor needs a store, which the processes write: -o OUT.zarr" in outcome.err


def test_urls_are_stores(run, roads):
    pytest.importorskip("obstore")
    outcome = run("solve", roads, "-o", "nowhere://bucket/roads")
    assert outcome.code == 4
    assert "store='nowhere://bucket/roads'" in outcome.err


CHILD = """
import sys
from apsp.api.stored import solving
from apsp.cli.main import main
solving.band_rows = lambda *_: 16
sys.exit(main(sys.argv[1:]))
"""


def test_ctrl_c_leaves_a_store_that_is_resumed(run, tmp_path):
    graph, out = tmp_path / "graph.gr", tmp_path / "out.zarr"
    write(generate("city", 800, seed=1), graph)
    process = subprocess.Popen(
        [sys.executable, "-c", CHILD, "solve", str(graph), "-o", str(out), "--method", "reference"],
        stderr=subprocess.PIPE, text=True, preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )  # fmt: skip
    while process.poll() is None and not list(out.glob("distances/c/*/0")):
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    _, words = process.communicate(timeout=20)
    assert process.returncode == 130
    assert "Traceback" not in words
    assert f"apsp: note: the same command computes what is missing in {out}\n" in words
    assert not [path for path in out.rglob("*") if path.name.endswith(".part") or path.parent.name == ".claims"]
    there = len(list(out.glob("distances/c/*/0")))
    assert 0 < there < 50
    outcome = run("solve", graph, "-o", out, "--json")
    assert outcome.json["rows_computed"] == 800 - 16 * there
    assert np.array_equal(np.asarray(apsp.load(out).distances), apsp.solve(apsp.read(graph)).distances)
