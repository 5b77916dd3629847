"""What would fit if a request does not: changes of the request, which are tried one after another.

Each method brings its own bytes: `Fits`. The changes and their wording are the same for all.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import NoReturn

import numpy as np

from apsp.errors import MemoryLimitError
from apsp.facts.dtypes import narrowest_integer
from apsp.facts.facts import Facts
from apsp.facts.placement import Placement, held_words, usable_on
from apsp.facts.result_bytes import block_rows, bytes_of_result
from apsp.semiring import MIN_PLUS
from apsp.system.machine import usable

__all__ = ["MORE_MEMORY", "Fits", "host_has_room", "refuse_on_gpus", "remedies"]

Fits = Callable[[Facts, Sequence[int]], str | None]
"""Whether a changed request fits on GPUs, or without any in host memory.

The answer is text about the size that is appended to the remedy, such as ' (3.2 GB)' or an empty one; None if it does
not fit.
"""

MORE_MEMORY = "a machine with more memory"
"""The remedy if there is no other."""


def remedies(facts: Facts, fits: Fits, gpus: Sequence[int] = (), least: int | None = None) -> list[str]:
    """Return the changes of the request that would fit, as text; an empty list if none would.

    Parameters
    ----------
    gpus : sequence of int
        The GPUs that do not suffice; none means host memory.
    least : int, optional
        Bytes of each GPU with which the work can be done at all.
    """
    request = facts.request

    def tried(words: str, numbers: Sequence[int] = gpus, **changes: object) -> list[str]:
        size = fits(_changed(facts, **changes), numbers)
        return [] if size is None else [words + size]

    found: list[str] = []
    narrow = narrowest_integer(facts.statistics, request)
    if narrow is not None and np.dtype(narrow).itemsize < np.dtype(facts.dtype).itemsize:
        found += tried(f"dtype={narrow!r}, proven to hold every distance", dtype=narrow)
    if request.paths:
        found += tried("paths=False", paths=False)
    if not gpus:
        return found + _in_parts(facts, fits)
    if request.gpu_memory is not None and least is not None:
        found += tried(f"gpu_memory='{_size(least)}' or more", gpu_memory=least)
    found += _on_other_gpus(facts, fits, gpus)
    return found + tried("device='cpu'", (), device="cpu", gpus=(), gpu_memory=None)


def _changed(facts: Facts, **changes: object) -> Facts:
    request = replace(facts.request, **changes)  # type: ignore[arg-type]
    return replace(facts, request=request, dtype=str(changes.get("dtype", facts.dtype)))


def _size(least: int) -> str:
    """A number of bytes as an option takes it, rounded up."""
    return f"{-(-least >> 10)}KiB" if least < 1 << 24 and least % (1 << 20) else f"{-(-least >> 20)}MiB"


def _on_other_gpus(facts: Facts, fits: Fits, gpus: Sequence[int]) -> list[str]:
    """Another GPU that has room, or all of them together."""
    installed, device = facts.machine.gpus, facts.request.device
    every = tuple(number for number, gpu in enumerate(installed) if gpu.unusable is None)
    others = [number for number in every if (number,) != tuple(gpus)]
    single = next((number for number in others if fits(facts, (number,)) is not None), None)
    if single is not None:
        return [f"device='{device}:{single}', which has room ({installed[single].words})"]
    if len(every) > len(gpus) and fits(facts, every) is not None:
        return [f"device='{device}:{','.join(map(str, every))}', all {len(every)} GPUs"]
    return []


def _in_parts(facts: Facts, fits: Fits) -> list[str]:
    """A part of the rows at a time."""
    statistics, machine, request, dtype = facts.statistics, facts.machine, facts.request, facts.dtype
    found = []
    if request.mode == "matrix":
        if _is_near(facts):
            found.append(f"apsp.within(graph, {request.cutoff}), only the pairs within the cutoff")
        size = fits(_changed(facts, mode="stream", out_given=False, rows=None), ())
        if size is not None:
            rows = block_rows(statistics, machine, replace(request, mode="stream"), dtype, 1)
            found.append(f"apsp.stream(graph, rows={rows}), a block of rows at a time{size}")
            if request.semiring is MIN_PLUS:
                found.append("apsp.solve(graph, store='distances.zarr'), on a disk")
        count = 0 if request.out_given else _most_sources(facts, fits)
        if count:
            found.append(f"at most {count:,} sources at a time (sources=range({count}))")
    elif request.rows is not None:
        size = fits(_changed(facts, rows=None), ())
        if size is not None:
            found.append(f"rows={block_rows(statistics, machine, replace(request, rows=None), dtype, 1)}{size}")
    return found


def _is_near(facts: Facts) -> bool:
    """Whether `apsp.within` answers the request with the pairs within a cutoff, instead of a matrix."""
    request = facts.request
    matrix = request.cutoff is None or request.paths or request.out_given
    return not matrix and request.semiring is MIN_PLUS and not facts.statistics.has_negative_arc


def _most_sources(facts: Facts, fits: Fits) -> int:
    """Return the largest number of sources below the requested one whose rows fit, found by bisection."""
    low, high = 0, facts.rows
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if fits(_changed(facts, sources=middle), ()) is None else (middle, high)
    return low


def host_has_room(facts: Facts, placement: Placement | None) -> bool:
    """Whether host memory holds what a placement on GPUs leaves to it; not if there is no placement."""
    if placement is None:
        return False
    stays = placement.where in ("device", "file")
    result = 0 if stays else bytes_of_result(facts.statistics, facts.machine, facts.request, facts.dtype, 1)
    return result + placement.bytes_on_host <= usable(facts.machine)


def refuse_on_gpus(what: str, facts: Facts, gpus: Sequence[int], needed: int, found: Sequence[str]) -> NoReturn:
    """Raise MemoryLimitError about the memory of these GPUs."""
    chosen = {number: facts.machine.gpus[number] for number in gpus}
    named = ", ".join(f"GPU {number} ({gpu.words})" for number, gpu in chosen.items())
    available = min(usable_on(gpu, facts.request.gpu_memory) for gpu in chosen.values())
    raise MemoryLimitError(f"{what} on {named}{held_words(chosen)}", needed, available, found or [MORE_MEMORY])
