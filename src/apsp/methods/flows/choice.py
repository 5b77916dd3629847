"""The device that computes flows: by default a GPU only if the CPU would take long."""

from __future__ import annotations

from typing import NamedTuple

from apsp.errors import DeviceError, RequestError
from apsp.facts.devices import chosen_gpus, gpu_memory_from, parse_device
from apsp.facts.emulated import memory_of_each
from apsp.gpu.gpus import with_gpus
from apsp.system.machine import Machine

__all__ = ["FlowDevice", "flow_device"]

_LOOK_FROM = 3.0
"""Seconds on the CPU from which on GPUs are detected, which takes about one second."""


class FlowDevice(NamedTuple):
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


def flow_device(device: str, seconds: float, *, why_not: str | None = None) -> FlowDevice | None:
    """Return the GPU that computes flows; None for the CPU.

    Parameters
    ----------
    device : str
        'auto', 'cpu', 'cuda', 'cuda:1' or 'emulated'.
    seconds : float
        That the CPU would take.
    why_not : str, optional
        The reason if no GPU can compute these flows.

    Raises
    ------
    RequestError, DeviceError
        If the device is unknown, names several GPUs, or cannot be used.
    """
    kind, numbers = parse_device(device)
    if kind == "cpu" or (kind == "auto" and (why_not is not None or seconds < _LOOK_FROM)):
        return None
    if why_not is not None:
        raise RequestError(f"device={device!r}: {why_not}; use device='cpu' (or leave device out)")
    if len(numbers) > 1:
        raise RequestError(f"device={device!r}: flows are computed on one GPU; name one")
    limit = gpu_memory_from(None)
    if kind == "emulated":
        gpu = max(numbers, default=0)
        return FlowDevice(gpu, memory_of_each(Machine.detect(), limit, gpu + 1), is_emulated=True, is_named=True)
    machine = with_gpus(Machine.detect())
    if not machine.gpus:
        if kind == "auto":
            return None
        raise DeviceError(f"device={device!r}: {machine.no_gpu}; use device='cpu' (or leave device out)")
    return FlowDevice(chosen_gpus(numbers, machine.gpus)[0], limit, is_emulated=False, is_named=kind == "cuda")
