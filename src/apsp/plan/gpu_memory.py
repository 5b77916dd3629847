"""Where the matrix lies while GPUs work on it, how many bytes that takes, and what would fit when it does not."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

import numpy as np

from apsp.errors import MemoryLimitError, format_bytes
from apsp.plan.dtypes import narrowest_integer
from apsp.plan.machine import Gpu, Machine
from apsp.plan.memory import HEADROOM
from apsp.plan.request import Request
from apsp.plan.statistics import GraphStatistics

__all__ = ["Placement", "bytes_in_core", "placement_of", "placement_words", "refuse_placement", "usable_on"]

_PIVOTS = 512
"""Of the panels that are kept beside the matrix."""

_VIA_BYTES = 4
_OTHERS = 0.03
"""Share of a GPU's memory that others may hold without being mentioned: the driver's own part is about this."""


@dataclass(frozen=True)
class Placement:
    """Where the matrix lies.

    Attributes
    ----------
    where : 'device', 'devices', 'host' or 'file'
        In the memory of one GPU, in those of several, or paged through them from host memory or from a file.
    gpus : tuple of int
        Their numbers.
    bytes_on_gpu : int
        On each of them.
    bytes_on_host : int
        Host memory beyond the result and the graph.
    """

    where: Literal["device", "devices", "host", "file"]
    gpus: tuple[int, ...]
    bytes_on_gpu: int
    bytes_on_host: int = 0


def usable_on(gpu: Gpu, gpu_memory: int | None) -> int:
    """Bytes that a request may take of a GPU."""
    free = int(gpu.memory_free * (1 - HEADROOM))
    return free if gpu_memory is None else min(free, gpu_memory)


def bytes_in_core(statistics: GraphStatistics, dtype: str, paths: bool) -> int:
    """Device memory of Floyd-Warshall on one GPU: the matrix, two panels, the graph; with paths a matrix of `via`."""
    itemsize = np.dtype(dtype).itemsize
    n = statistics.n + 16
    matrix = n * n * (itemsize + (_VIA_BYTES if paths else 0))
    return matrix + 2 * n * _PIVOTS * itemsize + (4 + itemsize) * statistics.m + 9 * n


def placement_of(
    statistics: GraphStatistics, machine: Machine, request: Request, dtype: str, gpus: Sequence[int]
) -> Placement | None:
    """The fastest place where the matrix fits; None if there is none."""
    needed = bytes_in_core(statistics, dtype, request.paths)
    first = gpus[0]
    if needed <= usable_on(machine.gpus[first], request.gpu_memory) and request.pages_file is None:
        return Placement("device", (first,), needed)
    return None


def placement_words(placement: Placement, machine: Machine, pages_file: Path | None, stays: bool) -> list[str]:
    """Sentences: which GPUs, where the matrix lies, how many bytes there."""
    named = " and ".join(f"GPU {number}, {machine.gpus[number].name}" for number in placement.gpus)
    one = len(placement.gpus) == 1
    lies = {
        "device": "the matrix lies in its memory",
        "devices": "the matrix lies in their memories, a part in each",
        "host": f"the matrix lies in host memory and passes through {'it' if one else 'them'} in pages",
        "file": f"the matrix lies in the file {pages_file} and passes through {'it' if one else 'them'} in pages",
    }[placement.where]
    ends = "the result stays on the GPU" if stays else "the result comes to host memory"
    free = min(machine.gpus[number].memory_free for number in placement.gpus)
    each = "" if one else " on each GPU"
    return [
        f"It runs on {named}: {lies}; {ends}.",
        f"Device memory: {format_bytes(placement.bytes_on_gpu)}{each}; {format_bytes(free)} are free.",
    ]


def refuse_placement(
    statistics: GraphStatistics, machine: Machine, request: Request, dtype: str, gpus: Sequence[int]
) -> None:
    """Raise MemoryLimitError with what would fit."""
    needed = bytes_in_core(statistics, dtype, request.paths)
    limits = [usable_on(machine.gpus[number], request.gpu_memory) for number in gpus]
    paths = " with paths" if request.paths else ""
    chosen = {number: machine.gpus[number] for number in gpus}
    named = ", ".join(f"GPU {number} ({gpu.name})" for number, gpu in chosen.items())
    raise MemoryLimitError(
        f"{statistics.n:,} x {statistics.n:,} distances in {dtype}{paths} on {named}{_held_words(chosen)}",
        needed,
        min(limits),
        _remedies(statistics, machine, request, dtype, gpus),
    )


def _held_words(chosen: dict[int, Gpu]) -> str:
    """What other programs hold of the GPUs, where it is much."""
    words = []
    for number, gpu in chosen.items():
        others = gpu.memory_total - gpu.memory_free - gpu.memory_held
        if others > _OTHERS * gpu.memory_total:
            words.append(
                f"other programs hold {format_bytes(others)} of the {format_bytes(gpu.memory_total)} of GPU {number}"
            )
        if gpu.memory_held > _OTHERS * gpu.memory_total:
            words.append(f"arrays of this program hold {format_bytes(gpu.memory_held)} of GPU {number}")
    return f" ({'; '.join(words)})" if words else ""


def _remedies(
    statistics: GraphStatistics, machine: Machine, request: Request, dtype: str, gpus: Sequence[int]
) -> list[str]:
    """What would fit, in words; only what really does."""

    def fits(kind: str = dtype, numbers: Sequence[int] = gpus, **changes: object) -> bool:
        changed = replace(request, **changes)  # type: ignore[arg-type]
        return placement_of(statistics, machine, changed, kind, numbers) is not None

    found = []
    narrow = narrowest_integer(statistics, request)
    if narrow is not None and np.dtype(narrow).itemsize < np.dtype(dtype).itemsize and fits(narrow):
        found.append(f"dtype={narrow!r}, proven to hold every distance")
    if request.paths and fits(paths=False):
        found.append("paths=False")
    if request.gpu_memory is not None and fits(gpu_memory=None):
        more = -(-bytes_in_core(statistics, dtype, request.paths) // (1 << 20))
        found.append(f"gpu_memory='{more}MiB'")
    every = tuple(number for number, gpu in enumerate(machine.gpus) if gpu.unusable is None)
    others = tuple(number for number in every if number not in gpus)
    single = next((number for number in others if fits(numbers=(number,))), None)
    if single is not None:
        found.append(f"device='cuda:{single}', which has room ({machine.gpus[single].name})")
    elif others and fits(numbers=every):
        found.append(f"device='cuda:{','.join(map(str, every))}', all {len(every)} GPUs")
    usable = min(usable_on(machine.gpus[number], request.gpu_memory) for number in gpus)
    share = usable / bytes_in_core(statistics, dtype, request.paths)
    largest = math.floor(statistics.n * math.sqrt(share) * 0.98)  # (at the same density, nearly all grows with n^2)
    smaller = [f"a graph of at most {largest:,} vertices"] if 0 < largest < statistics.n else []
    return [*found, "device='cpu'", *smaller]
