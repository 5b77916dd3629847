"""plan, generate, convert, info and tune."""

from __future__ import annotations

import numpy as np
import pytest

from apsp import generate, solve
from apsp.gpu import jit
from apsp.graph.files import read
from apsp.methods.registry import CLOSURES, METHODS
from fake_cupy import FakeCuda, FakeGpu


def test_plan(run, roads):
    outcome = run("plan", roads)
    assert outcome.code == 0
    assert "Method: " in outcome.out
    facts = run("plan", roads, "--json", "--method", "dijkstra", "--paths").json
    assert facts["plan"]["method"] == "dijkstra"
    assert facts["graph"]["m"] == 6
    assert run("plan", roads, "--method", "nope").code == 4
    for purpose in ("stream", "summary"):
        assert run("plan", roads, "--json", "--for", purpose).json["plan"]["purpose"] == purpose
    assert run("plan", roads, "--for", "store").code == 2
    assert "plan with --for stream" in run("plan", roads, "--for", "summary", "--paths").err


def test_a_plan_of_what_does_not_fit_is_that_of_blocks_of_rows(run, tmp_path):
    ring = tmp_path / "ring.npz"
    assert run("generate", "ring", "-n", 2 * 10**6, "--weights", "none", "-o", ring).code == 0
    outcome = run("plan", ring)
    assert outcome.code == 0, outcome.err
    words = " ".join(outcome.out.split())
    assert "2,000,000 x 2,000,000 distances in int32 by " in words
    assert "What would fit: -o OUT.npy or OUT.csv, in blocks of" in words
    assert "; -o OUT.zarr, a store on a disk; --sources with at most" in words
    assert "In blocks of rows: " in words
    assert "apsp." not in words.partition("In blocks")[0]
    facts = run("plan", ring, "--json").json
    assert facts["plan"]["purpose"] == "stream"
    assert "-o OUT.zarr" in facts["too_large"]
    refused = run("plan", ring, "--method", "floyd-warshall")
    assert refused.code == 4
    assert "by floyd-warshall needs" in refused.err


@pytest.mark.parametrize("arguments", ["city -n 60", "country -n 90", "grid --shape 3x4", "random -n 9 -m 20"])
def test_generate(run, tmp_path, arguments):
    out = tmp_path / "made.npz"
    facts = run("generate", *arguments.split(), "-o", out, "--seed", "2", "--json").json
    assert facts["graph"]["n"] == read(out).n
    assert facts["left_out"] == []


@pytest.mark.parametrize("kind", ["city", "country"])
def test_generate_turns(run, tmp_path, kind):
    out, turned = tmp_path / "made.npz", generate(kind, 90, seed=2, turns=True)
    facts = run("generate", kind, "-n", 90, "--turns", "-o", out, "--seed", "2", "--json").json
    assert facts["graph"]["turns"] is True
    assert read(out, turns=True) == turned
    assert run("solve", out, "--turns", "-o", tmp_path / "d.npy").code == 0
    assert (np.load(tmp_path / "d.npy") == solve(turned).distances).all()
    outcome = run("solve", out, "-o", tmp_path / "d.npy")
    assert (outcome.code, "made.npz has turns, which are not read" in outcome.err) == (0, True)
    assert (np.load(tmp_path / "d.npy") == solve(turned.graph).distances).all()
    assert run("convert", out, "--turns", tmp_path / "other.npz").code == 0
    assert read(tmp_path / "other.npz", turns=True) == turned


@pytest.mark.parametrize("name", ["made.npz", "made.parquet"])
@pytest.mark.parametrize("kind", ["city", "country"])
def test_generate_periods(run, tmp_path, kind, name):
    out, day = tmp_path / name, generate(kind, 90, seed=2, periods=[3, 8])
    facts = run("generate", kind, "-n", 90, "--periods", "3,8", "-o", out, "--seed", "2", "--json").json
    assert facts["costs"] == ["hour_3", "hour_8"]
    found = read(out).with_periods({3: "hour_3", 8: "hour_8"})
    for hour, graph in day.items():
        assert found[hour].weights.dtype == graph.weights.dtype
        assert (found[hour].weights == graph.weights).all()
        assert (found[hour].indices == graph.indices).all()
        assert run("solve", out, "--cost", f"hour_{hour}", "-o", tmp_path / "d.npy").code == 0
        assert (np.load(tmp_path / "d.npy") == solve(graph).distances).all()
    assert (found[8].weights != found[3].weights).any()
    assert (read(out).weights == day.base.weights).all()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--turns", "-o", "x.gr"), "x.gr: this format does not keep turns; end the name in .npz"),
        (("--turns", "-o", "x.npy"), "x.npy: this format does not keep turns; end the name in .npz"),
        (("--periods", "8", "-o", "x.csv"), "x.csv: this format does not keep costs; end the name in .parquet or"),
        (("--periods", "8.5", "-o", "x.npz"), "each of periods must be a whole number from 0 to 23, not 8.5"),
        (("--periods", "8,8", "-o", "x.npz"), "an hour is given twice"),
        (("--periods", "am", "-o", "x.npz"), "'am' cannot be read; write it as in --periods 3,8,17"),
        (("--periods", "8", "--turns", "-o", "x.npz"), "turns and periods exclude each other"),
        (("--periods", "8", "--weights", "1,9", "-o", "x.npz"), "periods change the travel times: leave out weights"),
    ],
)
def test_generate_refuses_what_files_do_not_keep(run, tmp_path, monkeypatch, options, message):
    monkeypatch.chdir(tmp_path)
    outcome = run("generate", "city", "-n", 90, *options)
    assert (outcome.code, message in outcome.err) == (4, True)
    assert list(tmp_path.iterdir()) == []
    assert "only city and country have them" in run("generate", "ring", "-n", 9, "--turns", "-o", "x.npz").err


def test_generate_weights(run, tmp_path):
    out = tmp_path / "made.npz"
    assert run("generate", "ring", "-n", "5", "-o", out, "--weights", "2,2").code == 0
    assert set(read(out).weights.tolist()) == {2}
    assert run("generate", "ring", "-n", "5", "-o", out, "--weights", "none").code == 0
    assert read(out).weights is None


def test_generate_errors(run, tmp_path):
    assert "there are city, complete" in run("generate", "foo", "-n", "5", "-o", tmp_path / "x.gr").err
    assert run("generate", "ring", "-o", tmp_path / "x.gr").code == 2
    assert run("generate", "ring", "-n", "5", "-o", tmp_path / "x.gr", "--weights", "a,b").code == 4
    assert run("generate", "ring", "-n", "5", "-o", tmp_path / "no" / "x.gr").code == 6
    assert run("generate", "ring", "-n", "5", "-o", tmp_path / "x.unknown").code == 4


def test_convert(run, tmp_path, roads, city):
    out = tmp_path / "roads.mtx.gz"
    assert run("convert", roads, out).code == 0
    assert read(out).m == 6
    facts = run("convert", city, tmp_path / "city.mtx", "--json").json
    assert facts["left_out"] == ["coordinates"]


def test_convert_takes_the_graph_out_of_a_result(run, tmp_path, roads):
    assert run("solve", roads, "-o", tmp_path / "r.npz", "-q").code == 0
    assert run("convert", tmp_path / "r.npz", tmp_path / "again.gr").code == 0
    assert read(tmp_path / "again.gr").m == 6


def test_info(run):
    outcome = run("info")
    assert outcome.code == 0
    for name in METHODS:
        assert name in outcome.out
    facts = run("info", "--json").json
    assert facts["machine"]["cores"] >= 1
    assert len(facts["methods"]) == len(METHODS)
    assert "tuned.json" in facts["constants"]


def test_info_says_where_methods_run(run):
    lines = run("info").out.splitlines()
    where = {
        line.split()[0]: lines[k + 2].strip() for k, line in enumerate(lines) if line.split()[:1] and
        line.split()[0] in {*METHODS, *CLOSURES}
    }  # fmt: skip
    assert where["dijkstra"] == "runs on: cpu"
    assert where["floyd-warshall"].startswith("runs on: cpu, cuda")
    assert where["okuyama"] == "runs on: cuda, emulated"
    assert where["katz-kider-closure"] == "runs on: cuda, emulated"
    assert "(--device emulated)" in " ".join(" ".join(lines).split())
    facts = run("info", "--json").json
    assert {method["name"] for method in facts["methods"] if "emulated" in method["devices"]} >= {"okuyama", "lab-fw"}
    assert {each["name"]: each["devices"] for each in facts["closures"]} == {
        "strong-components": ["cpu", "cuda"], "warshall": ["cpu", "cuda"], "katz-kider-closure": ["cuda", "emulated"],
    }  # fmt: skip


def test_tune_reports_what_was_measured(run, tmp_path, monkeypatch):
    from apsp.cli import tune

    monkeypatch.setattr(tune, "tune", lambda report: {"path": "there", "seconds": 1.0, "values": {}, "gpus": ["H"]})
    outcome = run("tune", "--json")
    assert outcome.json["path"] == "there"
    assert "on H in 1 s; wrote there" in outcome.err


def test_tune_compiles_kernels(run, monkeypatch):
    from apsp.cli import compiling

    monkeypatch.setenv("CUPY_CACHE_DIR", "/a/folder")
    monkeypatch.setattr(compiling, "compile_kernels", lambda report: 7)
    outcome = run("tune", "--compile", "--json")
    assert outcome.json["calls"] == 7
    assert outcome.json["path"] == "/a/folder"
    assert "kernels of 7 calls are in /a/folder, after" in outcome.err


def test_tune_compiles_nothing_without_a_gpu(run, monkeypatch):
    monkeypatch.setattr(jit, "why_no_gpu", lambda: "there is no GPU here")
    outcome = run("tune", "--compile")
    assert outcome.code == 4, outcome.err
    assert "there is no GPU here" in outcome.err


def test_info_about_gpus(run, monkeypatch):
    FakeCuda([FakeGpu(), FakeGpu("Tesla P100", (6, 0))], driver=13010).install(monkeypatch)
    words = " ".join(run("info").out.split())
    assert "CUDA 13.1; CuPy uses CUDA 13.0" in words
    assert "NVIDIA H200, 138.0 GiB free of 140.0 GiB, compute capability 9.0, 132 multiprocessors" in words
    assert "reaches the memory of GPU 1" in words
    assert "Tesla P100" in words
    assert "at least 7.0 is needed" in words
    facts = run("info", "--json").json["machine"]
    assert facts["gpus"][0]["capability"] == [9, 0]
    assert facts["cuda"]["runtime"] == "13.0"
