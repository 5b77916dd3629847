"""Sparse methods on a GPU: where the rows lie, how many bytes that takes, and how many seconds.

The models count arcs and vertices times sources over a measured rate, and rounds that a path of many arcs takes. How
many arcs that is the planner sounds (depth.py), or guesses from the degrees.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from apsp.cuda.bit_bfs import BATCH, state_bytes
from apsp.cuda.elimination_bytes import LINES_BYTES
from apsp.cuda.labels import RECORD, scratch_bytes
from apsp.cuda.staging import BLOCK_BYTES
from apsp.errors import MemoryLimitError
from apsp.plan.constants import Constants
from apsp.plan.gpu_cost import GpuRates
from apsp.plan.gpu_elimination import bytes_of_elimination, is_whole, seconds_of_elimination
from apsp.plan.gpu_memory import Placement, held_words, on_each, usable_on
from apsp.plan.machine import Machine
from apsp.plan.memory import bytes_of_result, usable
from apsp.plan.request import Request
from apsp.plan.statistics import GraphStatistics
from apsp.plan.work import Work

__all__ = ["placement_of_rows", "refuse_rows", "seconds_of_rows"]

_LINES_BYTES = 256 << 20
"""Of rows side by side, while predecessors are read off."""

_ROW_TO_HOST = 1.2e10
"""Bytes a second through pinned buffers into new memory of the host."""

_LEAVING = 0.5
"""Power of the number of GPUs that rows reach the host faster with: its memory is the same for all of them."""

_ARC_CYCLE, _CHAINS = 0.0015, 0.0025
"""Seconds for the upload and the launches, beside the start of CUDA; and for putting chains aside."""

_SEARCHES = 264
"""Searches at work at a time, about, on the GPU that was measured."""

_ROUNDS, _ROUNDS_OF_HOPS = 0.8, 0.2
"""Rounds of label correcting for each arc of the path with most of them; where all arcs are equally long."""

_LEVEL = 7
"""Rounds of one search that a level of all blocks takes."""

_IN_SHARED, _SLOWER = 50_000, 4.0
"""Vertices whose labels leave room for a second search in shared memory; how much slower others are at most."""


def placement_of_rows(
    method: str,
    statistics: GraphStatistics,
    machine: Machine,
    request: Request,
    dtype: str,
    gpus: Sequence[int],
    result: int,
) -> Placement | None:
    """On the GPU if the result was asked for there and fits, else leaving it; None if not even that fits.

    Several GPUs hold the graph (or its factor) and the state of a search each, and their rows leave them.

    Parameters
    ----------
    result : int
        Bytes of the result, or of two blocks of a stream.
    """
    limit = min(usable_on(machine.gpus[number], request.gpu_memory) for number in gpus)
    blocks, reduced = _bytes_of_blocks(statistics, request, dtype), _bytes_of_reduced(request, result, gpus)
    needed = _bytes_of_search(method, statistics, request, dtype, limit, stays=True)
    if request.device == "cuda" and len(gpus) == 1 and needed + result <= limit:
        return Placement("device", (gpus[0],), needed + result)
    needed = _bytes_of_search(method, statistics, request, dtype, limit, stays=False)
    if needed + blocks + reduced <= limit:
        words = on_each("the factor, which the CPU makes,") if method == "elimination" and len(gpus) > 1 else None
        return Placement("rows", tuple(gpus), needed + blocks + reduced, len(gpus) * blocks, words)
    return None


def refuse_rows(
    method: str, statistics: GraphStatistics, machine: Machine, request: Request, dtype: str, gpus: Sequence[int]
) -> None:
    """Raise MemoryLimitError with what would fit."""

    def fits(*numbers: int, **changes: object) -> bool:
        changed, where = replace(request, **changes), numbers or tuple(gpus)  # type: ignore[arg-type]
        result = bytes_of_result(statistics, machine, changed, dtype, 1)
        found = placement_of_rows(method, statistics, machine, changed, dtype, where, result)
        on_host = 0 if found is None or found.where == "device" else result + found.bytes_on_host
        return found is not None and on_host <= usable(machine)

    result = bytes_of_result(statistics, machine, request, dtype, 1)
    stays = result if request.device == "cuda" and len(gpus) == 1 else None
    least = _least(method, statistics, request, dtype, stays, _bytes_of_reduced(request, result, gpus))
    found = []
    if request.paths and fits(paths=False):
        found.append("paths=False")
    if request.gpu_memory is not None and fits(gpu_memory=least << 20):
        found.append(f"gpu_memory='{least}MiB'")
    others = (number for number, gpu in enumerate(machine.gpus) if gpu.unusable is None and (number,) != tuple(gpus))
    single = next((number for number in others if fits(number)), None)
    if single is not None:
        found.append(f"device='{request.device}:{single}', which has room ({machine.gpus[single].words})")
    if result <= usable(machine):
        found.append("device='cpu'")
    chosen, paths = {number: machine.gpus[number] for number in gpus}, " with paths" if request.paths else ""
    named = ", ".join(f"GPU {number} ({gpu.words})" for number, gpu in chosen.items())
    raise MemoryLimitError(
        f"{method} with {statistics.n:,} vertices and {statistics.m:,} arcs in {dtype}{paths} on {named}"
        f"{held_words(chosen)}",
        least << 20, min(usable_on(gpu, request.gpu_memory) for gpu in chosen.values()),
        found or ["a machine with more memory"],
    )  # fmt: skip


def _least(
    method: str, statistics: GraphStatistics, request: Request, dtype: str, result: int | None, reduced: int
) -> int:
    """MiB of a GPU with which the work can be done; elimination takes more at a time where it may use more.

    Parameters
    ----------
    result : int or None
        Bytes, if it may stay there.
    reduced : int
        Bytes of what is gathered there.
    """
    least = 1
    while True:
        ways = [_bytes_of_search(method, statistics, request, dtype, least << 20, stays=False)]
        ways[0] += _bytes_of_blocks(statistics, request, dtype) + reduced
        if result is not None:
            ways.append(_bytes_of_search(method, statistics, request, dtype, least << 20, stays=True) + result)
        needed = -(-min(ways) >> 20)
        if needed <= least:
            return least
        least = needed


def seconds_of_rows(
    method: str, statistics: GraphStatistics, work: Work, request: Request, rates: GpuRates, constants: Constants, *,
    to_host: bool, gpus: int = 1,
) -> float:  # fmt: skip
    """Seconds from the graph in host memory to the rows where they are wanted; each GPU searches for its share."""
    n, m = statistics.n, statistics.m
    if gpus > 1:
        work = replace(work, rows=-(-work.rows // gpus), output_bytes=int(work.output_bytes / gpus**_LEAVING))
    depth = statistics.likely_depth
    if method == "elimination":
        leaves = to_host and not request.by_rows  # of blocks of rows mostly sums are wanted
        block = BLOCK_BYTES if leaves else None if is_whole(statistics, request) else LINES_BYTES
        seconds = seconds_of_elimination(statistics, work, rates, constants, block_bytes=block)
    elif method == "bit-bfs":
        batches = -(-work.rows // BATCH)
        # Most levels find little, and cost little more than that all blocks wait for each other.
        seconds = batches * (depth * _LEVEL * rates.round + min(depth, 8) * BATCH * (n + m) / rates.pulled)
    else:
        through_core = statistics.has_integer_weights and statistics.is_chain  # rows are put together from a small one
        searched = n if through_core else (n + statistics.reached_arcs) * (1.0 if statistics.has_hubs else _spread(n))
        seconds = work.rows * searched / rates.relaxed + (_CHAINS if through_core else 0.0)
        if not through_core:
            rounds = depth * (_ROUNDS_OF_HOPS if statistics.has_equal_weights else _ROUNDS)
            seconds += work.rows * rounds * rates.round / min(_SEARCHES, max(work.rows, 1))
        seconds *= 4.0 if statistics.has_negative_arc else 1.0
    if work.paths:
        seconds += work.rows * (n + m) / rates.relaxed
    seconds += rates.start + _ARC_CYCLE + m * 20 / rates.from_host
    return seconds + (work.output_bytes / _ROW_TO_HOST if to_host else 0.0)


def _spread(n: int) -> float:
    """How much slower an arc is where a multiprocessor has room for one search, or labels lie outside."""
    return float(min(max(n / _IN_SHARED, 1.0) ** 1.2, _SLOWER))


def _bytes_of_blocks(statistics: GraphStatistics, request: Request, dtype: str) -> int:
    """Two blocks of rows on their way to the host."""
    row = statistics.n * (np.dtype(dtype).itemsize + (4 if request.paths else 0))
    return 2 * max(BLOCK_BYTES, row) * (2 if request.paths else 1)


def _bytes_of_reduced(request: Request, result: int, gpus: Sequence[int]) -> int:
    """A block of a stream whose rows come from several GPUs: measures that need it whole gather it on the first."""
    return result // 2 if request.by_rows and len(gpus) > 1 else 0


def _bytes_of_search(
    method: str, statistics: GraphStatistics, request: Request, dtype: str, usable: int, *, stays: bool
) -> int:
    n, m, itemsize = statistics.n, statistics.m, np.dtype(dtype).itemsize
    arcs = (4 + itemsize) * m + 9 * n + 16
    if method == "elimination":
        needed = bytes_of_elimination(statistics, request, dtype, usable, stays=stays) + (arcs if request.paths else 0)
    elif method == "bit-bfs":
        needed = arcs + state_bytes(n, request.cutoff) if n else arcs
    else:
        size = 16 if itemsize == 8 else 8
        needed = arcs + size * (RECORD * n + n + m) + _SEARCHES * scratch_bytes(n, max(itemsize, 4))
    if request.paths or method == "bit-bfs":
        needed += arcs + 28 * m  # by head, and the keys that are sorted
    if request.paths:
        needed += min(_LINES_BYTES, (n + 32) * n * itemsize) + 5 * m
    return needed
