"""What progress=True shows on terminals, in notebooks and in logs."""

from __future__ import annotations

import io
import sys
from types import SimpleNamespace
from typing import Any

import pytest

import apsp
from apsp.system.progress import offset, reporting
from apsp.system.progress_shown import LoggedLines, NotebookBars, shown_progress


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def test_a_log_gets_a_line_from_time_to_time_and_none_of_short_work() -> None:
    stream, clock = io.StringIO(), Clock()
    lines = LoggedLines(stream, clock)
    for second in range(9):
        clock.now = 100.0 + second
        lines("rows", second, 9)
    lines("rows", 9, 9)
    assert stream.getvalue() == ""
    lines = LoggedLines(stream, clock)
    for _ in range(10_000):
        lines("rows", int(clock.now) % 10_000, 1_000_000)
        clock.now += 1
    written = stream.getvalue().splitlines()
    assert 40 < len(written) < 60  # of ten thousand seconds
    assert written[0] == "apsp: rows: 118 of 1,000,000 (0%), 10 s elapsed, about 12 days left"


def test_work_that_had_a_line_gets_a_last_one() -> None:
    stream, clock = io.StringIO(), Clock()
    lines = LoggedLines(stream, clock)
    for done in (0, 3, 4, 4):
        lines("rows", done, 4)
        clock.now += 12
    assert stream.getvalue().splitlines() == [
        "apsp: rows: 3 of 4 (75%), 12 s elapsed, about 4 s left",
        "apsp: rows: 4 of 4 (100%), 24 s elapsed",
    ]


def test_what_an_earlier_run_did_says_nothing_of_the_speed() -> None:
    stream, clock = io.StringIO(), Clock()
    lines = LoggedLines(stream, clock)
    lines("rows", 500, 1000)
    clock.now += 10
    lines("rows", 510, 1000)
    assert stream.getvalue() == "apsp: rows: 510 of 1,000 (51%), 10 s elapsed, about 8.2 minutes left\n"


def test_a_log_that_was_closed_does_not_end_the_work() -> None:
    stream, clock = io.StringIO(), Clock()
    lines = LoggedLines(stream, clock)
    lines("rows", 0, 4)
    clock.now += 50
    stream.close()
    lines("rows", 2, 4)


@pytest.fixture
def notebook(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """A kernel without widgets; gives what was displayed."""
    drawn: list[Any] = []

    def display(bars: Any, *, display_id: bool) -> Any:
        assert display_id
        drawn.append(bars)
        return SimpleNamespace(update=drawn.append)

    ipython = SimpleNamespace(get_ipython=lambda: SimpleNamespace(kernel=object()))
    monkeypatch.setitem(sys.modules, "IPython", ipython)
    monkeypatch.setitem(sys.modules, "IPython.display", SimpleNamespace(display=display))
    monkeypatch.setitem(sys.modules, "ipywidgets", None)
    return drawn


def test_a_notebook_draws_bars_and_removes_them(notebook: list[Any]) -> None:
    clock = Clock()
    with NotebookBars(clock) as report:
        report("read <b>", 1, 10)
        clock.now += 1
        report("read <b>", 5, 10)
        clock.now += 0.1
        report("read <b>", 6, 10)
        clock.now += 1
        report("rows", 0, 0)
    texts = [bars._repr_html_() for bars in notebook]
    assert len(texts) == 3
    assert "read &lt;b&gt;" in texts[0]
    assert '<progress value="5" max="10"' in texts[0]
    assert "5 of 10 (50%), 1 s elapsed, about 1.2 s left" in texts[0]
    assert texts[1].count("<progress") == 2
    assert texts[2] == ""
    assert {repr(bars) for bars in notebook} == {""}


def test_where_the_process_runs_decides(notebook: list[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    assert isinstance(shown_progress(), NotebookBars)
    with reporting(True) as report:
        assert isinstance(report, NotebookBars)
    sys.modules["IPython"].get_ipython = lambda: SimpleNamespace()  # IPython in a terminal
    stream = io.StringIO()
    monkeypatch.setattr(sys, "stderr", stream)
    with shown_progress() as report:
        assert isinstance(report, LoggedLines)
    for there in (None, stream):
        stream.close()
        monkeypatch.setattr(sys, "stderr", there)
        with shown_progress() as report:
            assert report is None


def test_a_terminal_gets_a_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.setattr(sys, "stderr", Terminal())
    monkeypatch.setenv("TERM", "xterm")
    apsp.solve(apsp.generate("grid", 100), progress=True)
    with shown_progress() as report:
        assert not isinstance(report, LoggedLines)
        report("rows", 1, 2)
    assert "rows" in sys.stderr.getvalue()
    monkeypatch.setenv("TERM", "dumb")
    with shown_progress() as report:
        assert isinstance(report, LoggedLines)


def test_work_that_starts_again_goes_on_from_what_was_done() -> None:
    seen: list[tuple[str, int, int]] = []
    told = offset(lambda *words: seen.append(words), "sources", 10, 100)
    assert told is not None
    for done in (20, 60, 16, 90):  # the second kernel does all 90 again
        told(done)
    assert seen == [("sources", 30, 100), ("sources", 70, 100), ("sources", 86, 160), ("sources", 160, 160)]


def stages_of(graph: Any, **options: Any) -> dict[str, list[tuple[int, int]]]:
    """What a preparation tells, stage by stage."""
    told: dict[str, list[tuple[int, int]]] = {}
    apsp.prepare(graph, progress=lambda stage, *amounts: told.setdefault(stage, []).append(amounts), **options)
    return told


@pytest.mark.parametrize("order", ["fast", "best", "given"])
@pytest.mark.parametrize("labels", [False, True])
def test_stages_of_a_preparation(order: str, labels: bool) -> None:
    graph = apsp.generate("city", 3000, seed=1, weights=(1, 90))
    given = range(graph.n) if order == "given" else order
    told = stages_of(graph, order=given, labels=labels)
    stages = ["order", "factor", "labels"][order == "given" : 2 + labels]
    assert list(told) == stages
    for stage in stages:
        done, total = told[stage][-1]
        assert done == total > 0, stage
        assert all(some <= total for some, _ in told[stage])
    if order != "given":
        assert told["order"][-1][1] == graph.n
    again = stages_of(graph, order=given, labels=labels)
    assert list(again) == [stage for stage in stages if stage != "order"], "the order is stored with the graph"


def test_stages_of_a_preparation_of_periods() -> None:
    graph = apsp.generate("grid", 900, seed=1, weights=(1, 90))
    assert graph.weights is not None
    periods = graph.with_periods({hour: graph.weights + hour for hour in range(35)})
    told = stages_of(periods)
    assert list(told) == ["order", "factor"]
    assert all(done <= total for each in told.values() for done, total in each)
    assert told["factor"][-1][0] == told["factor"][-1][1]


@pytest.mark.parametrize("stage", ["order", "factor", "labels"])
def test_a_progress_that_fails_stops_a_preparation(stage: str) -> None:
    class StopError(Exception):
        pass

    def stop(current: str, _: int, __: int) -> None:
        if current == stage:
            raise StopError

    graph = apsp.generate("grid", 900, seed=1, weights=(1, 90))
    with pytest.raises(StopError):
        apsp.prepare(graph, labels=True, progress=stop)
    assert apsp.prepare(graph, labels=True).distance(0, 899) == apsp.distance(graph, 0, 899)
