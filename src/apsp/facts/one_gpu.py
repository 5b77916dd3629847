"""The GPU of work that one GPU computes, and that the CPU can do too."""

from __future__ import annotations

from typing import NamedTuple

from apsp.errors import DeviceError, RequestError
from apsp.facts.devices import chosen_gpus, gpu_memory_from, parse_device
from apsp.facts.emulated import memory_of_each
from apsp.gpu.gpus import with_gpus
from apsp.system.machine import Machine

__all__ = ["LOOK_FROM", "OneGpu", "one_gpu"]

LOOK_FROM = 3.0
"""Seconds on the CPU from which on GPUs are detected, which takes about one second."""


class OneGpu(NamedTuple):
    """A GPU.

    Attributes
    ----------
    gpu : int
        Its number.
    memory : int or None
        Most bytes to use; None is all that is free.
    is_emulated, is_named : bool
        Whether its kernels run on the CPU, and whether the request names it: otherwise the CPU may be used instead.
    """

    gpu: int
    memory: int | None
    is_emulated: bool
    is_named: bool


def one_gpu(device: str, what: str) -> OneGpu | None:
    """Return the GPU that may do the work; None for the CPU, and without a GPU unless the request names one.

    Parameters
    ----------
    device : str
        'auto', 'cpu', 'cuda', 'cuda:1' or 'emulated'.
    what : str
        What is computed, in the plural, for messages.

    Raises
    ------
    RequestError, DeviceError
        If the device is unknown, names several GPUs, or cannot be used.
    """
    kind, numbers = parse_device(device)
    if kind == "cpu":
        return None
    if len(numbers) > 1:
        raise RequestError(f"device={device!r}: {what} are computed on one GPU; name one")
    limit = gpu_memory_from(None)
    if kind == "emulated":
        gpu = max(numbers, default=0)
        return OneGpu(gpu, memory_of_each(Machine.detect(), limit, gpu + 1), is_emulated=True, is_named=True)
    machine = with_gpus(Machine.detect())
    if not machine.gpus:
        if kind == "auto":
            return None
        raise DeviceError(f"device={device!r}: {machine.no_gpu}; use device='cpu' (or leave device out)")
    return OneGpu(chosen_gpus(numbers, machine.gpus)[0], limit, is_emulated=False, is_named=kind == "cuda")
