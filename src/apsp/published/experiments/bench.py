"""apsp bench: repeat the experiments of a paper on this machine."""

from __future__ import annotations

import datetime
import platform
from contextlib import nullcontext
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import click
import numpy as np

from apsp import __version__
from apsp.cli.files import INPUT, OUTPUT
from apsp.cli.options import show_options
from apsp.cli.sections import Sections
from apsp.cli.terminal import Show, print_json, print_text
from apsp.errors import RequestError
from apsp.figures.files import require
from apsp.gpu.gpus import with_gpus
from apsp.published.experiments import NAMES, paper
from apsp.published.experiments.cells import Cells
from apsp.published.experiments.counting import can_emulate
from apsp.published.experiments.figure import EMULATED
from apsp.published.experiments.measure import Effort, Measuring
from apsp.published.experiments.model import Paper
from apsp.published.experiments.report import write
from apsp.published.experiments.table import missing, text
from apsp.system.engine.choice import engine_of
from apsp.system.machine import Machine, threads_from
from apsp.system.progress import reporting

__all__ = ["command"]


@click.command("bench", cls=Sections, short_help="Repeat the experiments of a paper on this machine.")
@click.option("--paper", "name", type=click.Choice(NAMES), required=True, help="Paper whose experiments are repeated.")
@click.option(
    "--out", metavar="DIR", type=OUTPUT, default="bench", help="Output folder, created if needed. Default: bench."
)
@click.option(
    "--scale",
    type=click.FloatRange(min=0, min_open=True),
    default=1.0,
    help="Factor applied to the numbers of vertices and arcs.",
)
@click.option("--methods", metavar="LIST", help="Run only these methods of the paper, such as okuyama,dijkstra.")
@click.option("--series", "only", metavar="LIST", help="Run only these tables and figures, such as table1,figure10.")
@click.option("--rounds", type=click.IntRange(min=1), default=5, help="Number of timed runs; the median is reported.")
@click.option("--limit", metavar="SECONDS", type=click.FloatRange(min=0, min_open=True), default=600.0,
              help="Stop a method on a graph after this time. Default 600.")  # fmt: skip
@click.option("--threads", type=click.IntRange(min=1), metavar="N", help="Number of threads. Default: all cores.")
@click.option("--caida", metavar="FILE", type=INPUT, help="File of AS relationships, for katz-kider.")
@click.option(
    "--emulated",
    is_flag=True,
    help="Count on an emulated GPU even if there is a real one. Default: only without a real one.",
)
@click.option(
    "--executor",
    type=click.Choice(["processes"]),
    help="Count with a process per core. Runs that are timed follow, one after the other.",
)
@click.option("--fresh", is_flag=True, help="Start again instead of resuming the run in DIR.")
@show_options
def command(
    name: str, out: str, only: str | None, executor: str | None, fresh: bool, show: Show, **effort: Any
) -> None:
    """Repeat the experiments of a paper and print every table beside the paper's own numbers.

    Every method is compared with Dijkstra before it is timed, and the solvers of this package run beside them. JSON,
    CSV, figures and an HTML page are written to DIR. Measurements are saved as the run proceeds: the same command
    resumes a run that was stopped.

    Without a GPU, the paper's GPU methods run on an emulated one, at sizes that fit a part of the time limit. Counts of
    launches, transactions, atomics and so on replace seconds, and their ratios are printed beside the paper's. With
    --executor processes several methods are counted at a time, with the same counts.
    """
    require()
    chosen = _chosen(paper(name), only)
    given = _effort(chosen, **effort)
    if given.emulated and not can_emulate():
        raise RequestError("this build of apsp has no emulated GPU (apsp._emulated); leave --emulated out")
    given = replace(given, emulated=given.emulated or (can_emulate() and not _gpus()))
    if executor is not None and not given.emulated:
        raise click.UsageError("--executor is for counts: runs that are timed need the machine alone; add --emulated")
    folder = Path(out)
    folder.mkdir(parents=True, exist_ok=True)
    cells = Cells(folder / f"{name}.json", _settings(name, given), _facts(), fresh=fresh)
    engine = None if executor is None else engine_of(executor, given.threads or 1)
    with reporting(show.bar) as report, nullcontext() if engine is None else engine.owned:
        measuring = Measuring(cells, given, report, engine)
        for series in chosen.series:
            measuring.series(series)
    written = [folder / f"{name}.json", *write(paper(name), cells, folder, given.scale)]
    if show.json:
        measured = [asdict(cell) for series in chosen.series for cell in cells.of(series.name)]
        print_json({"paper": name, **cells.head, "cells": measured, "files": [str(path) for path in written]})
        return
    if given.emulated:
        print_text(f"{EMULATED}\n")
    print_text(f"{chosen.title}\n{chosen.authors}. {chosen.where}\nmeasured there on: {'; '.join(chosen.hardware)}\n")
    for series in chosen.series:
        print_text(text(series, cells.of(series.name)))
    for sentence in missing([cell for series in chosen.series for cell in cells.of(series.name)]):
        print_text(f"{sentence}\n")
    show.say(f"wrote {written[-1]} and {len(written) - 1} other files in {folder}")


def _chosen(wanted: Paper, only: str | None) -> Paper:
    """Return the paper restricted to the named series."""
    if only is None:
        return wanted
    names = [part.strip() for part in only.split(",")]
    there = [series.name for series in wanted.series]
    unknown = [name for name in names if name not in there]
    if unknown:
        raise RequestError(f"{wanted.name} has no series {', '.join(unknown)}; there are: {', '.join(there)}")
    return replace(wanted, series=tuple(series for series in wanted.series if series.name in names))


def _effort(chosen: Paper, methods: str | None, caida: str | None, **numbers: Any) -> Effort:
    wanted = None if methods is None else tuple(part.strip() for part in methods.split(","))
    known = {name for series in chosen.series for one in series.contestants for name in (one.method, one.label)}
    for unknown in sorted({*(wanted or ())} - known):
        raise RequestError(f"{chosen.name} does not measure {unknown!r}; it measures: {', '.join(sorted(known))}")
    return Effort(methods=wanted, caida=None if caida is None else Path(caida), **numbers)


def _settings(name: str, effort: Effort) -> dict[str, Any]:
    """Settings that must be equal when a run is resumed."""
    settings = {
        "paper": name,
        "scale": effort.scale,
        "threads": threads_from(effort.threads),
        "processor": f"{_processor()}, {Machine.detect().isa}",
        "gpus": ", ".join(_gpus()) or "none",
    }
    if effort.emulated:  # sizes depend on the limit, and no table mixes counts and times
        settings["counts"] = f"on an emulated GPU, in {effort.limit:g} s"
    return settings


def _gpus() -> list[str]:
    """The names of the usable GPUs."""
    return [gpu.name for gpu in with_gpus(Machine.detect()).gpus if gpu.unusable is None]


def _processor() -> str:
    info = Path("/proc/cpuinfo")
    lines = info.read_text(encoding="utf-8").splitlines() if info.exists() else []
    named = next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), "")
    return named or platform.processor() or platform.machine()


def _facts() -> dict[str, Any]:
    return {
        "apsp": __version__,
        "date": datetime.datetime.now(datetime.UTC).date().isoformat(),
        "python": platform.python_version(),
        "numpy": np.__version__,
    }
