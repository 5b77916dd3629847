"""The device that computes flows: a GPU only in hops, and by default only if the CPU would take long."""

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

_STEP = 3.5e-9
"""Seconds per source and vertex or arc, on a core with AVX-512."""


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


def flow_device(device: str, steps: float, threads: int, *, in_hops: bool) -> FlowDevice | None:
    """Return the GPU that computes flows; None for the CPU.

    Parameters
    ----------
    device : str
        'auto', 'cpu', 'cuda', 'cuda:1' or 'emulated'.
    steps : float
        Sources times vertices and arcs.
    threads : int
        Of the CPU.
    in_hops : bool
        No weights, and ties are split.

    Raises
    ------
    RequestError, DeviceError
        If the device is unknown, names several GPUs, or cannot be used.
    """
    kind, numbers = parse_device(device)
    if kind == "cpu" or (kind == "auto" and (not in_hops or steps * _STEP < _LOOK_FROM * threads)):
        return None
    if not in_hops:
        raise RequestError(
            f"device={device!r}: on a GPU flows are computed in hops, and ties are split; use device='cpu' (or leave"
            " device out) for weights and for ties='first'"
        )
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
