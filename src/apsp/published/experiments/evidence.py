"""Counts compared with the claims of a paper: ratios, and whether they explain the claim."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import inf, log

from apsp.published.experiments.cells import Cell
from apsp.published.experiments.counting import MEASURES, short, value
from apsp.published.experiments.extrapolate import at_paper_size, prediction
from apsp.published.experiments.model import Case, Claim, Contestant, Evidence, Series

__all__ = ["Verdict", "verdicts"]

_WITHIN = 1.25
"""A ratio of counts this close to a ratio of times counts as the same."""

_HALF = 0.5
"""Counts that account for less than this share of the difference, as a logarithm, do not explain it."""

_EVEN = 1.02

Range = tuple[float, float]
Known = Mapping[tuple[str, str], Cell]


@dataclass(frozen=True)
class Verdict:
    """A claim compared with counts.

    Attributes
    ----------
    claim : Claim
    ratios : tuple of str
        One sentence for each piece of evidence that was counted.
    sentence : str
        Whether the counts explain the claim.
    """

    claim: Claim
    ratios: tuple[str, ...]
    sentence: str

    @property
    def words(self) -> str:
        """The verdict in one line."""
        return " ".join([*(f"{ratio}." for ratio in self.ratios), self.sentence])


def verdicts(series: Series, cells: Sequence[Cell]) -> list[Verdict]:
    """Return the verdicts on all claims of a series."""
    known = {(cell.case, cell.label): cell for cell in cells if cell.counts is not None}
    return [_verdict(series, claim, known) for claim in series.claims]


def _verdict(series: Series, claim: Claim, known: Known) -> Verdict:
    found = [(each, ratios) for each in claim.evidence if (ratios := _ratios(series, each, known)) is not None]
    lines = [_words(each, ratios) for each, ratios in found]
    modelled = _modelled(series, claim, known)
    if modelled is not None:
        words = f"seconds by the model at the paper's size, {claim.slower} over {claim.faster}"
        lines.append(f"{words}: {_range(modelled)}")
    because = f" {claim.because}" if claim.because else ""
    if not found and modelled is None:
        return Verdict(claim, (), f"The counts cannot be compared with this claim.{because}")
    if found and not claim.by_model:
        first, ratios = found[0]
        if not first.under and first.low is None:
            return Verdict(claim, tuple(lines), f"The counts show it.{because}")
        low, high = (first.low, first.high) if first.low is not None else (claim.low, claim.high)
        return Verdict(claim, tuple(lines), f"{_judged(ratios, low, high, 'The counts')}{because}")
    if modelled is None:
        return Verdict(claim, tuple(lines), f"The paper's GPU is not known, so that the claim is not judged.{because}")
    return Verdict(claim, tuple(lines), f"{_judged(modelled, claim.low, claim.high, 'Counts with the model')}{because}")


def _judged(found: Range, low: float | None, high: float | None, who: str) -> str:
    """Return the sentence; `low` to `high` is the range in the paper, None if it states a direction only."""
    if low is None and high is None:
        if found[0] > _EVEN:
            return f"{who} explain the direction."
        return f"{who} explain the direction in some cases only." if found[1] > _EVEN else f"{who} do not explain it."
    least = low if low is not None else 0.0
    most = high if high is not None else inf
    upward = least > 1 or (low is None and most > 1)
    bounds = [abs(log(bound)) for bound in (least, most) if 0 < bound < inf]
    effect = sorted(abs(log(ratio)) if ratio else inf for ratio in found)
    if (least - 1) * (most - 1) < 0 or effect[-1] >= min(bounds) * _HALF:
        if found[0] >= least / _WITHIN and found[1] <= most * _WITHIN:
            return f"{who} explain the claim."
        if found[1] >= least / _WITHIN and found[0] <= most * _WITHIN:
            return f"{who} explain a part of the range."
    if not (found[1] > _EVEN if upward else found[0] < 1 / _EVEN):
        return f"{who} do not explain the claim."
    further = "further" if effect[0] > max(bounds) else "less far"
    return f"{who} point the same way, but {further} than the paper says."


def _ratios(series: Series, each: Evidence, known: Known) -> Range | None:
    """The smallest and the largest ratio of the cases; None if nothing was counted."""
    if each.over_case:
        above, below = (_at_paper_size(series, each, *side, known) for side in _sides(each))
        return (above / below, above / below) if above is not None and below else None
    found = []
    for case in series.cases:
        over, under = known.get((case.name, each.over)), known.get((case.name, each.under))
        if over is None or (each.under and under is None):
            continue
        above = value(over, each.count, each.kernels)
        below = value(under, each.count, each.kernels) if under is not None else _sources(each, over)
        if above is not None and below:
            found.append(above / below)
    return (min(found), max(found)) if found else None


def _sources(each: Evidence, cell: Cell) -> int:
    return (cell.sources or cell.n) if each.per_source else 1


def _sides(each: Evidence) -> tuple[tuple[str, str], tuple[str, str]]:
    return (each.over_case, each.over), (each.under_case, each.under)


def _at_paper_size(series: Series, each: Evidence, case: str, label: str, known: Known) -> float | None:
    """A count of the paper's graph, since cases that are compared may be counted at different sizes."""
    cell = known.get((case, label))
    if cell is None:
        return None
    where = next(one for one in series.cases if one.name == case)
    who = next(one for one in series.contestants if one.label == label)
    kernels = at_paper_size(where, who, cell)
    add = MEASURES[each.count].sum
    return sum(add(kernel.to_dict()) for kernel in kernels if each.kernels in kernel.kernel)


def _words(each: Evidence, ratios: Range) -> str:
    which = MEASURES[each.count].words + (f" of {each.kernels} kernels" if each.kernels else "")
    which += " at the paper's size" if each.over_case else ""
    over = f"{each.over}{f' ({each.over_case})' if each.over_case else ''}"
    if not each.under:
        return f"{which}, {over}: {_range(ratios, '')}{' per source' if each.per_source else ''}"
    under = f"{each.under}{f' ({each.under_case})' if each.under_case else ''}"
    said = "" if each.low is None else f" (the paper says {_range((each.low, each.high or each.low))})"
    return f"{which}, {over} over {under}: {_range(ratios)}{said}"


def _range(found: Range, unit: str = "x") -> str:
    low, high = (f"{number:.3g}{unit}" if number < 1e4 else f"{short(number)}{unit}" for number in found)
    return low if low == high else f"{low} to {high}"


def _modelled(series: Series, claim: Claim, known: Known) -> Range | None:
    """Predicted seconds of the slower over those of the faster, for the paper's graphs."""
    if claim.slower == claim.faster:
        return None
    slow, fast = ([one for one in series.contestants if one.label == label] for label in (claim.slower, claim.faster))
    if not slow or not fast:
        return None
    found = []
    for case in series.cases:
        pair = [_seconds(series, case, one, known) for one in (slow[0], fast[0])]
        if pair[0] is not None and pair[1]:
            found.append(pair[0] / pair[1])
    return (min(found), max(found)) if found else None


def _seconds(series: Series, case: Case, one: Contestant, known: Known) -> float | None:
    cell = known.get((case.name, one.label))
    if cell is None:
        return None
    whole = prediction(series, case, one, cell)
    return None if whole is None else whole.seconds.whole
