"""The measurements of a table or figure beside the printed numbers: rows with ratios, as text and as CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from apsp.published.experiments import counts_table
from apsp.published.experiments.cells import Cell
from apsp.published.experiments.counts_table import count_lines
from apsp.published.experiments.evidence import verdicts
from apsp.published.experiments.model import Claim, Series
from apsp.published.experiments.words import aligned, seconds_words, times

__all__ = ["Row", "claims", "csv_text", "missing", "overheads", "rows", "seconds_words", "skipped", "text", "which"]


@dataclass(frozen=True)
class Row:
    """One contestant on one case: measured, or estimated if it was stopped.

    Attributes
    ----------
    cell : Cell
    then : float or None
        Printed seconds over ours, if the graph is as large as the paper's.
    over_baseline, printed_over_baseline : float or None
        Speed-up over the baseline of the series: here, and in the paper.
    over_published : float or None
        For a tuned solver: speed-up over the fastest published method that ran.
    """

    cell: Cell
    then: float | None
    over_baseline: float | None
    printed_over_baseline: float | None
    over_published: float | None


def rows(series: Series, cells: Iterable[Cell]) -> list[Row]:
    """The measurements, case by case in the order of the series."""
    known = {(cell.case, cell.label): cell for cell in cells if cell.time is not None}
    found = []
    for case in series.cases:
        here = [known[case.name, one.label] for one in series.entries if (case.name, one.label) in known]
        published = [cell.seconds for cell in here if not cell.is_tuned and cell.seconds is not None]
        base = known.get((case.name, series.baseline))
        for cell in here:
            printed = series.printed.get((case.name, series.baseline))
            found.append(
                Row(
                    cell,
                    _ratio(cell.printed, cell.time) if cell.n == case.input.n else None,
                    _ratio(None if base is None else base.time, cell.time),
                    _ratio(printed, cell.printed),
                    _ratio(min(published, default=None), cell.seconds) if cell.is_tuned else None,
                )
            )
    return found


def _ratio(slow: float | None, fast: float | None) -> float | None:
    return None if slow is None or not fast else slow / fast


def skipped(cells: Iterable[Cell]) -> list[tuple[str, str, list[str]]]:
    """Return (labels, reason, cases) of contestants that were not run, or not completely, except those that the machine
    lacks something for: see `missing`.
    """
    cases: dict[tuple[str, str], list[str]] = {}
    for cell in cells:
        if cell.reason is not None and cell.lacks is None:
            cases.setdefault((cell.label, cell.reason), []).append(cell.case)
    labels: dict[tuple[str, tuple[str, ...]], list[str]] = {}
    for (label, reason), found in cases.items():
        labels.setdefault((reason, tuple(found)), []).append(label)
    return [(", ".join(each), reason, [*found]) for (reason, found), each in labels.items()]


def which(series: Series, cases: Sequence[str]) -> str:
    """Name the cases; 'every input' for all cases of a series with more than two."""
    return "every input" if len(cases) == len(series.cases) > 2 else ", ".join(cases)


def missing(cells: Iterable[Cell]) -> list[str]:
    """Sentences on what the machine lacks, one for all tables and methods that lack it."""
    labels: dict[str, dict[str, None]] = {}
    reasons: dict[str, str] = {}
    for cell in cells:
        if cell.lacks is not None:
            labels.setdefault(cell.lacks, {})[cell.label] = None
            reasons[cell.lacks] = cell.reason or ""
    return [
        f"not run: {len(each)} {'solvers need' if len(each) > 1 else 'solver needs'} {lacks}: {'; '.join(each)} "
        f"({reasons[lacks]})"
        for lacks, each in labels.items()
    ]


Range = tuple[float, float] | None
"""The smallest and the largest ratio that was measured; None if there is none."""


def claims(series: Series, cells: Sequence[Cell]) -> list[tuple[Claim, Range, Range]]:
    """Every claim with the ratios of complete runs, and of the time in which kernels ran."""
    whole = {(cell.case, cell.label): cell.time for cell in cells if cell.time}
    kernels = {(cell.case, cell.label): cell.kernels for cell in cells if cell.seconds and cell.kernels}
    return [
        (claim, _range(series, claim, whole), _range(series, claim, kernels))
        for claim in series.claims
        if claim.faster != claim.slower
    ]


def _range(series: Series, claim: Claim, seconds: Mapping[tuple[str, str], float]) -> Range:
    pairs = [(seconds.get((case.name, claim.slower)), seconds.get((case.name, claim.faster))) for case in series.cases]
    ratios = [slow / fast for slow, fast in pairs if slow and fast]
    return (min(ratios), max(ratios)) if ratios else None


def overheads(series: Series, cells: Iterable[Cell]) -> list[tuple[str, float]]:
    """Return (text, share) for the extra work of the series: the time that it adds to the run, and its time relative to
    that of the costs.
    """
    if series.overhead is None:
        return []
    known = {(cell.case, cell.label): cell for cell in cells if cell.seconds}
    without, with_ = series.overhead
    found = []
    for case in series.cases:
        short, long = known.get((case.name, without)), known.get((case.name, with_))
        if short and long and short.seconds and long.seconds:
            found.append((f"added by recording, {case.name}", long.seconds / short.seconds - 1))
        if long is not None and long.recording_share is not None:
            found.append((f"time of recording over that of costs, {case.name}", long.recording_share))
    return found


HEADER = (
    "input", "n", "method", "device", "median", "min - max", "kernels", "paper", "paper / here", "over baseline",
    "paper's", "over best published",
)  # fmt: skip


def words(row: Row) -> tuple[str, ...]:
    """A row under `HEADER`."""
    cell = row.cell
    median, spread = seconds_words(cell.seconds), f"{seconds_words(cell.low)} - {seconds_words(cell.high)}"
    if cell.seconds is None:
        median, spread = f"about {seconds_words(cell.estimate)}", f"stopped at {seconds_words(cell.stopped_after)}"
    return (
        cell.case, f"{cell.n:,}", cell.label, cell.device or "", median, spread,
        "" if cell.kernels is None else seconds_words(cell.kernels), seconds_words(cell.printed), times(row.then),
        times(row.over_baseline), times(row.printed_over_baseline), times(row.over_published),
    )  # fmt: skip


def text(series: Series, cells: Sequence[Cell]) -> str:
    """A series for the terminal."""
    lines = [series.title, "=" * len(series.title), ""]
    is_counted = any(cell.counts is not None for cell in cells)
    if is_counted:
        lines += [*count_lines(series, cells), ""]
    timed = rows(series, cells)
    if timed or not is_counted:
        lines += aligned([HEADER, *(words(row) for row in timed)])
    if is_counted:
        lines += [f"claimed: {each.claim.text}; {each.words}" for each in verdicts(series, cells)]
    else:
        lines.append(f"baseline: {series.baseline}")
        lines += [f"claimed: {claim.text}; here {claim_words(*found)}" for claim, *found in claims(series, cells)]
        lines += [f"{words}: {share:.1%}" for words, share in overheads(series, cells)]
    lines += [f"not finished: {label} ({which(series, cases)}): {reason}" for label, reason, cases in skipped(cells)]
    if series.note:
        lines.append(f"note: {series.note}")
    return "\n".join(lines) + "\n"


def claim_words(whole: Range, kernels: Range) -> str:
    """The measured ranges of a claim."""
    if whole is None:
        return "not measured"
    return _range_words(whole) + ("" if kernels is None else f" (kernels alone {_range_words(kernels)})")


def _range_words(found: tuple[float, float]) -> str:
    low, high = (times(ratio) for ratio in found)
    return low if low == high else f"{low} to {high}"


_COLUMNS = (
    "series", "case", "n", "m", "label", "method", "device", "dtype", "is_tuned", "seconds", "low", "high", "rounds",
    "estimate", "kernels", "recording_share", "printed", "checked", "reason",
)  # fmt: skip


def csv_text(measured: Iterable[tuple[Series, Sequence[Cell]]]) -> str:
    """Return all measurements, one per line, with the ratios of `rows`, or with the reason for those that were not run.

    If there are counts, they follow, with the prediction of the model.
    """
    measured = list(measured)
    is_counted = any(cell.counts is not None for _, cells in measured for cell in cells)
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    ratios = ("then", "over_baseline", "printed_over_baseline", "over_published")
    writer.writerow([*_COLUMNS, *ratios, *(counts_table.COLUMNS if is_counted else ())])
    for series, cells in measured:
        known = {row.cell.key: row for row in rows(series, cells)}
        for cell in cells:
            row = known.get(cell.key)
            values = [getattr(cell, name) for name in _COLUMNS]
            values += [None if row is None else getattr(row, name) for name in ratios]
            writer.writerow([*values, *(counts_table.values(series, cell) if is_counted else ())])
    return file.getvalue()
