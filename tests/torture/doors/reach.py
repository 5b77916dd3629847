"""`apsp.reachable`: which vertices can be reached from which, whatever the weights."""

from __future__ import annotations

from typing import Any

import apsp
from torture.exact import reached_from
from torture.judging import Judging
from torture.promise import WrongError

__all__ = ["reach"]


def reach(judging: Judging, call: dict[str, Any]) -> None:
    options = {name: call[name] for name in ("method", "device", "threads") if name in call}
    found = apsp.reachable(judging.fresh_graph(), **options)
    matrix = found.to_numpy()
    count = 0
    for source in range(judging.case.n):
        expected = reached_from(judging.case.n, judging.truth.arcs, [source], judging.truth.closed)
        got = set(matrix[source].nonzero()[0].tolist())
        if got != expected:
            raise WrongError(f"from {source}, {sorted(got ^ expected)} are reached, or are not, wrongly")
        count += len(expected)
    if found.count() != count:
        raise WrongError(f"{found.count()} pairs are counted, not {count}")
