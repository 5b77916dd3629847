"""`apsp.local_efficiency`: efficiencies of exact distances among the neighbours of vertices."""

from __future__ import annotations

import math
from typing import Any

import apsp
from torture.exact import Exact
from torture.judging import Judging
from torture.promise import WrongError, as_float

__all__ = ["local"]


def local(judging: Judging, call: dict[str, Any]) -> None:
    truth, case = judging.truth, judging.case
    try:
        found = apsp.local_efficiencies(judging.fresh_graph(), threads=call["threads"]).tolist()
    except apsp.RequestError as error:
        if truth.has_negative_arc and "negative" in str(error):
            return
        raise
    if not case.integer and not 1e-20 < truth.largest * case.n < 1e30:
        return
    near: list[set[int]] = [set() for _ in range(case.n)]
    for tail, head in truth.arcs:
        near[tail].add(head)
        near[head].add(tail)
    expected = [_efficiency(judging, sorted(some)) for some in near]
    room = 1e-3 if case.dtype == "float32" else 1e-9
    if not all(math.isclose(a, b, rel_tol=room, abs_tol=1e-300) for a, b in zip(found, expected, strict=True)):
        raise WrongError(f"the local efficiencies are {found}, not {expected}")
    mean = apsp.local_efficiency(judging.fresh_graph(), threads=call["threads"])
    if not math.isclose(mean, sum(found) / max(case.n, 1), rel_tol=1e-9):
        raise WrongError(f"the local efficiency is {mean}, of {found}")
    judging.count("local")


def _efficiency(judging: Judging, members: list[int]) -> float:
    truth, of = judging.truth, {v: place for place, v in enumerate(members)}
    arcs = {(of[t], of[h]): w for t in members for h in members if (w := truth.arcs.get((t, h))) is not None}
    closed = frozenset(of[v] for v in members if v in truth.closed)
    exact = Exact(len(members), arcs, shift=truth.shift, closed=closed)
    total = 0.0
    for v in range(len(members)):
        reciprocals = [1 / as_float(d, truth.shift) for u, d in enumerate(exact.row(v)) if u != v and d]
        try:
            total += math.fsum(reciprocals)
        except OverflowError:  # beyond the range of floats
            total = math.inf
    return total / (len(members) * (len(members) - 1)) if len(members) > 1 else 0.0
