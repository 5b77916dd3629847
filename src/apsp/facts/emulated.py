"""Emulated GPUs: the kernels of a GPU run on the CPU, and the memory of the GPU is a part of host memory.

They are invented for a request, so that plans for them are made as for real ones.
"""

from __future__ import annotations

from dataclasses import replace

from apsp.errors import DeviceError
from apsp.facts.request import Request
from apsp.system.machine import EMULATED_GPU, HEADROOM, Gpu, Machine, usable

__all__ = ["CHOSEN", "MOST", "memory_of_each", "with_emulated_gpus"]

CHOSEN = "No GPU was found: the kernels are emulated on the CPU."
"""Said where device='auto' led here."""

MOST = 64
"""Emulated GPUs of a request."""

_CAPABILITY = (7, 0)
_SHARE = 0.5
"""Of the usable host memory, for all emulated GPUs together; the rest is for results and what lies on the host."""


def with_emulated_gpus(machine: Machine, request: Request) -> Machine:
    """The machine with emulated GPUs instead of its own: as many as the largest number of the request asks for.

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
    """Bytes of each of so many emulated GPUs: a fair share of host memory, or more where that is named and there."""
    share = int(usable(machine) * _SHARE) // count
    named = 0 if gpu_memory is None else int(gpu_memory / (1 - HEADROOM)) + 1
    return min(max(share, named), machine.memory_available // count)
