"""apsp solve: what it writes, and what it says."""

from __future__ import annotations

import csv
import io
import sys
from dataclasses import replace

import numpy as np
import pytest

import apsp
from apsp.errors import MemoryLimitError
from apsp.graph.files import read
from apsp.methods.registry import METHODS
from apsp.planning import planner


def test_npz_holds_everything(run, tmp_path, roads):
    out = tmp_path / "roads.npz"
    outcome = run("solve", roads, "-o", out)
    assert outcome.code == 0
    assert outcome.out == ""
    assert "5 x 5" in outcome.err
    result = apsp.load(out)
    assert result.distance(1, 4) == 6
    assert result.path(1, 4) == [1, 2, 3, 4]
    assert result.has_predecessors


def test_numbers_of_paths_are_stored_on_request(run, tmp_path, roads):
    out = tmp_path / "roads.npz"
    assert run("solve", roads, "-o", out, "--path-counts").code == 0
    assert apsp.load(out).count(1, 4) == 1
    assert run("solve", roads, "-o", out).code == 0
    assert not apsp.load(out).has_counts
    for wrong in (("-o", tmp_path / "roads.npy"), ("-o", out, "--counts")):
        assert "--path-counts needs an .npz file" in run("solve", roads, *wrong, "--path-counts").err


def test_default_output_is_beside_us_not_beside_the_input(run, tmp_path, roads, monkeypatch):
    folder = tmp_path / "work"
    folder.mkdir()
    monkeypatch.chdir(folder)
    assert run("solve", roads).code == 0
    assert apsp.load(folder / "roads.npz").distance(1, 4) == 6
    assert run("solve", roads).code == 0  # our own result may be replaced
    (folder / "roads.npz").write_text("precious")
    outcome = run("solve", roads)
    assert outcome.code == 6
    assert (folder / "roads.npz").read_text() == "precious"


def test_json_is_one_object(run, tmp_path, roads):
    facts = run("solve", roads, "-o", tmp_path / "r.npz", "--json", "--no-paths").json
    assert (facts["rows"], facts["columns"], facts["paths"]) == (5, 5, False)
    assert facts["graph"]["n"] == 5
    assert facts["bytes"] == (tmp_path / "r.npz").stat().st_size
    assert facts["method"] in METHODS


def test_options_reach_the_solver(run, tmp_path, roads):
    out = tmp_path / "r.npz"
    facts = run(
        "solve", roads, "-o", out, "--sources", "1,4", "--targets", "3,4", "--cutoff", "5", "--dtype", "float64",
        "--method", "dijkstra", "--threads", "1", "--no-progress", "--json",
    ).json  # fmt: skip
    assert (facts["dtype"], facts["method"], facts["threads"]) == ("float64", "dijkstra", 1)
    result = apsp.load(out)
    assert result.distances.tolist() == [[3, float("inf")], [4, 0]]
    assert result.cutoff == 5


def test_reading_options(run, tmp_path, roads):
    out = tmp_path / "r.npz"
    assert run("solve", roads, "-o", out, "--hops", "--undirected").code == 0
    assert apsp.load(out).distance(5, 4) == 2


def test_sources_from_a_file(run, tmp_path, roads):
    (tmp_path / "list").write_text("4\n1\n")
    out = tmp_path / "r.npy"
    assert run("solve", roads, "-o", out, "--sources", f"@{tmp_path / 'list'}").code == 0
    assert np.load(out)[:, 3].tolist() == [0, 6]


def test_verify(run, tmp_path, roads):
    for ending in (".npz", ".npy", ".csv"):
        outcome = run("solve", roads, "-o", tmp_path / f"r{ending}", "--verify", "--json")
        assert outcome.json["verified"] is True


def test_npy_is_the_matrix(run, tmp_path, roads):
    out = tmp_path / "r.npy"
    assert run("solve", roads, "-o", out).code == 0
    assert np.array_equal(np.load(out), apsp.solve(read(roads)).distances)


def test_csv_is_the_long_form(run, tmp_path, roads):
    out = tmp_path / "r.csv"
    assert run("solve", roads, "-o", out).code == 0
    rows = list(csv.reader(io.StringIO(out.read_text())))
    assert rows[0] == ["source", "target", "distance"]
    assert ["1", "4", "6"] in rows
    assert not [row for row in rows[1:] if row[1] == "5" and row[0] != "5"]


@pytest.fixture
def in_blocks(monkeypatch):
    """No matrix fits in memory; a block is one row."""

    def refuse(*_: object, **__: object) -> None:
        raise MemoryLimitError("everything", 2, 1, ["less"])

    def stream(*arguments: object, **options: object) -> object:
        return streamed(*arguments, **options, rows=1)

    streamed = apsp.api.stream
    monkeypatch.setattr(apsp.api, "solve", refuse)
    monkeypatch.setattr(apsp.api, "stream", stream)


@pytest.mark.parametrize("ending", [".npy", ".csv"])
@pytest.mark.parametrize("options", [(), ("--cutoff", "3"), ("--sources", "4,1,4")])
def test_what_does_not_fit_is_written_in_blocks(run, tmp_path, roads, request, ending, options):
    assert run("solve", roads, "-o", tmp_path / f"whole{ending}", *options).code == 0
    request.getfixturevalue("in_blocks")
    outcome = run("solve", roads, "-o", tmp_path / f"blocks{ending}", "--verify", *options)
    assert outcome.code == 0, outcome.err
    assert "blocks of rows" in outcome.err
    assert (tmp_path / f"blocks{ending}").read_bytes() == (tmp_path / f"whole{ending}").read_bytes()


@pytest.mark.usefixtures("in_blocks")
def test_blocks_are_verified(run, tmp_path, roads, monkeypatch):
    blocks = apsp.api.stream

    def wrong(*arguments: object, **options: object) -> object:
        for block in blocks(*arguments, **options):
            block.distances[0, 0] = 1
            yield block

    monkeypatch.setattr(apsp.api, "stream", wrong)
    outcome = run("solve", roads, "-o", tmp_path / "r.npy", "--verify")
    assert outcome.code != 0
    assert "the distance from" in outcome.err
    assert not (tmp_path / "r.npy").exists()


@pytest.mark.usefixtures("in_blocks")
def test_the_rounding_that_is_allowed_is_that_of_all_blocks(run, tmp_path):
    """A cycle counts as zero because of a long arc that only another source reaches; no source reaches 4 -> 4."""
    eps = float(np.finfo(np.float64).eps)
    graph = apsp.from_edges([0, 1, 2, 3, 4], [1, 0, 3, 5, 4], [1.0, -1.0 - 20 * eps, 500.0, 1.0, -1.0], n=6)
    apsp.write(graph, tmp_path / "rounded.npz")
    outcome = run("solve", tmp_path / "rounded.npz", "--sources", "0,2", "--verify", "-o", tmp_path / "r.npy")
    assert outcome.code == 0, outcome.err


@pytest.mark.usefixtures("in_blocks")
def test_blocks_with_a_cutoff_and_negative_arcs_cannot_be_verified(run, tmp_path):
    apsp.write(apsp.from_edges([0, 1], [1, 2], [3, -1], n=3), tmp_path / "g.npz")
    outcome = run("solve", tmp_path / "g.npz", "--cutoff", "2", "--verify", "-o", tmp_path / "r.npy")
    assert outcome.code != 0
    assert "cannot check a result with a cutoff" in outcome.err
    assert not (tmp_path / "r.npy").exists()


def test_no_room_for_predecessors_is_said(run, tmp_path, roads, monkeypatch):
    plan = apsp.api.plan

    def tight(*arguments: object, **options: object) -> object:
        if options.get("paths"):
            raise MemoryLimitError("predecessors", 2, 1, ["without"])
        return plan(*arguments, **options)

    monkeypatch.setattr(apsp.api, "plan", tight)
    outcome = run("solve", roads, "-o", tmp_path / "r.npz")
    assert outcome.code == 0
    assert "predecessors do not fit" in outcome.err
    assert not apsp.load(tmp_path / "r.npz").has_predecessors


@pytest.mark.parametrize("blockwise", [False, True])
@pytest.mark.parametrize("ending", [".npz", ".npy", ".csv"])
def test_full_disk_is_seen_before_the_work(run, tmp_path, roads, monkeypatch, ending, blockwise):
    from apsp.system import replacing

    class Usage:
        free = 10

    def refuse(*_, **__):
        raise MemoryLimitError("the matrix", 100, 10, ["less"])

    monkeypatch.setattr(replacing.shutil, "disk_usage", lambda _: Usage)
    for name in ("solve", "stream"):
        monkeypatch.setattr(apsp.api, name, lambda *_, **__: pytest.fail("worked first"))
    if blockwise:
        monkeypatch.setattr(apsp.api, "plan", refuse)
    outcome = run("solve", roads, "-o", tmp_path / f"r{ending}")
    if blockwise and ending == ".npz":
        assert outcome.code == 4
        return
    assert outcome.code == 6
    needed = {".npz": "", ".npy": "needs 50 B", ".csv": "needs 102 B"}[ending]  # 17 pairs have a path, surely
    assert needed in outcome.err
    assert "its disk has 10 B left: " in outcome.err
    assert "choose --sources, or write to another disk" in outcome.err
    assert set(tmp_path.iterdir()) == {roads}


def test_standard_input(run, tmp_path, roads, monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(roads.read_bytes())))
    assert run("solve", "-", "-o", tmp_path / "r.npz").code == 0
    assert apsp.load(tmp_path / "r.npz").distance(1, 4) == 6


def test_how_a_file_was_understood_is_said(run, tmp_path, monkeypatch):
    text = "4\n1 2 5\n2 3 6\n"
    (tmp_path / "g.txt").write_text(text)
    note = "apsp: note: the first line was taken as the number of vertices, 4\n"
    assert note in run("solve", tmp_path / "g.txt", "-o", tmp_path / "r.csv").err
    assert run("solve", tmp_path / "g.txt", "-o", tmp_path / "r.csv", "-q").err == ""
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    assert note in run("solve", "-", "-o", tmp_path / "r.csv").err


def test_quiet_says_nothing(run, tmp_path, roads):
    outcome = run("solve", roads, "-o", tmp_path / "r.npz", "-q")
    assert (outcome.out, outcome.err) == ("", "")


@pytest.fixture
def no_gpu(monkeypatch):
    monkeypatch.setattr(planner, "with_gpus", lambda machine: replace(machine, no_gpu="none is plugged in"))


def test_without_a_gpu_the_kernels_are_emulated_and_that_is_said(run, tmp_path, roads, no_gpu):
    out = tmp_path / "r.npz"
    outcome = run("solve", roads, "-o", out, "--method", "okuyama")
    assert outcome.code == 0
    assert outcome.out == ""
    assert "apsp: note: No GPU was found: the kernels are emulated on the CPU." in outcome.err
    assert "by okuyama on the emulated GPU in" in outcome.err
    assert apsp.load(out).path(1, 4) == [1, 2, 3, 4]
    facts = run("solve", roads, "-o", out, "--method", "okuyama", "--json").json
    assert (facts["device"], facts["gpus"]) == ("emulated", [0])
    assert facts["note"] == "No GPU was found: the kernels are emulated on the CPU."


def test_an_emulated_gpu_that_was_named(run, tmp_path, roads):
    out = tmp_path / "r.npy"
    outcome = run("solve", roads, "-o", out, "--method", "katz-kider", "--device", "emulated:0,1")
    assert "by katz-kider on the emulated GPUs 0, 1 in" in outcome.err
    assert "note" not in outcome.err
    assert np.array_equal(np.load(out), apsp.solve(read(roads), dtype="int32").distances)


def test_what_emulated_gpus_refuse(run, tmp_path, roads, no_gpu):
    for arguments, words in (
        (("--method", "dijkstra", "--device", "emulated"), "it runs on cpu, not on emulated"),
        (("--method", "okuyama", "--device", "emulated", "--gpu-memory", "1kB"), "--gpu-memory 4KiB or more"),
        (("--method", "okuyama", "--device", "cpu"), "it runs on cuda or emulated, not on cpu"),
    ):
        outcome = run("solve", roads, "-o", tmp_path / "r.npy", *arguments)
        assert outcome.code == 4
        assert words in outcome.err
        assert not (tmp_path / "r.npy").exists()


@pytest.mark.parametrize("ending", [".npz", ".npy", ".csv"])
def test_counts_of_every_kernel(run, tmp_path, roads, ending):
    out = tmp_path / f"r{ending}"
    options = ("--method", "harish-fw", "--counts")
    outcome = run("solve", roads, "-o", out, *options)
    assert outcome.code == 0
    assert "5 x 5 int32 distances by harish-fw on the emulated GPU" in outcome.err
    rows = {line[:20].strip(): line.split()[-1] for line in outcome.out.splitlines()}
    assert rows["launches"] == "5", "one per pivot"
    again = run("solve", roads, "-o", out, *options, "--json").json
    (kernel,) = again["counts"]["kernels"]
    assert (kernel["kernel"], kernel["launches"]) == ("relax_pairs", 5)
    assert int(rows["global loads"].replace(",", "")) == kernel["global_loads"] >= 5 * 25
    assert again["counts"]["bytes_to_device"] >= 5 * 5 * 4
    assert again["counts"]["races"] == []
    assert again["paths"] is False
    plain = tmp_path / f"plain{ending}"
    run("solve", roads, "-o", plain, "--no-paths", "--dtype", "int32")
    if ending == ".npz":
        assert np.array_equal(apsp.load(out).distances, apsp.load(plain).distances)
    else:
        assert out.read_bytes() == plain.read_bytes()


def test_counts_go_with_verification_and_paths(run, tmp_path, roads):
    out = tmp_path / "r.npz"
    facts = run("solve", roads, "-o", out, "--method", "okuyama", "--counts", "--verify", "--paths", "--json").json
    assert facts["verified"]
    assert [kernel["kernel"] for kernel in facts["counts"]["kernels"]] == [
        "okuyama_scatter", "okuyama_check", "record_parents",
    ]  # fmt: skip
    assert apsp.load(out).path(1, 4) == [1, 2, 3, 4]


def test_what_cannot_be_counted(run, tmp_path, roads):
    out = ("-o", tmp_path / "r.npz")
    assert "cannot be combined with --device cpu" in run("solve", roads, *out, "--counts", "--device", "cpu").err
    assert "cannot be combined with --semiring" in run("solve", roads, *out, "--counts", "--semiring", "max_min").err
    outcome = run("solve", roads, *out, "--counts", "--method", "dijkstra")
    assert outcome.code == 4
    assert "it runs on cpu, not on emulated; methods that accept it: " in outcome.err


@pytest.mark.parametrize(
    ("text", "rows"),
    [("1-3", 3), ("1-5", 5), ("2-3,5", 3), ("4,4", 2), ("3-3", 1), ("1-2, 4-5", 4)],
)
def test_sources_may_be_ranges_of_integers(run, tmp_path, roads, text, rows):
    facts = run("solve", roads, "-o", tmp_path / "r.npz", "--sources", text, "--json").json
    assert (facts["rows"], facts["columns"]) == (rows, 5)


def test_ranges_take_the_labels_between_their_ends(run, tmp_path):
    (tmp_path / "sparse.txt").write_text("-4 3 1\n3 70 2\n70 9000 4\n9000 -4 1\n")
    out = tmp_path / "r.csv"
    assert run("solve", tmp_path / "sparse.txt", "-o", out, "--sources", "-4-70", "--targets", "9000").code == 0
    assert out.read_text() == "source,target,distance\n-4,9000,7\n3,9000,6\n70,9000,4\n"
    for text, words in (("3-71", "no vertex 71"), ("70-3", "smaller end"), ("3-", "no vertex '3-'")):
        assert words in run("solve", tmp_path / "sparse.txt", "-o", out, "--sources", text).err


def test_names_may_look_like_ranges_and_lists(run, tmp_path):
    (tmp_path / "names.csv").write_text('from,to,km\n"1-2","a,b",5\n"a,b",c,6\n')
    out = tmp_path / "r.csv"
    for text, line in (("1-2", "1-2,c,11"), ("a,b", '"a,b",c,6'), ("c", "c,c,0")):
        assert run("solve", tmp_path / "names.csv", "-o", out, "--sources", text).code == 0
        assert line in out.read_text().splitlines()
