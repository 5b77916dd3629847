"""Seconds of Floyd-Warshall on GPUs, from rates that are data by the GPU's name.

A GPU that was never measured gets the rates of one that was, times its multiprocessors and its clock: the arithmetic
of a pair is the same number of instructions on all of them. Only float64 is not: consumer GPUs have 1/32 of its units.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources
from typing import Any

import numpy as np

from apsp.plan.cost import pair_name
from apsp.plan.gpu_memory import Placement
from apsp.plan.machine import Gpu
from apsp.plan.statistics import GraphStatistics
from apsp.plan.work import Work

__all__ = ["GpuRates", "rates_of", "seconds_on_gpus"]

_FULL_FLOAT64 = {(7, 0), (8, 0), (9, 0), (10, 0)}
"""Capabilities of the GPUs with one float64 unit for every two of float32."""

_FEW_FLOAT64 = 1 / 32
_NOT_ALIKE = ("pairs", "rows", "multiprocessors", "clock")
"""What of the data is no single rate."""

_PATHS = 1.05
"""Time with predecessors over the time without."""

_FILE = 1e9
"""Bytes a second of a file."""


@dataclass(frozen=True)
class GpuRates:
    """What a GPU does; gpus.json says what the numbers are. `origin` tells where they come from, `scale` how the GPU
    compares with the one that was measured.
    """

    pairs: Mapping[str, float]
    compare: float
    together: float
    paged: float
    pivot: float
    start: float
    to_host: float
    from_host: float
    pages: float
    pinning: float
    relaxed: float
    pulled: float
    round: float
    swept: float
    lines: float
    origin: str
    scale: float = 1.0


def rates_of(gpu: Gpu) -> GpuRates:
    """The rates of a GPU: measured, or scaled from the one that was."""
    table = _table()
    if gpu.name in table:
        return _rates(table[gpu.name], 1.0, 1.0, f"rates measured on an {gpu.name}")
    name, known = next(iter(table.items()))
    scale = gpu.multiprocessors * gpu.clock / (known["multiprocessors"] * known["clock"]) or 0.25
    float64 = 1.0 if gpu.capability in _FULL_FLOAT64 else _FEW_FLOAT64
    return _rates(known, scale, float64, f"rates of an {name}, scaled by multiprocessors and clock to {scale:.0%}")


def seconds_on_gpus(
    statistics: GraphStatistics, work: Work, rates: GpuRates, placement: Placement, *, sums: bool, to_host: bool
) -> float:
    """Seconds from the graph in host memory to the result where it is wanted.

    Parameters
    ----------
    placement : Placement
        Where the matrix lies, and on how many GPUs.
    sums : bool
        Distances are sums: (min,+), not (max,min) or (min,max).
    to_host : bool
        The result (`work.output_bytes`) is copied to host memory.
    """
    n, itemsize = statistics.n, np.dtype(work.dtype).itemsize
    count = len(placement.gpus)
    rate = rates.pairs[pair_name(work.dtype, statistics.has_negative_arc).removeprefix("pair.")]
    if not sums:
        rate *= rates.compare
    if count > 1:
        rate *= count * rates.together
    if placement.where in ("host", "file"):
        rate *= rates.paged
    seconds = rates.start + rates.pivot * n + float(n) ** 3 / rate * (_PATHS if work.paths else 1.0)
    seconds += 0.0 if statistics.lies_on_gpu else statistics.m * (4 + itemsize) / rates.from_host
    if placement.where == "file":
        seconds += 2 * n * n * itemsize / _FILE
    if placement.where == "host":
        seconds += 2 * n * n * itemsize / rates.pages + n * n * itemsize / rates.pinning
    elif to_host:
        seconds += work.output_bytes / rates.to_host
    return seconds


def _rates(known: dict[str, Any], scale: float, float64: float, origin: str) -> GpuRates:
    pairs = {name: rate * scale * (float64 if name == "float64" else 1.0) for name, rate in known["pairs"].items()}
    pairs["float64.non-negative"] = pairs["float64"]
    others = {name: float(rate) for name, rate in known.items() if name not in _NOT_ALIKE}
    rows = {name: float(known["rows"][name]) * scale for name in ("relaxed", "pulled", "lines")}
    same = {name: float(known["rows"][name]) for name in ("round", "swept")}
    return GpuRates(pairs=pairs, origin=origin, scale=scale, **same, **rows, **others)


@functools.cache
def _table() -> dict[str, dict[str, Any]]:
    text = resources.files("apsp.plan").joinpath("gpus.json").read_text(encoding="utf-8")
    table: dict[str, dict[str, Any]] = json.loads(text)["gpus"]
    return table
