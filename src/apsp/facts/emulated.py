"""Emulated GPUs: GPU kernels run on the CPU, and device memory is a part of host memory.

They are created for a request, so that plans for them are made as for real ones.
"""

from __future__ import annotations

from dataclasses import replace

from apsp.errors import DeviceError
from apsp.facts.request import Request
from apsp.system.machine import EMULATED_GPU, HEADROOM, Gpu, Machine, usable

__all__ = ["CHOSEN", "MOST", "memory_of_each", "with_emulated_gpus"]

CHOSEN = "No GPU was found: the kernels are emulated on the CPU."
"""Note if device='auto' chose emulated GPUs."""

MOST = 64
"""Largest number of emulated GPUs of a request."""

_CAPABILITY = (7, 0)
_SHARE = 0.5
"""Share of the usable host memory for all emulated GPUs together; the rest is for results and other host data."""


def with_emulated_gpus(machine: Machine, request: Request) -> Machine:
    """Return the machine with emulated GPUs instead of its own, up to the largest requested number.

    Raises
    ------
    DeviceError
        If a number is not below 64.
    """
    count = max(request.gpus, default=0) + 1
    if count > MOST:
        raise DeviceError(f"there is no emulated GPU {count - 1}; they are numbered from 0 to {MOST - 1}")
    memory = memory_of_each(machine, request.gpu_memory, count)
    gpu = Gpu(EMULATED_GPU, memory, memory, _CAPABILITY, multiprocessors=machine.cores)
    return replace(machine, gpus=(gpu,) * count, cuda=None)


def memory_of_each(machine: Machine, gpu_memory: int | None, count: int) -> int:
    """Return the bytes of each emulated GPU: a share of host memory, or more if requested and available."""
    share = int(usable(machine) * _SHARE) // count
    named = 0 if gpu_memory is None else int(gpu_memory / (1 - HEADROOM)) + 1
    return min(max(share, named), machine.memory_available // count)
