"""Seconds of the published methods on GPUs, from constants that are data by method.

The host launches them round after round, so that the time of small graphs depends on rounds and launches, and that of
large ones on pairs or arcs. The number of rounds depends on the graph: the models use n for rings and trees, and that
of random graphs for others, which is correct within a factor of two or three for most; a road network needs more.
"""

from __future__ import annotations

import functools
import json
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import resources
from typing import Any

import numpy as np

from apsp.facts.gpu_rates import GpuRates
from apsp.facts.placement import Placement
from apsp.facts.statistics import GraphStatistics
from apsp.facts.work import Work
from apsp.published.katz_kider_pages import BLOCK
from apsp.published.task_size import TASKS

__all__ = ["MODELS", "ORIGIN", "frontiers_of_random", "relaxed_of_random", "rounds_of_random", "seconds_of_published"]

ORIGIN = "constants of the published methods measured on an H200, rounds as on random graphs"

_RELAXED_AGAIN = 3.0
"""Number of relaxations per arc of a random graph until costs converge: 1.6 to 4.4 at 64 to 65,536 vertices."""

_TOGETHER = 0.7
"""Share of the rate of one GPU that each of several reaches with the naive distribution."""

_PRED = 8e-9
"""Seconds per entry, on one core."""

Values = Mapping[str, float]


@dataclass(frozen=True)
class _Given:
    """The input of the models."""

    statistics: GraphStatistics
    work: Work
    placement: Placement
    rates: GpuRates

    @property
    def itemsize(self) -> int:
        return np.dtype(self.work.dtype).itemsize


def seconds_of_published(
    name: str, statistics: GraphStatistics, work: Work, rates: GpuRates, placement: Placement, *, to_host: bool
) -> float:
    """Seconds from the graph in host memory to the result at its destination.

    Parameters
    ----------
    name : str
        A published method that runs on GPUs.
    rates : GpuRates
        Rates of the GPU: its speed relative to the measured one, and the rate of its copies.
    """
    given = _Given(statistics, work, placement, rates)
    seconds: float = rates.start + MODELS[name](_table()[name], given) / max(rates.scale, 0.05)
    return seconds + (work.output_bytes / rates.to_host if to_host else 0.0)


def rounds_of_random(n: int) -> float:
    """Rounds of scattering and checking until a random graph with small weights has converged."""
    return min(1.5 * math.log2(max(n, 2)), max(n, 1))


def relaxed_of_random(m: int, *, paths: bool) -> float:
    """Relaxations of arcs from one source until a random graph with m arcs has converged."""
    return _RELAXED_AGAIN * (1.3 if paths else 1.0) * m


def frontiers_of_random(n: int, m: int, *, reweighted: bool = False) -> float:
    """Frontiers of Dijkstra's algorithm with Crauser's threshold, for one source, on a random graph.

    A reweighted graph (with negative arcs) has arcs of length zero, so that fewer vertices are settled per threshold.
    """
    if reweighted:
        return min(5.4 * math.sqrt(n), max(n, 1))
    degree = max(m / max(n, 1), 1.0)
    return min(4.3 * math.pow(max(n, 1), 0.36) * math.pow(4 / degree, 0.35), max(n, 1))


def _whole_matrix(values: Values, given: _Given) -> float:
    """Return the seconds of one launch per pivot."""
    n = given.statistics.n
    return values["launch"] * n + values[f"pair.{given.itemsize}"] * n**3 + _on_host(values, given)


def _on_host(values: Values, given: _Given) -> float:
    """Conversions of the matrix before and after, and predecessors found from it."""
    entry = values["byte"] * given.itemsize + (_PRED / given.work.threads if given.work.paths else 0.0)
    return entry * float(given.statistics.n) ** 2


def _katz_kider(values: Values, given: _Given) -> float:
    """Launches for each block of pivots; if there are several pages, four are copied for each page."""
    n, count = given.statistics.n, len(given.placement.gpus)
    pairs = values[f"pair.{given.itemsize}"] * n**3 / (1 if count == 1 else count * _TOGETHER)
    seconds = values["launch"] * -(-n // BLOCK) + pairs + _on_host(values, given)
    if given.placement.where != "device" and given.placement.pages > 1:
        seconds += 4 * given.placement.pages * n * n * 2 * given.itemsize / (given.rates.from_host * count)
    return seconds


def _iterative(values: Values, given: _Given, tasks: int) -> float:
    """Rounds for each group of sources that run together."""
    n, m, rows = given.statistics.n, given.statistics.m, given.work.rows
    rounds = n if given.statistics.is_chain else rounds_of_random(n)
    group = values["group"] + rounds * values["round"]
    source = rounds * values["vertex"] * n + values["arc"] * relaxed_of_random(m, paths=given.work.paths)
    return -(-rows // tasks) * group + max(rows, tasks) * source


def _johnson(values: Values, given: _Given) -> float:
    """Frontiers of each source; before them, with negative arcs, the rounds of Bellman-Ford."""
    n, m = given.statistics.n, given.statistics.m
    frontiers = frontiers_of_random(n, m, reweighted=given.statistics.has_negative_arc)
    source = values["group"] + frontiers * (values["round"] + values["vertex"] * n) + values["arc"] * m
    heights = rounds_of_random(n) * values["round"] if given.statistics.has_negative_arc else 0.0
    return heights + given.work.rows * source * (1.2 if given.work.paths else 1.0)


MODELS: dict[str, Callable[[Values, _Given], float]] = {
    "harish-fw": _whole_matrix,
    "lab-fw": _whole_matrix,
    "lab-fw-shared": _whole_matrix,
    "katz-kider": _katz_kider,
    "harish-sssp": functools.partial(_iterative, tasks=1),
    "okuyama": functools.partial(_iterative, tasks=TASKS),
    "okuyama-global": functools.partial(_iterative, tasks=TASKS),
    "johnson-flag": _johnson,
    "johnson-queue": _johnson,
    "johnson-prefix": _johnson,
}


@functools.cache
def _table() -> dict[str, dict[str, Any]]:
    text = resources.files("apsp.published").joinpath("costs.json").read_text(encoding="utf-8")
    table: dict[str, dict[str, Any]] = json.loads(text)["methods"]
    return table
