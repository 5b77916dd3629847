"""`apsp.accessibility` and `apsp.nearest`: sums and nearest facilities of integer distances, against exact ones."""

from __future__ import annotations

import random
from typing import Any

import apsp
from torture.judging import Judging
from torture.promise import WrongError

__all__ = ["access"]

OPTIONS = ("sources", "dtype", "method", "device", "threads", "rows")


def access(judging: Judging, call: dict[str, Any]) -> None:
    truth, naming, rng = judging.truth, judging.naming, random.Random(call["seed"])
    options = {name: call[name] for name in OPTIONS if name in call}
    amounts = [[rng.randrange(-3, 9) for _ in range(call["kinds"])] for _ in range(truth.n)]
    cutoffs = sorted({rng.choice((0, 1, 5, 20, 1000, 10**6)) for _ in range(3)})
    told = naming.told(options)
    found = apsp.accessibility(judging.fresh_graph(), _rows(amounts, call), cutoffs=cutoffs, **told)
    if not judging.judgeable(call, call.get("dtype", "auto")) or not judging.case.integer:
        return
    seeds = [rng.randrange(truth.n) for _ in range(min(truth.n, 3))]
    sources = judging.positions(call.get("sources"))
    exact = {source: truth.exact.row(source) for source in set(sources)}
    wanted = [
        [
            [
                sum(amounts[v][kind] for v, d in enumerate(exact[s]) if d is not None and d <= cutoff)
                for cutoff in cutoffs
            ]
            for kind in range(call["kinds"])
        ]
        for s in sources
    ]
    if found.cube.tolist() != wanted:
        raise WrongError(f"accessibility is {found.cube.tolist()}, not {wanted}")
    if truth.cycles(seeds, "auto") != "none":
        return
    exact |= {seed: truth.exact.row(seed) for seed in set(seeds) - exact.keys()}
    near = apsp.nearest(judging.fresh_graph(), naming.say(seeds), call["k"], direction="from")
    none = apsp.unreachable(near.distances.dtype)
    for v in range(truth.n):
        order = sorted((exact[s][v], s) for s in set(seeds) if exact[s][v] is not None)[: call["k"]]
        missing = call["k"] - len(order)
        got = list(zip(near.distances[v].tolist(), near.positions[v].tolist(), strict=True))
        if got != order + [(none, -1)] * missing:
            raise WrongError(f"the facilities nearest to {v} are {got}, not {order}")
    judging.count("access")


def _rows(amounts: list[list[int]], call: dict[str, Any]) -> Any:
    """As the function takes them, also of a graph without vertices."""
    return {f"kind {kind}": [row[kind] for row in amounts] for kind in range(call["kinds"])}
