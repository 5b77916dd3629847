"""The experiments: printed numbers as in the papers, every contestant checked, runs resumed, pages self-contained."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest

import apsp
from apsp.cli.main import main
from apsp.errors import RequestError
from apsp.methods import registry
from apsp.methods.problem import Solver
from apsp.methods.registry import Method
from apsp.published.experiments import NAMES, bench, contest, measure, paper, table
from apsp.published.experiments.cells import Cell, Cells
from apsp.published.experiments.contest import NotRunError, ready
from apsp.published.experiments.counting import MEASURES
from apsp.published.experiments.expected import ExpectedRows
from apsp.published.experiments.hardware import GPUS
from apsp.published.experiments.inputs import make
from apsp.published.experiments.measure import Effort, Measuring
from apsp.published.experiments.model import Case, Claim, Contestant, Input, Series
from emulation import emulated_gpus

SERIES = Series(
    name="small",
    title="A small figure",
    axis="vertices",
    cases=(Case("n = 20", Input("random", 20, 80), 20), Case("n = 40", Input("random", 40, 160), 40)),
    contestants=(Contestant("reference", "reference"), Contestant("dijkstra, 1 thread", "dijkstra", "cpu", threads=1)),
    baseline="reference",
    printed={("n = 20", "reference"): 3.0, ("n = 20", "dijkstra, 1 thread"): 1.0},
    claims=(Claim("faster", "dijkstra, 1 thread", "reference", 2, 3),),
)


def measured(folder: Path, series: Series = SERIES, **effort: object) -> Cells:
    cells = Cells(folder / "cells.json", {"scale": 1}, {})
    Measuring(cells, Effort(rounds=2, **effort)).series(series)  # type: ignore[arg-type]
    return cells


@pytest.mark.parametrize("name", NAMES)
def test_papers_are_whole(name):
    wanted = paper(name)
    assert wanted.hardware
    for series in wanted.series:
        labels = [one.label for one in series.entries]
        cases = [case.name for case in series.cases]
        assert len({*labels}) == len(labels)
        assert len({*cases}) == len(cases)
        assert series.baseline in labels
        for case, label in series.printed:
            assert case in cases
            assert label in labels
        for claim in series.claims:
            assert {claim.faster, claim.slower} <= {*labels}
        assert any(one.is_tuned for one in series.entries)
        assert series.gpu in GPUS
        assert {name for name, _ in series.gpus.values()} <= {*GPUS}
        assert series.count in MEASURES
        for each in [each for claim in series.claims for each in claim.evidence]:
            assert {each.over, each.under} - {""} <= {*labels}
            assert {each.over_case, each.under_case} - {""} <= {*cases}
            assert each.count in MEASURES


def test_the_short_paper_has_its_experiments():
    short = paper("okuyama-short")
    assert "okuyama-short" in NAMES
    for series in short.series:
        found = {one.label: one for one in series.contestants}
        assert found["okuyama, P = 32"].options == {"tasks": 32}
        assert not any(one.paths for one in series.contestants)
        faster = series.claims[0]
        assert (faster.faster, faster.slower, faster.low, faster.high) == ("okuyama, P = 32", "harish-sssp", 3.5, 18)


def test_printed_speedups_follow_from_printed_times():
    okuyama = {series.name: series for series in paper("okuyama").series}["table1"].printed
    assert okuyama["complete", "harish-sssp"] / okuyama["complete", "okuyama"] == pytest.approx(74.1, abs=0.05)
    basic, optimized = (series.printed for series in paper("lab").series)
    sequential = basic["N = 4,800", "fw-sequential"]
    assert sequential / basic["N = 4,800", "lab-fw 8x8"] == pytest.approx(12.92627285, rel=1e-6)
    assert sequential / optimized["N = 4,800", "lab-fw-shared 32x32"] == pytest.approx(8.57913947, rel=1e-6)
    caida = {series.name: series for series in paper("katz-kider").series}["caida"].printed
    slow, fast = (caida["CAIDA, 1,000 nodes", label] for label in ("harish-fw", "katz-kider"))
    assert slow / fast == pytest.approx(7.26, abs=0.02)


@pytest.mark.few(1)
@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=pytest.mark.slow) if name in ("okuyama", "katz-kider") else name for name in NAMES],
)
def test_bench_runs_small(name, tmp_path, capsys, monkeypatch):
    out = tmp_path / name
    monkeypatch.setattr(bench, "can_emulate", lambda: False)
    arguments = ["bench", "--paper", name, "--scale", "0.004", "--rounds", "1", "--out", str(out), "--no-progress"]
    assert main([*arguments, "--limit", "60"]) == 0
    told = capsys.readouterr().out
    assert "over best published" in told
    document = json.loads((out / f"{name}.json").read_text())
    for cell in document["cells"]:
        assert (cell["seconds"] is None) == (cell["reason"] is not None)
        assert cell["seconds"] is None or cell["checked"] == "all rows"
        assert "wrong" not in (cell["reason"] or "")
    assert any(cell["is_tuned"] and cell["seconds"] for cell in document["cells"])
    assert len((out / f"{name}.csv").read_text().splitlines()) == len(document["cells"]) + 1
    assert all(path.read_bytes()[:4] == b"\x89PNG" for path in out.glob("*.png"))
    assert len([*out.glob("*.png")]) == len([*out.glob("*.svg")]) > 0
    assert told.count("CUDA GPU") <= 1
    page = (out / f"{name}.html").read_text()
    assert page.count("need a CUDA GPU") <= 1
    assert "emulated GPU" not in page
    check_page(page)


@pytest.fixture
def launches(monkeypatch):
    """What was launched on two GPUs that are emulated, and real to the planner."""
    with emulated_gpus(monkeypatch, gpus=2) as written:
        yield written


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_published_methods_of_gpus_run_small(name, tmp_path, launches):
    """Every method of the literature is measured, with its options and timings."""
    cells = Cells(tmp_path / "cells.json", {}, {})
    wanted = paper(name)
    caida = tmp_path / "as-rel.txt"
    caida.write_text("".join(f"{a}|{b}|-1\n" for a in range(1, 20) for b in range(a + 1, 20, 3)))
    for series in wanted.series:
        small = replace(series, cases=series.cases[:1] if len(series.cases) > 4 or name == "lab" else series.cases)
        published = {one.method for one in series.contestants}
        Measuring(cells, Effort(scale=0.004, rounds=1, limit=60, caida=caida, methods=tuple(published))).series(small)
        for cell in cells.of(series.name):
            if cell.is_tuned:
                continue
            assert cell.checked == "all rows", f"{cell.label}: {cell.reason}"
            assert cell.seconds > 0
            silent = cell.device == "cpu" or cell.method.startswith("johnson")
            assert (cell.kernels is None) == silent
            assert (cell.recording_share is not None) == (cell.label == "okuyama, paths")
        assert "over best published" in table.text(small, cells.of(series.name))
    if name == "lab":
        for kernel in ("apsp_basic", "apsp_shared"):
            assert {block for which, _, block in launches if which == kernel} == {(s, s) for s in (4, 8, 16, 32)}
    if name == "okuyama":
        assert "time of recording over that of costs" in table.text(wanted.series[-1], cells.of("figure14"))


def test_options_of_the_papers_reach_the_kernels(launches):
    """N and B of Okuyama et al. by name."""
    for method in ("okuyama", "okuyama-global"):
        one = Contestant("wide", method, options={"tasks": 64, "vertices": 2})
        ready(make(Input("random", 20, 80)), one, "distances", 1).work(None)
    assert {block for _, _, block in launches} == {(128,)}
    assert {grid for _, grid, _ in launches} == {(10,)}


class Page(HTMLParser):
    """Collects the addresses that a page loads, and that its tags are closed."""

    def __init__(self) -> None:
        super().__init__()
        self.loaded: list[str] = []
        self.open: list[str] = []

    def handle_starttag(self, tag, attrs):
        self.loaded += [value for name, value in attrs if name in ("src", "href", "srcset", "data")]
        if tag not in ("meta", "img"):
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def check_page(text: str) -> None:
    page = Page()
    page.feed(text)
    assert not page.open
    assert page.loaded
    assert all(address.startswith("data:image/svg+xml;base64,") for address in page.loaded)
    assert not re.search(r"<script|<link|@import|url\(", text)


def test_methods_that_are_missing_say_so(tmp_path, monkeypatch):
    series = replace(SERIES, contestants=(*SERIES.contestants, Contestant("lost", "lost"), Contestant("gpu", "gpu")))
    row = replace(registry.METHODS["reference"], name="gpu", devices=("cuda",))
    monkeypatch.setitem(registry.METHODS, "gpu", row)
    monkeypatch.setattr(contest, "with_gpus", lambda machine: replace(machine, no_gpu="none is plugged in"))
    cells = measured(tmp_path, series)
    reasons = {label: reason for label, reason, _ in table.skipped(cells.of("small"))}
    assert reasons["lost"] == "this version has no method 'lost'"
    assert "gpu" not in reasons
    said = table.missing(cells.of("small"))
    assert len(said) == 1
    assert "need a CUDA GPU: " in said[0]
    assert "gpu" in said[0]
    assert said[0].endswith("(it needs a GPU: none is plugged in)")
    text = table.text(series, cells.of("small"))
    assert "not finished: lost (n = 20, n = 40)" in text
    assert "plugged in" not in text


def test_what_is_missing_for_the_same_reason_is_said_once():
    def cell(label: str, case: str, reason: str) -> Cell:
        return Cell("small", case, label, 20, 80, reason=reason)

    cells = [cell(label, case, "no file") for label in ("a", "b") for case in ("n = 20", "n = 40")]
    assert table.skipped([*cells, cell("c", "n = 20", "slow")]) == [
        ("a, b", "no file", ["n = 20", "n = 40"]),
        ("c", "slow", ["n = 20"]),
    ]


class Off(Solver):
    """A solver that is off by one in its last entry, or fails, or takes its time."""

    def __init__(self, problem, fault="wrong"):
        self._problem, self._fault = problem, fault

    def fill(self, sources, dist, pred, progress=None):
        if self._fault == "fails":
            raise ValueError("broken")
        for row in range(self._problem.graph.n if self._fault == "steady" else 0):
            time.sleep(0.05)
            if progress is not None:
                progress(row + 1)
        while self._fault == "slow":
            time.sleep(0.01)
            if progress is not None:
                progress(0)
        dist[...] = apsp.solve(self._problem.graph, dtype=dist.dtype.name).distances
        dist[-1, 0] += self._fault == "wrong"


@pytest.fixture
def off(monkeypatch):
    row = Method(
        "off", "tests.off", "apsp.methods.searches.cost:dijkstra", "published", "", "", by_rows=True, negative=True,
        time="", memory="", automatic=False, dtypes=("int32",),
    )  # fmt: skip
    monkeypatch.setitem(registry.METHODS, "off", row)
    module = type(sys)("off")
    module.prepare = Off
    load = registry.load
    monkeypatch.setattr(registry, "load", lambda method: module if method.name == "off" else load(method))


@pytest.mark.parametrize(
    ("fault", "reason"),
    [
        ("wrong", r"wrong: from 19 to 0 it says \d+, Dijkstra"),
        ("fails", "failed: ValueError: broken"),
        ("slow", "stopped"),
    ],
)
def test_what_is_wrong_is_not_timed(off, tmp_path, fault, reason):
    one = Contestant("off", "off", options={"fault": fault})
    cells = measured(tmp_path, replace(SERIES, contestants=(one, *SERIES.contestants)), limit=0.3)
    found = {cell.case: cell for cell in cells.of("small") if cell.label == "off"}
    assert found["n = 20"].seconds is None
    assert re.search(reason, found["n = 20"].reason or "")
    if fault == "slow":  # the larger graph is not tried
        assert "with 20 vertices it took 0.3 s already" in (found["n = 40"].reason or "")


def test_the_whole_of_a_stopped_run_is_estimated(off, tmp_path):
    one = Contestant("off", "off", options={"fault": "steady"})
    series = replace(SERIES, contestants=(one, *SERIES.contestants), baseline="off")
    cells = measured(tmp_path, series, limit=0.3).of("small")
    found = {cell.case: cell for cell in cells if cell.label == "off"}
    estimate = found["n = 20"].estimate
    assert estimate is not None
    assert estimate >= 20 * 0.05
    assert "it would take" in (found["n = 40"].reason or "")
    text = table.text(series, cells)
    assert f"about {table.seconds_words(estimate)}" in text
    assert "stopped at 300 ms" in text
    reference = next(row for row in table.rows(series, cells) if row.cell.key == ("small", "n = 20", "reference"))
    assert reference.over_baseline == pytest.approx(estimate / reference.cell.seconds)


def test_what_is_expected_to_take_too_long_is_not_begun(tmp_path):
    large = replace(SERIES, cases=(Case("n = 2,000", Input("random", 2000, 8000), 2000),))
    cells = measured(tmp_path, large, limit=0.05).of("small")
    reasons = {cell.label: cell.reason for cell in cells}
    assert "are expected (--limit 0.05)" in (reasons["reference"] or "")
    assert all(cell.seconds is None for cell in cells if cell.label == "reference")


def test_long_first_runs_count(tmp_path):
    assert {cell.rounds for cell in measured(tmp_path, long=0.0).of("small") if cell.seconds is not None} == {2}


def test_options_reach_the_solver(off):
    graph = make(Input("random", 20, 80))
    ready(graph, Contestant("off", "off", options={"fault": ""}), "distances", 1).work(None)
    with pytest.raises(NotRunError, match="no option colour"):
        ready(graph, Contestant("off", "off", options={"colour": 1}), "distances", 1)


def test_ratios():
    def cell(label: str, seconds: float, tuned: bool = False) -> Cell:
        printed = SERIES.printed.get(("n = 20", label))
        return Cell("small", "n = 20", label, 20, 80, seconds, seconds, seconds, 1, is_tuned=tuned, printed=printed)

    cells = [cell("reference", 6.0), cell("dijkstra, 1 thread", 2.0), cell("apsp.solve", 0.5, tuned=True)]
    one, two, three = table.rows(SERIES, cells)
    assert (one.then, one.over_baseline, one.over_published) == (0.5, 1.0, None)
    assert (two.then, two.over_baseline, two.printed_over_baseline) == (0.5, 3.0, 3.0)
    assert (three.over_baseline, three.over_published) == (12.0, 4.0)
    assert table.claims(SERIES, cells) == [(SERIES.claims[0], (3.0, 3.0), None)]
    smaller = [replace(each, n=10) for each in cells]
    assert all(row.then is None for row in table.rows(SERIES, smaller))


def test_only_what_is_missing_is_measured(tmp_path, monkeypatch):
    before = {cell.key: cell for cell in measured(tmp_path).of("small")}
    monkeypatch.setattr(measure, "make", lambda *_: pytest.fail("nothing was left to do"))
    assert {cell.key: cell for cell in measured(tmp_path).of("small")} == before


def test_other_settings_are_not_mixed_in(tmp_path):
    measured(tmp_path)
    with pytest.raises(RequestError, match="scale 1, now 2: take another --out, or --fresh"):
        Cells(tmp_path / "cells.json", {"scale": 2}, {})
    assert Cells(tmp_path / "cells.json", {"scale": 2}, {}, fresh=True).of("small") == []
    (tmp_path / "cells.json").write_text("[1")
    with pytest.raises(RequestError, match="--fresh replaces it"):
        Cells(tmp_path / "cells.json", {"scale": 1}, {})


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="kills a process")
def test_killed_run_goes_on(tmp_path):
    out = tmp_path / "out"
    command = [sys.executable, "-m", "apsp", "bench", "--paper", "batool", "--scale", "0.05", "--rounds", "1"]
    command += ["--out", str(out), "--no-progress", "-q"]
    running = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    file = out / "batool.json"
    deadline = time.monotonic() + 60
    while not file.exists() or '"seconds": 0' not in file.read_text():
        assert running.poll() is None
        assert time.monotonic() < deadline
        time.sleep(0.002)
    running.send_signal(signal.SIGKILL)
    running.wait()
    before = [cell for cell in json.loads(file.read_text())["cells"] if cell["seconds"] is not None]
    assert before
    assert subprocess.run(command, check=False, capture_output=True).returncode == 0
    after = json.loads(file.read_text())["cells"]
    assert all(cell in after for cell in before)
    assert {cell["case"] for cell in after} == {case.name for case in paper("batool").series[0].cases}


def test_wrong_names(tmp_path, capsys):
    out = ["--out", str(tmp_path)]
    assert main(["bench", "--paper", "lab", "--methods", "okuyama", *out]) == 4
    assert "it measures: fw-sequential" in capsys.readouterr().err
    assert main(["bench", "--paper", "lab", "--series", "table9", *out]) == 4
    assert "there are: basic, optimized" in capsys.readouterr().err
    assert main(["bench", "--paper", "unknown", *out]) == 2


def test_caida_takes_the_first_nodes(tmp_path):
    lines = [f"{a}|{b}|-1" for a in range(1, 40) for b in range(a + 1, 40, 7)]
    path = tmp_path / "as-rel.txt"
    path.write_text("# source\n" + "\n".join(lines) + "\n")
    graph = make(Input("caida", 12), path)
    assert graph.n == 12
    assert 0 < graph.m < len(lines)
    assert not graph.is_weighted
    with pytest.raises(RequestError, match="--caida FILE"):
        make(Input("caida", 12))


def test_oracle_takes_some_rows_of_large_graphs():
    graph = make(Input("negative", 30, 90))
    rows = ExpectedRows.of(graph, 1, most=10, beyond=5)
    assert (rows.words, rows.rows[0], rows.rows[-1]) == ("5 rows", 0, 29)
    right = apsp.solve(graph, dtype="int64").distances
    assert rows.difference(lambda asked: right[asked]) is None
    assert rows.difference(lambda asked: np.ones((len(asked), 30), dtype=bool)) is None
    assert "wrong: from 0 to 0" in str(rows.difference(lambda asked: right[asked] + 1))
