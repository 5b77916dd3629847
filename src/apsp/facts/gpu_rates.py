"""Rates of GPUs: data by name (gpus.json).

The rates of a GPU that was not measured are those of a measured one, scaled by the number of multiprocessors and the
clock: a pair takes the same number of instructions on all of them. float64 is the exception: consumer GPUs have 1/32 of
the units for it.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources
from typing import Any

from apsp.system.machine import Gpu

__all__ = ["GpuRates", "pair_name", "rates_of"]

_FULL_FLOAT64 = {(7, 0), (8, 0), (9, 0), (10, 0)}
"""Capabilities of the GPUs with one float64 unit for every two of float32."""

_FEW_FLOAT64 = 1 / 32
_NOT_ALIKE = ("pairs", "rows", "multiprocessors", "clock")
"""Entries of the data that are not single rates."""


@dataclass(frozen=True)
class GpuRates:
    """The rates of a GPU, from `origin`.

    They are described in gpus.json. `scale` is the speed relative to the measured GPU.
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
    """Return the rates of a GPU: measured, or scaled from the measured one."""
    table = _table()
    if gpu.name in table:
        return _rates(table[gpu.name], 1.0, 1.0, f"rates measured on an {gpu.name}")
    name, known = next(iter(table.items()))
    scale = gpu.multiprocessors * gpu.clock / (known["multiprocessors"] * known["clock"]) or 0.25
    float64 = 1.0 if gpu.capability in _FULL_FLOAT64 else _FEW_FLOAT64
    return _rates(known, scale, float64, f"rates of an {name}, scaled by multiprocessors and clock to {scale:.0%}")


def pair_name(dtype: str, has_negative_arc: bool) -> str:
    """Return the name of the constant of one (add, min) pair; non-negative floats may be compared as integers."""
    return f"pair.{dtype}" if has_negative_arc or not dtype.startswith("float") else f"pair.{dtype}.non-negative"


def _rates(known: dict[str, Any], scale: float, float64: float, origin: str) -> GpuRates:
    pairs = {name: rate * scale * (float64 if name == "float64" else 1.0) for name, rate in known["pairs"].items()}
    pairs["float64.non-negative"] = pairs["float64"]
    others = {name: float(rate) for name, rate in known.items() if name not in _NOT_ALIKE}
    rows = {name: float(known["rows"][name]) * scale for name in ("relaxed", "pulled", "lines")}
    same = {name: float(known["rows"][name]) for name in ("round", "swept")}
    return GpuRates(pairs=pairs, origin=origin, scale=scale, **same, **rows, **others)


@functools.cache
def _table() -> dict[str, dict[str, Any]]:
    text = resources.files("apsp.facts").joinpath("gpus.json").read_text(encoding="utf-8")
    table: dict[str, dict[str, Any]] = json.loads(text)["gpus"]
    return table
