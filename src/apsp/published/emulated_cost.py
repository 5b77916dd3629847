"""Seconds of the published methods on emulated GPUs.

The threads of a launch run on the cores of the CPU, so that seconds depend on launches, threads and arcs, and several
emulated GPUs share the same cores. Rounds and frontiers are those of random graphs, as for real GPUs.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from apsp.facts.placement import Placement
from apsp.facts.statistics import GraphStatistics
from apsp.facts.work import Work
from apsp.published.gpu_cost import frontiers_of_random, relaxed_of_random, rounds_of_random
from apsp.published.katz_kider_pages import BLOCK
from apsp.published.task_size import TASKS

__all__ = ["seconds_emulated"]

_LAUNCHES_OF_BLOCK = 3
"""Passes of Katz and Kider for each block of pivots."""

_COPIES_OF_PAGE = 4
"""Pages copied to or from the GPU for each page and primary page, if there are several."""

_COPYING = 5e-10
"""Seconds per byte that is copied within host memory."""

Values = Mapping[str, float]


@dataclass(frozen=True)
class _Given:
    """The input of the models."""

    statistics: GraphStatistics
    work: Work
    placement: Placement | None

    @property
    def matrix_bytes(self) -> float:
        return float(self.statistics.n) ** 2 * np.dtype(self.work.dtype).itemsize


def seconds_emulated(
    name: str, values: Values, statistics: GraphStatistics, work: Work, placement: Placement | None
) -> float:
    """Seconds from the graph to the result, both in host memory."""
    return _MODELS[name](values, _Given(statistics, work, placement))


def _whole_matrix(values: Values, given: _Given) -> float:
    """A launch for each pivot, a thread for each pair."""
    n = float(given.statistics.n)
    return n * values["launch"] + values["thread"] * n**3 / given.work.cores


def _katz_kider(values: Values, given: _Given) -> float:
    """Three launches for each block of pivots and page; pages are copied if there are several."""
    n = float(given.statistics.n)
    pages = 1 if given.placement is None or given.placement.where == "device" else given.placement.pages
    launches = _LAUNCHES_OF_BLOCK * -(-given.statistics.n // BLOCK) * pages**2
    copied = 2 * given.matrix_bytes * (0 if pages == 1 else _COPIES_OF_PAGE * pages)
    working = (values["thread"] * n + values["entry"]) * n**2 / given.work.cores
    return launches * values["launch"] + working + _COPYING * copied


def _iterative(values: Values, given: _Given, tasks: int) -> float:
    """Rounds of two launches for each group of sources that run together."""
    n, m, rows = given.statistics.n, given.statistics.m, given.work.rows
    rounds = n if given.statistics.is_chain else rounds_of_random(n)
    group = rounds * 2 * values["launch"]
    relaxed = values["arc"] * relaxed_of_random(m, paths=given.work.paths)
    source = (rounds * values["thread"] * n + relaxed) / given.work.cores
    return -(-rows // tasks) * (group + tasks * source)


def _johnson(values: Values, given: _Given, kernels: int) -> float:
    """Frontiers of each source, with this number of kernels each; before them, with negative arcs, Bellman-Ford."""
    statistics, paths = given.statistics, given.work.paths
    n, m = statistics.n, statistics.m
    frontiers = frontiers_of_random(n, m, reweighted=statistics.has_negative_arc)
    launches = kernels + (1 if paths else 0)
    round_ = launches * values["launch"] + values["thread"] * n * launches / given.work.cores
    source = frontiers * round_ + values["arc"] * m * (2 if paths else 1) / given.work.cores
    heights = rounds_of_random(n) * values["launch"] if statistics.has_negative_arc else 0.0
    return heights + given.work.rows * source


_MODELS: dict[str, Callable[[Values, _Given], float]] = {
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
}
