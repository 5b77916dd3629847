"""The device that computes skims: by default a GPU only if the CPU would take long."""

from __future__ import annotations

from typing import NamedTuple

from apsp.errors import DeviceError, RequestError
from apsp.facts.devices import chosen_gpus, gpu_memory_from, parse_device
from apsp.facts.emulated import memory_of_each
from apsp.gpu.gpus import with_gpus
from apsp.system.machine import Machine

__all__ = ["SkimDevice", "skim_device"]


class SkimDevice(NamedTuple):
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


def skim_device(device: str) -> SkimDevice | None:
    """Return the GPU that may compute skims; None for the CPU.

    Parameters
    ----------
    device : str
        'auto', 'cpu', 'cuda', 'cuda:1' or 'emulated'.

    Raises
    ------
    RequestError, DeviceError
        If the device is unknown, names several GPUs, or cannot be used.
    """
    kind, numbers = parse_device(device)
    if kind == "cpu":
        return None
    if len(numbers) > 1:
        raise RequestError(f"device={device!r}: skims are computed on one GPU; name one")
    limit = gpu_memory_from(None)
    if kind == "emulated":
        gpu = max(numbers, default=0)
        return SkimDevice(gpu, memory_of_each(Machine.detect(), limit, gpu + 1), is_emulated=True, is_named=True)
    machine = with_gpus(Machine.detect())
    if not machine.gpus:
        if kind == "auto":
            return None
        raise DeviceError(f"device={device!r}: {machine.no_gpu}; use device='cpu' (or leave device out)")
    return SkimDevice(chosen_gpus(numbers, machine.gpus)[0], limit, is_emulated=False, is_named=kind == "cuda")
