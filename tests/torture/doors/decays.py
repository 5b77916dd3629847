"""`apsp.accessibility` with decays, competition and both directions, against sums over exact distances."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from typing import Any

import apsp
from torture.judging import Judging
from torture.promise import WrongError, as_float

__all__ = ["decays"]

OPTIONS = ("sources", "method", "device", "threads", "rows")


def decays(judging: Judging, call: dict[str, Any]) -> None:
    truth, n, naming = judging.truth, judging.case.n, judging.naming
    rng = random.Random(call["seed"])
    if n > 60 or truth.has_negative_arc or not 1e-6 < truth.largest * max(n, 1) < 1e15:
        return
    size = truth.largest or 1
    decay = rng.choice((None, "exponential", "gaussian", "logistic", "power", "linear"))
    options: dict[str, Any] = {name: call[name] for name in OPTIONS if name in call}
    betas = {"exponential": 1 / size, "gaussian": 1 / size**2, "logistic": 2 / size, "power": 1.5, "linear": 0.3 / size}
    beta = betas.get(decay or "")
    middle = float(size) if decay == "logistic" else None
    shape = _function(decay, beta or 0.0, middle or 0.0)
    cutoff = None
    if decay is None or rng.random() < 0.5:  # of floats between their distances: no vertex is at the cutoff itself
        cutoff = rng.choice((1, 2, 3)) * size + (0 if judging.case.integer else math.pi / 1000 * size)
    amounts = [rng.randrange(6) for _ in range(n)]
    people = [rng.randrange(4) for _ in range(n)] if rng.random() < 0.4 else None
    told = naming.told(options) | {"decay": decay, "beta": beta, "midpoint": middle, "cutoffs": cutoff}
    told |= {"direction": call["direction"], "competition": people}
    found = apsp.accessibility(judging.fresh_graph(), amounts, **told)
    rows = [truth.exact.row(v) for v in range(n)]
    exact = [[None if d is None else as_float(d, truth.shift) for d in row] for row in rows]
    if call["direction"] == "in":
        exact = [list(column) for column in zip(*exact, strict=True)]

    def factor(i: int, j: int) -> float:
        d = exact[i][j]
        return 0.0 if d is None or (cutoff is not None and d > cutoff) else shape(d)

    offered: list[float] = [float(amount) for amount in amounts]
    if people is not None:
        needed = [math.fsum(people[i] * factor(i, j) for i in range(n)) for j in range(n)]
        offered = [amount / need if need > 0 else 0.0 for amount, need in zip(amounts, needed, strict=True)]
    wanted = [math.fsum(offered[j] * factor(i, j) for j in range(n)) for i in judging.positions(call.get("sources"))]
    room = 1e-9 if judging.case.dtype != "float32" else 1e-3
    if not all(math.isclose(a, b, rel_tol=room, abs_tol=1e-12) for a, b in zip(found.values, wanted, strict=True)):
        raise WrongError(f"accessibility, {decay} within {cutoff}, is {found.values.tolist()}, not {wanted}")
    judging.count("decays")


def _function(decay: str | None, beta: float, middle: float) -> Callable[[float], float]:
    """The function of the distance that the documentation states."""
    if decay == "exponential":
        return lambda d: math.exp(-beta * d)
    if decay == "gaussian":
        return lambda d: math.exp(-beta * d * d)
    if decay == "logistic":
        return lambda d: (1 + math.exp(-beta * middle)) / (1 + math.exp(min(beta * (d - middle), 700)))
    if decay == "power":
        return lambda d: 1.0 if d <= 1 else d**-beta
    if decay == "linear":
        return lambda d: max(0.0, 1 - beta * d)
    return lambda d: 1.0
