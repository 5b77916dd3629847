"""Elimination with the sweeps on a GPU: how many bytes there, and how many seconds in all.

The CPU orders and factorises, so its constants are in the model as well; sweeps are counted in (add, min) pairs at a
share of the dense rate, and in bytes of lines that are written and read.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from apsp.cuda.elimination_bytes import LABEL_BYTES, LANES_LEAST, lines_bytes
from apsp.plan.batch_cost import tree_seconds
from apsp.plan.constants import Constants
from apsp.plan.cost import pair_name, sibling_of
from apsp.plan.gpu_cost import GpuRates
from apsp.plan.request import Request
from apsp.plan.statistics import Fill, GraphStatistics
from apsp.plan.work import Work

__all__ = ["LAYOUT", "bytes_of_elimination", "is_whole", "seconds_of_elimination"]

_ALONE = 0.2
"""Share of ordering that one thread does while the others wait."""

_PADDED = 7
"""Words of the packed panels for every value of the factor, at most: groups of few lines are filled up."""

_PACKED_PAIRS = 1.5
"""Pairs that are computed for every pair of the way down."""

_LINES = 3.0
"""How often a line is written or read."""

_UPLOAD = 3.0
"""How often the factor is copied before it is used."""

LAYOUT = 0.014
"""Seconds for the lists that kernels are told of: elimination on a GPU never takes less."""

_SWEEP = 0.0015
"""Of these, what is anew for every block of sources."""


def is_whole(statistics: GraphStatistics, request: Request) -> bool:
    """Whether all n x n distances are asked for at once, which are written without a detour."""
    everything = request.sources is None and request.targets is None and request.mode != "stream"
    return everything and not statistics.has_terminals


def bytes_of_elimination(statistics: GraphStatistics, request: Request, dtype: str, usable: int, *, stays: bool) -> int:
    """Device memory beside the result.

    Parameters
    ----------
    usable : int
        Device memory that there is.
    stays : bool
        The result stays on the GPU.
    """
    n, itemsize, fill = statistics.n, np.dtype(dtype).itemsize, _fill(statistics)
    factor = fill.entries * (itemsize + _PADDED * max(itemsize, 4)) + 128 * fill.nodes + 64 * n
    of_lane = 2 * min(n, int(5 * math.sqrt(fill.climb_pairs)) + 1) * itemsize
    if stays and is_whole(statistics, request):
        return factor + min(n * of_lane, max(LABEL_BYTES, LANES_LEAST * of_lane))
    row = n * itemsize
    asked = n if request.sources is None else request.sources
    lanes = min(max(lines_bytes(usable) // max(row, 1), 1), asked) + 32
    return factor + lanes * (row + of_lane)


def seconds_of_elimination(
    statistics: GraphStatistics, work: Work, rates: GpuRates, constants: Constants, *, block_bytes: int | None
) -> float:
    """Seconds from the graph in host memory to distances on the GPU, its start and predecessors left out.

    Parameters
    ----------
    block_bytes : int or None
        Of the rows that are computed together; None where they are the whole matrix.
    """
    n, itemsize, fill = statistics.n, np.dtype(work.dtype).itemsize, _fill(statistics)
    values = constants.values["elimination"]
    factor = values[f"pair.{work.dtype}"] * fill.factor_pairs + values["entry"] * fill.entries
    work = replace(work, sibling=sibling_of("elimination", constants))
    once = tree_seconds(values, statistics) * work.partly(1 - _ALONE) + factor / work.cores + LAYOUT
    once += _UPLOAD * fill.entries * itemsize / rates.from_host
    dense = rates.pairs[pair_name(work.dtype, statistics.has_negative_arc).removeprefix("pair.")]
    pairs = (_PACKED_PAIRS * fill.row_pairs + fill.climb_pairs) / (rates.swept * dense)
    row = max(n * itemsize, 1)
    lines = (_LINES if block_bytes is None else 2 * _LINES) * row / rates.lines
    sweeps = 0 if block_bytes is None else math.ceil(work.rows / max(block_bytes // row, 1))
    return once + _SWEEP * sweeps + work.rows * (pairs + lines)


def _fill(statistics: GraphStatistics) -> Fill:
    """What is known, or what roads are like."""
    n = statistics.n
    if statistics.fill is not None:
        return statistics.fill
    if statistics.separators_sought:
        return Fill(n * n, n, float(n) ** 3 / 3, float(n) ** 2 / 2, float(n) ** 2 / 2)
    return Fill(60 * n, n // 4 + 1, 4e3 * n, 25.0 * n, 4.0 * n)
