"""Seconds of methods on emulated GPUs, from constants that are data by method (emulated.json).

The threads of a launch run on the cores of the CPU, so that seconds are launches, threads and arcs, and several
emulated GPUs share the same cores. Rounds and frontiers are those of random graphs, as for real GPUs.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import resources
from typing import Any

import numpy as np

from apsp.cuda.bit_bfs import BATCH
from apsp.plan.gpu_memory import Placement
from apsp.plan.published_cost import frontiers_of_random, relaxed_of_random, rounds_of_random
from apsp.plan.statistics import GraphStatistics
from apsp.plan.work import Work
from apsp.solvers.method import Method
from apsp.solvers.published.katz_kider_pages import BLOCK
from apsp.solvers.published.task_size import TASKS

__all__ = ["constants_of", "modelled", "seconds_emulated"]

_LAUNCHES_OF_BLOCK = 3
"""Passes of Katz and Kider for each block of pivots."""

_COPIES_OF_PAGE = 4
"""Pages that go to the GPU or come back for each page and primary page, where there are several."""

_PAIRS_OF_ROW = 0.4
"""Pairs of elimination for a row and n^2, where the graph has not been ordered; as on random graphs."""

_COPYING = 5e-10
"""Seconds per byte that is copied within host memory."""

Values = Mapping[str, float]


@dataclass(frozen=True)
class _Asked:
    """What the models look at."""

    statistics: GraphStatistics
    work: Work
    placement: Placement | None

    @property
    def matrix_bytes(self) -> float:
        return float(self.statistics.n) ** 2 * np.dtype(self.work.dtype).itemsize


def seconds_emulated(
    method: Method, statistics: GraphStatistics, work: Work, placement: Placement | None
) -> tuple[float, str]:
    """Seconds from the graph to the result, both in host memory; and where the constants come from, in words.

    Parameters
    ----------
    placement : Placement or None
        Where the matrix lies; None where it fits nowhere.
    """
    values = constants_of(method)
    return modelled(method, values, statistics, work, placement), str(_table()["origin"])


def constants_of(method: Method) -> Values:
    """The constants of a method."""
    values: Values = _table()["methods"][method.name]
    return values


def modelled(
    method: Method, values: Values, statistics: GraphStatistics, work: Work, placement: Placement | None
) -> float:
    """The seconds with other constants, in which the model is linear."""
    return _MODELS[method.name](values, _Asked(statistics, work, placement))


def _whole_matrix(values: Values, asked: _Asked) -> float:
    """A launch for each pivot, a thread for each pair."""
    n = float(asked.statistics.n)
    return n * values["launch"] + values["thread"] * n**3 / asked.work.cores


def _katz_kider(values: Values, asked: _Asked) -> float:
    """Three launches for each block of pivots and page; pages are copied where there are several."""
    n = float(asked.statistics.n)
    pages = 1 if asked.placement is None or asked.placement.where == "device" else asked.placement.pages
    launches = _LAUNCHES_OF_BLOCK * -(-asked.statistics.n // BLOCK) * pages**2
    copied = 2 * asked.matrix_bytes * (0 if pages == 1 else _COPIES_OF_PAGE * pages)
    working = (values["thread"] * n + values["entry"]) * n**2 / asked.work.cores
    return launches * values["launch"] + working + _COPYING * copied


def _iterative(values: Values, asked: _Asked, tasks: int) -> float:
    """Rounds of two launches for each group of sources that run together."""
    n, m, rows = asked.statistics.n, asked.statistics.m, asked.work.rows
    rounds = n if asked.statistics.is_chain else rounds_of_random(n)
    group = rounds * 2 * values["launch"]
    relaxed = values["arc"] * relaxed_of_random(m, paths=asked.work.paths)
    source = (rounds * values["thread"] * n + relaxed) / asked.work.cores
    return -(-rows // tasks) * (group + tasks * source)


def _johnson(values: Values, asked: _Asked, kernels: int) -> float:
    """Frontiers of each source, with so many kernels each; before them, where arcs are negative, Bellman and Ford."""
    statistics, paths = asked.statistics, asked.work.paths
    n, m = statistics.n, statistics.m
    frontiers = frontiers_of_random(n, m, reweighted=statistics.has_negative_arc)
    launches = kernels + (1 if paths else 0)
    round_ = launches * values["launch"] + values["thread"] * n * launches / asked.work.cores
    source = frontiers * round_ + values["arc"] * m * (2 if paths else 1) / asked.work.cores
    heights = rounds_of_random(n) * values["launch"] if statistics.has_negative_arc else 0.0
    return heights + asked.work.rows * source


def _floyd_warshall(values: Values, asked: _Asked) -> float:
    """One launch whose first block does all of the work; further ones for matrices that are larger."""
    return values["launch"] + values["pair"] * float(asked.statistics.n) ** 3


def _label_correcting(values: Values, asked: _Asked) -> float:
    """One launch whose first block takes all sources."""
    arcs = float(asked.statistics.n + asked.statistics.reached_arcs) * (2 if asked.work.paths else 1)
    return values["launch"] + asked.work.rows * (values["source"] + values["arc"] * arcs)


def _bit_bfs(values: Values, asked: _Asked) -> float:
    """Levels of each batch of sources, and rows that are written."""
    n, m, rows = asked.statistics.n, asked.statistics.m, asked.work.rows
    looked = float(-(-rows // BATCH)) * asked.statistics.likely_depth * (n + m)
    return values["launch"] + values["arc"] * looked + values["entry"] * rows * n


def _elimination(values: Values, asked: _Asked) -> float:
    """The factor and the ways up and down its tree, in pairs, and rows that are written."""
    n, rows, fill = float(asked.statistics.n), asked.work.rows, asked.statistics.fill
    pairs = _PAIRS_OF_ROW * n * n * rows
    if fill is not None:
        pairs = fill.factor_pairs + (fill.row_pairs + fill.climb_pairs) * rows
    return values["launch"] + (values["pair"] * pairs + values["entry"] * rows * n) / asked.work.cores


_MODELS: dict[str, Callable[[Values, _Asked], float]] = {
    "harish-fw": _whole_matrix,
    "lab-fw": _whole_matrix,
    "lab-fw-shared": _whole_matrix,
    "katz-kider": _katz_kider,
    "harish-sssp": functools.partial(_iterative, tasks=1),
    "okuyama": functools.partial(_iterative, tasks=TASKS),
    "okuyama-global": functools.partial(_iterative, tasks=TASKS),
    "johnson-flag": functools.partial(_johnson, kernels=3),
    "johnson-queue": functools.partial(_johnson, kernels=3),
    "johnson-prefix": functools.partial(_johnson, kernels=4),
    "floyd-warshall": _floyd_warshall,
    "label-correcting": _label_correcting,
    "bit-bfs": _bit_bfs,
    "elimination": _elimination,
}


@functools.cache
def _table() -> dict[str, Any]:
    text = resources.files("apsp.plan").joinpath("emulated.json").read_text(encoding="utf-8")
    table: dict[str, Any] = json.loads(text)
    return table
