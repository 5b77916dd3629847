"""Where the matrix is stored while GPUs work on it, how many bytes that takes, and remedies if it does not fit."""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from apsp.errors import MemoryLimitError
from apsp.facts.dtypes import narrowest_integer
from apsp.facts.placement import Placement, held_words, usable_on
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

If there are more than fit, the work is repeated in another way.
"""

_BLOCK_BYTES = 256 << 20


def bytes_in_core(statistics: GraphStatistics, dtype: str, request: Request) -> int:
    """Device memory of Floyd-Warshall on one GPU: the matrix, two panels, the graph.

    With paths also the predecessors, if they stay there, blocks of rows on their way, and the arcs they are made of.
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
    """Device memory of so much of the graph; none where it lies there already."""
    return 0 if statistics.lies_on_gpu else bytes_of_arcs(rows, arcs, itemsize)


def placement_of(
    statistics: GraphStatistics, machine: Machine, request: Request, dtype: str, gpus: Sequence[int]
) -> Placement | None:
    """The fastest place where the matrix fits; None if there is none."""
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
        on_host += statistics.n * statistics.n * itemsize  # all of them, before the requested ones are copied
    return Placement(cut.where, numbers, cut.device_bytes + graph, on_host)


def refuse_placement(
    statistics: GraphStatistics, machine: Machine, request: Request, dtype: str, gpus: Sequence[int]
) -> None:
    """Raise MemoryLimitError with what would fit."""
    needed = _least(statistics, machine, request, dtype, gpus)
    limits = [usable_on(machine.gpus[number], request.gpu_memory) for number in gpus]
    paths = " with paths" if request.paths else ""
    chosen = {number: machine.gpus[number] for number in gpus}
    named = ", ".join(f"GPU {number} ({gpu.words})" for number, gpu in chosen.items())
    raise MemoryLimitError(
        f"{statistics.n:,} x {statistics.n:,} distances in {dtype}{paths} on {named}{held_words(chosen)}",
        needed or bytes_in_core(statistics, dtype, request),
        min(limits),
        _remedies(statistics, machine, request, dtype, gpus),
    )


def _least(
    statistics: GraphStatistics, machine: Machine, request: Request, dtype: str, gpus: Sequence[int]
) -> int | None:
    """The least memory of each GPU (whole MiB) with which the work can be done at all; None if no amount would do."""
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


def _remedies(
    statistics: GraphStatistics, machine: Machine, request: Request, dtype: str, gpus: Sequence[int]
) -> list[str]:
    """Return the changes of the request that would fit, as text."""

    def fits(kind: str = dtype, numbers: Sequence[int] = gpus, **changes: object) -> bool:
        changed = replace(request, **changes)  # type: ignore[arg-type]
        found = placement_of(statistics, machine, changed, kind, numbers)
        if found is None:
            return False
        result = 0 if found.where in ("device", "file") else bytes_of_result(statistics, machine, changed, kind, 1)
        return result + found.bytes_on_host <= usable(machine)

    found = []
    narrow = narrowest_integer(statistics, request)
    if narrow is not None and np.dtype(narrow).itemsize < np.dtype(dtype).itemsize and fits(narrow):
        found.append(f"dtype={narrow!r}, proven to hold every distance")
    if request.paths and fits(paths=False):
        found.append("paths=False")
    least = _least(statistics, machine, request, dtype, gpus)
    if request.gpu_memory is not None and least is not None and fits(gpu_memory=least):
        found.append(f"gpu_memory='{least >> 20}MiB'")
    every = tuple(number for number, gpu in enumerate(machine.gpus) if gpu.unusable is None)
    others = tuple(number for number in every if number not in gpus)
    single = next((number for number in others if fits(numbers=(number,))), None)
    if single is not None:
        found.append(f"device='{request.device}:{single}', which has room ({machine.gpus[single].words})")
    elif others and fits(numbers=every):
        found.append(f"device='{request.device}:{','.join(map(str, every))}', all {len(every)} GPUs")
    room = min(usable_on(machine.gpus[number], request.gpu_memory) for number in gpus)
    share = room / bytes_in_core(statistics, dtype, request)
    largest = math.floor(statistics.n * math.sqrt(share) * 0.98)  # (at the same density, nearly all grows with n^2)
    smaller = [f"a graph of at most {largest:,} vertices"] if 0 < largest < statistics.n else []
    if request.pages_file is None and fits(pages_file=Path("pages")):
        found.append("pages_file='FILE', the matrix in a file")
    if bytes_of_result(statistics, machine, request, dtype, 1) <= usable(machine):
        found.append("device='cpu'")
    return [*found, *smaller] or ["a machine with more memory"]
