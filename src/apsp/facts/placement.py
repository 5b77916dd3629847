"""Where the matrix, or the rows, are stored while GPUs work on them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from apsp.errors import format_bytes
from apsp.system.machine import HEADROOM, Gpu

__all__ = ["Placement", "held_words", "on_each", "usable_on"]

_OTHERS = 0.03
"""Share of a GPU's memory that may be in use without a note: about that of the driver."""


@dataclass(frozen=True)
class Placement:
    """Where the matrix is stored.

    Attributes
    ----------
    where : 'device', 'devices', 'host', 'file' or 'rows'
        In the memory of one GPU or of several, or in host memory or a file, of which GPUs hold pages; or GPUs compute
        rows, which are copied to the host.
    gpus : tuple of int
        Their numbers.
    bytes_on_gpu : int
        On each of them.
    bytes_on_host : int
        Host memory beyond the result and the graph.
    words : str or None
        Text on the placement, if it is none of these.
    pages : int
        Pages per side, if the method sets it.
    """

    where: Literal["device", "devices", "host", "file", "rows"]
    gpus: tuple[int, ...]
    bytes_on_gpu: int
    bytes_on_host: int = 0
    words: str | None = None
    pages: int = 1


def usable_on(gpu: Gpu, gpu_memory: int | None) -> int:
    """Return the bytes that a request may use on a GPU."""
    free = int(gpu.memory_free * (1 - HEADROOM))
    return free if gpu_memory is None else min(free, gpu_memory)


def on_each(what: str) -> str:
    """Return the text for rows that several GPUs share."""
    return f"{what} lies in the memory of each, and blocks of rows are computed by the next free one"


def held_words(chosen: dict[int, Gpu]) -> str:
    """Return the text on GPU memory in use elsewhere, if it is much."""
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
