"""Counts of a series as rows: a selection for the terminal and the page, everything for CSV."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from apsp.gpu.counts import COUNTED
from apsp.published.experiments.cells import Cell
from apsp.published.experiments.counting import MEASURES, short, value
from apsp.published.experiments.extrapolate import Prediction, prediction, predictions
from apsp.published.experiments.model import Series
from apsp.published.experiments.words import aligned, seconds_words, times

__all__ = [
    "COLUMNS",
    "PREDICTED",
    "SHOWN",
    "CountRow",
    "count_lines",
    "count_rows",
    "count_words",
    "header",
    "predicted_rows",
    "values",
]

SHOWN = (
    "launches", "requests", "sectors", "transactions_cc10", "shared_requests", "bank_conflicts_cc1", "atomics",
    "atomic_collisions", "divergent_branches", "barriers", "bus",
)  # fmt: skip
"""The measures of the terminal and the page."""


@dataclass(frozen=True)
class CountRow:
    """One contestant on one case.

    Attributes
    ----------
    cell : Cell
    ratio : float or None
        The measure of the series: that of the baseline over that of this contestant.
    """

    cell: Cell
    ratio: float | None


def count_rows(series: Series, cells: Iterable[Cell]) -> list[CountRow]:
    """The counts, case by case in the order of the series."""
    known = {(cell.case, cell.label): cell for cell in cells if cell.counts is not None}
    found = []
    for case in series.cases:
        base = known.get((case.name, series.counted_baseline))
        most = None if base is None else value(base, series.count)
        for one in series.contestants:
            cell = known.get((case.name, one.label))
            if cell is not None:
                own = value(cell, series.count)
                found.append(CountRow(cell, most / own if most is not None and own else None))
    return found


def header(series: Series) -> tuple[str, ...]:
    """Return the heading of `count_words`."""
    ratio = f"{MEASURES[series.count].heading}, {series.counted_baseline} over this"
    return ("input", "n", "paper's n", "sources", "method", *(MEASURES[name].heading for name in SHOWN), ratio)


def count_words(row: CountRow) -> tuple[str, ...]:
    """A row under `header`."""
    cell = row.cell
    return (
        cell.case, f"{cell.n:,}", f"{cell.paper_n or cell.n:,}", "all" if cell.sources is None else f"{cell.sources}",
        cell.label, *(short(value(cell, name)) for name in SHOWN), times(row.ratio),
    )  # fmt: skip


PREDICTED = ("input", "method", "predicted for", "predicted", "printed", "error", "bound by", "counts")


def predicted_rows(series: Series, cells: Iterable[Cell]) -> list[tuple[str, ...]]:
    """Predicted beside printed seconds, under `PREDICTED`."""
    known = {(cell.case, cell.label): cell for cell in cells}
    return [_predicted(cell, found) for cell, found in predictions(series, known)]


def _predicted(cell: Cell, found: Prediction) -> tuple[str, ...]:
    gpu = found.gpu if found.gpus == 1 else f"{found.gpus} x {found.gpu}"
    error = "" if found.error is None else f"{found.error:+.0%}"
    return (
        cell.case, cell.label, gpu, seconds_words(found.seconds.whole), seconds_words(found.printed), error,
        found.seconds.bound, found.origin,
    )  # fmt: skip


def count_lines(series: Series, cells: Sequence[Cell]) -> list[str]:
    """Return both tables for the terminal."""
    lines = aligned([header(series), *(count_words(row) for row in count_rows(series, cells))])
    rows = predicted_rows(series, cells)
    if rows:
        lines += ["", "seconds by the model of the paper's GPU, beside the printed ones", *aligned([PREDICTED, *rows])]
    return lines


_EXTRA = ("bytes_to_device", "bytes_to_host", "copies_to_device", "copies_to_host")
COLUMNS = (
    "paper_n", "sources", *COUNTED, *_EXTRA, "model_gpu", "model_seconds_of_counts", "model_seconds_of_paper",
    "model_bound", "model_error", "model_origin",
)  # fmt: skip
"""Additional columns of CSV if there are counts."""


def values(series: Series, cell: Cell) -> list[Any]:
    """A cell under `COLUMNS`."""
    counts = cell.counts or {}
    values: list[Any] = [cell.paper_n, cell.sources, *(counts.get(name) for name in (*COUNTED, *_EXTRA))]
    case = next(case for case in series.cases if case.name == cell.case)
    one = next(one for one in series.entries if one.label == cell.label)
    here = prediction(series, case, one, cell, as_counted=True)
    there = prediction(series, case, one, cell)
    if here is None or there is None:
        return values + [None] * 6
    return [*values, here.gpu, here.seconds.whole, there.seconds.whole, there.seconds.bound, there.error, there.origin]
