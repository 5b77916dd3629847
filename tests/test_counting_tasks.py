"""`apsp bench --executor processes`: counts of several methods at a time, equal to those of one after the other."""

from __future__ import annotations

import json
from concurrent.futures import BrokenExecutor, Executor, Future
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from apsp.cli.main import main
from apsp.errors import ExecutorError
from apsp.published.experiments import bench
from apsp.published.experiments.cells import Cells
from apsp.published.experiments.counting import can_emulate
from apsp.published.experiments.effort import Effort
from apsp.published.experiments.measure import Measuring
from apsp.published.experiments.model import Case, Contestant, Input, Series
from apsp.system.engine.choice import engine_of
from apsp.system.engine.engine import Engine

pytestmark = pytest.mark.skipif(not can_emulate(), reason="needs the emulated GPU")

SERIES = Series(
    name="small",
    title="A small figure",
    axis="vertices",
    cases=(Case("n = 64", Input("random", 64, 256), 64), Case("n = 96", Input("random", 96, 300), 96)),
    contestants=(
        Contestant("harish-sssp", "harish-sssp"),
        Contestant("okuyama", "okuyama"),
        Contestant("the same", "okuyama"),
        Contestant("dijkstra", "dijkstra", "cpu"),
    ),
    baseline="harish-sssp",
    sources=16,
    gpu="GeForce 8800 GTS (G92)",
)
EFFORT = Effort(methods=("harish-sssp", "okuyama", "the same", "dijkstra"), rounds=1, limit=20.0, emulated=True)


class Inline(Executor):
    """A worker in this thread, which may fail."""

    def __init__(self, error: Exception | None = None) -> None:
        self.error = error
        self.labels: list[tuple[str, str]] = []

    def submit(self, function: Any, /, *arguments: Any, **_: Any) -> Future[Any]:
        """Run it."""
        self.labels.append((arguments[1].case.name, arguments[1].one.label))
        future: Future[Any] = Future()
        if self.error is None:
            future.set_result(function(*arguments))
        else:
            future.set_exception(self.error)
        return future


def engine(executor: Executor) -> Engine:
    return Engine("inline", executor, lambda: 1, True, None, nullcontext())


def counts(cells: Cells) -> dict[tuple[str, str, str], Any]:
    return {cell.key: (cell.n, cell.counts, cell.by_kernel, cell.half, cell.sources) for cell in cells.every()
            if not cell.is_tuned and cell.label != "dijkstra"}  # fmt: skip


def measured(path: Path, given: Engine | None, series: Series = SERIES) -> Cells:
    cells = Cells(path, {}, {})
    Measuring(cells, EFFORT, engine=given).series(series)
    return cells


@pytest.mark.slow
def test_counts_of_processes(tmp_path: Path) -> None:
    alone = counts(measured(tmp_path / "alone.json", None))
    assert len(alone) == 6
    assert all(found[1] for found in alone.values())
    started = engine_of("processes", 1, 2)
    with started.owned:
        cells = measured(tmp_path / "spread.json", started)
    assert counts(cells) == alone
    assert [cell.seconds is not None for cell in cells.every() if cell.label == "dijkstra"] == [True, True]


def test_what_is_counted_once(tmp_path: Path) -> None:
    first = Inline()
    measured(tmp_path / "cells.json", engine(first))
    assert sorted(first.labels) == [(case, one) for case in ("n = 64", "n = 96") for one in ("harish-sssp", "okuyama")]
    again = Inline()
    cells = measured(tmp_path / "cells.json", engine(again))
    assert not again.labels  # the run is resumed, and nothing is missing
    other = replace(SERIES, name="other", cases=SERIES.cases[:1])
    cells.sizes["other"] = cells.sizes["small"]
    submitted = Inline()
    Measuring(cells, EFFORT, engine=engine(submitted)).series(other)
    assert len(submitted.labels) == 2  # the workers see that other tables have these counts
    assert {cell.label for cell in cells.of("other") if cell.counts} == {"harish-sssp", "okuyama", "the same"}
    of = {(cell.case, cell.label): cell.counts for cell in cells.of("small")}
    assert all(cell.counts == of[cell.case, cell.label] for cell in cells.of("other"))


def test_a_worker_that_ends(tmp_path: Path) -> None:
    lost = engine(Inline(BrokenExecutor("a process ended")))
    with pytest.raises(ExecutorError, match=r"a worker of inline that counted [a-z-]+ failed: a process ended"):
        measured(tmp_path / "cells.json", lost)


def test_what_fails_for_the_graph_is_recorded(tmp_path: Path) -> None:
    failing = engine(Inline(MemoryError("too large")))
    cells = measured(tmp_path / "cells.json", failing)
    assert all(found[1] for found in counts(cells).values())  # by the caller, which has more memory than the workers


@pytest.mark.slow
def test_command(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("matplotlib")
    command = ["bench", "--paper", "okuyama", "--series", "figure12", "--methods", "okuyama", "--limit", "0.5"]
    command += ["--rounds", "1", "--scale", "0.01", "--out", str(tmp_path), "--executor", "processes", "--json"]
    assert main([*command, "--emulated"]) == 0
    cells = json.loads(capsys.readouterr().out)["cells"]
    assert any(cell["counts"] for cell in cells if cell["label"] == "okuyama")
    monkeypatch.setattr(bench, "_gpus", lambda: ["a GPU"])
    assert main(command) == 2
    assert "runs that are timed need the machine alone; add --emulated" in capsys.readouterr().err
