"""The fastest of the CPU kernels that compute the same values, which depends on the processor.

Input: the dtype, what is proven of the values, the rates that `apsp tune` stored. Output: the name of the kernels that
calls of this process use. Cost: a third of a millisecond, once per process and kind of values, if there is a choice and
no rate is stored.

The idea: floats that are all at least 0 may be compared as floats or as integers, and sums of uint16 that are proven to
stay in the range need not saturate. Each is faster on some processors, because the instructions share execution ports.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import NamedTuple

from apsp import _cpu
from apsp.facts.constants import load_constants
from apsp.facts.dtypes import in_half_range
from apsp.facts.statistics import GraphStatistics, kept_statistics
from apsp.graph.model import Graph
from apsp.semiring import Algebra, Semiring

__all__ = ["Choice", "algebra_for", "choice", "forget_choices", "measured"]

_WORTH_A_CHOICE = 1 << 24
"""(add, min) pairs of a call."""

_ROUNDS, _SECONDS = 3, 5e-5

_KINDS = (("float32", True, False), ("float64", True, False), ("uint16", True, True))
"""dtype, nonnegative, half_range: values for which there may be a choice."""


class Choice(NamedTuple):
    """The kernels in use for one kind of values.

    Attributes
    ----------
    name : str
        Instruction set and arithmetic, as `apsp._cpu.dense_variants` lists them.
    rates : dict
        (add, min) pairs per second of one core, by name.
    is_stored : bool
        `apsp tune` measured them; otherwise this process did.
    """

    name: str
    rates: Mapping[str, float]
    is_stored: bool


def algebra_for(graph: Graph | GraphStatistics, semiring: Semiring) -> Algebra:
    """What the kernels compute in, with what is proven by the statistics of a graph, or by those stored with it."""
    known = graph if isinstance(graph, GraphStatistics) else kept_statistics(graph)
    in_half = semiring.join == "add" and known is not None and in_half_range(known)
    return Algebra(semiring, not graph.has_negative_arc, in_half)


def choice(dtype: str, algebra: Algebra, pairs: int) -> Choice | None:
    """Choose the fastest kernels for this and later calls of this process.

    None if there is nothing to choose from, or if this number of (add, min) pairs takes less time than the choice.
    """
    if pairs < _WORTH_A_CHOICE or algebra.semiring.name != "min_plus":
        return None
    kind = (dtype, algebra.nonnegative, algebra.half_range and dtype == "uint16")
    if kind not in _KINDS:
        return None
    stored = load_constants(_cpu.isa()).values.get("floyd-warshall", {})
    names = _cpu.dense_variants(*kind)
    return _choice(*kind, tuple((name, stored.get(_constant(dtype, name), 0.0)) for name in names))


@functools.cache
def _choice(dtype: str, nonnegative: bool, half_range: bool, stored: tuple[tuple[str, float], ...]) -> Choice | None:
    """stored: the names of all kernels, and their seconds per pair, 0 if `apsp tune` has not measured them."""
    if len(stored) < 2:
        return None
    is_stored = min(seconds for _, seconds in stored) > 0
    if is_stored:
        rates = {name: 1 / seconds for name, seconds in stored}
    else:
        rates = _rates(dtype, nonnegative, half_range, _SECONDS)
    best = max(rates, key=rates.__getitem__)
    _cpu.dense_prefer(dtype, nonnegative, half_range, best)
    return Choice(best, rates, is_stored)


def measured(seconds: float) -> dict[str, float]:
    """Seconds per pair of all kernels among which there is a choice, by name of the constant, for `apsp tune`."""
    found: dict[str, float] = {}
    for dtype, nonnegative, half_range in _KINDS:
        if len(_cpu.dense_variants(dtype, nonnegative, half_range)) > 1:
            rates = _rates(dtype, nonnegative, half_range, seconds / _ROUNDS)
            found |= {_constant(dtype, name): 1 / rate for name, rate in rates.items()}
    return found


def forget_choices() -> None:
    """Let the next call choose again, by the rates that are stored then."""
    _choice.cache_clear()


def _constant(dtype: str, name: str) -> str:
    return f"kernel.{dtype}.{name}"


def _rates(dtype: str, nonnegative: bool, half_range: bool, seconds: float) -> dict[str, float]:
    """Measure in turns, since other processes may disturb one of them."""
    rates = dict.fromkeys(_cpu.dense_variants(dtype, nonnegative, half_range), 0.0)
    for _ in range(_ROUNDS):
        for name, best in rates.items():
            rates[name] = max(best, _cpu.dense_rate(dtype, nonnegative, half_range, name, seconds))
    return rates
