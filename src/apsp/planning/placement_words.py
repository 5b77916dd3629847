"""Text on where a matrix is stored."""

from __future__ import annotations

from pathlib import Path

from apsp.errors import format_bytes
from apsp.facts.placement import Placement, on_each
from apsp.system.machine import Machine

__all__ = ["placement_words"]


def placement_words(placement: Placement, machine: Machine, pages_file: Path | None, stays: bool) -> list[str]:
    """Return sentences about the GPUs, where the matrix is stored, and the bytes used there."""
    one = len(placement.gpus) == 1
    if machine.gpus[placement.gpus[0]].is_emulated:
        numbers = " and ".join(map(str, placement.gpus))
        named = "an emulated GPU" if placement.gpus == (0,) else f"emulated GPU{'' if one else 's'} {numbers}"
    else:
        named = " and ".join(f"GPU {number}, {machine.gpus[number].name}" for number in placement.gpus)
    lies = (
        placement.words
        or {
            "device": "the matrix lies in its memory",
            "devices": "the matrix lies in its memory" if one else "the matrix lies in their memories, a part in each",
            "host": f"the matrix lies in host memory and passes through {'it' if one else 'them'} in pages",
            "rows": "rows are computed in its memory and leave it block by block" if one else on_each("the graph"),
            "file": f"the matrix lies in the file {pages_file} and passes through {'it' if one else 'them'} in pages",
        }[placement.where]
    )
    ends = "the result stays on the GPU" if stays else "the result comes to host memory"
    free = min(machine.gpus[number].memory_free for number in placement.gpus)
    each = "" if one else " on each GPU"
    return [
        f"It runs on {named}: {lies}; {ends}.",
        f"Device memory: {format_bytes(placement.bytes_on_gpu)}{each}; {format_bytes(free)} are free.",
    ]
