"""Bytes of the published methods on GPUs and on the host, and the remedies if they do not fit."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np

from apsp.facts.facts import Facts
from apsp.facts.placement import Placement, usable_on
from apsp.facts.remedies import host_has_room, refuse_on_gpus, remedies
from apsp.facts.request import Request
from apsp.facts.result_bytes import bytes_of_result
from apsp.facts.statistics import GraphStatistics
from apsp.published.katz_kider_pages import BLOCK, page_side
from apsp.published.task_size import TASKS, device_bytes
from apsp.system.machine import Machine

__all__ = ["place_published", "refuse_published"]

_ROWS_AT_ONCE = 64
_PRED_BYTES = 4


def place_published(
    name: str, statistics: GraphStatistics, machine: Machine, request: Request, dtype: str, gpus: Sequence[int]
) -> Placement | None:
    """Return the placement of a published method; None if it does not fit. 'device' means that the result can stay
    there too.

    Parameters
    ----------
    gpus : sequence of int
        Several only for katz-kider.
    """
    limit = min(usable_on(machine.gpus[number], request.gpu_memory) for number in gpus)
    result = bytes_of_result(statistics, machine, request, dtype, 1) if request.device == "cuda" else 0
    itemsize = np.dtype(dtype).itemsize
    needed = _BYTES[name](statistics, itemsize, request.paths) if name in _BYTES else 0
    if name == "katz-kider":
        padded = -(-statistics.n // BLOCK) * BLOCK
        needed = 2 * itemsize * padded * padded
        if len(gpus) > 1 or needed > limit:
            on_host = _on_host(name, statistics, request, dtype, stays=False)
            return _in_pages(statistics.n, 2 * itemsize, limit, tuple(gpus), on_host)
    if needed > limit:
        return None
    stays = needed + result <= limit
    on_host = _on_host(name, statistics, request, dtype, stays=stays and request.device == "cuda")
    place = "device" if stays else "host"
    return Placement(place, tuple(gpus), needed + (result if stays else 0), on_host, words=_WORDS[name])  # type: ignore[arg-type]


def refuse_published(name: str, facts: Facts, gpus: Sequence[int]) -> None:
    """Raise MemoryLimitError with what would fit."""
    statistics, request, dtype = facts.statistics, facts.request, facts.dtype

    def fits(changed: Facts, numbers: Sequence[int], method: str = name) -> str | None:
        if not numbers:
            return None  # it does not run on the CPU
        found = place_published(method, statistics, changed.machine, changed.request, changed.dtype, numbers)
        return "" if host_has_room(changed, found) else None

    itemsize = np.dtype(dtype).itemsize
    needed = 3 * 2 * itemsize * BLOCK**2 if name == "katz-kider" else 0
    if name in _BYTES:
        needed = _BYTES[name](statistics, itemsize, request.paths)
    found = remedies(facts, fits, gpus, needed)
    smaller = {"okuyama": "harish-sssp", "okuyama-global": "harish-sssp"}.get(name, "katz-kider")
    may_replace = smaller != name and (smaller != "katz-kider" or name in _MATRICES)
    if may_replace and fits(facts, gpus, smaller) is not None:
        found.append(f"method={smaller!r}, which needs less of it")
    instead = "method='auto' with device='auto'" if request.device == "emulated" else "method='auto'"
    what = f"{name} with {statistics.n:,} vertices and {statistics.m:,} arcs in {dtype}"
    refuse_on_gpus(what, facts, gpus, needed, [*found, f"{instead}, which picks what fits"])


def _in_pages(n: int, cell: int, limit: int, gpus: tuple[int, ...], on_host: int) -> Placement | None:
    """Three pages of cells at a time on each GPU, with the side from `katz_kider.side_that_fits`."""
    most = int((limit / (3 * cell)) ** 0.5)
    if most < BLOCK:
        return None
    side = page_side(max(n, 1), BLOCK, len(gpus), most)
    pages = -(-n // side)
    words = f"the matrix lies in host memory as cells, and {pages} x {pages} pages of it pass through"
    return Placement("host", gpus, 3 * side * side * cell, on_host, words=words, pages=pages)


def _on_host(name: str, statistics: GraphStatistics, request: Request, dtype: str, *, stays: bool) -> int:
    """Host memory beyond the graph, and beyond the result if that is stored there."""
    n, itemsize = statistics.n, np.dtype(dtype).itemsize
    lists = (12 + itemsize) * statistics.m * (2 if request.paths else 1)
    if name not in _MATRICES:
        return lists + _ROWS_AT_ONCE * n * (8 + (_PRED_BYTES if request.paths else 0))
    copies = {"harish-fw": 1, "katz-kider": 2}.get(name, 2)  # copied there and back; cells include the vertices
    whole = copies * n * n * itemsize + (n * n * _PRED_BYTES if name == "katz-kider" else 0)
    subset = request.sources is not None or request.targets is not None
    if stays or subset:  # all distances are on the host before they are copied elsewhere
        whole += n * n * (itemsize + (_PRED_BYTES if request.paths else 0))
    return whole


def _matrix(statistics: GraphStatistics, itemsize: int, paths: bool) -> int:  # noqa: ARG001 - paths are read off on the host
    return statistics.n**2 * itemsize


def _sources(statistics: GraphStatistics, itemsize: int, paths: bool, tasks: int) -> int:
    """Arrays of the paper, and the rows of a group that are copied. With zones, n may double."""
    n = statistics.n * (2 if statistics.has_zones else 1)
    rows = tasks * statistics.n * (2 * itemsize + 1 + (2 * _PRED_BYTES if paths else 0))
    return device_bytes(n, statistics.m, itemsize, tasks) + rows


def _johnson(statistics: GraphStatistics, itemsize: int, paths: bool) -> int:  # noqa: ARG001 - always 64 bits
    n = statistics.n
    return 20 * statistics.m + 68 * n + _ROWS_AT_ONCE * n * (8 + (_PRED_BYTES if paths else 0))


_MATRICES = ("harish-fw", "lab-fw", "lab-fw-shared", "katz-kider")
_BYTES: dict[str, Callable[[GraphStatistics, int, bool], int]] = {
    "harish-fw": _matrix,
    "lab-fw": _matrix,
    "lab-fw-shared": _matrix,
    "harish-sssp": partial(_sources, tasks=1),
    "okuyama": partial(_sources, tasks=TASKS),
    "okuyama-global": partial(_sources, tasks=TASKS),
    "johnson-flag": _johnson,
    "johnson-queue": _johnson,
    "johnson-prefix": _johnson,
}
_WORDS = {
    **dict.fromkeys(_MATRICES, "the matrix goes into its memory and comes back"),
    "harish-sssp": "the arcs and one source at a time lie in its memory",
    **dict.fromkeys(("okuyama", "okuyama-global"), f"the arcs and {TASKS} sources at a time lie in its memory"),
    **dict.fromkeys(
        ("johnson-flag", "johnson-queue", "johnson-prefix"), "the arcs and one source at a time lie in its memory"
    ),
}
