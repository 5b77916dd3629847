"""Sizes of graphs that an emulated GPU counts within the time limit: pilots on small graphs, then one scale per series.

All contestants of a case are counted on the same graph, so that their ratios are fair, and cases that differ in size in
the paper differ here too. Sizes depend on the speed of this machine; the counts for a size do not.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence

from apsp.published.experiments.model import Case, Contestant, Series

__all__ = ["SHARE", "Count", "sizes_for"]

SHARE = 0.2
"""Share of the limit that the largest graph of a series is expected to take, in seconds of the CPU."""

_PILOT, _SMALLEST, _STEP = 64, 48, 32
_ENOUGH = 0.02  # of the limit: a pilot that took this share is extrapolated
_GROWTH = (1.0, 3.5)

Count = Callable[[Case, Contestant, int], None]
"""Counts a case at a number of vertices."""


def sizes_for(
    series: Series, contestants: Sequence[Contestant], scale: float, limit: float, count: Count
) -> dict[str, int]:
    """The vertices of every case.

    Parameters
    ----------
    contestants : sequence of Contestant
        Those that are to be counted.
    scale : float
        Factor on the paper's sizes, which are the maximum.
    limit : float
        Seconds.
    count : callable
    """
    wanted = {case.name: case.input.scaled(scale).n for case in series.cases}
    largest = max(wanted.values())
    if largest <= _PILOT or not contestants:
        return wanted
    if series.axis == "topology":  # they differ in cost, and are compared with each other only at the paper's size
        fitting = {
            case.name: min(_fitting(case, one, wanted[case.name], limit, count) for one in contestants)
            for case in series.cases
        }
        return {name: n if n >= wanted[name] else _rounded(n) for name, n in fitting.items()}
    hardest = [case for case in series.cases if wanted[case.name] == largest]
    most = min(_fitting(case, one, largest, limit, count) for case in hardest for one in contestants)
    return _spread(wanted, most, 1.0 if series.sources else 0.5)


def _fitting(case: Case, one: Contestant, largest: int, limit: float, count: Count) -> int:
    """The largest number of vertices that is expected to take at most `SHARE` of the limit, estimated by pilots of
    doubling size.
    """
    n, before, seconds = _PILOT, 0.0, 0.0
    while True:
        started = time.process_time()
        count(case, one, n)
        before, seconds = seconds, max(time.process_time() - started, 1e-6)
        if seconds > _ENOUGH * limit or 2 * n > largest:
            break
        n *= 2
    growth = math.log2(seconds / before) if before > 0 else 2.0
    growth = min(max(growth, _GROWTH[0]), _GROWTH[1])
    return min(int(n * (SHARE * limit / seconds) ** (1 / growth)), largest)


def _spread(wanted: dict[str, int], most: int, doublings: float) -> dict[str, int]:
    """Sizes in the same order, with `most` for the largest and this number of doublings between two cases, or fewer as
    in the paper.
    """
    low, high = min(wanted.values()), max(wanted.values())
    if most >= high:
        return wanted
    most = _rounded(most)
    steps = len({*wanted.values()}) - 1
    if steps == 0:
        return dict.fromkeys(wanted, most)
    least = min(low, max(_SMALLEST, int(most / 2 ** (doublings * steps))))
    share = {n: math.log(n / low) / math.log(high / low) for n in wanted.values()}
    return {name: _rounded(least * (most / least) ** share[n]) for name, n in wanted.items()}


def _rounded(n: float) -> int:
    """Round down to a multiple of the warp size."""
    return max(int(n) // _STEP * _STEP, _SMALLEST)
