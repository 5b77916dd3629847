"""Where the matrix is stored while GPUs work on it, how many bytes that takes, and remedies if it does not fit."""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from apsp.facts.facts import Facts
from apsp.facts.placement import Placement, usable_on
from apsp.facts.remedies import host_has_room, refuse_on_gpus, remedies
from apsp.facts.request import Request
from apsp.facts.result_bytes import bytes_of_result
from apsp.facts.statistics import GraphStatistics
from apsp.methods.floyd_warshall.device_bytes import ROWS_WRITTEN_AT_ONCE, bytes_of_arcs, bytes_of_page
from apsp.methods.floyd_warshall.strips.cuts import Where, staging_bytes, strip_plan
from apsp.system.machine import Machine, usable

__all__ = ["bytes_in_core", "placement_of", "refuse_placement"]

_PRED_BYTES = 4
_TIGHT_DEGREE = 64
"""Arcs into a vertex that are shortest paths themselves: about log n on random weights.

If there are more arcs than fit, the work is repeated in another way.
"""

_BLOCK_BYTES = 256 << 20


def bytes_in_core(statistics: GraphStatistics, dtype: str, request: Request) -> int:
    """Device memory of Floyd-Warshall on one GPU: the matrix, two panels, the graph.

    With paths also the predecessors (if they stay there), blocks of rows that are copied, and the arcs used to find
    them.
    """
    itemsize = np.dtype(dtype).itemsize
    n = statistics.n
    needed = bytes_of_page(n, itemsize) + _bytes_of_graph(statistics, n, statistics.m, itemsize)
    if request.paths:
        kept = n * n * _PRED_BYTES
        blocks = kept if request.device == "cuda" else min(kept, _BLOCK_BYTES)
        tight = min(statistics.m, _TIGHT_DEGREE * n)
        needed += blocks + min(n * n * itemsize, _BLOCK_BYTES) + (28 + itemsize) * tight + n * n // 8 + 16 * n
    return needed


def _bytes_of_graph(statistics: GraphStatistics, rows: int, arcs: int, itemsize: int) -> int:
    """Device memory of this part of the graph; none if it is there already."""
    return 0 if statistics.lies_on_gpu else bytes_of_arcs(rows, arcs, itemsize)


def placement_of(
    statistics: GraphStatistics, machine: Machine, request: Request, dtype: str, gpus: Sequence[int]
) -> Placement | None:
    """Return the fastest placement that fits; None if there is none."""
    needed = bytes_in_core(statistics, dtype, request)
    numbers = tuple(gpus)
    limit = min(usable_on(machine.gpus[number], request.gpu_memory) for number in numbers)
    if len(numbers) == 1 and request.pages_file is None and needed <= limit:
        return Placement("device", numbers, needed)
    itemsize, rows = np.dtype(dtype).itemsize, min(statistics.n, ROWS_WRITTEN_AT_ONCE)
    graph = _bytes_of_graph(statistics, rows, -(-statistics.m * rows // max(statistics.n, 1)), itemsize)
    where: Sequence[Where] = ("devices", "host") if request.pages_file is None else ("file",)
    # On the host the matrix is stored in the result, whose memory the caller counts.
    host = staging_bytes(usable(machine)) if request.pages_file is not None else sys.maxsize
    cut = strip_plan(statistics.n, itemsize, len(numbers), limit - graph, host, where=where)
    if isinstance(cut, str):
        return None
    on_host = cut.staging_bytes
    if cut.where != "file" and (request.sources is not None or request.targets is not None):
        on_host += statistics.n * statistics.n * itemsize  # all rows, before the requested ones are copied
    return Placement(cut.where, numbers, cut.device_bytes + graph, on_host)


def refuse_placement(facts: Facts, gpus: Sequence[int]) -> None:
    """Raise MemoryLimitError with what would fit."""
    statistics, machine, request, dtype = facts.statistics, facts.machine, facts.request, facts.dtype
    least = _least(statistics, machine, request, dtype, gpus)
    found = remedies(facts, _fits, gpus, least)
    in_file = replace(facts, request=replace(request, pages_file=Path("pages")))
    if request.pages_file is None and _fits(in_file, gpus) is not None:
        found.append("pages_file='FILE', the matrix in a file")
    in_core = bytes_in_core(statistics, dtype, request)
    room = min(usable_on(machine.gpus[number], request.gpu_memory) for number in gpus)
    largest = math.floor(statistics.n * math.sqrt(room / in_core) * 0.98)  # at the same density, nearly all is n x n
    if 0 < largest < statistics.n:
        found.append(f"a graph of at most {largest:,} vertices")
    paths = " with paths" if request.paths else ""
    what = f"{statistics.n:,} x {statistics.n:,} distances in {dtype}{paths}"
    refuse_on_gpus(what, facts, gpus, least or in_core, found)


def _fits(facts: Facts, gpus: Sequence[int]) -> str | None:
    statistics, machine, request, dtype = facts.statistics, facts.machine, facts.request, facts.dtype
    if not gpus:
        return "" if bytes_of_result(statistics, machine, request, dtype, 1) <= usable(machine) else None
    return "" if host_has_room(facts, placement_of(statistics, machine, request, dtype, gpus)) else None


def _least(
    statistics: GraphStatistics, machine: Machine, request: Request, dtype: str, gpus: Sequence[int]
) -> int | None:
    """Return the minimum memory of each GPU (whole MiB) with which the work can be done; None if no amount is
    sufficient.
    """
    idle = replace(machine, gpus=tuple(replace(gpu, memory_free=1 << 60) for gpu in machine.gpus))
    low, high = 0, 1 << 40  # MiB: no, yes
    if placement_of(statistics, idle, replace(request, gpu_memory=None), dtype, gpus) is None:
        return None
    while high - low > 1:
        middle = (low + high) // 2
        limited = replace(request, gpu_memory=middle << 20)
        low, high = (
            (low, middle) if placement_of(statistics, idle, limited, dtype, gpus) is not None else (middle, high)
        )
    return high << 20
