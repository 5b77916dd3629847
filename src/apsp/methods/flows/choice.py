"""The device that computes flows: by default a GPU only if the CPU would take long."""

from __future__ import annotations

from apsp.errors import RequestError
from apsp.facts.devices import parse_device
from apsp.facts.one_gpu import LOOK_FROM, OneGpu, one_gpu

__all__ = ["flow_device"]


def flow_device(device: str, seconds: float, *, why_not: str | None = None) -> OneGpu | None:
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
    kind, _ = parse_device(device)
    if kind == "cpu" or (kind == "auto" and (why_not is not None or seconds < LOOK_FROM)):
        return None
    if why_not is not None:
        raise RequestError(f"device={device!r}: {why_not}; use device='cpu' (or leave device out)")
    return one_gpu(device, "flows")
