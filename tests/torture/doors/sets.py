"""`apsp.distance_statistics`: numbers of integer distances between groups and per source, against exact ones."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import apsp
from torture.judging import Judging
from torture.promise import WrongError

__all__ = ["sets"]

SHARES = (0.5, 0.9)


def sets(judging: Judging, options: dict[str, Any], rows: dict[int, list[int | None]]) -> None:
    """Compare with the exact rows of the sources; three groups, and vertices without one."""
    n, naming = judging.case.n, judging.naming
    of = {v: v % 4 for v in range(n) if v % 4 < 3}
    groups = dict(zip(naming.say(list(of)), of.values(), strict=True))
    for per in ("group", "source"):
        found = apsp.distance_statistics(
            judging.fresh_graph(), groups, per=per, quantiles=SHARES, bins=8, **naming.told(options)
        )
        given = judging.positions(options.get("sources"))
        sources = [[s for s in rows if of.get(s) == name] for name in found.names]
        sources = [[s] for s in given] if per == "source" else sources
        for i, some in enumerate(sources):
            for j, name in enumerate(found.names):
                ends = [rows[s][v] for s in some for v in range(n) if of.get(v) == name and v != s]
                _compare(found, i, j, ends)
    judging.count("sets")


def _compare(found: apsp.DistanceStatistics, i: int, j: int, ends: list[int | None]) -> None:
    values = sorted(d for d in ends if d is not None)
    counted = int(found.pairs[i, j]), int(found.pairs_without_path[i, j]), int(found.total[i, j])
    if counted != (len(values), len(ends) - len(values), sum(values)):
        raise WrongError(f"the pairs of sets {i}, {j} are said to be {counted}, of {values}")
    if found.counts is not None and int(found.counts[i, j].sum()) != len(values):
        raise WrongError(f"the histogram of sets {i}, {j} has {found.counts[i, j].sum()} pairs, not {len(values)}")
    if not values:
        return
    mean = float(Fraction(sum(values), len(values)))
    ranks = [max(math.ceil(share * len(values)), 1) - 1 for share in SHARES]
    numbers = [found.smallest[i, j], found.largest[i, j], *found.quantiles[i, j].tolist()]
    expected = [values[0], values[-1], *(values[rank] for rank in ranks)]
    if numbers != expected or not math.isclose(found.mean[i, j], mean, rel_tol=1e-15):
        raise WrongError(
            f"the distances of sets {i}, {j} are said to be {numbers}, {found.mean[i, j]}: {expected}, {mean}"
        )
