"""Counts of a run on an emulated GPU, as stored, and the measures that tables and figures show."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from apsp.gpu.counts import COUNTED, KernelCounts
from apsp.gpu.recorder import Recorder
from apsp.published.experiments.cells import Cell

__all__ = ["MEASURES", "Measure", "can_emulate", "counted", "kernels_of", "short", "value"]


@dataclass(frozen=True)
class Measure:
    """One column of counts.

    Attributes
    ----------
    heading : str
        Of its column.
    words : str
        In sentences and at axes of figures.
    sum : callable
        The number, from counts by name.
    """

    heading: str
    words: str
    sum: Callable[[Mapping[str, int]], int]


def _of(*names: str) -> Callable[[Mapping[str, int]], int]:
    return lambda counts: sum(counts.get(name, 0) for name in names)


MEASURES: dict[str, Measure] = {
    "launches": Measure("launches", "kernel launches", _of("launches")),
    "accesses": Measure("accesses", "accesses of threads to global memory", _of("global_loads", "global_stores")),
    "requests": Measure("global", "accesses of warps to global memory", _of("load_requests", "store_requests")),
    "sectors": Measure("sectors", "32-byte sectors", _of("load_sectors", "store_sectors")),
    "transactions_cc10": Measure("trans. 1.0", "transactions by the rules of 1.0 and 1.1", _of("transactions_cc10")),
    "bytes_cc10": Measure("bytes 1.0", "bytes by the rules of 1.0 and 1.1", _of("bytes_cc10")),
    "shared_requests": Measure("shared", "accesses of warps to shared memory", _of("shared_requests")),
    "bank_conflicts_cc1": Measure("conflicts 1.x", "bank conflicts (16 banks)", _of("bank_conflicts_cc1")),
    "bank_conflicts": Measure("conflicts", "bank conflicts (32 banks)", _of("bank_conflicts")),
    "atomics": Measure("atomics", "atomics", _of("atomics")),
    "atomic_collisions": Measure("collisions", "atomics that meet another", _of("atomic_collisions")),
    "divergent_branches": Measure("divergent", "divergent branches", _of("divergent_branches")),
    "barriers": Measure("barriers", "barriers of blocks", _of("barriers")),
    "warp_barriers": Measure("warp barriers", "barriers of warps", _of("warp_barriers")),
    "blocks": Measure("blocks", "blocks", _of("blocks")),
    "threads": Measure("threads", "threads", _of("threads")),
    "bus": Measure("bytes host", "bytes between host and device", _of("bytes_to_device", "bytes_to_host")),
}
"""Measures by name; tables in the terminal show some of them, files all counts."""

_BUS = ("bytes_to_device", "bytes_to_host", "copies_to_device", "copies_to_host")


def can_emulate() -> bool:
    """Whether this build includes the emulated GPU."""
    return importlib.util.find_spec("apsp._emulated") is not None


def counted(recorder: Recorder) -> tuple[dict[str, int], list[dict[str, Any]]]:
    """Totals by name, and the counts of each kernel, ready for JSON; zeros of kernels are left out."""
    kernels = [kernel.to_dict() for kernel in recorder.kernels.values()]
    totals = {name: sum(int(kernel[name]) for kernel in kernels) for name in COUNTED}
    totals |= {name: int(getattr(recorder, name)) for name in _BUS}
    return totals, [{name: value for name, value in kernel.items() if value} for kernel in kernels]


def kernels_of(cell: Cell) -> list[KernelCounts]:
    """The kernels of a counted cell."""
    return [KernelCounts(**kernel) for kernel in cell.by_kernel or ()]


def value(cell: Cell, measure: str, kernels: str = "") -> int | None:
    """A measure of a cell, for kernels with `kernels` in their names; None if it was not counted."""
    if cell.counts is None:
        return None
    add = MEASURES[measure].sum
    if not kernels:
        return add(cell.counts)
    return sum(add(kernel) for kernel in cell.by_kernel or () if kernels in kernel["kernel"])


def short(number: float | None) -> str:
    """1.23 M, 456; - for none."""
    if number is None:
        return "-"
    for factor, letter in ((1e12, " T"), (1e9, " G"), (1e6, " M"), (1e4, " K")):
        if number >= factor:
            shown = 1e3 if letter == " K" else factor
            return f"{number / shown:.3g}{letter}"
    return f"{number:,.0f}"
