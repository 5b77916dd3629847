"""Invented graphs and machines, as plain data."""

from __future__ import annotations

from typing import Any

from apsp.facts.bounds import DistanceBound
from apsp.facts.constants import Constants, shipped_constants
from apsp.facts.statistics import GraphStatistics
from apsp.system.machine import Machine

GIB = 1 << 30
LAPTOP = Machine(cores=2, isa="avx2", memory_total=16 * GIB, memory_available=12 * GIB)
TINY = Machine(cores=1, isa="baseline", memory_total=2 * GIB, memory_available=GIB)
SERVER = Machine(cores=128, isa="avx512", memory_total=2048 * GIB, memory_available=2000 * GIB)


def constants(machine: Machine = LAPTOP) -> Constants:
    return shipped_constants(machine.isa)


def graph(n: int, m: int, *, dtype: str | None = "int32", low: float = 1, high: float = 100, **changes: Any) -> Any:
    """Statistics of a graph of n vertices and m arcs."""
    bound = DistanceBound(min(low, 0) * (n - 1), high * (n - 1), "a path has at most n - 1 arcs")
    values: dict[str, Any] = {
        "n": n,
        "m": m,
        "is_weighted": dtype is not None,
        "weight_dtype": dtype,
        "has_negative_arc": low < 0,
        "has_zero_arc": False,
        "has_zones": False,
        "min_weight": low,
        "max_weight": high,
        "max_out_degree": m // max(n, 1),
        "bound": bound,
    }
    return GraphStatistics(**(values | changes))


def bounded(low: float, high: float, *, dtype: str | None = "int32", weight: float = 1, least: float = 0) -> Any:
    """A graph whose distances are proven to lie in [low, high]."""
    return graph(100, 400, dtype=dtype, low=least, high=weight, bound=DistanceBound(low, high, "a proof"))
