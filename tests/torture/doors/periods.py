"""`Graph.with_periods`, and `apsp.prepare` of the periods: each has the distances of its graph alone."""

from __future__ import annotations

import random
from typing import Any

import apsp
from torture.doors.oracle import checked_oracle, csr_weights, other_weights
from torture.judging import Judging
from torture.promise import check_rows

__all__ = ["periods"]


def periods(judging: Judging, call: dict[str, Any]) -> None:
    rng, graph = random.Random(call["seed"]), judging.fresh_graph()
    others = [Judging(other_weights(judging, rng)) for _ in range(2)]
    judges = [judging, *(rng.choice((judging, *others)) for _ in range(call["periods"]))]
    weights = {f"slice {number}": csr_weights(judge) for number, judge in enumerate(judges)}
    day = graph.with_periods(weights)
    made = apsp.prepare(day, threads=call["threads"], device=call.get("device", "auto"))
    n = judging.case.n
    if n == 0 or not all(judge.judgeable({}, made.dtype.name) for judge in judges):
        return
    say = judging.naming.say
    sources, targets = ([rng.randrange(n) for _ in range(rng.randint(1, 3))] for _ in range(2))
    matrices = made.matrix(say(sources), say(targets))
    pairs = made.distances(say([sources[0]] * len(targets)), say(targets))
    for judge, matrix, row in zip(judges, matrices, pairs, strict=True):
        check_rows(judge.truth, sources, targets, matrix)
        check_rows(judge.truth, sources[:1], targets, row[None])
    for number in {0, len(judges) - 1}:
        checked_oracle(judges[number], call, made[f"slice {number}"])
    judging.count("periods")
