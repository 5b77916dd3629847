"""`apsp.product`: matrices over every semiring, in batches, with the smallest place that attains each entry."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import numpy as np

import apsp
from apsp.semiring import MAX_PLUS, SEMIRINGS
from apsp.system.array_device import to_host
from torture.judging import Judging
from torture.promise import WrongError

__all__ = ["products"]

_JOINS: dict[str, Callable[[Any, Any], Any]] = {
    "min_plus": lambda a, b: a + b, "max_plus": lambda a, b: a + b, "max_min": min, "min_max": max,
    "or_and": lambda a, b: a and b,
}  # fmt: skip


def products(judging: Judging, call: dict[str, Any]) -> None:
    """The graph is not used: matrices come from the seed."""
    rng = random.Random(call["seed"])
    name = rng.choice(list(_JOINS))
    dtype = _dtype(rng, name)
    m, k, n = (rng.choice((0, 1, 2, 3, 7, 20)) for _ in range(3))
    batch = rng.choice(((), (2,), (3, 1)))
    none = False if name == "or_and" else {"max_plus": MAX_PLUS, **SEMIRINGS}[name].no_path(np.dtype(dtype))
    share = rng.choice((0.0, 0.3, 0.9))
    a, b = _drawn(rng, (*batch, m, k), dtype, none, share), _drawn(rng, (k, n), dtype, none, share)
    device = call.get("device", "cpu")
    both = apsp.product(a, b, semiring=name, witness=True, device=device, threads=call["threads"])
    found, witness = map(to_host, both)
    alone = apsp.product(a, b, semiring=name, device=device, threads=call["threads"])
    if not np.array_equal(found, to_host(alone)):
        raise WrongError(f"product {name} differs with and without the witness")
    best = max if name in ("max_plus", "max_min", "or_and") else min
    absent = False if name == "or_and" else {"max_plus": MAX_PLUS, **SEMIRINGS}[name].no_path(found.dtype)
    for place in np.ndindex(found.shape):
        row, column = a[place[:-1]].tolist(), b[:, place[-1]].tolist()
        joined = [
            (_JOINS[name](x, y), at) for at, (x, y) in enumerate(zip(row, column, strict=True))
            if none not in (x, y)
        ]  # fmt: skip
        value = best((value for value, _ in joined), default=absent)
        where = min((at for each, at in joined if each == value), default=-1)
        if (found[place], witness[place]) != (value, where):
            raise WrongError(
                f"product {name}, {dtype}, {a.shape} by {b.shape}, at {place}: {found[place]} from {witness[place]}, "
                f"not {value} from {where}"
            )
    judging.count("products", f"product {name}")


def _dtype(rng: random.Random, name: str) -> str:
    if name == "or_and":
        return "bool"
    return rng.choice(("int32", "int64", "float32", "float64", *(("uint16",) if name == "min_plus" else ())))


def _drawn(rng: random.Random, shape: tuple[int, ...], dtype: str, none: Any, share: float) -> np.ndarray:
    """Small whole numbers, whose sums are exact in every dtype."""
    low = 0 if dtype == "uint16" else -9
    values = np.array([rng.randint(low, 9) for _ in range(int(np.prod(shape)))]).reshape(shape)
    found = (values > 0) if dtype == "bool" else values.astype(dtype)
    found[np.array([rng.random() < share for _ in range(found.size)], dtype=bool).reshape(shape)] = none
    return found
